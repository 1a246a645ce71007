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

#[test]
fn an_interrupted_tournament_goes_on_and_every_pairing_replays() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let tournament = |out: &str, more: &[&str]| {
        let arguments = ["tournament", "procurement-v1", "--episodes", "8", "--agent", "linear", "--agent", "nash"];
        zopa(folder, &[&arguments[..], &["--out", out], more].concat())
    };
    assert_eq!(tournament("run", &[]).code, 0);
    let read = |name: &str| fs::read_to_string(folder.join("run").join(name)).unwrap();
    let (journal, table) = (read("episodes.jsonl"), read("tournament.json"));
    assert_eq!(zopa(folder, &["replay", "run"]).out, "32 records replayed with equal digests, 0 without a result\n");

    // As a process leaves it that is killed in the middle of a line.
    fs::write(folder.join("run/episodes.jsonl"), &journal[..journal.len() / 2]).unwrap();
    fs::remove_file(folder.join("run/tournament.json")).unwrap();
    let torn = zopa(folder, &["report", "run"]);
    assert!(torn.code == 2 && torn.err.contains("torn"), "{}", torn.err);
    assert!(tournament("run", &["--resume", "--seed", "99"]).err.contains("its seed is 2, but this command has 99"));
    let resumed = tournament("run", &["--resume"]);
    assert!(resumed.code == 0 && resumed.err.contains("were no whole record and were cut off"), "{}", resumed.err);
    assert!(read("episodes.jsonl") == journal && read("tournament.json") == table);

    let told = |verb: &[&str], code: i32, part: &str| {
        let done = zopa(folder, verb);
        assert!(done.code == code && done.err.contains(part), "{verb:?}: {} {}", done.code, done.err);
    };
    for verb in ["score", "gate", "export"] {
        told(&[verb, "run"], 2, "run is a tournament");
    }
    told(&["merge", "all", "run"], 2, "run is a tournament");
    told(&["compare", "run"], 2, "run is a tournament");
    fs::write(folder.join("run/tournament.json"), table.replacen("\"payoff\"", "\"pay\"", 1)).unwrap();
    told(&["replay", "run"], 1, "tournament.json: line ");
    let twice = format!("{journal}{}\n", journal.lines().next().unwrap());
    fs::write(folder.join("run/episodes.jsonl"), twice).unwrap();
    told(&["report", "run"], 2, "linear against linear, episode 0, repeat 0 is recorded twice");
    told(&["replay", "run"], 1, "recorded twice");
    let foreign = journal.replacen("agent:linear", "agent:boulware", 1);
    fs::write(folder.join("run/episodes.jsonl"), foreign).unwrap();
    told(&["replay", "run"], 1, "line 1: the game digest");
    fs::write(
        folder.join("run/episodes.jsonl"),
        journal.lines().skip(1).map(|line| format!("{line}\n")).collect::<String>(),
    )
    .unwrap();
    told(&["report", "run"], 2, "1 of 32 episodes have no record");
}
