//! Many environments stepped at once into the caller's buffers.

use super::lane::{Lane, Telling};
use super::{ActionSpace, EnvironmentConfig, ObservationSpec, Setting, StepError};
use crate::negotiation::Negotiation;
use crate::source::ScenarioSource;
use serde::{Deserialize, Serialize};

/// When an environment whose episode ended starts the next: Gymnasium's three modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AutoresetMode {
    /// The step after the last one resets: it ignores the action and returns the new episode's first observation, reward 0 and both
    /// flags false. The last step's observation is the ended episode's own.
    #[default]
    NextStep,
    /// The last step resets too: reward and flags are the ended episode's, the observation is the new one's first, and the
    /// ended episode's last observation goes to `final_observations`.
    SameStep,
    /// Nothing resets by itself: stepping an environment whose episode ended is an error until the caller resets it by mask.
    Disabled,
}

/// Where a vector writes; all of it belongs to the caller.
///
/// # Shapes
/// With n environments, d numbers an observation and m flags a mask, row by row.
#[derive(Debug)]
pub struct Buffers<'a> {
    /// `[n, d]`
    pub observations: &'a mut [f32],
    /// `[n]`
    pub rewards: &'a mut [f64],
    /// `[n]`: the negotiation ended.
    pub terminated: &'a mut [bool],
    /// `[n]`: the step limit was reached, the negotiation would have gone on.
    pub truncated: &'a mut [bool],
    /// `[n, m]`: what is legal after the observation.
    pub masks: &'a mut [bool],
    /// `[n, d]`, written in [`AutoresetMode::SameStep`] in the rows of environments whose episode ended, and nowhere else. May
    /// be empty in the other modes, where the observation itself is the final one.
    pub final_observations: &'a mut [f32],
}

/// Arrays of the shapes that [`Buffers`] asks for, for callers that have none of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrays {
    /// `[n, d]`
    pub observations: Vec<f32>,
    /// `[n]`
    pub rewards: Vec<f64>,
    /// `[n]`
    pub terminated: Vec<bool>,
    /// `[n]`
    pub truncated: Vec<bool>,
    /// `[n, m]`
    pub masks: Vec<bool>,
    /// `[n, d]`
    pub final_observations: Vec<f32>,
}

impl Arrays {
    /// Zeros and falses for `n` environments with `d` numbers an observation and `m` flags a mask.
    #[must_use]
    pub fn zeros(n: usize, d: usize, m: usize) -> Self {
        Self {
            observations: vec![0.0; n * d],
            rewards: vec![0.0; n],
            terminated: vec![false; n],
            truncated: vec![false; n],
            masks: vec![false; n * m],
            final_observations: vec![0.0; n * d],
        }
    }

    /// All of them, to be written.
    pub fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            observations: &mut self.observations,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            masks: &mut self.masks,
            final_observations: &mut self.final_observations,
        }
    }
}

impl<'a> Buffers<'a> {
    /// The buffers of the first `mid` environments of `n`, and of the others.
    ///
    /// # Panics
    /// Where `mid` exceeds `n`, or a buffer is shorter than its shape says.
    #[must_use]
    pub fn split_at_mut(self, mid: usize, n: usize) -> (Self, Self) {
        fn cut<T>(buffer: &mut [T], mid: usize, n: usize) -> (&mut [T], &mut [T]) {
            let width = buffer.len().checked_div(n).unwrap_or(0);
            buffer.split_at_mut(mid * width)
        }
        let observations = cut(self.observations, mid, n);
        let rewards = cut(self.rewards, mid, n);
        let terminated = cut(self.terminated, mid, n);
        let truncated = cut(self.truncated, mid, n);
        let masks = cut(self.masks, mid, n);
        let finals = cut(self.final_observations, mid, n);
        let side = |observations: &'a mut [f32],
                    rewards: &'a mut [f64],
                    terminated: &'a mut [bool],
                    truncated: &'a mut [bool],
                    masks: &'a mut [bool],
                    final_observations: &'a mut [f32]| Self {
            observations,
            rewards,
            terminated,
            truncated,
            masks,
            final_observations,
        };
        (
            side(observations.0, rewards.0, terminated.0, truncated.0, masks.0, finals.0),
            side(observations.1, rewards.1, terminated.1, truncated.1, masks.1, finals.1),
        )
    }
}

