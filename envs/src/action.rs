//! What a party may do in its turn, and the strategy's seven intents.

use crate::message::Message;
use crate::outcome::{Offer, Terms};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The strategy's seven actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// An aggressive opening.
    OpenAnchor,
    /// A small step towards the other side.
    ConcedeSmall,
    /// No movement in own utility.
    HoldFirm,
    /// A binding offer chosen to probe the other side's reservation or trade-offs.
    ExploreZopa,
    /// Best and final.
    MakeFinal,
    /// Takes the standing offer.
    Accept,
    /// Walks away.
    Reject,
}

impl Intent {
    /// All intents, in the order of the discrete action space.
    pub const ALL: [Self; 7] = [
        Self::OpenAnchor,
        Self::ConcedeSmall,
        Self::HoldFirm,
        Self::ExploreZopa,
        Self::MakeFinal,
        Self::Accept,
        Self::Reject,
    ];

    /// The intent's name in records and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAnchor => "open_anchor",
            Self::ConcedeSmall => "concede_small",
            Self::HoldFirm => "hold_firm",
            Self::ExploreZopa => "explore_zopa",
            Self::MakeFinal => "make_final",
            Self::Accept => "accept",
            Self::Reject => "reject",
        }
    }
}

impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a party asks the software to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Makes a binding offer.
    Offer {
        /// Its terms, unchecked.
        terms: Terms,
        /// Declared best and final.
        is_final: bool,
    },
    /// Takes the other side's standing offer.
    Accept,
    /// A turn without an offer.
    Pass,
    /// Ends the negotiation without a deal.
    WalkAway,
    /// No action: a complete reply that nothing valid could be read from. The last own offer is repeated (none: the turn
    /// passes); the third of a negotiation walks away.
    Forfeit,
}

impl Action {
    /// A plain offer.
    #[must_use]
    pub fn offer(offer: Offer) -> Self {
        Self::Offer { terms: Terms::Offer(offer), is_final: false }
    }

    /// A best and final offer.
    #[must_use]
    pub fn final_offer(offer: Offer) -> Self {
        Self::Offer { terms: Terms::Offer(offer), is_final: true }
    }
}

/// What was done in a turn, after authority: public.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// An offer on the table.
    Offer {
        /// Its package.
        offer: Offer,
        /// Declared best and final.
        is_final: bool,
    },
    /// The standing offer was taken.
    Accept,
    /// A turn without an offer.
    Pass,
    /// The negotiation was left.
    WalkAway,
}

/// One public turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// Who moved.
    pub seat: crate::Seat,
    /// In which round, from 0.
    pub round: u16,
    /// What was done.
    pub act: Act,
    /// What was said with it, where anything was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
}

impl Move {
    /// The package on the table, where the move was an offer.
    #[must_use]
    pub fn offer(&self) -> Option<&Offer> {
        match &self.act {
            Act::Offer { offer, .. } => Some(offer),
            Act::Accept | Act::Pass | Act::WalkAway => None,
        }
    }
}
