//! Runs the stages of a recipe, one after the other, with checkpoints between rounds.

use super::adam::AdamState;
use super::backend::{Device, DeviceError, OnBackend};
use super::checkpoint::{Finished, State};
use super::config::{Algorithm, Budget, ConfigError, Stage, TrainConfig};
use super::dqn::{Dqn, DqnFigures};
use super::game::{EpisodeOutcome, Game};
use super::negotiation::{NegotiationGame, Table};
use super::network::Shape;
use super::opponents::Opponents;
use super::plain::PlainNetwork;
use super::ppo::{Ppo, PpoFigures};
use super::weights::{Policy, PolicyCard, WeightsError};
use crate::roster::{self, UnknownAgent};
use burn_tensor::backend::AutodiffBackend;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use thiserror::Error;
use zopa_envs::StreamKey;

/// Points that a stage leaves on the curve, and checkpoints that it makes: enough to see its shape.
const POINTS: u64 = 100;
/// Scenarios between the first ones of trainings with neighbouring seeds: more than any training plays.
const SEED_STRIDE: u64 = 1 << 36;

/// Why a training could not be done.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TrainError {
    /// The recipe is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The device cannot be used.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The recipe names an agent that is not there.
    #[error("opponents.agents or evaluation.opponent: {0}")]
    Agent(#[from] UnknownAgent),
    /// The checkpoint cannot be read.
    #[error("the checkpoint cannot be read: {0}")]
    Checkpoint(#[from] WeightsError),
    /// The checkpoint is another training's.
    #[error("the checkpoint was made by another recipe or seed: resume with the recipe that it was started with")]
    OtherTraining,
    /// A suite has no counterparts to train against.
    #[error("suites: \"{0}\" has no scripted counterparts, but opponents.scripted is more than 0")]
    NoCounterpart(String),
    /// The observer stopped it.
    #[error("the training was stopped")]
    Stopped,
}

/// A stretch of training, as a point on the curve: means over the episodes since the point before.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// The stage.
    pub stage: String,
    /// Episodes so far, all stages together.
    pub episodes: u64,
    /// Steps of the environment so far, all stages together.
    pub steps: u64,
    /// Share of episodes with a deal, explorative choices included.
    pub agreement: f64,
    /// Own gain as a share of the scale.
    pub surplus: f64,
    /// Share of episodes without a guardrail violation by an own proposal.
    pub constraint_satisfaction: f64,
    /// How the last update of PPO went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ppo: Option<PpoFigures>,
    /// How the last round of DQN went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dqn: Option<DqnFigures>,
}

/// What a training tells while it runs.
#[derive(Debug)]
pub enum Progress<'a> {
    /// How much of the whole is done, in `[0, 1]`, and how it goes.
    Point(f64, &'a CurvePoint),
    /// A checkpoint to keep, replacing the one before.
    Checkpoint(Vec<u8>),
}

/// What a training came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Trained {
    /// The policy of each stage, by its name.
    pub policies: Vec<(String, Policy)>,
    /// The curve.
    pub curve: Vec<CurvePoint>,
}

/// Trains `config` on `tables`, one for each of its suites in order.
///
/// `threads` play episodes; the weights do not depend on their number. With `resume`, a checkpoint's bytes, it goes on from there.
/// `observe` is told what happens and may stop it.
///
/// # Errors
/// Where the recipe, the device or the checkpoint is wrong, or `observe` broke off.
pub fn train(
    config: &TrainConfig,
    tables: &[Table],
    device: Device,
    threads: usize,
    resume: Option<&[u8]>,
    observe: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
) -> Result<Trained, TrainError> {
    config.check()?;
    let trained_against = config.all_opponents().flat_map(|opponents| &opponents.agents);
    for id in trained_against.chain(&config.evaluation.opponent) {
        roster::find(id)?;
    }
    let scripted = config.all_opponents().any(|opponents| opponents.scripted > 0.0);
    for (suite, table) in config.suites.iter().zip(tables) {
        if scripted && table.source.scenario(0).counterpart.is_none() {
            return Err(TrainError::NoCounterpart(suite.suite.clone()));
        }
    }
    device.with(Run { config, tables, threads, resume, observe })?
}

struct Run<'a> {
    config: &'a TrainConfig,
    tables: &'a [Table],
    threads: usize,
    resume: Option<&'a [u8]>,
    observe: &'a mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
}

#[expect(clippy::large_enum_variant, reason = "a stage has one learner")]
enum Learner<B: AutodiffBackend> {
    Ppo(Ppo<B>),
    Dqn(Dqn<B>),
}

/// What a round came to.
struct Round {
    outcomes: Vec<EpisodeOutcome>,
    steps: u64,
    ppo: Option<PpoFigures>,
    dqn: Option<DqnFigures>,
}

