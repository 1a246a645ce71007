//! One negotiation of an environment and what has to be remembered beside it.

use super::action_space::{ActionSpace, Choice};
use super::observation::{Fixed, ObservationSpec, Standing};
use super::trail::Trails;
use super::{EnvironmentConfig, Setting, StepError};
use crate::action::{Action, Intent};
use crate::counterpart::Reply;
use crate::event::Ruling;
use crate::guardrail::Faults;
use crate::intent;
use crate::message::Message;
use crate::negotiation::Negotiation;
use crate::party::Seat;
use crate::source::ScenarioSource;
use crate::view::PartyView;

/// What a step tells besides the observation.
#[derive(Clone, Debug)]
pub(super) struct Signal {
    pub(super) reward: f64,
    pub(super) terminated: bool,
    pub(super) truncated: bool,
    pub(super) faults: Faults,
}

/// One sub-environment: its negotiation and its place in its own sequence of episodes.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    negotiation: Negotiation,
    trails: Trails,
    fixed: Fixed,
    seat: Seat,
    steps: u32,
    needs_reset: bool,
    was_reset: bool,
    episode: u64,
    next: u64,
    stride: u64,
}

fn bound(seat: Seat) -> [bool; 2] {
    [seat == Seat::Buyer, seat == Seat::Supplier]
}

impl Lane {
    /// A lane that plays episodes `first`, `first + stride`, ...
    pub(super) fn new<S: ScenarioSource>(setting: &Setting<S>, first: u64, stride: u64) -> Result<Self, StepError> {
        let scenario = setting.source.scenario(first);
        if scenario.counterpart.is_none() {
            return Err(StepError::NoCounterpart { episode: first });
        }
        let seat = scenario.seat;
        let negotiation = Negotiation::new(scenario, bound(seat));
        let (trails, fixed) = (Trails::default(), Fixed::default());
        Ok(Self {
            negotiation,
            trails,
            fixed,
            seat,
            steps: 0,
            needs_reset: true,
            was_reset: false,
            episode: first,
            next: first,
            stride,
        })
    }

    /// The next reset starts episode `episode`.
    pub(super) fn seek(&mut self, episode: u64) {
        self.next = episode;
    }

    pub(super) fn reset<S: ScenarioSource>(&mut self, setting: &Setting<S>) -> Result<(), StepError> {
        let (episode, source) = (self.next, &setting.source);
        self.needs_reset = true;
        self.negotiation.restart(|scenario| {
            source.refill(episode, scenario);
            if scenario.counterpart.is_some() { Ok(()) } else { Err(StepError::NoCounterpart { episode }) }
        })?;
        self.seat = self.negotiation.scenario().seat;
        self.negotiation.bind(bound(self.seat));
        self.episode = episode;
        self.next = episode.wrapping_add(self.stride);
        self.steps = 0;
        self.needs_reset = false;
        self.was_reset = true;
        self.answer();
        let view = self.negotiation.view(self.seat);
        self.trails.restart(&view);
        setting.observations.fix(&view, &mut self.fixed);
        Ok(())
    }

    /// Lets the counterpart move for as long as it is its turn.
    fn answer(&mut self) {
        while self.negotiation.outcome().is_none() && self.negotiation.turn() != self.seat {
            let Some((counterpart, view)) = self.negotiation.counterpart() else { return };
            let Reply { action, message } = counterpart.act(&view);
            self.negotiation.submit(action, None, message);
        }
    }

    /// Whether a step may be made.
    pub(super) fn check(&self, environment: usize) -> Result<(), StepError> {
        if self.needs_reset { Err(StepError::NeedsReset { environment }) } else { Ok(()) }
    }

    pub(super) fn needs_reset(&self) -> bool {
        self.needs_reset
    }

    /// Whether an episode was ever started: the first reset is the caller's in every autoreset mode.
    pub(super) fn was_reset(&self) -> bool {
        self.was_reset
    }

    /// Plays `choice`; [`Self::check`] has passed. What authority did with it is told too, where the negotiation had not ended
    /// before.
    pub(super) fn step(&mut self, config: &EnvironmentConfig, choice: Choice) -> (Signal, Option<Ruling>) {
        match choice {
            Choice::Intent(intent) => self.play_intent(config, intent),
            Choice::Act { action, message } => self.play(config, |_| (action, None, message)),
        }
    }

    /// As [`Self::step`], for an intent.
    #[inline]
    pub(super) fn play_intent(&mut self, config: &EnvironmentConfig, intent: Intent) -> (Signal, Option<Ruling>) {
        self.play(config, |view| (intent::realise(intent, view), Some(intent), None))
    }

    #[inline]
    fn play(
        &mut self,
        config: &EnvironmentConfig,
        choose: impl FnOnce(&PartyView<'_>) -> (Action, Option<Intent>, Option<Message>),
    ) -> (Signal, Option<Ruling>) {
        let mut signal = Signal { reward: 0.0, terminated: false, truncated: false, faults: Faults::default() };
        let mut told = None;
        if self.negotiation.outcome().is_none() {
            let (action, intent, message) = choose(&self.view());
            let (ruling, faults) = self.negotiation.submit_with_faults(action, intent, message);
            let refused = matches!(ruling, Ruling::Refused(_) | Ruling::FellBack(_));
            signal.reward = config.reward.of_action(faults, refused);
            signal.faults = faults;
            told = Some(ruling);
            self.answer();
            self.trails.follow(&self.negotiation.view(self.seat));
        }
        self.steps += 1;
        if let Some(outcome) = self.negotiation.outcome() {
            signal.terminated = true;
            signal.reward += config.reward.of_outcome(&self.negotiation, outcome, self.seat, &self.trails);
        } else {
            signal.truncated = config.truncate_after.is_some_and(|limit| self.steps >= limit);
        }
        self.needs_reset = signal.terminated || signal.truncated;
        (signal, told)
    }

    #[inline(always)]
    pub(super) fn view(&self) -> PartyView<'_> {
        self.negotiation.view(self.seat)
    }

    #[inline]
    pub(super) fn observe(&self, spec: &ObservationSpec, observation: &mut [f32]) {
        spec.write(&Standing::of(&self.negotiation.view(self.seat)), &self.trails, &self.fixed, observation);
    }

    pub(super) fn write_mask(&self, space: &ActionSpace, mask: &mut [bool]) {
        space.write_mask(self.trails.can_accept(), mask);
    }

    pub(super) fn episode(&self) -> u64 {
        self.episode
    }

    pub(super) fn negotiation(&self) -> &Negotiation {
        &self.negotiation
    }
}
