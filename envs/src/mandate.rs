//! Mandates: what a principal authorised. Hard limits that no reward outweighs.

use crate::Money;
use crate::issue::{IssueRole, Value};
use crate::outcome::{Offer, OutcomeSpace};
use crate::party::{PartyType, Seat};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

/// What one side's principal authorised. The default refuses any offer or acceptance with own gain below zero.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mandate {
    /// Least own gain of an offer made or accepted; `None` lifts the limit.
    pub least_gain: Option<f64>,
    /// Highest price to pay (buyer) or lowest to take (supplier).
    pub price_limit: Option<Money>,
    /// Permitted values of issues; an issue without an entry is free.
    pub permitted: Vec<PermittedValues>,
}

impl Default for Mandate {
    fn default() -> Self {
        Self { least_gain: Some(0.0), price_limit: None, permitted: Vec::new() }
    }
}

/// The values of one issue that the principal permits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PermittedValues {
    /// The issue's position.
    pub issue: usize,
    /// One flag a value.
    pub values: Arc<[bool]>,
}

/// Why software refused an action. Nothing outside a mandate is corrected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// Own gain too low.
    #[error("own gain {gain:.2} is below the mandate's least gain {least:.2}")]
    GainBelowMandate {
        /// Own gain of the action.
        gain: f64,
        /// What the mandate asks.
        least: f64,
    },
    /// Price beyond the limit.
    #[error("price {price} is beyond the mandate's limit {limit}")]
    PriceBeyondLimit {
        /// The proposed price.
        price: Money,
        /// The limit.
        limit: Money,
    },
    /// A value that is not permitted.
    #[error("value {value} of issue {issue} is not permitted by the mandate")]
    ValueNotPermitted {
        /// The issue's name.
        issue: Arc<str>,
        /// The value in words.
        value: Arc<str>,
    },
    /// The guardrails found fault and no offer passes both them and the mandate.
    #[error("no offer passes the guardrails and the mandate")]
    NothingPasses,
    /// There is no offer to accept.
    #[error("the other side has no offer on the table")]
    NothingToAccept,
}

impl Mandate {
    /// Whether every package is permitted, whatever it gains.
    #[must_use]
    pub fn permits_all_values(&self) -> bool {
        self.price_limit.is_none() && self.permitted.is_empty()
    }

    /// Whether this mandate permits value `index` of `issue`; the price limit is not considered.
    #[must_use]
    pub fn permits_value(&self, issue: usize, index: u32) -> bool {
        self.permitted
            .iter()
            .filter(|permitted| permitted.issue == issue)
            .all(|permitted| permitted.values.get(index as usize).copied().unwrap_or(false))
    }

    /// Whether the price of value `index` keeps to the limit; `issue` is the price issue.
    #[must_use]
    pub fn permits_price(&self, space: &OutcomeSpace, seat: Seat, issue: usize, index: u32) -> bool {
        self.price_beyond(space, seat, issue, index).is_none()
    }

    fn price_beyond(&self, space: &OutcomeSpace, seat: Seat, issue: usize, index: u32) -> Option<Refusal> {
        let limit = self.price_limit?;
        let Value::Money(price) = space.issues()[issue].value(index) else { return None };
        let beyond = match seat {
            Seat::Buyer => price > limit,
            Seat::Supplier => price < limit,
        };
        beyond.then_some(Refusal::PriceBeyondLimit { price, limit })
    }

    /// Tests an offer that is on the grid, to be made or accepted.
    ///
    /// # Errors
    /// The first limit that the offer is outside of.
    pub fn test(&self, space: &OutcomeSpace, party: &PartyType, seat: Seat, offer: &Offer) -> Result<(), Refusal> {
        self.test_valued(space, seat, offer, party.gain(offer))
    }

    /// As [`Self::test`], for an offer whose own gain is known.
    ///
    /// # Errors
    /// The first limit that the offer is outside of.
    pub fn test_valued(&self, space: &OutcomeSpace, seat: Seat, offer: &Offer, gain: f64) -> Result<(), Refusal> {
        if let Some(price) = space.role(IssueRole::Price).filter(|_| self.price_limit.is_some())
            && let Some(refusal) = self.price_beyond(space, seat, price, offer.get(price))
        {
            return Err(refusal);
        }
        for permitted in &self.permitted {
            let index = offer.get(permitted.issue);
            if !permitted.values.get(index as usize).copied().unwrap_or(false) {
                let issue = &space.issues()[permitted.issue];
                let value = issue.text(index).into();
                return Err(Refusal::ValueNotPermitted { issue: issue.name.clone(), value });
            }
        }
        if let Some(least) = self.least_gain.filter(|&least| gain < least) {
            return Err(Refusal::GainBelowMandate { gain, least });
        }
        Ok(())
    }
}
