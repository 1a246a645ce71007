//! `zopa play`

use super::print;
use crate::arena::{Arena, Draw, OpponentChoice};
use crate::failure::Failure;
use crate::run_directory::RunDirectory;
use crate::runner::Table;
use crate::serving::ModelFlags;
use crate::{replies, results};
use clap::Args;
use std::fs::OpenOptions;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use zopa_agents::human::{Console, Person};
use zopa_agents::{Equipment, roster};
use zopa_reports::{Aggregation, EpisodeRecord, EpisodeResult, Manifest, TimingRecorder};

/// A person negotiates in the terminal: the same view, guardrails, mandate and records as every agent.
#[derive(Debug, Args)]
pub(super) struct Play {
    /// The suite, or a path to a suite file
    suite: String,
    /// An agent that drafts each of your decisions, for you to take or change
    #[arg(long, value_name = "ID")]
    assist: Option<String>,
    /// Negotiations
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    episodes: u64,
    /// The seed; the split's own where it is left out
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// The split; the suite's default where it is left out
    #[arg(long, value_name = "NAME")]
    split: Option<String>,
    /// Who plays the other side: mix, a family, or an agent
    #[arg(long, default_value = "mix", value_name = "ID")]
    opponent: String,
    /// The run directory, which must be empty; runs/SUITE-seedS-N where it is left out
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    models: ModelFlags,
}

/// The terminal, or whatever standard input is.
struct Terminal;

impl Console for Terminal {
    fn show(&mut self, text: &str) {
        // A reader that closed the pipe has read all it wanted.
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }

    fn ask(&mut self) -> Option<String> {
        let mut line = String::new();
        match std::io::stdin().lock().read_line(&mut line) {
            Ok(length) if length > 0 => Some(line.trim_end_matches(['\r', '\n']).to_owned()),
            _ => None,
        }
    }
}

const HUMAN: &str = "human";

impl Play {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let arena = Arc::new(Arena::suite(&self.suite)?);
        let opponent = arena.opponent(&self.opponent)?;
        let draw = Draw { split: self.split.clone(), seed: self.seed, salt: None, opponent: opponent.clone() };
        let drawn = arena.draw(&draw)?;
        let seed = drawn.seed;
        let rival_asks = matches!(&opponent, OpponentChoice::Agent(id) if roster::asks_model(id));
        let asks = rival_asks || self.assist.as_deref().is_some_and(roster::asks_model);
        let prepared = if asks { Some(self.models.prepare()?) } else { None };
        let person = Some(Person::new(Terminal));
        let assistant = self.assist.clone();
        // Tested before a folder is made for nothing.
        let draft = Equipment { person: person.clone(), assistant: assistant.clone(), ..Equipment::default() };
        if !asks {
            roster::build_with(HUMAN, &draft).map_err(Failure::input)?;
        }
        let directory = match &self.out {
            Some(path) => RunDirectory::create(path)?,
            None => RunDirectory::create_numbered(arena.name(), seed)?,
        };
        let (serving, equipment) = match prepared {
            Some(prepared) => (prepared.serving(), prepared.equipment(&directory.path().join(replies::FILE))?),
            None => (None, Equipment::default()),
        };
        let equipment = Equipment { person, assistant, ..equipment };
        let table = Table::new(arena.clone(), drawn, opponent, seed).equipped(equipment);
        let agents = [HUMAN.to_owned()];
        let header = super::run::header(&arena, &table, &agents, None, self.episodes, 1)?;
        let manifest = Manifest { serving, strategy: self.models.strategy.clone(), ..header };
        results::write_json(&directory, "manifest.json", &manifest)?;
        for (name, bytes) in arena.inputs() {
            directory.write(&format!("inputs/{name}"), &bytes)?;
        }
        let (mut aggregation, mut recorder) = (Aggregation::default(), TimingRecorder::default());
        let path = directory.episodes();
        let disk = |fault: std::io::Error| Failure::disk("write", &path, &fault);
        let mut journal = OpenOptions::new().create_new(true).append(true).open(&path).map_err(disk)?;
        let started = std::time::Instant::now();
        for index in 0..self.episodes {
            let played = table.episode(HUMAN, index, 0)?;
            journal.write_all(format!("{}\n", played.line).as_bytes()).map_err(disk)?;
            aggregation.add(&played.record).map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
            for nanoseconds in played.latencies {
                recorder.decision(HUMAN, nanoseconds);
            }
            print(&format!("\n{}\n", ending(&played.record)))?;
        }
        let timing = recorder.figures(1, started.elapsed().as_secs_f64());
        let results = results::conclude(&directory, &manifest, &[], aggregation, Some(timing))?;
        print(&format!("{}\n", directory.path().join(results::PAGE).display()))?;
        results.require_results()
    }
}

/// How a negotiation ended, in a line.
fn ending(record: &EpisodeRecord) -> String {
    match &record.result {
        EpisodeResult::InfraError { reason } => format!("No result: {reason}"),
        EpisodeResult::Played(played) => {
            let how = if played.scores.agreement { "You have a deal" } else { "There is no deal" };
            let best = played
                .scores
                .best_gain
                .map_or(String::new(), |best| format!(" of {best:.2} that could be had at best"));
            format!("{how} after {} rounds: you gain {:.2}{best}.", played.scores.rounds, played.scores.gain)
        }
    }
}
