//! What a side is about to do, told as shortly as it can be: nearly every offer moves the price of one that lies on the table.
//!
//! Tactics and intents make proposals; [`Proposal::into_action`] writes one out for who keeps, sends or judges actions. Where
//! nobody does, [`crate::Negotiation`] makes the move from the few numbers that are new, and values no terms again.

use crate::action::Action;
use crate::outcome::Offer;
use crate::party::Seat;
use crate::view::PartyView;

/// A package with its gain to who would offer it.
#[derive(Clone, Debug)]
pub(crate) enum Package {
    /// The price `index` with all other terms of the latest offer of the side at `terms_of`.
    Priced { terms_of: Seat, index: u32, gain: f64 },
    /// Any other.
    Whole { offer: Offer, gain: f64 },
}

impl Package {
    pub(crate) fn gain(&self) -> f64 {
        let (Self::Priced { gain, .. } | Self::Whole { gain, .. }) = self;
        *gain
    }

    /// The package in full, for the side that sees `view`.
    pub(crate) fn into_offer(self, view: &PartyView<'_>) -> Offer {
        match self {
            Self::Whole { offer, .. } => offer,
            Self::Priced { terms_of, index, .. } => {
                let latest = if terms_of == view.seat { view.own_last() } else { view.standing() };
                match (latest, view.own.utility.price_issue()) {
                    (Some(terms), Some(price)) => terms.with(price, index),
                    // A price is only ever proposed with terms that are there.
                    _ => view.public.space.first(),
                }
            }
        }
    }
}

impl From<(Offer, f64)> for Package {
    fn from((offer, gain): (Offer, f64)) -> Self {
        Self::Whole { offer, gain }
    }
}

/// An action that nobody has judged yet.
#[derive(Clone, Debug)]
pub(crate) enum Proposal {
    /// A plain offer.
    Offer(Package),
    /// Anything else.
    Other(Action),
}

impl Proposal {
    /// The action of the side that sees `view`.
    pub(crate) fn into_action(self, view: &PartyView<'_>) -> Action {
        match self {
            Self::Offer(package) => Action::offer(package.into_offer(view)),
            Self::Other(action) => action,
        }
    }

    /// A plain offer of `package`; without one a pass.
    pub(crate) fn of(package: Option<Package>) -> Self {
        package.map_or(Self::Other(Action::Pass), Self::Offer)
    }
}
