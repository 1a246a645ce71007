//! `bilateral-trade-v1` end to end through the binary: bidders, records, replay and report.

#[expect(dead_code, reason = "these tests copy no domain")]
mod zopa;

use serde_json::Value;
use std::fs;
use std::path::Path;
use zopa::zopa;

fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let done = zopa(folder, arguments);
    assert_eq!(done.code, 0, "zopa {arguments:?} failed: {}{}", done.out, done.err);
    done.out
}

#[test]
fn bidders_are_played_recorded_replayed_and_reported_against_first_and_second_best() {
    let folder = tempfile::tempdir().unwrap();
    let run = ["run", "bilateral-trade-v1", "--episodes", "4000", "--seed", "5", "--out", "run"];
    let out = succeed(folder.path(), &run);
    assert_eq!(out.lines().last(), Some("run/report/report.md"));
    let page = fs::read_to_string(folder.path().join("run/report/report.md")).unwrap();
    assert!(page.contains("of second best (*)") && page.contains("A reference line, no ceiling"), "{page}");
    let summary: Value = serde_json::from_slice(&fs::read(folder.path().join("run/summary.json")).unwrap()).unwrap();
    let rows = summary["rows"].as_array().unwrap();
    // Four priors, three bidders, each against itself.
    assert_eq!(rows.len(), 12);
    let row = |bidder: &str| rows.iter().find(|row| row["prior"] == "uniform" && row["buyer"] == bidder).unwrap();
    let share = |bidder: &str, of: &str| row(bidder)[of].as_f64().unwrap();
    assert!((share("truthful", "share_of_first_best") - 1.0).abs() < 1e-9);
    assert!(share("truthful", "share_of_second_best") > 1.0, "the second best is no ceiling");
    // Four standard errors over 4,000 pairs.
    assert!((share("linear-equilibrium", "share_of_second_best") - 1.0).abs() < 0.1);
    assert!((share("linear-equilibrium", "trade_rate") - 9.0 / 32.0).abs() < 0.03);

    let journal = fs::read_to_string(folder.path().join("run/episodes.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 48_000);
    assert_eq!(
        succeed(folder.path(), &["replay", "run"]),
        "48000 records replayed with equal digests, 0 without a result\n"
    );
    let written = fs::read_to_string(folder.path().join("run/summary.json")).unwrap();
    assert_eq!(succeed(folder.path(), &["score", "run", "--json"]), written);
    fs::remove_dir_all(folder.path().join("run/report")).unwrap();
    succeed(folder.path(), &["report", "run"]);
    assert_eq!(fs::read_to_string(folder.path().join("run/report/report.md")).unwrap(), page);
    for verb in
        [&["gate", "run"][..], &["compare", "run"], &["export", "run"], &["audit", "run", "0"], &["merge", "m", "run"]]
    {
        let done = zopa(folder.path(), verb);
        assert!(done.code == 2 && done.err.contains("run is a run of bidders"), "{verb:?}: {}", done.err);
    }
    for flag in [&["--repeats", "3"][..], &["--assign", "random"], &["--alerts", "a.toml"], &["--strategy", "nash"]] {
        let done = zopa(folder.path(), &[&["run", "bilateral-trade-v1", "--out", "refused"], flag].concat());
        assert!(done.code == 2 && done.err.contains("bilateral-trade-v1 has no "), "{flag:?}: {}", done.err);
    }
}

#[test]
fn a_record_of_bids_that_was_changed_removed_or_repeated_does_not_replay() {
    let folder = tempfile::tempdir().unwrap();
    let run = ["run", "bilateral-trade-v1", "--agent", "truthful", "--opponent", "shading", "--episodes", "10"];
    succeed(folder.path(), &[&run[..], &["--out", "run"]].concat());
    // Both seats under four priors.
    assert!(succeed(folder.path(), &["replay", "run"]).starts_with("80 records"));
    let path = folder.path().join("run/episodes.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let replayed = |text: String| {
        fs::write(&path, text).unwrap();
        let done = zopa(folder.path(), &["replay", "run"]);
        assert_eq!(done.code, 1, "{}", done.out);
        done.err
    };
    assert!(replayed(text.replacen("\"index\":3", "\"index\":4", 1)).contains("the digest is"));
    let shorter: String = text.lines().take(79).map(|line| format!("{line}\n")).collect();
    assert!(replayed(shorter).contains("1 of 80 records are missing"));
    assert!(replayed(format!("{text}{}\n", text.lines().last().unwrap())).contains("out of order"));
}

#[test]
fn a_run_of_bidders_that_was_cut_off_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let run = ["run", "bilateral-trade-v1", "--agent", "truthful", "--opponent", "shading", "--episodes", "300"];
    let arguments = |out: &'static str, more: &[&'static str]| [&run[..], &["--out", out], more].concat();
    succeed(folder, &arguments("whole", &[]));
    let read = |run: &str, name: &str| fs::read(folder.join(run).join(name)).unwrap();
    let (journal, summary) = (read("whole", "episodes.jsonl"), read("whole", "summary.json"));
    let resume = || zopa(folder, &arguments("cut", &["--resume"]));
    for share in [0, 1, 400, 999] {
        let _ = fs::remove_dir_all(folder.join("cut"));
        fs::create_dir(folder.join("cut")).unwrap();
        fs::copy(folder.join("whole/manifest.json"), folder.join("cut/manifest.json")).unwrap();
        fs::write(folder.join("cut/episodes.jsonl"), &journal[..journal.len() * share / 1000]).unwrap();
        let done = resume();
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(read("cut", "episodes.jsonl") == journal && read("cut", "summary.json") == summary, "cut at {share}");
        assert_eq!(done.err.contains("records were there already"), share > 0, "{}", done.err);
    }
    let refused = |done: zopa::Done, part: &str| assert!(done.code == 2 && done.err.contains(part), "{}", done.err);
    refused(zopa(folder, &arguments("cut", &["--resume", "--seed", "9"])), "but this command has 9");
    refused(zopa(folder, &arguments("whole", &[])), "whole is not empty");
    let twice: Vec<u8> =
        [&journal[..], &journal[..journal.iter().position(|&byte| byte == b'\n').unwrap() + 1]].concat();
    fs::write(folder.join("cut/episodes.jsonl"), twice).unwrap();
    refused(resume(), "out of order; it cannot be resumed");
}

#[test]
fn an_unknown_bidder_is_refused_with_those_that_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let done = zopa(folder.path(), &["run", "bilateral-trade-v1", "--agent", "nash", "--out", "run"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("linear-equilibrium") && !folder.path().join("run").exists(), "{}", done.err);
}
