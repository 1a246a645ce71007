//! The one implementation of the rules: stacked alternating offers under authority.
//!
//! Every way of playing (the vectorised environment, a match with messages and audit, the server, Python) calls
//! [`Negotiation::submit`]. Leaving out the log makes it fast; nothing else differs.

use crate::action::{Act, Action, Intent, Move};
use crate::conduct::Conduct;
use crate::event::{Ending, Event, Outcome, Ruling};
use crate::guardrail::Faults;
use crate::mandate::Refusal;
use crate::outcome::{Offer, Terms};
use crate::package::Packages;
use crate::party::Seat;
use crate::scenario::Scenario;
use crate::view::PartyView;
use std::sync::Arc;

/// Refusals in one turn after which software acts in the agent's place: it repeats the last own offer, or passes.
pub const REFUSALS_PER_TURN: u8 = 3;

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
    last: [Option<Offer>; 2],
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
            last: [None, None],
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
        self.last = [None, None];
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
        self.outcome.is_none() && self.authorise(self.turn, action).is_ok()
    }

    /// Takes the action of the side whose turn it is. Authority is applied where it binds that side: the action may be
    /// corrected, or refused, whereupon the same side may try again; the third refusal of a turn repeats its last offer, or
    /// passes where there is none. Does nothing once the negotiation has ended.
    pub fn submit(&mut self, action: Action, intent: Option<Intent>, message: Option<Arc<str>>) -> Ruling {
        self.submit_with_faults(action, intent, message).0
    }

    /// As [`Self::submit`], telling the guardrails that the action failed too.
    pub fn submit_with_faults(
        &mut self,
        action: Action,
        intent: Option<Intent>,
        message: Option<Arc<str>>,
    ) -> (Ruling, Faults) {
        if self.outcome.is_some() {
            return (Ruling::Refused(Refusal::NothingToAccept), Faults::default());
        }
        let seat = self.turn;
        let (mut ruling, act, faults) = match self.authorise(seat, &action) {
            Ok((act, faults)) if faults.any() => (Ruling::Corrected, Some(act), faults),
            Ok((act, faults)) => (Ruling::Applied, Some(act), faults),
            Err((refusal, faults)) => (Ruling::Refused(refusal), None, faults),
        };
        self.judge(seat, &action, faults);
        if let Ruling::Refused(refusal) = &ruling {
            self.refusals += 1;
            self.refusal = Some(refusal.clone());
            self.conduct[seat.index()].refused += 1;
            if self.refusals < REFUSALS_PER_TURN {
                self.record(seat, intent, action, faults, &ruling, None);
                return (ruling, faults);
            }
            ruling = Ruling::FellBack(refusal.clone());
            self.conduct[seat.index()].fallbacks += 1;
        } else if ruling == Ruling::Corrected {
            self.conduct[seat.index()].corrected += 1;
        }
        let act = act.unwrap_or_else(|| self.fallback(seat));
        // A refused or corrected action's words were about something else.
        let message = if ruling == Ruling::Applied { message } else { None };
        let made = Move { seat, round: self.round, act, message };
        self.record(seat, intent, action, faults, &ruling, Some(&made));
        self.apply(made);
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
            log.push(Event { seat, round: self.round, intent, action, faults, ruling, made });
        }
    }

    /// What the last own offer repeated, or a pass, would be.
    fn fallback(&self, seat: Seat) -> Act {
        match &self.last[seat.index()] {
            Some(offer) => Act::Offer { offer: offer.clone(), is_final: self.conduct[seat.index()].declared_final },
            None => Act::Pass,
        }
    }

    /// The act that authority makes of an action, and the guardrails that the action failed.
    fn authorise(&self, seat: Seat, action: &Action) -> Result<(Act, Faults), (Refusal, Faults)> {
        let Scenario { public, types, mandates, .. } = &self.scenario;
        let (party, mandate) = (&types[seat.index()], &mandates[seat.index()]);
        let bound = self.bound[seat.index()];
        let none = Faults::default();
        match action {
            Action::Pass => Ok((Act::Pass, none)),
            Action::WalkAway => Ok((Act::WalkAway, none)),
            Action::Accept => {
                let Some(offer) = &self.last[seat.other().index()] else {
                    return Err((Refusal::NothingToAccept, none));
                };
                if bound {
                    if let Some(caps) = &public.guardrails {
                        let faults = caps.faults(party, self.view(seat).phase(), None, party.gain(offer));
                        if faults.floor {
                            return Err((Refusal::NothingPasses, faults));
                        }
                    }
                    mandate.test(&public.space, party, seat, offer).map_err(|refusal| (refusal, none))?;
                }
                Ok((Act::Accept, none))
            }
            Action::Offer { terms, is_final } => {
                let resolved = public.space.resolve(terms);
                let mut faults = if resolved.is_some() { none } else { Faults::STRUCTURAL };
                let offer = match resolved {
                    Some(offer) => offer,
                    None => self.readable(seat, terms),
                };
                if bound {
                    let gain = party.gain(&offer);
                    let mut least = mandate.least_gain.unwrap_or(f64::NEG_INFINITY);
                    if let Some(caps) = &public.guardrails {
                        let previous = self.last[seat.index()].as_ref().map(|last| party.gain(last));
                        let phase = self.view(seat).phase();
                        let found = caps.faults(party, phase, previous, gain);
                        faults = Faults { structural: faults.structural, ..found };
                        least = least.max(caps.least_gain(party, phase, previous));
                    }
                    if faults.any() {
                        let offer = self.corrected(seat, &offer, least).ok_or((Refusal::NothingPasses, faults))?;
                        return Ok((Act::Offer { offer, is_final: *is_final }, faults));
                    }
                    mandate.test(&public.space, party, seat, &offer).map_err(|refusal| (refusal, none))?;
                }
                Ok((Act::Offer { offer, is_final: *is_final }, faults))
            }
        }
    }

    /// The offer that unreadable terms come nearest to: missing issues keep the last own offer's values, or else the best.
    fn readable(&self, seat: Seat, terms: &Terms) -> Offer {
        let Scenario { public, types, mandates, .. } = &self.scenario;
        let packages =
            Packages { space: &public.space, party: &types[seat.index()], mandate: &mandates[seat.index()], seat };
        let fallback = match &self.last[seat.index()] {
            Some(last) => last.clone(),
            None => packages.best().unwrap_or_else(|| public.space.outcome(0)),
        };
        public.space.nearest(terms, &fallback)
    }

    /// The offer that passes all guardrails and the mandate nearest to `wanted` in own utility, same other terms where
    /// possible. `least` is the least gain that all of them permit.
    fn corrected(&self, seat: Seat, wanted: &Offer, least: f64) -> Option<Offer> {
        let Scenario { public, types, mandates, .. } = &self.scenario;
        let (party, mandate) = (&types[seat.index()], &mandates[seat.index()]);
        let packages = Packages { space: &public.space, party, mandate, seat };
        let target = least.max(party.gain(wanted));
        let passes = |offer: &Offer| mandate.test(&public.space, party, seat, offer).is_ok();
        if party.gain(wanted) >= least && passes(wanted) {
            return Some(wanted.clone());
        }
        packages.at_gain(target, wanted).filter(passes).or_else(|| self.last[seat.index()].clone().filter(passes))
    }

    /// Counts what an action, as attempted, says of its maker.
    fn judge(&mut self, seat: Seat, action: &Action, faults: Faults) {
        let party = &self.scenario.types[seat.index()];
        let attempted = match action {
            Action::Offer { terms, .. } => self.scenario.public.space.resolve(terms),
            Action::Accept => self.last[seat.other().index()].clone(),
            Action::Pass | Action::WalkAway => None,
        };
        let loss = attempted.is_some_and(|offer| party.gain(&offer) < 0.0);
        self.conduct[seat.index()].count_attempt(faults, loss);
    }

    /// Puts an authorised move on the record and advances the clock.
    fn apply(&mut self, made: Move) {
        let seat = made.seat;
        self.conduct[seat.index()].count_move(&made.act, self.last[seat.index()].as_ref());
        let ending = match &made.act {
            Act::Offer { offer, .. } => {
                self.last[seat.index()] = Some(offer.clone());
                None
            }
            Act::Pass => None,
            Act::Accept => self.last[seat.other().index()].clone().map(|offer| Ending::Agreement { offer, by: seat }),
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
