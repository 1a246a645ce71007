//! Gates as the reports evaluate them, from a suite or a file.

use crate::failure::Failure;
use crate::named_file;
use serde::Deserialize;
use std::path::Path;
use zopa_reports::gate::LatencyScore;
use zopa_reports::{Bound, Direction, Gate, GateScore, Manifest, Score, Threshold};
use zopa_scenarios::Suite;

/// The gates that a suite declares.
#[must_use]
pub fn of_suite(suite: &Suite) -> Vec<Gate> {
    let declared = suite.gates();
    let value = |score, threshold: Option<f64>, direction| {
        threshold.map(|threshold| Gate::new(score, direction, Threshold::Value(threshold), Bound::Point))
    };
    let surplus = declared.surplus_efficiency_above_baseline.filter(|asked| *asked).map(|_| {
        let baseline = Threshold::Baseline(suite.baseline().to_owned());
        Gate::new(GateScore::Score(Score::SurplusEfficiency), Direction::Above, baseline, Bound::Lower)
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
    let text = named_file::read_text("--gates", path)?;
    let located = |fault: &dyn std::fmt::Display| Failure::Input(format!("{}: {fault}", path.display()));
    let file: GateFile = toml::from_str(&text).map_err(|fault| located(&fault))?;
    for (number, gate) in (1..).zip(&file.gates) {
        gate.check().map_err(|fault| located(&format!("gate {number}: {fault}")))?;
    }
    Ok(file)
}

/// Tests that whoever the gates of a file name is in the run, and that the suite has the families that they name.
///
/// # Errors
/// With the first agent or family that is not there.
pub fn check_names(gates: &[Gate], manifest: &Manifest, families: &[String]) -> Result<(), Failure> {
    let plays = |id: &str| manifest.agents.iter().any(|entry| entry.id == id);
    // Records against an agent are of the family that the opponent's name is.
    let met = |name: &str| {
        name == Gate::EACH_FAMILY || families.iter().any(|family| family == name) || manifest.opponent == name
    };
    for gate in gates {
        let against = match &gate.threshold {
            Threshold::Baseline(id) => Some(id),
            Threshold::Value(_) => None,
        };
        if let Some(id) = gate.agents.iter().chain(against).find(|id| !plays(id)) {
            return Err(Failure::Input(format!("a gate names {id}, who does not play in this run")));
        }
        if let Some(name) = gate.family.as_ref().filter(|name| !met(name)) {
            let there = families.join(", ");
            return Err(Failure::Input(format!("a gate names the family {name}, which the suite has not: {there}")));
        }
    }
    Ok(())
}
