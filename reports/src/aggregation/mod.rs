//! From records to `summary.json`, holding at most 100 bytes for each episode and agent as records stream in, 32 more where it stated
//! beliefs, 16 where it read messages, 12 where its principal stepped in.
//!
//! Records may come in any order and on any thread's schedule: everything is sorted before the first sum is made.

mod agent_rows;
mod attainable;
mod beliefs;
mod columns;
mod comparison;
mod compliances;
mod pass;
mod readings;
mod regression;
mod row;
mod scenarios;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::compliance::Compliance;
use crate::gate::{Gate, evaluate};
use crate::manifest::Standing;
use crate::record::{EpisodeRecord, EpisodeResult};
use crate::statistics::{Bootstrap, PairedDifference, StatisticsError};
use crate::summary::{MOST_NAMES, Summary};

pub use regression::{Change, SIGNIFICANCE};

use agent_rows::AgentRows;
use beliefs::BeliefRow;
use columns::{Label, column_of};
use comparison::compare;
use compliances::ComplianceRow;
use readings::ReadingRow;
use row::Row;
use scenarios::Scenarios;

/// Rows that are made room for at once at most, whatever a caller expects.
const MOST_EXPECTED: u64 = 1 << 24;

/// Records that do not belong together.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AggregationError {
    /// There is no record.
    #[error("no episode: a summary needs at least one record")]
    Empty,
    /// Two records differ in what a run has once.
    #[error(
        "{agent}, episode {index}: {field} is {found}, but the first record has {first}; summarise one run at a time"
    )]
    MixedRuns {
        /// The agent.
        agent: Arc<str>,
        /// The episode.
        index: u64,
        /// The field of the key.
        field: &'static str,
        /// The first record's.
        first: String,
        /// This record's.
        found: String,
    },
    /// Two records of one episode differ.
    #[error(
        "{agent}, episode {index}, repeat {repeat}: two records with the digests {first} and {second}; the run is not reproducible"
    )]
    Contradiction {
        /// The agent.
        agent: Arc<str>,
        /// The episode.
        index: u64,
        /// The repeat.
        repeat: u16,
        /// One record's digest.
        first: String,
        /// The other's.
        second: String,
    },
    /// A number does not fit.
    #[error("{agent}, episode {index}: {field} is {value}, beyond the {most} that a summary can hold")]
    TooLarge {
        /// The agent.
        agent: Arc<str>,
        /// The episode.
        index: u64,
        /// What is too large.
        field: &'static str,
        /// How large it is.
        value: u64,
        /// The most it may be.
        most: u64,
    },
    /// A scale that gains cannot be divided by.
    #[error("{agent}, episode {index}: the scale is {scale}; the status quo's price must be positive")]
    Scale {
        /// The agent.
        agent: Arc<str>,
        /// The episode.
        index: u64,
        /// The scale.
        scale: f64,
    },
    /// Two runs that are compared are not of the same scenarios.
    #[error("{field} is {found}, but the baseline run has {first}; compare runs of the same scenarios")]
    OtherScenarios {
        /// What differs.
        field: &'static str,
        /// The baseline run's.
        first: String,
        /// This run's.
        found: String,
    },
    /// Two runs that are compared share no episode.
    #[error("the runs have no episode of a gated agent in common")]
    NothingInCommon,
    /// Families and opponents have more names than can be told apart.
    #[error("more than {MOST_NAMES} names of families and opponents: no run has those")]
    TooManyNames,
    /// A sum that no statistic can be made of.
    #[error("{agent}: {source}")]
    Statistics {
        /// The agent.
        agent: Arc<str>,
        /// What is wrong.
        source: StatisticsError,
    },
}

/// What a run has once.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Run {
    suite: Arc<str>,
    version: u32,
    split: Arc<str>,
    seed: u64,
}

/// Names as small numbers.
#[derive(Debug, Default)]
struct Names {
    numbers: HashMap<Arc<str>, u16>,
    names: Vec<Arc<str>>,
}

impl Names {
    /// The number of `name`; `None` where there are too many names.
    fn number(&mut self, name: &Arc<str>) -> Option<u16> {
        if let Some(&number) = self.numbers.get(name) {
            return Some(number);
        }
        let number = u16::try_from(self.names.len()).ok().filter(|&number| usize::from(number) < MOST_NAMES)?;
        self.names.push(name.clone());
        self.numbers.insert(name.clone(), number);
        Some(number)
    }
}

