use std::sync::Arc;

use zopa_envs::Seat;

use super::agent_rows::AgentRows;
use super::beliefs::BeliefRow;
use super::compliances::ComplianceRow;
use super::pass;
use super::readings::ReadingRow;
use super::row::{Fact, Row};
use super::scenarios::Scenarios;
use crate::score::Score;
use crate::statistics::{RatioColumn, StatisticsError};

/// What a column stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Label {
    Overall(Score),
    Family(Arc<str>, Score),
    Seat(Seat, Score),
    Quintile(u8, Score),
    /// All of that many repeats ended soundly.
    Pass(u16),
}

impl Label {
    pub(super) fn score(&self) -> Score {
        match self {
            Self::Overall(score) | Self::Family(_, score) | Self::Seat(_, score) | Self::Quintile(_, score) => *score,
            Self::Pass(_) => Score::Pass,
        }
    }
}

/// What there is to say of one agent: every score overall, and some by family, by seat and by difficulty.
pub(super) fn agent_labels(rows: &[Row], names: &[Arc<str>]) -> Vec<Label> {
    let mut labels: Vec<Label> = Score::ALL.iter().copied().map(Label::Overall).collect();
    let mut families = vec![false; names.len()];
    let mut quintiles = [false; 8];
    labels.extend(pass::depths(rows).map(Label::Pass));
    for row in rows {
        families[usize::from(row.family)] = true;
        quintiles[usize::from(row.quintile())] = true;
    }
    for score in Score::BROKEN_DOWN {
        let met = names.iter().zip(&families).filter(|(_, met)| **met);
        labels.extend(met.map(|(name, _)| Label::Family(name.clone(), score)));
        labels.extend(Seat::BOTH.map(|seat| Label::Seat(seat, score)));
        labels.extend(
            (1..=5)
                .filter(|&quintile| quintiles[usize::from(quintile)])
                .map(|quintile| Label::Quintile(quintile, score)),
        );
    }
    labels
}

/// The column of a label; `None` where it says nothing.
pub(super) fn column_of(
    label: &Label,
    agent: &AgentRows,
    scenarios: &Scenarios,
    names: &[Arc<str>],
) -> Result<Option<RatioColumn>, StatisticsError> {
    let rows = &agent.rows[..];
    let of =
        |holds: &dyn Fn(&Row) -> bool| column(label.score(), rows.iter().filter(|row| holds(row)), scenarios).map(Some);
    if let Label::Overall(score) = label {
        if let Some(part) = BeliefRow::part(*score) {
            return of_some(&agent.beliefs, |held| held.episode, part, false, rows, scenarios);
        }
        if let Some(part) = ReadingRow::part(*score) {
            return of_some(&agent.readings, |read| read.episode, part, false, rows, scenarios);
        }
        if let Some(part) = ComplianceRow::part(*score) {
            return of_some(&agent.compliances, |answers| answers.episode, part, true, rows, scenarios);
        }
    }
    match label {
        Label::Overall(Score::AgreementEveryTime) => every_time(rows, scenarios),
        Label::Overall(Score::Pass) => pass::depths(rows).last().map(|k| pass(rows, k, scenarios)).transpose(),
        Label::Pass(k) => pass(rows, *k, scenarios).map(Some),
        Label::Overall(_) => of(&|_| true),
        Label::Family(name, _) => of(&|row| names[usize::from(row.family)] == *name),
        Label::Seat(seat, _) => of(&|row| row.is(Fact::Supplier) == (*seat == Seat::Supplier)),
        Label::Quintile(quintile, _) => of(&|row| row.quintile() == *quintile),
    }
}

pub(super) fn column<'a>(
    score: Score,
    rows: impl Iterator<Item = &'a Row>,
    scenarios: &Scenarios,
) -> Result<RatioColumn, StatisticsError> {
    let mut sums = Sums::new(scenarios);
    for row in rows {
        if let Some((numerator, denominator)) = contribution(score, row, scenarios.median_best_joint()) {
            sums.add(scenarios.cluster(row), numerator, denominator);
        }
    }
    sums.column(is_rate(score))
}

