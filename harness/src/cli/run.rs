//! `zopa run`

use super::{print, print_json};
use crate::alert::{AlertRules, Alerts};
use crate::arena::{Arena, Draw};
use crate::failure::Failure;
use crate::run_directory::RunDirectory;
use crate::runner::Table;
use crate::{comparison, nearest, progress, results, trace};
use clap::{Args, ValueEnum};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use zopa_agents::roster;
use zopa_envs::Digest;
use zopa_reports::{AgentEntry, Aggregation, Assignment, Host, InputFile, Manifest, Standing, TimingRecorder};
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
    #[arg(long, value_delimiter = ',', num_args = 2, value_name = "A,B", requires = "domain")]
    profiles: Option<Vec<String>>,
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
    /// Episodes played at a time; one a processor where it is left out
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Allot every scenario to one of the agents, for a pilot in which not every arm can play every case; an arm "human" is left
    /// to `zopa play`
    #[arg(long, value_name = "METHOD")]
    assign: Option<AssignmentMethod>,
    /// A TOML file that says what raises an alert while the run is under way, and at which webhook
    #[arg(long, value_name = "FILE")]
    alerts: Option<PathBuf>,
    /// Exit with code 1 if a gated agent misses a gate
    #[arg(long)]
    pub(super) gate: bool,
    /// Print summary.json instead of the table
    #[arg(long)]
    pub(super) json: bool,
}

/// How scenarios are allotted to arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum AssignmentMethod {
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
    path.map(|path| {
        std::fs::read(path).map_err(|fault| Failure::Input(format!("--salt-file {}: {fault}", path.display())))
    })
    .transpose()
}