/// What a summary needs to know beside the records.
#[derive(Debug, Clone, Default)]
pub struct SummaryOptions<'a> {
    /// The gates; latency gates are passed over.
    pub gates: &'a [Gate],
    /// Agents whose gates set the exit code.
    pub gated: &'a [String],
    /// The agent that all others are compared with.
    pub baseline: Option<&'a str>,
    /// What part each agent plays; one that is not listed is a contender.
    pub standings: BTreeMap<String, Standing>,
    /// How intervals are made.
    pub bootstrap: Bootstrap,
}

/// Records of one run, boiled down as they come.
#[derive(Debug, Default)]
pub struct Aggregation {
    expected: u64,
    run: Option<Run>,
    names: Names,
    agents: BTreeMap<Arc<str>, AgentRows>,
}

impl Aggregation {
    /// An aggregation with room for so many episodes of each agent, so that it never has to move them.
    pub fn expecting(episodes: u64) -> Self {
        Self { expected: episodes.min(MOST_EXPECTED), ..Self::default() }
    }

    /// Takes in one record. A repeated identical record counts once, see [`Self::duplicates`]; a result stands in for an
    /// earlier or later infrastructure failure of the same episode.
    ///
    /// # Errors
    /// Where the record belongs to another run, or a number does not fit.
    pub fn add(&mut self, record: &EpisodeRecord) -> Result<(), AggregationError> {
        let key = &record.key;
        let run = Run { suite: key.suite.clone(), version: key.version, split: key.split.clone(), seed: key.seed };
        let first = self.run.get_or_insert_with(|| run.clone());
        if let Some((field, first, found)) = first.difference(&run) {
            return Err(AggregationError::MixedRuns {
                agent: key.agent.clone(),
                index: key.index,
                field,
                first,
                found,
            });
        }
        let too_large = |field, value, most| AggregationError::TooLarge {
            agent: key.agent.clone(),
            index: key.index,
            field,
            value,
            most,
        };
        let index =
            u32::try_from(key.index).map_err(|_| too_large("the episode's number", key.index, u32::MAX.into()))?;
        let repeat = u16::try_from(key.repeat).map_err(|_| too_large("repeat", key.repeat.into(), u16::MAX.into()))?;
        let most = MOST_NAMES as u64;
        let mut number = |name| self.names.number(name).ok_or_else(|| too_large("number of names", most + 1, most));
        let (opponent, family) = (number(&key.opponent)?, number(&record.family)?);
        if !self.agents.contains_key(&key.agent) {
            self.agents.insert(key.agent.clone(), AgentRows::default());
        }
        let agent = self.agents.get_mut(&key.agent).expect("inserted above where it was missing");
        if agent.rows.is_empty() && self.expected > 0 {
            // Without the room the rows grow as they come.
            let _ = agent.rows.try_reserve_exact(self.expected as usize);
        }
        match &record.result {
            EpisodeResult::Played(played) => {
                agent.rows.push(Row::of(key, played, index, repeat, opponent, family)?);
                let beliefs = played.scores.beliefs.as_ref();
                agent.beliefs.extend(beliefs.and_then(|scores| BeliefRow::of((index, opponent, repeat), scores)));
                let reading = played.scores.reading.as_ref();
                agent.readings.extend(reading.map(|scores| ReadingRow::of((index, opponent, repeat), scores)));
                let compliance = Compliance::of(key.seat, played);
                agent
                    .compliances
                    .extend(compliance.map(|answers| ComplianceRow::of((index, opponent, repeat), answers)));
            }
            EpisodeResult::InfraError { .. } => agent.failed.push((index, opponent, repeat)),
        }
        Ok(())
    }

    /// Results beyond the first of one agent, episode, opponent and repeat that have its digest too. A journal of one
    /// run has none, so a caller may refuse it where there are some: it was pasted together or written twice.
    pub fn duplicates(&mut self) -> usize {
        let of_agent = |agent: &mut AgentRows| {
            agent.rows.sort_unstable_by_key(|row| (row.episode(), row.digest));
            let same = |pair: &&[Row]| pair[0].episode() == pair[1].episode() && pair[0].digest == pair[1].digest;
            agent.rows.windows(2).filter(same).count()
        };
        self.agents.values_mut().map(of_agent).sum()
    }

