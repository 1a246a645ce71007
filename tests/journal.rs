//! Runs that are killed, interrupted, starved of disk, divided and put together again: the results are those of one that was
//! left alone.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use zopa::{Done, zopa};

const SUITE: &str = "payment-terms-v1";

/// A run of 2 x 300 episodes into `out`, and what a test adds.
fn arguments<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let run = ["run", SUITE, "--agent", "linear", "--agent", "rule-tree", "--episodes", "300", "--jobs", "2"];
    [&run[..], &["--out", out], more].concat()
}

fn succeed(folder: &Path, arguments: &[&str]) -> Done {
    let done = zopa(folder, arguments);
    assert_eq!(done.code, 0, "zopa {arguments:?} failed: {}{}", done.out, done.err);
    done
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_zopa"))
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn size(journal: &Path) -> u64 {
    fs::metadata(journal).map_or(0, |found| found.len())
}

/// Waits until the journal has so many bytes, or the process is over.
fn wait_for(child: &mut Child, journal: &Path, bytes: u64) {
    let begun = Instant::now();
    while size(journal) < bytes && child.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_micros(200));
    }
}

fn same_results(folder: &Path, run: &str, expected: &str) {
    for name in ["episodes.jsonl", "summary.json", "report/report.html"] {
        let read = |run: &str| fs::read(folder.join(run).join(name)).unwrap();
        assert!(read(run) == read(expected), "{run}/{name} is another than {expected}/{name}");
    }
}

#[test]
fn a_run_killed_at_any_moment_and_resumed_is_the_run_that_was_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(folder, &arguments("whole", &[]));
    let whole = size(&folder.join("whole/episodes.jsonl"));
    // Before the manifest, with the journal's first bytes, at every tenth of it, and while results are made of it.
    let points = [0, 1].into_iter().chain((1..=10).map(|tenth| whole * tenth / 10));
    for (number, point) in points.enumerate() {
        let out = format!("killed-{number}");
        let mut child = start(folder, &arguments(&out, &[]));
        wait_for(&mut child, &folder.join(&out).join("episodes.jsonl"), point);
        child.kill().unwrap();
        child.wait().unwrap();
        succeed(folder, &arguments(&out, &["--resume"]));
        same_results(folder, &out, "whole");
    }
    // Killed again and again, each time a little later.
    let journal = folder.join("again/episodes.jsonl");
    for part in 1..8 {
        let resume: &[&str] = if part == 1 { &[] } else { &["--resume"] };
        let mut child = start(folder, &arguments("again", resume));
        wait_for(&mut child, &journal, whole * part / 8);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    succeed(folder, &arguments("again", &["--resume"]));
    same_results(folder, "again", "whole");
    assert_eq!(zopa(folder, &["replay", "again"]).code, 0);
}

#[test]
fn a_resumed_run_redoes_no_finished_episode_and_plays_again_what_infrastructure_failed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(folder, &arguments("run", &[]));
    let journal = folder.join("run/episodes.jsonl");
    let (before, summary) = (fs::read_to_string(&journal).unwrap(), fs::read(folder.join("run/summary.json")).unwrap());
    let done = succeed(folder, &arguments("run", &["--resume"]));
    assert!(done.err.contains("600 records were there already"), "{}", done.err);
    assert_eq!(fs::read_to_string(&journal).unwrap(), before);

    let lines: Vec<&str> = before.lines().collect();
    let record: Value = serde_json::from_str(lines[7]).unwrap();
    let failed = serde_json::json!({
        "schema": record["schema"], "key": record["key"], "family": record["family"],
        "status": "infra_error", "reason": "the server was away",
    });
    let with_failure = before.replacen(lines[7], &failed.to_string(), 1);
    fs::write(&journal, &with_failure).unwrap();
    succeed(folder, &arguments("run", &["--resume"]));
    assert_eq!(fs::read_to_string(&journal).unwrap(), format!("{with_failure}{}\n", lines[7]));
    assert_eq!(fs::read(folder.join("run/summary.json")).unwrap(), summary);
    assert_eq!(zopa(folder, &["replay", "run"]).code, 0);
}

