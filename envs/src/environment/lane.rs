//! One negotiation of an environment and what has to be remembered beside it.

use super::action_space::{ActionSpace, Choice};
use super::dialogue_act::DialogueAct;
use super::observation::{Fixed, ObservationSpec, Standing};
use super::trail::{Trail, Trails};
use super::{Setting, StepError};
use crate::action::Intent;
use crate::counterpart::Reply;
use crate::event::Ruling;
use crate::guardrail::Faults;
use crate::intent;
use crate::mandate::Refusal;
use crate::negotiation::Negotiation;
use crate::party::Seat;
use crate::proposal::Proposal;
use crate::relationship::{PastContract, Series, SeriesPlan};
use crate::source::ScenarioSource;
use crate::view::PartyView;

/// What a step tells besides the observation.
#[derive(Clone, Debug, Default)]
pub(super) struct Signal {
    pub(super) reward: f64,
    pub(super) terminated: bool,
    pub(super) truncated: bool,
    pub(super) faults: Faults,
    pub(super) unauthorised: u32,
    pub(super) escalations: u32,
    /// The contract of a series that this step concluded.
    pub(super) concluded: Option<PastContract>,
}

/// Whether a ruling tells of a limit that was overstepped; a person who was asked and said no is none.
fn violates(ruling: &Ruling) -> bool {
    match ruling {
        Ruling::Refused(refusal) | Ruling::FellBack(refusal) => !matches!(refusal, Refusal::Denied(_)),
        _ => false,
    }
}

