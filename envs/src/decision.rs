//! What an agent answers in its turn, and what it shows for it.

use crate::action::{Action, Intent};
use crate::message::Message;
use crate::outcome::Offer;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// An agent's answer in one turn. All but the action is evidence for the audit record: authority never reads it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// What it asks the software to do.
    pub action: Action,
    /// What the strategy means by it, where it thinks in intents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<Intent>,
    /// What it says with it; a strategist that leaves speech to a speaker says nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Message>,
    /// The packages that it weighed, in the order that it weighed them; empty where it weighed none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
    /// What it believes of the other side; empty where it holds no beliefs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beliefs: Vec<Belief>,
}

impl From<Action> for Decision {
    fn from(action: Action) -> Self {
        Self { action, intent: None, message: None, alternatives: Vec::new(), beliefs: Vec::new() }
    }
}

impl Decision {
    /// This decision, meant as `intent`.
    #[must_use]
    pub fn meaning(self, intent: Intent) -> Self {
        Self { intent: Some(intent), ..self }
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
}

/// An interval belief about one private parameter of the other side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Belief {
    /// The parameter's name, as [`crate::PartyPrior::parameter_names`] gives it.
    pub parameter: Arc<str>,
    /// Lower end, in the prior's units.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// The probability, in `(0, 1)`, that the agent gives to the interval.
    pub level: f64,
}
