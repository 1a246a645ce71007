//! Several runs in one table: what each arm made of the scenarios that all of them played, and what it cost.
//!
//! An **arm** is one agent of one run. Arms are compared on their **common episodes**, those that every comparable arm has a
//! result for, by differences on the same resampled scenarios. Where a run allotted scenarios to arms at random (a pilot in
//! which not every arm can play every case), each arm has scenarios of its own: the comparison is then *unpaired*, its
//! intervals come from resampling each arm's scenarios apart, and it is labelled so.
//!
//! What is not comparable is named with its reason, never compared: another suite, version, split, seed, opponent or
//! authority, another version of zopa, an arm that knows what others do not, an arm that lost more than 1 % of its episodes to
//! infrastructure, and a scenario that differs under the same number.

mod arm;
mod case;
mod cost;
mod measure;
mod table;
#[cfg(test)]
mod tests;

pub use arm::{Arm, ArmKind, Tokens};
pub use cost::{Charge, CostError, Prices};
pub use measure::Measure;
pub use table::{ArmRow, ComparisonOptions, ComparisonTable, Difference, Excluded, Pairing};

use std::sync::Arc;

use crate::statistics::StatisticsError;

/// Why runs cannot be compared at all.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ComparisonError {
    /// Fewer than two arms are left.
    #[error("fewer than two arms are comparable{}", excluded.iter().map(|line| format!("\n  {line}")).collect::<String>())]
    TooFew {
        /// Why the others were left out, a line each.
        excluded: Vec<String>,
    },
    /// The arms share no episode.
    #[error("the comparable arms have no episode in common: {0}")]
    NothingInCommon(String),
    /// The agent to compare with is not among the arms.
    #[error("\"{name}\" is no comparable arm: there are {known}")]
    NoReference {
        /// What was asked for.
        name: String,
        /// The arms that there are.
        known: String,
    },
    /// A record has a scale that gains cannot be divided by.
    #[error("{agent}, episode {index}: the scale is {scale}; it must be positive")]
    Scale {
        /// The agent.
        agent: Arc<str>,
        /// The episode.
        index: u64,
        /// The scale.
        scale: f64,
    },
    /// A sum that no statistic can be made of.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
}
