//! A run's records, held against its header: a folder may come from someone else, or be pasted together.

use crate::failure::Failure;
use crate::run_directory::RunDirectory;
use crate::terminal::tell;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
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

/// Opponent, agent, episode and repeat.
type EpisodeId = (Arc<str>, Arc<str>, u64, u32);

/// The same, and no result there twice. An episode that infrastructure failed may have such records beside its result: a run that
/// goes on tries it again.
pub struct EachOnce<'a> {
    records: Box<dyn Iterator<Item = Result<EpisodeRecord, Failure>> + 'a>,
    manifest: &'a Manifest,
    place: PathBuf,
    /// The episodes that were met, and whether each has had a result.
    met: HashMap<EpisodeId, bool>,
}

/// Reads a run's records as [`EachOnce`] does.
///
/// # Errors
/// As [`belonging`]; an item is an error too where its episode had a result before.
pub fn each_once<'a>(directory: &RunDirectory, manifest: &'a Manifest) -> Result<EachOnce<'a>, Failure> {
    let (records, place) = (Box::new(belonging(directory, manifest)?), directory.episodes());
    Ok(EachOnce { records, manifest, place, met: HashMap::new() })
}

impl Iterator for EachOnce<'_> {
    type Item = Result<EpisodeRecord, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = match self.records.next()? {
            Ok(record) => record,
            Err(fault) => return Some(Err(fault)),
        };
        let key = &record.key;
        let id = (key.opponent.clone(), key.agent.clone(), key.index, key.repeat);
        let has_result = self.met.entry(id).or_default();
        if matches!(record.result, EpisodeResult::Played(_)) && std::mem::replace(has_result, true) {
            let fault = format!("{}: {} is recorded twice", self.place.display(), named(key));
            return Some(Err(Failure::Input(fault)));
        }
        Some(Ok(record))
    }
}

impl EachOnce<'_> {
    /// Says on standard error how many of the run's records were missing among those that were read: what is made of them lacks
    /// those.
    pub fn note_missing(&self) {
        let expected = self.manifest.records();
        let missing = expected.saturating_sub(self.met.len() as u64);
        if missing > 0 {
            tell(format_args!("zopa: note: {missing} of the run's {expected} episodes have no record"));
        }
    }
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
