//! What an outcome is worth to one party.
//!
//! One form serves tables and money:
//! `u(o) = constant + sum over issues of table_i[o_i] + sign * price(o) * factor[payment(o)]`.
//! Additive domains have no price term; procurement values every other issue in money and finances the price by
//! `factor = 1 + rate * (reference days - days) / 365`, which makes the utility bilinear in price and payment days.
//! Imported domains without a price may add what hyper-rectangular constraints pay.

use crate::digest::{Canonical, Hasher};
use crate::hyper_rectangle::HyperRectangles;
use crate::issue::{Grid, Issue, IssueRole};
use crate::outcome::{Offer, OutcomeSpace};
use smallvec::SmallVec;
use std::sync::Arc;

/// Days in a year of financing.
pub const DAYS_PER_YEAR: f64 = 365.0;

/// The price's part of a utility, in major units of money.
#[derive(Clone, Debug, PartialEq)]
struct PriceTerm {
    issue: usize,
    /// +1 for who receives the price, -1 for who pays it.
    sign: f64,
    floor: i64,
    tick: i64,
    count: u32,
    /// The payment issue, where paying early costs a share of the price.
    payment: Option<usize>,
    /// One factor a payment value; empty without financing by rate.
    factors: Vec<f64>,
}

impl PriceTerm {
    #[inline]
    fn price(&self, index: u32) -> f64 {
        (self.floor + self.tick * i64::from(index)) as f64 / 100.0
    }

    #[inline]
    fn slope(&self, indices: &[u32]) -> f64 {
        let factor = self.payment.map_or(1.0, |payment| self.factors[indices[payment] as usize]);
        self.sign * factor
    }
}

/// A party's utility over the outcomes of one space: money in major units, or a table's own scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Utility {
    constant: f64,
    rows: SmallVec<[Row; 6]>,
    /// A zero, which is the whole row of a price, and then the issues' rows.
    tables: Vec<f64>,
    price: Option<PriceTerm>,
    rectangles: Option<Arc<HyperRectangles>>,
}

/// Where an issue's values stand in the tables. A price has thousands of values and is valued by its own term: its row is
/// the one zero in front, so that summing up needs no exception.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Row {
    start: u32,
    last: u32,
}

impl Row {
    const PRICE: Self = Self { start: 0, last: 0 };

    fn len(self) -> u32 {
        if self.start == 0 { 0 } else { self.last + 1 }
    }
}

impl Utility {
    /// A utility that is zero everywhere.
    #[must_use]
    pub fn zero(space: &OutcomeSpace) -> Self {
        let mut utility =
            Self { constant: 0.0, rows: SmallVec::new(), tables: Vec::new(), price: None, rectangles: None };
        utility.reset(space);
        utility
    }

    /// Makes this utility zero over `space` again, keeping its memory: generators draw thousands of types a second.
    pub fn reset(&mut self, space: &OutcomeSpace) {
        self.constant = 0.0;
        self.rows.clear();
        let mut start = 1_u32;
        for issue in space.issues() {
            let len = if issue.role == IssueRole::Price { 0 } else { issue.len() };
            self.rows.push(if len == 0 { Row::PRICE } else { Row { start, last: len - 1 } });
            start += len;
        }
        self.tables.clear();
        self.tables.resize(start as usize, 0.0);
        self.rectangles = None;
        if let Some(term) = &mut self.price {
            term.count = 0;
        }
    }

    /// Becomes `other`, keeping its own memory.
    pub fn copy_from(&mut self, other: &Self) {
        let Self { constant, rows, tables, price, rectangles } = self;
        *constant = other.constant;
        rows.clear();
        rows.extend_from_slice(&other.rows);
        tables.clone_from(&other.tables);
        price.clone_from(&other.price);
        rectangles.clone_from(&other.rectangles);
    }

    /// Adds a constant.
    pub fn add_constant(&mut self, amount: f64) {
        self.constant += amount;
    }

    /// The table of an issue, to be written by whoever builds the utility: one entry a value. Empty for a price that a
    /// price term values.
    pub fn table_mut(&mut self, issue: usize) -> &mut [f64] {
        let row = self.rows[issue];
        &mut self.tables[row.start as usize..][..row.len() as usize]
    }

    /// The table of an issue.
    #[must_use]
    pub fn table(&self, issue: usize) -> &[f64] {
        let row = self.rows[issue];
        &self.tables[row.start as usize..][..row.len() as usize]
    }

