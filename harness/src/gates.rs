//! A suite's gates as the reports evaluate them.

use zopa_reports::gate::LatencyScore;
use zopa_reports::{Bound, Direction, Gate, GateScore, Score, Threshold};
use zopa_scenarios::Suite;

/// The gates that a suite declares.
#[must_use]
pub fn of_suite(suite: &Suite) -> Vec<Gate> {
    let declared = suite.gates();
    let value = |score, threshold: Option<f64>, direction| {
        threshold.map(|threshold| Gate { score, threshold: Threshold::Value(threshold), direction, bound: Bound::Point })
    };
    let surplus = declared.surplus_efficiency_above_baseline.filter(|asked| *asked).map(|_| Gate {
        score: GateScore::Score(Score::SurplusEfficiency),
        threshold: Threshold::Baseline(suite.baseline().to_owned()),
        direction: Direction::Above,
        bound: Bound::Lower,
    });
    [
        value(
            GateScore::Score(Score::FeasibleAgreementRate),
            declared.feasible_agreement_rate,
            Direction::AtLeast,
        ),
        value(GateScore::Score(Score::ConstraintSatisfaction), declared.constraint_satisfaction, Direction::AtLeast),
        value(GateScore::Score(Score::LossMakingRate), declared.loss_making_rate, Direction::AtMost),
        surplus,
        value(GateScore::Latency(LatencyScore::P95), declared.decision_latency_p95_ms, Direction::AtMost),
    ]
    .into_iter()
    .flatten()
    .collect()
}
