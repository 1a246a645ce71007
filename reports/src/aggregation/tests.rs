use proptest::prelude::*;

use super::*;
use crate::fixture::{key, record, record_of, run, scores, summarise, told};
use crate::score::Score;

fn value(summary: &Summary, agent: &str, score: Score) -> f64 {
    summary.estimate(agent, score).expect("a score").value
}

#[test]
fn a_run_is_summarised_as_worked_out_by_hand() {
    let summary = summarise(&run());
    assert_eq!((summary.episodes, summary.feasible_share), (40, Some(0.8)));
    let rule_tree = |score| value(&summary, "rule-tree", score);
    assert_eq!(rule_tree(Score::AgreementRate), 0.8);
    assert_eq!(rule_tree(Score::FeasibleAgreementRate), 1.0);
    assert_eq!(rule_tree(Score::FalseAgreementRate), 0.0);
    assert!((rule_tree(Score::SurplusEfficiency) - 0.3).abs() < 1e-12);
    assert_eq!(rule_tree(Score::ConstraintSatisfaction), 1.0 - 5.0 / 40.0);
    assert_eq!(rule_tree(Score::LossMakingRate), 0.1);
    assert_eq!(rule_tree(Score::MandateViolationRate), 0.1);
    assert_eq!(rule_tree(Score::Corrections), 5.0 / 40.0);
    assert_eq!(rule_tree(Score::Rounds), 4.0);
    assert_eq!(summary.estimate("rule-tree", Score::FeasibleAgreementRate).expect("a score").n, 32);
    assert_eq!(summary.estimate("rule-tree", Score::SavingsAgainstOpening), None);
    assert_eq!(summary.estimate("rule-tree", Score::AgreementEveryTime), None);
    let by_seat = &summary.agents["nash"].seats;
    assert_eq!(by_seat["buyer"][&Score::AgreementRate].n + by_seat["supplier"][&Score::AgreementRate].n, 40);
    assert_eq!(summary.families(), ["boulware", "conceder"]);
}

#[test]
fn every_graded_episode_is_in_its_quintile_and_no_other_is() {
    let summary = summarise(&run());
    let nash = &summary.agents["nash"];
    let episodes = |quintile| nash.difficulty[&quintile][&Score::AgreementRate].n;
    assert_eq!(summary.quintiles(), [1, 2, 3, 4, 5]);
    // 32 of the 40 episodes are feasible, and only those are graded.
    assert_eq!((1..=5).map(episodes).sum::<u64>(), 32);
    // Scenarios 2, 9 and 16 of 20 are third, less those that are infeasible (9).
    assert_eq!(episodes(3), 4);
    let text = summary.to_json().expect("JSON");
    assert_eq!(serde_json::from_str::<Summary>(&text).expect("a summary"), summary);
    let ungraded = record("nash", 0, 0.5).graded(None);
    let ungraded = summarise(&[ungraded]);
    assert!(ungraded.quintiles().is_empty() && !ungraded.to_json().expect("JSON").contains("difficulty"));
}

#[test]
fn losses_and_failures_stay_in_surplus_efficiency() {
    let mut losing = scores(0, -2.0);
    losing.agreement = true;
    let mut walked = scores(2, 0.0);
    walked.agreement = false;
    let records = [record_of(key("a", 0, 0), losing, false), record_of(key("a", 2, 0), walked, false)];
    // Best gains are 5 and 6: (-10 + 0) / (5 + 6).
    assert!((value(&summarise(&records), "a", Score::SurplusEfficiency) + 10.0 / 11.0).abs() < 1e-12);
}

#[test]
fn the_summary_file_has_the_promised_shape() {
    let text = summarise(&run()).to_json().expect("JSON");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    for field in ["suite", "seed", "split", "episodes", "agents", "gates"] {
        assert!(json.get(field).is_some(), "{field}");
    }
    let nash = &json["agents"]["nash"];
    for field in ["value", "low", "high", "n"] {
        assert!(nash["surplus_efficiency"][field].is_number(), "{field}");
    }
    assert_eq!(nash["infra_errors"], 0);
    assert_eq!(nash["digest"].as_str().map(str::len), Some(64));
    for field in ["agent", "score", "threshold", "value", "passed"] {
        assert!(json["gates"][0].get(field).is_some(), "{field}");
    }
    assert!(!text.contains("latency"), "wall-clock figures stay in timing.json");
}

