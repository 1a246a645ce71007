//! The price's part of a utility, and which price is worth a wanted utility.

use super::{DAYS_PER_YEAR, Line};
use crate::issue::Grid;
use crate::outcome::OutcomeSpace;

/// How near to a whole index a computed one must be for rounding to decide; then the index is walked to.
const NEAR: f64 = 1e-6;

/// With amounts of at most so many ticks a computed index is exact to a tenth of [`NEAR`]: sums of them are rounded by less than
/// 1e-15 of their size.
const EXACT_TICKS: f64 = 1e7;

/// Adding and subtracting this rounds to a whole number, for numbers far below it.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// Where prices lie: two terms over the same grid have the same price at an index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PriceGrid {
    issue: u32,
    floor: i64,
    tick: i64,
}

impl PriceGrid {
    /// The price issue.
    #[inline]
    pub(crate) fn issue(&self) -> usize {
        self.issue as usize
    }

    /// The price of value `index` in major units.
    #[inline]
    pub(crate) fn price(&self, index: u32) -> f64 {
        (self.floor + self.tick * i64::from(index)) as f64 / 100.0
    }
}

/// The price's part of a utility, in major units of money.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PriceTerm {
    pub(super) issue: u32,
    /// +1 for who receives the price, -1 for who pays it.
    pub(super) sign: f64,
    floor: i64,
    pub(super) tick: i64,
    count: u32,
    /// What paying early or late makes of the price, where that counts.
    pub(super) financing: Option<Financing>,
    /// The lowest price in ticks, in front of whole ticks.
    floor_ticks: f64,
    /// Ticks in a major unit.
    ticks_per_major: f64,
    /// The largest amount in major units that is exact enough; 0 where the grid is too long.
    exact: f64,
}

impl PriceTerm {
    pub(super) fn new(
        issue: u32,
        receives: bool,
        [floor, tick]: [i64; 2],
        count: u32,
        financing: Option<Financing>,
    ) -> Self {
        let sign = if receives { 1.0 } else { -1.0 };
        let (floor_ticks, ticks_per_major) = (floor as f64 / tick as f64, 100.0 / tick as f64);
        let short = floor_ticks + f64::from(count) < EXACT_TICKS;
        let exact = if short { EXACT_TICKS * (tick as f64 / 100.0) } else { 0.0 };
        Self { issue, sign, floor, tick, count, financing, floor_ticks, ticks_per_major, exact }
    }

    /// The price issue.
    #[inline]
    pub(crate) fn issue(&self) -> usize {
        self.issue as usize
    }

    /// The grid.
    #[inline]
    pub(crate) fn grid(&self) -> PriceGrid {
        PriceGrid { issue: self.issue, floor: self.floor, tick: self.tick }
    }

    /// The price of value `index` in major units.
    #[inline]
    pub(crate) fn price(&self, index: u32) -> f64 {
        self.grid().price(index)
    }

    /// What a major unit of price is worth with the other terms of `indices`: the sign and what financing makes of it.
    #[inline]
    pub(super) fn slope(&self, indices: &[u32]) -> f64 {
        self.sign * self.financing.as_ref().map_or(1.0, |financing| financing.factor(indices[financing.issue()]))
    }

    /// The index, as it would be between whole ones, whose utility on `line` is `target`, but for rounding.
    #[inline]
    pub(crate) fn position(&self, line: Line, target: f64) -> f64 {
        (target - line.rest) / line.slope * self.ticks_per_major - self.floor_ticks
    }

    /// The wanted utility `target` on lines of slope `slope`, made ready for many of them.
    pub(crate) fn aim(&self, slope: f64, target: f64) -> Aim {
        let last = f64::from(self.count - 1);
        let scale = self.ticks_per_major / slope.abs();
        let offset = if slope > 0.0 { -self.floor_ticks } else { last + self.floor_ticks };
        let exact = self.exact * slope.abs() - target.abs();
        Aim { slope, target, scale, offset, last, exact, tick: (slope * (self.tick as f64 / 100.0)).abs() }
    }

    /// The price index of least utility not below `target` on `line`, with that utility; `None` where every price leaves less.
    #[inline]
    pub(crate) fn solve(&self, line: Line, target: f64) -> Option<(u32, f64)> {
        let position = self.position(line, target);
        let below = position as u32;
        let past = position - f64::from(below);
        let clear = past > NEAR && past < 1.0 - NEAR && below + 1 < self.count;
        if clear && line.rest.abs() + target.abs() < self.exact * line.slope.abs() {
            let index = below + u32::from(line.slope > 0.0);
            return Some((index, line.rest + line.slope * self.price(index)));
        }
        self.walk(line, target)
    }

