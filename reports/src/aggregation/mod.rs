//! From records to `summary.json`, holding at most 100 bytes for each episode and agent, and 32 more where it stated beliefs.
//!
//! Records may come in any order and on any thread's schedule: everything is sorted before the first sum is made.

mod beliefs;
mod columns;
mod comparison;
mod row;
mod scenarios;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use zopa_envs::Hasher;

use crate::gate::{Gate, evaluate};
use crate::manifest::Standing;
use crate::record::{EpisodeRecord, EpisodeResult};
use crate::statistics::{Bootstrap, Estimate, RatioColumn, StatisticsError};
use crate::summary::{AgentSummary, Breakdown, Summary};

use beliefs::BeliefRow;
use columns::{Label, agent_columns};
use comparison::compare;
use row::Row;
use scenarios::Scenarios;

/// Above this share of episodes without a result, an agent's figures are not comparable.
const MOST_INFRA_ERRORS: f64 = 0.01;

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
        let number = u16::try_from(self.names.len()).ok()?;
        self.names.push(name.clone());
        self.numbers.insert(name.clone(), number);
        Some(number)
    }
}

#[derive(Debug, Default)]
struct AgentRows {
    rows: Vec<Row>,
    /// In the order of their episodes once settled.
    beliefs: Vec<BeliefRow>,
    /// Index, opponent and repeat of episodes that infrastructure failed.
    failed: Vec<(u32, u16, u16)>,
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
    run: Option<Run>,
    names: Names,
    agents: BTreeMap<Arc<str>, AgentRows>,
}

