use super::{Bound, Gate, GateResult, GateScore, LatencyScore, Threshold};
use crate::manifest::Standing;
use crate::score::Score;
use crate::statistics::Estimate;
use crate::summary::Summary;
use crate::timing::Timing;

/// The first agent's score less the second's on the same scenarios, against one family where one is named.
pub type Paired<'a> = &'a dyn Fn(&str, &str, Score, Option<&str>) -> Option<Estimate>;

/// Evaluates all gates but latency for every agent, in order of agent, then gate. `gated` names the agents whose gates
/// set the exit code. A gate against a baseline is left out for that baseline, and gates for ceilings. An agent that is
/// not comparable keeps no gate, whatever the episodes that it did finish say. `paired` gives the difference of two agents on the
/// same scenarios, which is what a bound against another agent is held to: both agents' luck with the scenarios is in it once.
pub fn evaluate(
    summary: &Summary,
    gates: &[Gate],
    gated: &[String],
    standing: impl Fn(&str) -> Standing,
    paired: Paired<'_>,
) -> Vec<GateResult> {
    let mut results = Vec::new();
    for agent in summary.agents.keys().filter(|agent| standing(agent) != Standing::Ceiling) {
        for gate in gates.iter().filter(|gate| gate.agents.is_empty() || gate.agents.contains(agent)) {
            let GateScore::Score(score) = gate.score else { continue };
            let against_itself = matches!(&gate.threshold, Threshold::Baseline(baseline) if baseline == agent);
            if against_itself {
                continue;
            }
            let families: Vec<Option<&str>> = match gate.family.as_deref() {
                Some(Gate::EACH_FAMILY) => summary.families().into_iter().map(Some).collect(),
                family => vec![family],
            };
            let held = |family| evaluate_score(summary, gate, score, agent, family, gated.contains(agent), paired);
            results.extend(families.into_iter().map(held));
        }
    }
    results
}

