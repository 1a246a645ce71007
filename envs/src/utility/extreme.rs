//! The best and the worst outcome of a utility.

use super::{Financing, Utility};
use crate::outcome::{Offer, OutcomeSpace};

impl Utility {
    /// An outcome of highest utility among those whose values `permits(issue, index)` allows; of equal ones the first
    /// values (with constraints: the first found). `None` where an issue has no permitted value.
    pub fn best(&self, space: &OutcomeSpace, permits: impl Fn(usize, u32) -> bool) -> Option<Offer> {
        self.extreme(space, 1.0, permits)
    }

    /// An outcome of lowest utility.
    #[must_use]
    pub fn worst(&self, space: &OutcomeSpace) -> Option<Offer> {
        self.extreme(space, -1.0, |_, _| true)
    }

    #[inline]
    fn extreme(&self, space: &OutcomeSpace, way: f64, permits: impl Fn(usize, u32) -> bool) -> Option<Offer> {
        if let Some(rectangles) = self.rectangles.as_ref().filter(|_| self.price_issue().is_none()) {
            return rectangles.extreme(space, way, |issue, index| self.table(issue)[index as usize], permits);
        }
        let mut offer = space.first();
        let indices = offer.indices_mut();
        let price = self.price_issue();
        let financing = self.financing();
        let payment = financing.map(Financing::issue);
        for (position, chosen) in indices.iter_mut().enumerate() {
            if Some(position) != price && Some(position) != payment {
                *chosen = argmax(self.table(position), way, |index| permits(position, index))?;
            }
        }
        let (Some(price), Some(term)) = (price, &self.price) else { return Some(offer) };
        let [low, high] = permitted_ends(space.lens()[price], |index| permits(price, index))?;
        // Price and payment days are valued together; everything else is chosen already and the same for all of these.
        let days = payment.map_or(0..1, |payment| 0..space.lens()[payment]);
        let ends = [(low, term.price(low)), (high, term.price(high))];
        let worths = payment.map_or(&[][..], |payment| self.table(payment));
        let at = |day: u32| {
            let (worth, factor) = financing.map_or((0.0, 1.0), |of| (worths[day as usize], of.factor(day)));
            // Every price counts with the same factor: one end is the best for all that the other terms are worth.
            let slope = term.sign * factor;
            let (end, price) = if way * slope > 0.0 { ends[1] } else { ends[0] };
            (way * (worth + slope * price), end)
        };
        let permitted = |day: u32| payment.is_none_or(|payment| permits(payment, day));
        // Nothing but the factors counts then.
        let financed = financing.filter(|of| self.is_blank(of.issue()) && days.clone().all(permitted));
        let at_an_end = financed.and_then(|financing| best_end(financing, days.end, |day| at(day).0));
        let day = match at_an_end {
            Some(day) => day,
            None => {
                let mut best: Option<(f64, u32)> = None;
                for day in days.filter(|&day| permitted(day)) {
                    let (value, _) = at(day);
                    if best.is_none_or(|(top, _)| value > top) {
                        best = Some((value, day));
                    }
                }
                best?.1
            }
        };
        indices[price] = at(day).1;
        if let Some(payment) = payment {
            indices[payment] = day;
        }
        Some(offer)
    }
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
fn permitted_ends(len: u32, permits: impl Fn(u32) -> bool) -> Option<[u32; 2]> {
    let low = (0..len).find(|&index| permits(index))?;
    let high = (0..len).rev().find(|&index| permits(index))?;
    Some([low, high])
}
