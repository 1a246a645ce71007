//! Utility functions.

use super::type_of;
use super::value::values;
use crate::import::axis::Axis;
use crate::import::document::{Content, Place};
use crate::import::error::ImportError;
use crate::import::limits::MOST_CONSTRAINTS;
use crate::import::preferences::Preferences;
use std::sync::Arc;
use zopa_envs::{HyperRectangle, HyperRectangles, OutcomeSpace, Span, Utility};

/// Reads the utility function at `place`, with its discount and reservation value.
pub(super) fn read(place: &Place<'_>, axes: &[Axis], space: &OutcomeSpace) -> Result<Preferences, ImportError> {
    let Some("ExpDiscountedUFun") = type_of(place) else {
        let utility = utility(place, axes, space)?;
        let reservation = reservation(place, axes, &utility)?;
        let mut notices = Vec::new();
        if reservation.is_none() {
            notices.push(format!(
                "{}: no deal is worse than any (reserved_value -.inf): the lowest utility stands for it",
                place.file
            ));
        }
        return Ok(Preferences { utility, reservation, discount: 1.0, notices });
    };
    let factor = place.required("discount")?;
    let discount = factor.number()?;
    if !(discount > 0.0 && discount <= 1.0) {
        return Err(factor.fault(format!("{discount} lies outside 0 to 1")));
    }
    let inner = place.required("ufun")?;
    if type_of(&inner) == Some("ExpDiscountedUFun") {
        return Err(inner.fault("discounts a second time: write one factor"));
    }
    let mut read = read(&inner, axes, space)?;
    if discount < 1.0 && place.get("factor").and_then(|factor| factor.node.text()) != Some("relative_time") {
        let file = place.file;
        read.notices.push(format!(
            "{file}: discount {discount} is taken over the whole negotiation (t from 0 to 1), as GENIUS does"
        ));
    }
    Ok(Preferences { discount, ..read })
}

/// The reservation value; `None` where no deal is worse than everything, NegMAS's default.
fn reservation(place: &Place<'_>, axes: &[Axis], utility: &Utility) -> Result<Option<f64>, ImportError> {
    if let Some(value) = place.get("reserved_value") {
        let lowest =
            matches!(value.node.content, Content::Scalar { number: Some(number), .. } if number == f64::NEG_INFINITY);
        if !lowest {
            return value.number().map(Some);
        }
    }
    let Some(outcome) = place.get("reserved_outcome") else { return Ok(None) };
    let values = outcome.list()?;
    if values.len() != axes.len() {
        return Err(outcome.fault(format!("names {} values for {} issues", values.len(), axes.len())));
    }
    let mut indices = Vec::with_capacity(axes.len());
    for (value, axis) in values.iter().zip(axes) {
        let text = value.text()?;
        indices.push(
            axis.position(text)
                .ok_or_else(|| value.fault(format!("\"{text}\" is no value of issue \"{}\"", axis.name)))?,
        );
    }
    Ok(Some(utility.of(&zopa_envs::Offer::new(&indices))))
}

fn utility(place: &Place<'_>, axes: &[Axis], space: &OutcomeSpace) -> Result<Utility, ImportError> {
    let mut utility = Utility::zero(space);
    utility.add_constant(place.number_or("bias", 0.0)?);
    match type_of(place) {
        Some("LinearAdditiveUtilityFunction" | "LinearUtilityAggregationFunction") => {
            let functions = by_issue(&place.required("values")?, axes)?;
            let weights = place.get("weights").map(|weights| by_issue(&weights, axes)).transpose()?;
            for (position, axis) in axes.iter().enumerate() {
                let weight = match &weights {
                    Some(weights) => weights[position].number()?,
                    None => 1.0,
                };
                if weight < 0.0 {
                    return Err(place.fault(format!(
                        "the weight {weight} of issue \"{}\" is negative: weights are 0 or more",
                        axis.name
                    )));
                }
                fill(&mut utility, position, weight, &values(&functions[position], axis)?);
            }
        }
        // Weights are slopes here: a negative one says that less is better.
        Some("LinearUtilityFunction" | "AffineUtilityFunction") => {
            let weights = by_issue(&place.required("weights")?, axes)?;
            for (position, axis) in axes.iter().enumerate() {
                let numbers: Option<Vec<f64>> = (0..axis.len()).map(|index| axis.number(index)).collect();
                let numbers = numbers.ok_or_else(|| {
                    weights[position]
                        .fault(format!("the values of issue \"{}\" are no numbers to be weighted", axis.name))
                })?;
                fill(&mut utility, position, weights[position].number()?, &numbers);
            }
        }
        Some("ConstUtilityFunction") => utility.add_constant(place.number_or("value", 0.0)?),
        Some("HyperRectangleUtilityFunction") => utility.set_rectangles(Arc::new(rectangles(place, axes)?)),
        Some(other) => {
            return Err(place.fault(format!(
                "type \"{other}\" is not known: LinearAdditiveUtilityFunction, LinearUtilityFunction, AffineUtilityFunction, \
                 ConstUtilityFunction, HyperRectangleUtilityFunction or ExpDiscountedUFun around one of them"
            )));
        }
        None => return Err(place.fault("has no \"type\": it is needed here")),
    }
    Ok(utility)
}

