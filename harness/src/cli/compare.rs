//! `zopa compare`

use super::{print, print_json};
use crate::comparison;
use crate::failure::Failure;
use clap::Args;
use std::path::{Path, PathBuf};
use zopa_reports::compare::{Arm, ComparisonOptions, ComparisonTable};

/// Puts the agents of several runs into one table over the scenarios that all of them played, with paired differences.
#[derive(Debug, Args)]
pub(super) struct Compare {
    /// The run directories; the first says what the others must have in common with it
    #[arg(required = true)]
    runs: Vec<PathBuf>,
    /// An agent to compare; may be repeated; all where none is named
    #[arg(long = "agent", value_name = "ID")]
    agents: Vec<String>,
    /// The agent that others are compared with; the first run's baseline where none is named
    #[arg(long, value_name = "ID")]
    baseline: Option<String>,
    /// A TOML file with prices of tokens, integration, supervision and exceptions, which adds what each arm costs
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// Also write comparison.html, comparison.md and comparison.json into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

impl Compare {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let prices = self.prices.as_deref().map(comparison::prices).transpose()?;
        let mut arms: Vec<Arm> = Vec::new();
        for (position, run) in self.runs.iter().enumerate() {
            if self.runs[..position].contains(run) {
                return Err(Failure::Input(format!("{} is named twice: name every run once", run.display())));
            }
            arms.extend(comparison::arms(run, &self.agents)?);
        }
        if let Some(missing) = self.agents.iter().find(|id| !arms.iter().any(|arm| arm.entry.id == **id)) {
            return Err(Failure::Input(format!("--agent {missing} plays in none of the runs")));
        }
        let own = arms.first().and_then(|arm| arm.manifest.baseline.clone());
        let default = own.filter(|id| arms.iter().any(|arm| arm.entry.id == *id));
        let reference = self.baseline.as_deref().or(default.as_deref());
        let allotted = comparison::allotted(&arms);
        let options = ComparisonOptions {
            reference,
            prices: prices.as_ref(),
            allotted: allotted.as_ref(),
            ..ComparisonOptions::default()
        };
        let table = ComparisonTable::of(&arms, &options).map_err(Failure::input)?;
        if let Some(folder) = &self.out {
            write(folder, &table)?;
        }
        if self.json { print_json(&table) } else { print(&table.terminal()) }
    }
}

/// Writes the table in every medium.
fn write(folder: &Path, table: &ComparisonTable) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|fault| Failure::disk("create the folder", folder, &fault))?;
    let json = serde_json::to_string_pretty(table).map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
    let files =
        [("comparison.html", table.html()), ("comparison.md", table.markdown()), ("comparison.json", json + "\n")];
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|fault| Failure::disk("write", &path, &fault))?;
    }
    Ok(())
}
