//! What a person has to approve, and why an action waits for one.

use super::{Fact, PermittedValues, PromiseKind, Refusal, StopRule};
use crate::Money;
use crate::digest::{Canonical, Hasher};
use crate::issue::{IssueRole, Value};
use crate::outcome::{Offer, OutcomeSpace};
use crate::party::Seat;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

/// Offers and acceptances that a person has to approve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalRule {
    /// A price above this one (buyer) or below it (supplier).
    PriceBeyond(Money),
    /// More units than these.
    QuantityAbove(i64),
    /// A value of an issue that is not among these.
    ValuesBeside(PermittedValues),
    /// An own gain below this, in units of utility.
    GainBelow(f64),
}

/// Why an action, or words, wait for a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum Hold {
    /// A price beyond what needs no approval.
    #[error("price {price} is beyond {threshold}, which needs approval")]
    Price {
        /// The price.
        price: Money,
        /// The last that needs none.
        threshold: Money,
    },
    /// A quantity above what needs no approval.
    #[error("a quantity of {units} is above {threshold}, which needs approval")]
    Quantity {
        /// The quantity.
        units: i64,
        /// The largest that needs none.
        threshold: i64,
    },
    /// A value that needs approval.
    #[error("value {value} of issue {issue} needs approval")]
    Value {
        /// The issue's name.
        issue: Arc<str>,
        /// The value in words.
        value: Arc<str>,
    },
    /// A gain below what needs no approval.
    #[error("own gain {gain:.2} is below {threshold:.2}, which needs approval")]
    Gain {
        /// Own gain.
        gain: f64,
        /// The least that needs none.
        threshold: f64,
    },
    /// A promise that needs approval.
    #[error("a promise of {0} needs approval")]
    Promise(PromiseKind),
    /// A disclosure that needs approval.
    #[error("telling {0} needs approval")]
    Disclosure(Fact),
    /// A stop rule asks for a person before anything more is offered or accepted.
    #[error("the mandate's stop rule asks for a person: {0}")]
    Stop(StopRule),
    /// The agent asks for an exception from the mandate.
    #[error("an exception is asked for: {0}")]
    Exception(Box<Refusal>),
    /// The agent asks although the mandate would permit it.
    #[error("the agent asks for a person")]
    Asked,
}

impl Hold {
    /// The hold's number: the same for all holds of a kind.
    #[must_use]
    pub fn number(&self) -> u8 {
        match self {
            Self::Price { .. } => 0,
            Self::Quantity { .. } => 1,
            Self::Value { .. } => 2,
            Self::Gain { .. } => 3,
            Self::Promise(_) => 4,
            Self::Disclosure(_) => 5,
            Self::Stop(_) => 6,
            Self::Exception(_) => 7,
            Self::Asked => 8,
        }
    }

    /// Whether it is words that wait, not an offer or an acceptance.
    #[must_use]
    pub fn is_of_words(&self) -> bool {
        matches!(self, Self::Promise(_) | Self::Disclosure(_))
    }
}

impl ApprovalRule {
    /// Why this rule holds an offer of own gain `gain`, where it does.
    #[must_use]
    pub fn hold(&self, space: &OutcomeSpace, seat: Seat, offer: &Offer, gain: f64) -> Option<Hold> {
        match self {
            Self::PriceBeyond(threshold) => {
                let issue = space.role(IssueRole::Price)?;
                let Value::Money(price) = space.issues()[issue].value(offer.get(issue)) else { return None };
                let beyond = match seat {
                    Seat::Buyer => price > *threshold,
                    Seat::Supplier => price < *threshold,
                };
                beyond.then_some(Hold::Price { price, threshold: *threshold })
            }
            Self::QuantityAbove(threshold) => {
                let issue = space.role(IssueRole::Quantity)?;
                let Value::Integer(units) = space.issues()[issue].value(offer.get(issue)) else { return None };
                (units > *threshold).then_some(Hold::Quantity { units, threshold: *threshold })
            }
            Self::ValuesBeside(free) => {
                let issue = space.issues().get(free.issue)?;
                let index = offer.get(free.issue);
                let is_free = free.values.get(index as usize).copied().unwrap_or(false);
                (!is_free).then(|| Hold::Value { issue: issue.name.clone(), value: issue.text(index).into() })
            }
            Self::GainBelow(threshold) => (gain < *threshold).then_some(Hold::Gain { gain, threshold: *threshold }),
        }
    }
}

impl Canonical for ApprovalRule {
    fn feed(&self, hasher: &mut Hasher) {
        match self {
            Self::PriceBeyond(threshold) => {
                0_u8.feed(hasher);
                threshold.feed(hasher);
            }
            Self::QuantityAbove(threshold) => {
                1_u8.feed(hasher);
                threshold.feed(hasher);
            }
            Self::ValuesBeside(free) => {
                2_u8.feed(hasher);
                free.feed(hasher);
            }
            Self::GainBelow(threshold) => {
                3_u8.feed(hasher);
                threshold.feed(hasher);
            }
        }
    }
}

impl Canonical for Hold {
    fn feed(&self, hasher: &mut Hasher) {
        self.number().feed(hasher);
        match self {
            Self::Price { price, threshold } => {
                price.feed(hasher);
                threshold.feed(hasher);
            }
            Self::Quantity { units, threshold } => {
                units.feed(hasher);
                threshold.feed(hasher);
            }
            Self::Value { issue, value } => {
                issue.feed(hasher);
                value.feed(hasher);
            }
            Self::Gain { gain, threshold } => {
                gain.feed(hasher);
                threshold.feed(hasher);
            }
            Self::Promise(kind) => (*kind as u8).feed(hasher),
            Self::Disclosure(fact) => (*fact as u8).feed(hasher),
            Self::Stop(rule) => rule.feed(hasher),
            Self::Exception(refusal) => refusal.feed(hasher),
            Self::Asked => {}
        }
    }
}
