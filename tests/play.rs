//! A person at the terminal, with standard input from a script.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use zopa::zopa;

/// Plays in `folder` with these lines as standard input: exit code, standard output, standard error.
fn play(folder: &Path, arguments: &[&str], lines: &str) -> (i32, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_zopa"))
        .args([&["play"], arguments].concat())
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built for this test");
    // It may end before it has read everything.
    let _ = child.stdin.take().expect("a pipe").write_all(lines.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

fn record(run: &Path) -> Value {
    let text = fs::read_to_string(run.join("episodes.jsonl")).unwrap();
    serde_json::from_str(text.lines().next().unwrap()).unwrap()
}

#[test]
fn a_person_sees_what_agents_see_and_its_negotiation_is_recorded_as_theirs() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "help\noffer price=1700000 color=red\noffer price=abc\noffer price=1,700,000 payment=60\npass\nleave\n";
    let (code, out, err) = play(folder.path(), &["procurement-v1", "--out", "run"], lines);
    assert_eq!(code, 0, "{err}");
    for part in [
        "you are the buyer",
        "Authority",
        "What is known of the supplier",
        "there is no issue \"color\"",
        "\"abc\" is no value of price",
    ] {
        assert!(out.contains(part), "{part} is missing:\n{out}");
    }
    assert!(!out.contains("Revealed"));
    assert!(out.contains("There is no deal after"));
    assert_eq!(out.lines().last(), Some("run/report/report.html"));
    let record = record(&folder.path().join("run"));
    let own: Vec<&Value> =
        record["events"].as_array().unwrap().iter().filter(|event| event["seat"] == "buyer").collect();
    let acts: Vec<&Value> = own.iter().map(|event| &event["act"]).collect();
    assert_eq!(acts, ["offer", "pass", "walk_away"]);
    assert_eq!(own[0]["offer"][1], 4, "60 days are the fifth value");
    assert_eq!(record["key"]["agent"], "human");
    assert!(record.get("usage").is_none());
}

#[test]
fn drafts_that_a_person_takes_and_changes_are_counted_as_its_work() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["procurement-v1", "--assist", "nash", "--out", "run"];
    let (code, out, err) = play(folder.path(), &arguments, "ok\npass\nok\nleave\n");
    assert_eq!(code, 0, "{err}");
    assert!(out.matches("Draft: offer price").count() >= 3, "{out}");
    let record = record(&folder.path().join("run"));
    assert_eq!(
        (&record["usage"]["drafts_approved"], &record["usage"]["drafts_edited"]),
        (&Value::from(2), &Value::from(2))
    );
    assert_eq!(record["key"]["agent_options"], "assisted by nash@1");
}

#[test]
fn a_person_is_bound_by_its_guardrails_and_speaks_where_the_sides_talk() {
    let folder = tempfile::tempdir().unwrap();
    let lines = "offer price=300000 | Good morning, this is our first offer.\noffer price=1 | x\nleave\n".repeat(2);
    let (code, _, err) = play(folder.path(), &["talk-v1", "--out", "run"], &lines);
    assert_eq!(code, 0, "{err}");
    let text = record(&folder.path().join("run"))["events"].to_string();
    assert!(text.contains("Good morning, this is our first offer."), "{text}");
}

#[test]
fn who_leaves_the_terminal_leaves_the_negotiation_and_a_wrong_assistant_is_said_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, _) = play(folder.path(), &["procurement-v1", "--out", "run"], "");
    assert!(code == 0 && out.contains("the input has ended"), "{out}");
    let wrong = |assistant: &str, part: &str| {
        let (code, _, err) =
            play(folder.path(), &["procurement-v1", "--assist", assistant, "--out", "other"], "leave\n");
        assert!(code == 2 && err.contains(part), "{code}: {err}");
        assert!(!folder.path().join("other").exists());
    };
    wrong("nahs", "did you mean \"nash\"");
    wrong("oracle", "no ceiling");
    wrong("human", "human");
    wrong("llm", "--model-base-url");
}

const ANSWERS: &str = "offer price=1700000 payment=60\nnonsense\npass\nleave\n";

