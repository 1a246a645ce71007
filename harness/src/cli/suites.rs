//! `zopa suites`

use super::{columns, print, print_json};
use crate::failure::Failure;
use clap::Args;
use serde::Serialize;
use zopa_scenarios::Suite;

/// Lists the suites that come with the program.
#[derive(Debug, Args)]
pub(super) struct Suites {
    /// One JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Entry {
    name: String,
    version: u32,
    question: String,
    issues: Vec<String>,
    splits: Vec<String>,
    digest: String,
}

impl Suites {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let mut entries = Vec::new();
        for name in Suite::names() {
            let suite = Suite::open(name).map_err(Failure::input)?;
            entries.push(Entry {
                name: suite.name().to_owned(),
                version: suite.version(),
                question: suite.question().to_owned(),
                issues: suite.file().issues.iter().map(|issue| issue.name.clone()).collect(),
                splits: suite.splits().keys().cloned().collect(),
                digest: suite.digest().to_owned(),
            });
        }
        if self.json {
            return print_json(&entries);
        }
        let rows: Vec<Vec<String>> =
            entries.into_iter().map(|entry| vec![entry.name, entry.issues.join(" "), entry.question]).collect();
        print(&columns(&rows))
    }
}
