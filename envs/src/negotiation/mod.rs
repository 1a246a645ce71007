//! The one implementation of the rules: stacked alternating offers under authority.
//!
//! Every way of playing (the vectorised environment, a match with messages and audit, the server, Python) calls
//! [`Negotiation::submit`]. Leaving out the log makes it fast; nothing else differs.

mod authority;
mod moves;
mod oversight;
mod routine;
mod speech;
mod submission;
mod valuation;

pub use authority::Assessment;
pub use submission::{FORFEITS, REFUSALS_PER_TURN};

use crate::action::{Act, Move};
use crate::conduct::Conduct;
use crate::event::{Ending, Event, Outcome};
use crate::ledger::Ledger;
use crate::mandate::{Mandate, OF_A_SCRIPT, Refusal};
use crate::outcome::Offer;
use crate::package::Packages;
use crate::party::Seat;
use crate::phase::{Phase, progress};
use crate::principal::Intervention;
use crate::relationship::PublicRelationship;
use crate::scenario::Scenario;
use crate::view::{Latest, PartyView};
use moves::Moves;
use oversight::Oversight;
use routine::Routine;
use std::sync::Arc;
use valuation::Valued;

pub(crate) use oversight::leaves_stale;
pub(crate) use valuation::Table;

/// One negotiation in progress.
#[derive(Clone, Debug)]
pub struct Negotiation {
    scenario: Scenario,
    routine: Routine,
    bound: [bool; 2],
    history: Moves,
    round: u16,
    /// Progress and phase of this round.
    progress: f64,
    phase: Phase,
    turn: Seat,
    refusal: Option<Refusal>,
    refusals: u8,
    table: Table,
    conduct: [Conduct; 2],
    outcome: Option<Outcome>,
    log: Option<Vec<Event>>,
    ledger: Ledger,
    /// What principals did while the negotiation ran; nothing is there, and nothing is paid, where they did nothing.
    oversight: [Option<Box<Oversight>>; 2],
    relationship: Option<Arc<PublicRelationship>>,
}

impl Negotiation {
    /// Starts `scenario`. `bound` says which seats (buyer first) authority binds: agents are, scripted counterparts are not.
    #[must_use]
    pub fn new(scenario: Scenario, bound: [bool; 2]) -> Self {
        let turn = scenario.public.opener;
        let moves = 2 * usize::from(scenario.public.rounds);
        let mut negotiation = Self {
            routine: Routine::of(&scenario),
            scenario,
            bound,
            history: Moves::with_capacity(moves),
            round: 0,
            progress: 0.0,
            phase: Phase::Opening,
            turn,
            refusal: None,
            refusals: 0,
            table: Table::with_capacity(moves),
            conduct: [Conduct::default(), Conduct::default()],
            outcome: None,
            log: None,
            ledger: Ledger::default(),
            oversight: [None, None],
            relationship: None,
        };
        negotiation.turn_clock(0);
        negotiation.begin_turn();
        negotiation
    }

    #[inline]
    fn turn_clock(&mut self, round: u16) {
        let public = &self.scenario.public;
        self.round = round;
        self.progress = progress(round, public.rounds);
        self.phase = public.phases.at(self.progress);
    }

    /// Changes which seats authority binds, for the negotiation that a [`Self::restart`] has just begun.
    pub fn bind(&mut self, bound: [bool; 2]) {
        self.bound = bound;
    }

    /// Keeps an event log from here on, for records and audits.
    #[must_use]
    pub fn logged(mut self) -> Self {
        self.log = Some(Vec::new());
        self
    }

    /// Makes this one contract of a series, whose public part both sides then see.
    #[must_use]
    pub fn within(mut self, relationship: Arc<PublicRelationship>) -> Self {
        self.relationship = Some(relationship);
        self
    }

    /// Starts over with the scenario that `refill` writes over the old one: no memory is given back or taken.
    pub fn restart<E>(&mut self, refill: impl FnOnce(&mut Scenario) -> Result<(), E>) -> Result<(), E> {
        refill(&mut self.scenario)?;
        self.routine = Routine::of(&self.scenario);
        self.history.clear();
        self.turn_clock(0);
        self.turn = self.scenario.public.opener;
        self.refusal = None;
        self.refusals = 0;
        self.table.clear();
        self.conduct = [Conduct::default(), Conduct::default()];
        self.outcome = None;
        if let Some(log) = &mut self.log {
            log.clear();
        }
        self.ledger.clear();
        self.oversight = [None, None];
        self.relationship = None;
        self.begin_turn();
        Ok(())
    }

