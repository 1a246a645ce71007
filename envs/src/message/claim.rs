//! What a message states: the typed claims that the parser reads and the speech score compares with offer and ledger.

use crate::Money;
use serde::{Deserialize, Serialize};

/// Bytes `start..end` of the message that carry a claim; both lie on character boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TextSpan {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A closed interval; an exact figure has `low == high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Interval<T> {
    /// Smallest value named.
    pub low: T,
    /// Largest value named, at least `low`.
    pub high: T,
}

impl<T: Copy + PartialEq> Interval<T> {
    /// The interval that holds one value.
    #[must_use]
    pub const fn exact(value: T) -> Self {
        Self { low: value, high: value }
    }

    /// The value where only one was named.
    #[must_use]
    pub fn single(self) -> Option<T> {
        (self.low == self.high).then_some(self.low)
    }
}

/// A day of the year without its year, as messages name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CalendarDay {
    /// 1 to 12.
    pub month: u8,
    /// 1 to 31; not checked against the month's length.
    pub day: u8,
}

/// When something is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Due {
    /// Days from now or from signing.
    Days(Interval<u32>),
    /// Rounds of this negotiation.
    Rounds(u32),
    /// A named day.
    Date(CalendarDay),
}

/// Who carries cost and risk of carriage: the Incoterms 2020 rules of the International Chamber of Commerce.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "the rules' own abbreviations")]
pub enum Incoterm {
    Exw,
    Fca,
    Fas,
    Fob,
    Cfr,
    Cif,
    Cpt,
    Cip,
    Dap,
    Dpu,
    Ddp,
}

/// A named service or quality tier, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Tier {
    Basic,
    Standard,
    Enhanced,
    Premium,
    Bronze,
    Silver,
    Gold,
    Platinum,
}

/// A service or quality level as a message states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServiceLevel {
    /// A share such as availability or on-time delivery, in basis points: 99.5 % is 9,950.
    Share(u32),
    /// A numbered level.
    Level(u32),
    /// A named tier.
    Tier(Tier),
}

/// Why a position is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Own costs, materials, wages, margins.
    Cost,
    /// Size or regularity of the order.
    Volume,
    /// Shared past or hoped-for future.
    Relationship,
    /// Market prices, competition, benchmarks.
    Market,
    /// Time pressure of one's own.
    Urgency,
    /// Quality, certification, reliability.
    Quality,
    /// Liquidity, financing, cost of waiting for money.
    CashFlow,
    /// Risk of default, disruption or change.
    Risk,
    /// Fairness, equal shares, splitting the difference.
    Fairness,
}

/// How something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    /// Thanks, greetings, apologies, good wishes.
    Polite,
    /// Insults, mockery, accusations.
    Hostile,
    /// Takes up what the other side said.
    Acknowledging,
    /// Threats and haste.
    Pressing,
}

/// A cue about the speaker's position; whether it is true is for the ledger to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// The two positions are near each other.
    Close,
    /// The two positions are far apart.
    Far,
    /// There is room to move.
    Flexible,
    /// There is none.
    Firm,
    /// Time is on the speaker's side.
    Patient,
    /// The speaker needs a deal soon.
    Urgent,
    /// What is agreed may not be kept.
    Reneging,
}

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

/// How a statement is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Polarity {
    /// Said to hold.
    Asserted,
    /// Said not to hold.
    Negated,
    /// Tied to a condition, whichever side of it ("95,000 unless you pay within 10 days" has two).
    Conditional,
    /// Asked.
    Question,
}

/// Whom a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The speaker or its side.
    Own,
    /// The one spoken to.
    Other,
    /// The other negotiator's principal.
    Management,
}

/// A statement with how, about whom and where it was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// What is stated.
    pub statement: Statement,
    /// How it is put.
    pub polarity: Polarity,
    /// Whom it is about.
    pub subject: Subject,
    /// Where it stands in the text.
    pub span: TextSpan,
}

impl Claim {
    /// The statement's kind.
    #[must_use]
    pub const fn kind(&self) -> ClaimKind {
        self.statement.kind()
    }
}
