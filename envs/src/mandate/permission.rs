//! Promises and disclosures, and whether they may be made.

use crate::digest::{Canonical, Hasher};
use crate::message::{Claim, ClaimKind};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Whether something may be said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Permission {
    /// No.
    #[default]
    Forbidden,
    /// Once a person has approved it.
    NeedsApproval,
    /// Yes.
    Permitted,
}

/// A promise beside the terms of the offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromiseKind {
    /// Exclusive supply or purchase.
    Exclusivity,
    /// A guarantee of delivery or performance.
    Guarantee,
    /// More volume than this order.
    Volume,
    /// A warranty where the terms have none.
    Warranty,
    /// A service or quality level where the terms have none.
    Service,
    /// A delivery time where the terms have none.
    Delivery,
}

impl PromiseKind {
    /// All kinds.
    pub const ALL: [Self; 6] =
        [Self::Exclusivity, Self::Guarantee, Self::Volume, Self::Warranty, Self::Service, Self::Delivery];

    /// The promise that a claim of this kind makes where the offer has no such term.
    #[must_use]
    pub fn of(kind: ClaimKind) -> Option<Self> {
        Some(match kind {
            ClaimKind::Exclusivity => Self::Exclusivity,
            ClaimKind::Guarantee => Self::Guarantee,
            ClaimKind::VolumePromise => Self::Volume,
            ClaimKind::Warranty => Self::Warranty,
            ClaimKind::Service => Self::Service,
            ClaimKind::Delivery | ClaimKind::DeliveryTerms => Self::Delivery,
            _ => return None,
        })
    }
}

impl fmt::Display for PromiseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Exclusivity => "exclusivity",
            Self::Guarantee => "a guarantee",
            Self::Volume => "further volume",
            Self::Warranty => "a warranty beyond the terms",
            Self::Service => "a service level beyond the terms",
            Self::Delivery => "a delivery time beyond the terms",
        })
    }
}

/// A private fact about the own side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// The own limit: reservation price or budget, with its amount.
    Limit,
    /// What the own side has if this negotiation fails.
    OutsideOption,
    /// Until when it stays.
    Deadline,
    /// That somebody above a negotiator has approved something.
    Approval,
}

impl Fact {
    /// All facts.
    pub const ALL: [Self; 4] = [Self::Limit, Self::OutsideOption, Self::Deadline, Self::Approval];

    /// The fact that a claim tells; a limit or a deadline without its figure tells none.
    #[must_use]
    pub fn of(claim: &Claim) -> Option<Self> {
        use crate::message::Statement;
        Some(match &claim.statement {
            Statement::Limit(Some(_)) => Self::Limit,
            Statement::OutsideOption(_) => Self::OutsideOption,
            Statement::Deadline(Some(_)) => Self::Deadline,
            Statement::Approval => Self::Approval,
            _ => return None,
        })
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Limit => "the own limit",
            Self::OutsideOption => "the outside option",
            Self::Deadline => "the own deadline",
            Self::Approval => "an approval",
        })
    }
}

/// Which promises may be made; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "named after the kinds of promise")]
pub struct Promises {
    pub exclusivity: Permission,
    pub guarantee: Permission,
    pub volume: Permission,
    pub warranty: Permission,
    pub service: Permission,
    pub delivery: Permission,
}

impl Promises {
    /// Any promise.
    pub const ALL: Self = Self {
        exclusivity: Permission::Permitted,
        guarantee: Permission::Permitted,
        volume: Permission::Permitted,
        warranty: Permission::Permitted,
        service: Permission::Permitted,
        delivery: Permission::Permitted,
    };

    /// Whether a promise of this kind may be made.
    #[must_use]
    pub fn of(&self, kind: PromiseKind) -> Permission {
        match kind {
            PromiseKind::Exclusivity => self.exclusivity,
            PromiseKind::Guarantee => self.guarantee,
            PromiseKind::Volume => self.volume,
            PromiseKind::Warranty => self.warranty,
            PromiseKind::Service => self.service,
            PromiseKind::Delivery => self.delivery,
        }
    }

    /// What both permit.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            exclusivity: self.exclusivity.min(other.exclusivity),
            guarantee: self.guarantee.min(other.guarantee),
            volume: self.volume.min(other.volume),
            warranty: self.warranty.min(other.warranty),
            service: self.service.min(other.service),
            delivery: self.delivery.min(other.delivery),
        }
    }
}

/// Which own private facts may be told; none by default. Whether what is told is true is another question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "named after the facts")]
pub struct Disclosures {
    pub limit: Permission,
    pub outside_option: Permission,
    pub deadline: Permission,
    pub approval: Permission,
}

impl Disclosures {
    /// Any fact.
    pub const ALL: Self = Self {
        limit: Permission::Permitted,
        outside_option: Permission::Permitted,
        deadline: Permission::Permitted,
        approval: Permission::Permitted,
    };

    /// Whether this fact may be told.
    #[must_use]
    pub fn of(&self, fact: Fact) -> Permission {
        match fact {
            Fact::Limit => self.limit,
            Fact::OutsideOption => self.outside_option,
            Fact::Deadline => self.deadline,
            Fact::Approval => self.approval,
        }
    }

    /// What both permit.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            limit: self.limit.min(other.limit),
            outside_option: self.outside_option.min(other.outside_option),
            deadline: self.deadline.min(other.deadline),
            approval: self.approval.min(other.approval),
        }
    }
}

impl Canonical for Promises {
    fn feed(&self, hasher: &mut Hasher) {
        PromiseKind::ALL.map(|kind| self.of(kind) as u8).as_slice().feed(hasher);
    }
}

impl Canonical for Disclosures {
    fn feed(&self, hasher: &mut Hasher) {
        Fact::ALL.map(|fact| self.of(fact) as u8).as_slice().feed(hasher);
    }
}
