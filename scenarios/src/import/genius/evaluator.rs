//! Evaluators of integer and real issues: functions of a number.

use super::domain::Kind;
use super::xml::Element;
use crate::import::error::ImportError;

/// A function from a value to its evaluation, as GENIUS defines it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Evaluator {
    /// `offset + slope * x`, cut to [0, 1]. Integer issues count x from their lower bound.
    Linear { slope: f64, offset: f64, from: f64 },
    /// The same for every value.
    Constant(f64),
    /// 0 outside `low` to `high`, `height` at `top`, linear between.
    Triangular { low: f64, high: f64, top: f64, height: f64 },
}

impl Evaluator {
    /// Reads the `evaluator` inside `issue`; `from` is the issue's lower bound.
    pub(super) fn read(issue: Element<'_>, kind: Kind, from: f64, of: &str) -> Result<Self, ImportError> {
        let evaluator = issue
            .child("evaluator")
            .ok_or_else(|| issue.fault(of, "has no <evaluator>: a profile must say what its values are worth"))?;
        let from = if kind == Kind::Integer { from } else { 0.0 };
        // GENIUS names the parameters of integer evaluators and numbers those of real ones; files mix both.
        let parameter = |name: &str, number: usize| {
            let numbered = format!("parameter{number}");
            evaluator.number(if evaluator.attribute(name).is_some() { name } else { &numbered }, of)
        };
        match evaluator.attribute("ftype").map_or("linear", str::trim).to_ascii_lowercase().as_str() {
            "linear" => Ok(Self::Linear { slope: parameter("slope", 1)?, offset: parameter("offset", 0)?, from }),
            "constant" => Ok(Self::Constant(parameter("offset", 0)?)),
            "triangular" => {
                let [low, high, top] = [parameter("start", 0)?, parameter("end", 1)?, parameter("middle", 2)?];
                let height =
                    if evaluator.attribute("parameter3").is_some() { evaluator.number("parameter3", of)? } else { 1.0 };
                if !(low <= top && top <= high) {
                    return Err(evaluator.fault(of, format!("the top {top} lies outside {low} to {high}")));
                }
                Ok(Self::Triangular { low, high, top, height })
            }
            other => Err(evaluator
                .fault(format!("{of}, ftype"), format!("\"{other}\" is not known: linear, constant or triangular"))),
        }
    }

    /// The evaluation of value `x`.
    pub(super) fn at(&self, x: f64) -> f64 {
        match *self {
            Self::Linear { slope, offset, from } => (offset + slope * (x - from)).clamp(0.0, 1.0),
            Self::Constant(value) => value,
            Self::Triangular { low, high, .. } if x < low || x > high => 0.0,
            Self::Triangular { low, top, height, .. } if x < top => height * (x - low) / (top - low),
            Self::Triangular { high, top, height, .. } if high > top => height * (1.0 - (x - top) / (high - top)),
            // The top is the upper end: GENIUS gives 0 there, which would make the peak worth nothing.
            Self::Triangular { height, .. } => height,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Evaluator;

    #[test]
    fn evaluators_follow_their_formulas() {
        let check = |evaluator: Evaluator, cases: &[(f64, f64)]| {
            for &(x, expected) in cases {
                assert!((evaluator.at(x) - expected).abs() < 1e-12, "{evaluator:?} at {x}: {}", evaluator.at(x));
            }
        };
        check(Evaluator::Linear { slope: 0.1, offset: 0.2, from: 10.0 }, &[(10.0, 0.2), (13.0, 0.5), (30.0, 1.0)]);
        check(Evaluator::Linear { slope: -0.5, offset: 0.4, from: 0.0 }, &[(0.0, 0.4), (2.0, 0.0)]);
        check(Evaluator::Constant(0.7), &[(-3.0, 0.7)]);
        let triangular = Evaluator::Triangular { low: 0.0, high: 10.0, top: 4.0, height: 1.0 };
        check(triangular, &[(-1.0, 0.0), (0.0, 0.0), (1.0, 0.25), (4.0, 1.0), (7.0, 0.5), (10.0, 0.0), (11.0, 0.0)]);
        check(Evaluator::Triangular { low: 0.0, high: 4.0, top: 4.0, height: 0.5 }, &[(2.0, 0.25), (4.0, 0.5)]);
    }
}
