//! The domain file: a `negotiation_template`.

use super::xml::Element;
use crate::import::axis::{Axis, REAL_STEPS};
use crate::import::error::ImportError;
use crate::import::limits::MOST_VALUES;

/// What kind of values an issue has, by the first of the attributes that GENIUS writes three times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Discrete,
    Integer,
    Real,
}

impl Kind {
    pub(super) fn of(issue: Element<'_>, of: &str) -> Result<Self, ImportError> {
        let written = ["type", "vtype", "etype"].into_iter().find_map(|name| issue.attribute(name));
        match written.map(|kind| kind.trim().to_ascii_lowercase()).as_deref() {
            None | Some("discrete") => Ok(Self::Discrete),
            Some("integer") => Ok(Self::Integer),
            Some("real") => Ok(Self::Real),
            Some(other) => Err(issue.fault(of, format!("type \"{other}\" is not known: discrete, integer or real"))),
        }
    }
}

/// The issues below `root`, in the order of the file. Nested objectives only group them.
pub(super) fn issues(root: Element<'_>, notices: &mut Vec<String>) -> Result<Vec<Axis>, ImportError> {
    let mut axes = Vec::new();
    for element in root.descendants("issue") {
        let name = element.required("name", "issue")?;
        axes.push(issue(element, name, notices)?);
    }
    if axes.is_empty() {
        return Err(root.fault("issues", "the domain has none: there is nothing to negotiate"));
    }
    Ok(axes)
}

fn issue(element: Element<'_>, name: &str, notices: &mut Vec<String>) -> Result<Axis, ImportError> {
    let of = format!("issue \"{name}\"");
    match Kind::of(element, &of)? {
        Kind::Discrete => {
            let values = element.children("item").map(|item| item.required("value", &of).map(str::to_owned));
            Axis::labels(name, values.collect::<Result<_, _>>()?).map_err(|twice| {
                element.fault(&of, format!("value \"{twice}\" is there twice: the values of an issue must differ"))
            })
        }
        Kind::Integer => {
            let bounds = bounds(element);
            let (low, high) = (bounds.integer("lowerbound", &of)?, bounds.integer("upperbound", &of)?);
            Axis::integers(name, low, high).ok_or_else(|| {
                bounds.fault(&of, format!("{low} to {high} holds none or more than {MOST_VALUES} integers"))
            })
        }
        Kind::Real => {
            let bounds = bounds(element);
            let (low, high) = (bounds.number("lowerbound", &of)?, bounds.number("upperbound", &of)?);
            let axis = Axis::reals(name, low, high).ok_or_else(|| {
                bounds.fault(&of, format!("{low} to {high} is no range: the lower bound comes first"))
            })?;
            notices.push(format!("{of} is real: {low} to {high} in {REAL_STEPS} equal steps"));
            Ok(axis)
        }
    }
}

/// Where the bounds stand: on the issue itself or on a `range` inside it.
fn bounds(issue: Element<'_>) -> Element<'_> {
    match issue.child("range") {
        Some(range) if issue.attribute("lowerbound").is_none() => range,
        _ => issue,
    }
}
