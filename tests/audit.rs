//! Decisions under review, through the binary.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use serde_json::Value;
use std::path::Path;
use zopa::zopa;

fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let done = zopa(folder, arguments);
    assert_eq!(done.code, 0, "zopa {arguments:?} failed: {}{}", done.out, done.err);
    done.out
}

/// Plays twelve episodes and reviews them all.
fn reviews(suite: &str, agent: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(folder, &["run", suite, "--episodes", "12", "--agent", agent, "--out", "run"]);
    (0..12)
        .map(|index: u64| {
            let review: Value =
                serde_json::from_str(&succeed(folder, &["audit", "run", &index.to_string(), "--json"])).unwrap();
            assert_eq!(review["replayed"], true, "{}", review["note"]);
            review
        })
        .collect()
}

/// Some bad outcome of the agent is a failure of `kind`, with this finding.
fn check(suite: &str, agent: &str, kind: &str, finding: &str) {
    let reviews = reviews(suite, agent);
    let of_kind = |review: &&Value| review["review"]["kind"] == kind;
    let found = reviews.iter().filter(of_kind).any(|review| {
        let evidence = review["review"]["evidence"].as_array().unwrap();
        let speaks = |found: &Value| found["kind"] == kind && found["finding"].as_str().unwrap().contains(finding);
        evidence.iter().any(speaks) && !review["review"]["bad"].as_array().unwrap().is_empty()
    });
    let marks: Vec<String> = reviews.iter().map(|review| review["review"].to_string()).collect();
    assert!(found, "{agent}: {}", marks.join("\n"));
}

#[test]
fn wanting_what_the_principal_does_not_is_a_failure_of_objective() {
    check("procurement-v1", "accept-anything", "objective", "tried an offer or acceptance of own gain -");
    check("talk-v1", "promise-everything", "objective", "promised or disclosed what it may not");
}

#[test]
fn doing_something_else_than_was_decided_is_a_failure_of_implementation() {
    check("procurement-v1", "boulware", "implementation", "software corrected its last proposal");
}

#[test]
fn deciding_by_wrong_or_missing_beliefs_is_a_failure_of_information() {
    check("procurement-v1", "conceder-aware", "information", "it held no beliefs about the other side");
}

#[test]
fn what_was_believed_of_families_stands_beside_which_it_was() {
    for review in reviews("procurement-v1", "solver") {
        let met = format!("family:{}", review["family"].as_str().unwrap());
        let attempts = review["turns"].as_array().unwrap().iter().flat_map(|turn| turn["attempts"].as_array().unwrap());
        let stated = attempts.filter_map(|attempt| attempt["thought"]["beliefs"].as_array()).flatten();
        let families: Vec<&Value> =
            stated.filter(|belief| belief["parameter"].as_str().unwrap().starts_with("family:")).collect();
        assert!(!families.is_empty());
        for belief in families {
            assert_eq!(belief["truth"], if belief["parameter"] == *met { 1.0 } else { 0.0 }, "{belief}");
        }
    }
}

#[test]
fn a_turn_shows_what_was_known_believed_considered_constrained_corrected_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = ["run", "talk-v1", "--episodes", "4", "--agent", "nash", "--agent", "linear", "--out", "run"];
    succeed(folder, &run);
    let text = succeed(folder, &["audit", "run", "0", "2", "--agent", "nash"]);
    for part in ["heard ", "known ", "believed ", "considered ", "decided ", "ruling ", "said ", "; truth "] {
        assert!(text.contains(part), "{part}is not in\n{text}");
    }
    assert!(text.contains("played again with equal digests") && text.contains("Turn 2") && !text.contains("Turn 1:"));
    assert!(text.ends_with(&format!("\n{}\n", zopa_envs::message::accuracy::stated())), "the sides talked: {text}");
    let refused = |arguments: &[&str], expected: &str| {
        let done = zopa(folder, &[&["audit", "run"], arguments].concat());
        assert_eq!(done.code, 2);
        assert!(done.err.contains(expected), "{}", done.err);
    };
    refused(&["0"], "several agents play: name one of nash, linear with --agent");
    refused(&["9", "--agent", "nash"], "nash has no record of episode 9, repeat 0");
    refused(&["0", "99", "--agent", "nash"], "turn 99: the agent had turns 1 to ");
    refused(&["0", "--agent", "micro"], "--agent micro does not play in this run");
}

#[test]
fn a_series_is_reviewed_contract_by_contract() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(folder, &["run", "repeated-v1", "--episodes", "2", "--agent", "nash", "--out", "run"]);
    let review: Value = serde_json::from_str(&succeed(folder, &["audit", "run", "0", "--json"])).unwrap();
    let turns = review["turns"].as_array().unwrap();
    assert!(turns.iter().any(|turn| turn["contract"].as_u64().unwrap() > 0));
    assert!(turns.iter().all(|turn| !turn["attempts"][0]["thought"].is_null()), "every turn has its thought");
}
