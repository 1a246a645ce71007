//! The best and the worst outcome of a utility.

use super::Utility;
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
        let price = self.price_issue();
        let (payment, factors) = self.financing().map_or((None, &[][..]), |(issue, factors)| (Some(issue), factors));
        for position in 0..space.lens().len() {
            if Some(position) == price || Some(position) == payment {
                continue;
            }
            let table = self.table(position);
            offer.set(position, argmax(table, way, |index| permits(position, index))?);
        }
        let (Some(price), Some(term)) = (price, &self.price) else { return Some(offer) };
        let prices = prices.unwrap_or(0..space.lens()[price]);
        let ends = permitted_ends(prices, |index| permits(price, index))?;
        // Price and payment days are valued together; everything else is chosen already and the same for all of these.
        let days = payment.map_or(0..1, |payment| 0..space.lens()[payment]);
        let ends = ends.map(|end| (end, term.price(end)));
        let worths = payment.map_or(&[][..], |payment| self.table(payment));
        let at = |day: u32| {
            let day = day as usize;
            let (worth, factor) = if payment.is_some() { (worths[day], factors[day]) } else { (0.0, 1.0) };
            // Every price counts with the same factor: one end is the best for all that the other terms are worth.
            let slope = term.sign * factor;
            let (end, price) = if way * slope > 0.0 { ends[1] } else { ends[0] };
            (way * (worth + slope * price), end)
        };
        let permitted = |day: u32| payment.is_none_or(|payment| permits(payment, day));
        if let (&[first, _, .., last], true) = (factors, days.clone().all(permitted))
            && first.min(last) > 0.0
            && worths.iter().fold(0_u64, |bits, worth| bits | worth.to_bits()) == 0
        {
            // Factors rise or fall with the days all the way, and nothing else counts: the best day is at an end.
            let ends = [0, days.end - 1].map(|day| (at(day), day));
            let [((one, _), _), ((other, _), _)] = ends;
            if one >= other || at(days.end - 2).0 < other {
                let ((_, end), day) = ends[usize::from(one < other)];
                offer.set(price, end);
                if let Some(payment) = payment {
                    offer.set(payment, day);
                }
                return Some(offer);
            }
        }
        let mut best: Option<(f64, u32, u32)> = None;
        for day in days.filter(|&day| permitted(day)) {
            let (value, end) = at(day);
            if best.is_none_or(|(top, ..)| value > top) {
                best = Some((value, day, end));
            }
        }
        let (_, day, end) = best?;
        offer.set(price, end);
        if let Some(payment) = payment {
            offer.set(payment, day);
        }
        Some(offer)
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