    /// Episodes of all agents, each repeat counted, that have a record: a result, or a failure of infrastructure.
    pub fn episodes(&mut self) -> u64 {
        let of_agent = |agent: &mut AgentRows| {
            agent.rows.sort_unstable_by_key(|row| (row.episode(), row.digest));
            let results = agent.rows.chunk_by(|a, b| a.episode() == b.episode()).count() as u64;
            let mut failed = agent.failed.clone();
            failed.sort_unstable();
            failed.dedup();
            failed.retain(|episode| agent.rows.binary_search_by_key(episode, Row::episode).is_err());
            results + failed.len() as u64
        };
        self.agents.values_mut().map(of_agent).sum()
    }

    /// The summary, gates evaluated.
    ///
    /// # Errors
    /// Where there is no record, or two records of one episode differ.
    pub fn finish(mut self, options: &SummaryOptions<'_>) -> Result<Summary, AggregationError> {
        let run = self.run.take().ok_or(AggregationError::Empty)?;
        let names = &self.names.names;
        for (agent, rows) in &mut self.agents {
            rows.settle(agent, names)?;
        }
        let scenarios = Scenarios::of(self.agents.values().map(|agent| &agent.rows[..]), names);
        let mut agents = BTreeMap::new();
        let mut episodes = 0;
        for (agent, rows) in &self.agents {
            episodes = episodes.max(rows.distinct_episodes());
            let estimates = rows
                .estimates(&options.bootstrap, &scenarios, names)
                .map_err(|source| AggregationError::Statistics { agent: agent.clone(), source })?;
            let speech = rows
                .corrected_speech(&options.bootstrap, &scenarios)
                .map_err(|source| AggregationError::Statistics { agent: agent.clone(), source })?;
            agents.insert(agent.to_string(), rows.summary(&estimates, speech));
        }
        let mut summary = Summary {
            suite: run.suite.to_string(),
            version: run.version,
            seed: run.seed,
            split: run.split.to_string(),
            episodes,
            feasible_share: scenarios.feasible_share(),
            agents,
            gates: Vec::new(),
            comparisons: Vec::new(),
            attainable: Vec::new(),
        };
        if let Some((baseline, rows)) = options.baseline.and_then(|id| self.agents.get_key_value(id)) {
            let all = self.agents.iter().map(|(agent, rows)| (&**agent, &rows.rows[..]));
            summary.comparisons = compare(&options.bootstrap, &scenarios, all, (baseline, &rows.rows))
                .map_err(|source| AggregationError::Statistics { agent: baseline.clone(), source })?;
        }
        let standing = |agent: &str| options.standings.get(agent).copied().unwrap_or(Standing::Contender);
        for (ceiling, estimated) in attainable::CEILINGS.into_iter().filter(|(id, _)| standing(id) == Standing::Ceiling)
        {
            if let Some(reached) = self.agents.get(ceiling) {
                let all = self.agents.iter().map(|(agent, rows)| (&**agent, &rows.rows[..]));
                let found =
                    attainable::shares(&options.bootstrap, &scenarios, all, (ceiling, &reached.rows, estimated))
                        .map_err(|source| AggregationError::Statistics { agent: ceiling.into(), source })?;
                summary.attainable.extend(found);
            }
        }
        let paired = |agent: &str, other: &str, score, family: Option<&str>| {
            let label = family.map_or(Label::Overall(score), |family| Label::Family(family.into(), score));
            let column = |id: &str| column_of(&label, self.agents.get(id)?, &scenarios, names).ok().flatten();
            let difference =
                PairedDifference::compute(&options.bootstrap, scenarios.strata(), &column(agent)?, &column(other)?);
            Some(difference.ok().flatten()?.difference)
        };
        summary.gates = evaluate(&summary, options.gates, options.gated, standing, &paired);
        Ok(summary)
    }
}

impl Run {
    /// The first field in which another run differs: its name, this value and the other's.
    fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        if self.suite != other.suite {
            Some(("the suite", self.suite.to_string(), other.suite.to_string()))
        } else if self.version != other.version {
            Some(("the suite's version", self.version.to_string(), other.version.to_string()))
        } else if self.split != other.split {
            Some(("the split", self.split.to_string(), other.split.to_string()))
        } else if self.seed != other.seed {
            Some(("the seed", self.seed.to_string(), other.seed.to_string()))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod coverage;
#[cfg(test)]
mod tests;
