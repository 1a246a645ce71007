//! Proximal policy optimisation (Schulman et al. 2017), in the form of CleanRL's single file (Huang et al. 2022).
//!
//! One iteration: play whole episodes with the policy, estimate advantages, then several passes over the steps in minibatches.
//! Episodes are whole, so nothing is carried from one iteration to the next but the parameters: the value of what follows is
//! bootstrapped only where an episode was truncated, and no transition crosses a reset.

use super::adam::{Adam, AdamState};
use super::backend::{Device, DeviceError, OnBackend};
use super::game::{EpisodeOutcome, Game};
use super::network::{Network, Shape, matrix, numbers};
use super::plain::PlainNetwork;
use super::rollout::{advantages, sample};
use burn_tensor::activation::log_softmax;
use burn_tensor::backend::{AutodiffBackend, Backend};
use burn_tensor::{Bool, Int, Tensor, TensorData};
use serde::{Deserialize, Serialize};
use zopa_envs::{Stream, StreamKey};

/// PPO's numbers. Sources: S17 is Schulman et al. 2017; H22 is Huang et al. 2022, "The 37 implementation details of PPO", and
/// its CleanRL code; A21 is Andrychowicz et al. 2021.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PpoConfig {
    /// Episodes played before each update: 64, some 600 steps of this game. S17 and H22 use 2,048 steps for one learner; short
    /// recipes of a few thousand episodes need more updates than that leaves.
    pub episodes_per_update: usize,
    /// Passes over the steps of an update: 4 (H22, `update_epochs`).
    pub epochs: usize,
    /// Steps in a minibatch: 256. H22 cuts its batch in 4; this is about as much of the default batch.
    pub minibatch: usize,
    /// Discount a step: 0.99 (S17, table 3).
    pub gamma: f32,
    /// Lambda of the advantage estimate: 0.95 (S17, table 3).
    pub lambda: f32,
    /// How far a probability ratio is rewarded to move: 0.2 (S17, table 3).
    pub clip: f64,
    /// Whether the value's move is clipped by the same number: yes (H22, detail 9).
    pub clip_value: bool,
    /// Weight of the policy's entropy: 0.01 (H22, detail 10; S17 for Atari).
    pub entropy: f64,
    /// Weight of the value's loss: 0.5 (H22, detail 10).
    pub value: f64,
    /// Longest gradient, all parameters together: 0.5 (H22, detail 11).
    pub most_norm: f64,
    /// Learning rate at the start: 2.5e-4 (S17, Atari).
    pub learning_rate: f64,
    /// Whether the learning rate falls in a line to 0: yes (H22, detail 4).
    pub anneal: bool,
    /// Adam's epsilon: 1e-5 (H22, detail 3).
    pub epsilon: f64,
    /// Gain of the policy head's first weights: 0.01 (H22, detail 2; A21).
    pub head_gain: f64,
    /// Whether advantages are brought to mean 0 and deviation 1 in each minibatch: yes (H22, detail 7).
    pub normalise_advantages: bool,
}

impl Default for PpoConfig {
    fn default() -> Self {
        Self {
            episodes_per_update: 64,
            epochs: 4,
            minibatch: 256,
            gamma: 0.99,
            lambda: 0.95,
            clip: 0.2,
            clip_value: true,
            entropy: 0.01,
            value: 0.5,
            most_norm: 0.5,
            learning_rate: 2.5e-4,
            anneal: true,
            epsilon: 1e-5,
            head_gain: 0.01,
            normalise_advantages: true,
        }
    }
}

/// What an update tells: means over its minibatches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PpoFigures {
    /// `mean(ratio - 1 - ln ratio)`: how far the policy moved (Schulman 2020, "Approximating KL divergence").
    pub approximate_kl: f32,
    /// Share of steps whose ratio left the clip.
    pub clip_fraction: f32,
    /// `1 - Var(return - value) / Var(return)` before the update.
    pub explained_variance: f32,
    /// The policy's entropy, nats.
    pub entropy: f32,
    /// The value's loss.
    pub value_loss: f32,
}

/// The steps of an update, row by row.
#[derive(Clone, Debug, Default)]
struct Steps {
    observations: Vec<f32>,
    masks: Vec<bool>,
    actions: Vec<u16>,
    log_probabilities: Vec<f32>,
    values: Vec<f32>,
    advantages: Vec<f32>,
}

/// The learner.
pub(super) struct Ppo<B: AutodiffBackend> {
    config: PpoConfig,
    shape: Shape,
    adam: Adam<B>,
    acting: StreamKey,
    shuffling: StreamKey,
    updates: u64,
}

impl<B: AutodiffBackend> Ppo<B> {
    /// A learner that goes on from `state` after `updates` updates.
    pub(super) fn new(
        config: &PpoConfig,
        shape: &Shape,
        state: &AdamState,
        key: &StreamKey,
        updates: u64,
        device: &B::Device,
    ) -> Self {
        Self {
            config: config.clone(),
            shape: shape.clone(),
            adam: Adam::new(shape, state, config.epsilon, config.most_norm, device),
            acting: key.with("acting", &[]),
            shuffling: key.with("shuffling", &[]),
            updates,
        }
    }

