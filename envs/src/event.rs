//! The event log and how a negotiation ended.

use crate::action::{Action, Intent, Move};
use crate::guardrail::Faults;
use crate::mandate::Refusal;
use crate::outcome::Offer;
use crate::party::Seat;
use serde::{Deserialize, Serialize};

/// What authority did with an action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// Taken as it was.
    Applied,
    /// A guardrail found fault; the nearest offer that passes was made instead.
    Corrected,
    /// Refused: the same side may try again.
    Refused(Refusal),
    /// The turn's last refusal: the last own offer was repeated, or the turn passed.
    FellBack(Refusal),
}

/// One action submitted, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Who acted.
    pub seat: Seat,
    /// In which round, from 0.
    pub round: u16,
    /// What the strategy meant, where it said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<Intent>,
    /// The action as attempted.
    pub action: Action,
    /// The guardrails that it failed.
    pub faults: Faults,
    /// What authority did.
    pub ruling: Ruling,
    /// The public move that came of it; `None` where it was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Move>,
}

/// How a negotiation ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// A deal on `offer`, accepted by `by`.
    Agreement {
        /// The package.
        offer: Offer,
        /// Who accepted.
        by: Seat,
    },
    /// One side left.
    WalkedAway {
        /// Who left.
        by: Seat,
    },
    /// Time ran out.
    Deadline,
    /// The hazard struck.
    BrokenOff,
}

/// How and when a negotiation ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// How.
    pub ending: Ending,
    /// The round of the last move, from 0.
    pub round: u16,
}

impl Outcome {
    /// The agreed package.
    #[must_use]
    pub fn agreement(&self) -> Option<&Offer> {
        match &self.ending {
            Ending::Agreement { offer, .. } => Some(offer),
            Ending::WalkedAway { .. } | Ending::Deadline | Ending::BrokenOff => None,
        }
    }
}
