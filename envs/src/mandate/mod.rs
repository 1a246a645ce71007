//! Mandates: what a principal authorised. Hard limits that no reward outweighs.
//!
//! Three layers, tested in this order. *Limits*: least gain, price limit, permitted values. *Stop rules*: when to leave or to
//! ask. *Approval rules*: what a person has to approve first. A person may lift the price limit and the permitted values for
//! one package, never the least gain.

mod approval;
mod permission;
mod stop;
mod tightening;

pub use approval::{ApprovalRule, Hold};
pub use permission::{Disclosures, Fact, Permission, PromiseKind, Promises};
pub use stop::{StopResponse, StopRule};
pub use tightening::Tightening;

use crate::Money;
use crate::digest::{Canonical, Hasher};
use crate::issue::{IssueRole, Value};
use crate::outcome::{Offer, OutcomeSpace};
use crate::party::{PartyType, Seat};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;
use thiserror::Error;

/// What one side's principal authorised. The default refuses any offer or acceptance with own gain below zero, any promise
/// and any disclosure; nothing needs approval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mandate {
    /// Least own gain of an offer made or accepted; `None` lifts the limit.
    pub least_gain: Option<f64>,
    /// Highest price to pay (buyer) or lowest to take (supplier).
    pub price_limit: Option<Money>,
    /// Permitted values of issues; an issue without an entry is free.
    pub permitted: Vec<PermittedValues>,
    /// Promises that may be made beside the terms.
    pub promises: Promises,
    /// Own private facts that may be told.
    pub disclosures: Disclosures,
    /// What a person has to approve before it is offered or accepted.
    pub approval: Vec<ApprovalRule>,
    /// When to leave or to ask.
    pub stop: Vec<StopRule>,
}

impl Default for Mandate {
    #[inline]
    fn default() -> Self {
        Self {
            least_gain: Some(0.0),
            price_limit: None,
            permitted: Vec::new(),
            promises: Promises::default(),
            disclosures: Disclosures::default(),
            approval: Vec::new(),
            stop: Vec::new(),
        }
    }
}

/// What a script goes by: nobody authorises it, and it takes nothing that is worse than no deal.
pub(crate) static OF_A_SCRIPT: Mandate = Mandate {
    least_gain: Some(0.0),
    price_limit: None,
    permitted: Vec::new(),
    promises: Promises::ALL,
    disclosures: Disclosures::ALL,
    approval: Vec::new(),
    stop: Vec::new(),
};

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
    /// The standing offer is worth less than the absolute floor.
    #[error("the standing offer is below the absolute floor of the guardrails")]
    BelowFloor,
    /// There is no offer to accept.
    #[error("the other side has no offer on the table")]
    NothingToAccept,
    /// The person who was asked said no.
    #[error("approval was denied: {0}")]
    Denied(Box<Hold>),
    /// A stop rule asks to leave: nothing else is permitted.
    #[error("the mandate's stop rule asks to walk away: {0}")]
    MustStop(StopRule),
    /// The principal withdrew this offer.
    #[error("the principal withdrew this offer")]
    Withdrawn,
}

impl Refusal {
    /// Whether the action was outside the mandate; guardrails, the rules of the game and a person's answer refuse too.
    #[must_use]
    pub fn is_by_mandate(&self) -> bool {
        match self {
            Self::GainBelowMandate { .. }
            | Self::PriceBeyondLimit { .. }
            | Self::ValueNotPermitted { .. }
            | Self::MustStop(_)
            | Self::Withdrawn => true,
            Self::NothingPasses | Self::BelowFloor | Self::NothingToAccept | Self::Denied(_) => false,
        }
    }

    /// Whether a person may lift this limit for one package.
    #[must_use]
    pub fn may_be_lifted(&self) -> bool {
        matches!(self, Self::PriceBeyondLimit { .. } | Self::ValueNotPermitted { .. })
    }
}

impl Mandate {
    /// Whether every package is permitted, whatever it gains.
    #[must_use]
    #[inline]
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

    /// The price indices that keep to the limit; `issue` is the price issue. They stand side by side, so that nobody need walk
    /// along thousands of prices.
    #[must_use]
    pub fn prices_within(&self, space: &OutcomeSpace, seat: Seat, issue: usize) -> Range<u32> {
        let len = space.issues()[issue].len();
        let keeps = |index| self.permits_price(space, seat, issue, index);
        let (mut low, mut high) = (0, len);
        // The first index that keeps to the limit where lower ones do not, and the other way round.
        while low < high {
            let middle = low + (high - low) / 2;
            if keeps(middle) == (seat == Seat::Buyer) { low = middle + 1 } else { high = middle }
        }
        if seat == Seat::Buyer { 0..low } else { low..len }
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
    #[inline]
    pub fn test_valued(&self, space: &OutcomeSpace, seat: Seat, offer: &Offer, gain: f64) -> Result<(), Refusal> {
        if self.price_limit.is_some()
            && let Some(price) = space.role(IssueRole::Price)
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

    /// Whether an offer of own gain `gain` is a loss that no person may approve.
    #[must_use]
    pub fn forbids_gain(&self, gain: f64) -> bool {
        self.least_gain.is_some_and(|least| gain < least)
    }

    /// The first approval rule that holds an offer of own gain `gain` for a person.
    #[must_use]
    pub fn hold(&self, space: &OutcomeSpace, seat: Seat, offer: &Offer, gain: f64) -> Option<Hold> {
        self.approval.iter().find_map(|rule| rule.hold(space, seat, offer, gain))
    }

    /// The first stop rule that applies in `round`, where the other side's latest offer gains `standing` and was declared
    /// final or not.
    #[must_use]
    pub fn stop(&self, round: u16, standing: Option<f64>, is_final: bool) -> Option<&StopRule> {
        // Leaving outweighs asking.
        let applies = |rule: &&StopRule| rule.applies(round, standing, is_final);
        self.stop
            .iter()
            .filter(applies)
            .find(|rule| rule.response == StopResponse::WalkAway)
            .or_else(|| self.stop.iter().find(applies))
    }

    /// Tightens the mandate of `seat`: whatever it forbids afterwards it may have permitted before, never the other way.
    pub fn tighten(&mut self, seat: Seat, by: &Tightening) {
        by.apply(seat, self);
    }
}

impl Canonical for PermittedValues {
    fn feed(&self, hasher: &mut Hasher) {
        (self.issue as u64).feed(hasher);
        self.values[..].feed(hasher);
    }
}

impl Canonical for Mandate {
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

impl Canonical for Refusal {
    fn feed(&self, hasher: &mut Hasher) {
        match self {
            Self::GainBelowMandate { gain, least } => {
                0_u8.feed(hasher);
                gain.feed(hasher);
                least.feed(hasher);
            }
            Self::PriceBeyondLimit { price, limit } => {
                1_u8.feed(hasher);
                price.feed(hasher);
                limit.feed(hasher);
            }
            Self::ValueNotPermitted { issue, value } => {
                2_u8.feed(hasher);
                issue.feed(hasher);
                value.feed(hasher);
            }
            Self::NothingPasses => 3_u8.feed(hasher),
            Self::NothingToAccept => 4_u8.feed(hasher),
            Self::Denied(hold) => {
                5_u8.feed(hasher);
                hold.feed(hasher);
            }
            Self::MustStop(rule) => {
                6_u8.feed(hasher);
                rule.feed(hasher);
            }
            Self::Withdrawn => 7_u8.feed(hasher),
            Self::BelowFloor => 8_u8.feed(hasher),
        }
    }
}
