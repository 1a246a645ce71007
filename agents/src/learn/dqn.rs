//! Deep Q-learning (Mnih et al. 2015) as Double DQN (van Hasselt et al. 2016) with duelling heads (Wang et al. 2016), prioritised
//! replay (Schaul et al. 2016) and n-step returns (Hessel et al. 2018).
//!
//! One round: play whole episodes, mostly by the highest action value, remember their transitions, then draw minibatches in
//! proportion to how wrong they were. Legality masks count in both argmaxes: in acting, and in choosing the action whose
//! value is bootstrapped.

use super::adam::{Adam, AdamState};
use super::backend::{Device, DeviceError, OnBackend};
use super::game::{EpisodeOutcome, Game};
use super::network::{Network, Shape, matrix, numbers};
use super::plain::PlainNetwork;
use super::replay::{Drawn, Replay};
use super::rollout::explore;
use burn_tensor::backend::{AutodiffBackend, Backend};
use burn_tensor::{Bool, Int, Tensor, TensorData};
use serde::{Deserialize, Serialize};
use zopa_envs::{Stream, StreamKey};

/// DQN's numbers. Sources: M15 is Mnih et al. 2015; S16 is Schaul et al. 2016; H18 is Hessel et al. 2018 (Rainbow); CleanRL is
/// its `dqn.py`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DqnConfig {
    /// Episodes played in a round: 16, some 150 steps, so that the policy changes little within one.
    pub episodes_per_round: usize,
    /// Gradient steps for each step played: 0.25 (M15, a step in four).
    pub steps_per_step: f64,
    /// Transitions in a minibatch: 128 (CleanRL, for networks of this size).
    pub minibatch: usize,
    /// Transitions kept: 50,000. M15 keeps a million frames; this game's episodes are short, and policies drift.
    pub memory: usize,
    /// Transitions before the first gradient step: 2,000 (H18 waits for 80,000 frames of 200 million).
    pub learning_starts: usize,
    /// Discount a step: 0.99 (M15).
    pub gamma: f32,
    /// Steps of a return before it is bootstrapped: 3 (H18).
    pub n_step: usize,
    /// Whether the online network chooses the action that the target network values: yes (van Hasselt et al. 2016).
    pub double: bool,
    /// Whether an action's value is `V + A - mean A` of the two heads (Wang et al. 2016): yes. Otherwise the advantage head gives
    /// it alone and the value head is left as it is; both order the actions alike, so nothing that acts need know.
    pub duelling: bool,
    /// How far priorities count: 0.6 (S16); 0 draws uniformly.
    pub alpha: f64,
    /// How far the bias of that is undone at the start: 0.4 (S16). It rises in a line to 1.
    pub beta: f64,
    /// Gradient steps between copies to the target network: 500 (CleanRL, for networks of this size).
    pub target_every: u64,
    /// Chance of a random choice at the start: 1 (M15). A policy that starts from another one's needs less.
    pub epsilon_start: f64,
    /// The chance in the end: 0.05 (CleanRL).
    pub epsilon_end: f64,
    /// Share of the training over which it falls: 0.5 (CleanRL).
    pub exploration: f64,
    /// Learning rate: 2.5e-4 (CleanRL), in a line to 0.
    pub learning_rate: f64,
    /// Adam's epsilon: 1.5e-4 (H18).
    pub epsilon: f64,
    /// Longest gradient, all parameters together: 10 (Wang et al. 2016).
    pub most_norm: f64,
    /// Gain of the advantage head's first weights, where it starts from none: 1.
    pub head_gain: f64,
    /// What a policy's logit counts as advantage, where the head starts from a policy: 0.1. A policy that is soft in action values
    /// has logits of advantage over temperature (Haarnoja et al. 2017).
    pub temperature: f32,
}

impl Default for DqnConfig {
    fn default() -> Self {
        Self {
            episodes_per_round: 16,
            steps_per_step: 0.25,
            minibatch: 128,
            memory: 50_000,
            learning_starts: 2_000,
            gamma: 0.99,
            n_step: 3,
            double: true,
            duelling: true,
            alpha: 0.6,
            beta: 0.4,
            target_every: 500,
            epsilon_start: 1.0,
            epsilon_end: 0.05,
            exploration: 0.5,
            learning_rate: 2.5e-4,
            epsilon: 1.5e-4,
            most_norm: 10.0,
            head_gain: 1.0,
            temperature: 0.1,
        }
    }
}