impl Aggregation {
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
        let most = u64::from(u16::MAX);
        let repeat = u16::try_from(key.repeat).map_err(|_| too_large("repeat", key.repeat.into(), most))?;
        let mut number = |name| self.names.number(name).ok_or_else(|| too_large("number of names", most + 1, most));
        let (opponent, family) = (number(&key.opponent)?, number(&record.family)?);
        if !self.agents.contains_key(&key.agent) {
            self.agents.insert(key.agent.clone(), AgentRows::default());
        }
        let agent = self.agents.get_mut(&key.agent).expect("inserted above where it was missing");
        match &record.result {
            EpisodeResult::Played(played) => {
                agent.rows.push(Row::of(key, played, index, repeat, opponent, family)?);
                let beliefs = played.scores.beliefs.as_ref();
                agent.beliefs.extend(beliefs.and_then(|scores| BeliefRow::of((index, opponent, repeat), scores)));
            }
            EpisodeResult::InfraError { .. } => agent.failed.push((index, opponent, repeat)),
        }
        Ok(())
    }

    /// Results beyond the first of one agent, episode, opponent and repeat that have its digest too. A journal of one
    /// run has none, so a caller may refuse it where there are some: it was pasted together or written twice.
    pub fn duplicates(&self) -> usize {
        let of_agent = |agent: &AgentRows| {
            let mut results: Vec<_> = agent.rows.iter().map(|row| (row.episode(), row.digest)).collect();
            results.sort_unstable();
            results.windows(2).filter(|pair| pair[0] == pair[1]).count()
        };
        self.agents.values().map(of_agent).sum()
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
        let scenarios = Scenarios::of(self.agents.values().flat_map(|agent| &agent.rows), names);
        let mut agents = BTreeMap::new();
        let mut surplus: BTreeMap<&str, RatioColumn> = BTreeMap::new();
        let mut episodes = 0;
        for (agent, rows) in &self.agents {
            episodes = episodes.max(rows.distinct_episodes());
            let statistics = |source| AggregationError::Statistics { agent: agent.clone(), source };
            let (labels, columns): (Vec<Label>, Vec<RatioColumn>) =
                agent_columns(&rows.rows, &rows.beliefs, &scenarios, names).map_err(statistics)?.into_iter().unzip();
            let estimates = options.bootstrap.estimates(scenarios.strata(), &columns).map_err(statistics)?;
            agents.insert(agent.to_string(), rows.summary(&labels, &estimates));
            let column = labels.into_iter().zip(columns).find(|(label, _)| *label == Label::SURPLUS);
            surplus.extend(column.map(|(_, column)| (&**agent, column)));
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
        };
        if let Some(baseline) = options.baseline {
            let rows = |agent: &str| self.agents.get(agent).map_or(&[][..], |rows| &rows.rows);
            summary.comparisons = compare(&options.bootstrap, &scenarios, &surplus, rows, baseline)
                .map_err(|source| AggregationError::Statistics { agent: baseline.into(), source })?;
        }
        let standing = |agent: &str| options.standings.get(agent).copied().unwrap_or(Standing::Contender);
        summary.gates = evaluate(&summary, options.gates, options.gated, standing);
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

impl AgentRows {
    /// Sorts by key, drops repeated records and the failures that have a result after all.
    fn settle(&mut self, agent: &Arc<str>, names: &[Arc<str>]) -> Result<(), AggregationError> {
        // By the opponent's name: its number depends on the order in which records came.
        self.rows.sort_by(|a, b| a.position(names).cmp(&b.position(names)));
        if let Some(pair) =
            self.rows.windows(2).find(|pair| pair[0].episode() == pair[1].episode() && pair[0].digest != pair[1].digest)
        {
            let (mut first, mut second) = (pair[0].digest, pair[1].digest);
            if second < first {
                (first, second) = (second, first);
            }
            return Err(AggregationError::Contradiction {
                agent: agent.clone(),
                index: pair[0].index.into(),
                repeat: pair[0].repeat,
                first: first.to_string(),
                second: second.to_string(),
            });
        }
        self.rows.dedup_by_key(|row| row.episode());
        self.beliefs.sort_unstable_by_key(|held| held.episode);
        self.beliefs.dedup_by_key(|held| held.episode);
        let mut played: Vec<_> = self.rows.iter().map(Row::episode).collect();
        played.sort_unstable();
        self.failed.retain(|episode| played.binary_search(episode).is_err());
        self.failed.sort_unstable();
        self.failed.dedup();
        Ok(())
    }

    /// Episodes, repeats not counted, failed ones included.
    fn distinct_episodes(&self) -> u64 {
        let played = self.rows.iter().map(|row| (row.index, row.opponent));
        let mut episodes: Vec<_> =
            played.chain(self.failed.iter().map(|&(index, opponent, _)| (index, opponent))).collect();
        episodes.sort_unstable();
        episodes.dedup();
        episodes.len() as u64
    }

    fn summary(&self, labels: &[Label], estimates: &[Option<Estimate>]) -> AgentSummary {
        let mut scores = Breakdown::new();
        let (mut families, mut seats) = (BTreeMap::<String, Breakdown>::new(), BTreeMap::<String, Breakdown>::new());
        let mut difficulty = BTreeMap::<u8, Breakdown>::new();
        for (label, estimate) in labels.iter().zip(estimates) {
            let Some(estimate) = *estimate else { continue };
            let part = match label {
                Label::Overall(_) => &mut scores,
                Label::Family(family, _) => families.entry(family.to_string()).or_default(),
                Label::Seat(seat, _) => seats.entry(seat.to_string()).or_default(),
                Label::Quintile(quintile, _) => difficulty.entry(*quintile).or_default(),
            };
            part.insert(label.score(), estimate);
        }
        let mut hasher = Hasher::new().with(&(self.rows.len() as u64));
        for row in &self.rows {
            hasher = hasher.with(&row.digest);
        }
        let infra_errors = self.failed.len() as u64;
        let all = self.rows.len() as f64 + infra_errors as f64;
        AgentSummary {
            scores,
            infra_errors,
            comparable: infra_errors as f64 <= MOST_INFRA_ERRORS * all,
            digest: hasher.digest(),
            families,
            seats,
            difficulty,
        }
    }
}

#[cfg(test)]
mod coverage;
#[cfg(test)]
mod tests;
