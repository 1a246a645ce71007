//! `zopa suites`

use super::{columns, print, print_json};
use crate::failure::Failure;
use clap::Args;
use serde::Serialize;
use zopa_scenarios::{Suite, bilateral_trade};

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
                issues: suite.issue_names().map(str::to_owned).collect(),
                splits: suite.splits().keys().cloned().collect(),
                digest: suite.digest().to_owned(),
            });
        }
        entries.push(Entry {
            name: bilateral_trade::NAME.to_owned(),
            version: 1,
            question: bilateral_trade::QUESTION.to_owned(),
            issues: vec!["price".to_owned()],
            splits: Vec::new(),
            digest: String::new(),
        });
        if self.json {
            return print_json(&entries);
        }
        let rows: Vec<Vec<String>> =
            entries.into_iter().map(|entry| vec![entry.name, entry.issues.join(" "), entry.question]).collect();
        print(&columns(&rows))
    }
}
