//! One negotiation of an environment and what has to be remembered beside it.

use super::action_space::{ActionSpace, Choice};
use super::dialogue_act::DialogueAct;
use super::observation::{Fixed, ObservationSpec, Standing};
use super::reward::Reward;
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

/// What a step pays, and whether the episode goes on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Signal {
    pub(super) reward: f64,
    pub(super) terminated: bool,
    pub(super) truncated: bool,
}

/// What came of an action that was not simply taken as it was.
#[derive(Clone, Debug)]
pub(super) struct Ruled {
    pub(super) ruling: Ruling,
    pub(super) faults: Faults,
    pub(super) unauthorised: u32,
    pub(super) escalations: u32,
}

impl Ruled {
    /// Taken as it was.
    pub(super) const APPLIED: Self =
        Self { ruling: Ruling::Applied, faults: Faults::NONE, unauthorised: 0, escalations: 0 };

    fn of_silence((ruling, faults): (Ruling, Faults)) -> Self {
        Self { ruling, faults, ..Self::APPLIED }
    }

    /// What `reward` pays for it.
    fn reward(&self, reward: Reward) -> f64 {
        reward.of_action(self.faults, violates(&self.ruling), self.unauthorised)
    }
}

/// What a step tells besides, for who asks; written where there is something to tell and left as it was elsewhere, so that
/// nearly every step of a vector, where nobody asks, costs nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Telling {
    pub(super) ruled: Option<Ruled>,
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
    /// Whether anybody can read what the counterpart says; where nobody can, it is never written.
    is_heard: bool,
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
    pub(super) fn new<S: ScenarioSource>(
        setting: &Setting<S>,
        first: u64,
        stride: u64,
        is_heard: bool,
    ) -> Result<Self, StepError> {
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
            is_heard,
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
    fn conclude<S: ScenarioSource>(&mut self, setting: &Setting<S>, signal: &mut Signal, telling: &mut Telling) {
        let Some(series) = &mut self.series else { return };
        if let (Some(outcome), Some(&result)) = (self.negotiation.outcome(), series.conclude(&self.negotiation)) {
            let reward = setting.config.reward;
            let trails = || Trails::of(&self.negotiation.view(self.seat));
            signal.reward += reward.of_contract(&self.negotiation, outcome, &result, self.seat, trails);
            telling.concluded = series.public().past.last().cloned();
        }
        match series.negotiation(bound(self.seat)) {
            Some(next) => {
                self.negotiation = next;
                self.open(setting);
            }
            None => signal.terminated = true,
        }
    }

    /// Lets the counterpart move for as long as it is its turn. Its words change no move of its own or the agent's, no reward and no
    /// observation.
    fn answer(&mut self) {
        while self.negotiation.outcome().is_none() && self.negotiation.turn() != self.seat {
            let Some((counterpart, view)) = self.negotiation.counterpart() else { return };
            if view.public.speech && self.is_heard {
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

    /// Whether the negotiation goes on.
    pub(super) fn is_running(&self) -> bool {
        self.negotiation.outcome().is_none()
    }

    /// Plays `choice`; [`Self::check`] has passed.
    pub(super) fn step<S: ScenarioSource>(
        &mut self,
        setting: &Setting<S>,
        choice: Choice,
        telling: &mut Telling,
    ) -> Signal {
        match choice {
            Choice::Intent(intent) => self.play_intent(setting, intent, telling),
            Choice::Act(action) => self.play(setting, telling, |lane| {
                Some(Ruled::of_silence(lane.negotiation.submit_with_faults(action, None, None)))
            }),
            Choice::Dialogue(act) => self.play(setting, telling, |lane| Some(lane.converse(act))),
        }
    }

    /// As [`Self::step`], for an intent.
    #[inline]
    pub(super) fn play_intent<S: ScenarioSource>(
        &mut self,
        setting: &Setting<S>,
        intent: Intent,
        telling: &mut Telling,
    ) -> Signal {
        self.play(setting, telling, |lane| {
            let (own, packages) = lane.negotiation.own_latest(lane.seat);
            let proposal = match intent::propose_by_own(intent, &own, &packages) {
                Some(package) => Proposal::Offer(package),
                None => intent::propose(intent, &lane.view()),
            };
            lane.negotiation.submit_proposal(proposal, Some(intent)).map(Ruled::of_silence)
        })
    }

    /// Plays what `submit` submits; it tells `None` where an action was taken as it was.
    #[inline]
    fn play<S: ScenarioSource>(
        &mut self,
        setting: &Setting<S>,
        telling: &mut Telling,
        submit: impl FnOnce(&mut Self) -> Option<Ruled>,
    ) -> Signal {
        let mut signal = Signal::default();
        if self.is_running() {
            if let Some(ruled) = submit(self) {
                signal.reward = ruled.reward(setting.config.reward);
                telling.ruled = Some(ruled);
            }
            self.answer();
            self.follow();
        }
        self.steps += 1;
        if !self.is_running() {
            self.finish(setting, &mut signal, telling);
        }
        if !signal.terminated {
            signal.truncated = setting.config.truncate_after.is_some_and(|limit| self.steps >= limit);
        }
        self.needs_reset = signal.terminated | signal.truncated;
        signal
    }

    /// Pays for how the negotiation ended.
    #[inline(never)]
    fn finish<S: ScenarioSource>(&mut self, setting: &Setting<S>, signal: &mut Signal, telling: &mut Telling) {
        if self.series.is_some() {
            self.conclude(setting, signal, telling);
        } else if let Some(outcome) = self.negotiation.outcome() {
            signal.terminated = true;
            let trails = || Trails::of(&self.negotiation.view(self.seat));
            signal.reward += setting.config.reward.of_outcome(&self.negotiation, outcome, self.seat, trails);
        }
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
    fn converse(&mut self, act: DialogueAct) -> Ruled {
        let count = |negotiation: &Negotiation, seat| {
            let conduct = negotiation.conduct(seat);
            (conduct.unauthorised, conduct.escalations)
        };
        let before = count(&self.negotiation, self.seat);
        let decision = act.decide(&self.negotiation);
        let (ruling, faults) = self.negotiation.submit_decision_with_faults(decision);
        let after = count(&self.negotiation, self.seat);
        Ruled { ruling, faults, unauthorised: after.0 - before.0, escalations: after.1 - before.1 }
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