#[test]
fn a_summary_survives_its_file() {
    let summary = summarise(&run());
    let text = summary.to_json().expect("JSON");
    assert_eq!(serde_json::from_str::<Summary>(&text).expect("a summary"), summary);
}

#[test]
fn the_summary_has_the_same_bytes_whatever_the_thread_count() {
    let records = run();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| summarise(&records).to_json().expect("JSON"))
    };
    assert_eq!(on(1), on(5));
}

#[test]
fn a_repeated_record_counts_once_and_a_changed_one_is_refused() {
    let mut records = run();
    let expected = summarise(&records);
    records.push(records[3].clone());
    assert_eq!(summarise(&records), expected);
    let mut aggregation = Aggregation::default();
    let mut other = scores(0, 0.5);
    other.agreement = false;
    aggregation.add(&record("nash", 0, 0.5)).expect("one run");
    aggregation.add(&record_of(key("nash", 0, 0), other, false)).expect("one run");
    let error = aggregation.finish(&SummaryOptions::default()).expect_err("contradiction").to_string();
    assert!(error.starts_with("nash, episode 0, repeat 0: two records with the digests "), "{error}");
}

#[test]
fn identical_results_are_counted_and_failures_repeats_and_contradictions_are_not() {
    let mut aggregation = Aggregation::default();
    let mut add = |record: &EpisodeRecord| {
        aggregation.add(record).expect("one run");
        aggregation.duplicates()
    };
    let first = record("nash", 0, 0.5);
    let failed = EpisodeRecord::infra_error(key("nash", 2, 0), "boulware".into(), "connection refused");
    let mut other = scores(1, 0.5);
    other.agreement = !other.agreement;
    assert_eq!(add(&first), 0);
    assert_eq!(add(&record("oracle", 0, 0.5)), 0);
    assert_eq!(add(&record_of(key("nash", 0, 1), scores(0, 0.5), false)), 0);
    assert_eq!((add(&failed), add(&failed)), (0, 0));
    assert_eq!((add(&record("nash", 1, 0.5)), add(&record_of(key("nash", 1, 0), other, false))), (0, 0));
    assert_eq!((add(&first), add(&first)), (1, 2));
}

#[test]
fn joint_gains_of_very_unequal_scales_keep_their_ratio() {
    let records = [0, 2].map(|index| {
        let mut scores = scores(index, 0.5);
        scores.scale = 1e-60;
        (scores.gain, scores.best_gain) = (2e-61, Some(1e-60));
        (scores.joint_gain, scores.best_joint) = (0.25, Some(1.0));
        // Only money has a status quo to save against.
        scores.savings_against_status_quo = None;
        record_of(key("nash", index, 0), scores, false)
    });
    let summary = summarise(&records);
    assert!((value(&summary, "nash", Score::JointEfficiency) - 0.25).abs() < 1e-12);
    assert!((value(&summary, "nash", Score::SurplusEfficiency) - 0.2).abs() < 1e-12);
}

#[test]
fn an_episode_number_that_no_row_can_hold_is_refused() {
    let index = u64::from(u32::MAX) + 1;
    let error = Aggregation::default().add(&record("nash", index, 0.5)).expect_err("too large").to_string();
    assert_eq!(
        error,
        "nash, episode 4294967296: the episode's number is 4294967296, beyond the 4294967295 that a summary can hold"
    );
}

#[test]
fn a_result_stands_in_for_an_infrastructure_failure_and_the_rest_are_counted() {
    let mut records = run();
    let failed = |index| EpisodeRecord::infra_error(key("nash", index, 0), "boulware".into(), "connection refused");
    records.insert(0, failed(3));
    records.push(failed(5));
    assert_eq!(summarise(&records), summarise(&run()));
    records.extend([failed(100), failed(100)]);
    let summary = summarise(&records);
    assert_eq!((summary.agents["nash"].infra_errors, summary.agents["nash"].comparable), (1, false));
    assert_eq!(summary.agents["nash"].digest, summarise(&run()).agents["nash"].digest);
    assert_eq!(summary.agents["oracle"].infra_errors, 0);
}

#[test]
fn records_of_two_runs_are_not_mixed() {
    let mut aggregation = Aggregation::default();
    aggregation.add(&record("nash", 0, 0.5)).expect("one run");
    let mut other = key("nash", 1, 0);
    other.seed = 8;
    let error = aggregation.add(&record_of(other, scores(1, 0.5), false)).expect_err("another seed");
    assert_eq!(
        error.to_string(),
        "nash, episode 1: the seed is 8, but the first record has 7; summarise one run at a time"
    );
}

