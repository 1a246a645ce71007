//! From a tournament's records to its tables.

use crate::failure::Failure;
use crate::results::write_json;
use crate::run_directory::RunDirectory;
use crate::run_records::{self, named};
use std::path::PathBuf;
use zopa_reports::Manifest;
use zopa_reports::statistics::Bootstrap;
use zopa_reports::tournament::{Tournament, TournamentTable};

/// Where a tournament's folder holds its results.
pub const RESULTS: &str = "tournament.json";

/// Where it holds its page.
pub const PAGE: &str = "report/tournament.html";

/// The tables of all records.
///
/// # Errors
/// Where a record is none of the tournament's or is there twice, records are missing, or infrastructure failed too many.
pub fn table(directory: &RunDirectory, manifest: &Manifest) -> Result<TournamentTable, Failure> {
    let located = |fault: String| Failure::Input(format!("{}: {fault}", directory.episodes().display()));
    let mut found = Tournament::new(manifest.agents.iter().map(|entry| entry.id.clone()).collect());
    for record in run_records::belonging(directory, manifest)? {
        let record = record?;
        let agent = manifest.agents.iter().position(|entry| *entry.id == *record.key.agent);
        let opponent = manifest.opponents.iter().position(|name| **name == *record.key.opponent);
        let (Some(agent), Some(opponent)) = (agent, opponent) else {
            return Err(located(format!("{} is of another tournament", named(&record.key))));
        };
        if !found.add(agent, opponent, &record) {
            return Err(located(format!("{} is recorded twice", named(&record.key))));
        }
    }
    crate::results::require_complete(directory, manifest, found.episodes())?;
    found
        .finish(&manifest.suite, manifest.suite_version, &manifest.split, manifest.seed, &Bootstrap::default())
        .map_err(|fault| Failure::Infrastructure(fault.to_string()))
}

/// Writes the tables in every medium and returns the page.
///
/// # Errors
/// Where something cannot be written.
pub fn write(directory: &RunDirectory, table: &TournamentTable) -> Result<PathBuf, Failure> {
    write_json(directory, RESULTS, table)?;
    directory.write("report/tournament.md", table.markdown().as_bytes())?;
    directory.write(PAGE, table.html().as_bytes())?;
    Ok(directory.path().join(PAGE))
}
