//! `zopa tournament`

use super::{print, print_json};
use crate::arena::{Arena, Draw, OpponentChoice};
use crate::failure::Failure;
use crate::run_directory::RunDirectory;
use crate::runner::{PlayedEpisode, Table};
use crate::{nearest, progress, results};
use clap::Args;
use rayon::prelude::*;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;
use zopa_agents::roster;
use zopa_reports::statistics::Bootstrap;
use zopa_reports::tournament::{self, TournamentTable};

/// Episodes of each pairing where no number is given: every pairing is a run of its own.
const EPISODES: u64 = 100;

/// Episodes that are played in parallel before their records are written in order.
const BATCH: u64 = 256;

/// Lets every agent meet every agent, itself among them, in both seats of the same scenarios.
#[derive(Debug, Args)]
#[command(
    after_help = "Prints each pairing's surplus efficiency, standings with and without self-play, and the empirical game: \
    best responses, what deviating from self-play would gain, and the symmetric equilibria among the agents."
)]
pub(super) struct Tournament {
    /// The suite, or a path to a suite file
    suite: String,
    /// An agent to play; may be repeated; the suite's lineup without ceilings where none is named
    #[arg(long = "agent", value_name = "ID")]
    agents: Vec<String>,
    /// Episodes of each pairing
    #[arg(long, default_value_t = EPISODES, value_name = "N")]
    episodes: u64,
    /// The seed; the split's own where it is left out
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// The split; the suite's default where it is left out
    #[arg(long, value_name = "NAME")]
    split: Option<String>,
    /// The folder for the results, which must be empty; runs/SUITE-tournament-seedS-N where it is left out
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Episodes played at a time; one a processor where it is left out
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Print tournament.json instead of the tables
    #[arg(long)]
    json: bool,
}

impl Tournament {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let arena = Arc::new(Arena::suite(&self.suite)?);
        let agents = self.agents(&arena)?;
        if self.episodes == 0 {
            return Err(Failure::input("--episodes 0: a pairing needs at least one episode"));
        }
        let draw = |opponent: &str| {
            let opponent = OpponentChoice::Agent(opponent.to_owned());
            Draw { split: self.split.clone(), seed: self.seed, salt: None, opponent }
        };
        let first = arena.draw(&draw(&agents[0]))?;
        let (split, seed) = (first.split, first.seed);
        let pool = super::run::pool(self.jobs)?;
        let directory = match &self.out {
            Some(path) => RunDirectory::create(path)?,
            None => RunDirectory::create_numbered(&format!("{}-tournament", arena.name()), seed)?,
        };
        for (name, bytes) in arena.inputs() {
            directory.write(&format!("inputs/{name}"), &bytes)?;
        }
        let path = directory.episodes();
        let disk = |fault: std::io::Error| Failure::disk("write", &path, &fault);
        let mut journal = BufWriter::new(File::create_new(&path).map_err(disk)?);
        let mut found = tournament::Tournament::new(agents.clone());
        let bar = progress::bar(self.episodes * (agents.len() * agents.len()) as u64);
        for (column, opponent) in agents.iter().enumerate() {
            let draw = draw(opponent);
            let drawn = arena.draw(&draw)?;
            let table = Table::new(arena.clone(), drawn, draw.opponent, seed);
            for (row, agent) in agents.iter().enumerate() {
                bar.set_message(format!("{agent} : {opponent}"));
                let mut from = 0;
                while from < self.episodes {
                    let batch = from..self.episodes.min(from + BATCH);
                    from = batch.end;
                    let play = |index| table.episode(agent, index, 0);
                    let played: Result<Vec<PlayedEpisode>, Failure> =
                        pool.install(|| batch.into_par_iter().map(play).collect());
                    for played in played? {
                        journal
                            .write_all(played.line.as_bytes())
                            .and_then(|()| journal.write_all(b"\n"))
                            .map_err(disk)?;
                        found.add(row, column, &played.record);
                        bar.inc(1);
                    }
                }
            }
        }
        journal.flush().map_err(disk)?;
        bar.finish_and_clear();
        let table = found
            .finish(arena.name(), arena.version(), &split, seed, &Bootstrap::default())
            .map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
        self.report(&directory, &table)
    }

    fn report(&self, directory: &RunDirectory, table: &TournamentTable) -> Result<(), Failure> {
        results::write_json(directory, "tournament.json", table)?;
        directory.write("report/tournament.md", table.markdown().as_bytes())?;
        directory.write("report/tournament.html", table.html().as_bytes())?;
        let page = directory.path().join("report/tournament.html");
        if self.json {
            print_json(table)?;
            eprintln!("{}", page.display());
            return Ok(());
        }
        print(&format!("{}{}\n", table.terminal(), page.display()))
    }

    /// The agents, each once. Ceilings know the other side's scripted tactic, which an agent does not have.
    fn agents(&self, arena: &Arena) -> Result<Vec<String>, Failure> {
        let mut agents: Vec<String> = Vec::new();
        let named = if self.agents.is_empty() { arena.lineup() } else { self.agents.clone() };
        for id in named {
            let known = || roster::agents().map(|card| card.id).collect::<Vec<_>>();
            let card = roster::find(&id)
                .map_err(|_| Failure::Input(nearest::unknown("agent", &id, known(), "zopa agents")))?;
            if card.kind == roster::Kind::Ceiling {
                if self.agents.is_empty() {
                    continue;
                }
                return Err(Failure::Input(format!(
                    "{id} is a ceiling: it plans against a scripted counterpart and cannot meet agents"
                )));
            }
            if !agents.contains(&id) {
                agents.push(id);
            }
        }
        if agents.len() < 2 {
            return Err(Failure::input("a tournament needs at least two agents: name them with --agent"));
        }
        Ok(agents)
    }
}
