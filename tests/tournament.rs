//! Every agent against every agent, through the binary.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use serde_json::Value;
use std::fs;
use zopa::zopa;

#[test]
fn every_agent_meets_every_agent_in_both_seats_and_jobs_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let play = |jobs: &str, out: &str| {
        let agents = ["--agent", "linear", "--agent", "nash", "--agent", "rule-tree"];
        let arguments = ["tournament", "procurement-v1", "--episodes", "12", "--jobs", jobs, "--out", out];
        let done = zopa(folder, &[&arguments[..], &agents[..]].concat());
        assert_eq!(done.code, 0, "{}", done.err);
        done.out
    };
    let text = play("1", "one");
    play("3", "three");
    let read = |out: &str, name: &str| fs::read_to_string(folder.join(out).join(name)).unwrap();
    assert_eq!(read("one", "tournament.json"), read("three", "tournament.json"));
    assert_eq!(read("one", "report/tournament.html"), read("three", "report/tournament.html"));
    let table: Value = serde_json::from_str(&read("one", "tournament.json")).unwrap();
    let cells = table["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 9);
    assert!(cells.iter().all(|cell| cell["episodes"] == 12));
    assert_eq!(read("one", "episodes.jsonl").lines().count(), 9 * 12);
    let record: Value = serde_json::from_str(read("one", "episodes.jsonl").lines().next().unwrap()).unwrap();
    assert_eq!((&record["key"]["agent"], &record["key"]["opponent"]), (&"linear".into(), &"agent:linear".into()));
    assert!(text.contains("Against itself") && text.contains("Symmetric equilibrium"), "{text}");
    assert!(text.trim_end().ends_with("report/tournament.html"), "{text}");
}

#[test]
fn a_pairing_is_the_run_of_the_same_agent_and_opponent() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let tournament = ["tournament", "procurement-v1", "--episodes", "10", "--agent", "linear", "--agent", "nash"];
    assert_eq!(zopa(folder, &[&tournament[..], &["--out", "all"]].concat()).code, 0);
    let run = ["run", "procurement-v1", "--episodes", "10", "--agent", "linear", "--opponent", "agent:nash"];
    assert_eq!(zopa(folder, &[&run[..], &["--out", "one"]].concat()).code, 0);
    let all = fs::read_to_string(folder.join("all/episodes.jsonl")).unwrap();
    let one = fs::read_to_string(folder.join("one/episodes.jsonl")).unwrap();
    assert!(one.lines().all(|line| all.contains(line)), "the same records, bit for bit");
}

#[test]
fn ceilings_and_single_agents_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let check = |agents: &[&str], expected: &str| {
        let done = zopa(folder.path(), &[&["tournament", "procurement-v1"], agents].concat());
        assert_eq!(done.code, 2);
        assert!(done.err.contains(expected), "{}", done.err);
    };
    check(&["--agent", "oracle", "--agent", "nash"], "oracle is a ceiling");
    check(&["--agent", "nash"], "at least two agents");
    check(&["--agent", "nahs", "--agent", "linear"], "did you mean \"nash\"?");
    check(&["--agent", "nash", "--agent", "linear", "--episodes", "0"], "at least one episode");
}
