//! An issue as the readers of all formats see it: its values and what each is called in the files.

use super::error::ImportError;
use super::limits::{LONGEST_NAME, MOST_ISSUES, MOST_VALUES};
use std::collections::BTreeMap;
use std::sync::Arc;
use zopa_envs::{Grid, Issue, IssueRole, OutcomeSpace};

/// Steps into which the range of a real issue is cut: it then has one value more than this.
pub const REAL_STEPS: u32 = 20;

/// One issue with its values, before it becomes an [`Issue`].
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) name: Arc<str>,
    pub(super) values: AxisValues,
}

/// The values of an issue.
#[derive(Clone, Debug)]
pub(super) enum AxisValues {
    /// Named values and where each stands; `numbers` where every one is a number.
    Labels { names: Arc<[Arc<str>]>, positions: BTreeMap<Arc<str>, u32>, numbers: Option<Numbers> },
    /// Every integer from `first`.
    Integers { first: i64, count: u32 },
}

/// The numbers that all values of an issue are. What is asked once a value or a bound is worked out once an issue: files
/// may hold a million values.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    values: Vec<f64>,
    /// Where each number stands, by its bits.
    positions: BTreeMap<u64, u32>,
    ascending: bool,
}

impl Numbers {
    fn of(names: &[Arc<str>]) -> Option<Self> {
        let number = |name: &Arc<str>| name.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let values: Vec<f64> = names.iter().map(number).collect::<Option<_>>()?;
        let at = |(position, &value): (usize, &f64)| (bits(value), position as u32);
        let positions = values.iter().enumerate().rev().map(at).collect();
        Some(Self { positions, ascending: values.is_sorted(), values })
    }
}

/// The bits of a number, the same for both zeros.
fn bits(number: f64) -> u64 {
    (number + 0.0).to_bits()
}

impl Axis {
    /// An issue of named values; `Err` names one that is there twice.
    pub(super) fn labels(name: &str, values: Vec<String>) -> Result<Self, String> {
        let mut positions = BTreeMap::new();
        let mut names: Vec<Arc<str>> = Vec::with_capacity(values.len());
        for (position, value) in values.into_iter().enumerate() {
            let value: Arc<str> = value.into();
            if positions.insert(value.clone(), position as u32).is_some() {
                return Err(value.to_string());
            }
            names.push(value);
        }
        let numbers = Numbers::of(&names);
        Ok(Self { name: name.into(), values: AxisValues::Labels { names: names.into(), positions, numbers } })
    }

    /// An issue of all integers from `first` to `last`; `None` where there are none or more than a reader takes.
    pub(super) fn integers(name: &str, first: i64, last: i64) -> Option<Self> {
        let count = last.checked_sub(first)?.checked_add(1)?;
        let count = u32::try_from(count).ok().filter(|&count| count > 0 && u64::from(count) <= MOST_VALUES)?;
        Some(Self { name: name.into(), values: AxisValues::Integers { first, count } })
    }

    /// A real issue, cut into [`REAL_STEPS`] equal steps; `None` where the range is empty or endless.
    pub(super) fn reals(name: &str, low: f64, high: f64) -> Option<Self> {
        if !(low.is_finite() && high.is_finite() && low <= high && (high - low).is_finite()) {
            return None;
        }
        if low == high {
            return Self::labels(name, vec![low.to_string()]).ok();
        }
        let at = |step: u32| low + (high - low) * (f64::from(step) / f64::from(REAL_STEPS));
        // A range of a few units in the last place has fewer numbers than steps.
        let mut numbers: Vec<f64> = (0..=REAL_STEPS).map(at).collect();
        numbers.dedup();
        Self::labels(name, numbers.iter().map(|&number| text_of(number)).collect()).ok()
    }

    /// Numbers from `low` to at most `high`, `step` apart; `None` where there are none or more than a reader takes.
    pub(super) fn stepped(name: &str, low: f64, high: f64, step: f64) -> Option<Self> {
        if !(low.is_finite() && high.is_finite() && step > 0.0 && low <= high) {
            return None;
        }
        // A step of 0.1 is no exact number: a value that misses the upper end by a rounding still counts.
        let steps = ((high - low) / step + 1e-9).floor();
        if !(0.0..MOST_VALUES as f64).contains(&steps) {
            return None;
        }
        if step == 1.0 && low.fract() == 0.0 && low.abs() < 9e15 {
            return Self::integers(name, low as i64, low as i64 + steps as i64);
        }
        Self::labels(name, (0..=steps as u32).map(|index| text_of(low + step * f64::from(index))).collect()).ok()
    }