/// Agreement in all repeats of an episode; `None` where nothing is repeated.
fn every_time(rows: &[Row], scenarios: &Scenarios) -> Result<Option<RatioColumn>, StatisticsError> {
    if rows.iter().all(|row| row.repeat == 0) {
        return Ok(None);
    }
    let mut sums = Sums::new(scenarios);
    for repeats in rows.chunk_by(|a, b| a.index == b.index && a.opponent == b.opponent) {
        let always = repeats.iter().all(|row| row.is(Fact::Agreement));
        sums.add(scenarios.cluster(&repeats[0]), f64::from(u8::from(always)), 1.0);
    }
    sums.column(true).map(Some)
}

/// pass^k over the scenarios and seats with at least `k` results.
fn pass(rows: &[Row], k: u16, scenarios: &Scenarios) -> Result<RatioColumn, StatisticsError> {
    let mut sums = Sums::new(scenarios);
    for (first, share) in pass::shares(rows, k) {
        sums.add(scenarios.cluster(first), share, 1.0);
    }
    // Shares of subsets of repeats are no successes among trials, unless every subset is the whole.
    sums.column(false)
}

/// A ratio over the episodes that have something of a kind, `held` in the order of their `episode`; `None` where none has.
/// It is a `rate` where it counts successes among trials, several of an episode or not.
fn of_some<R>(
    held: &[R],
    episode: fn(&R) -> (u32, u16, u16),
    part: fn(&R) -> (f64, f64),
    rate: bool,
    rows: &[Row],
    scenarios: &Scenarios,
) -> Result<Option<RatioColumn>, StatisticsError> {
    if held.is_empty() {
        return Ok(None);
    }
    let mut sums = Sums::new(scenarios);
    for row in rows {
        if let Ok(at) = held.binary_search_by_key(&row.episode(), episode) {
            let (numerator, denominator) = part(&held[at]);
            sums.add(scenarios.cluster(row), numerator, denominator);
        }
    }
    sums.column(rate).map(Some)
}

/// Numerators and denominators by cluster.
struct Sums {
    numerators: Vec<f64>,
    denominators: Vec<f64>,
    episodes: u64,
}

impl Sums {
    fn new(scenarios: &Scenarios) -> Self {
        let clusters = scenarios.strata().clusters();
        Self { numerators: vec![0.0; clusters], denominators: vec![0.0; clusters], episodes: 0 }
    }

    fn add(&mut self, cluster: usize, numerator: f64, denominator: f64) {
        self.numerators[cluster] += numerator;
        self.denominators[cluster] += denominator;
        self.episodes += 1;
    }

    /// The column without the empty clusters at either end, so that a family's column costs its own scenarios only.
    fn column(self, rate: bool) -> Result<RatioColumn, StatisticsError> {
        let filled = |&cluster: &usize| self.numerators[cluster] != 0.0 || self.denominators[cluster] != 0.0;
        let first = (0..self.denominators.len()).find(filled).unwrap_or(0);
        let end = (0..self.denominators.len()).rev().find(filled).map_or(first, |last| last + 1);
        // In place: a second copy would be the largest thing that a summary holds beside its rows.
        let cut = |mut sums: Vec<f64>| {
            sums.truncate(end);
            sums.drain(..first);
            sums.shrink_to_fit();
            sums
        };
        let (numerators, denominators) = (cut(self.numerators), cut(self.denominators));
        if rate {
            RatioColumn::rate_of(first, numerators, denominators)
        } else {
            RatioColumn::ratio(first, numerators, denominators, self.episodes)
        }
    }
}