#[test]
fn nothing_to_summarise_is_an_error() {
    let error = Aggregation::default().finish(&SummaryOptions::default()).expect_err("empty");
    assert_eq!(error, AggregationError::Empty);
}

#[test]
fn agreement_in_every_repeat_counts_groups_of_repeats() {
    let mut records = Vec::new();
    for repeat in 0..3 {
        for index in 0..4 {
            let mut scores = scores(index, 0.5);
            scores.agreement = index != 1 || repeat != 2;
            records.push(record_of(key("model", index, repeat), scores, false));
        }
    }
    let summary = summarise(&records);
    let every = summary.estimate("model", Score::AgreementEveryTime).expect("repeats");
    assert_eq!((every.value, every.n), (0.75, 4));
    assert_eq!(summary.episodes, 4);
    assert!((value(&summary, "model", Score::AgreementRate) - 11.0 / 12.0).abs() < 1e-12);
}

#[test]
fn pass_at_a_depth_is_the_chance_that_so_many_repeats_are_all_sound() {
    let mut records = Vec::new();
    // Sound in 4, 3, 2 and 0 of four repeats: C(c, k) / C(4, k), averaged.
    for (index, sound) in [(0, 4), (1, 3), (2, 2), (3, 0)] {
        for repeat in 0..4 {
            let mut scores = scores(index, 0.5);
            scores.feasible = Some(true);
            scores.agreement = repeat < sound;
            records.push(record_of(key("model", index, repeat), scores, false));
        }
    }
    let summary = summarise(&records);
    let pass = &summary.agents["model"].pass;
    let expected = [9.0 / 4.0 / 4.0, (1.0 + 3.0 / 6.0 + 1.0 / 6.0) / 4.0, (1.0 + 1.0 / 4.0) / 4.0, 1.0 / 4.0];
    assert_eq!(pass.len(), 4);
    for (k, expected) in (1..).zip(expected) {
        assert!((pass[&k].value - expected).abs() < 1e-12, "pass^{k}: {}", pass[&k].value);
    }
    assert!((value(&summary, "model", Score::Pass) - 0.25).abs() < 1e-12, "all four repeats");
    let read: Summary = serde_json::from_str(&summary.to_json().expect("JSON")).expect("read back");
    assert_eq!(read.agents["model"].pass.len(), 4);
    assert!(summarise(&run()).agents["nash"].pass.is_empty(), "nothing was repeated");
}

#[test]
fn readings_are_counted_over_all_statements_of_the_episodes_that_read_any() {
    use zopa_envs::score::ReadingScores;
    let with = |index, reading| {
        let mut scores = scores(index, 0.5);
        scores.reading = reading;
        record_of(key("dialogue", index, 0), scores, false)
    };
    let one = ReadingScores { messages: 2, hits: 6, false_alarms: 2, misses: 4, unclear: 1 };
    let two = ReadingScores { messages: 1, hits: 1, false_alarms: 1, misses: 0, unclear: 0 };
    let summary = summarise(&[with(0, Some(one)), with(1, Some(two)), with(2, None)]);
    assert!((value(&summary, "dialogue", Score::ReadingPrecision) - 0.7).abs() < 1e-12);
    assert!((value(&summary, "dialogue", Score::ReadingRecall) - 7.0 / 11.0).abs() < 1e-12);
    assert_eq!(summarise(&run()).estimate("nash", Score::ReadingRecall), None);
}

#[test]
fn interventions_are_counted_one_by_one_where_somebody_stepped_in() {
    let summary = summarise(&[told(0, 1, false), told(1, 2, true), told(2, 1, false), told(4, 0, true)]);
    let estimate = summary.estimate("nash", Score::InterventionCompliance).expect("interventions");
    assert_eq!((estimate.value, estimate.n), (0.5, 4));
    let kept = summarise(&[told(0, 1, false), told(2, 1, false)]);
    let kept = kept.estimate("nash", Score::InterventionCompliance).expect("interventions");
    assert!(kept.value == 1.0 && kept.low < 0.5, "two scenarios show little: {kept:?}");
    let summary = summarise(&run());
    assert_eq!(summary.estimate("nash", Score::InterventionCompliance), None);
    assert!(!summary.to_json().expect("JSON").contains("intervention"), "summaries of other suites keep their bytes");
}

