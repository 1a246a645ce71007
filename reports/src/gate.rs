//! Gates: thresholds that a score must keep for a run to pass.

use serde::{Deserialize, Serialize};

use crate::manifest::Standing;
use crate::score::Score;
use crate::statistics::Estimate;
use crate::summary::Summary;
use crate::timing::Timing;

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
    /// The same score of that agent in the same run, as a point.
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
    /// The lower end of its 95 % interval.
    Lower,
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
}

impl Gate {
    /// The default gates: feasible agreement, constraint satisfaction, loss-making attempts, surplus efficiency against
    /// `rule-tree`, and decision latency.
    pub fn defaults() -> Vec<Self> {
        let gate = |score, direction, threshold| Self {
            score: GateScore::Score(score),
            threshold: Threshold::Value(threshold),
            direction,
            bound: Bound::Point,
        };
        vec![
            gate(Score::FeasibleAgreementRate, Direction::AtLeast, 0.55),
            gate(Score::ConstraintSatisfaction, Direction::AtLeast, 0.90),
            gate(Score::LossMakingRate, Direction::AtMost, 0.01),
            Self {
                score: GateScore::Score(Score::SurplusEfficiency),
                threshold: Threshold::Baseline("rule-tree".to_owned()),
                direction: Direction::Above,
                bound: Bound::Lower,
            },
            Self {
                score: GateScore::Latency(LatencyScore::P95),
                threshold: Threshold::Value(200.0),
                direction: Direction::AtMost,
                bound: Bound::Point,
            },
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
    /// The agent's figure; `None` where it has none.
    pub value: Option<f64>,
    /// Whether the gate is kept. A gate that cannot be tested is not kept.
    pub passed: bool,
    /// Whether it sets the exit code; other agents' gates, and latencies of several jobs at a time, are shown only.
    pub gated: bool,
    /// Why it could not be tested, or what stood in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Evaluates all gates but latency for every agent, in order of agent, then gate. `gated` names the agents whose gates
/// set the exit code. A gate against a baseline is left out for that baseline, and gates for ceilings. An agent that is
/// not comparable keeps no gate, whatever the episodes that it did finish say.
pub fn evaluate(
    summary: &Summary,
    gates: &[Gate],
    gated: &[String],
    standing: impl Fn(&str) -> Standing,
) -> Vec<GateResult> {
    let mut results = Vec::new();
    for agent in summary.agents.keys().filter(|agent| standing(agent) != Standing::Ceiling) {
        for gate in gates {
            let GateScore::Score(score) = gate.score else { continue };
            let against_itself = matches!(&gate.threshold, Threshold::Baseline(baseline) if baseline == agent);
            if !against_itself {
                results.push(evaluate_score(summary, gate, score, agent, gated.contains(agent)));
            }
        }
    }
    results
}

fn evaluate_score(summary: &Summary, gate: &Gate, score: Score, agent: &str, gated: bool) -> GateResult {
    let mut notes = Vec::new();
    let mut estimate = summary.estimate(agent, score);
    if estimate.is_none() && score == Score::FeasibleAgreementRate {
        estimate = summary.estimate(agent, Score::AgreementRate);
        notes.push("feasibility says nothing here, so all episodes count".to_owned());
    }
    let end = |estimate: &Estimate| match gate.bound {
        Bound::Point => estimate.value,
        Bound::Lower => estimate.low,
    };
    let value = estimate.map(end);
    if value.is_none() {
        notes.push(format!("{agent} has no {}", score.name()));
    }
    let (threshold, baseline) = match &gate.threshold {
        Threshold::Value(value) => (Some(*value), None),
        Threshold::Baseline(baseline) => {
            let threshold = summary.estimate(baseline, score).map(|estimate| estimate.value);
            if !summary.agents.contains_key(baseline) {
                notes.push(format!("{baseline} is not in this run: add --agent {baseline}"));
            } else if threshold.is_none() {
                notes.push(format!("{baseline} has no {} to compare with", score.name()));
            }
            (threshold, Some(baseline.clone()))
        }
    };
    let comparable = summary.agents.get(agent).is_none_or(|agent| agent.comparable);
    if !comparable {
        notes.push(format!(
            "infrastructure failed more than 1 % of {agent}'s episodes, so its figures are not comparable"
        ));
    }
    let holds = matches!((value, threshold), (Some(value), Some(threshold)) if gate.direction.holds(value, threshold));
    let passed = holds && comparable;
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    let (direction, bound) = (gate.direction, gate.bound);
    let (agent, score) = (agent.to_owned(), gate.score);
    GateResult { agent, score, threshold, baseline, direction, bound, value, passed, gated, note }
}

/// Evaluates the latency gates; their results belong in `timing.json` only. Latencies of several jobs at a time hold
/// the time that they wait for each other, so they are shown and never gated.
pub fn evaluate_latency(
    timing: &Timing,
    gates: &[Gate],
    gated: &[String],
    standing: impl Fn(&str) -> Standing,
) -> Vec<GateResult> {
    let mut results = Vec::new();
    for (agent, figures) in timing.agents.iter().filter(|(agent, _)| standing(agent) != Standing::Ceiling) {
        for gate in gates {
            let (GateScore::Latency(LatencyScore::P95), Threshold::Value(threshold)) = (gate.score, &gate.threshold)
            else {
                continue;
            };
            let value = figures.decision_latency_ms.p95;
            let single_job = timing.jobs <= 1;
            let note = (!single_job)
                .then(|| format!("measured with {} jobs at a time, so not gated: use --jobs 1", timing.jobs));
            results.push(GateResult {
                agent: agent.clone(),
                score: gate.score,
                threshold: Some(*threshold),
                baseline: None,
                direction: gate.direction,
                bound: gate.bound,
                value: Some(value),
                passed: gate.direction.holds(value, *threshold),
                gated: single_job && gated.contains(agent),
                note,
            });
        }
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{key, record_of, run, scores, standing, summarise};
    use crate::record::EpisodeRecord;
    use crate::statistics::LatencyQuantiles;
    use crate::timing::AgentTiming;

    fn result<'a>(results: &'a [GateResult], agent: &str, score: Score) -> &'a GateResult {
        let matches = |result: &&GateResult| result.agent == agent && result.score == GateScore::Score(score);
        results.iter().find(matches).expect("a result")
    }

    #[test]
    fn the_default_gates_tell_the_strong_agent_from_the_baseline() {
        let summary = summarise(&run());
        assert!(summary.gates.iter().filter(|result| result.agent == "nash").all(|result| result.passed));
        let rule_tree = |score| result(&summary.gates, "rule-tree", score);
        assert!(rule_tree(Score::FeasibleAgreementRate).passed);
        assert!(!rule_tree(Score::ConstraintSatisfaction).passed && !rule_tree(Score::LossMakingRate).passed);
        assert!(summary.gates.iter().all(|result| result.gated == (result.agent == "nash")));
    }

    #[test]
    fn ceilings_have_no_gates_and_a_baseline_none_against_itself() {
        let summary = summarise(&run());
        assert!(summary.gates.iter().all(|result| result.agent != "oracle"));
        let against_itself = |result: &&GateResult| result.agent == "rule-tree" && result.baseline.is_some();
        assert_eq!(summary.gates.iter().filter(against_itself).count(), 0);
    }

    #[test]
    fn the_lower_bound_is_what_must_beat_the_baseline() {
        let summary = summarise(&run());
        let gate = result(&summary.gates, "nash", Score::SurplusEfficiency);
        let nash = summary.estimate("nash", Score::SurplusEfficiency).expect("a score");
        assert_eq!((gate.value, gate.baseline.as_deref()), (Some(nash.low), Some("rule-tree")));
        assert!((gate.threshold.expect("the baseline's") - 0.3).abs() < 1e-12);
    }

    #[test]
    fn a_gate_whose_baseline_did_not_play_is_not_kept_and_says_so() {
        let nash: Vec<_> = run().into_iter().filter(|record| &*record.key.agent == "nash").collect();
        let summary = summarise(&nash);
        let gate = result(&summary.gates, "nash", Score::SurplusEfficiency);
        assert!(!gate.passed);
        assert_eq!(gate.note.as_deref(), Some("rule-tree is not in this run: add --agent rule-tree"));
    }

    #[test]
    fn a_baseline_that_played_without_a_score_is_not_asked_for_again() {
        let mut records = run();
        records.retain(|record| &*record.key.agent == "nash");
        for index in 0..40 {
            let mut unknown = scores(index, 0.3);
            unknown.best_gain = None;
            records.push(record_of(key("rule-tree", index, 0), unknown, false));
        }
        let summary = summarise(&records);
        let gate = result(&summary.gates, "nash", Score::SurplusEfficiency);
        assert!(!gate.passed);
        assert_eq!(gate.note.as_deref(), Some("rule-tree has no surplus_efficiency to compare with"));
    }

    #[test]
    fn an_agent_that_is_not_comparable_keeps_no_gate_and_the_note_says_why() {
        let mut records = run();
        records.push(EpisodeRecord::infra_error(key("nash", 40, 0), "boulware".into(), "connection refused"));
        let summary = summarise(&records);
        let own: Vec<_> = summary.gates.iter().filter(|result| result.agent == "nash").collect();
        assert_eq!(own.len(), 4);
        for gate in own {
            assert!(!gate.passed && gate.gated, "{gate:?}");
            let expected = "infrastructure failed more than 1 % of nash's episodes, so its figures are not comparable";
            assert_eq!(gate.note.as_deref(), Some(expected));
        }
        let others = |results: &[GateResult]| -> Vec<GateResult> {
            results.iter().filter(|result| result.agent != "nash").cloned().collect()
        };
        assert_eq!(others(&summary.gates), others(&summarise(&run()).gates));
    }

    #[test]
    fn edges_pass_at_but_not_above() {
        assert!(Direction::AtLeast.holds(0.55, 0.55) && Direction::AtMost.holds(0.01, 0.01));
        assert!(!Direction::Above.holds(0.3, 0.3));
        assert!(!Direction::AtLeast.holds(f64::NAN, 0.0));
    }

    #[test]
    fn a_gate_survives_its_file_and_an_unknown_score_is_answered_with_the_names() {
        for gate in Gate::defaults() {
            let text = serde_json::to_string(&gate).expect("JSON");
            assert_eq!(serde_json::from_str::<Gate>(&text).expect("a gate"), gate);
        }
        let error = serde_json::from_str::<GateScore>("\"charm\"").expect_err("unknown").to_string();
        assert!(error.starts_with("\"charm\" is no score: one of agreement_rate, "), "{error}");
    }

    #[test]
    fn latency_is_gated_on_its_p95_and_in_timing_alone() {
        let decision_latency_ms = LatencyQuantiles { p50: 1.0, p95: 250.0, p99: 300.0 };
        let agents = [("nash".to_owned(), AgentTiming { decision_latency_ms, decisions: 10 })].into();
        let timing = Timing { agents, jobs: 1, wall_seconds: 1.0, gates: Vec::new() };
        let results = evaluate_latency(&timing, &Gate::defaults(), &["nash".to_owned()], standing);
        assert_eq!(results.len(), 1);
        assert_eq!((results[0].value, results[0].passed, results[0].gated), (Some(250.0), false, true));
        assert_eq!(results[0].note, None);
        let timing = Timing { jobs: 2, ..timing };
        let results = evaluate_latency(&timing, &Gate::defaults(), &["nash".to_owned()], standing);
        assert_eq!((results[0].value, results[0].passed, results[0].gated), (Some(250.0), false, false));
        assert_eq!(results[0].note.as_deref(), Some("measured with 2 jobs at a time, so not gated: use --jobs 1"));
        assert!(summarise(&run()).gates.iter().all(|result| matches!(result.score, GateScore::Score(_))));
    }
}