/// `n` environments over one source.
///
/// After a reset at episode `first`, environment k plays the episodes `first + k`, `first + k + n`, `first + k + 2n`, ...:
/// its own sub-sequence, whatever the others do, however the vector is cut into slices and whichever thread steps a slice.
/// The source holds the seed.
///
/// What counterparts say is left out: no observation and no action has a place for it, and it changes no move, reward or score of
/// the agent. [`Self::negotiation`] has their moves without words; [`super::Environment`] has both.
///
/// Nothing is allocated by a step or by the resets in it, once every environment has played its longest negotiation, at the levels
/// of intents and offers; but drawn mandates, the contracts of a series and the agent's own words are.
#[derive(Clone, Debug)]
pub struct VectorEnvironment<S> {
    setting: Setting<S>,
    mode: AutoresetMode,
    lanes: Vec<Lane>,
}

impl<S: ScenarioSource> VectorEnvironment<S> {
    /// `n` environments, to be reset before their first step.
    ///
    /// # Errors
    /// Where the source's scenarios have no counterpart.
    pub fn new(source: S, config: EnvironmentConfig, n: usize, mode: AutoresetMode) -> Result<Self, StepError> {
        let setting = Setting::new(source, config);
        let lanes = (0..n).map(|k| Lane::new(&setting, k as u64, n as u64, false)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { setting, mode, lanes })
    }

    /// How many environments there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lanes.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }

    /// The actions of each environment.
    #[must_use]
    pub fn action_space(&self) -> &ActionSpace {
        &self.setting.actions
    }

    /// What the numbers of an observation mean.
    #[must_use]
    pub fn observation_spec(&self) -> &ObservationSpec {
        &self.setting.observations
    }

    /// When environments reset by themselves.
    #[must_use]
    pub fn autoreset_mode(&self) -> AutoresetMode {
        self.mode
    }

    /// Arrays for all environments.
    #[must_use]
    pub fn arrays(&self) -> Arrays {
        Arrays::zeros(self.len(), self.setting.observations.width(), self.setting.actions.mask_width())
    }

    /// Environment `k`'s negotiation, hidden types included: for scorers, never for agents.
    #[must_use]
    pub fn negotiation(&self, k: usize) -> Option<&Negotiation> {
        self.lanes.get(k).map(Lane::negotiation)
    }

    /// The number of environment `k`'s running, or last, episode.
    #[must_use]
    pub fn episode(&self, k: usize) -> Option<u64> {
        self.lanes.get(k).map(Lane::episode)
    }

    /// All environments as one slice, to be split among threads.
    pub fn as_slice_mut(&mut self) -> VectorSlice<'_, S> {
        VectorSlice { setting: &self.setting, mode: self.mode, offset: 0, lanes: &mut self.lanes }
    }

    /// Resets all environments; see [`VectorSlice::reset`].
    ///
    /// # Errors
    /// As there.
    pub fn reset(&mut self, first: Option<u64>, buffers: &mut Buffers<'_>) -> Result<(), StepError> {
        self.as_slice_mut().reset(first, None, buffers)
    }

    /// Steps all environments; see [`VectorSlice::step`].
    ///
    /// # Errors
    /// As there.
    pub fn step(&mut self, actions: &[i64], buffers: &mut Buffers<'_>) -> Result<(), StepError> {
        self.as_slice_mut().step(actions, buffers)
    }
}

/// Some neighbouring environments of a vector, borrowed: slices of one vector can be stepped by different threads.
#[derive(Debug)]
pub struct VectorSlice<'a, S> {
    setting: &'a Setting<S>,
    mode: AutoresetMode,
    offset: usize,
    lanes: &'a mut [Lane],
}

impl<'a, S: ScenarioSource> VectorSlice<'a, S> {
    /// How many environments there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lanes.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }

    /// The first `mid` environments, and the others.
    ///
    /// # Panics
    /// Where `mid` exceeds their number.
    #[must_use]
    pub fn split_at_mut(self, mid: usize) -> (Self, Self) {
        let (setting, mode, offset) = (self.setting, self.mode, self.offset);
        let (left, right) = self.lanes.split_at_mut(mid);
        (Self { setting, mode, offset, lanes: left }, Self { setting, mode, offset: offset + mid, lanes: right })
    }

