//! `zopa score`

use super::{print, print_json};
use crate::arena::Arena;
use crate::failure::Failure;
use crate::results::{Results, aggregate, read_json, read_timing};
use crate::run_directory::RunDirectory;
use clap::Args;
use std::path::PathBuf;
use zopa_reports::Manifest;

/// Scores a run's records again and prints the headline table; writes nothing.
#[derive(Debug, Args)]
pub(super) struct Score {
    /// The run directory
    run: PathBuf,
    /// Print what would stand in summary.json
    #[arg(long)]
    json: bool,
}

impl Score {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let directory = RunDirectory::open(&self.run)?;
        if super::trade::is_trade(&directory)? {
            return super::trade::score(&directory, self.json);
        }
        let manifest: Manifest = read_json(&directory, "manifest.json")?;
        let arena = Arena::of_inputs(&manifest, directory.files("inputs")?)?;
        let timing = read_timing(&directory)?;
        let results = Results::of(&manifest, &arena.gates(), aggregate(&directory)?, timing)?;
        if self.json { print_json(&results.summary) } else { print(&results.table()) }
    }
}
