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
use crate::relationship::PublicRelationship;
use crate::scenario::Scenario;
use crate::view::{Latest, PartyView};
use std::sync::Arc;

/// Refusals in one turn after which software acts in the agent's place: it repeats the last own offer, or passes.
pub const REFUSALS_PER_TURN: u8 = 3;

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

/// What authority makes of an action.
struct Verdict {
    decision: Decision,
    /// The guardrails that the action failed.
    faults: Faults,
    /// Whether the action, as attempted, meant a loss.
    loss: bool,
    /// Own gain of the offer that is made.
    gain: f64,
}

/// Which act an action becomes.
enum Decision {
    /// The one that it says.
    AsItIs,
    /// This offer: corrected, or read from terms that are no value indices.
    Instead(Offer),
    /// None.
    Refused(Refusal),
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
    relationship: Option<Arc<PublicRelationship>>,
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
            latest: [LatestOffer::NONE; 2],
            conduct: [Conduct::default(), Conduct::default()],
            outcome: None,
            log: None,
            relationship: None,
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
        self.relationship = None;
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
            latest: [seat, seat.other()].map(|side| self.latest[side.index()].seen_by(seat)),
            relationship: self.relationship.as_deref(),
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
            latest: [seat, seat.other()].map(|side| self.latest[side.index()].seen_by(seat)),
            relationship: self.relationship.as_deref(),
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
        self.outcome.is_none() && !matches!(self.authorise(self.turn, action).decision, Decision::Refused(_))
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
        let Verdict { decision, faults, loss, gain } = self.authorise(seat, &action);
        self.conduct[seat.index()].count_attempt(faults, loss);
        if let (Decision::AsItIs, None) = (&decision, &self.log) {
            // Nearly every move: nothing is copied.
            let act = match action {
                Action::Offer { terms: Terms::Offer(offer), is_final } => Act::Offer { offer, is_final },
                Action::Offer { terms: Terms::Stated(_), .. } | Action::Pass => Act::Pass,
                Action::Accept => Act::Accept,
                Action::WalkAway => Act::WalkAway,
            };
            self.apply(Move { seat, round: self.round, act, message }, gain);
            return (Ruling::Applied, faults);
        }
        self.submit_slowly(action, intent, message, Verdict { decision, faults, loss, gain })
    }

    /// The rest of [`Self::submit_with_faults`], for what is corrected, refused, read from stated terms or logged.
    #[inline(never)]
    fn submit_slowly(
        &mut self,
        action: Action,
        intent: Option<Intent>,
        message: Option<Message>,
        verdict: Verdict,
    ) -> (Ruling, Faults) {
        let seat = self.turn;
        let Verdict { decision, faults, mut gain, .. } = verdict;
        let is_final = matches!(action, Action::Offer { is_final: true, .. });
        let (ruling, act) = match decision {
            Decision::Instead(offer) => {
                let ruling = if faults.any() { Ruling::Corrected } else { Ruling::Applied };
                self.conduct[seat.index()].corrected += u32::from(faults.any());
                (ruling, Act::Offer { offer, is_final })
            }
            Decision::AsItIs => {
                let act = match &action {
                    Action::Offer { terms: Terms::Offer(offer), .. } => Act::Offer { offer: offer.clone(), is_final },
                    Action::Offer { terms: Terms::Stated(_), .. } | Action::Pass => Act::Pass,
                    Action::Accept => Act::Accept,
                    Action::WalkAway => Act::WalkAway,
                };
                (Ruling::Applied, act)
            }
            Decision::Refused(refusal) => {
                self.refusals += 1;
                self.refusal = Some(refusal.clone());
                self.conduct[seat.index()].refused += 1;
                if self.refusals < REFUSALS_PER_TURN {
                    let ruling = Ruling::Refused(refusal);
                    self.record(seat, intent, action, faults, &ruling, None);
                    return (ruling, faults);
                }
                self.conduct[seat.index()].fallbacks += 1;
                let (act, own) = self.fallback(seat);
                gain = own;
                (Ruling::FellBack(refusal), act)
            }
        };
        // A refused or corrected action's words were about something else.
        let message = if matches!(ruling, Ruling::Applied) { message } else { None };
        let made = Move { seat, round: self.round, act, message };
        self.record(seat, intent, action, faults, &ruling, Some(&made));
        self.apply(made, gain);
        (ruling, faults)
    }

    fn record(
        &mut self,
        seat: Seat,
        intent: Option<Intent>,
        action: Action,
        faults: Faults,
        ruling: &Ruling,
        made: Option<&Move>,
    ) {
        if let Some(log) = &mut self.log {
            let (ruling, made) = (ruling.clone(), made.cloned());
            log.push(Event { seat, contract: 0, round: self.round, intent, action, faults, ruling, made });
        }
    }

    /// A seat's latest offer and its gain to that seat.
    fn last(&self, seat: Seat) -> Option<(&Offer, f64)> {
        let latest = self.latest[seat.index()];
        Some((self.history.get(latest.at as usize)?.offer()?, latest.gains[seat.index()]))
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
    fn authorise(&self, seat: Seat, action: &Action) -> Verdict {
        match action {
            Action::Offer { terms: Terms::Offer(offer), .. } if self.scenario.public.space.contains(offer) => {
                self.authorise_offer(seat, offer, Faults::default())
            }
            Action::Offer { terms, .. } => {
                let (offer, faults) = match self.scenario.public.space.resolve(terms) {
                    Some(offer) => (offer, Faults::default()),
                    None => (self.readable(seat, terms), Faults::STRUCTURAL),
                };
                let mut verdict = self.authorise_offer(seat, &offer, faults);
                verdict.loss &= !faults.structural;
                if let Decision::AsItIs = verdict.decision {
                    verdict.decision = Decision::Instead(offer);
                }
                verdict
            }
            Action::Accept => self.authorise_acceptance(seat),
            Action::Pass | Action::WalkAway => {
                Verdict { decision: Decision::AsItIs, faults: Faults::default(), loss: false, gain: 0.0 }
            }
        }
    }

    fn authorise_acceptance(&self, seat: Seat) -> Verdict {
        let Scenario { public, types, mandates, .. } = &self.scenario;
        let mut verdict = Verdict { decision: Decision::AsItIs, faults: Faults::default(), loss: false, gain: 0.0 };
        let Some((offer, _)) = self.last(seat.other()) else {
            verdict.decision = Decision::Refused(Refusal::NothingToAccept);
            return verdict;
        };
        let gain = self.latest[seat.other().index()].gains[seat.index()];
        verdict.loss = gain < 0.0;
        if !self.bound[seat.index()] {
            return verdict;
        }
        if let Some(caps) = &public.guardrails {
            let faults = caps.faults(&types[seat.index()], self.phase(), None, gain);
            if faults.floor {
                verdict.faults = faults;
                verdict.decision = Decision::Refused(Refusal::NothingPasses);
                return verdict;
            }
        }
        if let Err(refusal) = mandates[seat.index()].test_valued(&public.space, seat, offer, gain) {
            verdict.decision = Decision::Refused(refusal);
        }
        verdict
    }

    /// What authority makes of an offer on the grid; `faults` are those of the terms that it was read from.
    fn authorise_offer(&self, seat: Seat, offer: &Offer, mut faults: Faults) -> Verdict {
        let Scenario { public, types, mandates, .. } = &self.scenario;
        let (party, mandate) = (&types[seat.index()], &mandates[seat.index()]);
        let gain = party.gain(offer);
        let loss = gain < 0.0;
        if !self.bound[seat.index()] {
            return Verdict { decision: Decision::AsItIs, faults, loss, gain };
        }
        let mut least = mandate.least_gain.unwrap_or(f64::NEG_INFINITY);
        if let Some(caps) = &public.guardrails {
            let latest = self.latest[seat.index()];
            let previous = (latest.at != u32::MAX).then_some(latest.gains[seat.index()]);
            let phase = self.phase();
            let found = caps.faults(party, phase, previous, gain);
            faults = Faults { structural: faults.structural, ..found };
            if faults.any() {
                least = least.max(caps.least_gain(party, phase, previous));
            }
        }
        if faults.any() {
            return match self.corrected(seat, offer, gain, least) {
                Some(offer) => {
                    let gain = party.gain(&offer);
                    Verdict { decision: Decision::Instead(offer), faults, loss, gain }
                }
                None => Verdict { decision: Decision::Refused(Refusal::NothingPasses), faults, loss, gain },
            };
        }
        let decision = match mandate.test_valued(&public.space, seat, offer, gain) {
            Ok(()) => Decision::AsItIs,
            Err(refusal) => Decision::Refused(refusal),
        };
        Verdict { decision, faults, loss, gain }
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
        let last = self.history.get(self.latest[seat.index()].at as usize).and_then(Move::offer);
        self.conduct[seat.index()].count_move(&made.act, last);
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
