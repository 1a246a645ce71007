use std::collections::BTreeMap;
use std::sync::Arc;

use zopa_envs::Hasher;

use super::AggregationError;
use super::beliefs::BeliefRow;
use super::columns::{Label, agent_labels, column, column_of};
use super::compliances::ComplianceRow;
use super::readings::ReadingRow;
use super::row::{Row, ShortDigest};
use super::scenarios::Scenarios;
use crate::score::Score;
use crate::statistics::{Bootstrap, Estimate, RatioColumn, StatisticsError};
use crate::summary::{AgentSummary, Breakdown};

/// Bytes of columns that are estimated together; many scenarios are gone through for a few columns at a time.
const COLUMNS_AT_A_TIME: usize = 8 << 20;

/// Above this share of episodes without a result, an agent's figures are not comparable.
const MOST_INFRA_ERRORS: f64 = 0.01;

/// What is kept of one agent's episodes.
#[derive(Debug, Default)]
pub(super) struct AgentRows {
    pub(super) rows: Vec<Row>,
    /// In the order of their episodes once settled; empty for agents that state no beliefs.
    pub(super) beliefs: Vec<BeliefRow>,
    /// The same for agents that read messages.
    pub(super) readings: Vec<ReadingRow>,
    /// The same for agents whose principals stepped in.
    pub(super) compliances: Vec<ComplianceRow>,
    /// Index, opponent and repeat of episodes that infrastructure failed.
    pub(super) failed: Vec<(u32, u16, u16)>,
}

/// A short digest in hexadecimal.
fn hexadecimal(digest: &ShortDigest) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl AgentRows {
    /// Sorts by key, drops repeated records and the failures that have a result after all.
    pub(super) fn settle(&mut self, agent: &Arc<str>, names: &[Arc<str>]) -> Result<(), AggregationError> {
        // By the opponent's name: its number depends on the order in which records came.
        self.rows.sort_unstable_by(|a, b| a.position(names).cmp(&b.position(names)).then(a.digest.cmp(&b.digest)));
        if let Some(pair) =
            self.rows.windows(2).find(|pair| pair[0].episode() == pair[1].episode() && pair[0].digest != pair[1].digest)
        {
            return Err(AggregationError::Contradiction {
                agent: agent.clone(),
                index: pair[0].index.into(),
                repeat: pair[0].repeat,
                first: hexadecimal(&pair[0].digest),
                second: hexadecimal(&pair[1].digest),
            });
        }
        self.rows.dedup_by_key(|row| row.episode());
        self.beliefs.sort_unstable_by_key(|held| held.episode);
        self.beliefs.dedup_by_key(|held| held.episode);
        self.readings.sort_unstable_by_key(|read| read.episode);
        self.readings.dedup_by_key(|read| read.episode);
        self.compliances.sort_unstable_by_key(|answers| answers.episode);
        self.compliances.dedup_by_key(|answers| answers.episode);
        let rows = &self.rows;
        self.failed.retain(|&(index, opponent, repeat)| {
            let place = (index, &*names[usize::from(opponent)], repeat);
            rows.binary_search_by(|row| row.position(names).cmp(&place)).is_err()
        });
        self.failed.sort_unstable();
        self.failed.dedup();
        Ok(())
    }

    /// Gives opponents and families the numbers that other names have, by their own.
    pub(super) fn renumber(&mut self, numbers: &[u16]) {
        let new = |number: u16| numbers[usize::from(number)];
        for row in &mut self.rows {
            (row.opponent, row.family) = (new(row.opponent), new(row.family));
        }
        let beliefs = self.beliefs.iter_mut().map(|held| &mut held.episode);
        let readings = self.readings.iter_mut().map(|read| &mut read.episode);
        let compliances = self.compliances.iter_mut().map(|answers| &mut answers.episode);
        for (_, opponent, _) in beliefs.chain(readings).chain(compliances) {
            *opponent = new(*opponent);
        }
    }

    /// Episodes, repeats not counted, failed ones included.
    pub(super) fn distinct_episodes(&self) -> u64 {
        let same = |a: &Row, b: &Row| a.index == b.index && a.opponent == b.opponent;
        let played = self.rows.chunk_by(same).count();
        let mut failed: Vec<_> = self.failed.iter().map(|&(index, opponent, _)| (index, opponent)).collect();
        failed.dedup();
        failed.retain(|&(index, opponent)| {
            let first = self.rows.partition_point(|row| row.index < index);
            !self.rows[first..].iter().take_while(|row| row.index == index).any(|row| row.opponent == opponent)
        });
        (played + failed.len()) as u64
    }

    /// Every score that the agent has, with its interval.
    pub(super) fn estimates(
        &self,
        bootstrap: &Bootstrap,
        scenarios: &Scenarios,
        names: &[Arc<str>],
    ) -> Result<Vec<(Label, Estimate)>, StatisticsError> {
        let labels = agent_labels(&self.rows, names);
        let bytes = scenarios.strata().clusters().max(1) * 2 * size_of::<f64>();
        let mut found = Vec::new();
        for labels in labels.chunks((COLUMNS_AT_A_TIME / bytes).max(1)) {
            let (mut shown, mut columns): (Vec<&Label>, Vec<RatioColumn>) = (Vec::new(), Vec::new());
            for label in labels {
                if let Some(column) = column_of(label, self, scenarios, names)? {
                    shown.push(label);
                    columns.push(column);
                }
            }
            let estimates = bootstrap.estimates(scenarios.strata(), &columns)?;
            let with_value = |(label, estimate): (&Label, Option<Estimate>)| Some((label.clone(), estimate?));
            found.extend(shown.into_iter().zip(estimates).filter_map(with_value));
        }
        Ok(found)
    }

    /// What was read in the agent's words, corrected for what the parser reads wrongly and misses.
    pub(super) fn corrected_speech(
        &self,
        bootstrap: &Bootstrap,
        scenarios: &Scenarios,
    ) -> Result<Breakdown, StatisticsError> {
        let mut corrected = Breakdown::new();
        let corrigible = Score::OF_SPEECH.into_iter().filter_map(|score| Some((score, score.parser_accuracy()?)));
        for (score, accuracy) in corrigible {
            let column = column(score, self.rows.iter(), scenarios)?;
            if let Some(estimate) = bootstrap.corrected(scenarios.strata(), &column, accuracy)? {
                corrected.insert(score, estimate);
            }
        }
        Ok(corrected)
    }

    pub(super) fn summary(&self, estimates: &[(Label, Estimate)], speech_corrected: Breakdown) -> AgentSummary {
        let mut scores = Breakdown::new();
        let (mut families, mut seats) = (BTreeMap::<String, Breakdown>::new(), BTreeMap::<String, Breakdown>::new());
        let mut difficulty = BTreeMap::<u8, Breakdown>::new();
        let mut pass = BTreeMap::new();
        for (label, estimate) in estimates {
            let part = match label {
                Label::Overall(_) => &mut scores,
                Label::Family(family, _) => families.entry(family.to_string()).or_default(),
                Label::Seat(seat, _) => seats.entry(seat.to_string()).or_default(),
                Label::Quintile(quintile, _) => difficulty.entry(*quintile).or_default(),
                Label::Pass(k) => {
                    pass.insert(*k, *estimate);
                    continue;
                }
            };
            part.insert(label.score(), *estimate);
        }
        let mut hasher = Hasher::new().with(&(self.rows.len() as u64));
        for row in &self.rows {
            hasher = hasher.with(&row.digest[..]);
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
            pass,
            speech_corrected,
        }
    }
}
