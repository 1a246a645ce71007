//! Guardrails, then the mandate: what authority makes of an action before anybody is asked.

use super::Negotiation;
use super::submission::made_of;
use super::valuation::Valued;
use crate::action::{Act, Action};
use crate::guardrail::Faults;
use crate::mandate::{Hold, Refusal, StopResponse, StopRule};
use crate::outcome::{Offer, Terms};
use crate::package::Packages;
use crate::party::Seat;
use crate::scenario::Scenario;

/// What authority makes of an action, as the turn graph sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// The act that would be made, or why none may be.
    pub act: Result<Act, Refusal>,
    /// The guardrails that the action fails; where any, the act is the correction.
    pub faults: Faults,
    /// What a person has to approve before the act is made.
    pub hold: Option<Hold>,
}

/// What authority makes of an action.
pub(super) struct Verdict {
    pub(super) making: Making,
    /// The guardrails that the action failed.
    pub(super) faults: Faults,
    /// Whether the action, as attempted, meant a loss.
    pub(super) loss: bool,
    /// Own gain of the offer that is made or taken.
    pub(super) gain: f64,
    /// What the offer that is made is worth; nothing where none is made.
    pub(super) valued: Valued,
}

impl Verdict {
    /// The action as it is, without an offer.
    const PLAIN: Self =
        Self { making: Making::AsItIs, faults: Faults::NONE, loss: false, gain: 0.0, valued: Valued::NOTHING };
}

/// Which act an action becomes.
pub(super) enum Making {
    /// The one that it says.
    AsItIs,
    /// This offer: corrected, or read from terms that are no value indices.
    Instead(Offer),
    /// None.
    Refused(Refusal),
    /// The one that it says, or this offer, once a person has approved.
    Held(Option<Offer>, Box<Hold>),
}

impl Making {
    /// With `offer` in place of the action's own terms.
    fn instead(self, offer: Offer) -> Self {
        match self {
            Self::AsItIs => Self::Instead(offer),
            Self::Held(None, hold) => Self::Held(Some(offer), hold),
            other => other,
        }
    }
}

impl Negotiation {
    /// What authority makes of an action of the side whose turn it is. Nothing changes; where somebody has to be asked, nobody
    /// is asked yet.
    #[must_use]
    pub fn assess(&self, action: &Action, escalate: bool) -> Assessment {
        if self.outcome.is_some() {
            let act = Err(Refusal::NothingToAccept);
            return Assessment { act, faults: Faults::default(), hold: None };
        }
        if *action == Action::Forfeit {
            return Assessment { act: Ok(self.fallback(self.turn).0), faults: Faults::default(), hold: None };
        }
        let Verdict { making, faults, .. } = self.authorise(self.turn, action, escalate);
        let (act, hold) = match making {
            Making::AsItIs => (Ok(made_of(action.clone(), None, false)), None),
            Making::Instead(offer) => (Ok(made_of(action.clone(), Some(offer), faults.any())), None),
            Making::Refused(refusal) => (Err(refusal), None),
            Making::Held(offer, hold) => (Ok(made_of(action.clone(), offer, faults.any())), Some(*hold)),
        };
        Assessment { act, faults, hold }
    }

    /// Whether authority would let the side whose turn it is act so, corrected or not, without asking anybody.
    #[must_use]
    pub fn permits(&self, action: &Action) -> bool {
        self.outcome.is_none()
            && matches!(self.authorise(self.turn, action, false).making, Making::AsItIs | Making::Instead(_))
    }

    /// What authority makes of an action.
    #[inline]
    pub(super) fn authorise(&self, seat: Seat, action: &Action, escalate: bool) -> Verdict {
        let mut verdict = match action {
            Action::Offer { terms: Terms::Offer(offer), .. } if self.scenario.public.space.contains(offer) => {
                self.authorise_offer(seat, offer, Faults::default(), escalate)
            }
            Action::Offer { terms, .. } => self.authorise_terms(seat, terms, escalate),
            Action::Accept => self.authorise_acceptance(seat, escalate),
            Action::Pass | Action::Forfeit => Verdict::PLAIN,
            Action::WalkAway => return Verdict::PLAIN,
        };
        if let Some(rule) = self.stop_rule(seat).filter(|rule| rule.response == StopResponse::WalkAway) {
            verdict.making = Making::Refused(Refusal::MustStop(*rule));
        }
        verdict
    }

