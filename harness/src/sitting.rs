//! A sitting at a run: plays what the run's journal does not hold yet, from the start or after an interruption.

use crate::alert::Alerts;
use crate::crew::{Crew, Ended, Order};
use crate::failure::Failure;
use crate::journal::{Journal, Reopened};
use crate::progress;
use crate::results::{read_timing, write_json};
use crate::run_directory::RunDirectory;
use crate::run_records::{belongs, named};
use crate::runner::{PlayedEpisode, Table};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use zopa_envs::EpisodeKey;
use zopa_reports::{Aggregation, EpisodeResult, Manifest, TimingRecorder};

/// How often what was measured so far is written down: a process that is killed loses no more of it.
const TIMING_EVERY: Duration = Duration::from_secs(5);

/// All that a sitting needs.
pub struct Sitting<'a> {
    /// The run.
    pub manifest: &'a Manifest,
    /// Its folder.
    pub directory: &'a RunDirectory,
    /// Where it is played: a table for each opponent, in the order in which the manifest names them.
    pub tables: &'a [Table],
    /// Episodes played at a time.
    pub jobs: usize,
    /// Set from outside to have it stop.
    pub stop: &'a AtomicBool,
    /// Who watches the records, where somebody does.
    pub alerts: Option<&'a Mutex<Alerts>>,
}

/// What came of a sitting.
pub struct Sat {
    /// All records of the run so far.
    pub aggregation: Aggregation,
    /// All that was measured so far.
    pub timing: zopa_reports::Timing,
    /// What was found in the journal.
    pub reopened: Reopened,
    /// Episodes that have a result.
    pub finished: u64,
    /// Whether nothing is left to play.
    pub ended: Ended,
}

/// Which episodes of a run have a result: a bit each, by opponent and agent.
#[derive(Debug, Default)]
struct Finished {
    opponents: BTreeMap<String, BTreeMap<String, Vec<u64>>>,
    repeats: u64,
    count: u64,
}

impl Finished {
    fn of(manifest: &Manifest) -> Self {
        let agents: BTreeMap<_, _> = manifest.agents.iter().map(|entry| (entry.id.clone(), Vec::new())).collect();
        let opponents = manifest.met().iter().map(|opponent| (opponent.clone(), agents.clone())).collect();
        Self { opponents, repeats: manifest.repeats.into(), count: 0 }
    }

    fn place(&self, index: u64, repeat: u32) -> (usize, u64) {
        let bit = index * self.repeats + u64::from(repeat);
        ((bit / 64) as usize, 1 << (bit % 64))
    }

    fn holds(&self, opponent: &str, agent: &str, index: u64, repeat: u32) -> bool {
        let (word, bit) = self.place(index, repeat);
        let words = self.opponents.get(opponent).and_then(|agents| agents.get(agent));
        words.and_then(|words| words.get(word)).is_some_and(|word| word & bit != 0)
    }

    /// Notes a result; false where the episode had one already.
    fn insert(&mut self, key: &EpisodeKey) -> bool {
        let (word, bit) = self.place(key.index, key.repeat);
        let agents = self.opponents.get_mut(&*key.opponent);
        let Some(words) = agents.and_then(|agents| agents.get_mut(&*key.agent)) else { return false };
        if words.len() <= word {
            words.resize(word + 1, 0);
        }
        let fresh = words[word] & bit == 0;
        words[word] |= bit;
        self.count += u64::from(fresh);
        fresh
    }
}