#[test]
fn what_a_person_wrote_plays_again_and_what_was_tampered_with_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let replay = || zopa(folder, &["replay", "run"]);
    let arguments = ["procurement-v1", "--episodes", "2", "--assist", "nash", "--out", "run"];
    let (code, out, err) = play(folder, &arguments, &format!("ok\n{ANSWERS}{ANSWERS}"));
    assert!(code == 0 && out.contains("Negotiation 2 of 2"), "{err}");
    let again = replay();
    assert_eq!(
        (again.code, &*again.out),
        (0, "2 records replayed with equal digests, 0 without a result\n"),
        "{}",
        again.err
    );
    let reviewed = zopa(folder, &["audit", "run", "0"]);
    assert_eq!(reviewed.code, 0, "{}", reviewed.err);
    let path = folder.join("run/answers.jsonl");
    let answers = fs::read_to_string(&path).unwrap();
    let tampered = |text: String, part: &str| {
        fs::write(&path, text).unwrap();
        let done = replay();
        assert!(done.code != 0 && done.err.contains(part), "{}: {}", done.code, done.err);
    };
    tampered(answers.replacen("\"pass\"", "\"accept\"", 1), "human, episode 0, repeat 0: the record's digest is");
    tampered(answers.lines().take(1).map(|line| format!("{line}\n")).collect(), "no answers for episode 1");
    tampered(format!("{{}}\n{answers}"), "answers.jsonl: line 1: ");
    // Many lines that are nothing.
    tampered(
        format!("{}{{\"episode\":0,\"lines\":[{}\"ok\"]}}\n", answers, "\"ok\",".repeat(200_000)),
        "human, episode 0",
    );
    fs::remove_file(&path).unwrap();
    let lost = replay();
    assert!(lost.code == 1 && lost.err.contains("a person decided, and the run has no answers.jsonl"), "{}", lost.err);
}

#[test]
fn a_person_who_leaves_between_negotiations_goes_on_where_it_left() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let arguments = ["procurement-v1", "--episodes", "3", "--out", "run"];
    let (code, _, err) = play(folder, &arguments, ANSWERS);
    // The second began, and its input ended: the person left that one. The third is not begun.
    assert_eq!(code, 130, "{err}");
    assert!(err.contains("stopped after 2 of 3 episodes") && err.contains("--out run --resume"), "{err}");
    let (code, out, err) = play(folder, &[&arguments[..], &["--resume"]].concat(), ANSWERS);
    assert!(
        code == 0 && out.contains("Negotiation 3 of 3") && err.contains("2 records were there already"),
        "{out}{err}"
    );
    assert!(zopa(folder, &["replay", "run"]).out.starts_with("3 records replayed"));
    assert!(zopa(folder, &["score", "run"]).out.contains("human"));
}

#[test]
fn a_pilot_s_person_plays_its_share_and_is_compared_with_the_other_arms() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let pilot = ["run", "procurement-v1", "--assign", "random", "--agent", "nash", "--agent", "human"];
    let done = zopa(folder, &[&pilot[..], &["--episodes", "16", "--out", "pilot"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    for command in ["zopa play --pilot pilot --out pilot-human", "zopa compare pilot pilot-human"] {
        assert!(done.err.contains(command), "{}", done.err);
    }
    let (code, out, err) = play(folder, &["--pilot", "pilot", "--out", "pilot-human"], &ANSWERS.repeat(8));
    assert!(code == 0 && out.contains("Negotiation 8 of 8"), "{err}");
    assert!(zopa(folder, &["replay", "pilot-human"]).out.starts_with("8 records replayed"));
    let compared = zopa(folder, &["compare", "pilot", "pilot-human", "--json"]);
    assert_eq!(compared.code, 0, "{}", compared.err);
    let table: Value = serde_json::from_str(&compared.out).unwrap();
    assert_eq!(table["pairing"], "unpaired");
    let arms: Vec<_> = table["arms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|arm| (&arm["name"], &arm["kind"], &arm["episodes"], &arm["missing"]))
        .collect();
    let expected = |name: &str, kind: &str| (Value::from(name), Value::from(kind), Value::from(8), Value::from(0));
    for (name, kind, episodes, missing) in [expected("human", "human"), expected("nash", "solver")] {
        assert!(arms.contains(&(&name, &kind, &episodes, &missing)), "{table}");
    }
    // Scenarios of both arms: none is played by two.
    let scenarios = |run: &str| {
        let text = fs::read_to_string(folder.join(run).join("episodes.jsonl")).unwrap();
        let records = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        records.map(|record| record["key"]["index"].as_u64().unwrap() / 2).collect::<std::collections::BTreeSet<_>>()
    };
    assert!(scenarios("pilot").is_disjoint(&scenarios("pilot-human")));
    let refused = |arguments: &[&str], part: &str| {
        let (code, _, err) = play(folder, arguments, "");
        assert!(code == 2 && err.contains(part), "{err}");
    };
    refused(&["--pilot", "pilot-human", "--out", "pilot-human"], "pilot-human is not empty");
    assert_eq!(
        zopa(folder, &["run", "procurement-v1", "--agent", "nash", "--episodes", "2", "--out", "plain"]).code,
        0
    );
    refused(&["--pilot", "plain", "--out", "other"], "plain left nothing to a person");
    refused(&["procurement-v1", "--pilot", "pilot"], "cannot be used with");
}
