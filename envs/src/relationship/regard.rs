//! What one side thinks of the other, and how a contract changes it.

use super::delivery::Delivery;
use serde::{Deserialize, Serialize};

/// What one side thinks of the other; private to it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Regard {
    /// Whether the other side leaves it its share and keeps its word in deliveries, in `[0, 1]`.
    pub trust: f64,
    /// Whether the other side is good to deal with, in `[0, 1]`.
    pub rapport: f64,
}

/// How regard starts, moves and works.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegardRules {
    /// Trust before the first contract, in `[0, 1]`.
    pub initial_trust: f64,
    /// Rapport before the first contract, in `[0, 1]`.
    pub initial_rapport: f64,
    /// How far trust moves to a contract's evidence, in `[0, 1]`.
    pub trust_rate: f64,
    /// How far rapport moves to a negotiation's conduct, in `[0, 1]`.
    pub rapport_rate: f64,
    /// The own gain, as a share of the status quo's price, from which a deal is full evidence for trust; positive.
    pub fair_margin: f64,
    /// The share of a deal's evidence that a late delivery leaves the buyer, in `[0, 1]`.
    pub late_evidence: f64,
    /// How far trust moves a counterpart's aspirations, in `[0, 1)`: without trust they are `1 + demand_spread` times as high, with
    /// full trust `1 - demand_spread` times.
    pub demand_spread: f64,
    /// How far rapport moves its concession exponent, in `[0, 1)`: `1 - concession_spread` times without, `1 + concession_spread`
    /// times with full rapport.
    pub concession_spread: f64,
    /// How much of what it stands to lose in the next contract a counterpart gives up in this one, in `[0, 1]`.
    pub foresight: f64,
    /// Chance that a contract without a deal ends the relationship, in `[0, 1]`.
    pub contact_lost: f64,
}

/// What one side experienced of the other in a contract.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Experience {
    /// Own undiscounted gain of the deal as a share of the status quo's price; `None` without a deal.
    pub margin: Option<f64>,
    /// How the deal was delivered, where this side is the buyer.
    pub delivery: Option<Delivery>,
    /// Whether the other side walked away.
    pub left: bool,
    /// How often the other side departed from an offer it had called final.
    pub broken_finals: u32,
}

impl RegardRules {
    /// Regard before the first contract.
    #[must_use]
    pub fn initial(&self) -> Regard {
        Regard { trust: self.initial_trust, rapport: self.initial_rapport }
    }

    /// The evidence for trust in a deal: `clamp(margin / fair_margin, 0, 1)`, of which a late delivery leaves `late_evidence` and
    /// a failed one nothing.
    #[must_use]
    pub fn evidence(&self, margin: f64, delivery: Option<Delivery>) -> f64 {
        let fair = (margin / self.fair_margin).clamp(0.0, 1.0);
        match delivery {
            Some(Delivery::Late) => fair * self.late_evidence,
            Some(Delivery::Failed) => 0.0,
            Some(Delivery::OnTime) | None => fair,
        }
    }

    /// Trust after evidence in `[0, 1]`: `trust + trust_rate * (evidence - trust)`.
    #[must_use]
    pub fn trust_after(&self, trust: f64, evidence: f64) -> f64 {
        (trust + self.trust_rate * (evidence - trust)).clamp(0.0, 1.0)
    }

    /// Regard after a contract. Trust moves to the deal's [`Self::evidence`]; to 0 where the other side walked away; else it
    /// stays. Rapport moves by `rapport_rate` to the other side's conduct: 1 for a deal, 0 for walking away, one half for any other
    /// end, less one half for each broken final offer, at least 0.
    #[must_use]
    pub fn after(&self, regard: Regard, experience: Experience) -> Regard {
        let trust = match experience.margin {
            Some(margin) => self.trust_after(regard.trust, self.evidence(margin, experience.delivery)),
            None if experience.left => self.trust_after(regard.trust, 0.0),
            None => regard.trust,
        };
        let ended = match experience.margin {
            Some(_) => 1.0,
            None if experience.left => 0.0,
            None => 0.5,
        };
        let conduct = (ended - 0.5 * f64::from(experience.broken_finals)).max(0.0);
        let rapport = (regard.rapport + self.rapport_rate * (conduct - regard.rapport)).clamp(0.0, 1.0);
        Regard { trust, rapport }
    }

