use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::fixture::{hostile_name, key, manifest, record_of, scores, standing, told};
use crate::manifest::AgentEntry;
use crate::record::EpisodeRecord;
use crate::statistics::{Bootstrap, LatencyQuantiles};

const QUICK: Bootstrap = Bootstrap { replicates: 200, confidence: 0.95, seed: 0 };

/// An arm that reaches `share` of the best gain in the given episodes.
fn arm(id: &str, run: &str, share: f64, episodes: impl Iterator<Item = u64>) -> Arm {
    let entry = AgentEntry { id: id.to_owned(), version: 1, options: String::new(), standing: standing(id) };
    let mut arm = Arm::new(entry, run.to_owned(), manifest(&[id]));
    arm.manifest.episodes = 0;
    for index in episodes {
        arm.manifest.episodes = index + 1;
        arm.add(&record_of(key(id, index, 0), scores(index, share), false)).expect("a scale");
    }
    arm
}

fn options() -> ComparisonOptions<'static> {
    ComparisonOptions { bootstrap: QUICK, ..ComparisonOptions::default() }
}

fn compared(arms: &[Arm]) -> ComparisonTable {
    ComparisonTable::of(arms, &options()).expect("comparable")
}

#[test]
fn arms_are_compared_on_the_episodes_that_all_have() {
    let table = compared(&[arm("nash", "a", 0.7, 0..40), arm("rule-tree", "b", 0.3, 0..60)]);
    assert_eq!((table.pairing, table.scenarios), (Pairing::Paired, 20));
    let [best, worst] = &table.arms[..] else { panic!("two arms") };
    assert_eq!((best.name.as_str(), best.episodes, worst.episodes), ("nash", 40, 40));
    assert!((best.measures[&Measure::RealisedValue].value - 0.7).abs() < 1e-12);
    let difference = worst.differences[&Measure::RealisedValue];
    assert!((difference.difference.value + 0.4).abs() < 1e-12, "the first arm is the reference");
    // Both reach the same share in every scenario, so that the paired difference has no width.
    assert!(difference.difference.high - difference.difference.low < 1e-9 && difference.p_value_holm < 0.02);
    assert!(best.differences.is_empty() && !best.measures.contains_key(&Measure::RelationshipOutcome));
}

#[test]
fn episodes_that_a_run_lost_are_told() {
    let lost = |recorded: u64| {
        let mut lost = arm("nash", "a", 0.7, 0..recorded);
        lost.manifest.episodes = 400;
        compared(&[arm("rule-tree", "b", 0.3, 0..400), arm("micro", "c", 0.5, 0..400), lost])
    };
    let few = lost(398);
    assert_eq!(few.notes.len(), 1, "{:?}", few.notes);
    assert!(few.notes[0].starts_with("nash: 2 of its episodes have no record"), "{:?}", few.notes);
    assert!(few.not_comparable.is_empty());
    // Whoever may leave out what went wrong wins any comparison.
    let many = lost(390);
    assert!(many.not_comparable[0].reason.starts_with("2.5 % of its episodes have no record"), "{many:?}");
}

#[test]
fn what_is_not_comparable_is_named_with_its_reason() {
    let check = |change: &dyn Fn(&mut Arm), expected: &str| {
        let mut third = arm("micro", "c", 0.5, 0..40);
        change(&mut third);
        let table = compared(&[arm("nash", "a", 0.7, 0..40), arm("rule-tree", "b", 0.3, 0..40), third]);
        let reasons: Vec<&str> = table.not_comparable.iter().map(|excluded| excluded.reason.as_str()).collect();
        assert_eq!((table.arms.len(), &reasons[..]), (2, &[expected][..]));
    };
    check(&|arm| arm.manifest.suite_version = 2, "another version of the suite: 2, where a has 1");
    check(&|arm| arm.manifest.zopa = "0.2.0".to_owned(), "another version of zopa: 0.2.0, where a has 0.1.0");
    check(&|arm| arm.manifest.seed = 8, "another seed: 8, where a has 7");
    check(&|arm| arm.manifest.opponent = "agent:nash".to_owned(), "another opponent: agent:nash, where a has mix");
    check(
        &|arm| arm.manifest.suite_digest = zopa_envs::Digest::of_bytes(b"other"),
        "another text of the suite than a played, under the same version",
    );
    check(
        &|arm| arm.kind = ArmKind::Ceiling,
        "other information: it sees the other side's type and tactic, which no contender does",
    );
    let lost = |arm: &mut Arm| {
        let failed = EpisodeRecord::infra_error(key("micro", 40, 0), "boulware".into(), "status 503");
        arm.add(&failed).expect("a record");
    };
    check(&lost, "infrastructure failed 2.4 % of its episodes, more than 1 %");
    let other = |arm: &mut Arm| {
        arm.cases.get_mut(&(4, 0)).expect("played").best_gain = 0.5;
    };
    check(&other, "episode 4 is another scenario than in a");
    check(&|arm| arm.cases.clear(), "it has no result");
}

