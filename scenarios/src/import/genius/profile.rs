//! A profile file: a `utility_space`.

use super::domain::Kind;
use super::evaluator::Evaluator;
use super::rectangles;
use super::xml::Element;
use crate::import::axis::Axis;
use crate::import::error::ImportError;
use crate::import::preferences::Preferences;
use std::collections::BTreeMap;
use std::sync::Arc;
use zopa_envs::{OutcomeSpace, Utility};

/// Reads the profile at `root` for the domain of `axes`.
pub(super) fn read(root: Element<'_>, axes: &[Axis], space: &OutcomeSpace) -> Result<Preferences, ImportError> {
    let mut notices = Vec::new();
    let utility = match root.descendants("utility").next() {
        Some(constraints) => {
            let mut utility = Utility::zero(space);
            utility.set_rectangles(Arc::new(rectangles::read(root, constraints, axes)?));
            utility
        }
        None => additive(root, axes, space)?,
    };
    let reservation = root.child("reservation").map_or(Ok(0.0), |element| element.number("value", "reservation"))?;
    let discount = discount(root, &mut notices)?;
    Ok(Preferences { utility, reservation: Some(reservation), discount, notices })
}

/// The discount factor; GENIUS takes 0 for none.
fn discount(root: Element<'_>, notices: &mut Vec<String>) -> Result<f64, ImportError> {
    let Some(element) = root.child("discount_factor") else { return Ok(1.0) };
    let written = element.number("value", "discount_factor")?;
    if written == 0.0 {
        notices.push(format!("{}: discount factor 0 means no discount", root.file));
        return Ok(1.0);
    }
    if !(0.0..=1.0).contains(&written) {
        return Err(element.fault("discount_factor", format!("{written} lies outside 0 to 1")));
    }
    Ok(written)
}

/// `u(o) = sum over issues of weight * evaluation(value) / largest evaluation`, weights as written. Integer and real
/// issues are evaluated by a function with values in [0, 1] and not divided. Weights of nested objectives do not count:
/// GENIUS sums over issues only.
fn additive(root: Element<'_>, axes: &[Axis], space: &OutcomeSpace) -> Result<Utility, ImportError> {
    let weights = weights(root)?;
    let mut utility = Utility::zero(space);
    let mut valued = vec![false; axes.len()];
    let positions: BTreeMap<&str, usize> = axes.iter().enumerate().map(|(at, axis)| (&*axis.name, at)).collect();
    for issue in root.descendants("issue") {
        let name = issue.required("name", "issue")?;
        let of = format!("issue \"{name}\"");
        let position = *positions.get(name).ok_or_else(|| {
            issue.fault(&of, "is not in the domain: this profile belongs to another domain, or the name is misspelt")
        })?;
        if std::mem::replace(&mut valued[position], true) {
            return Err(issue.fault(&of, "is there twice"));
        }
        let index = issue.integer("index", &of)?;
        let weight = *weights
            .get(&index)
            .ok_or_else(|| issue.fault(format!("{of}, weight"), format!("there is no <weight> with index {index}")))?;
        let evaluations = evaluations(issue, &axes[position], &of)?;
        for (entry, evaluation) in utility.table_mut(position).iter_mut().zip(evaluations) {
            *entry = weight * evaluation;
        }
    }
    if let Some(missing) = valued.iter().position(|valued| !valued) {
        let field = format!("issue \"{}\"", axes[missing].name);
        return Err(root.fault(field, "is in the domain but not in this profile: does it belong to another domain?"));
    }
    Ok(utility)
}

/// The weights by index, of issues and objectives alike.
fn weights(root: Element<'_>) -> Result<BTreeMap<i64, f64>, ImportError> {
    let mut weights = BTreeMap::new();
    for element in root.descendants("weight") {
        let index = element.integer("index", "weight")?;
        let of = format!("weight {index}");
        let value = element.number("value", &of)?;
        if value < 0.0 {
            return Err(element.fault(of, format!("{value} is negative: weights are 0 or more")));
        }
        if weights.insert(index, value).is_some() {
            return Err(element.fault(of, "is there twice"));
        }
    }
    Ok(weights)
}

/// What each value of the issue is worth before weighting.
fn evaluations(issue: Element<'_>, axis: &Axis, of: &str) -> Result<Vec<f64>, ImportError> {
    match Kind::of(issue, of)? {
        Kind::Discrete => items(issue, axis, of),
        kind => {
            let from = axis
                .number(0)
                .ok_or_else(|| issue.fault(of, "is a number in this profile, but its values in the domain are none"))?;
            let evaluator = Evaluator::read(issue, kind, from, of)?;
            Ok((0..axis.len()).map(|index| axis.number(index).map_or(0.0, |x| evaluator.at(x))).collect())
        }
    }
}

fn items(issue: Element<'_>, axis: &Axis, of: &str) -> Result<Vec<f64>, ImportError> {
    let mut evaluations: Vec<Option<f64>> = vec![None; axis.len() as usize];
    for item in issue.children("item") {
        let value = item.required("value", of)?;
        let of = format!("{of}, value \"{value}\"");
        let index = axis.position(value).ok_or_else(|| {
            item.fault(&of, "is not in the domain: this profile belongs to another domain, or the value is misspelt")
        })?;
        let evaluation = item.number("evaluation", &of)?;
        if evaluation < 0.0 {
            return Err(item.fault(
                of,
                format!("evaluation {evaluation} is negative: GENIUS divides by the largest, so they are 0 or more"),
            ));
        }
        if evaluations[index as usize].replace(evaluation).is_some() {
            return Err(item.fault(of, "is there twice"));
        }
    }
    if let Some(missing) = evaluations.iter().position(Option::is_none) {
        let value = axis.text(missing as u32);
        return Err(issue.fault(format!("{of}, value \"{value}\""), "is in the domain but not in this profile"));
    }
    let largest = evaluations.iter().flatten().copied().fold(0.0, f64::max);
    // An issue whose values are all worth nothing adds nothing.
    let share = |evaluation: f64| if largest > 0.0 { evaluation / largest } else { 0.0 };
    Ok(evaluations.into_iter().flatten().map(share).collect())
}
