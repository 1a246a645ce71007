//! A run directory that somebody changed: which command says what. What a figure rests on is found by whoever uses it; what only
//! playing again can tell is found by `zopa replay`.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use serde_json::Value;
use std::fs;
use std::path::Path;
use zopa::{Done, copy, zopa};
use zopa_reports::{EpisodeRecord, EpisodeResult};

/// A gate that the honest run keeps, so that an exit code other than 0 is about the change.
const GATES: &str = "gated = [\"nash\"]\n[[gates]]\nscore = \"agreement_rate\"\nthreshold = { value = 0.0 }\ndirection = \
                     \"at_least\"\nbound = \"point\"\n";

/// Commands, and the exit codes that a change is answered with; 0 is not noticed.
const COMMANDS: [&[&str]; 8] = [
    &["report", "run"],
    &["replay", "run"],
    &["merge", "merged", "run"],
    &["compare", "run"],
    &["gate", "run", "--gates", "gates.toml"],
    &["distil", "run", "--where", "rounds >= 0", "--out", "distilled.toml"],
    &["audit", "run", "0", "--agent", "nash"],
    &["export", "run"],
];

struct Case {
    what: &'static str,
    tamper: fn(&Path),
    /// Exit codes of [`COMMANDS`].
    codes: [i32; 8],
    /// What report, replay and the others say.
    told: [&'static str; 3],
}

fn edit(path: &Path, change: impl Fn(&str) -> String) {
    let text = fs::read_to_string(path).unwrap();
    let changed = change(&text);
    assert_ne!(text, changed, "nothing was changed in {}", path.display());
    fs::write(path, changed).unwrap();
}

fn replace(path: &Path, from: &str, to: &str) {
    edit(path, |text| text.replacen(from, to, 1));
}

/// Adds to the first value in a part of the summary.
fn change_figure(run: &Path, part: &str) {
    edit(&run.join("summary.json"), |text| {
        let at = text.find(&format!("\"{part}\": ")).unwrap();
        let value = at + text[at..].find("\"value\": ").unwrap() + "\"value\": ".len();
        let end = value + text[value..].find([',', '\n']).unwrap();
        let number: f64 = text[value..end].parse().unwrap();
        format!("{}{:?}{}", &text[..value], number + 0.25, &text[end..])
    });
}

/// A record of somebody who knows how records are sealed: changed, and its digests made anew.
fn forge(run: &Path, change: impl Fn(&mut Value)) {
    edit(&run.join("episodes.jsonl"), |text| {
        let (first, rest) = text.split_once('\n').unwrap();
        let mut value: Value = serde_json::from_str(first).unwrap();
        change(&mut value);
        let record: EpisodeRecord = serde_json::from_value(value).unwrap();
        let grade = match &record.result {
            EpisodeResult::Played(played) => played.grade,
            EpisodeResult::InfraError { .. } => None,
        };
        format!("{}\n{rest}", record.graded(grade).to_line().unwrap())
    });
}

const CASES: [Case; 17] = [
    Case {
        what: "a score in a record",
        tamper: |run| edit(&run.join("episodes.jsonl"), |text| text.replacen("\"gain\":", "\"gain\":1", 1)),
        codes: [0, 1, 2, 2, 2, 2, 2, 2],
        told: ["line 1: the rest digest is", "line 1: the rest digest is", "line 1: the rest digest is"],
    },
    Case {
        what: "a score in a record that was sealed anew",
        tamper: |run| {
            forge(run, |record| record["scores"]["gain"] = (record["scores"]["gain"].as_f64().unwrap() + 1e4).into())
        },
        codes: [0, 1, 0, 0, 0, 0, 0, 2],
        told: ["was changed: ", "nash, episode 0, repeat 0: the record's digest is", "it plays otherwise now"],
    },
    Case {
        what: "a record taken out",
        tamper: |run| edit(&run.join("episodes.jsonl"), |text| text.split_once('\n').unwrap().1.to_owned()),
        codes: [0, 1, 2, 2, 2, 0, 2, 0],
        told: ["1 of 24 episodes have no record", "1 of 24 records are missing", "episode"],
    },
    Case {
        what: "a record twice",
        tamper: |run| edit(&run.join("episodes.jsonl"), |text| format!("{text}{}\n", text.lines().next().unwrap())),
        codes: [0, 1, 2, 2, 2, 2, 2, 2],
        told: ["there twice", "it is recorded twice", "twice"],
    },
    Case {
        what: "a result passed off as a failure of infrastructure",
        tamper: |run| {
            edit(&run.join("episodes.jsonl"), |text| {
                let (first, rest) = text.split_once('\n').unwrap();
                let record: Value = serde_json::from_str(first).unwrap();
                let failed = serde_json::json!({
                    "schema": record["schema"], "key": record["key"], "family": record["family"],
                    "status": "infra_error", "reason": "the server was away",
                });
                format!("{failed}\n{rest}")
            });
        },
        codes: [0, 1, 0, 2, 3, 0, 2, 0],
        told: [
            "the number of infrastructure errors of nash",
            "an infrastructure error, but it can be played",
            "infrastructure failed",
        ],
    },
    Case {
        what: "a record of another agent under this one's name",
        tamper: |run| replace(&run.join("episodes.jsonl"), "\"agent\":\"nash\"", "\"agent\":\"rule-tree\""),
        codes: [0, 1, 2, 2, 2, 2, 2, 2],
        told: ["line 1: the game digest is", "line 1: the game digest is", "line 1: the game digest is"],
    },
    Case {
        what: "a figure in the summary",
        tamper: |run| {
            edit(&run.join("summary.json"), |text| {
                let at = text.find("\"surplus_efficiency\"").unwrap();
                format!("{}{}", &text[..at], text[at..].replacen("\"value\": 0.", "\"value\": 0.9", 1))
            });
        },
        codes: [0, 1, 0, 0, 0, 0, 0, 0],
        told: ["was changed: surplus_efficiency of nash is another", "summary.json: line ", ""],
    },
    Case {
        what: "the seed in the header",
        tamper: |run| replace(&run.join("manifest.json"), "\"seed\": 2", "\"seed\": 3"),
        codes: [0, 1, 2, 2, 2, 2, 2, 2],
        told: ["its seed is 2, but the manifest has 3", "its seed is 2, but the manifest has 3", "its seed is 2"],
    },
    Case {
        what: "a rule in the suite that was played",
        tamper: |run| edit(&run.join("inputs/suite.toml"), |text| format!("{text}\n")),
        codes: [0, 2, 2, 0, 2, 2, 2, 2],
        told: ["inputs/suite.toml is missing or was changed", "suite.toml is missing or was changed", "suite.toml"],
    },
    Case {
        what: "an agent passed off as a ceiling",
        tamper: |run| {
            edit(&run.join("manifest.json"), |text| {
                let at = text.find("\"id\": \"nash\"").unwrap();
                format!("{}{}", &text[..at], text[at..].replacen("\"contender\"", "\"ceiling\"", 1))
            });
        },
        codes: [0, 1, 0, 2, 2, 0, 0, 0],
        told: ["", "the standing of nash is ceiling, but the inputs give contender", ""],
    },
    Case {
        what: "episodes left out of the header",
        tamper: |run| replace(&run.join("manifest.json"), "\"episodes\": 12", "\"episodes\": 11"),
        codes: [0, 1, 2, 2, 2, 2, 2, 2],
        told: ["its episode is 11, but the manifest has below 11", "its episode is 11, but", "its episode is 11, but"],
    },
    Case {
        what: "a figure of a family in the summary",
        tamper: |run| change_figure(run, "families"),
        codes: [0, 1, 0, 0, 0, 0, 0, 0],
        told: ["of nash is another than the records give", "summary.json: line ", ""],
    },
    Case {
        what: "a figure of a seat in the summary",
        tamper: |run| change_figure(run, "seats"),
        codes: [0, 1, 0, 0, 0, 0, 0, 0],
        told: [" as buyer of nash is another", "summary.json: line ", ""],
    },
    Case {
        what: "a comparison in the summary",
        tamper: |run| change_figure(run, "comparisons"),
        codes: [0, 1, 0, 0, 0, 0, 0, 0],
        told: ["the comparison of nash with rule-tree is another", "summary.json: line ", ""],
    },
    Case {
        what: "the figure of a gate in the summary",
        tamper: |run| change_figure(run, "gates"),
        codes: [0, 1, 0, 0, 0, 0, 0, 0],
        told: ["the gate ", "summary.json: line ", ""],
    },
    Case {
        what: "the layout's version in the header",
        tamper: |run| replace(&run.join("manifest.json"), "\"schema\": 1", "\"schema\": 99"),
        codes: [2; 8],
        told: ["its layout is 99, but this version of zopa reads layouts up to 1"; 3],
    },
    Case {
        what: "the inputs taken out",
        tamper: |run| fs::remove_dir_all(run.join("inputs")).unwrap(),
        codes: [0, 2, 2, 0, 2, 2, 2, 2],
        told: ["inputs is missing: the run was changed", "inputs is missing: the run was changed", "inputs is missing"],
    },
];

#[test]
fn what_was_changed_is_told_by_who_rests_on_it_and_by_replay() {
    let folder = tempfile::tempdir().unwrap();
    let original = folder.path().join("run");
    let arguments = ["run", "payment-terms-v1", "--agent", "nash", "--agent", "rule-tree", "--episodes", "12"];
    assert_eq!(zopa(folder.path(), &[&arguments[..], &["--out", "run"]].concat()).code, 0);
    let call = |tamper: &dyn Fn(&Path)| -> Vec<Done> {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        copy(&original, &run);
        copy(&original.join("inputs"), &run.join("inputs"));
        fs::write(folder.path().join("gates.toml"), GATES).unwrap();
        tamper(&run);
        COMMANDS.iter().map(|command| zopa(folder.path(), command)).collect()
    };
    for (command, done) in COMMANDS.iter().zip(call(&|_| ())) {
        assert!(done.code == 0 && done.err.is_empty(), "an honest run, {command:?}: {} {}", done.code, done.err);
    }
    for Case { what, tamper, codes, told } in CASES {
        for ((position, command), (done, code)) in COMMANDS.iter().enumerate().zip(call(&tamper).into_iter().zip(codes))
        {
            assert_eq!(done.code, code, "{what}, {command:?}: {}{}", done.out, done.err);
            let part = told[position.min(2)];
            let silent = position >= 2 && code == 0;
            assert!(silent || done.err.contains(part), "{what}, {command:?}: {part} is not in {}", done.err);
        }
    }
}
