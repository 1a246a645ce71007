//! Checks of a suite's relationship: how many contracts there are and what they do to each other.

use super::Check;
use super::error::SuiteError;
use super::file::{RelationshipSpec, SuiteFile};
use zopa_envs::relationship::{MOST_CONTRACTS, RelationshipRules};

/// The highest cost of a failed supplier, a late delivery or wanting quality, as a share of the status quo's price.
const HIGHEST_COST: f64 = 1.0;

/// The highest spread: below 1, so that a counterpart never asks for nothing.
const HIGHEST_SPREAD: f64 = 0.9;

impl Check<'_> {
    pub(super) fn relationship(&self, typed: &SuiteFile) -> Result<(), SuiteError> {
        let Some(spec) = &typed.relationship else { return Ok(()) };
        let RelationshipSpec { contracts, drift, delivery, regard } = spec;
        if contracts.low < 1 || contracts.low > contracts.high || contracts.high > MOST_CONTRACTS {
            let problem = format!("from {} to {} contracts", contracts.low, contracts.high);
            let remedy = format!("keep 1 <= low <= high <= {MOST_CONTRACTS}");
            return Err(self.fail("relationship.contracts", problem, remedy));
        }
        let shares = [
            ("drift.buyer", drift.buyer, 0.0, HIGHEST_COST),
            ("drift.supplier", drift.supplier, 0.0, HIGHEST_COST),
            ("delivery.healthy_margin", delivery.healthy_margin, 1e-6, 1.0),
            ("delivery.late_squeezed", delivery.late_squeezed, delivery.late_healthy, 1.0),
            ("delivery.late_healthy", delivery.late_healthy, 0.0, 1.0),
            ("delivery.failure_squeezed", delivery.failure_squeezed, 0.0, 1.0),
            ("delivery.late_cost", delivery.late_cost, 0.0, HIGHEST_COST),
            ("delivery.failure_cost", delivery.failure_cost, 0.0, HIGHEST_COST),
            ("delivery.quality_cost", delivery.quality_cost, 0.0, HIGHEST_COST),
            ("regard.initial_trust", regard.initial_trust, 0.0, 1.0),
            ("regard.initial_rapport", regard.initial_rapport, 0.0, 1.0),
            ("regard.trust_rate", regard.trust_rate, 0.0, 1.0),
            ("regard.rapport_rate", regard.rapport_rate, 0.0, 1.0),
            ("regard.fair_margin", regard.fair_margin, 1e-6, 1.0),
            ("regard.late_evidence", regard.late_evidence, 0.0, 1.0),
            ("regard.demand_spread", regard.demand_spread, 0.0, HIGHEST_SPREAD),
            ("regard.concession_spread", regard.concession_spread, 0.0, HIGHEST_SPREAD),
            ("regard.foresight", regard.foresight, 0.0, 1.0),
            ("regard.contact_lost", regard.contact_lost, 0.0, 1.0),
        ];
        for (field, value, low, high) in shares {
            self.within(&format!("relationship.{field}"), value, low..=high)?;
        }
        Ok(())
    }
}

impl RelationshipSpec {
    /// The rules as contenders see them.
    #[must_use]
    pub fn rules(&self) -> RelationshipRules {
        RelationshipRules { delivery: self.delivery, regard: self.regard }
    }
}
