//! Issues: what is negotiated, and the grid of values each may take.

use crate::Money;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::sync::Arc;

/// What an issue means, so that software, speech and reports treat it rightly. `Other` issues are only labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueRole {
    /// Total price of the package, in money.
    Price,
    /// Days from delivery to payment.
    PaymentDays,
    /// Days from signing to delivery.
    DeliveryDays,
    /// Units bought.
    Quantity,
    /// Service level promised.
    ServiceLevel,
    /// Quality grade promised.
    Quality,
    /// Months of warranty.
    WarrantyMonths,
    /// Anything else.
    Other,
}

/// The grid of an issue: value `i` of `len()`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grid {
    /// Named values in a stated order.
    Labels(Arc<[Arc<str>]>),
    /// Integers `first + i * step`, in the issue's unit.
    Integers {
        /// Value 0.
        first: i64,
        /// Distance between neighbours; positive.
        step: i64,
        /// How many values.
        count: u32,
    },
    /// Money `floor + i * tick`.
    Money {
        /// Value 0, the lowest amount; positive.
        floor: Money,
        /// Distance between neighbours; positive.
        tick: Money,
        /// How many values.
        count: u32,
    },
}

/// One value in the issue's own terms, as a person or a model states it: possibly off the grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// A named value.
    Label(Arc<str>),
    /// An integer in the issue's unit.
    Integer(i64),
    /// An amount of money.
    Money(Money),
}

/// Something that is negotiated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Issue {
    /// Its name, unique in its outcome space.
    pub name: Arc<str>,
    /// What it means.
    pub role: IssueRole,
    /// Unit of its integers ("days", "units"); empty for labels and money.
    pub unit: Arc<str>,
    /// Its permitted values.
    pub grid: Grid,
}

impl Issue {
    /// How many values it has.
    #[must_use]
    pub fn len(&self) -> u32 {
        match &self.grid {
            Grid::Labels(labels) => labels.len() as u32,
            Grid::Integers { count, .. } | Grid::Money { count, .. } => *count,
        }
    }

    /// True where no value is permitted; such an issue is refused when a space is built.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number behind value `index`: money in major units, integers as they are; `None` for labels.
    #[must_use]
    pub fn number(&self, index: u32) -> Option<f64> {
        match &self.grid {
            Grid::Labels(_) => None,
            Grid::Integers { first, step, .. } => Some((first + step * i64::from(index)) as f64),
            Grid::Money { floor, tick, .. } => Some(Money(floor.0 + tick.0 * i64::from(index)).as_major()),
        }
    }

    /// Value `index` in the issue's own terms. `index` must be on the grid.
    #[must_use]
    pub fn value(&self, index: u32) -> Value {
        match &self.grid {
            Grid::Labels(labels) => Value::Label(labels[index as usize].clone()),
            Grid::Integers { first, step, .. } => Value::Integer(first + step * i64::from(index)),
            Grid::Money { floor, tick, .. } => Value::Money(Money(floor.0 + tick.0 * i64::from(index))),
        }
    }

    /// The index of `value`, or `None` where it is of another kind or off the grid.
    #[must_use]
    pub fn index_of(&self, value: &Value) -> Option<u32> {
        let on = |first: i64, step: i64, count: u32, value: i64| {
            let distance = value.checked_sub(first)?;
            let index = distance / step;
            (distance >= 0 && distance % step == 0 && index < i64::from(count)).then_some(index as u32)
        };
        match (&self.grid, value) {
            (Grid::Labels(labels), Value::Label(label)) => {
                labels.iter().position(|known| known == label).map(|index| index as u32)
            }
            (Grid::Integers { first, step, count }, Value::Integer(value)) => on(*first, *step, *count, *value),
            (Grid::Money { floor, tick, count }, Value::Money(value)) => on(floor.0, tick.0, *count, value.0),
            _ => None,
        }
    }

    /// The index whose value is nearest to `value` (the lower of two), or `None` for a value of another kind or an
    /// unknown label.
    #[must_use]
    pub fn nearest(&self, value: &Value) -> Option<u32> {
        let near = |first: i64, step: i64, count: u32, value: i64| {
            let last = first.saturating_add(step.saturating_mul(i64::from(count) - 1));
            let distance = value.clamp(first, last) - first;
            let (below, rest) = (distance / step, distance % step);
            (below + i64::from(2 * rest > step)) as u32
        };
        match (&self.grid, value) {
            (Grid::Labels(_), Value::Label(_)) => self.index_of(value),
            (Grid::Integers { first, step, count }, Value::Integer(value)) => Some(near(*first, *step, *count, *value)),
            (Grid::Money { floor, tick, count }, Value::Money(value)) => Some(near(floor.0, tick.0, *count, value.0)),
            _ => None,
        }
    }

    /// Value `index` as a person reads it: `$98,250`, `30 days`, `premium`.
    #[must_use]
    pub fn text(&self, index: u32) -> String {
        match self.value(index) {
            Value::Label(label) => label.to_string(),
            Value::Integer(number) if self.unit.is_empty() => number.to_string(),
            Value::Integer(number) => format!("{number} {}", self.unit),
            Value::Money(money) => money.to_string(),
        }
    }

    /// All values in short: `$50,000 to $150,000 by $10`, `basic, standard, premium`.
    #[must_use]
    pub fn range_text(&self) -> String {
        match &self.grid {
            Grid::Labels(labels) => labels.join(", "),
            Grid::Integers { step, count, .. } => {
                let mut text = format!("{} to {}", self.text(0), self.text(count - 1));
                if *step != 1 {
                    let _ = write!(text, " by {step}");
                }
                text
            }
            Grid::Money { tick, count, .. } => format!("{} to {} by {tick}", self.text(0), self.text(count - 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Grid, Issue, IssueRole, Value};
    use crate::Money;
    use proptest::prelude::*;

    fn days() -> Issue {
        let grid = Grid::Integers { first: 10, step: 5, count: 17 };
        Issue { name: "payment".into(), role: IssueRole::PaymentDays, unit: "days".into(), grid }
    }

    #[test]
    fn values_are_read_as_people_write_them() {
        let price = Issue {
            name: "price".into(),
            role: IssueRole::Price,
            unit: "".into(),
            grid: Grid::Money { floor: Money::major(50_000), tick: Money::major(10), count: 10_001 },
        };
        assert_eq!(price.range_text(), "$50,000 to $150,000 by $10");
        assert_eq!(days().range_text(), "10 days to 90 days by 5");
        assert_eq!(price.nearest(&Value::Money(Money::major(98_256))), Some(4_826));
        assert_eq!(price.index_of(&Value::Money(Money::major(98_256))), None);
        assert_eq!(days().nearest(&Value::Integer(-4)), Some(0));
        assert_eq!(days().nearest(&Value::Label("soon".into())), None);
    }

    proptest! {
        #[test]
        fn every_grid_value_maps_back_to_its_index(index in 0_u32..17) {
            let issue = days();
            prop_assert_eq!(issue.index_of(&issue.value(index)), Some(index));
            prop_assert_eq!(issue.nearest(&issue.value(index)), Some(index));
        }

        #[test]
        fn the_nearest_value_is_nowhere_farther_than_another(wanted in -1000_i64..1000) {
            let issue = days();
            let near = issue.nearest(&Value::Integer(wanted)).unwrap();
            let distance = |index| (issue.number(index).unwrap() - wanted as f64).abs();
            for other in 0..issue.len() {
                prop_assert!(distance(near) <= distance(other));
            }
        }
    }
}
