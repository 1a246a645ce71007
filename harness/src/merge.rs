//! Several processes' parts of a run, put together.

use crate::arena::Arena;
use crate::failure::Failure;
use crate::journal::Journal;
use crate::replies;
use crate::results::{read_manifest, read_timing, write_json};
use crate::run_directory::RunDirectory;
use crate::run_records::belongs;
use std::collections::BTreeMap;
use std::io::BufReader;
use std::iter::Peekable;
use std::path::{Path, PathBuf};
use zopa_reports::{Aggregation, EpisodeRecord, Manifest, RecordError, Timing, TimingRecorder, read_records};

/// Records between two writes.
const BATCH: usize = 256;

type Records = Peekable<Box<dyn Iterator<Item = Result<EpisodeRecord, RecordError>>>>;

/// Writes manifest, inputs, journal and models' replies of the whole run into `out`; the rest follows from them.
///
/// The journal is in the order of episodes where those of the parts are, as one process writes it.
///
/// # Errors
/// Where the parts are not all parts of one run, each there once and complete, or something cannot be read or written.
pub fn merge(
    out: &Path,
    parts: &[RunDirectory],
) -> Result<(RunDirectory, Manifest, Aggregation, Option<Timing>), Failure> {
    let manifests = parts.iter().map(read_manifest).collect::<Result<Vec<Manifest>, _>>()?;
    let manifest = whole(parts, &manifests)?;
    // What the parts played is tested before anything of the whole is written.
    let inputs = parts[0].files("inputs")?;
    Arena::of_inputs(&manifest, inputs.clone())?;
    let mut journals = Vec::new();
    for part in parts {
        let (_, file) = part.journal()?;
        let records: Box<dyn Iterator<Item = _>> = Box::new(read_records(BufReader::new(file)));
        journals.push(records.peekable());
    }
    let directory = RunDirectory::create(out)?;
    let expected = manifest.records();
    let replies = directory.path().join(replies::FILE);
    let of_parts: Vec<PathBuf> = in_order(parts, &manifests).map(|part| part.path().join(replies::FILE)).collect();
    let aggregation = join(&directory, parts, &manifests, journals, expected)
        .and_then(|aggregation| replies::join(&replies, &of_parts).map(|()| aggregation))
        .inspect_err(|_| {
            // The folder was empty and is so again: nothing of a run that is none is left in it.
            let _ = std::fs::remove_file(directory.episodes());
            let _ = std::fs::remove_file(&replies);
        })?;
    for (name, bytes) in inputs {
        directory.write(&format!("inputs/{name}"), &bytes)?;
    }
    write_json(&directory, "manifest.json", &manifest)?;
    Ok((directory, manifest, aggregation, timing(parts)?))
}

/// The parts by their numbers.
fn in_order<'a>(parts: &'a [RunDirectory], manifests: &[Manifest]) -> impl Iterator<Item = &'a RunDirectory> {
    let order: BTreeMap<u32, usize> =
        manifests.iter().enumerate().map(|(position, manifest)| (manifest.part().number(), position)).collect();
    order.into_values().map(|position| &parts[position])
}

/// Writes the journal of the whole run.
fn join(
    directory: &RunDirectory,
    parts: &[RunDirectory],
    manifests: &[Manifest],
    mut journals: Vec<Records>,
    expected: u64,
) -> Result<Aggregation, Failure> {
    let mut journal = Journal::create(&directory.episodes())?;
    let mut aggregation = Aggregation::default();
    let mut lines: Vec<String> = Vec::with_capacity(BATCH);
    while let Some((part, record)) = first(&mut journals) {
        let located = |fault: String| Failure::Input(format!("{}: {fault}", parts[part].episodes().display()));
        let record = record.map_err(|fault| located(fault.to_string()))?;
        belongs(&manifests[part], &record).map_err(located)?;
        aggregation.add(&record).map_err(|fault| located(fault.to_string()))?;
        lines.push(record.to_line().map_err(|fault| Failure::Infrastructure(fault.to_string()))?);
        if lines.len() == BATCH {
            journal.append(lines.iter().map(String::as_str))?;
            lines.clear();
        }
    }
    journal.append(lines.iter().map(String::as_str))?;
    journal.synchronise()?;
    let (found, twice) = (aggregation.episodes(), aggregation.duplicates());
    if twice > 0 || found != expected {
        return Err(Failure::Input(format!(
            "the parts have {found} of {expected} episodes, {twice} of them twice: resume those that did not finish first"
        )));
    }
    Ok(aggregation)
}

/// The next record in the order of episodes, and whose it is.
fn first(journals: &mut [Records]) -> Option<(usize, Result<EpisodeRecord, RecordError>)> {
    // A fault comes first: it ends the merging.
    let place = |next: &Result<EpisodeRecord, RecordError>| next.as_ref().map_or(0, |record| record.key.index);
    let heads = journals.iter_mut().enumerate().filter_map(|(part, journal)| Some((place(journal.peek()?), part)));
    let (_, part) = heads.min()?;
    Some((part, journals[part].next()?))
}

/// The header of the run that the parts are parts of.
fn whole(parts: &[RunDirectory], manifests: &[Manifest]) -> Result<Manifest, Failure> {
    let name = |position: usize| parts[position].path().display().to_string();
    let Some(first) = manifests.first() else {
        return Err(Failure::input("nothing to merge: name the folders of a run's parts"));
    };
    let mut held: BTreeMap<u32, usize> = BTreeMap::new();
    for (position, manifest) in manifests.iter().enumerate() {
        if let Some(difference) = first.difference(manifest) {
            return Err(Failure::Input(format!(
                "{} is no part of the run of {}: its {} is {}, not {}",
                name(position),
                name(0),
                difference.field,
                difference.other,
                difference.own
            )));
        }
        let (part, of) = (manifest.part(), first.part().of());
        if part.of() != of {
            return Err(Failure::Input(format!(
                "{} is part {part}, but {} is one of {of}: merge the parts of one division",
                name(position),
                name(0)
            )));
        }
        if let Some(earlier) = held.insert(part.number(), position) {
            return Err(Failure::Input(format!(
                "part {part} is there twice: {} and {}",
                name(earlier),
                name(position)
            )));
        }
    }
    let of = first.part().of();
    let missing: Vec<String> =
        (1..=of).filter(|number| !held.contains_key(number)).map(|number| format!("{number}/{of}")).take(20).collect();
    if !missing.is_empty() {
        return Err(Failure::Input(format!("missing parts: {}", missing.join(", "))));
    }
    let mut arguments = first.arguments.clone();
    if let Some(flag) = arguments.iter().position(|argument| argument == "--shard") {
        arguments.drain(flag..arguments.len().min(flag + 2));
    }
    arguments.retain(|argument| !argument.starts_with("--shard="));
    Ok(Manifest { arguments, shard: None, ..first.clone() })
}

/// What was measured in all parts; `None` where some part has no figures.
fn timing(parts: &[RunDirectory]) -> Result<Option<Timing>, Failure> {
    let mut recorder = TimingRecorder::default();
    for part in parts {
        match read_timing(part)? {
            Some(timing) => recorder.add(&timing),
            None => return Ok(None),
        }
    }
    Ok(Some(recorder.figures(0, 0.0)))
}
