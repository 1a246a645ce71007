//! `zopa run`

use super::folder::{begin, claim, command_line, require_ended, say_what_was_there, with_way_on};
use super::header::header;
use super::play::HUMAN;
use super::{print, print_json};
use crate::alert::{AlertRules, Alerts};
use crate::arena::{Arena, Draw, OpponentChoice};
use crate::failure::Failure;
use crate::runner::Table;
use crate::serving::ModelFlags;
use crate::sitting::{Sat, Sitting};
use crate::terminal::tell;
use crate::{interrupt, named_file, nearest, replies, results, trace};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use zopa_agents::{Equipment, roster};
use zopa_reports::{Assignment, Manifest, Shard};
use zopa_scenarios::bilateral_trade;

/// Plays episodes, scores them, and writes a run directory with its report.
#[derive(Debug, Args)]
pub(super) struct Run {
    /// The suite, or a path to a suite file
    #[arg(conflicts_with = "domain")]
    suite: Option<String>,
    /// A folder with a domain of the field, instead of a suite
    #[arg(long, value_name = "DIR")]
    domain: Option<PathBuf>,
    /// The two profiles of the domain that negotiate, by file name, the first as buyer
    #[arg(long, value_delimiter = ',', num_args = 1, value_name = "A,B", requires = "domain")]
    profiles: Option<Vec<String>>,
    /// Hold agents to the default guardrails in the domain
    #[arg(long, requires = "domain")]
    guardrails: bool,
    /// An agent to play; may be repeated; the suite's lineup where none is named
    #[arg(long = "agent", value_name = "ID")]
    pub(super) agents: Vec<String>,
    /// Who plays the other side: mix, a family, or an agent
    #[arg(long, default_value = "mix", value_name = "ID")]
    pub(super) opponent: String,
    /// The agent that others are compared with; the suite's where none is named
    #[arg(long, value_name = "ID")]
    pub(super) baseline: Option<String>,
    /// Episodes for each agent; the split's number where it is left out
    #[arg(long, value_name = "N")]
    pub(super) episodes: Option<u64>,
    /// The seed; the split's own where it is left out
    #[arg(long, value_name = "S")]
    pub(super) seed: Option<u64>,
    /// The split; the suite's default where it is left out
    #[arg(long, value_name = "NAME")]
    pub(super) split: Option<String>,
    /// A secret file whose bytes make a private split
    #[arg(long, value_name = "FILE", conflicts_with = "domain")]
    pub(super) salt_file: Option<PathBuf>,
    /// The run directory, which must be empty; runs/SUITE-seedS-N where it is left out
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Go on with an interrupted run: play the episodes that have no result yet, and no other
    #[arg(long)]
    pub(super) resume: bool,
    /// Play the part I of N of the run's scenarios; `zopa merge` puts the parts together
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
    /// Episodes played at a time; one a processor where it is left out
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Allot every scenario to one of the agents, for a pilot in which not every arm can play every case; an arm "human" is left
    /// to `zopa play`
    #[arg(long, value_name = "METHOD")]
    pub(super) assign: Option<AssignmentMethod>,
    /// A TOML file that says what raises an alert while the run is under way, and at which webhook
    #[arg(long, value_name = "FILE")]
    pub(super) alerts: Option<PathBuf>,
    /// Exit with code 1 if a gated agent misses a gate
    #[arg(long)]
    pub(super) gate: bool,
    /// Print summary.json instead of the table
    #[arg(long)]
    pub(super) json: bool,
    /// Times that each agent plays each episode; scores by pass^k need at least 3
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) repeats: u32,
    #[command(flatten)]
    pub(super) models: ModelFlags,
}

/// How scenarios are allotted to arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum AssignmentMethod {
    // By the seed, in permuted blocks.
    Random,
}

/// The two names of `--profiles A,B`.
pub(super) fn profile_pair(names: Option<&[String]>) -> Result<Option<[String; 2]>, Failure> {
    match names {
        None => Ok(None),
        Some([first, second]) if first == second => {
            Err(Failure::Input(format!("--profiles names \"{first}\" twice: name two profiles")))
        }
        Some([first, second]) => Ok(Some([first.clone(), second.clone()])),
        Some(_) => Err(Failure::Input("--profiles takes two names with a comma between them: A,B".to_owned())),
    }
}

/// The bytes of a salt file.
pub(super) fn read_salt(path: Option<&Path>) -> Result<Option<Vec<u8>>, Failure> {
    path.map(|path| named_file::read("--salt-file", path)).transpose()
}

