//! `zopa agents`

use super::{columns, print, print_json};
use crate::failure::Failure;
use clap::Args;
use serde::Serialize;
use zopa_agents::roster;

/// Lists the agents.
#[derive(Debug, Args)]
pub(super) struct Agents {
    /// One JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Entry {
    id: &'static str,
    kind: String,
    description: &'static str,
}

impl Agents {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let entries: Vec<Entry> = roster::agents()
            .map(|card| Entry { id: card.id, kind: card.kind.to_string(), description: card.description })
            .collect();
        if self.json {
            return print_json(&entries);
        }
        let rows: Vec<Vec<String>> = entries
            .into_iter()
            .map(|entry| vec![entry.id.to_owned(), entry.kind, entry.description.to_owned()])
            .collect();
        print(&columns(&rows))
    }
}
