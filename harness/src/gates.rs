//! Gates as the reports evaluate them, from a suite or a file.

use crate::failure::Failure;
use serde::Deserialize;
use std::path::Path;
use zopa_reports::gate::LatencyScore;
use zopa_reports::{Bound, Direction, Gate, GateScore, Score, Threshold};
use zopa_scenarios::Suite;

/// The gates that a suite declares.
#[must_use]
pub fn of_suite(suite: &Suite) -> Vec<Gate> {
    let declared = suite.gates();
    let value = |score, threshold: Option<f64>, direction| {
        threshold.map(|threshold| Gate {
            score,
            threshold: Threshold::Value(threshold),
            direction,
            bound: Bound::Point,
        })
    };
    let surplus = declared.surplus_efficiency_above_baseline.filter(|asked| *asked).map(|_| Gate {
        score: GateScore::Score(Score::SurplusEfficiency),
        threshold: Threshold::Baseline(suite.baseline().to_owned()),
        direction: Direction::Above,
        bound: Bound::Lower,
    });
    [
        value(GateScore::Score(Score::FeasibleAgreementRate), declared.feasible_agreement_rate, Direction::AtLeast),
        value(GateScore::Score(Score::ConstraintSatisfaction), declared.constraint_satisfaction, Direction::AtLeast),
        value(GateScore::Score(Score::LossMakingRate), declared.loss_making_rate, Direction::AtMost),
        surplus,
        value(GateScore::Latency(LatencyScore::P95), declared.decision_latency_p95_ms, Direction::AtMost),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A file of gates.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateFile {
    /// The agents whose gates set the exit code; the run's own list where it is left out.
    pub gated: Option<Vec<String>>,
    /// The gates.
    pub gates: Vec<Gate>,
}

/// Reads a file of gates.
///
/// # Errors
/// Where it cannot be read, or is wrong: with line and column.
pub fn read(path: &Path) -> Result<GateFile, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|fault| Failure::Input(format!("--gates {}: {fault}", path.display())))?;
    toml::from_str(&text).map_err(|fault| Failure::Input(format!("{}: {fault}", path.display())))
}