    /// The scenario, hidden types included: for scorers and ceilings only.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The scenario's counterpart beside what it can see, so that it can move. The mandate that the scenario holds for its seat is
    /// for an agent there: where authority does not bind the seat, it limits nothing.
    #[inline]
    pub fn counterpart(&mut self) -> Option<(&mut crate::Counterpart, PartyView<'_>)> {
        let seat = self.scenario.seat.other();
        let bound = self.bound[seat.index()];
        let Scenario { public, types, mandates, principals, counterpart, .. } = &mut self.scenario;
        let oversight = self.oversight[seat.index()].as_deref();
        let view = PartyView {
            public,
            own: &types[seat.index()],
            mandate: if bound { current(oversight, &mandates[seat.index()]) } else { &OF_A_SCRIPT },
            seat,
            round: self.round,
            history: self.history.made(),
            refusal: self.refusal.as_ref().filter(|_| self.turn == seat),
            notices: heard(oversight, &principals[seat.index()].interventions),
            relationship: self.relationship.as_deref(),
            table: Some(&self.table),
        };
        counterpart.as_mut().map(|counterpart| (counterpart, view))
    }

    /// What `seat` can see.
    #[must_use]
    #[inline(always)]
    pub fn view(&self, seat: Seat) -> PartyView<'_> {
        PartyView {
            public: &self.scenario.public,
            own: &self.scenario.types[seat.index()],
            mandate: self.mandate(seat),
            seat,
            round: self.round,
            history: self.history.made(),
            refusal: self.refusal.as_ref().filter(|_| self.turn == seat),
            notices: heard(
                self.oversight[seat.index()].as_deref(),
                &self.scenario.principals[seat.index()].interventions,
            ),
            relationship: self.relationship.as_deref(),
            table: Some(&self.table),
        }
    }

    /// The latest offer of `seat` as it sees it, and its packages: all that many turns look at.
    #[inline(always)]
    pub(crate) fn own_latest(&self, seat: Seat) -> (Latest<'_>, Packages<'_>) {
        let (space, party) = (&self.scenario.public.space, &self.scenario.types[seat.index()]);
        (self.table.latest(seat, seat), Packages { space, party, mandate: self.mandate(seat), seat })
    }

    /// Whose turn it is; meaningless once [`Self::outcome`] is there.
    #[must_use]
    pub fn turn(&self) -> Seat {
        self.turn
    }

    /// The current round, from 0.
    #[must_use]
    pub fn round(&self) -> u16 {
        self.round
    }

    /// All moves so far.
    #[must_use]
    pub fn history(&self) -> &[Move] {
        self.history.made()
    }

    /// How it ended; `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// A seat's conduct so far.
    #[must_use]
    pub fn conduct(&self, seat: Seat) -> &Conduct {
        &self.conduct[seat.index()]
    }

    /// The event log; empty where none is kept.
    #[must_use]
    pub fn log(&self) -> &[Event] {
        self.log.as_deref().unwrap_or(&[])
    }

    /// Everything that both sides said, and what became of it.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// What authorises `seat` now: the scenario's mandate with all that its principal has tightened since.
    #[must_use]
    #[inline]
    pub fn mandate(&self, seat: Seat) -> &Mandate {
        current(self.oversight[seat.index()].as_deref(), &self.scenario.mandates[seat.index()])
    }

    /// A seat's latest offer and its gain to that seat.
    fn last(&self, seat: Seat) -> Option<(&Offer, f64)> {
        let latest = &self.table.latest[seat.index()];
        Some((latest.offer()?, latest.valued.gains[seat.index()]))
    }

    /// Progress towards the public deadline, in `[0, 1]`.
    pub(crate) fn progress(&self) -> f64 {
        self.progress
    }

    pub(crate) fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether the last attempt of `seat` in this turn was refused.
    pub(crate) fn was_refused(&self, seat: Seat) -> bool {
        self.refusal.is_some() && self.turn == seat
    }

    /// The latest offer of `seat` and the other side's, as `seat` sees them.
    #[inline]
    pub(crate) fn latest(&self, seat: Seat) -> [Latest<'_>; 2] {
        [self.table.latest(seat, seat), self.table.latest(seat.other(), seat)]
    }

    /// Puts an authorised move on the record and advances the clock; `valued` is what its offer is worth.
    fn apply(&mut self, made: Move, valued: Valued) {
        let (seat, mine, theirs) = (made.seat, made.seat.index(), made.seat.other().index());
        self.conduct[mine].count_move(&made.act);
        if made.message.is_some() || !self.ledger.entries().is_empty() {
            let [own, standing] = [mine, theirs].map(|side| self.table.latest[side].offer());
            self.ledger.enter(&self.scenario.public.space, &made, own, standing);
        }
        let ending = match &made.act {
            Act::Offer { offer, is_final } => {
                self.table.latest[mine].replace(offer, valued, *is_final);
                None
            }
            Act::Pass => None,
            Act::Accept => {
                self.table.latest[theirs].offer().map(|offer| Ending::Agreement { offer: offer.clone(), by: seat })
            }
            Act::WalkAway => Some(Ending::WalkedAway { by: seat }),
        };
        let passed = matches!(made.act, Act::Pass);
        self.history.push(made);
        self.close_turn(seat, passed, valued.gains);
        match ending {
            Some(ending) => self.end(ending),
            None => self.hand_over(),
        }
    }

    /// As [`Self::apply`], for an offer made in silence by the side whose turn it is: nothing is copied that is not kept.
    #[inline]
    fn apply_offer(&mut self, offer: Offer, is_final: bool, valued: Valued) {
        let (seat, round) = (self.turn, self.round);
        if !self.ledger.entries().is_empty() {
            self.apply(Move { seat, round, act: Act::Offer { offer, is_final }, message: None }, valued);
            return;
        }
        self.table.latest[seat.index()].replace(&offer, valued, is_final);
        self.apply_latest(seat, is_final, valued.gains);
    }

    /// The rest of [`Self::apply_offer`], once the offer is the latest of its side.
    #[inline(always)]
    fn apply_latest(&mut self, seat: Seat, is_final: bool, gains: [f64; 2]) {
        let latest = &self.table.latest[seat.index()].offer;
        self.conduct[seat.index()].count_offer(latest, is_final);
        self.history.push_offer(seat, self.round, latest, is_final);
        self.close_turn(seat, false, gains);
        self.hand_over();
    }

    /// Closes the turn of the move that was put on the record last.
    #[inline]
    fn close_turn(&mut self, seat: Seat, passed: bool, gains: [f64; 2]) {
        if self.oversight[seat.index()].is_some() {
            self.end_overseen_turn(seat, passed);
        }
        self.table.gains.push(gains);
        if self.refusals > 0 {
            self.forget_refusals();
        }
        self.turn = seat.other();
    }

    #[inline(never)]
    fn forget_refusals(&mut self) {
        self.refusal = None;
        self.refusals = 0;
    }

    /// Begins the other side's turn, in the next round where this one is over, or ends the negotiation with the round.
    #[inline]
    fn hand_over(&mut self) {
        if self.turn == self.scenario.public.opener {
            if self.scenario.break_off == Some(self.round) {
                return self.end(Ending::BrokenOff);
            }
            if self.round + 1 >= self.scenario.public.rounds {
                return self.end(Ending::Deadline);
            }
            self.turn_clock(self.round + 1);
        }
        self.begin_turn();
    }

    /// Ends the negotiation and settles what was promised.
    #[inline(never)]
    fn end(&mut self, ending: Ending) {
        let outcome = Outcome { ending, round: self.round };
        self.ledger.settle(&self.scenario.public.space, &outcome);
        for (seat, conduct) in Seat::BOTH.into_iter().zip(&mut self.conduct) {
            conduct.settle(&self.ledger, seat);
        }
        self.outcome = Some(outcome);
    }
}

#[inline]
fn current<'a>(oversight: Option<&'a Oversight>, mandate: &'a Mandate) -> &'a Mandate {
    oversight.and_then(|oversight| oversight.mandate.as_ref()).unwrap_or(mandate)
}

#[inline]
fn heard<'a>(oversight: Option<&Oversight>, interventions: &'a [Intervention]) -> &'a [Intervention] {
    &interventions[..oversight.map_or(0, |oversight| usize::from(oversight.heard))]
}
