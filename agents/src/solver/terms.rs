//! The other terms of a package as the other side chooses them.

use super::valuation::Valuation;
use zopa_envs::{Offer, PartyView};

/// Whether two packages differ in nothing but the price.
pub(super) fn same_terms(price: usize, one: &Offer, two: &Offer) -> bool {
    one.indices().iter().zip(two.indices()).enumerate().all(|(issue, (a, b))| issue == price || a == b)
}

/// Whether the other terms of `offer` are the other side's own best ones at a state.
pub(super) fn is_best(valuation: &Valuation, view: &PartyView<'_>, offer: &Offer, state: &[f64]) -> bool {
    let issues = view.public.space.issues();
    (0..issues.len()).filter(|&issue| Some(issue) != valuation.price).all(|issue| {
        let worth = |index: u32| {
            // Payment days count by what they add to a price of 1.
            let financed = if valuation.financed() == Some(issue) {
                valuation.sign * valuation.price_slope(&offer.with(issue, index), state)
            } else {
                0.0
            };
            valuation.value(issue, index, state) + valuation.sign * financed
        };
        let own = worth(offer.get(issue));
        (0..issues[issue].len()).all(|index| worth(index) <= own + 1e-9)
    })
}

/// The other side's own best terms at a state, with the price of `like`.
pub(super) fn best_terms(valuation: &Valuation, view: &PartyView<'_>, like: &Offer, state: &[f64]) -> Offer {
    let issues = view.public.space.issues();
    let mut offer = like.clone();
    for issue in (0..issues.len()).filter(|&issue| Some(issue) != valuation.price) {
        let mut best = f64::NEG_INFINITY;
        for index in 0..issues[issue].len() {
            let candidate = like.with(issue, index);
            let financed =
                if valuation.financed() == Some(issue) { valuation.price_slope(&candidate, state) } else { 0.0 };
            let worth = valuation.value(issue, index, state) + financed;
            if worth > best + 1e-12 {
                best = worth;
                offer.set(issue, index);
            }
        }
    }
    offer
}