impl Sitting<'_> {
    /// Plays all that is missing: in a run that was interrupted, the episodes without a record and those that
    /// infrastructure failed.
    ///
    /// # Errors
    /// Where the journal is of another run, an episode cannot be played, or the disk fails.
    pub fn play(&self) -> Result<Sat, Failure> {
        let part = self.manifest.part();
        let (episodes, met) = (part.count(self.manifest.episodes), self.manifest.met());
        let of_agent = episodes.saturating_mul(self.manifest.repeats.into()).saturating_mul(met.len() as u64);
        let mut aggregation = Aggregation::expecting(of_agent);
        let mut finished = Finished::of(self.manifest);
        let path = self.directory.episodes();
        let (mut journal, reopened) = Journal::reopen(&path, |record| {
            let wrong = |what: String| Failure::Input(format!("{}: {what}; it cannot be resumed", path.display()));
            belongs(self.manifest, &record).map_err(wrong)?;
            if matches!(record.result, EpisodeResult::Played(_)) && !finished.insert(&record.key) {
                return Err(wrong(format!("{} is recorded twice", named(&record.key))));
            }
            aggregation.add(&record).map_err(Failure::input)
        })?;
        let mut recorder = TimingRecorder::default();
        // What was measured is no result: a file that cannot be read costs its figures and nothing else.
        if let Ok(Some(earlier)) = read_timing(self.directory) {
            recorder.add(&earlier);
        }
        let jobs = self.jobs as u32;
        let bar = progress::bar(self.manifest.records() - finished.count);
        let (started, mut noted) = (Instant::now(), Instant::now());
        let mut count = finished.count;
        let connections = |at: usize, agent: &str| self.tables[at].connections(agent);
        let missing = |at: usize, agent: &str, index: u64, repeat: u32| {
            self.manifest.plays(agent, index) && !finished.holds(&met[at], agent, index, repeat)
        };
        let work = |task: u64| {
            let (at, index) = ((task / episodes) as usize, part.episode(task % episodes));
            let players: Vec<(&str, u32)> = (self.manifest.agents.iter())
                .filter(|entry| connections(at, &entry.id).is_none())
                .flat_map(|entry| (0..self.manifest.repeats).map(|repeat| (entry.id.as_str(), repeat)))
                .filter(|&(agent, repeat)| missing(at, agent, index, repeat))
                .collect();
            self.tables[at].episodes(index, &players)
        };
        let mut keep = |played: Result<Vec<PlayedEpisode>, Failure>| {
            let played = played?;
            journal.append(played.iter().map(|episode| episode.line.as_str()))?;
            for PlayedEpisode { record, latencies, speech, .. } in &played {
                aggregation.add(record).map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
                latencies.iter().for_each(|&nanoseconds| recorder.decision(&record.key.agent, nanoseconds));
                speech.iter().for_each(|&nanoseconds| recorder.speech(&record.key.agent, nanoseconds));
                count += u64::from(matches!(record.result, EpisodeResult::Played(_)));
                if let Some(alerts) = self.alerts {
                    alerts.lock().unwrap_or_else(PoisonError::into_inner).note(record);
                }
                bar.inc(1);
            }
            if noted.elapsed() >= TIMING_EVERY {
                noted = Instant::now();
                write_json(self.directory, "timing.json", &recorder.figures(jobs, started.elapsed().as_secs_f64()))?;
            }
            Ok(())
        };
        let crew = Crew { workers: self.jobs, order: Order::Sequential, stop: self.stop };
        let mut played = crew.run(episodes.saturating_mul(self.tables.len() as u64), work, &mut keep);
        // What waits for a server needs connections of its own, not processors; nothing that was paid for waits in line.
        let served: Vec<(usize, &str, usize)> = (0..self.tables.len())
            .flat_map(|at| self.manifest.agents.iter().map(move |entry| (at, entry.id.as_str())))
            .filter_map(|(at, agent)| Some((at, agent, connections(at, agent)?)))
            .collect();
        if let (Ok(Ended::Done), Some(&(.., workers))) = (&played, served.first()) {
            let waiting: Vec<(usize, &str, u64, u32)> = (served.iter())
                .flat_map(|&(at, agent, _)| (0..episodes).map(move |task| (at, agent, part.episode(task))))
                .flat_map(|(at, agent, index)| (0..self.manifest.repeats).map(move |repeat| (at, agent, index, repeat)))
                .filter(|&(at, agent, index, repeat)| missing(at, agent, index, repeat))
                .collect();
            let work = |task: u64| {
                let (at, agent, index, repeat) = waiting[task as usize];
                self.tables[at].episodes(index, &[(agent, repeat)])
            };
            let crew = Crew { workers, order: Order::AsFinished, stop: self.stop };
            played = crew.run(waiting.len() as u64, work, &mut keep);
        }
        bar.finish_and_clear();
        let timing = recorder.figures(jobs, started.elapsed().as_secs_f64());
        let ended = played?;
        journal.synchronise()?;
        write_json(self.directory, "timing.json", &timing)?;
        Ok(Sat { aggregation, timing, reopened, finished: count, ended })
    }
}