    /// Values the price issue: `receives` for the seller's side. `rate` is the yearly financing rate applied to
    /// `payment` (an issue in days) before or after `reference_days`. Does nothing where `issue` is not on a money grid.
    pub fn set_price(&mut self, space: &OutcomeSpace, issue: usize, receives: bool, financing: Option<RateFinancing>) {
        let Grid::Money { floor, tick, count } = space.issues()[issue].grid else { return };
        let mut factors = self.price.take().map(|term| term.factors).unwrap_or_default();
        factors.clear();
        if let Some(financing) = financing {
            let days = &space.issues()[financing.payment];
            factors.extend((0..days.len()).map(|index| financing.factor(days, index)));
        }
        let sign = if receives { 1.0 } else { -1.0 };
        let payment = financing.map(|financing| financing.payment);
        self.price = Some(PriceTerm { issue, sign, floor: floor.0, tick: tick.0, count, payment, factors });
    }

    /// The price issue, where utility is money.
    #[must_use]
    pub fn price_issue(&self) -> Option<usize> {
        self.price.as_ref().filter(|term| term.count > 0).map(|term| term.issue)
    }

    /// The payment issue and its factor a value, where the price is financed by a rate.
    #[must_use]
    pub fn financing(&self) -> Option<(usize, &[f64])> {
        self.price.as_ref().and_then(|term| Some((term.payment?, term.factors.as_slice())))
    }

    /// The utility of `offer`, which must lie in the space.
    #[must_use]
    pub fn of(&self, offer: &Offer) -> f64 {
        let indices = offer.indices();
        let rest = self.without_price(indices);
        match &self.price {
            Some(term) if term.count > 0 => rest + term.slope(indices) * term.price(indices[term.issue]),
            _ => match &self.rectangles {
                None => rest,
                Some(rectangles) => rest + rectangles.of(offer),
            },
        }
    }

    /// Adds what constraints pay. They count only in utilities without a price, and their spans must lie in the space.
    pub fn set_rectangles(&mut self, rectangles: Arc<HyperRectangles>) {
        self.rectangles = Some(rectangles);
    }

    /// What every outcome is worth beside tables, price and constraints.
    #[must_use]
    pub fn constant(&self) -> f64 {
        self.constant
    }

    /// What constraints pay, where there are any.
    #[must_use]
    pub fn rectangles(&self) -> Option<&HyperRectangles> {
        self.rectangles.as_deref()
    }

    /// How many constraints pay: each is compared with every outcome that is valued.
    #[must_use]
    pub fn constraints(&self) -> usize {
        self.rectangles.as_ref().map_or(0, |rectangles| rectangles.constraints.len())
    }

    /// Whether the utility is a sum over issues: no price that is financed by a rate, and no constraints over several
    /// issues.
    #[must_use]
    pub fn is_additive(&self) -> bool {
        self.rectangles.is_none() && self.financing().is_none()
    }

    /// Everything but the price: constant and tables.
    #[inline]
    fn without_price(&self, indices: &[u32]) -> f64 {
        let mut utility = self.constant;
        for (row, &index) in self.rows.iter().zip(indices) {
            utility += self.tables[(row.start + index.min(row.last)) as usize];
        }
        utility
    }

    /// `(rest, slope)` with `u = rest + slope * price` in major units, for the other terms of `offer`; `None` where
    /// utility is no money.
    #[must_use]
    pub fn line(&self, offer: &Offer) -> Option<(f64, f64)> {
        let indices = offer.indices();
        self.price.as_ref().filter(|term| term.count > 0).map(|term| (self.without_price(indices), term.slope(indices)))
    }

    /// The price index that, with the other terms of `offer`, has the least utility not below `target`; `None` where
    /// every price leaves less, or utility is no money.
    #[must_use]
    pub fn price_for(&self, offer: &Offer, target: f64) -> Option<u32> {
        self.price_and_utility_for(offer, target).map(|(index, _)| index)
    }

