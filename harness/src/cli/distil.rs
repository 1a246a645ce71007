//! `zopa distil`

use super::print;
use crate::arena::{Arena, split_and_salt};
use crate::failure::Failure;
use crate::results::read_manifest;
use crate::run_directory::RunDirectory;
use crate::run_records;
use clap::Args;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use zopa_envs::message::accuracy;
use zopa_reports::Filter;
use zopa_reports::filter::{FIELDS, Kind};
use zopa_scenarios::suite::distilled::DistilledSpec;

/// Makes a suite of the scenarios in which something was observed, to be played again with the same counterparts and mandates.
#[derive(Debug, Args)]
#[command(after_help = FIELD_HELP.as_str())]
pub(super) struct Distil {
    /// The run directory
    run: PathBuf,
    /// Which episodes: a condition over records, such as 'unauthorised_claims has "guarantee" or gain < 0'
    #[arg(long = "where", value_name = "EXPR")]
    condition: String,
    /// The suite file to write; nothing is overwritten
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The suite's name; the file's where it is left out
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// The fields of records, for `--help`.
static FIELD_HELP: LazyLock<String> = LazyLock::new(|| {
    let rows: Vec<Vec<String>> = FIELDS
        .iter()
        .map(|field| {
            let kind = match field.kind {
                Kind::Number => "number",
                Kind::Text => "text",
                Kind::Flag => "yes or no",
                Kind::List => "list",
            };
            vec![format!("  {}", field.name), kind.to_owned(), field.meaning.to_owned()]
        })
        .collect();
    format!(
        "A condition compares fields with ==, !=, <, <=, >, >= and joins them with and, or, not and brackets. Text stands in\n\
         quotation marks, a list is tested with `has`, and what an episode does not have is none.\n\nFields:\n{}",
        super::columns(&rows)
    )
});

impl Distil {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let filter = Filter::parse(&self.condition).map_err(|fault| Failure::Input(format!("--where: {fault}")))?;
        let name = self.suite_name()?;
        let directory = RunDirectory::open(&self.run)?;
        let manifest = read_manifest(&directory)?;
        let arena = Arena::of_inputs(&manifest, directory.files("inputs")?)?;
        let suite = arena.played();
        let (mut scenarios, mut chosen) = (BTreeSet::new(), BTreeMap::<Arc<str>, u64>::new());
        let mut records = run_records::each_once(&directory, &manifest)?;
        for record in &mut records {
            let record = record?;
            if filter.holds(&record) {
                scenarios.insert(record.key.scenario());
                *chosen.entry(record.key.agent.clone()).or_default() += 1;
            }
        }
        records.note_missing();
        let (split, salt) = split_and_salt(&manifest.split);
        let spec = DistilledSpec {
            name,
            split: split.to_owned(),
            seed: manifest.seed,
            opponent: manifest.opponent.clone(),
            salt: salt.map(str::to_owned),
            condition: self.condition.clone(),
            scenarios: scenarios.iter().copied().collect(),
        };
        let text = spec.text(suite).map_err(Failure::input)?;
        // A suite that cannot be opened again would be found out when its run is gone.
        zopa_scenarios::Suite::parse(&self.out.display().to_string(), &text).map_err(Failure::input)?;
        self.write(&text)?;
        let counts: Vec<String> = chosen.iter().map(|(agent, count)| format!("{agent} {count}")).collect();
        let reading = if filter.is_of_speech() { format!("\n{}\n", accuracy::stated()) } else { String::new() };
        print(&format!(
            "{} episodes ({}) in {} scenarios: `zopa run {}` plays both seats of each\n{reading}",
            chosen.values().sum::<u64>(),
            counts.join(", "),
            scenarios.len(),
            self.out.display()
        ))
    }

    fn suite_name(&self) -> Result<String, Failure> {
        if self.out.extension().is_none_or(|extension| extension != "toml") {
            return Err(Failure::Input(format!("--out {}: a suite file's name ends in .toml", self.out.display())));
        }
        let stem = || self.out.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let name = self.name.clone().unwrap_or_else(stem);
        let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        if name.is_empty() || name.len() > 80 || !name.chars().all(plain) {
            return Err(Failure::Input(format!(
                "\"{name}\" is no name of a suite: give one of lower-case letters, digits and hyphens with --name"
            )));
        }
        Ok(name)
    }

    fn write(&self, text: &str) -> Result<(), Failure> {
        let mut file = File::create_new(&self.out).map_err(|fault| match fault.kind() {
            std::io::ErrorKind::AlreadyExists => {
                Failure::Input(format!("--out {} is there already: name another file", self.out.display()))
            }
            _ => Failure::disk("write", &self.out, &fault),
        })?;
        std::io::Write::write_all(&mut file, text.as_bytes()).map_err(|fault| {
            // Half a suite would only stand in the way of the next attempt.
            let _ = std::fs::remove_file(&self.out);
            Failure::disk("write", &self.out, &fault)
        })
    }
}