/// More than any disk holds: a billion records take a few terabytes.
const MOST_EPISODES: u64 = 1_000_000_000;

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
            arms.iter().cloned().partition(|id| self.assign.is_some() && comparison::is_human(id));
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
        let salt = read_salt(self.salt_file.as_deref())?;
        let draw = Draw { split: self.split.clone(), seed: self.seed, salt, opponent: opponent.clone() };
        let drawn = arena.draw(&draw)?;
        let seed = drawn.seed;
        for notice in arena.notices() {
            eprintln!("zopa: note: {notice}");
        }
        let assignment = self.assignment(seed, arms)?;
        let pool = pool(self.jobs)?;
        if self.gate {
            results::require_gated(&arena.gated(), agents.iter().map(String::as_str))?;
        }
        let rules = self.alerts.as_deref().map(AlertRules::read).transpose()?;
        let directory = match &self.out {
            Some(path) => RunDirectory::create(path)?,
            None => RunDirectory::create_numbered(arena.name(), seed)?,
        };
        let tracer = trace::start(directory.path());
        let table =
            Table::new(arena.clone(), drawn, opponent, seed).assigned(assignment.clone()).traced(tracer.clone());
        let manifest = self.manifest(&arena, &table, &agents, baseline, episodes, assignment)?;
        results::write_json(&directory, "manifest.json", &manifest)?;
        for (name, bytes) in arena.inputs() {
            directory.write(&format!("inputs/{name}"), &bytes)?;
        }
        let watch = |rules| Alerts::new(rules, &arena.gates(), &arena.gated(), &directory);
        let mut alerts = rules.map(watch).transpose()?;
        let played = self.play(&pool, &table, &directory, &agents, episodes, alerts.as_mut());
        trace::finish(tracer.as_deref());
        if let Some(warning) = alerts.and_then(Alerts::close) {
            eprintln!("zopa: warning: {warning}");
        }
        let (aggregation, recorder, seconds, jobs) = played?;
        let timing = recorder.finish(jobs, seconds);
        let results = results::conclude(&directory, &manifest, &arena.gates(), aggregation, Some(timing))?;
        if let Some(assignment) = &manifest.assignment {
            let allotted = assignment.allotted(episodes.div_ceil(2));
            for human in &humans {
                let count = allotted.get(human).map_or(0, |scenarios| 2 * scenarios.len());
                eprintln!(
                    "zopa: note: {count} episodes are allotted to {human}: `zopa play {} --run {}` plays them",
                    arena.name(),
                    directory.path().display()
                );
            }
        }
        let page = directory.path().join(results::PAGE);
        if self.json {
            print_json(&results.summary)?;
            eprintln!("{}", page.display());
        } else {
            print(&format!("{}{}\n", results.table(), page.display()))?;
        }
        if self.gate { results.require_gates() } else { Ok(()) }
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
            (None, Some(folder)) => Arena::domain(folder, profiles),
            (None, None) => Err(Failure::input("name a suite (`zopa suites` lists them) or a --domain folder")),
        }
    }

    fn lineup(&self, arena: &Arena) -> Result<Vec<String>, Failure> {
        let named = if self.agents.is_empty() { arena.lineup() } else { self.agents.clone() };
        let mut agents: Vec<String> = Vec::new();
        for id in named {
            if self.assign.is_none() || !comparison::is_human(&id) {
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

    fn manifest(
        &self,
        arena: &Arena,
        table: &Table,
        agents: &[String],
        baseline: Option<String>,
        episodes: u64,
        assignment: Option<Assignment>,
    ) -> Result<Manifest, Failure> {
        let mut entries = Vec::new();
        for id in agents {
            let card = roster::find(id).map_err(Failure::input)?;
            let player = roster::build(id).map_err(Failure::input)?;
            entries.push(AgentEntry {
                id: id.clone(),
                version: player.version(),
                options: player.options(),
                standing: match card.kind {
                    roster::Kind::Contender => Standing::Contender,
                    roster::Kind::Baseline => Standing::Baseline,
                    roster::Kind::Probe => Standing::Probe,
                    roster::Kind::Ceiling => Standing::Ceiling,
                },
            });
        }
        let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u32);
        Ok(Manifest {
            schema: Manifest::SCHEMA,
            zopa: env!("CARGO_PKG_VERSION").to_owned(),
            revision: option_env!("ZOPA_REVISION").map(str::to_owned),
            arguments: std::env::args().skip(1).collect(),
            suite: arena.name().to_owned(),
            suite_version: arena.version(),
            suite_digest: arena.digest(),
            profiles: arena.profiles(),
            split: table.split().to_owned(),
            seed: table.seed(),
            agent_seed: table.seed(),
            episodes,
            repeats: 1,
            opponent: table.opponent(),
            authority: table.authority().to_owned(),
            agents: entries,
            gated: arena.gated(),
            baseline,
            inputs: arena
                .inputs()
                .into_iter()
                .map(|(name, bytes)| InputFile { name, digest: Digest::of_bytes(&bytes) })
                .collect(),
            assignment,
            host: Host {
                system: std::env::consts::OS.to_owned(),
                architecture: std::env::consts::ARCH.to_owned(),
                threads,
            },
        })
    }

    /// Plays every agent's episodes into the journal.
    fn play(
        &self,
        pool: &rayon::ThreadPool,
        table: &Table,
        directory: &RunDirectory,
        agents: &[String],
        episodes: u64,
        mut alerts: Option<&mut Alerts>,
    ) -> Result<(Aggregation, TimingRecorder, f64, u32), Failure> {
        let jobs = pool.current_num_threads() as u32;
        let path = directory.episodes();
        let disk = |fault: std::io::Error| Failure::disk("write", &path, &fault);
        let mut journal = BufWriter::new(File::create_new(&path).map_err(disk)?);
        let (mut aggregation, mut recorder) = (Aggregation::default(), TimingRecorder::default());
        let started = Instant::now();
        let bar = progress::bar(agents.iter().map(|agent| table.episodes_of(agent, episodes)).sum());
        for agent in agents {
            bar.set_message(agent.clone());
            pool.install(|| {
                table.episodes(agent, episodes, 1, |played| {
                    journal.write_all(played.line.as_bytes()).and_then(|()| journal.write_all(b"\n")).map_err(disk)?;
                    aggregation.add(&played.record).map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
                    for nanoseconds in played.latencies {
                        recorder.decision(agent, nanoseconds as f32 / 1e6);
                    }
                    if let Some(alerts) = &mut alerts {
                        alerts.note(&played.record);
                    }
                    bar.inc(1);
                    Ok(())
                })
            })?;
            journal.flush().map_err(disk)?;
        }
        bar.finish_and_clear();
        Ok((aggregation, recorder, started.elapsed().as_secs_f64(), jobs))
    }
}

fn known_agent(id: &str) -> Result<(), Failure> {
    roster::find(id)
        .map(drop)
        .map_err(|_| Failure::Input(nearest::unknown("agent", id, roster::agents().map(|card| card.id), "zopa agents")))
}
