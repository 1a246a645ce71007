//! Phases of a negotiation by its progress.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Where a negotiation stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Anchors and first positions.
    Opening,
    /// The give and take.
    Bargaining,
    /// Converging.
    Closing,
    /// The last moves.
    Final,
}

impl Phase {
    /// All phases in order.
    pub const ALL: [Self; 4] = [Self::Opening, Self::Bargaining, Self::Closing, Self::Final];
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Opening => "opening",
            Self::Bargaining => "bargaining",
            Self::Closing => "closing",
            Self::Final => "final",
        })
    }
}

/// The progress at which each phase ends: ascending shares in `[0, 1]`; the final phase lasts to the end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseBounds {
    /// End of the opening.
    pub opening: f64,
    /// End of bargaining.
    pub bargaining: f64,
    /// End of closing.
    pub closing: f64,
}

impl Default for PhaseBounds {
    fn default() -> Self {
        Self { opening: 0.25, bargaining: 0.70, closing: 0.90 }
    }
}

impl PhaseBounds {
    /// The phase at progress `t`.
    #[must_use]
    #[inline]
    pub fn at(&self, t: f64) -> Phase {
        if t < self.opening {
            Phase::Opening
        } else if t < self.bargaining {
            Phase::Bargaining
        } else if t < self.closing {
            Phase::Closing
        } else {
            Phase::Final
        }
    }
}

/// Progress of round `round` (from 0) of `rounds`: `r / (R - 1)`, and 1 where there is one round only.
#[must_use]
#[inline]
pub const fn progress(round: u16, rounds: u16) -> f64 {
    if rounds <= 1 { 1.0 } else { round as f64 / (rounds - 1) as f64 }
}

#[cfg(test)]
mod tests {
    use super::{Phase, PhaseBounds, progress};

    #[test]
    fn phases_begin_at_their_bounds() {
        let bounds = PhaseBounds::default();
        let check = |t, phase| assert_eq!(bounds.at(t), phase);
        check(0.0, Phase::Opening);
        check(0.25, Phase::Bargaining);
        check(0.70, Phase::Closing);
        check(0.90, Phase::Final);
        check(1.0, Phase::Final);
    }

    #[test]
    fn progress_runs_from_zero_to_one_and_a_single_round_is_the_last() {
        assert_eq!(progress(0, 21), 0.0);
        assert_eq!(progress(20, 21), 1.0);
        assert_eq!(progress(0, 1), 1.0);
    }
}