#[test]
fn a_failure_up_to_one_per_cent_leaves_an_arm_comparable_and_is_told() {
    let mut first = arm("nash", "a", 0.7, 0..199);
    first.add(&EpisodeRecord::infra_error(key("nash", 199, 0), "boulware".into(), "reset")).expect("a record");
    let table = compared(&[first, arm("rule-tree", "b", 0.3, 0..200)]);
    assert!(table.not_comparable.is_empty());
    assert_eq!(table.notes, ["nash: infrastructure failed 1 of its episodes, which are left out."]);
}

#[test]
fn one_agent_of_two_runs_is_two_arms() {
    let table = compared(&[arm("nash", "a", 0.7, 0..40), arm("nash", "b", 0.6, 0..40)]);
    let names: Vec<&str> = table.arms.iter().map(|arm| arm.name.as_str()).collect();
    assert_eq!(names, ["nash (a)", "nash (b)"]);
}

#[test]
fn arms_without_a_common_episode_or_a_partner_are_refused() {
    let message = |arms: &[Arm]| ComparisonTable::of(arms, &options()).expect_err("nothing to compare").to_string();
    let part = |id: &str, number: u64| {
        let mut part = arm(id, id, 0.7, (0..40).filter(|index| index / 2 % 2 == number));
        (part.manifest.episodes, part.manifest.shard) = (40, format!("{}/2", number + 1).parse().ok());
        part
    };
    assert_eq!(
        message(&[part("nash", 0), part("micro", 1)]),
        "the comparable arms have no episode in common: nash, micro"
    );
    assert_eq!(
        message(&[arm("nash", "a", 0.7, 0..10), arm("oracle", "a", 1.0, 0..10)]),
        "fewer than two arms are comparable\n  oracle: other information: it sees the other side's type and tactic, which no \
         contender does"
    );
    let wanted = ComparisonOptions { reference: Some("dqn"), ..options() };
    let arms = [arm("nash", "a", 0.7, 0..10), arm("micro", "b", 0.5, 0..10)];
    let fault = ComparisonTable::of(&arms, &wanted).expect_err("no such arm").to_string();
    assert_eq!(fault, "\"dqn\" is no comparable arm: there are nash, micro");
}

#[test]
fn allotted_scenarios_are_compared_unpaired_and_the_missing_are_counted() {
    let allotted: BTreeMap<String, BTreeSet<u64>> = BTreeMap::from([
        ("nash".to_owned(), (0..20).filter(|scenario| scenario % 2 == 0).collect()),
        ("human".to_owned(), (0..20).filter(|scenario| scenario % 2 == 1).collect()),
    ]);
    // The person left out the last scenario that was allotted to it, and played one that was not.
    let human = (0..38).filter(|index| index / 2 % 2 == 1 || index / 2 == 4);
    let arms = [arm("nash", "a", 0.7, 0..40), arm("human", "b", 0.4, human)];
    let unpaired = ComparisonOptions { allotted: Some(&allotted), ..options() };
    let table = ComparisonTable::of(&arms, &unpaired).expect("comparable");
    assert_eq!((table.pairing, table.scenarios), (Pairing::Unpaired, 19));
    let human = table.arms.iter().find(|arm| arm.name == "human").expect("an arm");
    assert_eq!((human.episodes, human.missing, human.kind), (18, 2, ArmKind::Human));
    assert!(table.terminal().contains("UNPAIRED") && table.notes.len() == 2, "{:?}", table.notes);
}

fn prices() -> Prices {
    let tokens = |input, output| cost::TokenPrices { input_per_million: input, output_per_million: output };
    Prices {
        currency: "USD".to_owned(),
        inference: [("llm".to_owned(), tokens(1.0, 2.0))].into(),
        integration: cost::Integration { episodes: 1000, agents: [("*".to_owned(), 500.0)].into() },
        supervision: cost::Supervision { per_hour: 60.0, minutes_per_case: 5.0, minutes_per_human_episode: 12.0 },
        exceptions: cost::Exceptions { violation: 3.0, forfeit: 1.0, infra_error: 2.0, no_deal: 10.0 },
    }
}

