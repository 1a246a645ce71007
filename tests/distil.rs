//! Failures of a run become a suite whose scenarios play again bit for bit.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use zopa::zopa;

fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let done = zopa(folder, arguments);
    assert_eq!(done.code, 0, "zopa {arguments:?} failed: {}{}", done.out, done.err);
    done.out
}

/// The records of a run by agent and episode.
fn records(folder: &Path, run: &str) -> BTreeMap<(String, u64), Value> {
    let text = fs::read_to_string(folder.join(run).join("episodes.jsonl")).unwrap();
    let parse = |line| serde_json::from_str::<Value>(line).unwrap();
    let id = |record: &Value| {
        (record["key"]["agent"].as_str().unwrap().to_owned(), record["key"]["index"].as_u64().unwrap())
    };
    text.lines().map(parse).map(|record| (id(&record), record)).collect()
}

/// Numbers of the scenarios that a suite file keeps.
fn kept(folder: &Path, suite: &str) -> Vec<u64> {
    let table: toml::Table = fs::read_to_string(folder.join(suite)).unwrap().parse().unwrap();
    let numbers = table["distilled"]["scenarios"].as_array().unwrap();
    numbers.iter().map(|number| number.as_integer().unwrap() as u64).collect()
}

/// Runs, distils and runs again: every episode of the second run is the first run's of the scenario that it came from. Agents
/// without random numbers of their own then play it the same, action by action.
fn check(run: &[&str], condition: &str, expected: impl Fn(&Value) -> bool) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let agents = ["--agent", "rule-tree", "--agent", "linear", "--agent", "nash"];
    succeed(folder, &[&["run"], run, &agents[..], &["--out", "first"]].concat());
    succeed(folder, &["distil", "first", "--where", condition, "--out", "again.toml"]);
    let (first, scenarios) = (records(folder, "first"), kept(folder, "again.toml"));
    let mut wanted: Vec<u64> =
        first.iter().filter(|(_, record)| expected(record)).map(|((_, index), _)| index / 2).collect();
    wanted.sort_unstable();
    wanted.dedup();
    assert!(!wanted.is_empty() && wanted.len() < first.len() / 6, "the condition tells scenarios apart: {wanted:?}");
    assert_eq!(scenarios, wanted);
    succeed(folder, &[&["run", "again.toml"], &agents[..], &["--out", "second"]].concat());
    let second = records(folder, "second");
    assert_eq!(second.len(), 3 * 2 * scenarios.len(), "both seats of every scenario");
    for ((agent, index), record) in &second {
        let original = &first[&(agent.clone(), 2 * scenarios[(index / 2) as usize] + index % 2)];
        for field in ["scenario_digest", "events", "outcome", "scores", "family"] {
            assert_eq!(record[field], original[field], "{agent}, episode {index}: {field}");
        }
        assert_eq!(record["key"]["suite"], "again");
    }
    succeed(folder, &["replay", "second"]);
}

#[test]
fn failures_of_a_suite_play_again() {
    let failed = |record: &Value| !record["scores"]["agreement"].as_bool().unwrap();
    check(&["procurement-v1", "--episodes", "60", "--seed", "5"], "not agreement", failed);
}

#[test]
fn the_opponent_that_was_asked_for_is_met_again() {
    let slow = |record: &Value| record["scores"]["rounds"].as_u64().unwrap() > 18;
    check(&["procurement-v1", "--episodes", "60", "--opponent", "family:boulware"], "rounds > 18", slow);
}

#[test]
fn mandates_and_their_principals_are_the_same_again() {
    let asked = |record: &Value| record["scores"]["conduct"]["escalations"].as_u64().unwrap() > 2;
    check(&["mandate-v1", "--episodes", "60"], "escalations > 2", asked);
}

#[test]
fn a_distilled_suite_can_be_distilled_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = ["--agent", "linear", "--agent", "rule-tree"];
    succeed(folder, &[&["run", "procurement-v1", "--episodes", "40", "--out", "a"], &run[..]].concat());
    succeed(folder, &["distil", "a", "--where", "scenario >= 5 and scenario < 9", "--out", "b.toml"]);
    assert_eq!(kept(folder, "b.toml"), [5, 6, 7, 8]);
    succeed(folder, &[&["run", "b.toml", "--out", "b"], &run[..]].concat());
    succeed(folder, &["distil", "b", "--where", "scenario == 1 or scenario == 3", "--out", "c.toml"]);
    assert_eq!(kept(folder, "c.toml"), [6, 8]);
    let text = fs::read_to_string(folder.join("c.toml")).unwrap();
    assert_eq!(text.matches("[distilled]").count(), 1);
}

#[test]
fn wrong_conditions_and_files_are_refused_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(folder, &["run", "procurement-v1", "--episodes", "4", "--agent", "linear", "--out", "run"]);
    let check = |arguments: &[&str], expected: &str| {
        let done = zopa(folder, arguments);
        assert_eq!(done.code, 2, "{}", done.err);
        assert!(done.err.contains(expected), "{}", done.err);
    };
    let all = ["distil", "run", "--where", "index >= 0"];
    check(&["distil", "run", "--where", "gain <", "--out", "x.toml"], "column 7: something to compare with is missing");
    check(&["distil", "run", "--where", "rounds > 900", "--out", "x.toml"], "nothing to distil");
    check(&[&all[..], &["--out", "x.txt"]].concat(), "ends in .toml");
    check(&[&all[..], &["--out", "X Y.toml"]].concat(), "lower-case letters");
    succeed(folder, &["distil", "run", "--where", "index == 0", "--out", "x.toml"]);
    check(&[&all[..], &["--out", "x.toml"]].concat(), "is there already");
    check(&["run", "x.toml", "--seed", "9"], "leave the seed out");
    check(&["run", "x.toml", "--episodes", "4"], "has 2 episodes");
    check(&["run", "x.toml", "--split", "train"], "it has public");
}

#[test]
fn a_condition_on_speech_is_told_with_how_rightly_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(folder, &["run", "procurement-v1", "--episodes", "4", "--agent", "linear", "--out", "run"]);
    let told = |condition: &str, out: &str| {
        let text = succeed(folder, &["distil", "run", "--where", condition, "--out", out]);
        text.contains(&zopa_envs::message::accuracy::stated())
    };
    assert!(told("speech_violations == 0", "spoken.toml") && !told("index == 0", "plain.toml"));
}

#[test]
fn a_private_split_is_distilled_without_its_salt_and_played_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("salt"), "a secret").unwrap();
    let run = ["--agent", "linear", "--salt-file", "salt"];
    succeed(folder, &[&["run", "procurement-v1", "--episodes", "8", "--out", "a"], &run[..]].concat());
    succeed(folder, &["distil", "a", "--where", "index >= 6", "--out", "b.toml"]);
    let done = zopa(folder, &["run", "b.toml", "--agent", "linear"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("--salt-file must name"), "{}", done.err);
    succeed(folder, &[&["run", "b.toml", "--out", "b"], &run[..]].concat());
    let digest = |run, index| records(folder, run)[&("linear".to_owned(), index)]["scenario_digest"].clone();
    assert_eq!([digest("a", 6), digest("a", 7)], [digest("b", 0), digest("b", 1)]);
}
