//! A gate that no honest agent misses is no gate.

#[expect(dead_code, reason = "this test reads files, and its suites are built in")]
mod zopa;

use std::collections::BTreeMap;
use zopa::zopa;

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
        let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
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