/// One sub-environment: its negotiation and its place in its own sequence of episodes.
#[derive(Clone, Debug)]
pub(super) struct Lane {
    negotiation: Negotiation,
    /// What stands between the contracts, where the episode is a series.
    series: Option<Box<Series>>,
    /// How the own offers and the other side's moved.
    trails: [Trail; 2],
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
        let (trails, fixed) = ([Trail::default(); 2], Fixed::default());
        Ok(Self {
            negotiation,
            series: None,
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
        self.series = None;
        let plan = if setting.repeats { source.series(episode) } else { None };
        match plan {
            Some(plan) => self.begin_series(source, plan, episode)?,
            None => {
                self.negotiation.restart(|scenario| {
                    source.refill(episode, scenario);
                    if scenario.counterpart.is_some() { Ok(()) } else { Err(StepError::NoCounterpart { episode }) }
                })?;
                self.seat = self.negotiation.scenario().seat;
                self.negotiation.bind(bound(self.seat));
            }
        }
        self.episode = episode;
        self.next = episode.wrapping_add(self.stride);
        self.steps = 0;
        self.needs_reset = false;
        self.was_reset = true;
        self.open(setting);
        Ok(())
    }

    /// Draws all contracts of a series and starts the first.
    fn begin_series(&mut self, source: &impl ScenarioSource, plan: SeriesPlan, episode: u64) -> Result<(), StepError> {
        let contracts: Vec<_> = (0..plan.contracts).map(|contract| source.contract(episode, contract)).collect();
        if contracts.iter().any(|scenario| scenario.counterpart.is_none()) {
            return Err(StepError::NoCounterpart { episode });
        }
        self.seat = contracts.first().ok_or(StepError::NoContract { episode })?.seat;
        let series = Series::unscored(plan, contracts);
        self.negotiation = series.negotiation(bound(self.seat)).ok_or(StepError::NoContract { episode })?;
        self.series = Some(Box::new(series));
        Ok(())
    }

    /// Plays until the agent's first turn and looks at the negotiation that has just begun.
    fn open<S: ScenarioSource>(&mut self, setting: &Setting<S>) {
        self.answer();
        self.trails = [Trail::default(); 2];
        self.follow();
        setting.observations.fix(&self.negotiation.view(self.seat), &mut self.fixed);
    }

    /// Concludes the contract that has just been negotiated, pays for it and begins the next, where there is one.
    #[inline(never)]
    fn conclude<S: ScenarioSource>(&mut self, setting: &Setting<S>, signal: &mut Signal) {
        let Some(series) = &mut self.series else { return };
        if let (Some(outcome), Some(&result)) = (self.negotiation.outcome(), series.conclude(&self.negotiation)) {
            let reward = setting.config.reward;
            let trails = || Trails::of(&self.negotiation.view(self.seat));
            signal.reward += reward.of_contract(&self.negotiation, outcome, &result, self.seat, trails);
            signal.concluded = series.public().past.last().cloned();
        }
        match series.negotiation(bound(self.seat)) {
            Some(next) => {
                self.negotiation = next;
                self.open(setting);
            }
            None => signal.terminated = true,
        }
    }

    /// Lets the counterpart move for as long as it is its turn.
    fn answer(&mut self) {
        while self.negotiation.outcome().is_none() && self.negotiation.turn() != self.seat {
            let Some((counterpart, view)) = self.negotiation.counterpart() else { return };
            if view.public.speech {
                let Reply { action, message } = counterpart.act(&view);
                self.negotiation.submit(action, None, message);
            } else {
                let proposal = counterpart.propose(&view);
                self.negotiation.submit_proposal(proposal, None);
            }
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

    /// Plays `choice`; [`Self::check`] has passed. What authority did with it is told, where the negotiation had not ended
    /// before; the rest goes to `signal`, which is a new one.
    pub(super) fn step<S: ScenarioSource>(
        &mut self,
        setting: &Setting<S>,
        choice: Choice,
        signal: &mut Signal,
    ) -> Option<Ruling> {
        match choice {
            Choice::Intent(intent) => self.play_intent(setting, intent, signal),
            Choice::Act(action) => {
                self.play(setting, signal, |lane, _| Some(lane.negotiation.submit_with_faults(action, None, None)))
            }
            Choice::Dialogue(act) => self.play(setting, signal, |lane, signal| Some(lane.converse(act, signal))),
        }
    }

    /// As [`Self::step`], for an intent.
    #[inline]
    pub(super) fn play_intent<S: ScenarioSource>(
        &mut self,
        setting: &Setting<S>,
        intent: Intent,
        signal: &mut Signal,
    ) -> Option<Ruling> {
        self.play(setting, signal, |lane, _| {
            let (own, packages) = lane.negotiation.own_latest(lane.seat);
            let proposal = match intent::propose_by_own(intent, &own, &packages) {
                Some(package) => Proposal::Offer(package),
                None => intent::propose(intent, &lane.view()),
            };
            lane.negotiation.submit_proposal(proposal, Some(intent))
        })
    }

    /// Plays what `submit` submits; it tells `None` where an action was taken as it was.
    #[inline]
    fn play<S: ScenarioSource>(
        &mut self,
        setting: &Setting<S>,
        signal: &mut Signal,
        submit: impl FnOnce(&mut Self, &mut Signal) -> Option<(Ruling, Faults)>,
    ) -> Option<Ruling> {
        let config = &setting.config;
        let mut told = None;
        if self.negotiation.outcome().is_none() {
            told = Some(match submit(self, signal) {
                None => Ruling::Applied,
                Some((ruling, faults)) => {
                    signal.reward = config.reward.of_action(faults, violates(&ruling), signal.unauthorised);
                    signal.faults = faults;
                    ruling
                }
            });
            self.answer();
            self.follow();
        }
        self.steps += 1;
        if let Some(outcome) = self.negotiation.outcome() {
            if self.series.is_some() {
                self.conclude(setting, signal);
            } else {
                signal.terminated = true;
                let trails = || Trails::of(&self.negotiation.view(self.seat));
                signal.reward += config.reward.of_outcome(&self.negotiation, outcome, self.seat, trails);
            }
        }
        if !signal.terminated {
            signal.truncated = config.truncate_after.is_some_and(|limit| self.steps >= limit);
        }
        self.needs_reset = signal.terminated || signal.truncated;
        told
    }

    /// Lets the trails take in the latest offers.
    #[inline]
    fn follow(&mut self) {
        for (trail, latest) in self.trails.iter_mut().zip(&self.negotiation.latest(self.seat)) {
            trail.follow(latest);
        }
    }

    /// Makes a move with words, promises or a question to a person.
    #[inline(never)]
    fn converse(&mut self, act: DialogueAct, signal: &mut Signal) -> (Ruling, Faults) {
        let count = |negotiation: &Negotiation, seat| {
            let conduct = negotiation.conduct(seat);
            (conduct.unauthorised, conduct.escalations)
        };
        let before = count(&self.negotiation, self.seat);
        let decision = act.decide(&self.negotiation);
        let ruled = self.negotiation.submit_decision_with_faults(decision);
        let after = count(&self.negotiation, self.seat);
        (signal.unauthorised, signal.escalations) = (after.0 - before.0, after.1 - before.1);
        ruled
    }

    #[inline(always)]
    pub(super) fn view(&self) -> PartyView<'_> {
        self.negotiation.view(self.seat)
    }

    #[inline]
    pub(super) fn observe(&self, spec: &ObservationSpec, observation: &mut [f32]) {
        spec.write(&Standing::in_negotiation(&self.negotiation, self.seat), &self.trails, &self.fixed, observation);
    }

    #[inline]
    pub(super) fn write_mask(&self, space: &ActionSpace, mask: &mut [bool]) {
        let [_, other] = &self.trails;
        space.write_mask(other.offers > 0, mask);
    }

    pub(super) fn episode(&self) -> u64 {
        self.episode
    }

    /// The number of the contract that is negotiated, from 0; 0 in a single negotiation.
    pub(super) fn contract(&self) -> u16 {
        self.series.as_ref().map_or(0, |series| series.public().contract)
    }

    pub(super) fn series(&self) -> Option<&Series> {
        self.series.as_deref()
    }

    pub(super) fn negotiation(&self) -> &Negotiation {
        &self.negotiation
    }
}