    /// The first and last value index between the numbers `low` and `high`, which count themselves where the range is `closed`;
    /// the last below the first where no value is. `None` where the values are no ascending numbers.
    pub(super) fn span(&self, low: f64, high: f64, closed: bool) -> Option<(u32, u32)> {
        if let AxisValues::Labels { numbers, .. } = &self.values
            && !numbers.as_ref()?.ascending
        {
            return None;
        }
        let first_where = |reached: &dyn Fn(f64) -> bool| {
            let (mut from, mut to) = (0, self.len());
            while from < to {
                let middle = from.midpoint(to);
                if self.number(middle).is_some_and(reached) { to = middle } else { from = middle + 1 }
            }
            from
        };
        let (first, end) = if closed {
            (first_where(&|number| number >= low), first_where(&|number| number > high))
        } else {
            (first_where(&|number| number > low), first_where(&|number| number >= high))
        };
        Some(if first < end { (first, end - 1) } else { (1, 0) })
    }

    pub(super) fn len(&self) -> u32 {
        match &self.values {
            AxisValues::Labels { names, .. } => names.len() as u32,
            AxisValues::Integers { count, .. } => *count,
        }
    }

    /// The number that value `index` is; `None` for labels that are no numbers.
    pub(super) fn number(&self, index: u32) -> Option<f64> {
        match &self.values {
            AxisValues::Labels { numbers, .. } => numbers.as_ref().map(|numbers| numbers.values[index as usize]),
            AxisValues::Integers { first, .. } => Some((first + i64::from(index)) as f64),
        }
    }

    /// Where the value called `text` stands.
    pub(super) fn position(&self, text: &str) -> Option<u32> {
        match &self.values {
            AxisValues::Labels { positions, numbers, .. } => positions.get(text).copied().or_else(|| {
                // "10" and "10.0" are one number.
                let number = text.trim().parse::<f64>().ok()?;
                numbers.as_ref()?.positions.get(&bits(number)).copied()
            }),
            AxisValues::Integers { first, count } => {
                let whole =
                    text.trim().parse::<f64>().ok().filter(|number| number.fract() == 0.0 && number.abs() < 9e15)?;
                u32::try_from((whole as i64).checked_sub(*first)?).ok().filter(|index| index < count)
            }
        }
    }

    /// What value `index` is called.
    pub(super) fn text(&self, index: u32) -> String {
        match &self.values {
            AxisValues::Labels { names, .. } => names[index as usize].to_string(),
            AxisValues::Integers { first, .. } => (first + i64::from(index)).to_string(),
        }
    }

    fn issue(&self) -> Issue {
        let grid = match &self.values {
            AxisValues::Labels { names, .. } => Grid::Labels(names.clone()),
            AxisValues::Integers { first, count } => Grid::Integers { first: *first, step: 1, count: *count },
        };
        // A file's labels carry no unit that could be relied on, so an imported issue never turns into money or days.
        Issue { name: self.name.clone(), role: IssueRole::Other, unit: "".into(), grid }
    }
}

/// A number as short as it can be written without becoming another.
pub(super) fn text_of(number: f64) -> String {
    // Cutting a range leaves 0.30000000000000004: twelve digits name the step, and the value is read back from them.
    let short = format!("{number:.12}");
    let short = short.trim_end_matches('0').trim_end_matches('.');
    match short.parse::<f64>() {
        Ok(back) if (back - number).abs() <= 1e-9 * number.abs() => short.to_owned(),
        _ => number.to_string(),
    }
}