fn fill(utility: &mut Utility, position: usize, weight: f64, values: &[f64]) {
    for (entry, value) in utility.table_mut(position).iter_mut().zip(values) {
        *entry = weight * value;
    }
}

/// The entries of a list in the order of the issues, or of a map by their names.
fn by_issue<'a>(place: &Place<'a>, axes: &[Axis]) -> Result<Vec<Place<'a>>, ImportError> {
    let wrong = |count: usize| {
        place.fault(format!("has {count} entries for {} issues: does it belong to another domain?", axes.len()))
    };
    if let Content::List(_) = place.node.content {
        let list = place.list()?;
        return if list.len() == axes.len() { Ok(list) } else { Err(wrong(list.len())) };
    }
    let entries = place.entries()?;
    if entries.len() != axes.len() {
        return Err(wrong(entries.len()));
    }
    axes.iter().map(|axis| place.required(&axis.name)).collect()
}

/// Regions by issue position, each a map from positions to `[low, high]`, both ends outside, with a payment and a weight.
fn rectangles(place: &Place<'_>, axes: &[Axis]) -> Result<HyperRectangles, ImportError> {
    let regions = place.required("outcome_ranges")?.list()?;
    let payments = place.required("utilities").or_else(|_| place.required("mappings"))?.list()?;
    let weights = place.get("weights").map(|weights| weights.list()).transpose()?;
    if payments.len() != regions.len() || weights.as_ref().is_some_and(|weights| weights.len() != regions.len()) {
        return Err(place.fault("outcome_ranges, utilities and weights differ in length"));
    }
    let mut constraints = Vec::with_capacity(regions.len());
    let mut spans_in_all = 0;
    for (at, region) in regions.iter().enumerate() {
        let weight = weights.as_ref().map_or(Ok(1.0), |weights| weights[at].number())?;
        let utility = weight * payments[at].number()?;
        let spans = if region.node.content == Content::Null { Box::default() } else { spans(region, axes)? };
        spans_in_all += spans.len() + 1;
        if spans_in_all > MOST_CONSTRAINTS || !utility.is_finite() {
            let what = "the number or the utility of constraints".to_owned();
            return Err(ImportError::Limit { file: place.file.to_owned(), what, limit: MOST_CONSTRAINTS as u64 });
        }
        constraints.push(HyperRectangle { spans, inside: true, utility });
    }
    Ok(HyperRectangles { constraints: constraints.into(), most: f64::INFINITY })
}

fn spans(region: &Place<'_>, axes: &[Axis]) -> Result<Box<[Span]>, ImportError> {
    let mut spans: Vec<Span> = Vec::new();
    for (name, range) in region.entries()? {
        let issue = name.parse::<usize>().ok().filter(|&issue| issue < axes.len());
        let issue = issue.ok_or_else(|| range.fault(format!("there is no issue at position {name}")))?;
        let ends = range.list()?;
        let [low, high] = &ends[..] else {
            return Err(range.fault("is no range: two numbers are needed, low and high"));
        };
        // NegMAS's ranges do not hold their ends (`outcome_in_range`).
        let span = axes[issue].span(low.number()?, high.number()?, false);
        let (first, last) = span.ok_or_else(|| {
            range.fault(format!("issue \"{}\" has no ascending numbers for bounds", axes[issue].name))
        })?;
        if spans.iter().any(|span| span.issue == issue) {
            return Err(range.fault("is bounded twice"));
        }
        spans.push(Span { issue, first, last });
    }
    Ok(spans.into())
}
