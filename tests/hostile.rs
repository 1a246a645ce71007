//! Run directories from someone else: whatever is in them, commands answer with an exit code of their own, follow no link, write
//! nothing outside, and print nothing that steers a terminal or a browser.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use std::fs;
use std::path::Path;
use zopa::{Done, copy, zopa};

const VERBS: [&[&str]; 7] = [
    &["score", "run"],
    &["report", "run"],
    &["gate", "run"],
    &["replay", "run"],
    &["merge", "merged", "run"],
    &["compare", "run"],
    &["audit", "run", "0", "--agent", "nash"],
];

/// A folder with an honest run of few episodes in `run`.
fn honest() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        ["run", "payment-terms-v1", "--agent", "nash", "--agent", "rule-tree", "--episodes", "6", "--out", "run"];
    let done = zopa(folder.path(), &arguments);
    assert_eq!(done.code, 0, "{}", done.err);
    folder
}

fn clean(done: &Done) -> bool {
    (0..=3).contains(&done.code) && !done.err.contains("panicked")
}

/// Tampers with a copy of the run, calls every command on it and hands each answer to `judge`.
fn check(original: &Path, what: &str, tamper: impl Fn(&Path), judge: impl Fn(&[&str], &Done)) {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    copy_run(original, &run);
    tamper(&run);
    for verb in VERBS {
        let done = zopa(folder.path(), verb);
        assert!(clean(&done), "{what}, {verb:?}: exit code {}: {}{}", done.code, done.out, done.err);
        judge(verb, &done);
    }
}

fn copy_run(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for name in ["manifest.json", "episodes.jsonl", "summary.json", "timing.json"] {
        fs::copy(from.join(name), to.join(name)).unwrap();
    }
    for name in ["inputs", "report"] {
        copy(&from.join(name), &to.join(name));
    }
}

#[test]
fn files_of_any_content_are_answered_with_words() {
    let folder = honest();
    let original = folder.path().join("run");
    let deep = "[".repeat(200_000);
    let contents: [(&str, Vec<u8>); 9] = [
        ("nothing", Vec::new()),
        ("zeros", vec![0; 5_000]),
        ("no UTF-8", vec![0xff; 5_000]),
        ("deep brackets", deep.clone().into_bytes()),
        ("deep objects", "{\"key\":".repeat(100_000).into_bytes()),
        ("a deep field", format!("{{\"schema\":{deep}").into_bytes()),
        ("no object", b"[1, 2, 3]".to_vec()),
        ("not a number", b"{\"schema\": NaN}".to_vec()),
        ("a number too large", b"{\"schema\": 1e999}".to_vec()),
    ];
    for name in ["manifest.json", "episodes.jsonl", "summary.json", "timing.json", "inputs/suite.toml"] {
        for (what, bytes) in &contents {
            check(
                &original,
                &format!("{what} in {name}"),
                |run| fs::write(run.join(name), bytes).unwrap(),
                |verb, done| {
                    // Scores come from the records, pages from the summary: each fails on its own file.
                    let read = match name {
                        "manifest.json" => true,
                        "episodes.jsonl" => verb[0] != "report",
                        "inputs/suite.toml" => !matches!(verb[0], "report" | "compare"),
                        "summary.json" => matches!(verb[0], "report" | "replay"),
                        _ => matches!(verb[0], "score" | "report" | "gate" | "merge"),
                    };
                    assert!(!read || done.code != 0, "{what} in {name}, {verb:?}: {}", done.out);
                },
            );
        }
    }
}

/// The file with `from` replaced by `to`, which must be in it.
fn replace(path: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains(from), "{from} is not in {}", path.display());
    fs::write(path, text.replace(from, to)).unwrap();
}

#[test]
fn absurd_numbers_cost_no_memory_and_no_time() {
    let folder = honest();
    let original = folder.path().join("run");
    let most = u64::MAX.to_string();
    for (name, from, to) in [
        ("manifest.json", "\"episodes\": 6", format!("\"episodes\": {most}")),
        ("manifest.json", "\"repeats\": 1", "\"repeats\": 4294967295".to_owned()),
        ("manifest.json", "\"seed\": 2", format!("\"seed\": {most}")),
        ("manifest.json", "\"host\"", "\"shard\": \"1/4294967295\", \"host\"".to_owned()),
        ("episodes.jsonl", "\"index\":3", format!("\"index\":{most}")),
        ("summary.json", "\"episodes\": 6", format!("\"episodes\": {most}")),
        (
            "summary.json",
            "\"high\": ",
            "\"high\": 1e308, \"n\": 1 }, \"other\": { \"value\": -1e308, \"low\": -1e308, \"high\": ".to_owned(),
        ),
        ("timing.json", "\"wall_seconds\": ", "\"wall_seconds\": 1e30".to_owned()),
    ] {
        check(&original, &format!("{to} in {name}"), |run| replace(&run.join(name), from, &to), |_, _| {});
    }
    let many: String = (0..20_000)
        .map(|number| format!("{{\"id\": \"a{number}\", \"version\": 1, \"options\": \"\", \"standing\": \"probe\"}},"))
        .collect();
    let tamper = |run: &Path| replace(&run.join("manifest.json"), "\"agents\": [", &format!("\"agents\": [{many}"));
    check(&original, "20,000 agents", tamper, |_, done| {
        assert!(done.code != 0 && done.err.contains("more than any run has"), "{}", done.err);
    });
    // Values that no share has are drawn all the same.
    let tamper = |run: &Path| {
        let text = fs::read_to_string(run.join("summary.json")).unwrap();
        let wild: String = text
            .lines()
            .map(|line| match line.trim_start().split_once(": ") {
                Some(("\"value\"", _)) => "\"value\": 1e300,\n".to_owned(),
                Some(("\"low\"", _)) => "\"low\": -1e300,\n".to_owned(),
                Some(("\"high\"", _)) => "\"high\": 1.7e308,\n".to_owned(),
                _ => format!("{line}\n"),
            })
            .collect();
        fs::write(run.join("summary.json"), wild).unwrap();
    };
    check(&original, "wild values", tamper, |verb, done| {
        assert!(verb[0] != "report" || done.code <= 2, "{}", done.err);
    });
}