#[test]
fn a_cost_adds_up_tokens_integration_people_and_exceptions() {
    let mut model = arm("llm", "a", 0.5, 0..10);
    model.tokens = Some(Tokens { input: 4_000_000, output: 500_000 });
    let mut troubled = scores(10, 0.5);
    troubled.conduct.escalations = 2;
    troubled.conduct.floor = 1;
    model.add(&record_of(key("llm", 10, 0), troubled, false)).expect("a scale");
    let prices = prices();
    let priced = ComparisonOptions { prices: Some(&prices), ..options() };
    let arms = [model, arm("human", "b", 0.4, 0..11)];
    let table = ComparisonTable::of(&arms, &priced).expect("comparable");
    let row = |name: &str| table.arms.iter().find(|arm| arm.name == name).expect("an arm");
    let model = row("llm");
    let charge = model.cost.expect("there are prices");
    assert!((charge.inference.expect("tokens are known") - 5.0 / 11.0).abs() < 1e-12);
    assert!((charge.integration - 0.5).abs() < 1e-12);
    assert!((charge.supervision - 10.0 / 11.0).abs() < 1e-12, "two cases of five minutes at 1 a minute");
    // Of scenarios 0 to 5 the fifth is infeasible: two episodes without a deal, and one violation.
    assert!((charge.exceptions - (2.0 * 10.0 + 3.0) / 11.0).abs() < 1e-12, "{charge:?}");
    let total = model.measures[&Measure::Cost].value;
    let sum = 5.0 / 11.0 + 0.5 + 10.0 / 11.0 + 23.0 / 11.0;
    assert!((total - sum).abs() < 1e-12, "{total} is {sum}");
    assert!((row("human").cost.expect("priced").supervision - 12.0).abs() < 1e-12);
}

#[test]
fn an_unknown_number_of_tokens_leaves_the_cost_out_and_says_so() {
    let prices = prices();
    let priced = ComparisonOptions { prices: Some(&prices), ..options() };
    let arms = [arm("llm", "a", 0.5, 0..10), arm("nash", "b", 0.4, 0..10)];
    let table = ComparisonTable::of(&arms, &priced).expect("comparable");
    let model = table.arms.iter().find(|arm| arm.name == "llm").expect("an arm");
    assert!(!model.measures.contains_key(&Measure::Cost));
    assert!(table.notes[0].starts_with("llm: its cost is left out"), "{:?}", table.notes);
}

#[test]
fn prices_below_zero_are_refused_with_their_field() {
    let mut wrong = prices();
    wrong.exceptions.no_deal = -1.0;
    assert_eq!(
        wrong.check().expect_err("negative").to_string(),
        "exceptions.no_deal is -1: give an amount of zero or more"
    );
    assert_eq!(prices().check(), Ok(()));
}

#[test]
fn interventions_complied_with_are_compared_where_somebody_stepped_in() {
    let arm_of = |refused: bool| {
        let mut arm = arm("nash", if refused { "b" } else { "a" }, 0.5, 0..0);
        arm.manifest.episodes = 20;
        for index in 0..20 {
            arm.add(&told(index, u16::from(index % 4 == 0), refused)).expect("a scale");
        }
        arm
    };
    let table = compared(&[arm_of(false), arm_of(true)]);
    let [kept, broke] = ["nash (a)", "nash (b)"].map(|name| {
        table.arms.iter().find(|arm| arm.name == name).expect("an arm").measures[&Measure::InterventionCompliance]
    });
    assert_eq!((kept.value, broke.value, kept.n), (1.0, 0.0, 5));
    let nobody = compared(&[arm("nash", "a", 0.7, 0..20), arm("micro", "b", 0.5, 0..20)]);
    assert!(nobody.arms.iter().all(|arm| !arm.measures.contains_key(&Measure::InterventionCompliance)));
}

#[test]
fn how_rightly_speech_is_read_stands_beside_its_figures_even_where_all_are_zero() {
    let stated = zopa_envs::message::accuracy::stated();
    let table = compared(&[arm("nash", "a", 0.7, 0..20), arm("micro", "b", 0.5, 0..20)]);
    assert_eq!(table.terminal().matches(&stated).count(), 1, "{}", table.terminal());
    // Figures and differences.
    assert_eq!(table.markdown().matches(&stated).count(), 2);
    assert_eq!(table.html().matches(&stated.replace('\'', "&#39;")).count(), 2);
}

#[test]
fn the_tables_read_the_same_in_every_medium_and_escape_what_they_show() {
    let mut first = arm("nash", "a", 0.7, 0..40);
    first.latency_ms = Some(LatencyQuantiles { p50: 0.1, p95: 0.25, p99: 1.0 });
    let hostile = arm(&hostile_name(), "b", 0.5, 0..40);
    let arms = [first, hostile, arm("oracle", "a", 1.0, 0..40)];
    let table = compared(&arms);
    insta::assert_snapshot!(table.terminal());
    let html = table.html();
    assert!(!html.contains("<script>") && html.contains("&lt;script&gt;"));
    assert!(table.markdown().contains("| nash |"));
    assert!(serde_json::to_string(&table).expect("JSON").contains("\"realised_value\""));
}
