//! What a run gives to train language models on.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use serde_json::Value;
use std::fs;
use std::path::Path;
use zopa::zopa;

fn lines(path: &Path) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_run_becomes_chats_preferences_and_rollouts_with_what_failed_among_them() {
    let folder = tempfile::tempdir().unwrap();
    let agents = ["--agent", "nash", "--agent", "random", "--agent", "boulware"];
    let run = [&["run", "talk-v1", "--episodes", "12", "--out", "run"], &agents[..]].concat();
    assert_eq!(zopa(folder.path(), &run).code, 0);
    let done = zopa(folder.path(), &["export", "run"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let data = folder.path().join("run/export");
    let examples = lines(&data.join("examples.jsonl"));
    for example in &examples {
        let roles: Vec<&Value> =
            example["messages"].as_array().unwrap().iter().map(|message| &message["role"]).collect();
        assert_eq!(roles, ["system", "user", "assistant"]);
        let answer = example["messages"][2]["content"].as_str().unwrap();
        let answer: Value = serde_json::from_str(answer).expect("an answer is JSON, as a model has to write it");
        let member = if example["kind"] == "words" { "message" } else { "action" };
        assert!(answer[member].is_string(), "{answer}");
    }
    let count = |path: &str, value: bool| {
        examples.iter().filter(|example| example["label"][path] == value && example["kind"] == "decision").count()
    };
    assert!(count("agreement", true) > 0 && count("agreement", false) > 0 && count("refused", true) > 0);
    assert!(examples.iter().any(|example| example["kind"] == "words"));
    assert!(
        examples.iter().any(|example| example["intent"].is_string()) || examples.iter().all(|e| e["intent"].is_null())
    );
    let preferences = lines(&data.join("preferences.jsonl"));
    for preference in &preferences {
        assert_ne!(preference["chosen"], preference["rejected"]);
        assert_eq!(preference["prompt"].as_array().map(Vec::len), Some(2));
    }
    assert!(preferences.iter().any(|preference| preference["reason"] == "result"));
    let rollouts = lines(&data.join("rollouts.jsonl"));
    assert_eq!(rollouts.len(), 36);
    for index in 0..12 {
        let group: Vec<&Value> = rollouts.iter().filter(|rollout| rollout["origin"]["index"] == index).collect();
        assert!(group.len() == 3 && group.iter().all(|rollout| rollout["group"] == group[0]["group"]));
        let sum: f64 = group.iter().map(|rollout| rollout["advantage"].as_f64().unwrap()).sum();
        assert!(sum.abs() < 1e-9, "advantages of a group cancel out: {sum}");
        for rollout in group {
            let turns = rollout["turns"].as_array().unwrap();
            let sum: f64 = turns.iter().map(|turn| turn["reward"].as_f64().unwrap()).sum();
            assert!((sum - rollout["total"].as_f64().unwrap()).abs() < 1e-9);
        }
    }
}
