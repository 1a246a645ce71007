//! Alerts of a run under way: in the log, in the run directory and at a webhook, which changes nothing of the run.

mod stand_in;
#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use serde_json::Value;
use stand_in::StandIn;
use std::fs;
use std::path::Path;
use std::time::Duration;
use zopa::{Done, zopa};

const RUN: [&str; 7] = ["run", "procurement-v1", "--episodes", "40", "--agent", "accept-anything", "--out"];

fn run(folder: &Path, out: &str, webhook: &str) -> Done {
    let rules = format!("window = 20\nleast = 10\nviolation_rate = 0.05\nwebhook = \"{webhook}\"\n");
    fs::write(folder.join("alerts.toml"), rules).unwrap();
    zopa(folder, &[&RUN[..], &[out, "--alerts", "alerts.toml"]].concat())
}

#[test]
fn an_alert_goes_to_the_log_to_the_run_directory_and_to_the_webhook() {
    let folder = tempfile::tempdir().unwrap();
    let webhook = StandIn::start(200, Duration::ZERO);
    let done = run(folder.path(), "run", &format!("{}/hooks/zopa?token=s3cret", webhook.address()));
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("zopa: alert: accept-anything: ") && done.err.contains("% of episodes with a violation"));
    let journal = fs::read_to_string(folder.path().join("run/alerts.jsonl")).unwrap();
    let requests = webhook.requests();
    assert!(!requests.is_empty() && journal.lines().count() == requests.len());
    for (line, request) in journal.lines().zip(&requests) {
        assert_eq!(request.line, "POST /hooks/zopa?token=s3cret HTTP/1.1");
        assert_eq!(request.header("content-type"), Some("application/json"));
        assert_eq!(String::from_utf8_lossy(&request.body), line);
        let alert: Value = serde_json::from_str(line).unwrap();
        assert_eq!((&alert["kind"], &alert["agent"]), (&"violation_rate".into(), &"accept-anything".into()));
        assert!(alert["value"].as_f64().unwrap() > 0.05 && alert["text"].is_string());
    }
    assert!(!done.err.contains("s3cret"), "{}", done.err);
}

#[test]
fn a_webhook_that_fails_is_a_warning_and_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let refusing = StandIn::start(500, Duration::ZERO);
    for (out, address) in [("refused", refusing.address()), ("dead", "http://127.0.0.1:1/hook")] {
        let done = run(folder, out, address);
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(done.err.contains("did not reach the webhook"), "{}", done.err);
    }
    assert_eq!(zopa(folder, &[&RUN[..], &["quiet"]].concat()).code, 0);
    let read = |out: &str| fs::read(folder.join(out).join("summary.json")).unwrap();
    assert_eq!(read("dead"), read("quiet"));
}

#[test]
fn rules_without_sense_are_refused_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(folder.path(), "run", "localhost");
    assert_eq!(done.code, 2);
    assert!(done.err.contains("alerts.toml: webhook is no address"), "{}", done.err);
    assert!(!folder.path().join("run").exists());
}
