//! The three action levels over the same rules, as numbers that learners choose.

use super::StepError;
use crate::action::{Action, Intent};
use crate::message::Message;
use crate::outcome::{Offer, OutcomeSpace};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How finely a learner decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionLevel {
    /// One of seven intents; software finds the offer ([`crate::intent::realise`]).
    #[default]
    Intents,
    /// One value an issue, or accept, or reject.
    Offers,
    /// An offer, a best and final offer, accept, pass or reject, with words of one's own.
    DialogueActs,
}

/// One number of an action.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionComponent {
    /// `intent`, `act`, or an issue's name.
    pub name: Arc<str>,
    /// The component takes `0..size`.
    pub size: u32,
    /// What each number means; empty for issues, whose grid says it.
    pub labels: Vec<Arc<str>>,
}

/// The actions of an environment: Gymnasium's `Discrete` where there is one component, else its `MultiDiscrete`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionSpace {
    /// The level.
    pub level: ActionLevel,
    /// The numbers of an action, in order. What follows an `act` other than an offer is ignored, but must be in range.
    pub components: Vec<ActionComponent>,
}

const OFFER_ACTS: [&str; 3] = ["offer", "accept", "reject"];
const DIALOGUE_ACTS: [&str; 5] = ["offer", "final_offer", "accept", "pass", "reject"];

impl ActionSpace {
    /// The space of `level` over the issues of `space`.
    #[must_use]
    pub fn new(level: ActionLevel, space: &OutcomeSpace) -> Self {
        let named = |name: &str, labels: &[&str]| ActionComponent {
            name: name.into(),
            size: labels.len() as u32,
            labels: labels.iter().map(|&label| label.into()).collect(),
        };
        let issues = space.issues().iter().map(|issue| ActionComponent {
            name: issue.name.clone(),
            size: issue.len(),
            labels: Vec::new(),
        });
        let components = match level {
            ActionLevel::Intents => vec![named("intent", &Intent::ALL.map(Intent::name))],
            ActionLevel::Offers => std::iter::once(named("act", &OFFER_ACTS)).chain(issues).collect(),
            ActionLevel::DialogueActs => std::iter::once(named("act", &DIALOGUE_ACTS)).chain(issues).collect(),
        };
        Self { level, components }
    }

    /// How many numbers an action has.
    #[must_use]
    pub fn width(&self) -> usize {
        self.components.len()
    }

    /// Length of a legality mask: one flag a value of the first component; every other component is free.
    #[must_use]
    pub fn mask_width(&self) -> usize {
        self.components.first().map_or(0, |component| component.size as usize)
    }

    /// Writes which values of the first component are legal now. Only the rules count: accepting needs an offer by the other
    /// side. Neither guardrails nor the mandate are looked at.
    pub(super) fn write_mask(&self, can_accept: bool, mask: &mut [bool]) {
        let accept = match self.level {
            ActionLevel::Intents => Intent::Accept as usize,
            ActionLevel::Offers => 1,
            ActionLevel::DialogueActs => 2,
        };
        mask.fill(true);
        if let Some(legal) = mask.get_mut(accept) {
            *legal = can_accept;
        }
    }

    /// Tests that `row` is an action of this space.
    pub(super) fn check(&self, environment: usize, row: &[i64]) -> Result<(), StepError> {
        for (component, &value) in self.components.iter().zip(row) {
            if value < 0 || value >= i64::from(component.size) {
                let (name, size) = (component.name.clone(), component.size);
                return Err(StepError::OutOfRange { environment, component: name, value, size });
            }
        }
        Ok(())
    }

    /// The intent that `row` means at the level of intents; `row` has passed [`Self::check`].
    #[inline]
    pub(super) fn intent(&self, row: &[i64]) -> Option<Intent> {
        if self.level == ActionLevel::Intents { Some(Intent::ALL[row[0] as usize]) } else { None }
    }

    /// The action that `row` means; `row` has passed [`Self::check`].
    #[inline]
    pub(super) fn decode(&self, row: &[i64]) -> Choice {
        let offer = || {
            let mut offer = Offer::new(&[0; 6][..(row.len() - 1).min(6)]);
            if row.len() > 7 {
                offer = Offer::new(&row[1..].iter().map(|&index| index as u32).collect::<Vec<_>>());
            } else {
                for (issue, &index) in row[1..].iter().enumerate() {
                    offer.set(issue, index as u32);
                }
            }
            offer
        };
        let action = match (self.level, row[0]) {
            (ActionLevel::Intents, intent) => return Choice::Intent(Intent::ALL[intent as usize]),
            (_, 0) => Action::offer(offer()),
            (ActionLevel::DialogueActs, 1) => Action::final_offer(offer()),
            (ActionLevel::Offers, 1) | (ActionLevel::DialogueActs, 2) => Action::Accept,
            (ActionLevel::DialogueActs, 3) => Action::Pass,
            _ => Action::WalkAway,
        };
        Choice::Act { action, message: None }
    }
}

/// What an agent chose, at any level.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// An intent, for software to realise.
    Intent(Intent),
    /// An action of its own, with or without words.
    Act {
        /// What it does.
        action: Action,
        /// What it says; at the level of dialogue acts only.
        message: Option<Message>,
    },
}

impl Choice {
    /// Whether `level` offers this choice.
    pub(super) fn is_of(&self, level: ActionLevel) -> bool {
        match (level, self) {
            (ActionLevel::Intents, Self::Intent(_)) | (ActionLevel::DialogueActs, Self::Act { .. }) => true,
            (ActionLevel::Offers, Self::Act { action, message: None }) => {
                matches!(action, Action::Offer { is_final: false, .. } | Action::Accept | Action::WalkAway)
            }
            _ => false,
        }
    }
}

impl From<Intent> for Choice {
    fn from(intent: Intent) -> Self {
        Self::Intent(intent)
    }
}

impl From<Action> for Choice {
    fn from(action: Action) -> Self {
        Self::Act { action, message: None }
    }
}
