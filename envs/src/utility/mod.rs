//! What an outcome is worth to one party.
//!
//! One form serves tables and money:
//! `u(o) = constant + sum over issues of table_i[o_i] + sign * price(o) * factor[payment(o)]`.
//! Additive domains have no price term; procurement values every other issue in money and finances the price by
//! `factor = 1 + rate * (reference days - days) / 365`, which makes the utility bilinear in price and payment days.
//! Imported domains without a price may add what hyper-rectangular constraints pay.

mod extreme;
mod lines;
mod price_term;

pub(crate) use price_term::PriceGrid;
pub use price_term::{Financing, RateFinancing};

use crate::digest::{Canonical, Hasher};
use crate::hyper_rectangle::HyperRectangles;
use crate::issue::{Grid, IssueRole};
use crate::outcome::{Offer, OutcomeSpace};
use price_term::PriceTerm;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::sync::Arc;

/// Days in a year of financing.
pub const DAYS_PER_YEAR: f64 = 365.0;

/// A party's utility over the outcomes of one space: money in major units, or a table's own scale.
#[derive(Clone, Debug)]
pub struct Utility {
    constant: f64,
    rows: SmallVec<[Row; 6]>,
    /// A zero, which is the whole row of a price, then the issues' rows.
    tables: Vec<f64>,
    price: Option<PriceTerm>,
    rectangles: Option<Arc<HyperRectangles>>,
    /// The best outcome, where somebody had it found.
    peak: Option<Peak>,
}

/// What a utility is worth over the price, the other terms fixed: `rest + slope * price` in major units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) rest: f64,
    pub(crate) slope: f64,
}

impl Line {
    /// That of a utility without a price.
    pub(crate) const NONE: Self = Self { rest: f64::NAN, slope: f64::NAN };

    /// Whether there is one.
    pub(crate) fn is_some(self) -> bool {
        !self.slope.is_nan()
    }
}

/// The best outcome of a utility.
#[derive(Clone, Debug)]
pub(crate) struct Peak {
    pub(crate) offer: Offer,
    pub(crate) line: Line,
    pub(crate) utility: f64,
}

impl PartialEq for Utility {
    /// What was computed from the rest does not count.
    fn eq(&self, other: &Self) -> bool {
        self.constant == other.constant
            && self.rows == other.rows
            && self.tables == other.tables
            && self.price == other.price
            && self.rectangles == other.rectangles
    }
}

/// Where an issue's values stand in the tables. A price has thousands of values and is valued by its own term: its row is
/// the one zero in front, so that summing up needs no exception.
#[derive(Clone, Copy, Debug)]
struct Row {
    start: u32,
    last: u32,
    /// Whether nothing was written here: then all values are worth zero.
    blank: bool,
}

impl PartialEq for Row {
    /// Zeros that were written are worth as much as none.
    fn eq(&self, other: &Self) -> bool {
        (self.start, self.last) == (other.start, other.last)
    }
}

impl Row {
    const PRICE: Self = Self { start: 0, last: 0, blank: true };

    #[inline]
    fn len(self) -> u32 {
        if self.start == 0 { 0 } else { self.last + 1 }
    }
}

impl Utility {
    /// A utility that is zero everywhere.
    #[must_use]
    pub fn zero(space: &OutcomeSpace) -> Self {
        let mut utility = Self {
            constant: 0.0,
            rows: SmallVec::new(),
            tables: Vec::new(),
            price: None,
            rectangles: None,
            peak: None,
        };
        utility.reset(space);
        utility
    }

    /// Makes this utility zero over `space` again, keeping its memory: generators draw thousands of types a second.
    pub fn reset(&mut self, space: &OutcomeSpace) {
        self.peak = None;
        self.constant = 0.0;
        self.rectangles = None;
        self.price = None;
        if self.fits(space) {
            if self.rows.iter().any(|row| !row.blank) {
                self.tables.fill(0.0);
                self.rows.iter_mut().for_each(|row| row.blank = true);
            }
            return;
        }
        self.rows.clear();
        let mut start = 1_u32;
        for issue in space.issues() {
            let len = if issue.role == IssueRole::Price { 0 } else { issue.len() };
            self.rows.push(if len == 0 { Row::PRICE } else { Row { start, last: len - 1, blank: true } });
            start += len;
        }
        self.tables.clear();
        self.tables.resize(start as usize, 0.0);
    }

