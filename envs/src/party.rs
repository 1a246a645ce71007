//! Parties: seats and private types.

use crate::outcome::{Offer, OutcomeSpace};
use crate::utility::Utility;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::fmt;
use std::sync::Arc;

/// The two sides of a bilateral negotiation. In an imported domain the first profile sits as buyer, the second as
/// supplier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seat {
    /// Pays the price; seat 0.
    Buyer,
    /// Receives the price; seat 1.
    Supplier,
}

impl Seat {
    /// Both seats in order.
    pub const BOTH: [Self; 2] = [Self::Buyer, Self::Supplier];

    /// 0 for the buyer, 1 for the supplier.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Buyer => Self::Supplier,
            Self::Supplier => Self::Buyer,
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Buyer => "buyer",
            Self::Supplier => "supplier",
        })
    }
}

/// Outcomes of a table domain in ascending order of one party's utility, for tactics that look offers up by utility.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeOrder {
    /// Utilities, ascending.
    pub utilities: Vec<f64>,
    /// The rank of each outcome (see [`OutcomeSpace::outcome`]); equal utilities in ascending rank.
    pub ranks: Vec<u32>,
}

impl OutcomeOrder {
    /// The largest space that is sorted: one million outcomes take 12 MB a party.
    pub const MOST_OUTCOMES: u128 = 1_000_000;

    /// Sorts the outcomes of `space`, or `None` where it has more than [`Self::MOST_OUTCOMES`].
    #[must_use]
    pub fn of(space: &OutcomeSpace, utility: &Utility) -> Option<Self> {
        if space.size() > Self::MOST_OUTCOMES {
            return None;
        }
        let values: Vec<f64> = space.outcomes().map(|offer| utility.of(&offer)).collect();
        let mut ranks: Vec<u32> = (0..values.len() as u32).collect();
        ranks.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]).then(a.cmp(&b)));
        let utilities = ranks.iter().map(|&rank| values[rank as usize]).collect();
        Some(Self { utilities, ranks })
    }
}

/// What one party privately knows about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct PartyType {
    /// The worth of outcomes.
    pub utility: Utility,
    /// What the party has if this negotiation fails, in units of its utility.
    pub disagreement: f64,
    /// The guardrails' yardstick S: own reservation price at the status quo's other terms (money), or the highest utility
    /// less the disagreement value (tables). Positive.
    pub yardstick: f64,
    /// The smallest change of utility that its grid allows; no guardrail cap is below it.
    pub smallest_step: f64,
    /// Rounds after which this side leaves, where it has a deadline of its own that the other does not see.
    pub deadline: Option<u16>,
    /// The drawn parameters behind the type, in the prior's order: disagreement first, then one an issue valuation.
    /// Empty for imported profiles.
    pub parameters: SmallVec<[f64; 8]>,
    /// Outcomes by utility, where the domain is one of tables and small enough.
    pub order: Option<Arc<OutcomeOrder>>,
}

impl PartyType {
    /// Rounds of `rounds` that this side stays for.
    #[must_use]
    #[inline]
    pub fn stays_for(&self, rounds: u16) -> u16 {
        self.deadline.unwrap_or(rounds).min(rounds)
    }

    /// A type of table utilities: the yardstick is the best utility less the disagreement value.
    #[must_use]
    pub fn of_tables(space: &OutcomeSpace, mut utility: Utility, disagreement: f64) -> Self {
        utility.settle(space);
        let best = utility.peak(space).map_or(disagreement, |peak| peak.utility);
        let order = OutcomeOrder::of(space, &utility).map(Arc::new);
        let smallest_step = utility.smallest_step();
        Self {
            utility,
            disagreement,
            yardstick: if best > disagreement { best - disagreement } else { 1.0 },
            smallest_step,
            deadline: None,
            parameters: SmallVec::new(),
            order,
        }
    }

    /// A type of money utilities: the yardstick is the price that, with the other terms of `status_quo`, is worth as
    /// much as no deal.
    #[must_use]
    pub fn of_money(utility: Utility, disagreement: f64, status_quo: &Offer) -> Self {
        let mut party = Self {
            utility,
            disagreement,
            yardstick: 1.0,
            smallest_step: 0.0,
            deadline: None,
            parameters: SmallVec::new(),
            order: None,
        };
        party.measure_money(status_quo);
        party
    }

    /// Becomes `other`, keeping its own memory.
    pub fn copy_from(&mut self, other: &Self) {
        let Self { utility, disagreement, yardstick, smallest_step, deadline, parameters, order } = self;
        utility.copy_from(&other.utility);
        (*disagreement, *yardstick, *smallest_step) = (other.disagreement, other.yardstick, other.smallest_step);
        *deadline = other.deadline;
        parameters.clone_from(&other.parameters);
        order.clone_from(&other.order);
    }

    /// Sets yardstick and smallest step after the utility or the disagreement value changed.
    #[inline]
    pub fn measure_money(&mut self, status_quo: &Offer) {
        self.smallest_step = self.utility.smallest_step();
        if let Some((rest, slope)) = self.utility.line(status_quo) {
            let reservation_price = (self.disagreement - rest) / slope;
            // A party that would pay to have no deal has no meaningful reservation price; a tick keeps caps defined.
            self.yardstick = reservation_price.max(self.smallest_step);
        }
    }

    /// The gain of the best outcome of `space`, whatever a mandate says of it.
    #[must_use]
    pub fn peak_gain(&self, space: &OutcomeSpace) -> f64 {
        self.utility.peak(space).map_or(0.0, |peak| peak.utility - self.disagreement)
    }

    /// Gain of an offer: its utility less the disagreement value.
    #[must_use]
    pub fn gain(&self, offer: &Offer) -> f64 {
        self.utility.of(offer) - self.disagreement
    }
}
