//! `zopa report`

use super::print;
use crate::failure::Failure;
use crate::results::Results;
use crate::run_directory::RunDirectory;
use clap::Args;
use std::path::PathBuf;

/// Draws a run's report again from its summary.
#[derive(Debug, Args)]
pub(super) struct Report {
    /// The run directory
    run: PathBuf,
}

impl Report {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let directory = RunDirectory::open(&self.run)?;
        if super::trade::is_trade(&directory)? {
            return super::trade::report(&directory);
        }
        let results = Results::read(&directory)?;
        let page = results.write_report(&directory)?;
        print(&format!("{}{}\n", results.table(), page.display()))
    }
}
