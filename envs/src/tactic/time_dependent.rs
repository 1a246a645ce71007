//! Time-dependent concession (Faratin, Sierra and Jennings 1998).

use super::concession::{conceded, conceded_in};
use super::selection::Selection;

/// Concedes from an initial to a last aspiration by the clock, whatever the other side does:
/// `aspiration(t) = last + (initial - last) * (1 - t^(1/exponent))`, in shares of the party's yardstick
/// ([`crate::PartyType::yardstick`]); t is the progress towards its own deadline.
///
/// Source: Faratin, Sierra and Jennings, "Negotiation decision functions for autonomous agents", Robotics and Autonomous
/// Systems 24 (1998), the polynomial family with k = 0. The exponent follows GENIUS: below 1 *boulware* (holds, then concedes
/// late), 1 linear, above 1 *conceder*; Faratin's beta is the same number. NegMAS writes the inverse. Acceptance is AC-next.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeDependent {
    /// Concession exponent in GENIUS's convention; positive.
    pub exponent: f64,
    /// First aspiration as a share of the yardstick.
    pub initial: f64,
    /// Last aspiration as a share of the yardstick.
    pub last: f64,
    /// Which package of the wanted gain is offered.
    pub selection: Selection,
}

impl TimeDependent {
    /// GENIUS's boulware exponent.
    pub const BOULWARE: f64 = 0.2;
    /// Concedes by equal amounts.
    pub const LINEAR: f64 = 1.0;
    /// GENIUS's conceder exponent.
    pub const CONCEDER: f64 = 2.0;

    /// The own gain aspired to at progress `t` in `[0, 1]`, in units of utility.
    #[must_use]
    #[inline]
    pub fn aspiration(&self, t: f64, yardstick: f64) -> f64 {
        self.after(conceded(t, 1.0 / self.exponent), yardstick)
    }

    /// As [`Self::aspiration`] in round `round`, from 0, of the `rounds` that the side stays for.
    #[inline]
    pub(super) fn aspiration_in(&self, round: u16, rounds: u16, yardstick: f64) -> f64 {
        self.after(conceded_in(round, rounds, 1.0 / self.exponent), yardstick)
    }

    /// The own gain aspired to once a share of the concession is made.
    #[inline]
    fn after(&self, conceded: f64, yardstick: f64) -> f64 {
        yardstick * (self.last + (self.initial - self.last) * (1.0 - conceded))
    }
}
