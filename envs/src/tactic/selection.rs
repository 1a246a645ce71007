//! How a tactic turns the gain that it aspires to into a package.

use crate::action::Action;
use crate::outcome::Offer;
use crate::party::Seat;
use crate::proposal::{Package, Proposal};
use crate::view::{Latest, PartyView};
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
    pub(crate) fn find(self, view: &PartyView<'_>, target: f64) -> Option<Package> {
        let packages = view.packages();
        if let Some((terms_of, index, gain)) = self.find_price(view, target) {
            return Some(Package::Priced { terms_of, index, gain });
        }
        let (latest, _) = taken_over(view);
        let found = match (self, latest.offer, &view.public.status_quo) {
            (Self::TakeOver, Some(terms), _) => packages.valued_at_gain(target, terms, latest.line),
            (Self::TakeOver, None, Some(terms)) => {
                packages.valued_at_gain(target, terms, view.own.utility.line_of(terms))
            }
            _ => packages.peaked_at_gain(target),
        };
        found.or_else(|| packages.valued_best()).map(Package::from)
    }

    /// Where [`Self::find`] finds the price of a package whose other terms lie on the table: the side that offered them, the price and
    /// the package's gain. Nearly always it does.
    #[inline]
    pub(crate) fn find_price(self, view: &PartyView<'_>, target: f64) -> Option<(Seat, u32, f64)> {
        let packages = view.packages();
        let (terms_of, priced) = match self {
            Self::TakeOver => {
                let (latest, terms_of) = taken_over(view);
                latest.offer?;
                (terms_of, packages.price_at_gain(target, latest.line))
            }
            Self::OwnBest => (view.seat, packages.price_like_peak(target, &view.own_latest())),
        };
        priced.map(|(index, gain)| (terms_of, index, gain))
    }
}

/// The latest offer whose terms are taken over, and who made it.
#[inline]
fn taken_over<'a>(view: &PartyView<'a>) -> (Latest<'a>, Seat) {
    let standing = view.standing_latest();
    if standing.offer.is_some() { (standing, view.seat.other()) } else { (view.own_latest(), view.seat) }
}

/// What is done by who would next offer a package of own gain `next`.
enum Answer {
    Accept,
    Offer,
    Pass,
}

#[inline]
fn answer(view: &PartyView<'_>, next: f64) -> Answer {
    match view.standing_gain() {
        _ if next.is_nan() || next < 0.0 => Answer::Pass,
        Some(standing) if view.refusal.is_none() && standing >= next => Answer::Accept,
        _ => Answer::Offer,
    }
}

/// Accepts the standing offer where it is worth at least the own next offer (AC-next with factor 1 and constant 0, Baarslag,
/// Hindriks and Jonker 2013), else makes that offer. Passes where the next offer would be a loss, and never accepts one. An
/// acceptance that authority refused in this turn is not tried again.
pub(super) fn accept_or_offer(view: &PartyView<'_>, next: Option<Package>) -> Proposal {
    let Some(next) = next else { return Proposal::Other(Action::Pass) };
    match answer(view, next.gain()) {
        Answer::Accept => Proposal::Other(Action::Accept),
        Answer::Offer => Proposal::Offer(next),
        Answer::Pass => Proposal::Other(Action::Pass),
    }
}

/// As [`accept_or_offer`] of what `selection` finds for `target`.
#[inline]
pub(super) fn accept_or_select(view: &PartyView<'_>, selection: Selection, target: f64) -> Proposal {
    let Some((terms_of, index, gain)) = selection.find_price(view, target) else {
        return accept_or_offer(view, selection.find(view, target));
    };
    match answer(view, gain) {
        Answer::Accept => Proposal::Other(Action::Accept),
        Answer::Offer => Proposal::Offer(Package::Priced { terms_of, index, gain }),
        Answer::Pass => Proposal::Other(Action::Pass),
    }
}
