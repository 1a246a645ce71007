//! Pilots: scenarios allotted to arms before anything is played.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use zopa::zopa;

fn succeed(folder: &Path, arguments: &[&str]) -> (String, String) {
    let done = zopa(folder, arguments);
    assert_eq!(done.code, 0, "zopa {arguments:?} failed: {}{}", done.out, done.err);
    (done.out, done.err)
}

fn records(folder: &Path, run: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(run).join("episodes.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const PILOT: [&str; 6] = ["run", "procurement-v1", "--episodes", "120", "--assign", "random"];

#[test]
fn every_scenario_is_played_by_the_arm_that_it_was_allotted_to_and_records_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = |seed: &str, out: &str| {
        let arms = ["--agent", "nash", "--agent", "linear", "--agent", "rule-tree", "--seed", seed, "--out", out];
        succeed(folder, &[&PILOT[..], &arms[..]].concat());
    };
    run("5", "a");
    let mut arms: BTreeMap<u64, (String, u64)> = BTreeMap::new();
    for record in records(folder, "a") {
        let agent = record["key"]["agent"].as_str().unwrap();
        assert_eq!(record["assigned"], agent);
        let arm = arms.entry(record["key"]["index"].as_u64().unwrap() / 2).or_insert((agent.to_owned(), 0));
        assert_eq!(arm.0, agent, "both seats of a scenario are one arm's");
        arm.1 += 1;
    }
    assert_eq!(arms.len(), 60);
    assert!(arms.values().all(|(_, seats)| *seats == 2));
    for agent in ["nash", "linear", "rule-tree"] {
        assert_eq!(arms.values().filter(|(arm, _)| arm == agent).count(), 20, "arms are of equal size");
    }
    succeed(folder, &["replay", "a"]);
    run("6", "b");
    let drawn = |run: &str| records(folder, run).iter().map(|record| record["key"].to_string()).collect::<Vec<_>>();
    assert_ne!(drawn("a"), drawn("b"));
    let manifest: Value = serde_json::from_slice(&fs::read(folder.join("a/manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["assignment"]["method"], "random");
}

#[test]
fn a_pilot_is_compared_unpaired_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(folder, &[&PILOT[..], &["--agent", "nash", "--agent", "rule-tree", "--out", "pilot"]].concat());
    let (text, _) = succeed(folder, &["compare", "pilot"]);
    assert!(
        text.contains("UNPAIRED: 60 scenarios") && text.contains("unpaired, scenarios of both arms resampled apart"),
        "{text}"
    );
    let (json, _) = succeed(folder, &["compare", "pilot", "--json"]);
    let table: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(table["pairing"], "unpaired");
    assert!(table["arms"].as_array().unwrap().iter().all(|arm| arm["episodes"] == 60 && arm["missing"] == 0));
}

#[test]
fn a_person_s_share_is_left_to_play_and_one_arm_alone_is_not_compared() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (_, notes) =
        succeed(folder, &[&PILOT[..], &["--agent", "nash", "--agent", "human", "--out", "pilot"]].concat());
    assert!(notes.contains("60 episodes are allotted to human: a person plays them"), "{notes}");
    assert!(records(folder, "pilot").iter().all(|record| record["key"]["agent"] == "nash"));
    let done = zopa(folder, &["compare", "pilot"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("fewer than two arms are comparable"), "{}", done.err);
}

#[test]
fn a_pilot_without_arms_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let check = |arguments: &[&str], expected: &str| {
        let done = zopa(folder.path(), &[&PILOT[..], arguments].concat());
        assert_eq!(done.code, 2);
        assert!(done.err.contains(expected), "{}", done.err);
    };
    check(&["--agent", "nash"], "at least two arms");
    check(&["--agent", "human"], "only people are named");
    check(&["--agent", "nash", "--agent", "humn"], "unknown agent \"humn\"");
}
