//! `zopa counterparts`

use super::{columns, print, print_json};
use crate::failure::Failure;
use clap::Args;
use serde::Serialize;
use zopa_scenarios::Suite;

/// Lists the counterpart families of a suite, or of all.
#[derive(Debug, Args)]
pub(super) struct Counterparts {
    /// The suite; all where none is named
    suite: Option<String>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Entry {
    suite: String,
    name: String,
    role: String,
    share: f64,
    description: String,
}

impl Counterparts {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let names: Vec<&str> = match &self.suite {
            Some(name) => vec![name],
            None => Suite::names().collect(),
        };
        let mut entries = Vec::new();
        for name in names {
            let suite = Suite::open(name).map_err(Failure::input)?;
            entries.extend(suite.families().iter().map(|family| Entry {
                suite: suite.name().to_owned(),
                name: family.name.to_string(),
                role: family.role.to_string(),
                share: family.share,
                description: family.description.to_string(),
            }));
        }
        if self.json {
            return print_json(&entries);
        }
        let rows: Vec<Vec<String>> = entries
            .into_iter()
            .map(|entry| {
                vec![entry.suite, entry.name, entry.role, format!("{:.0} %", 100.0 * entry.share), entry.description]
            })
            .collect();
        print(&columns(&rows))
    }
}
