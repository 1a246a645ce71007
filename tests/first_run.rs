//! The first benchmark run, end to end through the binary.

mod zopa;

use serde_json::Value;
use std::fs;
use std::path::Path;
use zopa::{copy, market, zopa};

/// As [`zopa`], for a command that must succeed: returns its standard output.
fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let done = zopa(folder, arguments);
    assert_eq!(done.code, 0, "zopa {arguments:?} failed: {}{}", done.out, done.err);
    done.out
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_run_leaves_all_its_files_and_prints_the_table_and_then_the_report_path() {
    let folder = tempfile::tempdir().unwrap();
    let out = succeed(folder.path(), &["run", "procurement-v1", "--episodes", "12", "--out", "run"]);
    let page = out.lines().last().unwrap();
    assert_eq!(page, "run/report/report.html");
    assert!(folder.path().join(page).is_file());
    for name in ["manifest.json", "inputs/suite.toml", "episodes.jsonl", "summary.json", "timing.json"] {
        assert!(folder.path().join("run").join(name).is_file(), "{name}");
    }
    for agent in ["rule-tree", "nash", "oracle (ceiling)"] {
        assert!(out.contains(agent), "{agent} is not in the table:\n{out}");
    }
    assert!(out.contains("42 % agreement and 71 % constraint satisfaction"));
    let summary = json(&folder.path().join("run/summary.json"));
    assert_eq!(summary["suite"], "procurement-v1");
    assert_eq!(summary["episodes"], 12);
    let efficiency = &summary["agents"]["nash"]["surplus_efficiency"];
    for field in ["value", "low", "high", "n"] {
        assert!(efficiency[field].is_number(), "{efficiency}");
    }
    assert!(!summary.to_string().contains("latency"), "wall-clock figures live in timing.json alone");
    let timing = json(&folder.path().join("run/timing.json"));
    assert!(timing["agents"]["nash"]["decision_latency_ms"]["p95"].is_number());
}

#[test]
fn jobs_change_neither_digests_nor_the_bytes_of_records_and_summary() {
    let folder = tempfile::tempdir().unwrap();
    let run = |jobs: &str, out: &str| {
        let arguments = ["run", "payment-terms-v1", "--episodes", "40", "--seed", "9", "--jobs", jobs, "--out", out];
        succeed(folder.path(), &arguments);
    };
    run("1", "one");
    run("3", "three");
    for name in ["summary.json", "episodes.jsonl", "report/report.html", "report/report.md", "report/scores.csv"] {
        let read = |out: &str| fs::read(folder.path().join(out).join(name)).unwrap();
        assert_eq!(read("one"), read("three"), "{name}");
    }
}

#[test]
fn another_seed_gives_other_episodes() {
    let folder = tempfile::tempdir().unwrap();
    let digest = |seed: &str, out: &str| {
        let arguments = ["run", "procurement-v1", "--agent", "linear", "--episodes", "4", "--seed", seed, "--out", out];
        succeed(folder.path(), &arguments);
        json(&folder.path().join(out).join("summary.json"))["agents"]["linear"]["digest"].clone()
    };
    assert_ne!(digest("1", "a"), digest("2", "b"));
}

