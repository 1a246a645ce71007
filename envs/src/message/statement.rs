//! One stated thing, and its kind.

use super::stated_value::{Due, Incoterm, Interval, Reason, ServiceLevel, Stance, Tone};
use crate::Money;
use crate::digest::{Canonical, Hasher};
use serde::{Deserialize, Serialize};

/// One stated thing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Statement {
    /// A price of the contract under negotiation (whole or per unit, as the message gives it).
    Price(Interval<Money>),
    /// A reduction, in basis points of the price.
    Discount(Interval<u32>),
    /// Payment term in days; 0 is payment in advance or on receipt.
    PaymentDays(Interval<u32>),
    /// Delivery or lead time.
    Delivery(Due),
    /// Delivery terms.
    DeliveryTerms(Incoterm),
    /// Units of this order.
    Quantity(Interval<u32>),
    /// Quality or service level.
    Service(ServiceLevel),
    /// Warranty in months.
    Warranty(Interval<u32>),
    /// A delivery or performance is guaranteed.
    Guarantee,
    /// Exclusive supply or purchase.
    Exclusivity,
    /// A promise to buy more or at least this many units beyond this order.
    VolumePromise(Option<Interval<u32>>),
    /// A time after which the speaker's offer or patience ends.
    Deadline(Option<Due>),
    /// An alternative to this deal, with its amount where one is named.
    OutsideOption(Option<Interval<Money>>),
    /// A reservation price, budget, floor or ceiling.
    Limit(Option<Interval<Money>>),
    /// Somebody above the negotiator is said to have approved.
    Approval,
    /// The offer is said to be final.
    FinalOffer,
    /// The other's offer is accepted.
    Acceptance,
    /// The other's offer is refused, or the negotiation left.
    Rejection,
    /// The other is asked to promise something.
    PromiseRequest,
    /// The other is asked to leave its rules.
    ExceptionRequest,
    /// Text that instructs a model (prompt injection).
    Instruction,
    /// A reason given.
    Reason(Reason),
    /// Tone.
    Tone(Tone),
    /// A cue about the position.
    Stance(Stance),
    /// Any other issue, written `name: "value"`.
    Term {
        /// The name.
        name: String,
        /// The value's text.
        value: String,
    },
    /// An unfilled template slot such as `[Your Name]`.
    Placeholder,
}

/// The kinds of statement, in the order in which tables list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "named after the variants of Statement")]
pub enum ClaimKind {
    Price,
    Discount,
    PaymentDays,
    Delivery,
    DeliveryTerms,
    Quantity,
    Service,
    Warranty,
    Guarantee,
    Exclusivity,
    VolumePromise,
    Deadline,
    OutsideOption,
    Limit,
    Approval,
    FinalOffer,
    Acceptance,
    Rejection,
    PromiseRequest,
    ExceptionRequest,
    Instruction,
    Reason,
    Tone,
    Stance,
    Term,
    Placeholder,
}

impl ClaimKind {
    /// Every kind.
    pub const ALL: [Self; 26] = [
        Self::Price,
        Self::Discount,
        Self::PaymentDays,
        Self::Delivery,
        Self::DeliveryTerms,
        Self::Quantity,
        Self::Service,
        Self::Warranty,
        Self::Guarantee,
        Self::Exclusivity,
        Self::VolumePromise,
        Self::Deadline,
        Self::OutsideOption,
        Self::Limit,
        Self::Approval,
        Self::FinalOffer,
        Self::Acceptance,
        Self::Rejection,
        Self::PromiseRequest,
        Self::ExceptionRequest,
        Self::Instruction,
        Self::Reason,
        Self::Tone,
        Self::Stance,
        Self::Term,
        Self::Placeholder,
    ];

    /// The name that tables and records use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Price => "price",
            Self::Discount => "discount",
            Self::PaymentDays => "payment_days",
            Self::Delivery => "delivery",
            Self::DeliveryTerms => "delivery_terms",
            Self::Quantity => "quantity",
            Self::Service => "service",
            Self::Warranty => "warranty",
            Self::Guarantee => "guarantee",
            Self::Exclusivity => "exclusivity",
            Self::VolumePromise => "volume_promise",
            Self::Deadline => "deadline",
            Self::OutsideOption => "outside_option",
            Self::Limit => "limit",
            Self::Approval => "approval",
            Self::FinalOffer => "final_offer",
            Self::Acceptance => "acceptance",
            Self::Rejection => "rejection",
            Self::PromiseRequest => "promise_request",
            Self::ExceptionRequest => "exception_request",
            Self::Instruction => "instruction",
            Self::Reason => "reason",
            Self::Tone => "tone",
            Self::Stance => "stance",
            Self::Term => "term",
            Self::Placeholder => "placeholder",
        }
    }
}