    /// Resets all environments, or those that `mask` (`[n]`) marks, and writes their rows; the rows of others stay as they are.
    ///
    /// With `first`, environment k of the whole vector starts at episode `first + k`; without, each goes on with its own next
    /// episode.
    ///
    /// # Errors
    /// Where a buffer has the wrong length or a scenario no counterpart.
    pub fn reset(
        &mut self,
        first: Option<u64>,
        mask: Option<&[bool]>,
        buffers: &mut Buffers<'_>,
    ) -> Result<(), StepError> {
        self.check_shapes(buffers)?;
        if let Some(mask) = mask {
            check_length("mask", mask.len(), self.lanes.len())?;
        }
        for (position, lane) in self.lanes.iter_mut().enumerate() {
            if mask.is_some_and(|mask| !mask[position]) {
                continue;
            }
            if let Some(first) = first {
                lane.seek(first.wrapping_add((self.offset + position) as u64));
            }
            lane.reset(self.setting)?;
            buffers.rewards[position] = 0.0;
            buffers.terminated[position] = false;
            buffers.truncated[position] = false;
            self.setting.write_row(lane, position, buffers);
        }
        Ok(())
    }

    /// Steps every environment. `actions` is `[n, width of the action space]`, row by row; the rows of environments that this step
    /// resets ([`AutoresetMode::NextStep`]) are not looked at.
    ///
    /// # Errors
    /// Where a buffer has the wrong length, a number is no action, or an environment needs a reset first (in
    /// [`AutoresetMode::Disabled`], and before the first reset): then no environment was stepped. Where an autoreset meets a
    /// scenario without a counterpart: then those before it were.
    pub fn step(&mut self, actions: &[i64], buffers: &mut Buffers<'_>) -> Result<(), StepError> {
        self.check_shapes(buffers)?;
        let width = self.setting.actions.width();
        check_length("actions", actions.len(), self.lanes.len() * width)?;
        let next_step = self.mode == AutoresetMode::NextStep;
        let stuck = |lane: &Lane| lane.needs_reset() && !(next_step && lane.was_reset());
        if let Some(position) = self.lanes.iter().position(stuck) {
            return Err(StepError::NeedsReset { environment: self.offset + position });
        }
        let is_read = |position: usize| !self.lanes[position].needs_reset();
        self.setting.actions.check_rows(self.offset, actions, is_read)?;
        let mut unasked = Telling::default();
        for (position, (lane, row)) in self.lanes.iter_mut().zip(actions.chunks_exact(width)).enumerate() {
            if lane.needs_reset() {
                lane.reset(self.setting)?;
                buffers.rewards[position] = 0.0;
                buffers.terminated[position] = false;
                buffers.truncated[position] = false;
                self.setting.write_row(lane, position, buffers);
                continue;
            }
            let signal = match self.setting.actions.intent(row) {
                Some(intent) => lane.play_intent(self.setting, intent, &mut unasked),
                None => lane.step(self.setting, self.setting.actions.decode(row), &mut unasked),
            };
            buffers.rewards[position] = signal.reward;
            buffers.terminated[position] = signal.terminated;
            buffers.truncated[position] = signal.truncated;
            if self.mode == AutoresetMode::SameStep && lane.needs_reset() {
                let d = self.setting.observations.width();
                lane.observe(&self.setting.observations, &mut buffers.final_observations[position * d..][..d]);
                lane.reset(self.setting)?;
            }
            self.setting.write_row(lane, position, buffers);
        }
        Ok(())
    }

    fn check_shapes(&self, buffers: &Buffers<'_>) -> Result<(), StepError> {
        let n = self.lanes.len();
        let (d, m) = (self.setting.observations.width(), self.setting.actions.mask_width());
        check_length("observations", buffers.observations.len(), n * d)?;
        check_length("rewards", buffers.rewards.len(), n)?;
        check_length("terminated", buffers.terminated.len(), n)?;
        check_length("truncated", buffers.truncated.len(), n)?;
        check_length("masks", buffers.masks.len(), n * m)?;
        if self.mode == AutoresetMode::SameStep || !buffers.final_observations.is_empty() {
            check_length("final_observations", buffers.final_observations.len(), n * d)?;
        }
        Ok(())
    }
}

impl<S> Setting<S> {
    fn write_row(&self, lane: &Lane, position: usize, buffers: &mut Buffers<'_>) {
        let (d, m) = (self.observations.width(), self.actions.mask_width());
        lane.observe(&self.observations, &mut buffers.observations[position * d..][..d]);
        lane.write_mask(&self.actions, &mut buffers.masks[position * m..][..m]);
    }
}

fn check_length(buffer: &'static str, found: usize, expected: usize) -> Result<(), StepError> {
    if found == expected { Ok(()) } else { Err(StepError::Shape { buffer, found, expected }) }
}
