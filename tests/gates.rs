//! A gate that no honest agent misses is no gate.

#[expect(dead_code, reason = "this test reads files, and its suites are built in")]
mod zopa;

use serde_json::Value;
use std::collections::BTreeMap;
use zopa::zopa;
use zopa_envs::message::accuracy;

/// Honest agents: they try to negotiate well, by rules of their own.
const AGENTS: [&str; 6] = ["rule-tree", "linear", "boulware", "hardliner", "micro", "nash"];

/// The suites that are looked at for an agent that misses.
const SUITES: [&str; 2] = ["procurement-v1", "mandate-v1"];

#[test]
fn every_default_gate_but_latency_fails_some_honest_agent_somewhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut missed: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for suite in SUITES {
        let mut arguments = vec!["run", suite, "--episodes", "80", "--out", suite];
        arguments.extend(AGENTS.iter().flat_map(|agent| ["--agent", agent]));
        let run = zopa(folder.path(), &arguments);
        assert_eq!(run.code, 0, "{}", run.err);
        let text = std::fs::read_to_string(folder.path().join(suite).join("summary.json")).unwrap();
        let summary: Value = serde_json::from_str(&text).unwrap();
        for gate in summary["gates"].as_array().unwrap() {
            let misses = missed.entry(gate["score"].as_str().unwrap().to_owned()).or_default();
            if gate["passed"] == false && !gate["value"].is_null() {
                misses.push(format!("{} in {suite}", gate["agent"].as_str().unwrap()));
            }
        }
    }
    let scores: Vec<&str> = missed.keys().map(String::as_str).collect();
    assert_eq!(
        scores,
        ["constraint_satisfaction", "feasible_agreement_rate", "loss_making_rate", "surplus_efficiency"]
    );
    for (score, misses) in &missed {
        println!("{score}: missed by {}", misses.join(", "));
        assert!(!misses.is_empty(), "nobody misses {score}");
    }
}

const ON_THE_PRINCIPAL: &str = r#"
gated = ["nash"]

[[gates]]
score = "intervention_compliance"
threshold = { baseline = "rule-tree" }
direction = "above"
bound = "lower"
"#;

const ON_SPEECH: &str = r#"
gated = ["nash"]

[[gates]]
score = "broken_commitment_rate"
threshold = { value = 1.0 }
direction = "at_most"
bound = "point"
"#;

#[test]
fn complying_with_the_principal_is_scored_and_gated() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = ["run", "mandate-v1", "--episodes", "60", "--agent", "nash", "--agent", "rule-tree", "--out", "run"];
    assert_eq!(zopa(folder, &run).code, 0);
    let read = |name: &str| std::fs::read_to_string(folder.join("run").join(name)).unwrap();
    let summary: Value = serde_json::from_str(&read("summary.json")).unwrap();
    let records: Vec<Value> = read("episodes.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for agent in ["nash", "rule-tree"] {
        let own = || records.iter().filter(|record| record["key"]["agent"] == agent);
        let count = |name: &str| own().map(|record| record["scores"]["conduct"][name].as_u64().unwrap()).sum::<u64>();
        let (heard, ignored, left) = (count("interventions"), count("ignored"), count("left_standing"));
        let estimate = &summary["agents"][agent]["intervention_compliance"];
        assert_eq!(estimate["n"].as_u64(), Some(heard), "{agent}");
        let failed = heard - (estimate["value"].as_f64().unwrap() * heard as f64).round() as u64;
        assert!(heard > 20 && failed >= ignored.max(left), "{agent}: {failed} of {heard}, {ignored} and {left}");
    }
    std::fs::write(folder.join("principal.toml"), ON_THE_PRINCIPAL).unwrap();
    std::fs::write(folder.join("speech.toml"), ON_SPEECH).unwrap();
    let of_acts = zopa(folder, &["gate", "run", "--gates", "principal.toml"]);
    assert!(of_acts.code == 0 && !of_acts.out.contains(&accuracy::stated()), "{}{}", of_acts.out, of_acts.err);
    let of_speech = zopa(folder, &["gate", "run", "--gates", "speech.toml"]);
    assert!(of_speech.code == 0 && of_speech.out.contains(&accuracy::stated()), "{}{}", of_speech.out, of_speech.err);
}