    /// What trust multiplies aspirations by: `1 + demand_spread * (1 - 2 trust)`.
    #[must_use]
    pub fn demand_factor(&self, trust: f64) -> f64 {
        1.0 + self.demand_spread * (1.0 - 2.0 * trust)
    }

    /// What rapport multiplies the concession exponent by: `1 + concession_spread * (2 rapport - 1)`.
    #[must_use]
    pub fn concession_factor(&self, rapport: f64) -> f64 {
        1.0 + self.concession_spread * (2.0 * rapport - 1.0)
    }

    /// What looking ahead multiplies the last aspiration by: `1 - foresight * contact_lost` where a contract follows, else 1.
    #[must_use]
    pub fn foresight_factor(&self, contract_follows: bool) -> f64 {
        if contract_follows { 1.0 - self.foresight * self.contact_lost } else { 1.0 }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{Experience, Regard, RegardRules};
    use crate::relationship::{Delivery, DeliveryRules, RelationshipRules};
    use proptest::prelude::*;

    /// Rules of the order of the shipped suite's.
    pub(crate) fn rules() -> RelationshipRules {
        RelationshipRules {
            delivery: DeliveryRules {
                healthy_margin: 0.04,
                late_squeezed: 0.4,
                late_healthy: 0.05,
                failure_squeezed: 0.15,
                late_cost: 0.02,
                failure_cost: 0.05,
                quality_cost: 0.005,
            },
            regard: RegardRules {
                initial_trust: 0.5,
                initial_rapport: 0.5,
                trust_rate: 0.4,
                rapport_rate: 0.3,
                fair_margin: 0.04,
                late_evidence: 0.5,
                demand_spread: 0.5,
                concession_spread: 0.4,
                foresight: 0.5,
                contact_lost: 0.25,
            },
        }
    }

    fn experience() -> impl Strategy<Value = Experience> {
        let delivery = prop_oneof![Just(None), Just(Some(Delivery::OnTime)), Just(Some(Delivery::Late))];
        (prop::option::of(-0.2..0.2_f64), delivery, any::<bool>(), 0_u32..4)
            .prop_map(|(margin, delivery, left, broken_finals)| Experience { margin, delivery, left, broken_finals })
    }

    proptest! {
        #[test]
        fn regard_and_what_it_does_stay_within_their_bounds(
            trust in 0.0..=1.0_f64, rapport in 0.0..=1.0_f64, seen in prop::collection::vec(experience(), 1..12),
        ) {
            let rules = rules().regard;
            let mut regard = Regard { trust, rapport };
            for experience in seen {
                regard = rules.after(regard, experience);
                prop_assert!((0.0..=1.0).contains(&regard.trust) && (0.0..=1.0).contains(&regard.rapport));
                prop_assert!((0.5..=1.5).contains(&rules.demand_factor(regard.trust)));
                prop_assert!((0.6..=1.4).contains(&rules.concession_factor(regard.rapport)));
            }
        }

        #[test]
        fn trust_never_falls_with_the_split_that_is_left(
            trust in 0.0..=1.0_f64, joint in 0.0..0.2_f64, share in 0.0..1.0_f64, more in 0.0..1.0_f64,
        ) {
            let rules = rules().regard;
            let after = |share: f64| {
                let margin = Some(share * joint);
                let seen = Experience { margin, delivery: None, left: false, broken_finals: 0 };
                rules.after(Regard { trust, rapport: 0.5 }, seen).trust
            };
            prop_assert!(after((share + more).min(1.0)) >= after(share));
            // More trust never makes a counterpart ask for more.
            prop_assert!(rules.demand_factor(after((share + more).min(1.0))) <= rules.demand_factor(after(share)));
        }

        #[test]
        fn worse_conduct_never_raises_rapport(seen in experience(), rapport in 0.0..=1.0_f64) {
            let rules = rules().regard;
            let after = |seen| rules.after(Regard { trust: 0.5, rapport }, seen).rapport;
            let worse = Experience { broken_finals: seen.broken_finals + 1, ..seen };
            prop_assert!(after(worse) <= after(seen));
            let left = Experience { margin: None, left: true, ..seen };
            prop_assert!(after(left) <= after(seen));
        }
    }

    #[test]
    fn late_deliveries_cost_trust() {
        let rules: RegardRules = rules().regard;
        assert!(rules.evidence(0.04, Some(Delivery::Late)) < rules.evidence(0.04, Some(Delivery::OnTime)));
        assert_eq!(rules.evidence(0.04, Some(Delivery::Failed)), 0.0);
    }
}