impl DqnConfig {
    /// Chance of a random choice when `done`, in `[0, 1]`, of the training is over.
    #[must_use]
    pub fn epsilon_at(&self, done: f64) -> f64 {
        let share = if self.exploration > 0.0 { (done / self.exploration).min(1.0) } else { 1.0 };
        self.epsilon_start + (self.epsilon_end - self.epsilon_start) * share
    }
}

/// What a round tells: means over its minibatches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DqnFigures {
    /// The loss.
    pub loss: f32,
    /// Mean size of the temporal-difference error.
    pub error: f32,
    /// Mean value of the actions in the minibatches: with over-estimation it leaves what rewards allow.
    pub action_value: f32,
    /// Chance of a random choice.
    pub exploration: f32,
}

/// What a DQN remembers beside the optimiser.
#[derive(Clone, Debug, PartialEq)]
pub struct DqnMemory {
    /// `[parameters]` of the target network.
    pub target: Vec<f32>,
    /// Gradient steps that are due but not whole.
    pub due: f64,
    /// The transitions.
    pub replay: Replay,
}

/// The learner.
pub(super) struct Dqn<B: AutodiffBackend> {
    config: DqnConfig,
    shape: Shape,
    adam: Adam<B>,
    target: Network<B::InnerBackend>,
    memory: DqnMemory,
    acting: StreamKey,
    drawing: StreamKey,
    rounds: u64,
}

/// The tensors of a minibatch.
///
/// # Shapes
/// `observations` and `next_observations`: `[batch, inputs]`; `next_illegal`: `[batch, actions]`; all others: `[batch, 1]`.
struct Minibatch<B: Backend> {
    observations: Tensor<B, 2>,
    actions: Tensor<B, 2, Int>,
    rewards: Tensor<B, 2>,
    discounts: Tensor<B, 2>,
    next_observations: Tensor<B, 2>,
    next_illegal: Tensor<B, 2, Bool>,
    weights: Tensor<B, 2>,
}

impl<B: Backend> Minibatch<B> {
    fn of(replay: &Replay, drawn: &Drawn, shape: &Shape, device: &B::Device) -> Self {
        let (n, d, m) = (drawn.places.len(), shape.inputs, shape.actions);
        let rows = |from: &[f32]| {
            let numbers = drawn.places.iter().flat_map(|&place| &from[place * d..][..d]).copied().collect();
            matrix(numbers, n, device)
        };
        let column = |from: &[f32]| matrix(drawn.places.iter().map(|&place| from[place]).collect(), n, device);
        let illegal =
            drawn.places.iter().flat_map(|&place| replay.next_masks[place * m..][..m].iter().map(|legal| !legal));
        let actions: Vec<i32> = drawn.places.iter().map(|&place| i32::from(replay.actions[place])).collect();
        Self {
            observations: rows(&replay.observations),
            actions: Tensor::from_data(TensorData::new(actions, [n, 1]), device),
            rewards: column(&replay.rewards),
            discounts: column(&replay.discounts),
            next_observations: rows(&replay.next_observations),
            next_illegal: Tensor::from_data(TensorData::new(illegal.collect::<Vec<bool>>(), [n, m]), device),
            weights: matrix(drawn.weights.clone(), n, device),
        }
    }
}

impl<B: AutodiffBackend> Dqn<B> {
    /// A learner that goes on from `state` and `memory` after `rounds` rounds; without a memory it begins with an empty one.
    pub(super) fn new(
        config: &DqnConfig,
        shape: &Shape,
        state: &AdamState,
        memory: Option<DqnMemory>,
        key: &StreamKey,
        rounds: u64,
        device: &B::Device,
    ) -> Self {
        let adam = Adam::<B>::new(shape, state, config.epsilon, config.most_norm, device);
        let memory = memory.unwrap_or_else(|| DqnMemory {
            target: state.parameters.clone(),
            due: 0.0,
            replay: Replay::new(config.memory, shape.inputs, shape.actions, config.alpha),
        });
        let target = Tensor::from_data(TensorData::new(memory.target.clone(), [memory.target.len()]), device);
        Self {
            config: config.clone(),
            shape: shape.clone(),
            target: Network::of_row(shape, &target),
            adam,
            memory,
            acting: key.with("acting", &[]),
            drawing: key.with("drawing", &[]),
            rounds,
        }
    }

