//! A person at the terminal, with standard input from a script.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

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
