//! Gates: thresholds that a score must keep for a run to pass.

mod evaluation;

use serde::{Deserialize, Serialize};

use crate::score::Score;

pub use evaluation::{Paired, evaluate, evaluate_latency};

/// What a gate looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&str")]
pub enum GateScore {
    /// A score of `summary.json`.
    Score(Score),
    /// A figure of `timing.json`.
    Latency(LatencyScore),
}

/// Wall-clock figures that can be gated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LatencyScore {
    /// 95th percentile of the decision latency, in milliseconds.
    P95,
}

impl GateScore {
    /// The name in gate lists and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Score(score) => score.name(),
            Self::Latency(LatencyScore::P95) => "decision_latency_p95_ms",
        }
    }

    /// The score of that name.
    pub fn named(name: &str) -> Option<Self> {
        if name == Self::Latency(LatencyScore::P95).name() {
            return Some(Self::Latency(LatencyScore::P95));
        }
        Score::named(name).map(Self::Score)
    }
}

impl From<GateScore> for &str {
    fn from(score: GateScore) -> Self {
        score.name()
    }
}

impl TryFrom<String> for GateScore {
    type Error = String;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        Self::named(&name).ok_or_else(|| {
            let latency = Self::Latency(LatencyScore::P95).name();
            let names: Vec<&str> = Score::ALL.iter().map(|score| score.name()).chain([latency]).collect();
            format!("\"{name}\" is no score: one of {}", names.join(", "))
        })
    }
}

/// What the score is held against.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Threshold {
    /// A number in the score's unit.
    Value(f64),
    /// The same score of that agent in the same run. At a bound it is the paired difference's end that decides.
    Baseline(String),
}

/// Which side of the threshold passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// At or above.
    AtLeast,
    /// At or below.
    AtMost,
    /// Strictly above.
    Above,
}

impl Direction {
    /// Whether a value passes.
    pub fn holds(self, value: f64, threshold: f64) -> bool {
        match self {
            Self::AtLeast => value >= threshold,
            Self::AtMost => value <= threshold,
            Self::Above => value > threshold,
        }
    }

    /// The comparison as a sign.
    pub fn sign(self) -> &'static str {
        match self {
            Self::AtLeast => "\u{2265}",
            Self::AtMost => "\u{2264}",
            Self::Above => ">",
        }
    }
}

/// Which end of the estimate is held against the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The score itself.
    Point,
    /// The lower end of its 95 % interval: what is at least so high must be shown to be.
    Lower,
    /// The upper end: what is at most so high must be shown to be.
    Upper,
}

/// One gate of a suite.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// What it looks at.
    pub score: GateScore,
    /// What that is held against.
    pub threshold: Threshold,
    /// Which side passes.
    pub direction: Direction,
    /// Which end of the estimate counts.
    pub bound: Bound,
    /// The agents that are held to it; all where none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<String>,
    /// The counterpart family whose episodes count, or [`Self::EACH_FAMILY`] for every family apart; all episodes where none
    /// is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
}

impl Gate {
    /// Instead of a family's name: the gate is kept where it is kept for every family.
    pub const EACH_FAMILY: &str = "each";

    /// A gate for all agents over all episodes.
    pub fn new(score: GateScore, direction: Direction, threshold: Threshold, bound: Bound) -> Self {
        Self { score, threshold, direction, bound, agents: Vec::new(), family: None }
    }

    /// Tests what the types leave open.
    ///
    /// # Errors
    /// With what is wrong.
    pub fn check(&self) -> Result<(), String> {
        let name = self.score.name();
        let lenient = match (self.bound, self.direction) {
            (Bound::Lower, Direction::AtMost) => Some(("lower", "at_most", "upper")),
            (Bound::Upper, Direction::AtLeast) => Some(("upper", "at_least", "lower")),
            (Bound::Upper, Direction::Above) => Some(("upper", "above", "lower")),
            _ => None,
        };
        if let Some((bound, direction, other)) = lenient {
            return Err(format!(
                "{name}: `bound = \"{bound}\"` with `direction = \"{direction}\"` would pass what the interval leaves open; the \
                 bound that must be shown is \"{other}\""
            ));
        }
        match (self.score, &self.threshold, &self.family) {
            (_, Threshold::Value(value), _) if !value.is_finite() => {
                Err(format!("the threshold of {name} is {value}: it must be a number"))
            }
            (GateScore::Latency(_), _, Some(_)) => Err(format!("{name} is not measured by family")),
            (GateScore::Latency(_), Threshold::Baseline(_), None) => {
                Err(format!("{name} is held against a number of milliseconds, not against an agent"))
            }
            (GateScore::Score(score), _, Some(_)) if !Score::BROKEN_DOWN.contains(&score) => {
                let names: Vec<&str> = Score::BROKEN_DOWN.iter().map(|score| score.name()).collect();
                Err(format!("{name} is not computed by family; these are: {}", names.join(", ")))
            }
            _ => Ok(()),
        }
    }

    /// The default gates: feasible agreement, constraint satisfaction, loss-making attempts, surplus efficiency against
    /// `rule-tree`, and decision latency.
    pub fn defaults() -> Vec<Self> {
        let gate = |score, direction, threshold| {
            Self::new(GateScore::Score(score), direction, Threshold::Value(threshold), Bound::Point)
        };
        vec![
            gate(Score::FeasibleAgreementRate, Direction::AtLeast, 0.55),
            gate(Score::ConstraintSatisfaction, Direction::AtLeast, 0.90),
            gate(Score::LossMakingRate, Direction::AtMost, 0.01),
            Self::new(
                GateScore::Score(Score::SurplusEfficiency),
                Direction::Above,
                Threshold::Baseline("rule-tree".to_owned()),
                Bound::Lower,
            ),
            Self::new(GateScore::Latency(LatencyScore::P95), Direction::AtMost, Threshold::Value(200.0), Bound::Point),
        ]
    }
}

/// A gate of one agent, evaluated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateResult {
    /// The agent.
    pub agent: String,
    /// The score's name.
    pub score: GateScore,
    /// The threshold as a number; `None` where the baseline has none.
    pub threshold: Option<f64>,
    /// The agent whose score is the threshold, where it is no plain number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// Which side passes.
    pub direction: Direction,
    /// Which end of the estimate counts.
    pub bound: Bound,
    /// The counterpart family whose episodes count; all episodes where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// The agent's figure, or that end of its interval; against another agent at a bound that agent's figure plus that end of the
    /// paired difference. `None` where it has none.
    pub value: Option<f64>,
    /// Whether the gate is kept. A gate that cannot be tested is not kept.
    pub passed: bool,
    /// Whether it sets the exit code; other agents' gates, and latencies of several jobs at a time, are shown only.
    pub gated: bool,
    /// Why it could not be tested, or what stood in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
