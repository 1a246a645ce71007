//! What people read: a scenario in words, and the errors of a mistaken suite file.

use std::fmt::Write as _;
use std::sync::Arc;
use zopa_envs::{Digest, ScenarioSource};
use zopa_scenarios::{Opponent, SourceOptions, Suite, render};

/// The procurement suite with `from` written as `to`, and what is said of it.
fn said(from: &str, to: &str) -> String {
    let text = Suite::open("procurement-v1").expect("the suite is built in").text().to_owned();
    assert!(text.contains(from), "the suite has no \"{from}\"");
    match Suite::parse("mine.toml", &text.replacen(from, to, 1)) {
        Ok(_) => "nothing was said".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn every_mistake_is_told_with_file_line_field_and_what_to_do() {
    let mistakes = [
        ("hazard = 0.01", "hasard = 0.01"),
        ("hazard = 0.01", ""),
        ("rounds = 20", "rounds = \"twenty\""),
        ("rounds = 20", "rounds = 0"),
        ("rounds = 20", "rounds = 20 20"),
        ("rounds = 20", "rounds = 70000"),
        ("hazard = 0.01", "hazard = nan"),
        ("hazard = 0.01", "hazard = 1.0"),
        ("buyer = 1.0, supplier = 1.0", "buyer = 0.0, supplier = 1.0"),
        ("opening = 0.25", "opening = 0.75"),
        ("opener = \"drawn\"", "opener = \"random\""),
        ("guardrails = { caps", "guardrails = { cap"),
        ("floor = 0.15", "floor = inf"),
        ("version = 1", "version = 2"),
        ("baseline = \"rule-tree\"", "baseline = \"rule-three\""),
        ("gated = [\"nash\"]", "gated = [\"rule-tree\"]"),
        ("default_split = \"public\"", "default_split = \"pubic\""),
        ("seed = 2", "seed = 9007199254740992"),
        ("seed = 2", "seed = -1"),
        ("episodes = 500", "episodes = 501"),
        ("counterparts = \"training\"", "counterparts = \"held_out\""),
        ("feasible_agreement_rate = 0.55", "feasible_agreement_rate = 55"),
        ("feasible_agreement_rate", "feasible_agrement_rate"),
        ("role = \"payment_days\"", "role = \"payment\""),
        ("name = \"delivery\"", "name = \"payment\""),
        ("high = 1.5, ticks", "high = 1.50005, ticks"),
        ("low = 0.5, high = 1.5", "low = 0.9, high = 1.1"),
        ("step = 15", "step = 0"),
        ("labels = [\"basic\"", "labels = [\"premium\""),
        ("payment = [30, 45, 60]", "payment = [30, 40]"),
        ("payment = [30, 45, 60]", "payments = [30, 45, 60]"),
        ("quantity = [100]", ""),
        ("low = 20000.0, high", "low = 50.0, high"),
        ("low = -0.12, high = 0.08", "low = 0.12, high = 0.08"),
        ("low = -0.12, high = 0.08", "low = -0.12, high = inf"),
        ("low = -0.12, high = 0.08", "low = -0.12, hihg = 0.08"),
        ("{ uniform = { low = -0.12", "{ unifrom = { low = -0.12"),
        ("low = -0.12, high = 0.08", "low = \"low\", high = 0.08"),
        ("issue = \"delivery\"", "issue = \"deliverey\""),
        ("issue = \"delivery\"", "issue = \"price\""),
        ("by = \"financing_rate\"", "by = \"fixed_amount_per_day\""),
        ("log_uniform = { low = 0.03, high = 0.12 }", "log_uniform = { low = 3.0, high = 12.0 }"),
        ("[3, 2, 1, 0, -1, -2, -3]", "[3, 2, 1]"),
        ("[3, 2, 1, 0, -1, -2, -3]", "[3, 2, nan, 0, -1, -2, -3]"),
        ("share = 0.2", "share = -0.2"),
        ("share = 0.2", "share = 0.3"),
        ("share = 0.2", "shre = 0.2"),
        ("({last}), with", "({least}), with"),
        ("exponent that is {exponent}", "exponent of its own"),
        ("low = 0.15, high = 0.6", "low = 0.0, high = 0.6"),
        ("low = 0.004, high = 0.02", "low = 0.0, high = 0.02"),
        ("low = 0.004, high = 0.02", "low = 0.004, high = 0.2"),
        ("time_dependent = {", "time_dependant = {"),
        ("selection = \"take_over\"", "selection = \"takeover\""),
    ];
    let mut text = String::new();
    for (from, to) in mistakes {
        let _ = writeln!(text, "{from}  ->  {to}\n    {}\n", said(from, to).replace('\n', "\n    "));
    }
    assert!(!text.contains("nothing was said"), "{text}");
    insta::assert_snapshot!("mistakes", text);
}

/// The suite of all families with `from` written as `to`, and what is said of it.
fn said_of_families(from: &str, to: &str) -> String {
    let text = Suite::open("counterparts-v1").unwrap().text().to_owned();
    assert!(text.contains(from), "the suite has no \"{from}\"");
    match Suite::parse("mine.toml", &text.replacen(from, to, 1)) {
        Ok(_) => "nothing was said".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn families_that_cannot_be_are_told_with_their_place() {
    let mistakes = [
        ("behaviour = { reneging =", "behaviour = { renege ="),
        ("voice = { bluffing =", "voice = { bluff ="),
        ("voice = { pressuring = { frequency = { uniform = { low = 0.15, high = 0.4 } } } }", ""),
        ("chance {frequency} each it claims", "some chance it claims"),
        ("behaviour = { suspicious = {", "behaviour = { reasoned = {"),
        ("fastest = { uniform = { low = 1.2, high = 1.5 } }", "fastest = { uniform = { low = 1.2, high = 2.5 } }"),
        ("shift = { uniform = { low = 0.005, high = 0.015 } }", "shift = { constant = 0.2 }"),
        ("memory = { uniform = { low = 0.2, high = 0.5 } }", "memory = { constant = 1.0 }"),
        ("take = { uniform = { low = 0.5, high = 0.9 } }", "take = { constant = 1.5 }"),
        ("standstill = { uniform = { low = 0.15, high = 0.4 } }", "standstill = { constant = -0.1 }"),
        ("course = {", "tactic = { hardliner = { demand = { constant = 0.1 } } }\ncourse = {"),
        ("course = {", "cours = {"),
        ("tactic = { hardliner", "behaviour = \"steady\"\ntactic = { hardliner"),
    ];
    let mut text = String::new();
    for (from, to) in mistakes {
        let said = said_of_families(from, to).replace('\n', "\n    ");
        let _ = writeln!(text, "{from}  ->  {to}\n    {said}\n");
    }
    assert!(!text.contains("nothing was said"), "{text}");
    insta::assert_snapshot!("families", text);
}

#[test]
fn what_does_not_exist_is_told_with_what_does() {
    let suite = Arc::new(Suite::open("procurement-v1").unwrap());
    let source = |options: SourceOptions| suite.source(&options).map(|_| ()).unwrap_err().to_string();
    let families = Arc::new(Suite::open("counterparts-v1").unwrap());
    let opponent = Opponent::Family("suspicious".into());
    let public = SourceOptions { split: Some("public".into()), opponent, ..SourceOptions::default() };
    let held_out = families.source(&public).map(|_| ()).unwrap_err().to_string();
    let split = Some("heldout".to_owned());
    let opponent = Opponent::Family("boulwere".into());
    let text = [
        Suite::open("procurment-v1").unwrap_err().to_string(),
        Suite::open("chess").unwrap_err().to_string(),
        Suite::open("no-such-folder/suite.toml").unwrap_err().to_string(),
        source(SourceOptions { split, ..SourceOptions::default() }),
        source(SourceOptions { opponent, ..SourceOptions::default() }),
        source(SourceOptions { seed: Some(1 << 53), ..SourceOptions::default() }),
        held_out,
    ]
    .join("\n");
    insta::assert_snapshot!("missing", text);
}

#[test]
fn a_scenario_reads_well_from_either_seat() {
    for (name, index) in [("payment-terms-v1", 3), ("procurement-v1", 0), ("talk-v1", 1)] {
        let suite = Arc::new(Suite::open(name).unwrap());
        let scenario = suite.source(&SourceOptions::default()).unwrap().scenario(index);
        insta::assert_snapshot!(format!("{name}-{index}"), render(&scenario, scenario.seat, false));
        insta::assert_snapshot!(format!("{name}-{index}-revealed"), render(&scenario, scenario.seat, true));
    }
}

#[test]
fn what_is_not_revealed_does_not_depend_on_what_is_hidden() {
    let suite = Arc::new(Suite::open("procurement-v1").unwrap());
    let source = suite.source(&SourceOptions::default()).unwrap();
    let scenario = source.scenario(0);
    let mut other = scenario.clone();
    other.types[1] = source.scenario(8).types[1].clone();
    other.counterpart = None;
    other.break_off = Some(3);
    assert_eq!(render(&scenario, scenario.seat, false), render(&other, scenario.seat, false));
    assert_ne!(render(&scenario, scenario.seat, true), render(&other, scenario.seat, true));
}

/// Recorded runs of models are replayed by the digests of their requests, and published tables were made with these words: whoever
/// changes them makes the records and the tables anew.
#[test]
fn what_models_were_told_for_the_published_tables_never_changes() {
    let check = |name: &str, digest: &str| {
        let source = Arc::new(Suite::open(name).unwrap()).source(&SourceOptions::default()).unwrap();
        let scenarios = (0..60).map(|index| source.scenario(index));
        let told: String = scenarios.map(|scenario| render(&scenario, scenario.seat, false)).collect();
        assert_eq!(Digest::of_bytes(told.as_bytes()).to_string(), digest, "{name}");
    };
    check("talk-v1", "4a5bdd0f1c407d14d5a960fc2bbd51ab704971af8d8455f6cdd45c9b13cf45ee");
    check("procurement-v1", "fc6461086a4c6fc3be4022a9aa15ddd54fcc364e7dbe34846c81725daaa384bf");
    check("mandate-v1", "ee13f997adf0db7667e712d8ef820a6204569a3021905cdd19f8365ad93fb152");
}