    pub(super) fn state(&self) -> AdamState {
        self.adam.state()
    }

    pub(super) fn memory(&self) -> &DqnMemory {
        &self.memory
    }

    pub(super) fn rounds(&self) -> u64 {
        self.rounds
    }

    pub(super) fn policy(&self) -> PlainNetwork {
        self.adam.plain()
    }

    /// Plays `count` episodes from number `first` on and learns from the memory. `done`, in `[0, 1]`, is how much of the training
    /// is over.
    pub(super) fn round(
        &mut self,
        game: &dyn Game,
        first: u64,
        count: usize,
        done: f64,
        threads: usize,
    ) -> (Vec<EpisodeOutcome>, u64, DqnFigures) {
        let exploration = self.config.epsilon_at(done);
        let policy = self.policy();
        let (mut outcomes, mut made) = (Vec::with_capacity(count), 0);
        for trajectory in explore(game, &policy, exploration, &self.acting, first, count, threads) {
            self.memory.replay.take(&trajectory, self.config.n_step, self.config.gamma);
            made += trajectory.len() as u64;
            outcomes.push(trajectory.outcome);
        }
        let mut figures = DqnFigures { exploration: exploration as f32, ..DqnFigures::default() };
        if self.memory.replay.len() >= self.config.learning_starts {
            self.memory.due += made as f64 * self.config.steps_per_step;
            self.learn(done, &mut figures);
        }
        self.rounds += 1;
        (outcomes, made, figures)
    }

    fn learn(&mut self, done: f64, figures: &mut DqnFigures) {
        let beta = self.config.beta + (1.0 - self.config.beta) * done;
        let learning_rate = self.config.learning_rate * (1.0 - done);
        let mut stream = self.drawing.stream(self.rounds);
        let (mut sums, mut minibatches) = ([0.0_f64; 3], 0);
        while self.memory.due >= 1.0 {
            self.memory.due -= 1.0;
            let drawn = self.memory.replay.draw(self.config.minibatch, beta, &mut stream);
            let errors = self.gradient_step(&drawn, learning_rate, &mut sums);
            self.memory.replay.reprioritise(&drawn.places, &errors);
            minibatches += 1;
            if self.adam.steps().is_multiple_of(self.config.target_every) {
                self.target = self.adam.still();
                self.memory.target = self.adam.state().parameters;
            }
        }
        let mean = |sum: f64| (sum / f64::from(minibatches.max(1))) as f32;
        [figures.loss, figures.error, figures.action_value] = sums.map(mean);
    }

    /// One step on transitions drawn from the memory, at the first learning rate: for benchmarks.
    pub(super) fn draw_and_step(&mut self, stream: &mut Stream, sums: &mut [f64; 3]) {
        let drawn = self.memory.replay.draw(self.config.minibatch, self.config.beta, stream);
        let errors = self.gradient_step(&drawn, self.config.learning_rate, sums);
        self.memory.replay.reprioritise(&drawn.places, &errors);
    }

    /// One step down the gradient; the temporal-difference errors of what was drawn.
    fn gradient_step(&mut self, drawn: &Drawn, learning_rate: f64, sums: &mut [f64; 3]) -> Vec<f32> {
        let device = self.adam.device().clone();
        let batch = Minibatch::<B::InnerBackend>::of(&self.memory.replay, drawn, &self.shape, &device);
        let still = self.adam.still();
        let duelling = self.config.duelling;
        let target = bootstrapped(&self.target, self.config.double.then_some(&still), duelling, &batch);

        let network = self.adam.network();
        let values = action_values(&network, duelling, Tensor::from_inner(batch.observations));
        let chosen = values.gather(1, Tensor::from_inner(batch.actions));
        let error = chosen.clone() - Tensor::from_inner(target);
        let loss = weighted_huber(error.clone(), Tensor::from_inner(batch.weights));
        self.adam.step(&network, &loss, learning_rate);

        let errors = numbers(error.inner());
        sums[0] += f64::from(numbers(loss.inner())[0]);
        sums[1] += errors.iter().map(|error| f64::from(error.abs())).sum::<f64>() / errors.len() as f64;
        sums[2] += numbers(chosen.inner()).iter().map(|&value| f64::from(value)).sum::<f64>() / errors.len() as f64;
        errors
    }
}