    pub(super) fn state(&self) -> AdamState {
        self.adam.state()
    }

    pub(super) fn updates(&self) -> u64 {
        self.updates
    }

    pub(super) fn policy(&self) -> PlainNetwork {
        self.adam.plain()
    }

    /// Plays `count` episodes from number `first` on and learns from them. `done`, in `[0, 1]`, is how much of the training is
    /// over.
    pub(super) fn update(
        &mut self,
        game: &dyn Game,
        first: u64,
        count: usize,
        done: f64,
        threads: usize,
    ) -> (Vec<EpisodeOutcome>, u64, PpoFigures) {
        let policy = self.policy();
        let mut steps = Steps::default();
        let mut outcomes = Vec::with_capacity(count);
        for episode in sample(game, &policy, &self.acting, first, count, threads) {
            let n = episode.trajectory.len();
            let PpoConfig { gamma, lambda, .. } = self.config;
            let rewards = &episode.trajectory.rewards;
            steps.advantages.extend(advantages(rewards, &episode.values, episode.bootstrap, gamma, lambda));
            steps.observations.extend_from_slice(&episode.trajectory.observations[..n * game.width()]);
            steps.masks.extend_from_slice(&episode.trajectory.masks[..n * game.choices()]);
            steps.actions.extend_from_slice(&episode.trajectory.actions);
            steps.log_probabilities.extend_from_slice(&episode.log_probabilities);
            steps.values.extend_from_slice(&episode.values);
            outcomes.push(episode.trajectory.outcome);
        }
        let made = steps.actions.len();
        let left = if self.config.anneal { 1.0 - done } else { 1.0 };
        let figures = self.learn(&steps, self.config.learning_rate * left);
        self.updates += 1;
        (outcomes, made as u64, figures)
    }

    fn learn(&mut self, steps: &Steps, learning_rate: f64) -> PpoFigures {
        let mut stream = self.shuffling.stream(self.updates);
        let mut order: Vec<usize> = (0..steps.actions.len()).collect();
        let mut sums = [0.0_f64; 4];
        let mut minibatches = 0;
        for _ in 0..self.config.epochs {
            shuffle(&mut order, &mut stream);
            for rows in order.chunks(self.config.minibatch) {
                // A few steps have no spread to be normalised by.
                if rows.len() < self.config.minibatch.min(order.len()) / 2 {
                    continue;
                }
                let (network, batch) =
                    (self.adam.network(), Minibatch::of(steps, rows, &self.shape, &self.config, self.adam.device()));
                let (loss, figures) = self.loss(&network, batch);
                self.adam.step(&network, &loss, learning_rate);
                for (sum, figure) in sums.iter_mut().zip(figures) {
                    *sum += f64::from(figure);
                }
                minibatches += 1;
            }
        }
        let mean = |sum: f64| (sum / f64::from(minibatches.max(1))) as f32;
        PpoFigures {
            approximate_kl: mean(sums[0]),
            clip_fraction: mean(sums[1]),
            entropy: mean(sums[2]),
            value_loss: mean(sums[3]),
            explained_variance: explained_variance(steps),
        }
    }

    /// The loss of a minibatch, and its approximate KL, clip fraction, entropy and value loss.
    fn loss(&self, network: &Network<B>, batch: Minibatch<B>) -> (Tensor<B, 1>, [f32; 4]) {
        let clip = self.config.clip;
        let (logits, values) = network.forward(batch.observations);
        // Illegal choices get no probability, and no gradient.
        let log_probabilities = log_softmax(logits.mask_fill(batch.illegal, -1e9), 1);
        let chosen = log_probabilities.clone().gather(1, batch.actions);
        let log_ratio = chosen - batch.log_probabilities;
        let ratio = log_ratio.clone().exp();

        let plain = ratio.clone() * batch.advantages.clone();
        let clipped = ratio.clone().clamp(1.0 - clip, 1.0 + clip) * batch.advantages;
        let policy_loss = plain.min_pair(clipped).mean().neg();

        let entropy = (log_probabilities.clone().exp() * log_probabilities).sum_dim(1).mean().neg();

        let error = (values.clone() - batch.returns.clone()).square();
        let error = if self.config.clip_value {
            let moved = batch.values.clone() + (values - batch.values).clamp(-clip, clip);
            error.max_pair((moved - batch.returns).square())
        } else {
            error
        };
        let value_loss = error.mean() * 0.5;

        let (still_ratio, still_log) = (ratio.inner(), log_ratio.inner());
        let outside = still_ratio.clone().sub_scalar(1.0).abs().greater_elem(clip).float().mean();
        let kl = (still_ratio.sub_scalar(1.0) - still_log).mean();
        let figures = numbers(Tensor::cat(vec![kl, outside, entropy.clone().inner(), value_loss.clone().inner()], 0));
        let loss = policy_loss - entropy * self.config.entropy + value_loss * self.config.value;
        (loss, [figures[0], figures[1], figures[2], figures[3]])
    }
}

