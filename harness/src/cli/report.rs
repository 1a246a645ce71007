//! `zopa report`

use super::print;
use crate::arena::Arena;
use crate::failure::Failure;
use crate::results::{Results, aggregate, read_header, require_complete};
use crate::run_directory::RunDirectory;
use crate::terminal::tell;
use crate::tournament;
use clap::Args;
use std::path::PathBuf;

/// Draws a run's report again from its summary, a tournament's from its records.
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
        let manifest = read_header(&directory)?;
        if manifest.is_tournament() {
            let table = tournament::table(&directory, &manifest)?;
            let page = tournament::write(&directory, &table)?;
            return print(&format!("{}{}\n", table.terminal(), page.display()));
        }
        let results = Results::read(&directory)?;
        if let Some(doubt) = doubt(&directory, &results) {
            tell(format_args!("zopa: warning: {doubt}"));
        }
        let page = results.write_report(&directory)?;
        print(&format!("{}{}\n", results.table(), page.display()))
    }
}

/// What speaks against a run's summary: its own records, which give another, or say nothing.
fn doubt(directory: &RunDirectory, results: &Results) -> Option<String> {
    let manifest = &results.manifest;
    let again = || -> Result<Results, Failure> {
        let gates = Arena::of_inputs(manifest, directory.files("inputs")?)?.gates();
        let mut aggregation = aggregate(directory, manifest)?;
        require_complete(directory, manifest, aggregation.episodes())?;
        Results::of(manifest, &gates, aggregation, None)
    };
    let place = directory.path().join("summary.json");
    let place = place.display();
    match again() {
        Err(fault) => Some(format!("nothing speaks for {place}, of which this report is: {fault}")),
        Ok(again) => results.summary.difference(&again.summary).map(|figure| {
            format!(
                "{place}, of which this report is, was changed: {figure} is another than the records give, which `zopa score` \
                 scores again"
            )
        }),
    }
}
