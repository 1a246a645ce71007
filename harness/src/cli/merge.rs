//! `zopa merge`

use super::print;
use crate::arena::Arena;
use crate::failure::Failure;
use crate::merge::merge;
use crate::results;
use crate::run_directory::RunDirectory;
use clap::Args;
use std::path::PathBuf;

/// Puts the parts of a run, which `zopa run --shard I/N` played, together: the same scores and digests as one process gives.
#[derive(Debug, Args)]
pub(super) struct Merge {
    /// The folder of the whole run, which must be empty
    out: PathBuf,
    /// The folders of its parts, in any order
    #[arg(required = true)]
    runs: Vec<PathBuf>,
}

impl Merge {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let parts = self.runs.iter().map(|path| RunDirectory::open(path)).collect::<Result<Vec<_>, _>>()?;
        let (directory, manifest, aggregation, timing) = merge(&self.out, &parts)?;
        let gates = Arena::of_inputs(&manifest, directory.files("inputs")?)?.gates();
        let results = results::conclude(&directory, &manifest, &gates, aggregation, timing)?;
        print(&format!("{}{}\n", results.table(), directory.path().join(results::PAGE).display()))
    }
}