    /// What authority makes of terms that are no offer on the grid, or are stated in words.
    #[inline(never)]
    fn authorise_terms(&self, seat: Seat, terms: &Terms, escalate: bool) -> Verdict {
        let (offer, faults) = match self.scenario.public.space.resolve(terms) {
            Some(offer) => (offer, Faults::NONE),
            None => (self.readable(seat, terms), Faults::STRUCTURAL),
        };
        let mut verdict = self.authorise_offer(seat, &offer, faults, escalate);
        verdict.loss &= !faults.structural;
        verdict.making = verdict.making.instead(offer);
        verdict
    }

    fn authorise_acceptance(&self, seat: Seat, escalate: bool) -> Verdict {
        let Scenario { public, types, .. } = &self.scenario;
        let mut verdict = Verdict::PLAIN;
        let Some((offer, _)) = self.last(seat.other()) else {
            verdict.making = Making::Refused(Refusal::NothingToAccept);
            return verdict;
        };
        let gain = self.table.latest[seat.other().index()].valued.gains[seat.index()];
        (verdict.loss, verdict.gain) = (gain < 0.0, gain);
        if !self.bound[seat.index()] {
            return verdict;
        }
        verdict.making = self.under_mandate(seat, offer, gain, false, escalate);
        // An acceptance is no proposal of its own: the floor stops it, but it counts as no guardrail violation.
        if let (Some(caps), false) = (&public.guardrails, matches!(verdict.making, Making::Refused(_)))
            && caps.faults(&types[seat.index()], self.phase(), None, gain).floor
        {
            verdict.making = Making::Refused(Refusal::BelowFloor);
        }
        verdict
    }

    /// The guardrails that an offer on the grid of own gain `gain` fails.
    #[inline]
    pub(super) fn guardrail_faults(&self, seat: Seat, gain: f64) -> Faults {
        let Some(caps) = &self.scenario.public.guardrails else { return Faults::NONE };
        let latest = &self.table.latest[seat.index()];
        let previous = latest.offer().map(|_| latest.valued.gains[seat.index()]);
        caps.faults(&self.scenario.types[seat.index()], self.phase(), previous, gain)
    }

    /// What authority makes of an offer on the grid; `faults` are those of the terms that it was read from.
    fn authorise_offer(&self, seat: Seat, offer: &Offer, faults: Faults, escalate: bool) -> Verdict {
        let valued = self.value(offer);
        let gain = valued.gains[seat.index()];
        let mut verdict = Verdict { faults, loss: gain < 0.0, gain, valued, ..Verdict::PLAIN };
        if !self.bound[seat.index()] {
            return verdict;
        }
        verdict.faults = Faults { structural: faults.structural, ..self.guardrail_faults(seat, gain) };
        if verdict.faults.any() {
            return self.correct(seat, offer, verdict, escalate);
        }
        verdict.making = self.under_mandate(seat, offer, gain, true, escalate);
        verdict
    }

    /// Corrects an offer that the guardrails found fault with, and puts what comes of it under the mandate.
    #[inline(never)]
    fn correct(&self, seat: Seat, offer: &Offer, mut verdict: Verdict, escalate: bool) -> Verdict {
        let Scenario { public, types, .. } = &self.scenario;
        let previous = self.last(seat).map(|(_, gain)| gain);
        let guarded = public
            .guardrails
            .as_ref()
            .map_or(f64::NEG_INFINITY, |caps| caps.least_gain(&types[seat.index()], self.phase(), previous));
        let least = guarded.max(self.mandate(seat).least_gain.unwrap_or(f64::NEG_INFINITY));
        match self.corrected(seat, offer, verdict.gain, least) {
            Some(offer) => {
                verdict.valued = self.value(&offer);
                verdict.gain = verdict.valued.gains[seat.index()];
                verdict.making = self.under_mandate(seat, &offer, verdict.gain, true, escalate).instead(offer);
            }
            None => verdict.making = Making::Refused(Refusal::NothingPasses),
        }
        verdict
    }

    /// The offer that unreadable terms come nearest to: missing issues keep the last own offer's values, or else the best.
    fn readable(&self, seat: Seat, terms: &Terms) -> Offer {
        let Scenario { public, types, .. } = &self.scenario;
        let packages =
            Packages { space: &public.space, party: &types[seat.index()], mandate: self.mandate(seat), seat };
        let fallback = match self.last(seat) {
            Some((last, _)) => last.clone(),
            None => packages.best().unwrap_or_else(|| public.space.outcome(0)),
        };
        public.space.nearest(terms, &fallback)
    }