/// The tensors of a minibatch.
///
/// # Shapes
/// `observations`: `[batch, inputs]`; `illegal`: `[batch, actions]`; all others: `[batch, 1]`.
struct Minibatch<B: Backend> {
    observations: Tensor<B, 2>,
    illegal: Tensor<B, 2, Bool>,
    actions: Tensor<B, 2, Int>,
    log_probabilities: Tensor<B, 2>,
    values: Tensor<B, 2>,
    advantages: Tensor<B, 2>,
    returns: Tensor<B, 2>,
}

impl<B: Backend> Minibatch<B> {
    fn of(steps: &Steps, rows: &[usize], shape: &Shape, config: &PpoConfig, device: &B::Device) -> Self {
        let n = rows.len();
        let column = |from: &dyn Fn(usize) -> f32| matrix(rows.iter().map(|&row| from(row)).collect(), n, device);
        let observations = rows.iter().flat_map(|&row| &steps.observations[row * shape.inputs..][..shape.inputs]);
        let illegal =
            rows.iter().flat_map(|&row| steps.masks[row * shape.actions..][..shape.actions].iter().map(|legal| !legal));
        let actions: Vec<i32> = rows.iter().map(|&row| i32::from(steps.actions[row])).collect();
        let (mean, deviation) = if config.normalise_advantages {
            moments(rows.iter().map(|&row| steps.advantages[row]))
        } else {
            (0.0, 1.0)
        };
        Self {
            observations: matrix(observations.copied().collect(), n, device),
            illegal: Tensor::from_data(TensorData::new(illegal.collect::<Vec<bool>>(), [n, shape.actions]), device),
            actions: Tensor::from_data(TensorData::new(actions, [n, 1]), device),
            log_probabilities: column(&|row| steps.log_probabilities[row]),
            values: column(&|row| steps.values[row]),
            advantages: column(&|row| (steps.advantages[row] - mean) / (deviation + 1e-8)),
            returns: column(&|row| steps.advantages[row] + steps.values[row]),
        }
    }
}

/// Fisher and Yates's shuffle.
fn shuffle(order: &mut [usize], stream: &mut Stream) {
    for last in (1..order.len()).rev() {
        order.swap(last, stream.below(last as u64 + 1) as usize);
    }
}

/// Mean and standard deviation.
fn moments(numbers: impl Iterator<Item = f32> + Clone) -> (f32, f32) {
    let count = numbers.clone().count().max(1) as f64;
    let mean = numbers.clone().map(f64::from).sum::<f64>() / count;
    let variance = numbers.map(|x| (f64::from(x) - mean) * (f64::from(x) - mean)).sum::<f64>() / count;
    (mean as f32, libm::sqrt(variance) as f32)
}

fn explained_variance(steps: &Steps) -> f32 {
    let returns = steps.advantages.iter().zip(&steps.values).map(|(advantage, value)| advantage + value);
    let (_, of_returns) = moments(returns);
    let (_, of_errors) = moments(steps.advantages.iter().copied());
    if of_returns > 0.0 { 1.0 - (of_errors / of_returns) * (of_errors / of_returns) } else { 0.0 }
}

/// Learns `game` from the start for `episodes` episodes and gives the policy: for games without opponents that change.
///
/// # Errors
/// Where the device cannot be used.
pub fn learn(
    game: &dyn Game,
    config: &PpoConfig,
    hidden: &[usize],
    episodes: u64,
    seed: u64,
    device: Device,
) -> Result<PlainNetwork, DeviceError> {
    struct Learn<'a> {
        game: &'a dyn Game,
        config: &'a PpoConfig,
        hidden: &'a [usize],
        episodes: u64,
        seed: u64,
    }
    impl OnBackend for Learn<'_> {
        type Output = PlainNetwork;
        fn run<B: AutodiffBackend>(self, device: &B::Device) -> PlainNetwork {
            let key = StreamKey::new("ppo", &[&self.seed.to_le_bytes()]);
            let shape = Shape { inputs: self.game.width(), hidden: self.hidden.to_vec(), actions: self.game.choices() };
            let initial =
                PlainNetwork::orthogonal(&shape, self.config.head_gain, &mut key.with("weights", &[]).stream(0));
            let mut ppo = Ppo::<B>::new(self.config, &shape, &AdamState::new(&initial), &key, 0, device);
            let mut first = 0;
            while first < self.episodes {
                let count = (self.config.episodes_per_update as u64).min(self.episodes - first);
                ppo.update(self.game, first, count as usize, first as f64 / self.episodes as f64, 1);
                first += count;
            }
            ppo.policy()
        }
    }
    device.with(Learn { game, config, hidden, episodes, seed })
}