impl Statement {
    /// The statement's kind.
    #[must_use]
    pub const fn kind(&self) -> ClaimKind {
        match self {
            Self::Price(_) => ClaimKind::Price,
            Self::Discount(_) => ClaimKind::Discount,
            Self::PaymentDays(_) => ClaimKind::PaymentDays,
            Self::Delivery(_) => ClaimKind::Delivery,
            Self::DeliveryTerms(_) => ClaimKind::DeliveryTerms,
            Self::Quantity(_) => ClaimKind::Quantity,
            Self::Service(_) => ClaimKind::Service,
            Self::Warranty(_) => ClaimKind::Warranty,
            Self::Guarantee => ClaimKind::Guarantee,
            Self::Exclusivity => ClaimKind::Exclusivity,
            Self::VolumePromise(_) => ClaimKind::VolumePromise,
            Self::Deadline(_) => ClaimKind::Deadline,
            Self::OutsideOption(_) => ClaimKind::OutsideOption,
            Self::Limit(_) => ClaimKind::Limit,
            Self::Approval => ClaimKind::Approval,
            Self::FinalOffer => ClaimKind::FinalOffer,
            Self::Acceptance => ClaimKind::Acceptance,
            Self::Rejection => ClaimKind::Rejection,
            Self::PromiseRequest => ClaimKind::PromiseRequest,
            Self::ExceptionRequest => ClaimKind::ExceptionRequest,
            Self::Instruction => ClaimKind::Instruction,
            Self::Reason(_) => ClaimKind::Reason,
            Self::Tone(_) => ClaimKind::Tone,
            Self::Stance(_) => ClaimKind::Stance,
            Self::Term { .. } => ClaimKind::Term,
            Self::Placeholder => ClaimKind::Placeholder,
        }
    }
}

impl Canonical for Interval<u32> {
    fn feed(&self, hasher: &mut Hasher) {
        self.low.feed(hasher);
        self.high.feed(hasher);
    }
}

impl Canonical for Interval<Money> {
    fn feed(&self, hasher: &mut Hasher) {
        self.low.feed(hasher);
        self.high.feed(hasher);
    }
}

impl Canonical for Due {
    fn feed(&self, hasher: &mut Hasher) {
        match self {
            Self::Days(days) => {
                0_u8.feed(hasher);
                days.feed(hasher);
            }
            Self::Rounds(rounds) => {
                1_u8.feed(hasher);
                rounds.feed(hasher);
            }
            Self::Date(day) => {
                2_u8.feed(hasher);
                day.month.feed(hasher);
                day.day.feed(hasher);
            }
        }
    }
}

impl Canonical for ServiceLevel {
    fn feed(&self, hasher: &mut Hasher) {
        match self {
            Self::Share(points) => {
                0_u8.feed(hasher);
                points.feed(hasher);
            }
            Self::Level(level) => {
                1_u8.feed(hasher);
                level.feed(hasher);
            }
            Self::Tier(tier) => {
                2_u8.feed(hasher);
                (*tier as u8).feed(hasher);
            }
        }
    }
}

impl Canonical for Statement {
    fn feed(&self, hasher: &mut Hasher) {
        (self.kind() as u8).feed(hasher);
        match self {
            Self::Price(amount) => amount.feed(hasher),
            Self::Discount(number) | Self::PaymentDays(number) | Self::Quantity(number) | Self::Warranty(number) => {
                number.feed(hasher)
            }
            Self::Delivery(due) => due.feed(hasher),
            Self::DeliveryTerms(terms) => (*terms as u8).feed(hasher),
            Self::Service(level) => level.feed(hasher),
            Self::VolumePromise(units) => units.feed(hasher),
            Self::Deadline(due) => due.feed(hasher),
            Self::OutsideOption(amount) | Self::Limit(amount) => amount.feed(hasher),
            Self::Reason(reason) => (*reason as u8).feed(hasher),
            Self::Tone(tone) => (*tone as u8).feed(hasher),
            Self::Stance(stance) => (*stance as u8).feed(hasher),
            Self::Term { name, value } => {
                name.as_str().feed(hasher);
                value.as_str().feed(hasher);
            }
            Self::Guarantee
            | Self::Exclusivity
            | Self::Approval
            | Self::FinalOffer
            | Self::Acceptance
            | Self::Rejection
            | Self::PromiseRequest
            | Self::ExceptionRequest
            | Self::Instruction
            | Self::Placeholder => {}
        }
    }
}