    /// As [`Self::price_for`], with the utility of that price and the other terms of `offer`.
    #[must_use]
    pub fn price_and_utility_for(&self, offer: &Offer, target: f64) -> Option<(u32, f64)> {
        let (rest, slope) = self.line(offer)?;
        let term = self.price.as_ref()?;
        let last = term.count - 1;
        let at = |index: u32| rest + slope * term.price(index);
        if slope == 0.0 {
            return (at(0) >= target).then(|| (last, at(last)));
        }
        let exact = ((target - rest) / slope * 100.0 - term.floor as f64) / term.tick as f64;
        let below = exact.clamp(0.0, f64::from(last)) as u32;
        let rises = slope > 0.0;
        // The division may be off by a rounding: walk to the index that really is the last one not below the target.
        let toward_self = |index: u32| if rises { (index < last).then(|| index + 1) } else { index.checked_sub(1) };
        let toward_other = |index: u32| if rises { index.checked_sub(1) } else { (index < last).then(|| index + 1) };
        let mut index = if rises && f64::from(below) < exact && below < last { below + 1 } else { below };
        let mut utility = at(index);
        while utility < target {
            index = toward_self(index)?;
            utility = at(index);
        }
        while let Some(next) = toward_other(index) {
            let value = at(next);
            if value < target {
                break;
            }
            (index, utility) = (next, value);
        }
        Some((index, utility))
    }

    /// The smallest positive change of utility that moving one issue by one step can make; 0 where nothing changes it.
    /// Where constraints pay, the smallest payment stands for the changes that they make; several that start and end
    /// together may differ by less.
    #[must_use]
    pub fn smallest_step(&self) -> f64 {
        if let Some(term) = self.price.as_ref().filter(|term| term.count > 0) {
            let factor = term.factors.iter().copied().fold(1.0, f64::max);
            return factor * term.tick as f64 / 100.0;
        }
        let mut smallest = f64::INFINITY;
        for issue in 0..self.rows.len() {
            let mut sorted = self.table(issue).to_vec();
            sorted.sort_unstable_by(f64::total_cmp);
            let steps = sorted.windows(2).map(|pair| pair[1] - pair[0]);
            smallest = steps.filter(|&step| step > 0.0).fold(smallest, f64::min);
        }
        if let Some(rectangles) = &self.rectangles {
            let payments = rectangles.constraints.iter().map(|constraint| constraint.utility.abs());
            smallest = payments.filter(|&payment| payment > 0.0).fold(smallest, f64::min);
        }
        if smallest.is_finite() { smallest } else { 0.0 }
    }

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

