//! A change of mandate that can only forbid more.

use super::{ApprovalRule, Disclosures, Mandate, PermittedValues, Promises, StopRule};
use crate::Money;
use crate::digest::{Canonical, Hasher};
use crate::party::Seat;
use serde::{Deserialize, Serialize};

/// What a principal adds to a mandate while the negotiation runs. Every part is met with what is there, so no tightening
/// loosens anything; the default changes nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tightening {
    /// Least own gain; the higher of both holds.
    pub least_gain: Option<f64>,
    /// Price limit; the stricter of both holds.
    pub price_limit: Option<Money>,
    /// Permitted values; only what both permit is left.
    pub permitted: Vec<PermittedValues>,
    /// Promises; the stricter of both permissions holds.
    pub promises: Option<Promises>,
    /// Disclosures, likewise.
    pub disclosures: Option<Disclosures>,
    /// Approval rules to add.
    pub approval: Vec<ApprovalRule>,
    /// Stop rules to add.
    pub stop: Vec<StopRule>,
}

impl Tightening {
    pub(super) fn apply(&self, seat: Seat, mandate: &mut Mandate) {
        if let Some(least) = self.least_gain {
            mandate.least_gain = Some(mandate.least_gain.map_or(least, |known| known.max(least)));
        }
        if let Some(limit) = self.price_limit {
            let stricter = |known: Money| match seat {
                Seat::Buyer => known.min(limit),
                Seat::Supplier => known.max(limit),
            };
            mandate.price_limit = Some(mandate.price_limit.map_or(limit, stricter));
        }
        mandate.permitted.extend(self.permitted.iter().cloned());
        if let Some(promises) = self.promises {
            mandate.promises = mandate.promises.and(promises);
        }
        if let Some(disclosures) = self.disclosures {
            mandate.disclosures = mandate.disclosures.and(disclosures);
        }
        mandate.approval.extend(self.approval.iter().cloned());
        mandate.stop.extend(self.stop.iter().copied());
    }
}

impl Canonical for Tightening {
    fn feed(&self, hasher: &mut Hasher) {
        self.least_gain.feed(hasher);
        self.price_limit.feed(hasher);
        self.permitted.as_slice().feed(hasher);
        self.promises.feed(hasher);
        self.disclosures.feed(hasher);
        self.approval.as_slice().feed(hasher);
        self.stop.as_slice().feed(hasher);
    }
}