#[test]
fn an_agent_is_compared_with_the_baseline_on_the_same_scenarios() {
    let summary = summarise(&run());
    let agents: Vec<&str> = summary.comparisons.iter().map(|comparison| comparison.agent.as_str()).collect();
    assert_eq!(agents, ["nash", "oracle"]);
    let oracle = &summary.comparisons[1];
    assert!((oracle.difference.value - 0.7).abs() < 1e-12 && oracle.difference.excludes_zero());
    // Ties on the 20 % of infeasible scenarios count half.
    assert!((oracle.improvement.expect("pairs").value - 0.9).abs() < 1e-12);
    assert!(oracle.p_value_holm >= oracle.p_value);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn the_summary_has_the_same_bytes_whatever_the_order_of_records(order in Just(run()).prop_shuffle()) {
        prop_assert_eq!(summarise(&order).to_json().expect("JSON"), summarise(&run()).to_json().expect("JSON"));
    }
}

#[test]
fn beliefs_are_summed_over_intervals_and_only_where_some_were_stated() {
    use zopa_envs::score::BeliefScores;
    let believing = |index, stated, interval_score, coverage| {
        let mut scores = scores(index, 0.5);
        let (prior_interval_score, width) = (2.0, 0.5);
        let beliefs =
            BeliefScores { stated, invalid: 0, interval_score, prior_interval_score, width, coverage, level: 0.8 };
        scores.beliefs = Some(beliefs);
        record_of(key("solver", index, 0), scores, false)
    };
    let silent = record("solver", 4, 0.5);
    // Nothing of it could be scored.
    let invalid = believing(6, 0, 0.0, 0.0);
    let summary = summarise(&[believing(0, 4, 1.0, 0.75), believing(2, 1, 2.0, 1.0), silent.clone(), invalid]);
    // (4 * 1 + 1 * 2) / (5 * 2) and (4 * 0.75 + 1) / 5.
    assert!((value(&summary, "solver", Score::BeliefIntervalScore) - 0.6).abs() < 1e-6);
    assert!((value(&summary, "solver", Score::BeliefCoverage) - 0.8).abs() < 1e-6);
    assert!((value(&summary, "solver", Score::BeliefWidth) - 0.5).abs() < 1e-6);
    assert!((value(&summary, "solver", Score::BeliefLevel) - 0.8).abs() < 1e-6);
    assert_eq!(summary.estimate("solver", Score::BeliefCoverage).expect("a score").n, 2);
    let summary = summarise(&[silent]);
    assert_eq!(summary.estimate("solver", Score::BeliefIntervalScore), None);
    assert!(!summary.to_json().expect("JSON").contains("belief"));
}

#[test]
fn shares_of_what_was_attainable_are_of_the_ceilings_that_played() {
    let mut aggregation = Aggregation::default();
    let reached = [("nash", 0.3), ("best-response", 0.6), ("oracle", 0.9), ("bayes-best-response", 0.5)];
    for (agent, share) in reached {
        for index in 0..40 {
            aggregation.add(&record_of(key(agent, index, 0), scores(index, share), false)).expect("one run");
        }
    }
    let ceilings = ["best-response", "oracle", "bayes-best-response"];
    let standings = ceilings.map(|id| (id.to_owned(), Standing::Ceiling)).into();
    let bootstrap = Bootstrap { replicates: 100, ..Bootstrap::default() };
    let summary = aggregation.finish(&SummaryOptions { standings, bootstrap, ..SummaryOptions::default() });
    let shares = summary.expect("complete").attainable;
    let of = |ceiling: &str| {
        let found = shares.iter().find(|share| share.agent == "nash" && share.ceiling == ceiling).expect("a share");
        // The share is the same in every scenario, so that resampling moves it by rounding alone.
        assert!(found.share.high - found.share.low < 1e-9 && found.share.n == 40, "{found:?}");
        (found.share.value, found.estimated)
    };
    assert!((of("best-response").0 - 0.5).abs() < 1e-9 && !of("best-response").1);
    assert!((of("bayes-best-response").0 - 0.6).abs() < 1e-9 && of("bayes-best-response").1);
    assert_eq!(shares.len(), 6, "three agents for each of two ceilings, and none for the oracle's");
}
