//! The three action levels over the same rules, as numbers that learners choose.

use super::StepError;
use super::dialogue_act::{DialogueAct, PromiseSet, promises_beside, words_labels, words_of};
use crate::action::{Action, Intent};
use crate::mandate::PromiseKind;
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
    /// An offer, a best and final offer, accept, pass or reject; what is said with it, what is promised beside the terms, and
    /// whether a person is asked ([`DialogueAct`]).
    DialogueActs,
}

/// One number of an action.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionComponent {
    /// `intent`, `act`, an issue's name, `message`, `promise:` and its kind, or `escalate`.
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
    /// The numbers of an action, in order. The issues' numbers beside an `act` other than an offer are ignored, but must be in
    /// range.
    pub components: Vec<ActionComponent>,
    #[serde(skip)]
    issues: usize,
    #[serde(skip)]
    promises: Vec<PromiseKind>,
}

const OFFER_ACTS: [&str; 3] = ["offer", "accept", "reject"];
const DIALOGUE_ACTS: [&str; 5] = ["offer", "final_offer", "accept", "pass", "reject"];
const FLAG: [&str; 2] = ["no", "yes"];

const fn promise_name(kind: PromiseKind) -> &'static str {
    match kind {
        PromiseKind::Exclusivity => "promise:exclusivity",
        PromiseKind::Guarantee => "promise:guarantee",
        PromiseKind::Volume => "promise:volume",
        PromiseKind::Warranty => "promise:warranty",
        PromiseKind::Service => "promise:service",
        PromiseKind::Delivery => "promise:delivery",
    }
}

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
        let promises = if level == ActionLevel::DialogueActs { promises_beside(space) } else { Vec::new() };
        let words = words_labels();
        let said = ActionComponent { name: "message".into(), size: words.len() as u32, labels: words };
        let promised = promises.iter().map(|&kind| named(promise_name(kind), &FLAG));
        let spoken: Vec<_> = std::iter::once(said).chain(promised).chain([named("escalate", &FLAG)]).collect();
        let components = match level {
            ActionLevel::Intents => vec![named("intent", &Intent::ALL.map(Intent::name))],
            ActionLevel::Offers => std::iter::once(named("act", &OFFER_ACTS)).chain(issues).collect(),
            ActionLevel::DialogueActs => {
                std::iter::once(named("act", &DIALOGUE_ACTS)).chain(issues).chain(spoken).collect()
            }
        };
        Self { level, components, issues: space.issues().len(), promises }
    }

    /// How many numbers an action has.
    #[must_use]
    #[inline]
    pub fn width(&self) -> usize {
        self.components.len()
    }

    /// Length of a legality mask: one flag a value of the first component; every other component is free.
    #[must_use]
    #[inline]
    pub fn mask_width(&self) -> usize {
        self.components.first().map_or(0, |component| component.size as usize)
    }

    /// Writes which values of the first component are legal now. Only the rules count: accepting needs an offer by the other
    /// side. Neither guardrails nor the mandate are looked at.
    #[inline]
    pub(super) fn write_mask(&self, can_accept: bool, mask: &mut [bool]) {
        match self.level {
            ActionLevel::Intents => {
                write_legal(Intent::Accept as usize, can_accept, mask.first_chunk_mut::<{ Intent::ALL.len() }>())
            }
            ActionLevel::Offers => write_legal(1, can_accept, mask.first_chunk_mut::<{ OFFER_ACTS.len() }>()),
            ActionLevel::DialogueActs => write_legal(2, can_accept, mask.first_chunk_mut::<{ DIALOGUE_ACTS.len() }>()),
        }
    }

    /// Tests that those of `rows` that are read, told by their position, are actions of this space; the first is environment `first`'s.
    pub(super) fn check_rows(
        &self,
        first: usize,
        rows: &[i64],
        is_read: impl Fn(usize) -> bool,
    ) -> Result<(), StepError> {
        if let [only] = &self.components[..]
            && rows.iter().all(|&value| (0..i64::from(only.size)).contains(&value))
        {
            return Ok(());
        }
        let mut read = rows.chunks_exact(self.width()).enumerate().filter(|&(position, _)| is_read(position));
        read.try_for_each(|(position, row)| self.check(first + position, row))
    }

    /// Tests that `row` is an action of this space.
    #[inline]
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
            let values = &row[1..=self.issues];
            let mut offer = Offer::new(&[0; 6][..values.len().min(6)]);
            if values.len() > 6 {
                offer = Offer::new(&values.iter().map(|&index| index as u32).collect::<Vec<_>>());
            } else {
                for (issue, &index) in values.iter().enumerate() {
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
        match row.get(1 + self.issues..) {
            Some([words, promises @ .., escalate]) if row[1 + self.issues..].iter().any(|&number| number != 0) => {
                let made = self.promises.iter().zip(promises).filter(|&(_, &number)| number != 0);
                let promises = made.fold(PromiseSet::default(), |set, (&kind, _)| set.with(kind));
                Choice::Dialogue(DialogueAct { action, words: words_of(*words), promises, escalate: *escalate != 0 })
            }
            _ => Choice::Act(action),
        }
    }
}

/// Writes a mask of a length known beforehand, which saves a call: accepting may be illegal, all else is legal.
#[inline]
fn write_legal<const N: usize>(accept: usize, can_accept: bool, mask: Option<&mut [bool; N]>) {
    if let Some(mask) = mask {
        *mask = [true; N];
        mask[accept] = can_accept;
    }
}

/// What an agent chose, at any level.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// An intent, for software to realise.
    Intent(Intent),
    /// An action of its own, in silence.
    Act(Action),
    /// An action with words, promises or a question to a person; at the level of dialogue acts only.
    Dialogue(DialogueAct),
}

impl Choice {
    /// Whether `level` offers this choice.
    pub(super) fn is_of(&self, level: ActionLevel) -> bool {
        match (level, self) {
            (ActionLevel::Intents, Self::Intent(_)) | (ActionLevel::DialogueActs, Self::Act(_) | Self::Dialogue(_)) => {
                true
            }
            (ActionLevel::Offers, Self::Act(action)) => {
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
        Self::Act(action)
    }
}

impl From<DialogueAct> for Choice {
    fn from(act: DialogueAct) -> Self {
        Self::Dialogue(act)
    }
}
