//! Outcome spaces: lists of issues.

use super::type_of;
use crate::import::axis::{Axis, REAL_STEPS};
use crate::import::document::{Content, Place};
use crate::import::error::ImportError;
use crate::import::limits::MOST_VALUES;

/// The issues under `issues`.
pub(super) fn issues(top: &Place<'_>, notices: &mut Vec<String>) -> Result<Vec<Axis>, ImportError> {
    let list = top.required("issues")?;
    let issues = list.list()?;
    if issues.is_empty() {
        return Err(list.fault("the domain has none: there is nothing to negotiate"));
    }
    issues.iter().map(|place| issue(place, notices)).collect()
}

fn issue(place: &Place<'_>, notices: &mut Vec<String>) -> Result<Axis, ImportError> {
    let name = place.required("name")?.text()?;
    let values = place.required("values")?;
    let integers = |low: i64, high: i64| {
        Axis::integers(name, low, high)
            .ok_or_else(|| values.fault(format!("{low} to {high} holds none or more than {MOST_VALUES} integers")))
    };
    match type_of(place) {
        Some("ContinuousIssue") => {
            let [low, high] = ends(&values)?;
            let (low, high) = (low.number()?, high.number()?);
            notices.push(format!("issue \"{name}\" is real: {low} to {high} in {REAL_STEPS} equal steps"));
            Axis::reals(name, low, high).ok_or_else(|| values.fault(format!("{low} to {high} is no range")))
        }
        Some("ContiguousIssue") => {
            if matches!(values.node.content, Content::Scalar { .. }) {
                return integers(0, values.integer()? - 1);
            }
            let [low, high] = ends(&values)?;
            integers(low.integer()?, high.integer()?)
        }
        // A count stands for that many integers from 0.
        None if matches!(values.node.content, Content::Scalar { .. }) => integers(0, values.integer()? - 1),
        None | Some("CategoricalIssue" | "DiscreteIssue" | "DiscreteOrdinalIssue" | "DiscreteCardinalIssue" | "OrdinalIssue" | "CardinalIssue") => {
            let texts = values.list()?.iter().map(|value| value.text().map(str::to_owned)).collect::<Result<_, _>>()?;
            Axis::labels(name, texts)
                .map_err(|twice| values.fault(format!("\"{twice}\" is there twice: the values of an issue must differ")))
        }
        Some(other) => Err(place.fault(format!(
            "type \"{other}\" is not known: CategoricalIssue, DiscreteOrdinalIssue, DiscreteCardinalIssue, ContiguousIssue \
             or ContinuousIssue"
        ))),
    }
}

/// The two ends of a range.
fn ends<'a>(values: &Place<'a>) -> Result<[Place<'a>; 2], ImportError> {
    let list = values.list()?;
    <[Place<'a>; 2]>::try_from(list).map_err(|_| values.fault("is no range: two numbers are needed, low and high"))
}
