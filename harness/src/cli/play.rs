//! `zopa play`

use super::folder::{begin, claim, require_ended, say_what_was_there};
use super::header::header;
use super::print;
use super::run::{known_agent, read_salt};
use crate::answers::{self, Answers};
use crate::arena::{Arena, Draw, OpponentChoice, plain_split};
use crate::crew::Ended;
use crate::failure::Failure;
use crate::journal::Journal;
use crate::run_directory::RunDirectory;
use crate::run_records::{belongs, named};
use crate::runner::Table;
use crate::serving::ModelFlags;
use crate::sitting::Sat;
use crate::{replies, results};
use clap::Args;
use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use zopa_agents::human::{Console, Person};
use zopa_agents::{Equipment, roster};
use zopa_reports::plain_text::plain;
use zopa_reports::{Aggregation, EpisodeRecord, EpisodeResult, Manifest, TimingRecorder};

/// A person negotiates in the terminal: the same view, guardrails, mandate and records as every agent.
#[derive(Debug, Args)]
pub(super) struct Play {
    /// The suite, or a path to a suite file
    #[arg(required_unless_present = "pilot", conflicts_with = "pilot")]
    suite: Option<String>,
    /// The run whose `--assign` left scenarios to a person: plays those, and `zopa compare` puts both folders together
    #[arg(long, value_name = "RUN", conflicts_with_all = ["episodes", "seed", "split", "opponent"])]
    pilot: Option<PathBuf>,
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
    /// The file that made the pilot's private split
    #[arg(long, value_name = "FILE", requires = "pilot")]
    salt_file: Option<PathBuf>,
    /// Who plays the other side: mix, a family, or an agent
    #[arg(long, default_value = "mix", value_name = "ID")]
    opponent: String,
    /// The run directory, which must be empty; runs/SUITE-seedS-N where it is left out
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on where you left: play the negotiations that have no result yet, and no other
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    models: ModelFlags,
}

/// What was written so far in an episode, and whether the input has ended.
#[derive(Default)]
struct Written {
    lines: Vec<Option<String>>,
    ended: bool,
}

/// The terminal, or whatever standard input is.
struct Terminal(Arc<Mutex<Written>>);

impl Console for Terminal {
    fn show(&mut self, text: &str) {
        // A reader that closed the pipe has read all it wanted.
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(plain(text).as_bytes()).and_then(|()| out.flush());
    }

    fn ask(&mut self) -> Option<String> {
        let mut line = String::new();
        let answer = match std::io::stdin().lock().read_line(&mut line) {
            Ok(length) if length > 0 => Some(line.trim_end_matches(['\r', '\n']).to_owned()),
            _ => None,
        };
        let mut written = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        written.ended |= answer.is_none();
        written.lines.push(answer.clone());
        answer
    }
}

/// The agent that a person is, in keys.
pub(super) const HUMAN: &str = "human";

/// What is played: that which the flags name, or a person's share of a pilot.
struct Game {
    arena: Arc<Arena>,
    draw: Draw,
    /// Episodes of the run, of which a pilot's person plays some.
    episodes: u64,
    pilot: Option<Manifest>,
}

impl Play {
    fn game(&self) -> Result<Game, Failure> {
        if let Some(path) = &self.pilot {
            let directory = RunDirectory::open(path)?;
            let pilot = results::read_manifest(&directory)?;
            let arms = pilot.assignment.as_ref().map_or(&[][..], |assignment| &assignment.arms);
            if !arms.iter().any(|arm| arm == HUMAN) {
                return Err(Failure::Input(format!(
                    "{} left nothing to a person: `zopa run ... --assign random --agent {HUMAN}` does",
                    path.display()
                )));
            }
            let arena = Arc::new(Arena::of_inputs(&pilot, directory.files("inputs")?)?);
            let salt = read_salt(self.salt_file.as_deref())?;
            let split = Some(plain_split(&pilot.split, salt.as_deref())?.to_owned());
            let opponent = arena.opponent(&pilot.opponent)?;
            let draw = Draw { split, seed: Some(pilot.seed), salt, opponent };
            return Ok(Game { arena, draw, episodes: pilot.episodes, pilot: Some(pilot) });
        }
        let suite = self.suite.as_deref().ok_or_else(|| Failure::input("name a suite: `zopa suites` lists them"))?;
        let arena = Arc::new(Arena::suite(suite)?);
        let opponent = arena.opponent(&self.opponent)?;
        let draw = Draw { split: self.split.clone(), seed: self.seed, salt: None, opponent };
        Ok(Game { arena, draw, episodes: self.episodes, pilot: None })
    }

