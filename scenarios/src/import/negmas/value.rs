//! Value functions: what a value of one issue is worth.

use super::type_of;
use crate::import::axis::Axis;
use crate::import::document::{Content, Place};
use crate::import::error::ImportError;

/// The worth of each value of `axis` by the value function at `place`.
pub(super) fn values(place: &Place<'_>, axis: &Axis) -> Result<Vec<f64>, ImportError> {
    let number = |key: &str, default: f64| place.number_or(key, default);
    match type_of(place) {
        Some("TableFun") => crate::import::table::read(&place.required("mapping")?, axis),
        // A map without a type is a table.
        None if matches!(place.node.content, Content::Map(_)) => match place.get("mapping") {
            Some(mapping) => crate::import::table::read(&mapping, axis),
            None => crate::import::table::read(place, axis),
        },
        Some("ConstFun") => Ok(vec![number("bias", 0.0)?; axis.len() as usize]),
        Some("IdentityFun") => each(place, axis, |x| x),
        Some("LinearFun") => {
            let (slope, bias) = (number("slope", 1.0)?, number("bias", 0.0)?);
            each(place, axis, |x| slope * x + bias)
        }
        Some("AffineFun") => {
            let (slope, bias) = (place.required("slope")?.number()?, number("bias", 0.0)?);
            each(place, axis, |x| slope * x + bias)
        }
        Some("QuadraticFun") => {
            let (a2, a1, bias) = (place.required("a2")?.number()?, place.required("a1")?.number()?, number("bias", 0.0)?);
            each(place, axis, |x| a2 * x * x + a1 * x + bias)
        }
        Some("TriangularFun") => {
            let [start, middle, end] = ["start", "middle", "end"].map(|key| place.required(key).and_then(|place| place.number()));
            let (start, middle, end) = (start?, middle?, end?);
            let (bias, scale) = (number("bias", 0.0)?, number("scale", 1.0)?);
            if !(start <= middle && middle <= end) {
                return Err(place.fault(format!("start {start}, middle {middle} and end {end} are not in order")));
            }
            each(place, axis, |x| {
                let share = if x <= start || x >= end {
                    0.0
                } else if x <= middle {
                    (x - start) / (middle - start)
                } else {
                    (end - x) / (end - middle)
                };
                bias + scale * share
            })
        }
        Some("LambdaFun") => Err(place.fault("is code, which is never run: write the values as a TableFun")),
        Some(other) => Err(place.fault(format!(
            "value function \"{other}\" is not known: TableFun, LinearFun, AffineFun, IdentityFun, ConstFun, QuadraticFun or \
             TriangularFun"
        ))),
        None => Err(place.fault("is no value function: a map with a type, or a table, is needed")),
    }
}

fn each(place: &Place<'_>, axis: &Axis, worth: impl Fn(f64) -> f64) -> Result<Vec<f64>, ImportError> {
    let at = |index: u32| {
        let x = axis.number(index).ok_or_else(|| {
            place.fault(format!(
                "is a function of a number, but value \"{}\" of issue \"{}\" is none",
                axis.text(index),
                axis.name
            ))
        })?;
        let worth = worth(x);
        if worth.is_finite() { Ok(worth) } else { Err(place.fault(format!("is not finite at {x}"))) }
    };
    (0..axis.len()).map(at).collect()
}