#[test]
fn a_run_that_differs_is_not_resumed_and_the_difference_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(folder, &arguments("run", &[]));
    let refused = |arguments: &[&str], part: &str| {
        let done = zopa(folder, arguments);
        assert!(done.code == 2 && done.err.contains(part), "{arguments:?}: {}", done.err);
    };
    refused(&arguments("run", &["--resume", "--seed", "99"]), "its seed is 2, but this command has 99");
    refused(&arguments("run", &["--resume", "--agent", "nash"]), "its list of agents is linear, rule-tree, but");
    refused(&arguments("run", &["--resume", "--opponent", "boulware"]), "its opponent is mix, but");
    refused(&arguments("run", &["--resume", "--shard", "1/2"]), "its part is 1/1, but this command has 1/2");
    refused(&["run", "procurement-v1", "--resume", "--out", "run"], "its suite is payment-terms-v1, but");
    refused(&["run", SUITE, "--resume"], "there is no runs/payment-terms-v1-seed2-1 to go on with");
    let manifest = folder.join("run/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let version = format!("\"zopa\": \"{}\"", env!("CARGO_PKG_VERSION"));
    fs::write(&manifest, text.replacen(&version, "\"zopa\": \"0.0.9\"", 1)).unwrap();
    refused(&arguments("run", &["--resume"]), "its version of zopa is 0.0.9, but");
    fs::write(&manifest, text).unwrap();
    // A record from elsewhere among the run's own.
    let journal = folder.join("run/episodes.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    succeed(folder, &["run", SUITE, "--agent", "nash", "--episodes", "2", "--out", "other"]);
    let other = fs::read_to_string(folder.join("other/episodes.jsonl")).unwrap();
    fs::write(&journal, format!("{other}{text}")).unwrap();
    refused(&arguments("run", &["--resume"]), "nash, episode 0, repeat 0 is of another run: its agent is nash");
    refused(&["score", "run"], "nash, episode 0, repeat 0 is of another run");
    fs::write(&journal, format!("{text}{}\n", text.lines().next().unwrap())).unwrap();
    refused(&arguments("run", &["--resume"]), "linear, episode 0, repeat 0 is recorded twice");
    refused(&["score", "run"], "one result is there twice");
}

#[test]
fn an_unfinished_run_is_told_from_a_finished_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(folder, &arguments("run", &[]));
    let journal = folder.join("run/episodes.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let half = text.lines().take(300).map(|line| format!("{line}\n")).collect::<String>();
    fs::write(&journal, &half).unwrap();
    fs::remove_file(folder.join("run/summary.json")).unwrap();
    let again = zopa(folder, &arguments("run", &[]));
    assert!(again.code == 2 && again.err.contains("holds a run that did not finish"), "{}", again.err);
    let gated = zopa(folder, &["gate", "run"]);
    assert!(gated.code == 2 && gated.err.contains("300 of 600 episodes have no record"), "{}", gated.err);
    assert!(succeed(folder, &["score", "run"]).err.contains("note: run is not complete"));
    fs::write(&journal, &half[..half.len() - 40]).unwrap();
    let torn = zopa(folder, &["score", "run"]);
    assert!(torn.code == 2 && torn.err.contains("line 300: it is torn"), "{}", torn.err);
    succeed(folder, &arguments("run", &["--resume"]));
    assert_eq!(fs::read_to_string(&journal).unwrap(), text);
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_played_and_prints_the_command_that_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fn long(out: &str) -> [&str; 12] {
        ["run", SUITE, "--agent", "linear", "--agent", "rule-tree", "--episodes", "20000", "--jobs", "2", "--out", out]
    }
    for signal in ["-INT", "-TERM"] {
        let out = &*format!("run{signal}");
        let mut child = start(folder, &long(out));
        let journal = folder.join(out).join("episodes.jsonl");
        wait_for(&mut child, &journal, 100_000);
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{told}");
        let expected = format!("\n  zopa {} --resume\n", long(out).join(" "));
        assert!(told.contains("of 40000 episodes, which are kept; go on with") && told.contains(&expected), "{told}");
        let text = fs::read_to_string(&journal).unwrap();
        assert!(text.ends_with('\n') && text.lines().count() < 40_000);
        assert!(folder.join(out).join("timing.json").is_file());
    }
}

