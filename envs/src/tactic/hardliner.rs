//! The hardliner, which never concedes.

use super::selection::Selection;

/// Demands the same gain in every turn: `aspiration(t) = demand`, a share of the party's yardstick.
///
/// Source: the hardliner of GENIUS's time-dependent family, its concession exponent 0 (Lin et al. 2014, "Genius: an
/// integrated environment for supporting the design of generic automated negotiators"). Acceptance is AC-next.
#[derive(Clone, Debug, PartialEq)]
pub struct Hardliner {
    /// What it demands, as a share of the yardstick.
    pub demand: f64,
    /// Which package of the wanted gain is offered.
    pub selection: Selection,
}

impl Hardliner {
    /// The own gain demanded, in units of utility.
    #[must_use]
    pub fn aspiration(&self, yardstick: f64) -> f64 {
        self.demand * yardstick
    }
}