    /// Becomes the utility of items of which `pool[i]` lie in each issue and are worth `values[i]` each, over spaces in which
    /// issue `i` says how many of them one side takes: this one, or the other where `takes` is false. Keeps its own memory.
    pub(crate) fn set_items(&mut self, pool: &[u32], values: &[u32], takes: bool) {
        (self.constant, self.price, self.rectangles, self.peak) = (0.0, None, None, None);
        self.rows.clear();
        self.tables.clear();
        self.tables.push(0.0);
        for (&count, &value) in pool.iter().zip(values) {
            self.rows.push(Row { start: self.tables.len() as u32, last: count, blank: false });
            let worth = |own: u32| f64::from(value) * f64::from(own);
            if takes {
                self.tables.extend((0..=count).map(worth));
            } else {
                self.tables.extend((0..=count).rev().map(worth));
            }
        }
    }

    /// Whether the rows are those of `space` already.
    fn fits(&self, space: &OutcomeSpace) -> bool {
        let price = space.role(IssueRole::Price);
        let same = |position: usize, row: Row, len: u32| {
            if Some(position) == price { row == Row::PRICE } else { row.len() == len }
        };
        self.rows.len() == space.lens().len()
            && self.rows.iter().zip(space.lens()).enumerate().all(|(position, (&row, &len))| same(position, row, len))
    }

    /// Becomes `other`, keeping its own memory.
    pub fn copy_from(&mut self, other: &Self) {
        let Self { constant, rows, tables, price, rectangles, peak } = self;
        *constant = other.constant;
        rows.clear();
        rows.extend_from_slice(&other.rows);
        tables.clone_from(&other.tables);
        price.clone_from(&other.price);
        rectangles.clone_from(&other.rectangles);
        peak.clone_from(&other.peak);
    }

    /// Adds a constant.
    pub fn add_constant(&mut self, amount: f64) {
        self.peak = None;
        self.constant += amount;
    }

    /// The table of an issue, to be written by whoever builds the utility: one entry a value. Empty for a price that a
    /// price term values.
    pub fn table_mut(&mut self, issue: usize) -> &mut [f64] {
        self.peak = None;
        let row = &mut self.rows[issue];
        row.blank = false;
        &mut self.tables[row.start as usize..][..row.len() as usize]
    }

    /// The table of an issue.
    #[must_use]
    pub fn table(&self, issue: usize) -> &[f64] {
        let row = self.rows[issue];
        &self.tables[row.start as usize..][..row.len() as usize]
    }

    /// Whether no value of an issue is worth anything by its table.
    fn is_blank(&self, issue: usize) -> bool {
        let blank = |worth: &f64| worth.to_bits() == 0;
        self.rows[issue].blank || self.table(issue).iter().all(blank)
    }

    /// Values the price issue: `receives` for the seller's side. `rate` is the yearly financing rate applied to
    /// `payment` (an issue in days) before or after `reference_days`. Does nothing where `issue` is not on a money grid.
    #[inline]
    pub fn set_price(&mut self, space: &OutcomeSpace, issue: usize, receives: bool, financing: Option<RateFinancing>) {
        let Grid::Money { floor, tick, count } = space.issues()[issue].grid else { return };
        self.peak = None;
        let financing = financing.map(|rate| Financing::new(&rate, space));
        self.price = Some(PriceTerm::new(issue as u32, receives, [floor.0, tick.0], count, financing));
    }

    /// The price issue, where utility is money.
    #[must_use]
    pub fn price_issue(&self) -> Option<usize> {
        self.price.as_ref().map(|term| term.issue as usize)
    }

    /// The price's part, where utility is money.
    #[inline]
    pub(crate) fn price_term(&self) -> Option<&PriceTerm> {
        self.price.as_ref()
    }

    /// What paying early or late makes of the price, where it is financed by a rate.
    #[must_use]
    #[inline]
    pub fn financing(&self) -> Option<&Financing> {
        self.price.as_ref()?.financing.as_ref()
    }

    /// The utility of `offer`, which must lie in the space.
    #[must_use]
    pub fn of(&self, offer: &Offer) -> f64 {
        let indices = offer.indices();
        let rest = self.without_price(indices);
        match &self.price {
            Some(term) => rest + term.slope(indices) * term.price(indices[term.issue as usize]),
            None => match &self.rectangles {
                None => rest,
                Some(rectangles) => rest + rectangles.of(offer),
            },
        }
    }

