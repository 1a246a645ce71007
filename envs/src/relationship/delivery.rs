//! How a supplier delivers on a contract, by the margin that the deal leaves it.

use crate::random::Stream;
use serde::{Deserialize, Serialize};

/// Chances and costs of delivery as functions of the supplier's *margin*: its undiscounted gain from the deal as a share of the
/// status quo's price P. Its *health* is `h = clamp(margin / healthy_margin, 0, 1)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeliveryRules {
    /// The margin from which more margin changes nothing; a share of P, positive.
    pub healthy_margin: f64,
    /// Chance that a delivery is late, where the supplier has no margin.
    pub late_squeezed: f64,
    /// The same at or above the healthy margin; at most `late_squeezed`.
    pub late_healthy: f64,
    /// Chance that the supplier fails on the contract, where it has no margin.
    pub failure_squeezed: f64,
    /// What a late delivery costs the buyer, as a share of P.
    pub late_cost: f64,
    /// What a failed supplier costs the buyer, as a share of P, besides the gain that it loses.
    pub failure_cost: f64,
    /// What the quality of a supplier without margin costs the buyer, as a share of P; in proportion to `1 - h`.
    pub quality_cost: f64,
}

/// What became of a contract that was agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// As promised.
    OnTime,
    /// Too late.
    Late,
    /// The supplier failed: no delivery, and no further contract.
    Failed,
}

/// The random numbers of one contract, uniform on `[0, 1)`: the same for every contender that reaches it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chances {
    /// Decides whether the supplier fails.
    pub failure: f64,
    /// Decides whether the delivery is late.
    pub lateness: f64,
    /// Decides whether a failed negotiation ends the relationship.
    pub contact: f64,
}

impl Chances {
    /// Three draws, whatever they will be needed for.
    #[must_use]
    pub fn draw(stream: &mut Stream) -> Self {
        Self { failure: stream.uniform(), lateness: stream.uniform(), contact: stream.uniform() }
    }
}

impl DeliveryRules {
    /// `clamp(margin / healthy_margin, 0, 1)`.
    #[must_use]
    pub fn health(&self, margin: f64) -> f64 {
        (margin / self.healthy_margin).clamp(0.0, 1.0)
    }

    /// Chance of failing: `failure_squeezed * (1 - h)^2`, so that the last of the margin matters most.
    #[must_use]
    pub fn failure_chance(&self, margin: f64) -> f64 {
        let lack = 1.0 - self.health(margin);
        self.failure_squeezed * lack * lack
    }

    /// Chance that a supplier that does not fail is late: falls evenly from `late_squeezed` to `late_healthy` as h rises.
    #[must_use]
    pub fn late_chance(&self, margin: f64) -> f64 {
        self.late_squeezed + (self.late_healthy - self.late_squeezed) * self.health(margin)
    }

    /// What wanting quality costs the buyer of a delivered contract, as a share of P.
    #[must_use]
    pub fn quality_loss(&self, margin: f64) -> f64 {
        self.quality_cost * (1.0 - self.health(margin))
    }

    /// How a contract of this margin is delivered.
    #[must_use]
    pub fn deliver(&self, margin: f64, chances: Chances) -> Delivery {
        if chances.failure < self.failure_chance(margin) {
            Delivery::Failed
        } else if chances.lateness < self.late_chance(margin) {
            Delivery::Late
        } else {
            Delivery::OnTime
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Chances, Delivery};
    use crate::random::StreamKey;
    use crate::relationship::regard::tests::rules;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn more_margin_never_delivers_worse(low in -0.1..0.1_f64, more in 0.0..0.1_f64, u in 0.0..1.0_f64, v in 0.0..1.0_f64) {
            let rules = rules().delivery;
            let rank = |margin| match rules.deliver(margin, Chances { failure: u, lateness: v, contact: 0.5 }) {
                Delivery::OnTime => 2,
                Delivery::Late => 1,
                Delivery::Failed => 0,
            };
            prop_assert!(rank(low + more) >= rank(low));
            prop_assert!(rules.quality_loss(low + more) <= rules.quality_loss(low));
            for chance in [rules.failure_chance(low), rules.late_chance(low)] {
                prop_assert!((0.0..=1.0).contains(&chance));
            }
        }
    }

    #[test]
    fn a_squeezed_supplier_fails_with_the_stated_probability_and_more_often_than_a_healthy_one() {
        let rules = rules().delivery;
        let share = |margin: f64, wanted: Delivery| {
            let mut stream = StreamKey::new("test", &[b"delivery"]).stream(0);
            let n = 40_000;
            let met = (0..n).filter(|_| rules.deliver(margin, Chances::draw(&mut stream)) == wanted).count();
            met as f64 / f64::from(n)
        };
        for margin in [-0.01, 0.0, 0.01, 0.02, 0.05] {
            let fails = rules.failure_chance(margin);
            assert!((share(margin, Delivery::Failed) - fails).abs() < 0.01, "{margin}");
            let late = (1.0 - fails) * rules.late_chance(margin);
            assert!((share(margin, Delivery::Late) - late).abs() < 0.012, "{margin}");
        }
        assert_eq!(rules.failure_chance(0.0), rules.failure_squeezed);
        assert_eq!(share(rules.healthy_margin, Delivery::Failed), 0.0);
    }
}
