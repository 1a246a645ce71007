//! Repeated deals: an episode of several successive contracts with one supplier.
//!
//! **One implementation of the rules.** A contract is a [`crate::Negotiation`] of its own, played to its end through
//! [`crate::Negotiation::submit`]; a [`Series`] only stands between contracts. Before a contract it moves the counterpart within
//! published bounds ([`RegardRules`]); after it, it draws how the supplier delivers ([`DeliveryRules`]), pays both sides and
//! updates what each side thinks of the other ([`Regard`]).
//!
//! **Payoffs.** P is the status quo's price. In a contract whose deal is delivered the buyer has its gain (discounted as in any
//! negotiation) less `P * (quality_cost * (1 - h) + late_cost [late])`, the supplier its own discounted gain; h in `[0, 1]` is
//! the supplier's health, its undiscounted gain over `healthy_margin * P`. Where the supplier fails on the contract nobody has the
//! gain, the buyer loses `failure_cost * P`, and the relationship is over. Without a deal both have 0, their
//! alternative. Either side's payoff of the episode is the sum over its contracts; contracts that are no longer reached count 0.
//! *Total customer value* is the buyer's sum, whoever is evaluated.
//!
//! **What persists.** Status quo, grids, valuations of the issues, the counterpart's family and its drawn parameters are drawn
//! once an episode. Both disagreement values walk from contract to contract, within the prior's support; opener and break-off are
//! drawn anew. Regard carries over.
//!
//! **What is public between contracts.** The rules, the number of contracts, past deals and how each was delivered
//! ([`PublicRelationship`]). Regard and margins are not.
//!
//! **Looking ahead.** The scripted counterpart looks one contract ahead and no further: before any contract but the last it
//! counts that a failed negotiation ends the relationship with chance `contact_lost`, expects its last aspiration again from the
//! next contract, and gives up the share `foresight` of what it so stands to lose. It does not count its own risk of failing.
//!
//! **The ceiling.** [`Horizon`] bounds what a seat can expect over all contracts, by dynamic programming over trust.

mod attitude;
mod delivery;
mod horizon;
mod outcome;
mod regard;
mod series;

pub use attitude::{adapt, least_aspiration};
pub use delivery::{Chances, Delivery, DeliveryRules};
pub use horizon::Horizon;
pub use outcome::{ContractResult, CustomerValue, RelationshipOutcome, SeriesEnd};
pub use regard::{Regard, RegardRules};
pub use series::{PastContract, PublicRelationship, Series, SeriesPlan};

use serde::{Deserialize, Serialize};

/// The most contracts of an episode.
pub const MOST_CONTRACTS: u16 = 10;

/// What contracts of one relationship do to each other; published to every contender.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationshipRules {
    /// How the supplier delivers.
    pub delivery: DeliveryRules,
    /// What each side thinks of the other, and what that does.
    pub regard: RegardRules,
}