impl<B: AutodiffBackend> Learner<B> {
    fn new(algorithm: &Algorithm, shape: &Shape, state: &State, key: &StreamKey, device: &B::Device) -> Self {
        match algorithm {
            Algorithm::Ppo(config) => Self::Ppo(Ppo::new(config, shape, &state.adam, key, state.rounds, device)),
            Algorithm::Dqn(config) => {
                Self::Dqn(Dqn::new(config, shape, &state.adam, state.memory.clone(), key, state.rounds, device))
            }
        }
    }

    fn round(&mut self, game: &dyn Game, first: u64, count: usize, done: f64, threads: usize) -> Round {
        match self {
            Self::Ppo(ppo) => {
                let (outcomes, steps, figures) = ppo.update(game, first, count, done, threads);
                Round { outcomes, steps, ppo: Some(figures), dqn: None }
            }
            Self::Dqn(dqn) => {
                let (outcomes, steps, figures) = dqn.round(game, first, count, done, threads);
                Round { outcomes, steps, ppo: None, dqn: Some(figures) }
            }
        }
    }

    fn policy(&self) -> PlainNetwork {
        match self {
            Self::Ppo(ppo) => ppo.policy(),
            Self::Dqn(dqn) => dqn.policy(),
        }
    }

    /// Writes what is needed to go on from here.
    fn save(&self, state: &mut State) {
        match self {
            Self::Ppo(ppo) => (state.adam, state.rounds) = (ppo.state(), ppo.updates()),
            Self::Dqn(dqn) => {
                (state.adam, state.rounds, state.memory) = (dqn.state(), dqn.rounds(), Some(dqn.memory().clone()));
            }
        }
    }
}

/// Means over the episodes since the last point.
#[derive(Default)]
struct Tally {
    episodes: u64,
    agreements: u64,
    satisfied: u64,
    surplus: f64,
}

impl Tally {
    fn add(&mut self, outcome: &EpisodeOutcome) {
        self.episodes += 1;
        self.agreements += u64::from(outcome.agreement);
        self.satisfied += u64::from(outcome.constraint_satisfied);
        self.surplus += outcome.surplus;
    }

    fn share(&self, count: u64) -> f64 {
        count as f64 / self.episodes.max(1) as f64
    }
}

impl Budget {
    /// How much of it is spent, in `[0, 1]`.
    fn done(self, episodes: u64, steps: u64) -> f64 {
        let (spent, whole) = match self {
            Self::Episodes(whole) => (episodes, whole),
            Self::Steps(whole) => (steps, whole),
        };
        (spent as f64 / whole as f64).min(1.0)
    }

    /// Episodes of the next round, of at most `count`.
    fn next(self, episodes: u64, count: usize) -> usize {
        match self {
            Self::Episodes(whole) => count.min((whole - episodes) as usize),
            Self::Steps(_) => count,
        }
    }
}

