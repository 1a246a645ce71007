//! `zopa export`

use super::print;
use super::rerun::Rerun;
use crate::export::{Export as Data, Notes};
use crate::failure::Failure;
use crate::results::read_manifest;
use crate::run_directory::RunDirectory;
use crate::run_records;
use clap::Args;
use serde::Serialize;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use zopa_reports::EpisodeResult;

/// Writes a run as examples to train language models on: chats, preference pairs, and rollouts with a reward for every turn.
#[derive(Debug, Args)]
pub(super) struct Export {
    /// The run directory
    run: PathBuf,
    /// Where the files go; RUN/export where it is left out
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The file that made the run's private split
    #[arg(long, value_name = "FILE")]
    salt_file: Option<PathBuf>,
}

impl Export {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let directory = RunDirectory::open(&self.run)?;
        let manifest = read_manifest(&directory)?;
        let rerun = Rerun::of(&directory, &manifest, self.salt_file.as_deref())?;
        let mut data = Data::default();
        let mut records = run_records::each_once(&directory, &manifest)?;
        for record in &mut records {
            let record = record?;
            let EpisodeResult::Played(found) = &record.result else { continue };
            let key = &record.key;
            let mut notes = Notes::of(key.seat);
            let again = rerun.table(key)?.observe(&key.agent, key.index, key.repeat, &mut notes)?;
            if !matches!(&again.result, EpisodeResult::Played(played) if played.is_the_same(found)) {
                let (agent, index) = (&key.agent, key.index);
                return Err(Failure::Input(format!(
                    "{agent}, episode {index}: it plays otherwise now; `zopa replay` says how"
                )));
            }
            data.add(&record, &notes);
        }
        records.note_missing();
        data.finish();
        let out = self.out.clone().unwrap_or_else(|| directory.path().join("export"));
        std::fs::create_dir_all(&out).map_err(|fault| Failure::disk("create the folder", &out, &fault))?;
        let counts = [
            ("examples", write(&out, "examples.jsonl", &data.examples)?),
            ("preferences", write(&out, "preferences.jsonl", &data.preferences)?),
            ("rollouts", write(&out, "rollouts.jsonl", &data.rollouts)?),
        ];
        let told: Vec<String> = counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
        print(&format!("{}\n{}\n", told.join(", "), out.display()))
    }
}

/// Writes one JSON value a line.
fn write<T: Serialize>(folder: &Path, name: &str, values: &[T]) -> Result<usize, Failure> {
    let path = folder.join(name);
    let disk = |fault: std::io::Error| Failure::disk("write", &path, &fault);
    let mut file = BufWriter::new(File::create(&path).map_err(disk)?);
    for value in values {
        let line = serde_json::to_string(value).map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
        file.write_all(line.as_bytes()).and_then(|()| file.write_all(b"\n")).map_err(disk)?;
    }
    file.flush().map_err(disk)?;
    Ok(values.len())
}