    fn extreme(&self, space: &OutcomeSpace, way: f64, permits: impl Fn(usize, u32) -> bool) -> Option<Offer> {
        if let Some(rectangles) = self.rectangles.as_ref().filter(|_| self.price_issue().is_none()) {
            return rectangles.extreme(space, way, |issue, index| self.table(issue)[index as usize], permits);
        }
        let mut offer = space.first();
        let price = self.price_issue();
        let payment = self.financing().map(|(issue, _)| issue);
        for (position, issue) in space.issues().iter().enumerate() {
            if Some(position) == price || Some(position) == payment {
                continue;
            }
            let table = self.table(position);
            offer.set(position, argmax(issue, |index| permits(position, index), |index| way * table[index as usize])?);
        }
        let (Some(price), Some(term)) = (price, &self.price) else { return Some(offer) };
        let ends = permitted_ends(&space.issues()[price], |index| permits(price, index))?;
        // Price and payment days are valued together; everything else is chosen already and the same for all of these.
        let days = payment.map_or(0..1, |payment| 0..space.issues()[payment].len());
        let mut best: Option<(f64, u32, u32)> = None;
        for day in days.filter(|&day| payment.is_none_or(|payment| permits(payment, day))) {
            let (worth, factor) = match payment {
                Some(payment) => (self.table(payment)[day as usize], term.factors[day as usize]),
                None => (0.0, 1.0),
            };
            for end in ends {
                let value = way * (worth + term.sign * factor * term.price(end));
                if best.is_none_or(|(top, ..)| value > top) {
                    best = Some((value, day, end));
                }
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

impl Canonical for Utility {
    fn feed(&self, hasher: &mut Hasher) {
        self.constant.feed(hasher);
        let mut starts: SmallVec<[u32; 6]> = SmallVec::new();
        let mut start = 0;
        for row in &self.rows {
            starts.push(start);
            start += row.len();
        }
        starts.as_slice().feed(hasher);
        self.tables[1..].feed(hasher);
        if let Some(term) = self.price.as_ref().filter(|term| term.count > 0) {
            (term.issue as u64).feed(hasher);
            term.sign.feed(hasher);
            term.payment.map(|issue| issue as u64).feed(hasher);
            term.factors.as_slice().feed(hasher);
        }
        if let Some(rectangles) = &self.rectangles {
            rectangles.feed(hasher);
        }
    }
}

fn argmax(issue: &Issue, permits: impl Fn(u32) -> bool, value: impl Fn(u32) -> f64) -> Option<u32> {
    let mut best: Option<(f64, u32)> = None;
    for index in (0..issue.len()).filter(|&index| permits(index)) {
        let value = value(index);
        if best.is_none_or(|(top, _)| value > top) {
            best = Some((value, index));
        }
    }
    best.map(|(_, index)| index)
}

/// The lowest and the highest permitted index.
fn permitted_ends(issue: &Issue, permits: impl Fn(u32) -> bool) -> Option<[u32; 2]> {
    let low = (0..issue.len()).find(|&index| permits(index))?;
    let high = (0..issue.len()).rev().find(|&index| permits(index))?;
    Some([low, high])
}

/// Financing of the price by a yearly rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateFinancing {
    /// The issue that holds the payment days.
    pub payment: usize,
    /// Yearly rate as a fraction: 0.08 is 8 %.
    pub per_year: f64,
    /// Days at which the price counts as written.
    pub reference_days: f64,
}

impl RateFinancing {
    /// `1 + rate * (reference days - days) / 365` for value `index` of the payment issue.
    fn factor(&self, days: &Issue, index: u32) -> f64 {
        let days = days.number(index).unwrap_or(self.reference_days);
        1.0 + self.per_year * (self.reference_days - days) / DAYS_PER_YEAR
    }
}

#[cfg(test)]
mod tests {
    use super::{RateFinancing, Utility};
    use crate::Money;
    use crate::issue::{Grid, Issue, IssueRole};
    use crate::outcome::{Offer, OutcomeSpace};
    use proptest::prelude::*;

    fn space() -> OutcomeSpace {
        let price = Grid::Money { floor: Money::major(80_000), tick: Money::major(10), count: 4_001 };
        let days = Grid::Integers { first: 0, step: 10, count: 10 };
        let labels = Grid::Labels(["basic", "premium"].map(Into::into).into());
        let issue = |name: &str, role, grid| Issue { name: name.into(), role, unit: "".into(), grid };
        OutcomeSpace::new(vec![
            issue("price", IssueRole::Price, price),
            issue("payment", IssueRole::PaymentDays, days),
            issue("service", IssueRole::ServiceLevel, labels),
        ])
        .unwrap()
    }

    fn utility(receives: bool, rate: f64) -> Utility {
        let space = space();
        let mut utility = Utility::zero(&space);
        utility.add_constant(if receives { -95_000.0 } else { 100_000.0 });
        utility.table_mut(2).copy_from_slice(if receives { &[0.0, -900.0] } else { &[0.0, 1_500.0] });
        let financing = RateFinancing { payment: 1, per_year: rate, reference_days: 60.0 };
        utility.set_price(&space, 0, receives, Some(financing));
        utility
    }

    #[test]
    fn financing_makes_early_payment_dearer_and_worth_more() {
        let early = Offer::new(&[1_800, 1, 0]);
        // 98,000 paid 50 days early at 7.3 % a year costs 980 more.
        assert!((utility(false, 0.073).of(&early) - 1_020.0).abs() < 1e-6);
        assert!((utility(true, 0.073).of(&early) - 3_980.0).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn the_solved_price_is_the_least_utility_not_below_the_target(
            receives: bool, rate in 0.0..0.4, days in 0_u32..10, service in 0_u32..2, target in -30_000.0..30_000.0,
        ) {
            let utility = utility(receives, rate);
            let terms = Offer::new(&[0, days, service]);
            let reachable = (0..4_001).map(|index| utility.of(&terms.with(0, index))).filter(|value| *value >= target);
            match utility.price_for(&terms, target) {
                Some(index) => {
                    let value = utility.of(&terms.with(0, index));
                    prop_assert!(value >= target);
                    prop_assert_eq!(Some(value), reachable.min_by(f64::total_cmp));
                }
                None => prop_assert_eq!(reachable.count(), 0),
            }
        }

        #[test]
        fn no_outcome_beats_the_best_or_undercuts_the_worst(receives: bool, rate in -0.2..0.4, rank in 0_u64..80_020) {
            let (space, utility) = (space(), utility(receives, rate));
            let value = utility.of(&space.outcome(rank));
            prop_assert!(value <= utility.of(&utility.best(&space, |_, _| true).unwrap()));
            prop_assert!(value >= utility.of(&utility.worst(&space).unwrap()));
        }
    }
}