#[cfg(unix)]
#[test]
fn a_second_ctrl_c_abandons_what_is_under_way_and_the_run_goes_on_to_the_same_results() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // A solver thinks for seconds in a build for tests, so that the second signal comes before its episode ends.
    let run = |out: &'static str, more: &[&'static str]| {
        let run =
            ["run", SUITE, "--agent", "linear", "--agent", "solver", "--episodes", "12", "--jobs", "1", "--out", out];
        [&run[..], more].concat()
    };
    let mut child = start(folder, &run("stopped", &[]));
    let journal = folder.join("stopped/episodes.jsonl");
    wait_for(&mut child, &journal, 1);
    let interrupt = || Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt().success());
    std::thread::sleep(Duration::from_millis(300));
    // Where the episode ended meanwhile there is nobody left to interrupt.
    interrupt();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("once more abandons them") || told.contains("which are kept; go on with"), "{told}");
    succeed(folder, &run("stopped", &["--resume"]));
    succeed(folder, &run("whole", &[]));
    same_results(folder, "stopped", "whole");
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_an_infrastructure_failure_and_the_run_goes_on_once_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(folder, &arguments("whole", &[]));
    for blocks in [0, 3, 40, 200] {
        let out = format!("full-{blocks}");
        // A bound on file sizes stands in for a disk without room: writes fail after their first part.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let output = Command::new("sh")
            .args(["-c", &script, env!("CARGO_BIN_EXE_zopa")])
            .args(arguments(&out, &[]))
            .current_dir(folder)
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{told}");
        assert!(told.contains("cannot write ") && told.contains(&out), "{told}");
        if blocks == 200 {
            assert!(told.contains("what was played is kept") && told.contains("--resume"), "{told}");
        }
        succeed(folder, &arguments(&out, &["--resume"]));
        same_results(folder, &out, "whole");
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_an_infrastructure_failure_before_anything_is_played() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("locked")).unwrap();
    fs::set_permissions(folder.join("locked"), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.join("locked/probe"), "").is_ok() {
        println!("skipped: this user may write into read-only folders");
    } else {
        for out in ["locked", "locked/run"] {
            let done = zopa(folder, &arguments(out, &[]));
            assert!(done.code == 3 && done.err.contains("cannot") && done.err.contains("locked"), "{}", done.err);
        }
    }
    // No user may make folders here.
    if Path::new("/proc/self").exists() {
        let done = zopa(folder, &arguments("/proc/self/run", &[]));
        assert!(done.code == 3 && done.err.contains("cannot create the output folder"), "{}", done.err);
    }
}

#[test]
fn the_parts_of_a_run_merge_into_the_run_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // An odd number: the last scenario has one seat only.
    let run = |out: &str, more: &[&str]| {
        let run = ["run", SUITE, "--agent", "linear", "--agent", "rule-tree", "--episodes", "61", "--out", out];
        succeed(folder, &[&run[..], more].concat());
    };
    run("whole", &[]);
    for part in ["1/3", "2/3", "3/3"] {
        run(&format!("part{}", &part[..1]), &["--shard", part]);
    }
    succeed(folder, &["merge", "merged", "part3", "part1", "part2"]);
    same_results(folder, "merged", "whole");
    assert!(folder.join("merged/timing.json").is_file());
    assert_eq!(zopa(folder, &["replay", "merged"]).code, 0);
    assert_eq!(zopa(folder, &["replay", "part2"]).code, 0);

    let refused = |arguments: &[&str], parts: &[&str]| {
        let done = zopa(folder, &[&["merge"], arguments].concat());
        assert_eq!(done.code, 2, "{arguments:?}: {}{}", done.out, done.err);
        for part in parts {
            assert!(done.err.contains(part), "{part} is not in: {}", done.err);
        }
    };
    refused(&["new", "part1", "part3"], &["missing parts: 2/3"]);
    refused(&["new", "part1", "part2", "part3", "part2"], &["part 2/3 is there twice: part2 and part2"]);
    refused(&["merged", "part1", "part2", "part3"], &["merged is not empty"]);
    run("half", &["--shard", "1/2"]);
    refused(&["new", "part1", "half"], &["half is part 1/2", "part1 is one of 3"]);
    run("seed", &["--shard", "2/3", "--seed", "5"]);
    refused(&["new", "part1", "seed", "part3"], &["seed is no part of the run of part1", "its seed is 5, not 2"]);
    // A part that lost a record is none.
    let journal = folder.join("part2/episodes.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let shorter: String = text.lines().skip(1).map(|line| format!("{line}\n")).collect();
    fs::write(&journal, &shorter).unwrap();
    refused(&["new", "part1", "part2", "part3"], &["121 of 122 episodes", "did not finish"]);
    fs::write(&journal, text.replacen("\"round\":0", "\"round\":1", 1)).unwrap();
    refused(&["new", "part1", "part2", "part3"], &["part2/episodes.jsonl: line 1: the game digest"]);
    assert!(fs::read_dir(folder.join("new")).unwrap().next().is_none(), "what failed leaves nothing behind");
}

