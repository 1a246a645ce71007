//! A negotiation before it starts: what is public and what each side keeps to itself.

use crate::counterpart::Counterpart;
use crate::guardrail::Caps;
use crate::issue::IssueRole;
use crate::mandate::Mandate;
use crate::outcome::{Offer, OutcomeSpace};
use crate::party::{PartyType, Seat};
use crate::phase::PhaseBounds;
use crate::principal::Principal;
use crate::prior::{CommonPrior, Distribution};
use crate::tactic::Selection;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A counterpart family as every contender is told of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FamilyNotice {
    /// The family's name.
    pub name: Arc<str>,
    /// Its share of the training mix.
    pub share: f64,
    /// What it does, in words that hold the same numbers as its card.
    pub description: Arc<str>,
    /// The same numbers, for contenders that compute.
    pub numbers: FamilyNumbers,
}

/// What a family's words say, as numbers: no more than [`FamilyNotice::description`] tells.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FamilyNumbers {
    /// What it does: a tactic's or a behaviour's name in suite files.
    pub does: Arc<str>,
    /// What it says: its voice's name in suite files.
    pub says: Arc<str>,
    /// Which package of the wanted gain it offers; `None` where it offers at random.
    pub selection: Option<Selection>,
    /// How each parameter is drawn, by the names that the description uses; the private deadline is one of them.
    pub parameters: Vec<(Arc<str>, Distribution)>,
}

impl FamilyNumbers {
    /// How the parameter of that name is drawn; `None` where the family has none.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&Distribution> {
        self.parameters.iter().find(|(known, _)| **known == *name).map(|(_, distribution)| distribution)
    }
}

/// What both sides, and every contender, know. No seed, index or scenario key is in it, since those would regenerate the
/// hidden types.
#[derive(Clone, Debug, PartialEq)]
pub struct PublicScenario {
    /// The suite's or the domain's name.
    pub name: Arc<str>,
    /// Issues and their values.
    pub space: OutcomeSpace,
    /// What savings are measured from; `None` in domains without one.
    pub status_quo: Option<Offer>,
    /// Rounds at most; one action by each side is a round.
    pub rounds: u16,
    /// Who moves first in every round.
    pub opener: Seat,
    /// When phases end.
    pub phases: PhaseBounds,
    /// The guardrails that bind agents; `None` where they are off.
    pub guardrails: Option<Caps>,
    /// Chance that the negotiation breaks off after a round, each round.
    pub hazard: f64,
    /// Gains at progress t count `discount^t`, buyer first; 1 where time is free.
    pub discount: [f64; 2],
    /// How types are drawn.
    pub prior: CommonPrior,
    /// The training families of counterparts.
    pub families: Arc<[FamilyNotice]>,
    /// Whether the sides talk. With speech, agents that say nothing themselves are spoken for; without it counterparts say
    /// nothing, and no text is ever made.
    pub speech: bool,
}

impl PublicScenario {
    /// The status quo's price in major units, the scale of money scores; `None` in domains without one.
    #[must_use]
    pub fn status_quo_price(&self) -> Option<f64> {
        let price = self.space.role(IssueRole::Price)?;
        self.space.issues()[price].number(self.status_quo.as_ref()?.get(price))
    }

    /// What a gain at progress `t` counts for `seat`.
    #[must_use]
    pub fn discount_at(&self, seat: Seat, t: f64) -> f64 {
        let discount = self.discount[seat.index()];
        if discount == 1.0 { 1.0 } else { libm::pow(discount, t) }
    }
}

/// A whole negotiation before its first move.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What everybody knows.
    pub public: PublicScenario,
    /// Private types, buyer first.
    pub types: [PartyType; 2],
    /// What each principal authorised, buyer first.
    pub mandates: [Mandate; 2],
    /// The people behind both sides, buyer first.
    pub principals: [Principal; 2],
    /// Who the evaluated agent sits at.
    pub seat: Seat,
    /// Who plays the other side, with parameters drawn; `None` where an agent does.
    pub counterpart: Option<Counterpart>,
    /// The round after which the negotiation breaks off, drawn from the hazard; nobody is told.
    pub break_off: Option<u16>,
}