/// Action values by both heads, or by the advantage head alone.
///
/// # Shapes
/// `observations`: `[batch, inputs]`; the answer: `[batch, actions]`.
fn action_values<B: Backend>(network: &Network<B>, duelling: bool, observations: Tensor<B, 2>) -> Tensor<B, 2> {
    if duelling { network.action_values(observations) } else { network.forward(observations).0 }
}

/// What the actions of a minibatch should be worth: rewards, and the target network's value of the best legal next action. The
/// action is chosen by `online` where it is there (Double DQN), else by the target network itself.
///
/// # Shapes
/// The answer: `[batch, 1]`.
fn bootstrapped<B: Backend>(
    target: &Network<B>,
    online: Option<&Network<B>>,
    duelling: bool,
    batch: &Minibatch<B>,
) -> Tensor<B, 2> {
    let of = |network: &Network<B>| action_values(network, duelling, batch.next_observations.clone());
    let values = of(target);
    let judged = online.map_or_else(|| values.clone(), of);
    let best = judged.mask_fill(batch.next_illegal.clone(), f32::MIN).argmax(1);
    batch.rewards.clone() + batch.discounts.clone() * values.gather(1, best)
}

/// Huber's loss with threshold 1, each error counting its weight: `mean(w * h(e))`.
///
/// # Shapes
/// `error` and `weights`: `[batch, 1]`.
fn weighted_huber<B: Backend>(error: Tensor<B, 2>, weights: Tensor<B, 2>) -> Tensor<B, 1> {
    let size = error.abs();
    let near = size.clone().clamp_max(1.0);
    // e^2 / 2 up to 1, then |e| - 1/2: near * (size - near / 2) is both.
    (near.clone() * (size - near * 0.5) * weights).mean()
}

/// Learns `game` from the start for `episodes` episodes and gives the network: for games without opponents that change.
///
/// # Errors
/// Where the device cannot be used.
pub fn learn(
    game: &dyn Game,
    config: &DqnConfig,
    hidden: &[usize],
    episodes: u64,
    seed: u64,
    device: Device,
) -> Result<PlainNetwork, DeviceError> {
    struct Learn<'a> {
        game: &'a dyn Game,
        config: &'a DqnConfig,
        hidden: &'a [usize],
        episodes: u64,
        seed: u64,
    }
    impl OnBackend for Learn<'_> {
        type Output = PlainNetwork;
        fn run<B: AutodiffBackend>(self, device: &B::Device) -> PlainNetwork {
            let key = StreamKey::new("dqn", &[&self.seed.to_le_bytes()]);
            let shape = Shape { inputs: self.game.width(), hidden: self.hidden.to_vec(), actions: self.game.choices() };
            let initial =
                PlainNetwork::orthogonal(&shape, self.config.head_gain, &mut key.with("weights", &[]).stream(0));
            let mut dqn = Dqn::<B>::new(self.config, &shape, &AdamState::new(&initial), None, &key, 0, device);
            let mut first = 0;
            while first < self.episodes {
                let count = (self.config.episodes_per_round as u64).min(self.episodes - first);
                dqn.round(self.game, first, count as usize, first as f64 / self.episodes as f64, 1);
                first += count;
            }
            dqn.policy()
        }
    }
    device.with(Learn { game, config, hidden, episodes, seed })
}

#[cfg(test)]
mod tests {
    use super::super::backend::Cpu;
    use super::*;

    type Inner = <Cpu as AutodiffBackend>::InnerBackend;

    fn shape() -> Shape {
        Shape { inputs: 3, hidden: vec![5], actions: 4 }
    }

