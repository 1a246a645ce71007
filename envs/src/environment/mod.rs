//! The game as reinforcement learning knows it: reset, step, observations, rewards, masks.
//!
//! An environment is one seat of a negotiation against the scenario's counterpart. It adds nothing to the rules: every
//! action goes through [`Negotiation::submit`], every observation is made from a [`PartyView`].
//!
//! Time: one step is one *attempt* of the agent and, where that was not refused, the counterpart's answer. After a
//! refusal the same side is still to move, at most [`crate::negotiation::REFUSALS_PER_TURN`] times. The deadline, like a break-off, is part of
//! the game and *terminates* an episode; only [`EnvironmentConfig::truncate_after`] truncates.
//!
//! Where the source's episodes are series of contracts, one episode is the whole series: the step that ends a contract's
//! negotiation pays for it ([`Reward`]), tells of it in [`Info::concluded`] and shows the next contract's first observation; the
//! episode terminates with the last one.
//!
//! Two things are otherwise than Gymnasium has them. [`Environment::reset`] takes an episode's number where that takes a seed: the
//! source holds the seed, and source and number fix the episode. And a vector returns no infos: what [`AutoresetMode::SameStep`]
//! keeps of an ended episode is its final observation, and there is no `final_info`. In the other modes
//! [`VectorEnvironment::negotiation`] still is the ended one until it is reset.

mod action_space;
mod dialogue_act;
mod lane;
mod observation;
mod reward;
mod trail;
mod vector;

pub use action_space::{ActionComponent, ActionLevel, ActionSpace, Choice};
pub use dialogue_act::{
    DialogueAct, PROMISED_DELIVERY, PROMISED_SERVICE, PROMISED_UNITS, PROMISED_WARRANTY, PromiseSet, Words,
};
pub use observation::{ObservationEntry, ObservationSpec};
pub use reward::{AGREEMENT, EFFICIENCY, RAPPORT, Reward, VIOLATION};
pub use trail::{Trail, Trails};
pub use vector::{Arrays, AutoresetMode, Buffers, VectorEnvironment, VectorSlice};

use crate::event::Ruling;
use crate::guardrail::Faults;
use crate::negotiation::Negotiation;
use crate::relationship::{PastContract, Series};
use crate::source::ScenarioSource;
use crate::view::PartyView;
use lane::{Lane, Ruled, Telling};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

/// How an environment is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EnvironmentConfig {
    /// How finely the learner decides; intents by default.
    pub level: ActionLevel,
    /// What it is rewarded for; surplus by default.
    pub reward: Reward,
    /// Steps after which an episode that goes on is truncated; never by default.
    pub truncate_after: Option<u32>,
}

/// Why an environment could not be made, reset or stepped. A step that fails changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StepError {
    /// There is no running episode.
    #[error("environment {environment} has no running episode: reset it before the next step")]
    NeedsReset {
        /// Which of the vector; 0 for a single environment.
        environment: usize,
    },
    /// A scenario leaves the other side to an agent.
    #[error("episode {episode} has no counterpart: environments play scripted counterparts only")]
    NoCounterpart {
        /// Which.
        episode: u64,
    },
    /// A number that the action space does not have.
    #[error("environment {environment}: {component} is {value}, but must lie in 0..{size}")]
    OutOfRange {
        /// Which of the vector; 0 for a single environment.
        environment: usize,
        /// The component of the action.
        component: Arc<str>,
        /// What was given.
        value: i64,
        /// How many values it has.
        size: u32,
    },
    /// A series without a contract.
    #[error("episode {episode} is a series without a contract: a source draws at least one")]
    NoContract {
        /// Which.
        episode: u64,
    },
    /// An action of another level.
    #[error("this choice does not belong to the action level {level:?}")]
    WrongLevel {
        /// The environment's level.
        level: ActionLevel,
    },
    /// A buffer of the wrong length.
    #[error("buffer \"{buffer}\" holds {found} entries, but {expected} are needed")]
    Shape {
        /// Which.
        buffer: &'static str,
        /// Its length.
        found: usize,
        /// The length that it must have.
        expected: usize,
    },
}

/// What every lane of a vector shares.
#[derive(Clone, Debug)]
struct Setting<S> {
    source: S,
    /// Whether episodes are series of contracts.
    repeats: bool,
    config: EnvironmentConfig,
    actions: ActionSpace,
    observations: ObservationSpec,
}

impl<S: ScenarioSource> Setting<S> {
    fn new(source: S, config: EnvironmentConfig) -> Self {
        let first = source.scenario(0);
        let actions = ActionSpace::new(config.level, &first.public.space);
        let repeats = source.series(0).is_some();
        let observations =
            if repeats { ObservationSpec::of_series(&first.public) } else { ObservationSpec::new(&first.public) };
        Self { source, repeats, config, actions, observations }
    }
}

/// What a step, or a reset, tells besides the observation.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// Which values of the action's first component are legal now.
    pub mask: Vec<bool>,
    /// What authority did with the action; `None` after a reset, and where the negotiation had ended before the agent's
    /// first turn.
    pub ruling: Option<Ruling>,
    /// The guardrails that the action failed.
    pub faults: Faults,
    /// Promises and disclosures in its words that nobody authorised.
    pub unauthorised: u32,
    /// Questions that it put to a person.
    pub escalations: u32,
    /// The number of the contract that the observation is of, from 0; always 0 where episodes are single negotiations.
    pub contract: u16,
    /// The contract of a series that this step concluded, as both sides remember it: the boundary between two contracts. The
    /// observation beside it is the next contract's first, where one follows.
    pub concluded: Option<PastContract>,
}