#[test]
fn names_that_steer_a_terminal_or_a_page_are_text() {
    let folder = honest();
    let original = folder.path().join("run");
    let hostile = "<script>alert(1)</script>\\u001b[2J\\u009b31m\\u202e\\u0007<img src=x onerror=alert(2)>";
    let tamper = |run: &Path| {
        for name in ["manifest.json", "summary.json"] {
            replace(&run.join(name), "rule-tree", hostile);
            replace(&run.join(name), "payment-terms-v1", hostile);
        }
        replace(&run.join("manifest.json"), "\"split\": \"public\"", &format!("\"split\": \"{hostile}\""));
        replace(&run.join("summary.json"), "boulware", hostile);
    };
    check(&original, "hostile names", tamper, |verb, done| {
        let told = format!("{}{}", done.out, done.err);
        let steers = |c: char| (c.is_control() && c != '\n' && c != '\t') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!told.contains(steers), "{verb:?}: {told:?}");
    });
    let run = folder.path().join("run");
    tamper(&run);
    assert_eq!(zopa(folder.path(), &["report", "run"]).code, 0);
    for name in ["report.html", "report.md", "surplus-efficiency.svg", "families.svg"] {
        let page = fs::read_to_string(run.join("report").join(name)).unwrap();
        assert!(!page.contains("<script") && !page.contains("<img"), "{name}");
        assert!(!page.contains('\u{1b}') && !page.contains('\u{9b}'), "{name} holds control characters");
    }
}

#[cfg(unix)]
#[test]
fn command_lines_that_steer_a_terminal_are_told_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let steering = "o\u{1b}[31m\u{9b}2J\u{7}\u{202e}x";
    let check = |arguments: &[&str], code: i32| {
        let done = zopa(folder.path(), arguments);
        let told = format!("{}{}", done.out, done.err);
        assert_eq!(done.code, code, "{told}");
        let steers = |c: char| (c.is_control() && c != '\n' && c != '\t') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!told.contains(steers) && told.contains("31m"), "{arguments:?}: {told:?}");
    };
    check(&[steering], 2);
    check(&["run", steering, "--agent", "nash"], 2);
    check(&["run", "procurement-v1", "--agent", steering], 2);
    check(&["run", "procurement-v1", "--episodes", steering], 2);
    check(&["run", "procurement-v1", "--agent", "nash", "--episodes", "2", "--json", "--out", steering], 0);
    check(&["run", "procurement-v1", "--agent", "nash", "--episodes", "2", "--out", steering], 2);
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_refused_and_nothing_is_written_through_them() {
    use std::os::unix::fs::symlink;
    let folder = honest();
    let original = folder.path().join("run");
    let outside = tempfile::tempdir().unwrap();
    let victim = outside.path().join("victim");
    fs::write(&victim, "mine").unwrap();
    let link = |name: &'static str, target: &Path| {
        let target = target.to_owned();
        move |run: &Path| {
            let path = run.join(name);
            if path.is_dir() {
                fs::remove_dir_all(&path).unwrap();
            } else {
                let _ = fs::remove_file(&path);
            }
            symlink(&target, &path).unwrap();
        }
    };
    let refused = |part: &'static str, verbs: &'static [&'static str]| {
        move |verb: &[&str], done: &Done| {
            if verbs.contains(&verb[0]) {
                assert!(done.code == 2 && done.err.contains(part), "{verb:?}: {}", done.err);
            }
            assert!(!done.err.contains("mine") && !done.out.contains("mine"), "{verb:?} tells what the link points at");
        }
    };
    let (records, all) = (&["score", "gate", "replay", "merge"], &["score", "gate", "replay", "merge", "report"]);
    check(&original, "a linked header", link("manifest.json", &victim), refused("is a link", all));
    check(&original, "a linked journal", link("episodes.jsonl", &victim), refused("is a link", records));
    check(
        &original,
        "an endless journal",
        link("episodes.jsonl", Path::new("/dev/zero")),
        refused("is a link", records),
    );
    check(&original, "a linked input", link("inputs/suite.toml", &victim), refused("is a link", records));
    check(&original, "linked inputs", link("inputs", outside.path()), refused("is a link", records));
    check(&original, "a linked summary", link("summary.json", &victim), refused("is a link", &["report"]));
    check(&original, "a linked report", link("report", outside.path()), refused("is a link", &["report"]));
    for name in ["report/report.html", "report/scores.csv", "report/families.png"] {
        check(&original, name, link(name, &victim), |verb, done| {
            assert!(verb[0] != "report" || done.code == 0, "{}", done.err);
        });
        assert_eq!(fs::read_to_string(&victim).unwrap(), "mine", "{name} was written through");
    }
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1, "something was written outside");
    let pipe = |run: &Path| {
        fs::remove_file(run.join("episodes.jsonl")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(run.join("episodes.jsonl")).status();
        assert!(made.is_ok_and(|status| status.success()));
    };
    check(&original, "a pipe for a journal", pipe, refused("is a link or no plain file", records));
    // Names of inputs are looked up among the files that are there: they open nothing.
    let traverse =
        |run: &Path| replace(&run.join("manifest.json"), "\"name\": \"suite.toml\"", "\"name\": \"../../victim\"");
    check(&original, "a path among the inputs", traverse, refused("is missing or was changed", records));
}