fn evaluate_score(
    summary: &Summary,
    gate: &Gate,
    score: Score,
    agent: &str,
    family: Option<&str>,
    gated: bool,
    paired: Paired<'_>,
) -> GateResult {
    let mut notes = Vec::new();
    let estimate_of = |agent: &str, score| match family {
        None => summary.estimate(agent, score),
        Some(family) => summary.agents.get(agent)?.families.get(family)?.get(&score),
    };
    let (mut estimate, mut counted) = (estimate_of(agent, score), score);
    if estimate.is_none() && score == Score::FeasibleAgreementRate {
        (estimate, counted) = (estimate_of(agent, Score::AgreementRate), Score::AgreementRate);
        notes.push("feasibility says nothing here, so all episodes count".to_owned());
    }
    let end = |estimate: &Estimate| match gate.bound {
        Bound::Point => estimate.value,
        Bound::Lower => estimate.low,
        Bound::Upper => estimate.high,
    };
    let mut value = estimate.map(end);
    if value.is_none() {
        let against = family.map(|family| format!(" against {family}")).unwrap_or_default();
        notes.push(format!("{agent} has no {}{against}", score.name()));
    }
    let (threshold, baseline) = match &gate.threshold {
        Threshold::Value(value) => (Some(*value), None),
        Threshold::Baseline(baseline) => {
            let threshold = estimate_of(baseline, counted).map(|estimate| estimate.value);
            if let (Some(threshold), Some(_), Bound::Lower | Bound::Upper) = (threshold, value, gate.bound) {
                value = paired(agent, baseline, counted, family).map(|difference| threshold + end(&difference));
            }
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
    let (agent, score, family) = (agent.to_owned(), gate.score, family.map(str::to_owned));
    GateResult { agent, score, threshold, baseline, direction, bound, family, value, passed, gated, note }
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
        for gate in gates.iter().filter(|gate| gate.agents.is_empty() || gate.agents.contains(agent)) {
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
                family: None,
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
    use super::super::*;
    use super::*;
    use crate::fixture::{key, record_of, run, scores, standing, summarise};
    use crate::record::EpisodeRecord;
    use crate::statistics::LatencyQuantiles;
    use crate::timing::AgentTiming;

    /// For gates that are held to no other agent.
    fn alone(_: &str, _: &str, _: Score, _: Option<&str>) -> Option<Estimate> {
        None
    }

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
        assert_eq!(gate.baseline.as_deref(), Some("rule-tree"));
        let threshold = gate.threshold.expect("the baseline's");
        assert!((threshold - 0.3).abs() < 1e-12);
        let paired =
            summary.comparisons.iter().find(|found| found.agent == "nash").expect("compared with the baseline");
        assert_eq!(gate.value, Some(threshold + paired.difference.low));
    }

    #[test]
    fn a_small_lead_in_every_scenario_beats_the_baseline_though_both_intervals_are_wide() {
        let share = |index: u64| 0.1 + 0.8 * ((index / 2 * 7 % 11) as f64 / 10.0);
        let mut records = Vec::new();
        for index in 0..60 {
            records.push(record_of(key("nash", index, 0), scores(index, share(index) + 0.01), false));
            records.push(record_of(key("rule-tree", index, 0), scores(index, share(index)), false));
        }
        let summary = summarise(&records);
        let [nash, rule_tree] =
            ["nash", "rule-tree"].map(|id| summary.estimate(id, Score::SurplusEfficiency).expect("a score"));
        assert!(nash.low < rule_tree.value, "unpaired, nothing is shown");
        assert!(result(&summary.gates, "nash", Score::SurplusEfficiency).passed);
    }

    #[test]
    fn a_bound_that_would_pass_what_is_not_shown_is_refused() {
        let check = |direction, bound| {
            Gate::new(GateScore::Score(Score::AgreementRate), direction, Threshold::Value(0.5), bound).check()
        };
        for (direction, bound) in
            [(Direction::AtMost, Bound::Lower), (Direction::AtLeast, Bound::Upper), (Direction::Above, Bound::Upper)]
        {
            assert!(check(direction, bound).is_err_and(|fault| fault.contains("the bound that must be shown is")));
        }
        assert_eq!(check(Direction::AtMost, Bound::Upper), Ok(()));
        assert_eq!(check(Direction::AtLeast, Bound::Lower), Ok(()));
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

    fn least(score: Score, threshold: f64) -> Gate {
        Gate::new(GateScore::Score(score), Direction::AtLeast, Threshold::Value(threshold), Bound::Point)
    }

    #[test]
    fn a_gate_for_each_family_is_evaluated_on_that_family_s_episodes() {
        let summary = summarise(&run());
        let gate = Gate { family: Some(Gate::EACH_FAMILY.to_owned()), ..least(Score::ConstraintSatisfaction, 0.9) };
        let results = evaluate(&summary, &[gate], &["rule-tree".to_owned()], standing, &alone);
        let of = |agent: &str| -> Vec<(&str, Option<f64>, bool)> {
            let own = results.iter().filter(|result| result.agent == agent);
            own.map(|result| (result.family.as_deref().unwrap_or("all"), result.value, result.passed)).collect()
        };
        // Every eighth episode of the baseline breaks a guardrail: all of those meet the first family.
        assert_eq!(of("rule-tree"), [("boulware", Some(0.75), false), ("conceder", Some(1.0), true)]);
        assert_eq!(of("nash"), [("boulware", Some(1.0), true), ("conceder", Some(1.0), true)]);
        let one = Gate { family: Some("conceder".to_owned()), ..least(Score::ConstraintSatisfaction, 0.9) };
        assert!(evaluate(&summary, &[one], &[], standing, &alone).iter().all(|result| result.passed));
        let none = Gate { family: Some("stranger".to_owned()), ..least(Score::ConstraintSatisfaction, 0.9) };
        let results = evaluate(&summary, &[none], &[], standing, &alone);
        assert!(!results[0].passed);
        assert_eq!(results[0].note.as_deref(), Some("nash has no constraint_satisfaction against stranger"));
    }

    #[test]
    fn a_gate_for_some_agents_leaves_the_others_alone() {
        let gate = Gate { agents: vec!["nash".to_owned()], ..least(Score::AgreementRate, 0.9) };
        let results = evaluate(&summarise(&run()), &[gate], &[], standing, &alone);
        assert_eq!(results.iter().map(|result| result.agent.as_str()).collect::<Vec<_>>(), ["nash"]);
    }

    #[test]
    fn a_gate_that_cannot_be_tested_is_refused_when_it_is_read() {
        let of_family = |score: GateScore| {
            let gate = Gate::new(score, Direction::AtLeast, Threshold::Value(1.0), Bound::Point);
            Gate { family: Some("boulware".to_owned()), ..gate }.check()
        };
        assert!(of_family(GateScore::Score(Score::AgreementRate)).is_ok());
        assert!(
            of_family(GateScore::Score(Score::Rounds)).is_err_and(|fault| fault.contains("not computed by family"))
        );
        assert!(of_family(GateScore::Latency(LatencyScore::P95)).is_err());
        assert!(least(Score::AgreementRate, f64::NAN).check().is_err());
        assert!(Gate::defaults().iter().all(|gate| gate.check().is_ok()));
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
        let timing = AgentTiming {
            decision_latency_ms,
            decisions: 10,
            histogram: Default::default(),
            speech_latency_ms: None,
            speech_histogram: Default::default(),
        };
        let agents = [("nash".to_owned(), timing)].into();
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
