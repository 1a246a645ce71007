//! `zopa replay`

use super::print;
use super::rerun::Rerun;
use crate::arena::Arena;
use crate::failure::Failure;
use crate::results::{Results, aggregate, read_header};
use crate::run_directory::RunDirectory;
use crate::run_records::{belongs, named};
use crate::tournament;
use clap::Args;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::Arc;
use zopa_agents::roster;
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
        if super::trade::is_trade(&directory)? {
            return super::trade::replay(&directory);
        }
        let manifest = read_header(&directory)?;
        let rerun = Rerun::of(&directory, &manifest, self.salt_file.as_deref())?;
        let arena = rerun.arena.clone();
        let pool = super::run::pool(if rerun.is_sequential() { Some(1) } else { self.jobs })?;
        let (path, file) = directory.journal()?;
        let mut records = read_records(BufReader::new(file));
        let mut tally = Tally { differing: header_faults(&manifest, &arena), ..Tally::default() };
        loop {
            let batch: Vec<_> = records.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                break;
            }
            let verdicts: Vec<Verdict> = pool.install(|| {
                batch
                    .into_par_iter()
                    .map(|record| match record {
                        Ok(record) => judge(&rerun, &manifest, &record),
                        Err(fault) => Verdict::Differs(format!("{}: {fault}", path.display())),
                    })
                    .collect()
            });
            verdicts.into_iter().for_each(|verdict| tally.add(verdict));
        }
        let no_result = tally.finish(&manifest);
        let equal = tally.equal.len();
        if tally.differing.is_empty() {
            tally.differing.extend(if manifest.is_tournament() {
                tournament_fault(&directory, &manifest)?
            } else {
                summary_fault(&directory, &manifest, &arena)?
            });
        }
        print(&format!("{equal} records replayed with equal digests, {no_result} without a result\n"))?;
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

/// What the header says wrongly of its own inputs. The command line, the machine and the revision are no results and cannot be
/// tested.
fn header_faults(manifest: &Manifest, arena: &Arena) -> Vec<String> {
    let mut faults = Vec::new();
    let mut test = |field: &str, found: String, expected: String| {
        if found != expected {
            faults.push(format!("manifest.json: {field} is {found}, but the inputs give {expected}"));
        }
    };
    test("the suite", manifest.suite.clone(), arena.name().to_owned());
    test("the suite's version", manifest.suite_version.to_string(), arena.version().to_string());
    test("the suite's digest", manifest.suite_digest.to_string(), arena.digest().to_string());
    test("the list of gated agents", manifest.gated.join(", "), arena.gated().join(", "));
    for entry in &manifest.agents {
        if let Ok(card) = roster::find(&entry.id) {
            let standing = super::header::standing(card.kind);
            test(&format!("the standing of {}", entry.id), entry.standing.name().into(), standing.name().into());
        }
    }
    faults
}

/// Whether `summary.json` is another than the records give; a run that did not finish has none.
fn summary_fault(directory: &RunDirectory, manifest: &Manifest, arena: &Arena) -> Result<Option<String>, Failure> {
    if !directory.path().join("summary.json").exists() {
        return Ok(None);
    }
    let found = directory.read("summary.json")?;
    let summary = Results::of(manifest, &arena.gates(), aggregate(directory, manifest)?, None)?.summary;
    let expected = summary.to_json().map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
    Ok(text_fault("summary.json", &found, &expected))
}

/// The same of `tournament.json`.
fn tournament_fault(directory: &RunDirectory, manifest: &Manifest) -> Result<Option<String>, Failure> {
    if !directory.path().join(tournament::RESULTS).exists() {
        return Ok(None);
    }
    let found = directory.read(tournament::RESULTS)?;
    let expected = serde_json::to_string_pretty(&tournament::table(directory, manifest)?)
        .map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
    Ok(text_fault(tournament::RESULTS, &found, &(expected + "\n")))
}