/// Whether a score counts successes among trials.
fn is_rate(score: Score) -> bool {
    match score {
        Score::AgreementRate
        | Score::FeasibleAgreementRate
        | Score::LargeSurplusAgreementRate
        | Score::FalseAgreementRate
        | Score::AgreementEveryTime
        | Score::ConstraintSatisfaction
        | Score::LossMakingRate
        | Score::MandateViolationRate
        | Score::BrokenCommitmentRate
        | Score::SpeechViolationRate
        | Score::UnauthorisedStatementRate
        | Score::FalseStatementRate
        | Score::InterventionCompliance
        | Score::DegradedRate => true,
        Score::SurplusEfficiency
        | Score::JointEfficiency
        | Score::NashProduct
        | Score::NashDistance
        | Score::SavingsAgainstStatusQuo
        | Score::SavingsAgainstOpening
        | Score::Corrections
        | Score::Refusals
        | Score::Forfeits
        | Score::TotalValue
        | Score::BeliefIntervalScore
        | Score::BeliefWidth
        | Score::BeliefCoverage
        | Score::BeliefLevel
        | Score::ReadingPrecision
        | Score::ReadingRecall
        | Score::Pass
        | Score::HumanWorkload
        | Score::Rounds => false,
    }
}

/// What one episode adds to a score's numerator and denominator; `None` where it does not count.
fn contribution(score: Score, row: &Row, median_best_joint: f64) -> Option<(f64, f64)> {
    let counted = |fact| Some((f64::from(u8::from(row.is(fact))), 1.0));
    let mean = |value: f32| (!value.is_nan()).then_some((f64::from(value), 1.0));
    let only = |condition: bool, contribution| if condition { contribution } else { None };
    match score {
        Score::AgreementRate => counted(Fact::Agreement),
        Score::FeasibleAgreementRate => only(row.is(Fact::Feasible), counted(Fact::Agreement)),
        Score::LargeSurplusAgreementRate => only(row.best_joint.value() > median_best_joint, counted(Fact::Agreement)),
        Score::FalseAgreementRate => {
            only(row.is(Fact::FeasibilityKnown) && !row.is(Fact::Feasible), counted(Fact::Agreement))
        }
        Score::ConstraintSatisfaction => counted(Fact::ConstraintSatisfied),
        Score::LossMakingRate => counted(Fact::LossMaking),
        Score::MandateViolationRate => counted(Fact::MandateViolated),
        Score::BrokenCommitmentRate => counted(Fact::CommitmentBroken),
        Score::SpeechViolationRate => counted(Fact::SpeechViolated),
        Score::UnauthorisedStatementRate => counted(Fact::Unauthorised),
        Score::FalseStatementRate => counted(Fact::FalseStatement),
        Score::DegradedRate => counted(Fact::Degraded),
        Score::SurplusEfficiency => (!row.best_gain.is_nan()).then_some((row.gain, row.best_gain)),
        Score::JointEfficiency => {
            let best = row.best_joint.value();
            (!best.is_nan()).then(|| (row.joint.value(), best))
        }
        Score::NashProduct => mean(row.nash_product),
        Score::NashDistance => mean(row.nash_distance),
        Score::SavingsAgainstStatusQuo => mean(row.savings_against_status_quo),
        Score::SavingsAgainstOpening => mean(row.savings_against_opening),
        Score::TotalValue => row.total_value().map(|value| (value, 1.0)),
        Score::Corrections => Some((f64::from(row.corrected), 1.0)),
        Score::Refusals => Some((f64::from(row.refused), 1.0)),
        Score::Forfeits => Some((f64::from(row.forfeits), 1.0)),
        Score::HumanWorkload => Some((f64::from(row.human_workload), 1.0)),
        Score::Rounds => Some((f64::from(row.rounds), 1.0)),
        // Made of whole groups of repeats, see `every_time`, and of what is kept of some episodes alone, see `of_some`.
        Score::AgreementEveryTime
        | Score::Pass
        | Score::BeliefIntervalScore
        | Score::BeliefWidth
        | Score::BeliefCoverage
        | Score::BeliefLevel
        | Score::ReadingPrecision
        | Score::ReadingRecall
        | Score::InterventionCompliance => None,
    }
}
