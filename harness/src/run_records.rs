//! A run's records, held against its header: a folder may come from someone else, or be pasted together.

use crate::failure::Failure;
use crate::run_directory::RunDirectory;
use std::collections::HashSet;
use zopa_envs::EpisodeKey;
use zopa_reports::{EpisodeRecord, EpisodeResult, Manifest};

/// The records of a run in the journal's order, one in memory at a time, each tested to be one of the run's.
///
/// # Errors
/// Where there is no journal; an item is an error where its line is no record, was changed, or is of another run.
pub fn belonging<'a>(
    directory: &RunDirectory,
    manifest: &'a Manifest,
) -> Result<impl Iterator<Item = Result<EpisodeRecord, Failure>> + use<'a>, Failure> {
    let place = directory.episodes();
    Ok(directory.records()?.map(move |record| {
        let record = record?;
        belongs(manifest, &record).map_err(|fault| Failure::Input(format!("{}: {fault}", place.display())))?;
        Ok(record)
    }))
}

/// The same, and no result there twice. An episode that infrastructure failed may have such records beside its result: a run that
/// goes on tries it again.
///
/// # Errors
/// As [`belonging`]; an item is an error too where its episode had a result before.
pub fn each_once<'a>(
    directory: &RunDirectory,
    manifest: &'a Manifest,
) -> Result<impl Iterator<Item = Result<EpisodeRecord, Failure>> + use<'a>, Failure> {
    let (place, mut seen) = (directory.episodes(), HashSet::new());
    Ok(belonging(directory, manifest)?.map(move |record| {
        let record = record?;
        let key = &record.key;
        let again = matches!(record.result, EpisodeResult::Played(_))
            && !seen.insert((key.opponent.clone(), key.agent.clone(), key.index, key.repeat));
        if again {
            Err(Failure::Input(format!("{}: {} is recorded twice", place.display(), named(key))))
        } else {
            Ok(record)
        }
    }))
}

/// Says on standard error where records of a run are missing: what is made of it lacks them.
///
/// # Errors
/// As [`belonging`].
pub fn note_missing(directory: &RunDirectory, manifest: &Manifest) -> Result<(), Failure> {
    let mut found = HashSet::new();
    for record in belonging(directory, manifest)? {
        let EpisodeKey { opponent, agent, index, repeat, .. } = record?.key;
        found.insert((opponent, agent, index, repeat));
    }
    let missing = manifest.records().saturating_sub(found.len() as u64);
    if missing > 0 {
        eprintln!("zopa: note: {missing} of the run's {} episodes have no record", manifest.records());
    }
    Ok(())
}

/// An episode in words.
#[must_use]
pub fn named(key: &EpisodeKey) -> String {
    let against = key.opponent.strip_prefix("agent:").map(|id| format!(" against {id}")).unwrap_or_default();
    format!("{}{against}, episode {}, repeat {}", key.agent, key.index, key.repeat)
}

/// Tests that a record is one of the run's.
///
/// # Errors
/// With the fact in which it is none, in words.
pub fn belongs(manifest: &Manifest, record: &EpisodeRecord) -> Result<(), String> {
    match manifest.foreign(&record.key) {
        None => Ok(()),
        Some(difference) => Err(format!(
            "{} is of another run: its {} is {}, but the manifest has {}",
            named(&record.key),
            difference.field,
            difference.other,
            difference.own
        )),
    }
}
