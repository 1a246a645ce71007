//! What a newcomer sees who mistypes: a message with file, line and field, exit code 2, and nothing written.

mod zopa;

use std::fs;
use std::path::Path;
use zopa::{copy, market, zopa};

/// Runs `arguments` beside `files`; it must fail with code 2, say `expected`, and write nothing.
fn check(files: &[(&str, &str)], arguments: &[&str], expected: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    check_in(folder.path(), arguments, expected);
}

fn check_in(folder: &Path, arguments: &[&str], expected: &[&str]) {
    let names = |folder: &Path| {
        let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        names.sort();
        names
    };
    let before = names(folder);
    let done = zopa(folder, arguments);
    assert_eq!(done.code, 2, "{arguments:?}: {}{}", done.out, done.err);
    for part in expected {
        assert!(done.err.contains(part), "{arguments:?}: \"{part}\" is not in:\n{}", done.err);
    }
    assert_eq!(names(folder), before, "{arguments:?} wrote something");
    assert_eq!(done.out, "", "results alone go to standard output");
}

#[test]
fn an_unknown_suite_agent_opponent_or_split_is_answered_with_the_nearest_name() {
    check(&[], &["run", "procurment-v1"], &["procurment-v1", "procurement-v1"]);
    check(&[], &["run", "procurement-v1", "--agent", "bulware"], &["\"bulware\"", "did you mean \"boulware\"?"]);
    check(&[], &["run", "procurement-v1", "--opponent", "boulwar"], &["\"boulwar\"", "did you mean \"boulware\"?"]);
    check(&[], &["run", "procurement-v1", "--split", "pubic"], &["\"pubic\"", "public"]);
    check(&[], &["run"], &["suite", "--domain"]);
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    check(&[], &["run", "procurement-v1", "--episodes", "0"], &["--episodes 0", "at least one episode"]);
    check(&[], &["run", "procurement-v1", "--episodes", "18446744073709551615"], &["--episodes", "at most"]);
    check(&[], &["run", "procurement-v1", "--jobs", "0"], &["--jobs 0"]);
    check(&[], &["run", "procurement-v1", "--jobs", "100000"], &["--jobs 100000", "at most 1024"]);
    check(&[], &["run", "procurement-v1", "--seed", "9007199254740992"], &["2^53"]);
    check(&[], &["run", "procurement-v1", "--episodes", "many"], &["many"]);
    #[cfg(unix)]
    for flag in ["--alerts", "--salt-file"] {
        check(
            &[],
            &["run", "procurement-v1", flag, "/dev/zero"],
            &[flag, "/dev/zero: it has more than 67108864 bytes"],
        );
    }
    let part = ["run", "procurement-v1", "--episodes", "4", "--shard", "3/3"];
    check(&[], &part, &["--shard 3/3: 4 episodes have 2 scenarios, which make as many parts at most"]);
}

#[test]
fn an_output_folder_that_holds_anything_is_never_overwritten() {
    let run = ["run", "procurement-v1", "--episodes", "2", "--out", "old"];
    check(&[("old/notes.txt", "mine")], &run, &["old is not empty"]);
    check(&[("old", "a file")], &run, &["old"]);
}

#[test]
fn a_gate_that_holds_nobody_passes_nothing() {
    let run = ["run", "procurement-v1", "--agent", "linear", "--gate"];
    check(&[], &run, &["gated agent nash does not play"]);
}

#[test]
fn a_typo_in_a_suite_file_is_named_with_line_and_field() {
    let suite = include_str!("../scenarios/suites/payment-terms-v1.toml");
    let with = |from: &str, to: &str| {
        assert!(suite.contains(from), "the suite no longer says {from}");
        suite.replacen(from, to, 1)
    };
    let refuse = |text: &str, expected: &[&str]| {
        check(&[("mine.toml", text)], &["run", "mine.toml"], &[&["mine.toml:"], expected].concat());
    };
    refuse(&with("hazard = ", "hazzard = "), &["hazzard", "hazard"]);
    refuse(&with("hazard = ", "hazard = nan #"), &["hazard"]);
    refuse(&with("hazard = ", "hazard = inf #"), &["hazard"]);
    refuse(&with("[splits.", "[splits"), &["mine.toml:"]);
}

#[test]
fn a_broken_domain_is_named_with_file_and_line() {
    let broken = |name: &str, change: &dyn Fn(String) -> String, expected: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        copy(&market(), &folder.path().join("market"));
        let path = folder.path().join("market").join(name);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, change(text)).unwrap();
        check_in(folder.path(), &["run", "--domain", "market", "--episodes", "2"], &[&[name], expected].concat());
    };
    broken("buyer.xml", &|text| text[..text.len() / 2].to_owned(), &[":"]);
    broken(
        "buyer.xml",
        &|text| text.replacen("weight index=\"1\" value=\"", "weight index=\"1\" value=\"x", 1),
        &["weight"],
    );
    broken(
        "seller.xml",
        &|text| text.replacen("weight index=\"1\" value=\"", "weight index=\"1\" value=\"NaN\" x=\"", 1),
        &["weight"],
    );
}

#[test]
fn fewer_than_two_profiles_are_too_few() {
    let folder = tempfile::tempdir().unwrap();
    copy(&market(), &folder.path().join("market"));
    for name in ["seller.xml", "third.xml"] {
        fs::remove_file(folder.path().join("market").join(name)).unwrap();
    }
    check_in(folder.path(), &["run", "--domain", "market"], &["profile"]);
    check(&[], &["run", "--domain", "nowhere"], &["nowhere"]);
    check(&[("empty/readme.txt", "no domain")], &["run", "--domain", "empty"], &["empty"]);
}

#[test]
fn what_is_no_run_directory_is_refused() {
    for verb in ["report", "score", "gate", "replay"] {
        check(&[("notes.txt", "mine")], &[verb, "."], &["no run directory", "manifest.json"]);
    }
}