#[test]
fn replay_confirms_every_record_and_names_the_one_that_was_changed() {
    let folder = tempfile::tempdir().unwrap();
    let agents = ["--agent", "rule-tree", "--agent", "random", "--agent", "oracle"];
    let run = [&["run", "procurement-v1", "--episodes", "10", "--out", "run"], &agents[..]].concat();
    succeed(folder.path(), &run);
    assert_eq!(
        succeed(folder.path(), &["replay", "run"]),
        "30 records replayed with equal digests, 0 without a result\n"
    );
    let journal = folder.path().join("run/episodes.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("\"round\":0", "\"round\":1", 1)).unwrap();
    let done = zopa(folder.path(), &["replay", "run"]);
    assert_eq!(done.code, 1);
    assert!(done.err.contains("line 1"), "{}", done.err);
    let shorter: String = text.lines().skip(1).map(|line| format!("{line}\n")).collect();
    fs::write(&journal, shorter).unwrap();
    let done = zopa(folder.path(), &["replay", "run"]);
    assert_eq!((done.code, done.err.trim()), (1, "zopa: 1 of 30 records are missing"));

    let replayed = |text: &str| {
        fs::write(&journal, text).unwrap();
        let done = zopa(folder.path(), &["replay", "run"]);
        assert_eq!(done.code, 1, "{}", done.out);
        done.err
    };
    let first = text.lines().next().unwrap();
    assert!(replayed(&format!("{text}{first}\n")).contains("it is recorded twice"));
    let record: Value = serde_json::from_str(first).unwrap();
    let lost = serde_json::json!({
        "schema": record["schema"], "key": record["key"], "family": record["family"],
        "status": "infra_error", "reason": "the server was away",
    });
    let relabelled = text.replacen(first, &lost.to_string(), 1);
    assert!(replayed(&relabelled).contains("recorded as an infrastructure error, but it can be played"));
    let more = ["run", "procurement-v1", "--episodes", "12", "--out", "more"];
    succeed(folder.path(), &[&more[..], &agents[..]].concat());
    let longer = fs::read_to_string(folder.path().join("more/episodes.jsonl")).unwrap();
    assert!(replayed(&longer).contains("is of another run: its episode is 10, but the manifest has below 10"));
}

#[test]
fn a_private_split_is_named_by_its_salt_s_hash_and_replays_only_with_the_salt() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("salt"), "a secret").unwrap();
    fs::write(folder.path().join("other"), "another").unwrap();
    let run = ["run", "procurement-v1", "--agent", "linear", "--episodes", "4", "--out", "run", "--salt-file", "salt"];
    succeed(folder.path(), &run);
    let manifest = json(&folder.path().join("run/manifest.json"));
    assert!(manifest["split"].as_str().unwrap().starts_with("public+salt:"));
    assert!(!manifest.to_string().contains("a secret"));
    succeed(folder.path(), &["replay", "run", "--salt-file", "salt"]);
    let refused = |arguments: &[&str], part: &str| {
        let done = zopa(folder.path(), arguments);
        assert!(done.code == 2 && done.err.contains(part), "{}", done.err);
    };
    refused(&["replay", "run"], "name its salt with --salt-file");
    refused(&["replay", "run", "--salt-file", "other"], "SHA-256 must be");
}

#[test]
fn a_series_of_contracts_is_one_record_with_its_total_value_and_replays() {
    let folder = tempfile::tempdir().unwrap();
    let agents = ["--agent", "rule-tree", "--agent", "nash", "--agent", "oracle"];
    let run = [&["run", "repeated-v1", "--episodes", "10", "--out", "run"], &agents[..]].concat();
    let out = succeed(folder.path(), &run);
    assert!(out.contains("nash"), "{out}");
    assert_eq!(
        succeed(folder.path(), &["replay", "run"]),
        "30 records replayed with equal digests, 0 without a result\n"
    );
    let text = fs::read_to_string(folder.path().join("run/episodes.jsonl")).unwrap();
    assert!(text.contains("\"contract\":1") && !text.contains("\"contract\":0"));
    for line in text.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        let outcome = &record["scores"]["relationship"];
        assert!(record["scores"]["total_value"].is_number() && outcome["customer_ceiling"].is_number(), "{line}");
        let played = outcome["results"].as_array().unwrap().len() as u64;
        assert!((1..=outcome["contracts"].as_u64().unwrap()).contains(&played));
    }
    let summary = json(&folder.path().join("run/summary.json"));
    let nash = &summary["agents"]["nash"];
    assert!(nash["total_value"]["value"].is_number(), "{nash}");
    let changed = text.replacen("\"end\":\"completed\"", "\"end\":\"contact_lost\"", 1);
    fs::write(folder.path().join("run/episodes.jsonl"), changed).unwrap();
    assert!(zopa(folder.path(), &["replay", "run"]).err.contains("rest digest"));
}

