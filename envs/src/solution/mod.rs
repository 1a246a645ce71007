//! Bargaining solutions: over any finite list of utility pairs, and in closed form over a continuous price.
//!
//! A bargaining solution is a rule for choosing an agreement. Which rule, and which weights, is the principal's choice;
//! none of them is an equilibrium of the negotiation that is played. Everything here is a pure function of plain
//! numbers: utility pairs `[u1, u2]` in any unit, or prices in any currency unit.
//!
//! - [`pareto_frontier`]: the outcomes that no other outcome dominates.
//! - [`SolutionPoints`]: Nash, Kalai-Smorodinsky, egalitarian and utilitarian points of a list of outcomes.
//! - [`PriceBargain`]: the same solutions where both gains are linear in one price.

mod pareto;
mod points;
mod price;

pub use pareto::{dominates, pareto_frontier};
pub use points::{SolutionPoint, SolutionPoints};
pub use price::{PriceBargain, PriceError, PriceRange};

/// Utilities that differ by no more than this count as equal; a Nash product within this share of the largest counts as
/// largest.
///
/// It absorbs the rounding of sums of table utilities (near 1e-16) and is far below any difference that a table states.
/// Utilities in money above a few thousand have a coarser spacing than this, so there the comparison is exact.
pub const TOLERANCE: f64 = 1e-12;

/// Why no solution could be computed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolutionError {
    /// An outcome's utility is infinite or not a number.
    #[error("outcome {index} has utilities [{}, {}]: both must be finite numbers", utilities[0], utilities[1])]
    OutcomeNotFinite {
        /// Position in the list of outcomes, from 0.
        index: usize,
        /// What stood there.
        utilities: [f64; 2],
    },
    /// A disagreement value is infinite or not a number.
    #[error("the disagreement point is [{}, {}]: both must be finite numbers", disagreement[0], disagreement[1])]
    DisagreementNotFinite {
        /// What was given.
        disagreement: [f64; 2],
    },
    /// A bargaining power outside [0, 1].
    #[error("the first party's bargaining power is {power}: give a number from 0 to 1")]
    Power {
        /// What was given.
        power: f64,
    },
}
