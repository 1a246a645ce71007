//! `zopa score`

use super::{print, print_json};
use crate::arena::Arena;
use crate::failure::Failure;
use crate::results::{Results, aggregate, read_manifest, read_timing, require_complete};
use crate::run_directory::RunDirectory;
use crate::terminal::tell;
use clap::Args;
use std::path::PathBuf;

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
        let manifest = read_manifest(&directory)?;
        let arena = Arena::of_inputs(&manifest, directory.files("inputs")?)?;
        let timing = read_timing(&directory)?;
        let mut aggregation = aggregate(&directory, &manifest)?;
        if let Err(missing) = require_complete(&directory, &manifest, aggregation.episodes()) {
            tell(format_args!("zopa: note: {missing}"));
        }
        let results = Results::of(&manifest, &arena.gates(), aggregation, timing)?;
        if self.json { print_json(&results.summary) } else { print(&results.table()) }
    }
}
