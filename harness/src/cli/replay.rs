//! `zopa replay`

use super::print;
use crate::arena::{Arena, Draw, plain_split};
use crate::failure::Failure;
use crate::results::read_json;
use crate::run_directory::RunDirectory;
use crate::runner::Table;
use clap::Args;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::Arc;
use zopa_reports::{EpisodeRecord, EpisodeResult, Manifest, read_records};

/// Records that are played again at a time.
const BATCH: usize = 512;

/// Plays a run's records again, from the files that it kept, and compares digests.
#[derive(Debug, Args)]
pub(super) struct Replay {
    /// The run directory
    run: PathBuf,
    /// The file that made the run's private split
    #[arg(long, value_name = "FILE")]
    salt_file: Option<PathBuf>,
    /// Records replayed at a time; one a processor where it is left out
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

impl Replay {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let directory = RunDirectory::open(&self.run)?;
        let manifest: Manifest = read_json(&directory, "manifest.json")?;
        let arena = Arc::new(Arena::of_inputs(&manifest, directory.files("inputs")?)?);
        let opponent = arena.opponent(&manifest.opponent)?;
        let salt = super::run::read_salt(self.salt_file.as_deref())?;
        let split = Some(plain_split(&manifest.split, salt.as_deref())?.to_owned());
        let draw = Draw { split, seed: Some(manifest.seed), salt, opponent: opponent.clone() };
        let table = Table::new(arena.clone(), arena.draw(&draw)?, opponent, manifest.agent_seed)
            .assigned(manifest.assignment.clone());
        let pool = super::run::pool(self.jobs)?;
        let path = directory.episodes();
        let file = File::open(&path).map_err(|fault| Failure::disk("open", &path, &fault))?;
        let mut records = read_records(BufReader::new(file));
        let mut tally = Tally::default();
        loop {
            let batch: Vec<_> = records.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                break;
            }
            let verdicts: Vec<Verdict> = pool.install(|| {
                batch
                    .into_par_iter()
                    .map(|record| match record {
                        Ok(record) => judge(&table, &record),
                        Err(fault) => Verdict::Differs(format!("{}: {fault}", path.display())),
                    })
                    .collect()
            });
            verdicts.into_iter().for_each(|verdict| tally.add(&manifest, verdict));
        }
        tally.check_complete(&manifest);
        print(&format!("{} records replayed with equal digests, {} without a result\n", tally.equal, tally.no_result))?;
        if tally.differing.is_empty() {
            return Ok(());
        }
        let more = tally.differing.len().saturating_sub(MOST_TOLD);
        tally.differing.truncate(MOST_TOLD);
        if more > 0 {
            tally.differing.push(format!("and {more} more"));
        }
        Err(Failure::Missed(tally.differing.join("\nzopa: ")))
    }
}

enum Verdict {
    Equal(EpisodeId),
    NoResult(EpisodeId),
    Differs(String),
}

type EpisodeId = (Arc<str>, u64, u32);

#[derive(Default)]
struct Tally {
    equal: u64,
    no_result: u64,
    seen: BTreeSet<EpisodeId>,
    differing: Vec<String>,
}

/// Differences that are told one by one; of more only the number is told.
const MOST_TOLD: usize = 20;

impl Tally {
    fn add(&mut self, manifest: &Manifest, verdict: Verdict) {
        let id = match verdict {
            Verdict::Equal(id) => {
                self.equal += 1;
                id
            }
            Verdict::NoResult(id) => {
                self.no_result += 1;
                id
            }
            Verdict::Differs(message) => return self.differing.push(message),
        };
        let (agent, index, repeat) = &id;
        let plays = manifest.agents.iter().any(|entry| *entry.id == **agent) && manifest.plays(agent, *index);
        if !plays || *index >= manifest.episodes || *repeat >= manifest.repeats {
            self.differing
                .push(format!("{agent}, episode {index}, repeat {repeat}: the manifest knows no such episode"));
        } else if !self.seen.insert(id.clone()) {
            let (agent, index, repeat) = id;
            self.differing.push(format!("{agent}, episode {index}, repeat {repeat}: it is recorded twice"));
        }
    }

    /// A record that was removed is as wrong as one that was changed or added.
    fn check_complete(&mut self, manifest: &Manifest) {
        let episodes: u64 = manifest.agents.iter().map(|entry| manifest.episodes_of(&entry.id)).sum();
        let expected = episodes * u64::from(manifest.repeats);
        let found = self.seen.len() as u64;
        if found < expected && self.differing.is_empty() {
            self.differing.push(format!("{} of {expected} records are missing", expected - found));
        }
    }
}

fn judge(table: &Table, record: &EpisodeRecord) -> Verdict {
    let key = &record.key;
    let id = (key.agent.clone(), key.index, key.repeat);
    let name = format!("{}, episode {}, repeat {}", key.agent, key.index, key.repeat);
    let again = match (table.episode(&key.agent, key.index, key.repeat), &record.result) {
        (Ok(played), _) => played.record,
        (Err(Failure::Infrastructure(_)), EpisodeResult::InfraError { .. }) => return Verdict::NoResult(id),
        (Err(failure), _) => return Verdict::Differs(format!("{name}: cannot be played again: {failure}")),
    };
    // No infrastructure stands between software and its episodes: a result that is missing was taken away.
    let EpisodeResult::Played(found) = &record.result else {
        return Verdict::Differs(format!("{name}: it is recorded as an infrastructure error, but it can be played"));
    };
    if again.key != *key {
        return Verdict::Differs(format!("{name}: its key is another than this version and these inputs give"));
    }
    match &again.result {
        EpisodeResult::Played(played) if played.digest == found.digest && played.rest_digest == found.rest_digest => {
            Verdict::Equal(id)
        }
        EpisodeResult::Played(played) => Verdict::Differs(format!(
            "{name}: the record's digest is {}, but playing it again gives {}",
            found.digest, played.digest
        )),
        EpisodeResult::InfraError { reason } => Verdict::Differs(format!("{name}: no result this time: {reason}")),
    }
}