    fn batch<B: Backend>() -> Minibatch<B> {
        let device = Default::default();
        Minibatch {
            observations: matrix(vec![0.5, -1.0, 0.3, 1.5, 0.2, -0.7], 2, &device),
            actions: Tensor::from_data(TensorData::new(vec![2_i32, 0], [2, 1]), &device),
            rewards: matrix(vec![1.0, -4.0], 2, &device),
            discounts: matrix(vec![0.9, 0.0], 2, &device),
            next_observations: matrix(vec![0.1, 0.4, -0.2, 0.9, -0.3, 0.6], 2, &device),
            next_illegal: Tensor::from_data(TensorData::new(vec![false; 8], [2, 4]), &device),
            weights: matrix(vec![1.0, 0.25], 2, &device),
        }
    }

    /// The loss of the minibatch at given parameters, its target held fixed.
    fn loss_at(parameters: &[f32]) -> f32 {
        let row = Tensor::<Inner, 1>::from_floats(parameters, &Default::default());
        let values = Network::of_row(&shape(), &row).action_values(batch::<Inner>().observations);
        let error = values.gather(1, batch::<Inner>().actions) - matrix(vec![0.3, -4.0], 2, &Default::default());
        numbers(weighted_huber(error, batch::<Inner>().weights))[0]
    }

    #[test]
    fn gradients_through_duelling_heads_and_priority_weights_equal_finite_differences() {
        let plain = PlainNetwork::orthogonal(&shape(), 1.0, &mut StreamKey::new("test", &[]).stream(3));
        let flat = plain.flat();
        let adam = Adam::<Cpu>::new(&shape(), &AdamState::new(&plain), 1.0, 1.0, &Default::default());
        let network = adam.network();
        let data = batch::<Cpu>();
        let error = network.action_values(data.observations).gather(1, data.actions)
            - matrix(vec![0.3, -4.0], 2, &Default::default());
        let mut gradients = weighted_huber(error, data.weights).backward();
        let found: Vec<f32> = network
            .parameters()
            .flat_map(|parameter| numbers(parameter.grad_remove(&mut gradients).unwrap()))
            .collect();
        assert!(found.iter().any(|gradient| gradient.abs() > 0.1));
        for (position, gradient) in found.iter().enumerate() {
            let at = |step: f32| {
                let mut moved = flat.clone();
                moved[position] += step;
                loss_at(&moved)
            };
            let difference = (at(5e-3) - at(-5e-3)) / 1e-2;
            assert!(
                (gradient - difference).abs() < 2e-3,
                "parameter {position}: {gradient}, by differences {difference}"
            );
        }
    }

    #[test]
    fn double_dqn_lets_the_online_network_choose_and_the_target_network_judge() {
        let network = |values: [f32; 4]| {
            let shape = Shape { inputs: 1, hidden: Vec::new(), actions: 4 };
            let mut flat = vec![0.0; shape.parameters()];
            // Weights [1, 4] are 0, the advantages' biases are the values; their mean is added back by the value head.
            flat[4..8].copy_from_slice(&values);
            flat[9] = values.iter().sum::<f32>() / 4.0;
            let row = Tensor::<Inner, 1>::from_floats(flat.as_slice(), &Default::default());
            Network::of_row(&shape, &row)
        };
        let (online, target) = (network([1.0, 5.0, 2.0, 9.0]), network([7.0, 3.0, 8.0, 4.0]));
        let device = Default::default();
        let mut data = batch::<Inner>();
        data.next_observations = matrix(vec![0.0, 0.0], 2, &device);
        // In the first row choice 3 is illegal.
        let illegal = vec![false, false, false, true, false, false, false, false];
        data.next_illegal = Tensor::from_data(TensorData::new(illegal, [2, 4]), &device);
        let found = numbers(bootstrapped(&target, Some(&online), true, &data));
        assert!((found[0] - (1.0 + 0.9 * 3.0)).abs() < 1e-5 && found[1] == -4.0, "{found:?}");
        let found = numbers(bootstrapped(&target, None, true, &data));
        assert!((found[0] - (1.0 + 0.9 * 8.0)).abs() < 1e-5 && found[1] == -4.0, "{found:?}");
    }

    #[test]
    fn exploration_falls_in_a_line_to_its_end() {
        let config = DqnConfig { epsilon_start: 1.0, epsilon_end: 0.1, exploration: 0.5, ..DqnConfig::default() };
        for (done, expected) in [(0.0, 1.0), (0.25, 0.55), (0.5, 0.1), (1.0, 0.1)] {
            assert!((config.epsilon_at(done) - expected).abs() < 1e-12);
        }
    }
}
