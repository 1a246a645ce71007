//! `zopa tournament`

use super::folder::{begin, claim, require_ended, say_what_was_there, with_way_on};
use super::header::header;
use super::{print, print_json};
use crate::arena::{Arena, Draw, OpponentChoice};
use crate::failure::Failure;
use crate::runner::Table;
use crate::serving::ModelFlags;
use crate::sitting::Sitting;
use crate::terminal::tell;
use crate::{interrupt, nearest, replies, tournament, trace};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use zopa_agents::{Equipment, roster};
use zopa_reports::Manifest;

/// Episodes of each pairing where no number is given: every pairing is a run of its own.
const EPISODES: u64 = 100;

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
    /// Episodes of each pairing; 100, or all that the suite has, where it is left out
    #[arg(long, value_name = "N")]
    episodes: Option<u64>,
    /// The seed; the split's own where it is left out
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// The split; the suite's default where it is left out
    #[arg(long, value_name = "NAME")]
    split: Option<String>,
    /// The folder for the results, which must be empty; runs/SUITE-tournament-seedS-N where it is left out
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with an interrupted tournament: play the episodes that have no result yet, and no other
    #[arg(long)]
    resume: bool,
    /// Episodes played at a time; one a processor where it is left out
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Print tournament.json instead of the tables
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    models: ModelFlags,
}

impl Tournament {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let arena = Arc::new(Arena::suite(&self.suite)?);
        let agents = self.agents(&arena)?;
        let most = arena.most_episodes();
        let episodes = self.episodes.unwrap_or(EPISODES.min(most.unwrap_or(EPISODES)));
        match episodes {
            0 => return Err(Failure::input("--episodes 0: a pairing needs at least one episode")),
            many if many > super::run::MOST_EPISODES => {
                let most = super::run::MOST_EPISODES;
                return Err(Failure::Input(format!("--episodes {many}: at most {most} fit in a run")));
            }
            _ => {}
        }
        if let Some(most) = most.filter(|most| episodes > *most) {
            return Err(Failure::Input(format!("--episodes {episodes}: {} has {most} episodes", arena.name())));
        }
        let draw = |opponent: &str| {
            let opponent = OpponentChoice::Agent(opponent.to_owned());
            Draw { split: self.split.clone(), seed: self.seed, salt: None, opponent }
        };
        let seed = arena.draw(&draw(&agents[0]))?.seed;
        let pool = super::run::pool(self.jobs)?;
        let stop = interrupt::listen()?;
        let asking: Vec<&str> = agents.iter().map(String::as_str).filter(|id| roster::asks_model(id)).collect();
        let prepared = if asking.is_empty() { None } else { Some(self.models.prepare(asking)?) };
        let name = format!("{}-tournament", arena.name());
        let directory = claim(self.out.as_deref(), self.resume, &name, seed)?;
        let (serving, equipment) = match prepared {
            Some(prepared) => (prepared.serving(), prepared.equipment(&directory.path().join(replies::FILE))?),
            None => (None, Equipment::default()),
        };
        let tracer = trace::start(directory.path());
        let against = |opponent: &String| {
            let draw = draw(opponent);
            let drawn = arena.draw(&draw)?;
            let table = Table::new(arena.clone(), drawn, draw.opponent, seed).equipped(equipment.clone());
            Ok(table.traced(tracer.clone()))
        };
        let tables = agents.iter().map(against).collect::<Result<Vec<Table>, Failure>>()?;
        let header = header(&arena, &tables[0], &agents, None, episodes, 1)?;
        let manifest = Manifest {
            opponent: Manifest::EVERY_AGENT.to_owned(),
            opponents: tables.iter().map(Table::opponent).collect(),
            strategy: self.models.strategy.clone(),
            interpreter: self.models.interpreter.clone(),
            serving,
            ..header
        };
        manifest.check().map_err(Failure::Input)?;
        let manifest = begin(&directory, manifest, arena.inputs())?;
        let jobs = pool.current_num_threads();
        let sitting =
            Sitting { manifest: &manifest, directory: &directory, tables: &tables, jobs, stop: &stop, alerts: None };
        let sat = sitting.play();
        trace::finish(tracer.as_deref());
        let sat = sat.map_err(|failure| with_way_on(failure, &directory))?;
        say_what_was_there(sat.reopened);
        require_ended(&sat, &manifest, &directory)?;
        drop(sat);
        let table = tournament::table(&directory, &manifest).map_err(|failure| with_way_on(failure, &directory))?;
        let page = tournament::write(&directory, &table).map_err(|failure| with_way_on(failure, &directory))?;
        if self.json {
            print_json(&table)?;
            tell(page.display());
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
