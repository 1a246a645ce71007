//! What the principal wants: a number for every agreement, and how risk counts.

use serde::{Deserialize, Serialize};

/// What is maximised. Gains are in units: shares of the status quo's price, or of the own yardstick in tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Goal {
    /// The own gain.
    #[default]
    OwnGain,
    /// The weighted Nash product `own^(1 - weight) * other^weight` of positive gains, weight in `[0, 1)`: a bargaining
    /// solution as the principal's choice, no claim of fairness (Nash 1950; Harsanyi and Selten 1972 for weights).
    NashProduct {
        /// Weight of the other side's gain.
        weight: f64,
    },
    /// Own gain plus what a unit of the other side's gain is worth over the horizon of the relationship.
    Relationship {
        /// Worth of a unit left to the other side, from 0.
        value: f64,
    },
}

/// The goal, with constant absolute risk aversion (Pratt 1964): an agreement of score s counts `(1 - exp(-a s)) / a`, and s where
/// a is 0. No deal counts 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Objective {
    /// What is maximised.
    pub goal: Goal,
    /// The coefficient a of absolute risk aversion per unit, from 0; 10 makes a gain of 10 % of the price count 6.3 %.
    pub risk_aversion: f64,
}

impl Objective {
    /// What an agreement counts that gains the own side `own` and the other `theirs`.
    #[must_use]
    pub fn of(&self, own: f64, theirs: f64) -> f64 {
        let score = match self.goal {
            Goal::OwnGain => own,
            Goal::NashProduct { weight } => {
                if own <= 0.0 || theirs <= 0.0 {
                    own.min(0.0)
                } else if weight <= 0.0 {
                    own
                } else {
                    libm::pow(own, 1.0 - weight) * libm::pow(theirs, weight)
                }
            }
            Goal::Relationship { value } => own + value * theirs.max(0.0),
        };
        if self.risk_aversion == 0.0 { score } else { -libm::expm1(-self.risk_aversion * score) / self.risk_aversion }
    }

    /// What to leave the other side that takes anything from `least` on, where own gain is `rest - rate * theirs`.
    #[must_use]
    pub fn left(&self, least: f64, rest: f64, rate: f64) -> f64 {
        match self.goal {
            Goal::OwnGain => least,
            Goal::NashProduct { weight } => least.max(weight * rest / rate),
            Goal::Relationship { value } if value > rate => least.max(0.5 * rest / rate),
            Goal::Relationship { .. } => least,
        }
    }

    /// As text for an episode's key; empty for the default.
    #[must_use]
    pub fn text(&self) -> String {
        let goal = match self.goal {
            Goal::OwnGain => String::new(),
            Goal::NashProduct { weight } => format!("nash-product {weight}"),
            Goal::Relationship { value } => format!("relationship {value}"),
        };
        let risk =
            if self.risk_aversion == 0.0 { String::new() } else { format!("risk-aversion {}", self.risk_aversion) };
        [goal, risk].iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::{Goal, Objective};

    #[test]
    fn goals_count_as_their_formulas_say() {
        let check = |goal, risk_aversion, own, theirs, expected: f64| {
            let counted = Objective { goal, risk_aversion }.of(own, theirs);
            assert!((counted - expected).abs() < 1e-12, "{goal:?}: {counted}, not {expected}");
        };
        check(Goal::OwnGain, 0.0, 0.2, 0.5, 0.2);
        check(Goal::OwnGain, 10.0, 0.1, 0.5, (1.0 - libm::exp(-1.0)) / 10.0);
        check(Goal::NashProduct { weight: 0.5 }, 0.0, 0.04, 0.01, 0.02);
        check(Goal::NashProduct { weight: 0.5 }, 0.0, 0.04, -0.01, 0.0);
        check(Goal::Relationship { value: 0.3 }, 0.0, 0.2, 0.1, 0.23);
    }

    #[test]
    fn the_nash_product_is_largest_at_what_it_leaves() {
        let objective = Objective { goal: Goal::NashProduct { weight: 0.4 }, risk_aversion: 0.0 };
        let (rest, rate) = (0.2, 1.1);
        let left = objective.left(0.0, rest, rate);
        let at = |theirs: f64| objective.of(rest - rate * theirs, theirs);
        assert!(at(left) >= at(left - 1e-3) && at(left) >= at(left + 1e-3));
    }
}
