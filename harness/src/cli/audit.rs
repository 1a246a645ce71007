//! `zopa audit`

use super::rerun::Rerun;
use super::{print, print_json};
use crate::audit::Audit as Review;
use crate::failure::Failure;
use crate::results::read_manifest;
use crate::run_directory::RunDirectory;
use crate::run_records;
use clap::Args;
use std::path::PathBuf;
use zopa_reports::{EpisodeRecord, EpisodeResult, Manifest};

/// Shows an episode's decisions as a reviewer needs them, and what kind of failure a bad outcome was.
#[derive(Debug, Args)]
#[command(
    after_help = "For every turn: what was known, believed, considered, constrained, corrected and said. A bad outcome is \
    the first of these that something in the record speaks for: a failure of objective (it wanted what its principal does not), \
    of implementation (it did not do what it wanted), or of information (it believed what is wrong, or nothing)."
)]
pub(super) struct Audit {
    /// The run directory
    run: PathBuf,
    /// The episode, from 0
    episode: u64,
    /// The agent's turn, from 1; all where it is left out
    turn: Option<usize>,
    /// The agent; needed where several play
    #[arg(long, value_name = "ID")]
    agent: Option<String>,
    /// The repeat, from 0
    #[arg(long, default_value_t = 0, value_name = "K")]
    repeat: u32,
    /// The file that made the run's private split
    #[arg(long, value_name = "FILE")]
    salt_file: Option<PathBuf>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

impl Audit {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let directory = RunDirectory::open(&self.run)?;
        let manifest = read_manifest(&directory)?;
        let agent = self.agent(&manifest)?;
        let record = self.record(&directory, &manifest, agent)?;
        let rerun = Rerun::of(&directory, &manifest, self.salt_file.as_deref())?;
        let mut review = Review::of(&rerun.arena, rerun.table(&record.key)?, &record)?;
        if let Some(turn) = self.turn {
            let turns = review.turns.len();
            if turn == 0 || turn > turns {
                return Err(Failure::Input(format!("turn {turn}: the agent had turns 1 to {turns}")));
            }
            if self.json {
                review.turns.retain(|found| found.number == turn);
            }
        }
        if self.json { print_json(&review) } else { print(&review.text(self.turn)) }
    }

    fn agent<'a>(&'a self, manifest: &'a Manifest) -> Result<&'a str, Failure> {
        let known = || manifest.agents.iter().map(|entry| entry.id.as_str()).collect::<Vec<_>>().join(", ");
        match (&self.agent, &manifest.agents[..]) {
            (Some(id), agents) if agents.iter().any(|entry| entry.id == *id) => Ok(id),
            (Some(id), _) => {
                Err(Failure::Input(format!("--agent {id} does not play in this run: there are {}", known())))
            }
            (None, [only]) => Ok(&only.id),
            (None, _) => Err(Failure::Input(format!("several agents play: name one of {} with --agent", known()))),
        }
    }

    /// The episode's record: its result, where infrastructure failed it before and the run went on.
    fn record(&self, directory: &RunDirectory, manifest: &Manifest, agent: &str) -> Result<EpisodeRecord, Failure> {
        let mut found = None;
        for record in run_records::each_once(directory, manifest)? {
            let record = record?;
            let key = &record.key;
            let wanted = (&*key.agent, key.index, key.repeat) == (agent, self.episode, self.repeat);
            if wanted && (found.is_none() || matches!(record.result, EpisodeResult::Played(_))) {
                found = Some(record);
            }
        }
        found.ok_or_else(|| {
            Failure::Input(format!("{agent} has no record of episode {}, repeat {}", self.episode, self.repeat))
        })
    }
}