/// The outcome space of `axes`.
pub(super) fn space_of(axes: &[Axis], file: &str) -> Result<OutcomeSpace, ImportError> {
    let content =
        |field: String, reason: String| ImportError::Content { file: file.to_owned(), line: 1, field, reason };
    if axes.len() > MOST_ISSUES {
        let what = format!("{} issues", axes.len());
        return Err(ImportError::Limit { file: file.to_owned(), what, limit: MOST_ISSUES as u64 });
    }
    let values: u64 = axes.iter().map(|axis| u64::from(axis.len())).sum();
    if values > MOST_VALUES {
        let what = format!("{values} values of all issues");
        return Err(ImportError::Limit { file: file.to_owned(), what, limit: MOST_VALUES });
    }
    let named = |axis: &Axis| {
        let labels = match &axis.values {
            AxisValues::Labels { names, .. } => names.iter().map(|name| name.chars().count()).max().unwrap_or(0),
            AxisValues::Integers { .. } => 0,
        };
        labels.max(axis.name.chars().count())
    };
    if let Some(longest) = axes.iter().map(named).max().filter(|&longest| longest > LONGEST_NAME) {
        let what = format!("a name of {longest} characters");
        return Err(ImportError::Limit { file: file.to_owned(), what, limit: LONGEST_NAME as u64 });
    }
    OutcomeSpace::new(axes.iter().map(Axis::issue).collect())
        .map_err(|fault| content("issues".to_owned(), fault.to_string()))
}

#[cfg(test)]
mod tests {
    use super::{Axis, REAL_STEPS};

    #[test]
    fn a_real_range_becomes_equal_steps_that_read_back_as_written() {
        let axis = Axis::reals("x", 0.0, 1.0).unwrap();
        assert_eq!(axis.len(), REAL_STEPS + 1);
        assert_eq!([axis.text(0), axis.text(6), axis.text(20)], ["0", "0.3", "1"]);
        assert_eq!(axis.number(6), Some(0.3));
        assert!(Axis::reals("x", 1.0, 0.0).is_none());
        assert!(Axis::reals("x", f64::NEG_INFINITY, 0.0).is_none());
        assert_eq!(Axis::reals("x", 2.5, 2.5).unwrap().len(), 1);
    }

    #[test]
    fn integers_are_found_by_their_number_however_written() {
        let axis = Axis::integers("n", -2, 5).unwrap();
        assert_eq!(
            [axis.position("-2"), axis.position("5.0"), axis.position("6"), axis.position("x")],
            [Some(0), Some(7), None, None]
        );
        assert!(Axis::integers("n", 5, 4).is_none());
        assert!(Axis::integers("n", i64::MIN, i64::MAX).is_none());
    }

    #[test]
    fn a_span_holds_the_values_between_its_ends() {
        let integers = Axis::integers("n", 2, 9).unwrap();
        assert_eq!(integers.span(3.0, 5.5, true), Some((1, 3)));
        assert_eq!(integers.span(-5.0, 50.0, true), Some((0, 7)));
        assert_eq!(integers.span(3.2, 3.8, true), Some((1, 0)));
        assert_eq!(integers.span(3.0, 5.0, false), Some((2, 2)));
        assert_eq!(integers.span(3.0, 4.0, false), Some((1, 0)));
        assert_eq!(integers.span(50.0, 60.0, true), Some((1, 0)));
        let labels = |values: [&str; 2]| Axis::labels("x", values.map(String::from).to_vec()).unwrap();
        assert_eq!(labels(["1", "2.5"]).span(2.0, 3.0, true), Some((1, 1)));
        assert_eq!(labels(["2.5", "1"]).span(2.0, 3.0, true), None);
        assert_eq!(labels(["a", "b"]).span(2.0, 3.0, true), None);
    }

    #[test]
    fn steps_reach_the_upper_end_whatever_the_rounding() {
        let tenths = Axis::stepped("x", 0.0, 0.3, 0.1).unwrap();
        assert_eq!((tenths.len(), tenths.text(3)), (4, "0.3".to_owned()));
        assert_eq!(Axis::stepped("x", 12.2, 12.6, 0.3).unwrap().len(), 2);
        assert_eq!(Axis::stepped("x", 5.0, 7.0, 1.0).unwrap().number(2), Some(7.0));
        assert!(Axis::stepped("x", 0.0, 1.0, 0.0).is_none());
        assert!(Axis::stepped("x", 0.0, 1e300, 1.0).is_none());
    }

    #[test]
    fn labels_are_numbers_where_each_of_them_is() {
        let axis = Axis::labels("days", ["10", "20"].map(String::from).to_vec()).unwrap();
        assert_eq!(axis.number(1), Some(20.0));
        assert_eq!(Axis::labels("x", ["10", "ten"].map(String::from).to_vec()).unwrap().number(0), None);
        assert_eq!(Axis::labels("x", ["a", "a"].map(String::from).to_vec()).unwrap_err(), "a");
    }
}