#[test]
fn single_negotiations_say_nothing_of_series() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["run", "payment-terms-v1", "--agent", "nash", "--episodes", "6", "--out", "run"]);
    for name in ["episodes.jsonl", "summary.json", "report/report.md", "report/report.html"] {
        let text = fs::read_to_string(folder.path().join("run").join(name)).unwrap();
        for word in ["total_value", "relationship", "Total customer value", "\"contract\""] {
            assert!(!text.contains(word), "{name} mentions {word}");
        }
    }
}

#[test]
fn a_domain_is_played_from_both_seats_and_replays_after_its_folder_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let domain = folder.path().join("market");
    copy(&market(), &domain);
    let out = succeed(folder.path(), &["run", "--domain", "market", "--episodes", "12", "--out", "run"]);
    assert!(out.contains("nash"), "{out}");
    let text = fs::read_to_string(folder.path().join("run/episodes.jsonl")).unwrap();
    assert!(text.contains("\"seat\":\"buyer\",\"opponent\"") && text.contains("\"seat\":\"supplier\",\"opponent\""));
    fs::remove_dir_all(&domain).unwrap();
    assert!(succeed(folder.path(), &["replay", "run"]).ends_with("equal digests, 0 without a result\n"));
}

#[test]
fn a_public_procurement_domain_negotiates() {
    let domain = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/genius/2010-ItexvsCypress");
    if !domain.is_dir() {
        println!("skipped: ../shared/data/genius is not here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let domain = domain.to_str().unwrap();
    let out = succeed(folder.path(), &["run", "--domain", domain, "--episodes", "20", "--out", "run"]);
    assert!(out.contains("2010-itexvscypress-v1"), "{out}");
    let points: Value = serde_json::from_str(&succeed(folder.path(), &["analyze", domain, "--json"])).unwrap();
    assert_eq!(points["outcomes"], 180);
    assert_eq!(points["pareto"], 18);
    assert!((points["nash"][0].as_f64().unwrap() - 0.670_478_415).abs() < 1e-6);
}

#[test]
fn a_run_can_be_scored_gated_and_reported_again() {
    let folder = tempfile::tempdir().unwrap();
    succeed(folder.path(), &["run", "procurement-v1", "--episodes", "30", "--out", "run"]);
    let summary = fs::read_to_string(folder.path().join("run/summary.json")).unwrap();
    assert_eq!(succeed(folder.path(), &["score", "run", "--json"]), summary);
    fs::remove_dir_all(folder.path().join("run/report")).unwrap();
    let out = succeed(folder.path(), &["report", "run"]);
    assert_eq!(out.lines().last(), Some("run/report/report.html"));
    assert!(folder.path().join("run/report/report.html").is_file());

    let gate = |text: &str| {
        fs::write(folder.path().join("gates.toml"), text).unwrap();
        zopa(folder.path(), &["gate", "run", "--gates", "gates.toml"])
    };
    let least = |share: &str| {
        format!(
            "gated = [\"nash\"]\n[[gates]]\nscore = \"constraint_satisfaction\"\nthreshold = {{ value = {share} }}\n\
             direction = \"at_least\"\nbound = \"point\"\n"
        )
    };
    assert_eq!(gate(&least("0.0")).code, 0);
    let missed = gate(&least("1.5"));
    assert_eq!(missed.code, 1);
    assert_eq!(missed.err.trim(), "zopa: gates missed: nash constraint_satisfaction");
    let wrong = gate("gates = [ { scored = 1 } ]");
    assert_eq!(wrong.code, 2);
    assert!(wrong.err.contains("gates.toml") && wrong.err.contains("line 1"), "{}", wrong.err);
}

#[test]
fn the_worked_example_is_a_suite_that_is_read_as_a_person_would() {
    let folder = tempfile::tempdir().unwrap();
    let text = succeed(folder.path(), &["scenario", "worked-example-v1", "--reveal"]);
    assert!(text.contains("the largest joint gain is $2,500"), "{text}");
}

#[test]
fn agents_may_meet_agents() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["run", "procurement-v1", "--agent", "boulware", "--opponent", "agent:conceder", "--episodes", "6"];
    succeed(folder.path(), &[&arguments[..], &["--out", "run"]].concat());
    assert!(succeed(folder.path(), &["replay", "run"]).starts_with("6 records"));
}

#[test]
fn an_imported_suite_plays_as_its_folder_does() {
    let folder = tempfile::tempdir().unwrap();
    copy(&market(), &folder.path().join("market"));
    let profiles = ["--profiles", "third,seller"];
    let out = succeed(folder.path(), &[&["import", "market", "--out", "mine.toml"][..], &profiles].concat());
    assert_eq!(out, "mine.toml\n");
    let lengths = ["--episodes", "20", "--seed", "5"];
    let of_folder = [&["run", "--domain", "market", "--out", "a"][..], &profiles, &lengths].concat();
    succeed(folder.path(), &of_folder);
    fs::remove_dir_all(folder.path().join("market")).unwrap();
    let table = succeed(folder.path(), &[&["run", "mine.toml", "--out", "b"][..], &lengths].concat());
    assert!(!table.contains("feasible"), "every outcome of the market is rational:\n{table}");
    for name in ["summary.json", "episodes.jsonl"] {
        let read = |run: &str| fs::read_to_string(folder.path().join(run).join(name)).unwrap();
        assert_eq!(read("a"), read("b"), "{name}");
    }
    let manifest = json(&folder.path().join("b/manifest.json"));
    assert_eq!((&manifest["suite"], &manifest["profiles"][0]), (&"market-v1".into(), &"third".into()));
    assert_eq!(manifest["authority"], "guardrails off; mandate by scenario");
    assert!(succeed(folder.path(), &["replay", "b"]).ends_with("equal digests, 0 without a result\n"));
}

#[test]
fn guardrails_of_a_domain_are_on_where_they_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let market = market();
    let market = market.to_str().unwrap();
    succeed(folder.path(), &["import", market, "--out", "mine.toml", "--guardrails"]);
    let run = ["--agent", "conceder", "--episodes", "2"];
    succeed(folder.path(), &[&["run", "mine.toml", "--out", "a"][..], &run].concat());
    succeed(folder.path(), &[&["run", "--domain", market, "--guardrails", "--out", "b"][..], &run].concat());
    for run in ["a", "b"] {
        let manifest = json(&folder.path().join(run).join("manifest.json"));
        assert!(manifest["authority"].as_str().unwrap().starts_with("guardrails rate 0.08"), "{manifest}");
    }
}

