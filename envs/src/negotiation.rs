//! The one implementation of the rules: stacked alternating offers under authority.
//!
//! Every way of playing (the vectorised environment, a match with messages and audit, the server, Python) calls
//! [`Negotiation::submit`]. Leaving out the log makes it fast; nothing else differs.

use crate::action::{Act, Action, Intent, Move};
use crate::conduct::Conduct;
use crate::event::{Ending, Event, Outcome, Ruling};
use crate::guardrail::Faults;
use crate::mandate::Refusal;
use crate::message::Message;
use crate::outcome::{Offer, Terms};
use crate::package::Packages;
use crate::party::Seat;
use crate::phase::{Phase, progress};
use crate::scenario::Scenario;
use crate::view::{Latest, PartyView};

/// Refusals in one turn after which software acts in the agent's place: it repeats the last own offer, or passes.
pub const REFUSALS_PER_TURN: u8 = 3;

/// A side's latest offer: where it stands in the history, and what it gains buyer and supplier.
#[derive(Clone, Copy, Debug)]
struct LatestOffer {
    at: usize,
    gains: [f64; 2],
}

impl LatestOffer {
    fn seen_by(self, seat: Seat) -> Latest {
        Latest { at: self.at, gain: self.gains[seat.index()] }
    }
}

/// What authority makes of an action.
struct Verdict {
    /// The act that may be made, or why none may.
    act: Result<Act, Refusal>,
    /// The guardrails that the action failed.
    faults: Faults,
    /// Whether the action, as attempted, meant a loss.
    loss: bool,
    /// Own gain of the act's offer.
    gain: f64,
}

