//! What statements are made of: figures, dates, levels, reasons, tones and stances.

use serde::{Deserialize, Serialize};

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
