//! What is wrong with a division or a move.

use super::{Counts, MOST_OF_A_TYPE};
use crate::outcome::SpaceError;
use std::sync::Arc;
use thiserror::Error;

/// Why a pool and its values make no game, or a move cannot be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DivisionError {
    /// Names, pool and values do not have one entry for each type.
    #[error("{names} names, {pool} counts, and {buyer} and {supplier} values: give one of each for every type of item")]
    Lengths {
        /// Names given.
        names: usize,
        /// Counts given.
        pool: usize,
        /// Values of the buyer given.
        buyer: usize,
        /// Values of the supplier given.
        supplier: usize,
    },
    /// The names make no issues.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// Too many items of a type.
    #[error("{count} items of type \"{item}\": give at most {MOST_OF_A_TYPE}")]
    TooMany {
        /// The type.
        item: Arc<str>,
        /// How many.
        count: u32,
    },
    /// A rule outside of its range.
    #[error("{rule} is {value}: give {range}")]
    Rule {
        /// Which one.
        rule: &'static str,
        /// What was given.
        value: f64,
        /// What may be given.
        range: &'static str,
    },
    /// Nobody can move.
    #[error("the game is over")]
    Over,
    /// The proposer would keep more than there is, or the wrong number of types is given.
    #[error("nobody can keep {kept:?} of a pool of {pool:?}")]
    NotInPool {
        /// What would be kept.
        kept: Counts,
        /// What there is.
        pool: Counts,
    },
    /// Two divisions of different pools cannot be seated together.
    #[error("the sides divide different pools, {buyer:?} and {supplier:?}")]
    PoolsDiffer {
        /// The buyer's.
        buyer: Counts,
        /// The supplier's.
        supplier: Counts,
    },
    /// There is nothing to agree to yet.
    #[error("there is no offer to agree to: the first turn must make one")]
    NothingToAgreeTo,
}
