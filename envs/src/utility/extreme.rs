//! The best and the worst outcome of a utility.

use super::{Financing, Utility};
use crate::outcome::{Offer, OutcomeSpace};
use std::ops::Range;

impl Utility {
    /// An outcome of highest utility among those whose values `permits(issue, index)` allows; of equal ones the first
    /// values (with constraints: the first found). `None` where an issue has no permitted value.
    pub fn best(&self, space: &OutcomeSpace, permits: impl Fn(usize, u32) -> bool) -> Option<Offer> {
        self.extreme(space, 1.0, None, permits)
    }

    /// As [`Self::best`], for who knows that no price outside `prices` is permitted: thousands of others are not asked about.
    pub(crate) fn best_within(
        &self,
        space: &OutcomeSpace,
        prices: Option<Range<u32>>,
        permits: impl Fn(usize, u32) -> bool,
    ) -> Option<Offer> {
        self.extreme(space, 1.0, prices, permits)
    }

    /// An outcome of lowest utility.
    #[must_use]
    pub fn worst(&self, space: &OutcomeSpace) -> Option<Offer> {
        self.extreme(space, -1.0, None, |_, _| true)
    }

    #[inline]
    fn extreme(
        &self,
        space: &OutcomeSpace,
        way: f64,
        prices: Option<Range<u32>>,
        permits: impl Fn(usize, u32) -> bool,
    ) -> Option<Offer> {
        if let Some(rectangles) = self.rectangles.as_ref().filter(|_| self.price_issue().is_none()) {
            return rectangles.extreme(space, way, |issue, index| self.table(issue)[index as usize], permits);
        }
        let mut offer = space.first();
        let indices = offer.indices_mut();
        let by_table = |position: usize| argmax(self.table(position), way, |index| permits(position, index));
        let Some(term) = &self.price else {
            for (position, chosen) in indices.iter_mut().enumerate() {
                *chosen = by_table(position)?;
            }
            return Some(offer);
        };
        let price = term.issue();
        let payment = term.financing.as_ref().map_or(price, Financing::issue);
        for (position, chosen) in indices.iter_mut().enumerate() {
            if position != price && position != payment {
                *chosen = by_table(position)?;
            }
        }
        // Every price counts with the same factor: one end is the best for all that the other terms are worth.
        let prices = prices.unwrap_or(0..space.lens()[price]);
        let [low, high] = permitted_ends(prices, |index| permits(price, index))?;
        let end = |slope: f64| if way * slope > 0.0 { high } else { low };
        let Some(financing) = &term.financing else {
            indices[price] = end(term.sign);
            return Some(offer);
        };
        // Price and payment days are valued together; everything else is chosen already and the same for all of these.
        let (days, worths, prices) = (space.lens()[payment], self.table(payment), [term.price(low), term.price(high)]);
        let value = |day: u32| {
            let slope = term.sign * financing.factor(day);
            way * (worths[day as usize] + slope * prices[usize::from(way * slope > 0.0)])
        };
        let permitted = |day: u32| permits(payment, day);
        let at_an_end =
            if self.is_blank(payment) && (0..days).all(permitted) { best_end(financing, days, value) } else { None };
        let day = at_an_end.or_else(|| first_highest((0..days).filter(|&day| permitted(day)), value))?;
        indices[payment] = day;
        indices[price] = end(term.sign * financing.factor(day));
        Some(offer)
    }
}

/// The first of `days` of the highest `value`.
fn first_highest(days: impl Iterator<Item = u32>, value: impl Fn(u32) -> f64) -> Option<u32> {
    let mut best: Option<(f64, u32)> = None;
    for day in days {
        let value = value(day);
        if best.is_none_or(|(top, _)| value > top) {
            best = Some((value, day));
        }
    }
    best.map(|(_, day)| day)
}

/// The first of several `days` of the highest `value`, where nothing but the factors counts and the highest is at an end: factors rise
/// or fall with the days all the way.
#[inline]
fn best_end(financing: &Financing, days: u32, value: impl Fn(u32) -> f64) -> Option<u32> {
    let [first, last] = financing.ends();
    if days < 2 || first.min(last) <= 0.0 {
        return None;
    }
    let (one, other) = (value(0), value(days - 1));
    if one >= other {
        Some(0)
    } else {
        // Rounding may make others worth as much: then the first of them counts.
        (value(days - 2) < other).then_some(days - 1)
    }
}

/// The first permitted index of the highest entry, or of the lowest where `way` is -1.
#[inline]
fn argmax(table: &[f64], way: f64, permits: impl Fn(u32) -> bool) -> Option<u32> {
    let mut entries = (0_u32..).zip(table).filter(|&(index, _)| permits(index));
    let (mut best, first) = entries.next()?;
    let mut top = way * first;
    for (index, entry) in entries {
        let value = way * entry;
        if value > top {
            (top, best) = (value, index);
        }
    }
    Some(best)
}

/// The lowest and the highest permitted index of `len`.
fn permitted_ends(mut indices: Range<u32>, permits: impl Fn(u32) -> bool) -> Option<[u32; 2]> {
    let low = indices.clone().find(|&index| permits(index))?;
    let high = indices.rfind(|&index| permits(index))?;
    Some([low, high])
}