    /// Adds what constraints pay. They count only in utilities without a price, and their spans must lie in the space.
    pub fn set_rectangles(&mut self, rectangles: Arc<HyperRectangles>) {
        self.peak = None;
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
        let line = self.line_of(offer);
        line.is_some().then_some((line.rest, line.slope))
    }

    /// The line over the price for the other terms of `offer`.
    #[inline]
    pub(crate) fn line_of(&self, offer: &Offer) -> Line {
        let indices = offer.indices();
        let Some(term) = &self.price else { return Line::NONE };
        Line { rest: self.without_price(indices), slope: term.slope(indices) }
    }

    /// The price index that, with the other terms of `offer`, has the least utility not below `target`; `None` where
    /// every price leaves less, or utility is no money.
    #[must_use]
    pub fn price_for(&self, offer: &Offer, target: f64) -> Option<u32> {
        self.price.as_ref()?.solve(self.line_of(offer), target).map(|(index, _)| index)
    }

    /// Finds the best outcome, so that nobody needs to search for it again until the utility changes.
    #[inline]
    pub(crate) fn settle(&mut self, space: &OutcomeSpace) {
        self.peak = self.search_peak(space);
    }

    /// The best outcome with its line and utility.
    #[inline]
    pub(crate) fn peak(&self, space: &OutcomeSpace) -> Option<Cow<'_, Peak>> {
        match &self.peak {
            Some(peak) => Some(Cow::Borrowed(peak)),
            None => self.find_peak(space).map(Cow::Owned),
        }
    }

    /// The best outcome, where somebody had it found.
    #[inline]
    pub(crate) fn settled_peak(&self) -> Option<&Peak> {
        self.peak.as_ref()
    }

    #[inline(never)]
    fn find_peak(&self, space: &OutcomeSpace) -> Option<Peak> {
        self.search_peak(space)
    }

    #[inline]
    fn search_peak(&self, space: &OutcomeSpace) -> Option<Peak> {
        let offer = self.best(space, |_, _| true)?;
        let line = self.line_of(&offer);
        let utility = match &self.price {
            Some(term) => line.rest + line.slope * term.price(offer.get(term.issue())),
            None => self.of(&offer),
        };
        Some(Peak { line, utility, offer })
    }

    /// The smallest positive change of utility that moving one issue by one step can make; 0 where nothing changes it.
    /// Where constraints pay, the smallest payment stands for the changes that they make; several that start and end
    /// together may differ by less.
    #[must_use]
    #[inline]
    pub fn smallest_step(&self) -> f64 {
        if let Some(term) = &self.price {
            let [first, last] = term.financing.as_ref().map_or([1.0; 2], Financing::ends);
            let factor = first.max(last).max(1.0);
            return factor * term.tick as f64 / 100.0;
        }
        self.smallest_table_step()
    }

    fn smallest_table_step(&self) -> f64 {
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
        if let Some(term) = &self.price {
            u64::from(term.issue).feed(hasher);
            term.sign.feed(hasher);
            term.financing.map(|financing| financing.issue() as u64).feed(hasher);
            let factors: Vec<f64> = term.financing.iter().flat_map(Financing::factors).collect();
            factors.as_slice().feed(hasher);
        }
        if let Some(rectangles) = &self.rectangles {
            rectangles.feed(hasher);
        }
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
        fn what_a_solved_price_goes_beyond_is_told_without_solving(
            receives: bool, rate in 0.0..0.4, days in 0_u32..10, service in 0_u32..2, target in -30_000.0..30_000.0,
        ) {
            let utility = utility(receives, rate);
            let terms = Offer::new(&[0, days, service]);
            let (line, term) = (utility.line_of(&terms), utility.price_term().unwrap());
            let told = term.aim(line.slope, target).excess(line.rest);
            match utility.price_for(&terms, target) {
                Some(index) => {
                    let excess = utility.of(&terms.with(0, index)) - target;
                    // A millionth of a tick either way is rounding.
                    prop_assert!(told <= excess && (told == f64::NEG_INFINITY || excess - told < 1e-4), "{told}, {excess}");
                }
                None => prop_assert!(told.is_infinite()),
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
