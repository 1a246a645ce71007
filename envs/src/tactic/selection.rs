//! How a tactic turns the gain that it aspires to into a package.

use crate::action::Action;
use crate::outcome::Offer;
use crate::proposal::{Package, Proposal};
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
    pub(crate) fn valued_package(self, view: &PartyView<'_>, target: f64) -> Option<(Offer, f64)> {
        let package = self.find(view, target)?;
        let gain = package.gain();
        Some((package.into_offer(view), gain))
    }

    /// As [`Self::package`], told as shortly as it can be.
    #[must_use]
    #[inline]
    pub(crate) fn find(self, view: &PartyView<'_>, target: f64) -> Option<Package> {
        let packages = view.packages();
        let [own, standing] = &view.latest;
        let (latest, terms_of) =
            if standing.offer.is_some() { (standing, view.seat.other()) } else { (own, view.seat) };
        let found = match (self, latest.offer, &view.public.status_quo) {
            (Self::TakeOver, Some(terms), _) => packages.near_latest(target, terms_of, terms, latest.line),
            (Self::TakeOver, None, Some(terms)) => {
                packages.valued_at_gain(target, terms, view.own.utility.line_of(terms)).map(Package::from)
            }
            _ => packages.peaked_at_gain(target).map(Package::from),
        };
        found.or_else(|| packages.valued_best().map(Package::from))
    }
}

/// Accepts the standing offer where it is worth at least the own next offer (AC-next with factor 1 and constant 0, Baarslag,
/// Hindriks and Jonker 2013), else makes that offer. Passes where the next offer would be a loss, and never accepts one. An
/// acceptance that authority refused in this turn is not tried again.
#[inline]
pub(super) fn accept_or_offer(view: &PartyView<'_>, next: Option<Package>) -> Proposal {
    let Some(next) = next.filter(|next| next.gain() >= 0.0) else { return Proposal::Other(Action::Pass) };
    match view.standing_gain() {
        Some(standing) if view.refusal.is_none() && standing >= next.gain() => Proposal::Other(Action::Accept),
        _ => Proposal::Offer(next),
    }
}
