//! What an agent answers in its turn, and what it shows for it.

use crate::action::{Action, Intent};
use crate::digest::{Canonical, Hasher};
use crate::message::Message;
use crate::outcome::Offer;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An agent's answer in one turn. Authority reads the action, the message and whether to escalate; the rest is evidence for
/// the audit record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// What it asks the software to do.
    pub action: Action,
    /// What the strategy means by it, where it thinks in intents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<Intent>,
    /// Whether it asks a person to approve the action: one within the mandate, or one that a person may except from it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub escalate: bool,
    /// What it says with it; a strategist that leaves speech to a speaker says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// The packages that it weighed, in the order that it weighed them; empty where it weighed none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
    /// What it believes of the other side; empty where it holds no beliefs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beliefs: Vec<Belief>,
    /// Why, in the words and numbers of who decided; `None` where it gives no reasons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rationale: Option<Box<Rationale>>,
}

impl From<Action> for Decision {
    fn from(action: Action) -> Self {
        let (alternatives, beliefs) = (Vec::new(), Vec::new());
        Self { action, intent: None, escalate: false, message: None, alternatives, beliefs, rationale: None }
    }
}

impl Decision {
    /// This decision, meant as `intent`.
    #[must_use]
    pub fn meaning(self, intent: Intent) -> Self {
        Self { intent: Some(intent), ..self }
    }

    /// This decision, put to a person for approval.
    #[must_use]
    pub fn escalated(self) -> Self {
        Self { escalate: true, ..self }
    }
}

/// One package that an agent weighed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alternative {
    /// The package.
    pub offer: Offer,
    /// What it is worth to the agent if it is agreed on: own gain, undiscounted.
    pub value: f64,
    /// The agent's estimate, in `[0, 1]`, of the chance that the other side accepts it; `None` where it makes none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acceptance: Option<f64>,
    /// What the agent expects of making or taking it now, in units of utility, with what follows where it is refused; `None`
    /// where it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<f64>,
}

/// Why a decision was taken, for the audit record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rationale {
    /// Who decided, with its version: "solver 3".
    pub solver: Arc<str>,
    /// The belief in words.
    pub belief: String,
    /// The belief's share of each way in which the other side may behave, the largest first.
    pub families: Vec<(Arc<str>, f64)>,
    /// What the other side's next offer is expected to gain the own side, in units of utility: lower end, middle and upper
    /// end of a central interval of 90 %; `None` where no offer is expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_offer: Option<[f64; 3]>,
    /// Limits that kept better actions out, in words.
    pub constraints: Vec<String>,
    /// What was expected of waiting and of leaving, in units of utility.
    pub waiting: f64,
    /// Nodes searched.
    pub nodes: u32,
}

/// An interval belief about one private parameter of the other side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Belief {
    /// The parameter's name, as [`crate::PartyPrior::parameter_names`] gives it (`disagreement`, which is the reservation value;
    /// an issue's name: for payment days the financing rate), or `family:` and a family's name ([`crate::score::FAMILY`]).
    pub parameter: Arc<str>,
    /// Lower end, in the prior's units.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The probability, in `(0, 1)`, that the agent gives to the interval.
    pub level: f64,
}

/// What an agent believed last in a negotiation: the beliefs of its latest decision that stated any.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeldBeliefs {
    /// In which contract of a series, from 0; 0 in a single negotiation.
    #[serde(default, skip_serializing_if = "is_first")]
    pub contract: u16,
    /// The intervals.
    pub beliefs: Vec<Belief>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_first(contract: &u16) -> bool {
    *contract == 0
}

impl Canonical for Belief {
    fn feed(&self, hasher: &mut Hasher) {
        let Self { parameter, low, high, level } = self;
        parameter.feed(hasher);
        [*low, *high, *level].as_slice().feed(hasher);
    }
}

impl Canonical for HeldBeliefs {
    fn feed(&self, hasher: &mut Hasher) {
        let Self { contract, beliefs } = self;
        contract.feed(hasher);
        beliefs.as_slice().feed(hasher);
    }
}