/// What came of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// `[width]`, as [`Environment::observation_spec`] names it.
    pub observation: Vec<f32>,
    /// The reward.
    pub reward: f64,
    /// The negotiation has ended.
    pub terminated: bool,
    /// The step limit was reached; the negotiation would have gone on.
    pub truncated: bool,
    /// What else there is to know.
    pub info: Info,
}

/// One environment, with Gymnasium's `reset` and `step`.
///
/// ```text
/// let mut environment = Environment::new(source, EnvironmentConfig::default())?;
/// let (observation, info) = environment.reset(Some(0))?;
/// let step = environment.step(Intent::OpenAnchor)?;
/// ```
#[derive(Clone, Debug)]
pub struct Environment<S> {
    setting: Setting<S>,
    lane: Lane,
}

impl<S: ScenarioSource> Environment<S> {
    /// An environment over `source`, to be reset before its first step.
    ///
    /// # Errors
    /// Where the source's scenarios have no counterpart.
    pub fn new(source: S, config: EnvironmentConfig) -> Result<Self, StepError> {
        let setting = Setting::new(source, config);
        let lane = Lane::new(&setting, 0, 1, true)?;
        Ok(Self { setting, lane })
    }

    /// Starts an episode: number `episode` of the source, which holds the seed; or without a number the one after the last.
    /// The same source and number give the same episode, whatever was played before.
    ///
    /// # Errors
    /// Where the scenario has no counterpart.
    pub fn reset(&mut self, episode: Option<u64>) -> Result<(Vec<f32>, Info), StepError> {
        if let Some(episode) = episode {
            self.lane.seek(episode);
        }
        self.lane.reset(&self.setting)?;
        Ok((self.observation(), self.info(Telling::default())))
    }

    /// Makes the agent's move and, unless that was refused, the counterpart's.
    ///
    /// A counterpart that ends the negotiation before the agent's first turn leaves an episode of one step: it terminates
    /// whatever is chosen.
    ///
    /// # Errors
    /// Where no episode runs, or the choice is not of this environment's level.
    pub fn step(&mut self, choice: impl Into<Choice>) -> Result<Step, StepError> {
        let choice = choice.into();
        let level = self.setting.config.level;
        if !choice.is_of(level) {
            return Err(StepError::WrongLevel { level });
        }
        self.lane.check(0)?;
        let mut telling = Telling { ruled: self.lane.is_running().then_some(Ruled::APPLIED), concluded: None };
        let signal = self.lane.step(&self.setting, choice, &mut telling);
        Ok(Step {
            observation: self.observation(),
            reward: signal.reward,
            terminated: signal.terminated,
            truncated: signal.truncated,
            info: self.info(telling),
        })
    }

    /// As [`Self::step`], with the action as the numbers of [`Self::action_space`].
    ///
    /// # Errors
    /// Where no episode runs, or the numbers are no action.
    pub fn step_numbers(&mut self, action: &[i64]) -> Result<Step, StepError> {
        let expected = self.setting.actions.width();
        if action.len() != expected {
            return Err(StepError::Shape { buffer: "actions", found: action.len(), expected });
        }
        self.setting.actions.check(0, action)?;
        self.step(self.setting.actions.decode(action))
    }

    /// The actions.
    #[must_use]
    pub fn action_space(&self) -> &ActionSpace {
        &self.setting.actions
    }

    /// What the numbers of an observation mean.
    #[must_use]
    pub fn observation_spec(&self) -> &ObservationSpec {
        &self.setting.observations
    }

    /// What the agent sees.
    #[must_use]
    pub fn view(&self) -> PartyView<'_> {
        self.lane.view()
    }

    /// The number of the running, or last, episode.
    #[must_use]
    pub fn episode(&self) -> u64 {
        self.lane.episode()
    }

    /// The negotiation, hidden types included: for scorers, never for agents.
    #[must_use]
    pub fn negotiation(&self) -> &Negotiation {
        self.lane.negotiation()
    }

    /// The series that the episode is, hidden types included; `None` where it is a single negotiation.
    #[must_use]
    pub fn series(&self) -> Option<&Series> {
        self.lane.series()
    }

    fn observation(&self) -> Vec<f32> {
        let mut observation = vec![0.0; self.setting.observations.width()];
        self.lane.observe(&self.setting.observations, &mut observation);
        observation
    }

    fn info(&self, telling: Telling) -> Info {
        let mut mask = vec![false; self.setting.actions.mask_width()];
        self.lane.write_mask(&self.setting.actions, &mut mask);
        let Telling { ruled, concluded } = telling;
        let ruling = ruled.as_ref().map(|ruled| ruled.ruling.clone());
        let Ruled { faults, unauthorised, escalations, .. } = ruled.unwrap_or(Ruled::APPLIED);
        let contract = self.lane.contract();
        Info { mask, ruling, faults, unauthorised, escalations, contract, concluded }
    }
}