    pub(super) fn execute(&self) -> Result<(), Failure> {
        let Game { arena, draw, episodes, pilot } = self.game()?;
        let drawn = arena.draw(&draw)?;
        let (seed, opponent) = (drawn.seed, draw.opponent);
        let rival = match &opponent {
            OpponentChoice::Agent(id) => Some(id.as_str()),
            OpponentChoice::Mix | OpponentChoice::Family(_) => None,
        };
        if let Some(id) = &self.assist {
            known_agent(id)?;
        }
        let asking: Vec<&str> =
            self.assist.as_deref().into_iter().chain(rival).filter(|id| roster::asks_model(id)).collect();
        let asks = !asking.is_empty();
        let prepared = if asks { Some(self.models.prepare(asking)?) } else { None };
        let written = Arc::new(Mutex::new(Written::default()));
        let person = Some(Person::new(Terminal(written.clone())));
        let assistant = self.assist.clone();
        // Tested before a folder is made for nothing.
        let draft = Equipment { person: person.clone(), assistant: assistant.clone(), ..Equipment::default() };
        if !asks {
            roster::build_with(HUMAN, &draft).map_err(Failure::input)?;
        }
        let directory = claim(self.out.as_deref(), self.resume, arena.name(), seed)?;
        let (serving, equipment) = match prepared {
            Some(prepared) => (prepared.serving(), prepared.equipment(&directory.path().join(replies::FILE))?),
            None => (None, Equipment::default()),
        };
        let equipment = Equipment { person, assistant, ..equipment };
        let assignment = pilot.and_then(|pilot| pilot.assignment);
        let table = Table::new(arena.clone(), drawn, opponent, seed).equipped(equipment).assigned(assignment.clone());
        let header = header(&arena, &table, &[HUMAN.to_owned()], None, episodes, 1)?;
        let manifest = Manifest { serving, strategy: self.models.strategy.clone(), assignment, ..header };
        let manifest = begin(&directory, manifest, arena.inputs())?;
        let (mut aggregation, mut finished) = (Aggregation::default(), BTreeSet::new());
        let path = directory.episodes();
        let (mut journal, reopened) = Journal::reopen(&path, |record| {
            let wrong = |what: String| Failure::Input(format!("{}: {what}", path.display()));
            belongs(&manifest, &record).map_err(wrong)?;
            if matches!(record.result, EpisodeResult::Played(_)) && !finished.insert(record.key.index) {
                return Err(wrong(format!("{} is recorded twice", named(&record.key))));
            }
            aggregation.add(&record).map_err(Failure::input)
        })?;
        let mut recorder = TimingRecorder::default();
        if let Ok(Some(earlier)) = results::read_timing(&directory) {
            recorder.add(&earlier);
        }
        let started = std::time::Instant::now();
        let own: Vec<u64> = (0..episodes).filter(|&index| manifest.plays(HUMAN, index)).collect();
        let mut played = finished.len();
        for index in own.iter().copied().filter(|index| !finished.contains(index)) {
            if own.len() > 1 {
                print(&format!("\nNegotiation {} of {}\n", played + 1, own.len()))?;
            }
            let episode = table.episode(HUMAN, index, 0)?;
            let Written { lines, ended } = std::mem::take(&mut *written.lock().unwrap_or_else(PoisonError::into_inner));
            // Before the record: what has one can be played again.
            answers::append(&directory.path().join(answers::FILE), &Answers { episode: index, lines })?;
            journal.append([episode.line.as_str()])?;
            played += usize::from(matches!(episode.record.result, EpisodeResult::Played(_)));
            aggregation.add(&episode.record).map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
            episode.latencies.into_iter().for_each(|nanoseconds| recorder.decision(HUMAN, nanoseconds));
            results::write_json(&directory, "timing.json", &recorder.figures(1, started.elapsed().as_secs_f64()))?;
            print(&format!("\n{}\n", ending(&episode.record)))?;
            if ended {
                break;
            }
        }
        journal.synchronise()?;
        let timing = recorder.figures(1, started.elapsed().as_secs_f64());
        let ended = if played < own.len() { Ended::Stopped } else { Ended::Done };
        let sat = Sat { aggregation, timing, reopened, finished: played as u64, ended };
        say_what_was_there(sat.reopened);
        require_ended(&sat, &manifest, &directory)?;
        let results = results::conclude(&directory, &manifest, &arena.gates(), sat.aggregation, Some(sat.timing))?;
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
