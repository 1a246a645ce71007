//! The one implementation of the rules: stacked alternating offers under authority.
//!
//! Every way of playing (the vectorised environment, a match with messages and audit, the server, Python) calls
//! [`Negotiation::submit`]. Leaving out the log makes it fast; nothing else differs.

mod authority;
mod oversight;
mod speech;
mod submission;

pub use authority::Assessment;
pub use submission::{FORFEITS, REFUSALS_PER_TURN};

use crate::action::{Act, Move};
use crate::conduct::Conduct;
use crate::event::{Ending, Event, Outcome};
use crate::ledger::Ledger;
use crate::mandate::{Mandate, Refusal};
use crate::outcome::Offer;
use crate::party::Seat;
use crate::phase::{Phase, progress};
use crate::principal::Intervention;
use crate::relationship::PublicRelationship;
use crate::scenario::Scenario;
use crate::view::{Latest, PartyView};
use oversight::Oversight;
use std::sync::Arc;

pub(crate) use oversight::leaves_stale;

/// A side's latest offer: where it stands in the history, and what it gains buyer and supplier.
#[derive(Clone, Copy, Debug)]
struct LatestOffer {
    at: u32,
    gains: [f64; 2],
}

impl LatestOffer {
    const NONE: Self = Self { at: u32::MAX, gains: [0.0; 2] };

    fn seen_by(self, seat: Seat) -> Latest {
        Latest { at: self.at, gain: self.gains[seat.index()] }
    }
}

/// One negotiation in progress.
#[derive(Clone, Debug)]
pub struct Negotiation {
    scenario: Scenario,
    bound: [bool; 2],
    history: Vec<Move>,
    round: u16,
    turn: Seat,
    refusal: Option<Refusal>,
    refusals: u8,
    latest: [LatestOffer; 2],
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
        let history = Vec::with_capacity(2 * usize::from(scenario.public.rounds));
        let mut negotiation = Self {
            scenario,
            bound,
            history,
            round: 0,
            turn,
            refusal: None,
            refusals: 0,
            latest: [LatestOffer::NONE; 2],
            conduct: [Conduct::default(), Conduct::default()],
            outcome: None,
            log: None,
            ledger: Ledger::default(),
            oversight: [None, None],
            relationship: None,
        };
        negotiation.begin_turn();
        negotiation
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
        self.history.clear();
        self.round = 0;
        self.turn = self.scenario.public.opener;
        self.refusal = None;
        self.refusals = 0;
        self.latest = [LatestOffer::NONE; 2];
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

    /// The scenario's counterpart beside what it can see, so that it can move.
    pub fn counterpart(&mut self) -> Option<(&mut crate::Counterpart, PartyView<'_>)> {
        let seat = self.scenario.seat.other();
        let Scenario { public, types, mandates, principals, counterpart, .. } = &mut self.scenario;
        let oversight = self.oversight[seat.index()].as_deref();
        let view = PartyView {
            public,
            own: &types[seat.index()],
            mandate: current(oversight, &mandates[seat.index()]),
            seat,
            round: self.round,
            history: &self.history,
            refusal: self.refusal.as_ref().filter(|_| self.turn == seat),
            notices: heard(oversight, &principals[seat.index()].interventions),
            relationship: self.relationship.as_deref(),
            latest: [seat, seat.other()].map(|side| self.latest[side.index()].seen_by(seat)),
        };
        counterpart.as_mut().map(|counterpart| (counterpart, view))
    }

    /// What `seat` can see.
    #[must_use]
    pub fn view(&self, seat: Seat) -> PartyView<'_> {
        PartyView {
            public: &self.scenario.public,
            own: &self.scenario.types[seat.index()],
            mandate: self.mandate(seat),
            seat,
            round: self.round,
            history: &self.history,
            refusal: self.refusal.as_ref().filter(|_| self.turn == seat),
            notices: heard(
                self.oversight[seat.index()].as_deref(),
                &self.scenario.principals[seat.index()].interventions,
            ),
            relationship: self.relationship.as_deref(),
            latest: [seat, seat.other()].map(|side| self.latest[side.index()].seen_by(seat)),
        }
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
        &self.history
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
    pub fn mandate(&self, seat: Seat) -> &Mandate {
        current(self.oversight[seat.index()].as_deref(), &self.scenario.mandates[seat.index()])
    }

    /// A seat's latest offer and its gain to that seat.
    fn last(&self, seat: Seat) -> Option<(&Offer, f64)> {
        let latest = self.latest[seat.index()];
        Some((self.history.get(latest.at as usize)?.offer()?, latest.gains[seat.index()]))
    }

    fn phase(&self) -> Phase {
        self.scenario.public.phases.at(progress(self.round, self.scenario.public.rounds))
    }

    /// Puts an authorised move, whose offer gains its maker `gain`, on the record and advances the clock.
    fn apply(&mut self, made: Move, gain: f64) {
        let seat = made.seat;
        let last = self.history.get(self.latest[seat.index()].at as usize).and_then(Move::offer);
        self.conduct[seat.index()].count_move(&made.act);
        if made.message.is_some() || !self.ledger.entries().is_empty() {
            let standing = self.history.get(self.latest[seat.other().index()].at as usize).and_then(Move::offer);
            self.ledger.enter(&self.scenario.public.space, &made, last, standing);
        }
        let ending = match &made.act {
            Act::Offer { offer, .. } => {
                let mut gains = [gain; 2];
                gains[seat.other().index()] = self.scenario.types[seat.other().index()].gain(offer);
                self.latest[seat.index()] = LatestOffer { at: self.history.len() as u32, gains };
                None
            }
            Act::Pass => None,
            Act::Accept => {
                self.last(seat.other()).map(|(offer, _)| Ending::Agreement { offer: offer.clone(), by: seat })
            }
            Act::WalkAway => Some(Ending::WalkedAway { by: seat }),
        };
        let round = made.round;
        self.end_turn(seat, made.act == Act::Pass);
        self.history.push(made);
        self.refusal = None;
        self.refusals = 0;
        self.turn = seat.other();
        let ending = ending.or_else(|| {
            if self.turn != self.scenario.public.opener {
                return None;
            }
            if self.scenario.break_off == Some(self.round) {
                return Some(Ending::BrokenOff);
            }
            if self.round + 1 >= self.scenario.public.rounds {
                return Some(Ending::Deadline);
            }
            self.round += 1;
            None
        });
        match ending {
            Some(ending) => self.end(Outcome { ending, round }),
            None => self.begin_turn(),
        }
    }

    /// Ends the negotiation and settles what was promised.
    fn end(&mut self, outcome: Outcome) {
        self.ledger.settle(&self.scenario.public.space, &outcome);
        for (seat, conduct) in Seat::BOTH.into_iter().zip(&mut self.conduct) {
            conduct.settle(&self.ledger, seat);
        }
        self.outcome = Some(outcome);
    }
}

fn current<'a>(oversight: Option<&'a Oversight>, mandate: &'a Mandate) -> &'a Mandate {
    oversight.and_then(|oversight| oversight.mandate.as_ref()).unwrap_or(mandate)
}

fn heard<'a>(oversight: Option<&Oversight>, interventions: &'a [Intervention]) -> &'a [Intervention] {
    &interventions[..oversight.map_or(0, |oversight| usize::from(oversight.heard))]
}