#[test]
fn import_overwrites_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let market = market();
    let import = |out: &str| zopa(folder.path(), &["import", market.to_str().unwrap(), "--out", out]);
    assert_eq!(import("mine.toml").code, 0);
    let again = import("mine.toml");
    assert_eq!(again.code, 2);
    assert!(again.err.contains("mine.toml is there already"), "{}", again.err);
    assert!(import("mine.suite").err.contains(".toml"));
}

#[test]
fn a_domain_in_which_nothing_can_be_gained_is_played_and_said_to_be_one() {
    let folder = tempfile::tempdir().unwrap();
    copy(&market(), &folder.path().join("flat"));
    let profile = folder.path().join("flat/buyer.xml");
    let text = fs::read_to_string(&profile).unwrap();
    let flat = text.replace("evaluation=\"5\"", "evaluation=\"10\"").replace("evaluation=\"1\"", "evaluation=\"4\"");
    fs::write(&profile, flat.replace("reservation value=\"0.2\"", "reservation value=\"1\"")).unwrap();
    let done = zopa(folder.path(), &["analyze", "flat"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("to buyer every outcome is worth the same"), "{}", done.err);
    assert!(done.out.contains("no outcome leaves both sides better off than no agreement"), "{}", done.out);
    let run = ["run", "--domain", "flat", "--agent", "linear", "--episodes", "4", "--out", "run"];
    let done = zopa(folder.path(), &run);
    assert!(done.code == 0 && done.err.contains("to buyer every outcome is worth the same"), "{}", done.err);
}
