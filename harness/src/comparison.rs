//! Run directories as the arms of a comparison.

use crate::failure::Failure;
use crate::named_file;
use crate::results::{read_manifest, read_timing};
use crate::run_directory::RunDirectory;
use crate::run_records::{self, named};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use zopa_reports::compare::{Arm, Prices};

/// Reads every agent of a run as an arm. `agents` leaves out all others where it names some.
///
/// # Errors
/// Where the folder is no run directory, or holds what this version does not read.
pub fn arms(path: &Path, agents: &[String]) -> Result<Vec<Arm>, Failure> {
    let directory = RunDirectory::open(path)?;
    let manifest = read_manifest(&directory)?;
    let timing = read_timing(&directory)?;
    let wanted = |id: &str| agents.is_empty() || agents.iter().any(|agent| agent == id);
    let mut arms: Vec<Arm> = manifest
        .agents
        .iter()
        .filter(|entry| wanted(&entry.id))
        .map(|entry| {
            let mut arm = Arm::new(entry.clone(), path.display().to_string(), manifest.clone());
            let timed = timing.as_ref().and_then(|timing| timing.agents.get(&entry.id));
            arm.latency_ms = timed.map(|timed| timed.decision_latency_ms);
            arm
        })
        .collect();
    for record in run_records::belonging(&directory, &manifest)? {
        let record = record?;
        if let Some(arm) = arms.iter_mut().find(|arm| *arm.entry.id == *record.key.agent)
            && !arm.add(&record).map_err(Failure::input)?
        {
            let (place, name) = (directory.episodes(), named(&record.key));
            return Err(Failure::Input(format!("{}: {name} is recorded twice", place.display())));
        }
    }
    Ok(arms)
}

/// Reads a file of prices.
///
/// # Errors
/// Where it cannot be read, or is wrong: with line and column.
pub fn prices(path: &Path) -> Result<Prices, Failure> {
    let text = named_file::read_text("--prices", path)?;
    let prices: Prices =
        toml::from_str(&text).map_err(|fault| Failure::Input(format!("{}: {fault}", path.display())))?;
    prices.check().map_err(|fault| Failure::Input(format!("{}: {fault}", path.display())))?;
    Ok(prices)
}

/// The scenarios of every arm, where a run among them allotted scenarios at random.
#[must_use]
pub fn allotted(arms: &[Arm]) -> Option<BTreeMap<String, BTreeSet<u64>>> {
    let manifest = arms.iter().map(|arm| &arm.manifest).find(|manifest| manifest.assignment.is_some())?;
    Some(manifest.assignment.as_ref()?.allotted(manifest.episodes.div_ceil(2)))
}