/// The first line in which a file is another than was expected.
fn text_fault(name: &str, found: &[u8], expected: &str) -> Option<String> {
    let differs = found.split(|&byte| byte == b'\n').zip(expected.split('\n')).zip(1..);
    let line = differs.filter(|((found, expected), _)| *found != expected.as_bytes()).map(|(_, line)| line).next();
    (found != expected.as_bytes())
        .then(|| format!("{name}: line {} is another than the records give", line.unwrap_or(expected.lines().count())))
}

enum Verdict {
    Equal(EpisodeId),
    /// Infrastructure failed; what is wrong with that, where nothing stands between software and its episodes.
    NoResult(EpisodeId, Option<String>),
    Differs(String),
}

/// Opponent, agent, episode and repeat.
type EpisodeId = (Arc<str>, Arc<str>, u64, u32);

#[derive(Default)]
struct Tally {
    equal: BTreeSet<EpisodeId>,
    /// Those that infrastructure failed, of which some may have a result elsewhere in the journal.
    failed: BTreeMap<EpisodeId, Option<String>>,
    differing: Vec<String>,
}

/// Differences that are told one by one; of more only the number is told.
const MOST_TOLD: usize = 20;

impl Tally {
    fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Equal(id) => {
                if !self.equal.insert(id.clone()) {
                    let (opponent, agent, index, repeat) = id;
                    self.differing.push(format!(
                        "{agent}, episode {index}, repeat {repeat}, opponent {opponent}: it is recorded twice"
                    ));
                }
            }
            // A resumed run tries again what infrastructure failed, as often as it takes.
            Verdict::NoResult(id, fault) => drop(self.failed.insert(id, fault)),
            Verdict::Differs(message) => self.differing.push(message),
        }
    }

    /// Episodes without a result; a record that was removed is as wrong as one that was changed or added.
    fn finish(&mut self, manifest: &Manifest) -> u64 {
        self.failed.retain(|id, _| !self.equal.contains(id));
        self.differing.extend(self.failed.values_mut().filter_map(Option::take));
        let found = (self.equal.len() + self.failed.len()) as u64;
        let expected = manifest.records();
        if found < expected && self.differing.is_empty() {
            self.differing.push(format!("{} of {expected} records are missing", expected - found));
        }
        self.failed.len() as u64
    }
}

fn judge(rerun: &Rerun, manifest: &Manifest, record: &EpisodeRecord) -> Verdict {
    if let Err(fault) = belongs(manifest, record) {
        return Verdict::Differs(fault);
    }
    let key = &record.key;
    let id = (key.opponent.clone(), key.agent.clone(), key.index, key.repeat);
    let name = named(key);
    let played = rerun.table(key).and_then(|table| table.episode(&key.agent, key.index, key.repeat));
    let again = match (played, &record.result) {
        (Ok(played), _) => played.record,
        (Err(Failure::Infrastructure(_)), EpisodeResult::InfraError { .. }) => return Verdict::NoResult(id, None),
        (Err(failure), _) => return Verdict::Differs(format!("{name}: cannot be played again: {failure}")),
    };
    if let (EpisodeResult::InfraError { .. }, EpisodeResult::InfraError { .. }) = (&again.result, &record.result) {
        return Verdict::NoResult(id, None);
    }
    // What can be played again has a result: one that is missing was taken away.
    let EpisodeResult::Played(found) = &record.result else {
        let fault = format!("{name}: it is recorded as an infrastructure error, but it can be played");
        return Verdict::NoResult(id, Some(fault));
    };
    if again.key != *key {
        return Verdict::Differs(format!("{name}: its key is another than this version and these inputs give"));
    }
    match &again.result {
        EpisodeResult::Played(played) if played.is_the_same(found) => Verdict::Equal(id),
        EpisodeResult::Played(played) => Verdict::Differs(format!(
            "{name}: the record's digest is {}, but playing it again gives {}",
            found.digest, played.digest
        )),
        EpisodeResult::InfraError { reason } => Verdict::Differs(format!("{name}: no result this time: {reason}")),
    }
}