impl Run<'_> {
    fn shape(&self) -> Shape {
        let policy = &self.config.policy;
        Shape { inputs: policy.perception().width(), hidden: policy.hidden.clone(), actions: policy.moves.count() }
    }

    fn key(&self) -> StreamKey {
        StreamKey::new("train", &[self.config.name.as_bytes(), &self.config.seed.to_le_bytes()])
    }

    /// The state before the first round.
    fn begin(&self) -> State {
        let gain = match &self.config.stages[0].algorithm {
            Algorithm::Ppo(ppo) => ppo.head_gain,
            Algorithm::Dqn(dqn) => dqn.head_gain,
        };
        let network = PlainNetwork::orthogonal(&self.shape(), gain, &mut self.key().with("weights", &[]).stream(0));
        State {
            stage: 0,
            rounds: 0,
            episodes: 0,
            steps: 0,
            all_episodes: 0,
            all_steps: 0,
            finished: Vec::new(),
            adam: AdamState::new(&network),
            memory: None,
            opponents: Opponents::new(self.config.opponents_of(0), network),
            curve: Vec::new(),
        }
    }

    /// Moves on to the next stage, which starts from `network`.
    fn advance(&self, state: &mut State, network: PlainNetwork) {
        let before = &self.config.stages[state.stage].algorithm;
        let mut start = network.clone();
        if let (Algorithm::Ppo(_), Some(Algorithm::Dqn(dqn))) =
            (before, self.config.stages.get(state.stage + 1).map(|stage| &stage.algorithm))
        {
            let head = &mut start.advantage;
            head.weight.iter_mut().chain(&mut head.bias).for_each(|logit| *logit *= dqn.temperature);
        }
        state.finished.push(Finished { network, episodes: state.all_episodes, steps: state.all_steps });
        state.stage += 1;
        (state.rounds, state.episodes, state.steps) = (0, 0, 0);
        state.adam = AdamState::new(&start);
        state.memory = None;
        state.opponents = Opponents::new(self.config.opponents_of(state.stage), start);
    }

    fn stage<B: AutodiffBackend>(&mut self, state: &mut State, device: &B::Device) -> Result<PlainNetwork, TrainError> {
        let Stage { name, budget, algorithm, .. } = &self.config.stages[state.stage];
        let key = self.key().with("stage", &(state.stage as u64).to_le_bytes());
        let mut learner = Learner::<B>::new(algorithm, &self.shape(), state, &key, device);
        let (per_round, greedy) = match algorithm {
            Algorithm::Ppo(ppo) => (ppo.episodes_per_update, false),
            Algorithm::Dqn(dqn) => (dqn.episodes_per_round, true),
        };
        let mut tally = Tally::default();
        let mut points = (budget.done(state.episodes, state.steps) * POINTS as f64) as u64;
        while budget.done(state.episodes, state.steps) < 1.0 {
            let game = NegotiationGame {
                tables: self.tables,
                moves: self.config.policy.moves,
                perception: self.config.policy.perception(),
                masks: self.config.policy.masks,
                reward: self.config.reward,
                reward_scale: self.config.reward_scale,
                truncate_after: self.config.truncate_after,
                opponents: &state.opponents,
                greedy,
                key: key.with("game", &[]),
                offset: self.config.seed.wrapping_mul(SEED_STRIDE),
            };
            let count = budget.next(state.episodes, per_round);
            let done = budget.done(state.episodes, state.steps);
            let round = learner.round(&game, state.all_episodes, count, done, self.threads);
            for outcome in &round.outcomes {
                tally.add(outcome);
                if let Some(place) = outcome.opponent {
                    state.opponents.record(place, outcome.share);
                }
            }
            state.episodes += count as u64;
            state.all_episodes += count as u64;
            state.steps += round.steps;
            state.all_steps += round.steps;
            state.opponents.follow(state.episodes, || learner.policy());
            let done = budget.done(state.episodes, state.steps);
            if (done * POINTS as f64) as u64 > points || done >= 1.0 {
                points = (done * POINTS as f64) as u64;
                let point = CurvePoint {
                    stage: name.clone(),
                    episodes: state.all_episodes,
                    steps: state.all_steps,
                    agreement: tally.share(tally.agreements),
                    surplus: tally.surplus / tally.episodes.max(1) as f64,
                    constraint_satisfaction: tally.share(tally.satisfied),
                    ppo: round.ppo,
                    dqn: round.dqn,
                };
                tally = Tally::default();
                let whole = (state.stage as f64 + done) / self.config.stages.len() as f64;
                state.curve.push(point);
                let told = state
                    .curve
                    .last()
                    .map_or(ControlFlow::Continue(()), |point| (self.observe)(Progress::Point(whole, point)));
                learner.save(state);
                let kept = (self.observe)(Progress::Checkpoint(state.to_bytes(self.config)));
                if told.is_break() || kept.is_break() {
                    return Err(TrainError::Stopped);
                }
            }
        }
        Ok(learner.policy())
    }

    fn policy(&self, position: usize, finished: Finished) -> (String, Policy) {
        let config = self.config;
        let stage = &config.stages[position];
        let opponents = config.opponents_of(position);
        let mut against = Vec::new();
        for (share, who) in [
            (opponents.scripted, "the suites' training families".to_owned()),
            (
                opponents.self_play,
                format!(
                    "snapshots of itself ({} kept, one every {} episodes)",
                    opponents.pool, opponents.snapshot_every
                ),
            ),
            (opponents.agents_share, opponents.agents.join(", ")),
        ] {
            if share > 0.0 {
                against.push(format!("{who} (share {share})"));
            }
        }
        let card = PolicyCard {
            format: PolicyCard::FORMAT,
            recipe: config.name.clone().into(),
            algorithm: stage.algorithm.name().into(),
            moves: config.policy.moves,
            perception: config.policy.perception(),
            shape: self.shape(),
            reward: config.reward,
            trained_on: config.suites.iter().map(|suite| format!("{} {}", suite.suite, suite.split)).collect(),
            opponents: against.join("; "),
            seed: config.seed,
            episodes: finished.episodes,
            steps: finished.steps,
        };
        (stage.name.clone(), Policy { card, network: finished.network })
    }
}

impl OnBackend for Run<'_> {
    type Output = Result<Trained, TrainError>;

    fn run<B: AutodiffBackend>(mut self, device: &B::Device) -> Self::Output {
        let mut state = match self.resume {
            Some(bytes) => State::from_bytes(bytes, self.config, &self.shape())?.ok_or(TrainError::OtherTraining)?,
            None => self.begin(),
        };
        while state.stage < self.config.stages.len() {
            let network = self.stage::<B>(&mut state, device)?;
            self.advance(&mut state, network);
        }
        let finished = std::mem::take(&mut state.finished);
        let policies =
            finished.into_iter().enumerate().map(|(position, finished)| self.policy(position, finished)).collect();
        Ok(Trained { policies, curve: state.curve })
    }
}