    /// As [`Self::solve`], whatever the numbers are.
    #[inline(never)]
    fn walk(&self, line: Line, target: f64) -> Option<(u32, f64)> {
        let last = self.count - 1;
        let at = |index: u32| line.rest + line.slope * self.price(index);
        if line.slope == 0.0 {
            return (at(0) >= target).then(|| (last, at(last)));
        }
        let exact = ((target - line.rest) / line.slope * 100.0 - self.floor as f64) / self.tick as f64;
        let below = exact.clamp(0.0, f64::from(last)) as u32;
        let rises = line.slope > 0.0;
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
}

/// A wanted utility on lines of one slope: tells without solving by how much the price that reaches it goes beyond.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    pub(crate) slope: f64,
    target: f64,
    /// Ticks in a unit of utility.
    scale: f64,
    /// Where the grid begins, in ticks, counted from its end that is worth least.
    offset: f64,
    last: f64,
    /// The largest amount that is exact enough; none where it is not positive.
    exact: f64,
    /// What a tick is worth.
    tick: f64,
}

impl Aim {
    /// By how much the utility of the solved price exceeds the target on the line that is worth `rest` without the price, less what
    /// rounding may hide; infinite where every price leaves less, minus infinity where only solving tells.
    #[inline]
    pub(crate) fn excess(&self, rest: f64) -> f64 {
        let position = (self.target - rest) * self.scale + self.offset;
        let near = (position + WHOLE) - WHOLE;
        let above = if near < position { near + 1.0 } else { near };
        let short = above - position;
        // Without a branch: many of them are computed side by side.
        let told = (short > NEAR) & (short < 1.0 - NEAR) & (rest.abs() < self.exact);
        let reached = if above > 0.0 { above } else { 0.0 };
        let excess = if above > self.last { f64::INFINITY } else { (reached - position - NEAR) * self.tick };
        if told { excess } else { f64::NEG_INFINITY }
    }

    /// Whether any of `added` to `rest` may be within `nearest` of the target by [`Self::excess`]; sums may be rounded otherwise there.
    #[inline]
    pub(crate) fn may_come_within(&self, nearest: f64, rest: f64, added: &[f64]) -> bool {
        let nearest = nearest + NEAR * self.tick;
        added.iter().fold(0, |within, add| within | u64::from(self.excess(rest + add) <= nearest)) != 0
    }
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

/// What paying earlier or later makes of the price, by the values of the payment issue: a factor each, which rises or falls with the
/// values all the way. Most are never asked for, so each is computed when it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Financing {
    issue: u32,
    count: u32,
    per_year: f64,
    reference_days: f64,
    /// Days of value 0.
    first: f64,
    /// Days from one value to the next.
    step: f64,
}

impl Financing {
    /// Values that are no numbers count as the reference days.
    pub(super) fn new(rate: &RateFinancing, space: &OutcomeSpace) -> Self {
        let &RateFinancing { payment, per_year, reference_days } = rate;
        let (first, step) = match space.issues()[payment].grid {
            Grid::Integers { first, step, .. } => (first as f64, step as f64),
            Grid::Money { floor, tick, .. } => (floor.as_major(), tick.as_major()),
            Grid::Labels(_) => (reference_days, 0.0),
        };
        Self { issue: payment as u32, count: space.lens()[payment], per_year, reference_days, first, step }
    }

    /// The payment issue.
    #[must_use]
    #[inline]
    pub fn issue(&self) -> usize {
        self.issue as usize
    }

    /// `1 + rate * (reference days - days) / 365` for value `index` of the payment issue.
    #[must_use]
    #[inline]
    pub fn factor(&self, index: u32) -> f64 {
        let days = self.first + self.step * f64::from(index);
        1.0 + self.per_year * (self.reference_days - days) / DAYS_PER_YEAR
    }

    /// The factors of all values in order.
    pub fn factors(&self) -> impl Iterator<Item = f64> {
        (0..self.count).map(move |index| self.factor(index))
    }

    /// The factors of the first and of the last value.
    #[inline]
    pub(super) fn ends(&self) -> [f64; 2] {
        [self.factor(0), self.factor(self.count - 1)]
    }
}
