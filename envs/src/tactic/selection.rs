//! How a tactic turns the gain that it aspires to into a package.

use crate::action::Action;
use crate::outcome::Offer;
use crate::view::PartyView;
use serde::{Deserialize, Serialize};

/// Which of the packages worth the aspiration a tactic offers.
///
/// Money: the price is solved for the wanted gain, the other terms come from elsewhere; where no price reaches the gain with
/// those terms, all combinations of other terms are searched. Tables: the outcome nearest to the aspiration from above. Ties
/// in own gain go to the package that shares most values with the terms named below, and then to the first in rank order
/// ([`crate::OutcomeSpace::outcome`]). Where no package reaches the aspiration, the own best one is offered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// The other terms of the own best package: only the price moves.
    OwnBest,
    /// The other terms of the other side's last offer; before it made one, those of the own last offer, then the status
    /// quo's, then the own best package's.
    #[default]
    TakeOver,
}

impl Selection {
    /// The package for an own gain of at least `target`; `None` where the mandate permits no package at all.
    #[must_use]
    pub fn package(self, view: &PartyView<'_>, target: f64) -> Option<Offer> {
        self.valued_package(view, target).map(|(offer, _)| offer)
    }

    /// As [`Self::package`], with the package's own gain.
    #[must_use]
    #[inline]
    pub(crate) fn valued_package(self, view: &PartyView<'_>, target: f64) -> Option<(Offer, f64)> {
        let packages = view.packages();
        let status_quo = || view.public.status_quo.as_ref().map(|offer| (offer, view.own.utility.line_of(offer)));
        let known = match self {
            Self::OwnBest => None,
            Self::TakeOver => {
                let [own, standing] = view.latest.map(|latest| latest.offer.map(|offer| (offer, latest.line)));
                standing.or(own).or_else(status_quo)
            }
        };
        match known {
            Some((like, line)) => packages.valued_at_gain(target, like, line),
            None => packages.peaked_at_gain(target),
        }
        .or_else(|| packages.valued_best())
    }
}

/// Accepts the standing offer where it is worth at least the own next offer (AC-next with factor 1 and constant 0, Baarslag,
/// Hindriks and Jonker 2013), else makes that offer. Passes where the next offer would be a loss, and never accepts one. An
/// acceptance that authority refused in this turn is not tried again.
#[inline]
pub(super) fn accept_or_offer(view: &PartyView<'_>, next: Option<(Offer, f64)>) -> Action {
    let Some((next, gain)) = next else { return Action::Pass };
    if gain < 0.0 {
        return Action::Pass;
    }
    match view.standing_gain() {
        Some(standing) if view.refusal.is_none() && standing >= gain => Action::Accept,
        _ => Action::offer(next),
    }
}