/// More than any disk holds: a billion records take a few terabytes.
pub(super) const MOST_EPISODES: u64 = 1_000_000_000;

/// More jobs than any machine has processors for only cost it the time to start their threads.
const MOST_JOBS: usize = 1024;

/// Threads for `jobs` episodes at a time.
pub(super) fn pool(jobs: Option<usize>) -> Result<rayon::ThreadPool, Failure> {
    match jobs {
        Some(0) => return Err(Failure::input("--jobs 0: at least one job is needed")),
        Some(jobs) if jobs > MOST_JOBS => {
            return Err(Failure::Input(format!("--jobs {jobs}: at most {MOST_JOBS} jobs can run at a time")));
        }
        _ => {}
    }
    // Zero asks rayon for one a processor.
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs.unwrap_or(0))
        .build()
        .map_err(|fault| Failure::Infrastructure(format!("cannot start jobs: {fault}")))
}

impl Run {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        if self.suite.as_deref() == Some(bilateral_trade::NAME) {
            return super::trade::execute(self);
        }
        let arena = Arc::new(self.arena()?);
        let arms = self.lineup(&arena)?;
        let (humans, agents): (Vec<String>, Vec<String>) =
            arms.iter().cloned().partition(|id| self.assign.is_some() && id == HUMAN);
        if agents.is_empty() {
            return Err(Failure::input("only people are named: --assign needs an agent beside them"));
        }
        let baseline = self.baseline(&arena, &agents)?;
        let opponent = arena.opponent(&self.opponent)?;
        let episodes = match self.episodes {
            Some(0) => return Err(Failure::input("--episodes 0: a run needs at least one episode")),
            Some(episodes) if episodes > MOST_EPISODES => {
                return Err(Failure::Input(format!("--episodes {episodes}: at most {MOST_EPISODES} fit in a run")));
            }
            Some(episodes) => episodes,
            None => arena.default_episodes(self.split.as_deref())?,
        };
        if let Some(most) = arena.most_episodes().filter(|most| episodes > *most) {
            return Err(Failure::Input(format!("--episodes {episodes}: {} has {most} episodes", arena.name())));
        }
        let scenarios = episodes.div_ceil(2);
        if let Some(shard) = self.shard.filter(|shard| u64::from(shard.of()) > scenarios) {
            return Err(Failure::Input(format!(
                "--shard {shard}: {episodes} episodes have {scenarios} scenarios, which make as many parts at most"
            )));
        }
        let salt = read_salt(self.salt_file.as_deref())?;
        let draw = Draw { split: self.split.clone(), seed: self.seed, salt, opponent: opponent.clone() };
        let drawn = arena.draw(&draw)?;
        let seed = drawn.seed;
        for notice in arena.notices() {
            tell(format_args!("zopa: note: {notice}"));
        }
        let assignment = self.assignment(seed, arms)?;
        let pool = pool(self.jobs)?;
        if self.gate {
            results::require_gated(&arena.gated(), agents.iter().map(String::as_str))?;
        }
        let rules = self.alerts.as_deref().map(AlertRules::read).transpose()?;
        let stop = interrupt::listen()?;
        let rival = match &opponent {
            OpponentChoice::Agent(id) => Some(id),
            OpponentChoice::Mix | OpponentChoice::Family(_) => None,
        };
        let asking: Vec<&str> =
            agents.iter().chain(rival).map(String::as_str).filter(|id| roster::asks_model(id)).collect();
        let prepared = if asking.is_empty() { None } else { Some(self.models.prepare(asking)?) };
        let directory = claim(self.out.as_deref(), self.resume, arena.name(), seed)?;
        let (serving, equipment) = match prepared {
            Some(prepared) => (prepared.serving(), prepared.equipment(&directory.path().join(replies::FILE))?),
            None => (None, Equipment::default()),
        };
        let tracer = trace::start(directory.path());
        let table = Table::new(arena.clone(), drawn, opponent, seed)
            .equipped(equipment)
            .assigned(assignment.clone())
            .traced(tracer.clone());
        let header = header(&arena, &table, &agents, baseline, episodes, self.repeats)?;
        let (strategy, interpreter, shard) =
            (self.models.strategy.clone(), self.models.interpreter.clone(), self.shard);
        let manifest = Manifest { serving, strategy, interpreter, assignment, shard, ..header };
        let manifest = begin(&directory, manifest, arena.inputs())?;
        let watch = |rules| Alerts::new(rules, &arena.gates(), &arena.gated(), &directory);
        let alerts = rules.map(watch).transpose()?.map(Mutex::new);
        let sitting = Sitting {
            manifest: &manifest,
            directory: &directory,
            tables: std::slice::from_ref(&table),
            jobs: pool.current_num_threads(),
            stop: &stop,
            alerts: alerts.as_ref(),
        };
        let sat = sitting.play();
        trace::finish(tracer.as_deref());
        let alerts = alerts.map(|alerts| alerts.into_inner().unwrap_or_else(PoisonError::into_inner));
        if let Some(warning) = alerts.and_then(Alerts::close) {
            tell(format_args!("zopa: warning: {warning}"));
        }
        let sat = sat.map_err(|failure| with_way_on(failure, &directory))?;
        say_what_was_there(sat.reopened);
        require_ended(&sat, &manifest, &directory)?;
        let Sat { aggregation, timing, .. } = sat;
        let results = results::conclude(&directory, &manifest, &arena.gates(), aggregation, Some(timing))
            .map_err(|failure| with_way_on(failure, &directory))?;
        if let Some(assignment) = &manifest.assignment {
            let allotted = assignment.allotted(episodes.div_ceil(2));
            for human in &humans {
                let count = allotted.get(human).map_or(0, |scenarios| 2 * scenarios.len());
                let own = directory.path().display().to_string();
                let theirs = format!("{}-{human}", own.trim_end_matches('/'));
                let play = command_line(["play", "--pilot", &own, "--out", &theirs]);
                let compare = command_line(["compare", &own, &theirs]);
                tell(format_args!(
                    "zopa: note: {count} episodes are allotted to {human}: a person plays them, and then all are compared, by\n  \
                     {play}\n  {compare}"
                ));
            }
        }
        let page = directory.path().join(results::PAGE);
        if self.json {
            print_json(&results.summary)?;
            tell(page.display());
        } else {
            print(&format!("{}{}\n", results.table(), page.display()))?;
        }
        if self.gate {
            let shown = results
                .timing
                .iter()
                .flat_map(|timing| &timing.gates)
                .find(|gate| !gate.gated && manifest.gated.contains(&gate.agent));
            if let Some(note) = shown.and_then(|gate| gate.note.as_ref()) {
                tell(format_args!("zopa: note: gates on latency were {note}"));
            }
            results.require_gates()?;
        }
        results.require_results()
    }

    /// Which arm plays which scenario, where that is asked for.
    fn assignment(&self, seed: u64, arms: Vec<String>) -> Result<Option<Assignment>, Failure> {
        let Some(AssignmentMethod::Random) = self.assign else { return Ok(None) };
        let assignment = Assignment::random(seed, arms);
        assignment.map(Some).ok_or_else(|| Failure::input("--assign needs at least two arms: name them with --agent"))
    }

    fn arena(&self) -> Result<Arena, Failure> {
        let profiles = profile_pair(self.profiles.as_deref())?;
        match (&self.suite, &self.domain) {
            (Some(suite), _) => Arena::suite(suite),
            (None, Some(folder)) => Arena::domain(folder, profiles, self.guardrails),
            (None, None) => Err(Failure::input("name a suite (`zopa suites` lists them) or a --domain folder")),
        }
    }

    fn lineup(&self, arena: &Arena) -> Result<Vec<String>, Failure> {
        let named = if self.agents.is_empty() { arena.lineup() } else { self.agents.clone() };
        let mut agents: Vec<String> = Vec::new();
        for id in named {
            if self.assign.is_none() || id != HUMAN {
                known_agent(&id)?;
            }
            if !agents.contains(&id) {
                agents.push(id);
            }
        }
        Ok(agents)
    }

    /// The baseline, where it plays: a baseline that the user names must.
    fn baseline(&self, arena: &Arena, agents: &[String]) -> Result<Option<String>, Failure> {
        let plays = |id: &str| agents.iter().any(|agent| agent == id);
        match &self.baseline {
            Some(id) => {
                known_agent(id)?;
                if !plays(id) {
                    return Err(Failure::Input(format!("--baseline {id} does not play: add --agent {id}")));
                }
                Ok(Some(id.clone()))
            }
            None => Ok(Some(arena.baseline().to_owned()).filter(|id| plays(id))),
        }
    }
}

pub(super) fn known_agent(id: &str) -> Result<(), Failure> {
    roster::find(id)
        .map(drop)
        .map_err(|_| Failure::Input(nearest::unknown("agent", id, roster::agents().map(|card| card.id), "zopa agents")))
}