impl Verdict {
    fn plain(act: Act) -> Self {
        Self { act: Ok(act), faults: Faults::default(), loss: false, gain: 0.0 }
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
    latest: [Option<LatestOffer>; 2],
    conduct: [Conduct; 2],
    outcome: Option<Outcome>,
    log: Option<Vec<Event>>,
}

impl Negotiation {
    /// Starts `scenario`. `bound` says which seats (buyer first) authority binds: agents are, scripted counterparts are not.
    #[must_use]
    pub fn new(scenario: Scenario, bound: [bool; 2]) -> Self {
        let turn = scenario.public.opener;
        let history = Vec::with_capacity(2 * usize::from(scenario.public.rounds));
        Self {
            scenario,
            bound,
            history,
            round: 0,
            turn,
            refusal: None,
            refusals: 0,
            latest: [None, None],
            conduct: [Conduct::default(), Conduct::default()],
            outcome: None,
            log: None,
        }
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

    /// Starts over with the scenario that `refill` writes over the old one: no memory is given back or taken.
    pub fn restart<E>(&mut self, refill: impl FnOnce(&mut Scenario) -> Result<(), E>) -> Result<(), E> {
        refill(&mut self.scenario)?;
        self.history.clear();
        self.round = 0;
        self.turn = self.scenario.public.opener;
        self.refusal = None;
        self.refusals = 0;
        self.latest = [None, None];
        self.conduct = [Conduct::default(), Conduct::default()];
        self.outcome = None;
        if let Some(log) = &mut self.log {
            log.clear();
        }
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
        let Scenario { public, types, mandates, counterpart, .. } = &mut self.scenario;
        let view = PartyView {
            public,
            own: &types[seat.index()],
            mandate: &mandates[seat.index()],
            seat,
            round: self.round,
            history: &self.history,
            refusal: self.refusal.as_ref().filter(|_| self.turn == seat),
            latest: [seat, seat.other()].map(|side| self.latest[side.index()].map(|offer| offer.seen_by(seat))),
        };
        counterpart.as_mut().map(|counterpart| (counterpart, view))
    }

    /// What `seat` can see.
    #[must_use]
    pub fn view(&self, seat: Seat) -> PartyView<'_> {
        PartyView {
            public: &self.scenario.public,
            own: &self.scenario.types[seat.index()],
            mandate: &self.scenario.mandates[seat.index()],
            seat,
            round: self.round,
            history: &self.history,
            refusal: self.refusal.as_ref().filter(|_| self.turn == seat),
            latest: [seat, seat.other()].map(|side| self.latest[side.index()].map(|offer| offer.seen_by(seat))),
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

    /// Whether authority would let the side whose turn it is act so, corrected or not.
    #[must_use]
    pub fn permits(&self, action: &Action) -> bool {
        self.outcome.is_none() && self.authorise(self.turn, action.clone()).act.is_ok()
    }

    /// Takes the action of the side whose turn it is. Authority is applied where it binds that side: the action may be
    /// corrected, or refused, whereupon the same side may try again; the third refusal of a turn repeats its last offer, or
    /// passes where there is none. Does nothing once the negotiation has ended.
    pub fn submit(&mut self, action: Action, intent: Option<Intent>, message: Option<Message>) -> Ruling {
        self.submit_with_faults(action, intent, message).0
    }

    /// As [`Self::submit`], telling the guardrails that the action failed too.
    pub fn submit_with_faults(
        &mut self,
        action: Action,
        intent: Option<Intent>,
        message: Option<Message>,
    ) -> (Ruling, Faults) {
        if self.outcome.is_some() {
            return (Ruling::Refused(Refusal::NothingToAccept), Faults::default());
        }
        let seat = self.turn;
        let attempted = self.log.is_some().then(|| action.clone());
        let Verdict { act, faults, loss, gain } = self.authorise(seat, action);
        self.conduct[seat.index()].count_attempt(faults, loss);
        let (ruling, act, gain) = match act {
            Ok(act) if faults.any() => {
                self.conduct[seat.index()].corrected += 1;
                (Ruling::Corrected, act, gain)
            }
            Ok(act) => (Ruling::Applied, act, gain),
            Err(refusal) => {
                self.refusals += 1;
                self.refusal = Some(refusal.clone());
                self.conduct[seat.index()].refused += 1;
                if self.refusals < REFUSALS_PER_TURN {
                    let ruling = Ruling::Refused(refusal);
                    self.record(seat, intent, attempted, faults, &ruling, None);
                    return (ruling, faults);
                }
                self.conduct[seat.index()].fallbacks += 1;
                let (act, gain) = self.fallback(seat);
                (Ruling::FellBack(refusal), act, gain)
            }
        };
        // A refused or corrected action's words were about something else.
        let message = if matches!(ruling, Ruling::Applied) { message } else { None };
        let made = Move { seat, round: self.round, act, message };
        self.record(seat, intent, attempted, faults, &ruling, Some(&made));
        self.apply(made, gain);
        (ruling, faults)
    }

    fn record(
        &mut self,
        seat: Seat,
        intent: Option<Intent>,
        attempted: Option<Action>,
        faults: Faults,
        ruling: &Ruling,
        made: Option<&Move>,
    ) {
        if let (Some(log), Some(action)) = (&mut self.log, attempted) {
            let (ruling, made) = (ruling.clone(), made.cloned());
            log.push(Event { seat, round: self.round, intent, action, faults, ruling, made });
        }
    }

    /// A seat's latest offer and its gain to that seat.
    fn last(&self, seat: Seat) -> Option<(&Offer, f64)> {
        let latest = self.latest[seat.index()]?;
        Some((self.history[latest.at].offer()?, latest.gains[seat.index()]))
    }

    /// What the last own offer repeated, or a pass, would be, with its gain.
    fn fallback(&self, seat: Seat) -> (Act, f64) {
        match self.last(seat) {
            Some((offer, gain)) => {
                (Act::Offer { offer: offer.clone(), is_final: self.conduct[seat.index()].declared_final }, gain)
            }
            None => (Act::Pass, 0.0),
        }
    }

    /// What authority makes of an action.
    fn authorise(&self, seat: Seat, action: Action) -> Verdict {
        match action {
            Action::Pass => Verdict::plain(Act::Pass),
            Action::WalkAway => Verdict::plain(Act::WalkAway),
            Action::Accept => self.authorise_acceptance(seat),
            Action::Offer { terms, is_final } => self.authorise_offer(seat, terms, is_final),
        }
    }

    fn authorise_acceptance(&self, seat: Seat) -> Verdict {
        let Scenario { public, types, mandates, .. } = &self.scenario;
        let (party, mandate) = (&types[seat.index()], &mandates[seat.index()]);
        let mut verdict = Verdict::plain(Act::Accept);
        let Some(latest) = self.latest[seat.other().index()] else {
            verdict.act = Err(Refusal::NothingToAccept);
            return verdict;
        };
        let gain = latest.gains[seat.index()];
        verdict.loss = gain < 0.0;
        if !self.bound[seat.index()] {
            return verdict;
        }
        if let Some(caps) = &public.guardrails {
            let faults = caps.faults(party, self.phase(), None, gain);
            if faults.floor {
                verdict.faults = faults;
                verdict.act = Err(Refusal::NothingPasses);
                return verdict;
            }
        }
        if let Some((offer, _)) = self.last(seat.other())
            && let Err(refusal) = mandate.test_valued(&public.space, seat, offer, gain)
        {
            verdict.act = Err(refusal);
        }
        verdict
    }

    fn authorise_offer(&self, seat: Seat, terms: Terms, is_final: bool) -> Verdict {
        let Scenario { public, types, mandates, .. } = &self.scenario;
        let (party, mandate) = (&types[seat.index()], &mandates[seat.index()]);
        let (offer, readable) = match terms {
            Terms::Offer(offer) if public.space.contains(&offer) => (offer, true),
            terms => match public.space.resolve(&terms) {
                Some(offer) => (offer, true),
                None => (self.readable(seat, &terms), false),
            },
        };
        let gain = party.gain(&offer);
        let loss = readable && gain < 0.0;
        let mut faults = if readable { Faults::default() } else { Faults::STRUCTURAL };
        if !self.bound[seat.index()] {
            return Verdict { act: Ok(Act::Offer { offer, is_final }), faults, loss, gain };
        }
        let mut least = mandate.least_gain.unwrap_or(f64::NEG_INFINITY);
        if let Some(caps) = &public.guardrails {
            let previous = self.latest[seat.index()].map(|latest| latest.gains[seat.index()]);
            let phase = self.phase();
            let found = caps.faults(party, phase, previous, gain);
            faults = Faults { structural: faults.structural, ..found };
            if faults.any() {
                least = least.max(caps.least_gain(party, phase, previous));
            }
        }
        if faults.any() {
            return match self.corrected(seat, &offer, gain, least) {
                Some(offer) => {
                    let gain = party.gain(&offer);
                    Verdict { act: Ok(Act::Offer { offer, is_final }), faults, loss, gain }
                }
                None => Verdict { act: Err(Refusal::NothingPasses), faults, loss, gain },
            };
        }
        let act = match mandate.test_valued(&public.space, seat, &offer, gain) {
            Ok(()) => Ok(Act::Offer { offer, is_final }),
            Err(refusal) => Err(refusal),
        };
        Verdict { act, faults, loss, gain }
    }

    fn phase(&self) -> Phase {
        self.scenario.public.phases.at(progress(self.round, self.scenario.public.rounds))
    }

    /// The offer that unreadable terms come nearest to: missing issues keep the last own offer's values, or else the best.
    fn readable(&self, seat: Seat, terms: &Terms) -> Offer {
        let Scenario { public, types, mandates, .. } = &self.scenario;
        let packages =
            Packages { space: &public.space, party: &types[seat.index()], mandate: &mandates[seat.index()], seat };
        let fallback = match self.last(seat) {
            Some((last, _)) => last.clone(),
            None => packages.best().unwrap_or_else(|| public.space.outcome(0)),
        };
        public.space.nearest(terms, &fallback)
    }

    /// The offer that passes all guardrails and the mandate nearest to `wanted` in own utility, same other terms where
    /// possible. `least` is the least gain that all of them permit.
    fn corrected(&self, seat: Seat, wanted: &Offer, gain: f64, least: f64) -> Option<Offer> {
        let Scenario { public, types, mandates, .. } = &self.scenario;
        let (party, mandate) = (&types[seat.index()], &mandates[seat.index()]);
        let packages = Packages { space: &public.space, party, mandate, seat };
        let passes = |offer: &Offer| mandate.test(&public.space, party, seat, offer).is_ok();
        if gain >= least && passes(wanted) {
            return Some(wanted.clone());
        }
        packages
            .at_gain(least.max(gain), wanted)
            .filter(passes)
            .or_else(|| self.last(seat).map(|(offer, _)| offer.clone()).filter(passes))
    }

    /// Puts an authorised move, whose offer gains its maker `gain`, on the record and advances the clock.
    fn apply(&mut self, made: Move, gain: f64) {
        let seat = made.seat;
        let last = self.latest[seat.index()].and_then(|latest| self.history[latest.at].offer());
        self.conduct[seat.index()].count_move(&made.act, last);
        let ending = match &made.act {
            Act::Offer { offer, .. } => {
                let mut gains = [gain; 2];
                gains[seat.other().index()] = self.scenario.types[seat.other().index()].gain(offer);
                self.latest[seat.index()] = Some(LatestOffer { at: self.history.len(), gains });
                None
            }
            Act::Pass => None,
            Act::Accept => {
                self.last(seat.other()).map(|(offer, _)| Ending::Agreement { offer: offer.clone(), by: seat })
            }
            Act::WalkAway => Some(Ending::WalkedAway { by: seat }),
        };
        let round = made.round;
        self.history.push(made);
        self.refusal = None;
        self.refusals = 0;
        self.turn = seat.other();
        if let Some(ending) = ending {
            self.outcome = Some(Outcome { ending, round });
        } else if self.turn == self.scenario.public.opener {
            if self.scenario.break_off == Some(self.round) {
                self.outcome = Some(Outcome { ending: Ending::BrokenOff, round });
            } else if self.round + 1 >= self.scenario.public.rounds {
                self.outcome = Some(Outcome { ending: Ending::Deadline, round });
            } else {
                self.round += 1;
            }
        }
    }
}
