//! Old run directories keep opening: `tests/runs/` holds a small run for every layout that was ever written, and a newer version
//! reads them all.
//!
//! A folder there is never made anew. Where a layout changes, `zopa run payment-terms-v1 --episodes 6 --agent linear --agent nash
//! --out tests/runs/schema-N` adds the next one.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use zopa::{copy, zopa};
use zopa_reports::{EpisodeRecord, Manifest};

/// The folders and the schemas that are written in their names.
fn runs() -> Vec<(u32, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/runs");
    let mut runs: Vec<(u32, PathBuf)> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let schema = name.strip_prefix("schema-").and_then(|number| number.parse().ok());
            (schema.unwrap_or_else(|| panic!("{name}: a folder is named schema-N")), path)
        })
        .collect();
    runs.sort();
    runs
}

#[test]
fn there_is_a_run_for_every_schema_up_to_the_one_that_is_written() {
    let newest = EpisodeRecord::SCHEMA.max(Manifest::SCHEMA);
    assert_eq!(runs().into_iter().map(|(schema, _)| schema).collect::<Vec<_>>(), (1..=newest).collect::<Vec<_>>());
}

#[test]
fn every_schema_is_scored_gated_reported_and_has_the_figures_that_it_had() {
    for (schema, path) in runs() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        copy_all(&path, &run);
        for verb in [&["score", "run"][..], &["gate", "run"], &["report", "run"]] {
            let done = zopa(folder.path(), verb);
            // A gate may be missed: it was tested all the same.
            assert!(done.code <= 1, "schema {schema}, {verb:?}: {}", done.err);
        }
        let scored = zopa(folder.path(), &["score", "run", "--json"]);
        let now: Value = serde_json::from_str(&scored.out).unwrap();
        let then: Value = serde_json::from_slice(&fs::read(path.join("summary.json")).unwrap()).unwrap();
        for (agent, figures) in then["agents"].as_object().unwrap() {
            for (score, estimate) in
                figures.as_object().unwrap().iter().filter(|(_, estimate)| estimate["value"].is_number())
            {
                let value = &now["agents"][agent][score]["value"];
                assert_eq!(value, &estimate["value"], "schema {schema}: {score} of {agent}");
            }
        }
    }
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