#[test]
fn a_gate_against_an_earlier_run_pairs_scenarios_and_refuses_other_ones() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(folder, &["run", SUITE, "--agent", "nash", "--agent", "conceder", "--episodes", "200", "--out", "new"]);
    fs::write(
        folder.join("gates.toml"),
        "gated = [\"nash\"]\n[[gates]]\nscore = \"agreement_rate\"\nthreshold = { value = 0.0 }\ndirection = \"at_least\"\n\
         bound = \"point\"\nfamily = \"each\"\n",
    )
    .unwrap();
    let gate = |more: &[&str]| zopa(folder, &[&["gate", "new", "--gates", "gates.toml"], more].concat());
    let same = gate(&["--baseline", "new", "--json"]);
    assert_eq!(same.code, 0, "{}", same.err);
    let verdict: Value = serde_json::from_str(&same.out).unwrap();
    assert_eq!(verdict["passed"], true);
    assert!(verdict["gates"].as_array().unwrap().len() > 2, "one a family: {verdict}");
    assert_eq!(verdict["changes"][0]["score"], "surplus_efficiency");
    assert_eq!(verdict["changes"][0]["difference"]["value"], 0.0);
    // One id, another way to decide: what a change for the worse looks like.
    let of_strategy = |strategy: &str| {
        let run = ["run", SUITE, "--agent", "dialogue", "--strategy", strategy, "--episodes", "200", "--out", strategy];
        succeed(folder, &run);
    };
    of_strategy("nash");
    of_strategy("random");
    fs::write(folder.join("regression.toml"), "gated = [\"dialogue\"]\ngates = []\n").unwrap();
    let since =
        |run: &str, baseline: &str| zopa(folder, &["gate", run, "--gates", "regression.toml", "--baseline", baseline]);
    let worse = since("random", "nash");
    assert!(worse.code == 1 && worse.err.contains("worse than the baseline run: dialogue surplus"), "{}", worse.err);
    assert_eq!(since("nash", "random").code, 0);
    // A baseline run that lost records proves nothing.
    let journal = folder.join("nash/episodes.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.split_once('\n').unwrap().1).unwrap();
    let lost = since("random", "nash");
    assert!(lost.code == 2 && lost.err.contains("nash is not complete: 1 of 200 episodes"), "{}", lost.err);
    succeed(folder, &["run", SUITE, "--agent", "nash", "--episodes", "200", "--seed", "8", "--out", "other"]);
    let other = gate(&["--baseline", "other"]);
    assert!(other.code == 2 && other.err.contains("the seed is"), "{}", other.err);
    let stranger = "gated = [\"nash\"]\n[[gates]]\nscore = \"rounds\"\nthreshold = { value = 1.0 }\ndirection = \"at_most\"\n\
                    bound = \"point\"\nfamily = \"each\"\n";
    fs::write(folder.join("gates.toml"), stranger).unwrap();
    let refused = gate(&[]);
    assert!(refused.code == 2 && refused.err.contains("gate 1: rounds is not computed by family"), "{}", refused.err);
}