    /// The offer that passes all guardrails and the mandate nearest to `wanted` in own utility, same other terms where
    /// possible. `least` is the least gain that all of them permit.
    fn corrected(&self, seat: Seat, wanted: &Offer, gain: f64, least: f64) -> Option<Offer> {
        let Scenario { public, types, .. } = &self.scenario;
        let (party, mandate) = (&types[seat.index()], self.mandate(seat));
        let packages = Packages { space: &public.space, party, mandate, seat };
        let passes =
            |offer: &Offer| mandate.test(&public.space, party, seat, offer).is_ok() && !self.is_withdrawn(seat, offer);
        if gain >= least && passes(wanted) {
            return Some(wanted.clone());
        }
        packages
            .at_gain(least.max(gain), wanted)
            .filter(passes)
            .or_else(|| self.last(seat).map(|(offer, _)| offer.clone()).filter(passes))
    }

    /// What the mandate makes of an offer (`offered`) or acceptance of `package`: the act, a refusal, or an act that waits.
    #[inline]
    pub(super) fn under_mandate(
        &self,
        seat: Seat,
        package: &Offer,
        gain: f64,
        offered: bool,
        escalate: bool,
    ) -> Making {
        if self.is_routine(seat) && !escalate && self.is_within_routine(seat, gain) {
            return Making::AsItIs;
        }
        self.under_whole_mandate(seat, package, gain, offered, escalate)
    }

    #[inline(never)]
    fn under_whole_mandate(&self, seat: Seat, package: &Offer, gain: f64, offered: bool, escalate: bool) -> Making {
        let mandate = self.mandate(seat);
        let tested = mandate.test_valued(&self.scenario.public.space, seat, package, gain);
        let plain = mandate.approval.is_empty() && mandate.stop.is_empty();
        if plain && !escalate && self.oversight[seat.index()].is_none() {
            return match tested {
                Ok(()) => Making::AsItIs,
                Err(refusal) => Making::Refused(refusal),
            };
        }
        self.under_oversight(seat, package, gain, offered, escalate, tested)
    }

    #[inline(never)]
    fn under_oversight(
        &self,
        seat: Seat,
        package: &Offer,
        gain: f64,
        offered: bool,
        escalate: bool,
        tested: Result<(), Refusal>,
    ) -> Making {
        let (mandate, space) = (self.mandate(seat), &self.scenario.public.space);
        if offered && self.is_withdrawn(seat, package) {
            return Making::Refused(Refusal::Withdrawn);
        }
        let oversight = self.oversight[seat.index()].as_deref();
        let granted = oversight.is_some_and(|oversight| oversight.granted.as_ref() == Some(package));
        let hold = match tested {
            // Nobody approves a loss.
            Err(refusal) if !refusal.may_be_lifted() || mandate.forbids_gain(gain) || !(escalate || granted) => {
                return Making::Refused(refusal);
            }
            Err(refusal) => Some(Hold::Exception(Box::new(refusal))),
            Ok(()) => self
                .stop_rule(seat)
                .map(|rule| Hold::Stop(*rule))
                .or_else(|| mandate.hold(space, seat, package, gain))
                .or_else(|| escalate.then_some(Hold::Asked)),
        };
        let denied = oversight.and_then(|oversight| oversight.denied.as_ref()).filter(|(denied, _)| denied == package);
        match (hold, denied) {
            (None, _) => Making::AsItIs,
            (Some(_), _) if granted => Making::AsItIs,
            (Some(_), Some((_, denied))) => Making::Refused(Refusal::Denied(Box::new(denied.clone()))),
            (Some(hold), None) => Making::Held(None, Box::new(hold)),
        }
    }

    /// The stop rule that applies to `seat` now, where authority binds it.
    pub(super) fn stop_rule(&self, seat: Seat) -> Option<&StopRule> {
        if self.is_routine(seat) || !self.bound[seat.index()] {
            return None;
        }
        let mandate = self.mandate(seat);
        let latest = &self.table.latest[seat.other().index()];
        mandate.stop(self.round, latest.offer().map(|_| latest.valued.gains[seat.index()]), latest.is_final)
    }
}
