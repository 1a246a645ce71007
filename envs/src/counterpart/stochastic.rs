//! A counterpart whose yes and no are partly chance.

use crate::random::LazyStream;
use crate::view::PartyView;

/// Accepts and refuses by chance: a refusal need not mean anything.
///
/// It accepts what is worth at least its own next offer with probability `take` a turn, and what falls short of it by at most
/// `slack` of the yardstick with probability `stray`; one uniform a turn in which either applies. Nothing below its last
/// aspiration is accepted.
#[derive(Clone, Debug, PartialEq)]
pub struct Stochastic {
    /// Chance of accepting what it should accept.
    pub take: f64,
    /// Chance of accepting what falls a little short.
    pub stray: f64,
    /// How little, as a share of the yardstick.
    pub slack: f64,
}

impl Stochastic {
    /// The published chance that an offer is accepted whose gain is `standing`, by who would next ask for `ask`.
    #[must_use]
    pub fn chance(&self, standing: f64, ask: f64, yardstick: f64) -> f64 {
        if standing >= ask {
            self.take
        } else if standing >= ask - self.slack * yardstick {
            self.stray
        } else {
            0.0
        }
    }

    pub(super) fn takes(&self, view: &PartyView<'_>, standing: f64, ask: f64, stream: &mut LazyStream) -> bool {
        let chance = self.chance(standing, ask, view.own.yardstick);
        chance > 0.0 && stream.open().uniform() < chance
    }
}
