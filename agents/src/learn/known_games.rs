//! Small games whose answer is known, and what the learners make of them.

use super::adam::AdamState;
use super::backend::{Cpu, Device};
use super::dqn::{self, Dqn, DqnConfig};
use super::game::{Chooser, Game, Trajectory};
use super::network::Shape;
use super::plain::{PlainNetwork, Scratch, softmax};
use super::ppo::{self, PpoConfig};
use zopa_envs::StreamKey;

/// Two choices, one after the other: the first shows which of the two is good next, and only the pair pays.
struct TwoStepBandit;

impl Game for TwoStepBandit {
    fn width(&self) -> usize {
        3
    }

    fn choices(&self) -> usize {
        3
    }

    fn play(&self, _episode: u64, choose: &mut Chooser<'_>, trajectory: &mut Trajectory) {
        let mut see = |observation: [f32; 3], trajectory: &mut Trajectory| {
            // The third choice would pay most and is illegal.
            let mask = [true, true, false];
            trajectory.observations.extend(observation);
            trajectory.masks.extend(mask);
            let choice = choose(&observation, &mask);
            trajectory.actions.push(choice as u16);
            choice
        };
        let first = see([1.0, 0.0, 0.0], trajectory);
        let second = see([0.0, f32::from(first == 0), f32::from(first == 1)], trajectory);
        let paid = [[0.2, 0.0], [0.0, 1.0]][first.min(1)][second.min(1)];
        trajectory.rewards.extend([if first == 2 { 9.0 } else { 0.0 }, if second == 2 { 9.0 } else { paid }]);
    }
}

/// A price for a good of known worth, as a take-it-or-leave-it offer: the buyer takes price p (in tenths) with probability 1 - p,
/// so that the best response to it is 5/10 (Myerson 1981: the monopoly price of a uniform value).
struct TakeItOrLeaveIt {
    key: StreamKey,
}

impl Game for TakeItOrLeaveIt {
    fn width(&self) -> usize {
        1
    }

    fn choices(&self) -> usize {
        10
    }

    fn play(&self, episode: u64, choose: &mut Chooser<'_>, trajectory: &mut Trajectory) {
        let value = self.key.stream(episode).uniform();
        let mask = [true; 10];
        trajectory.observations.push(1.0);
        trajectory.masks.extend(mask);
        let choice = choose(&[1.0], &mask);
        trajectory.actions.push(choice as u16);
        let price = choice as f64 / 10.0;
        trajectory.rewards.push(if value >= price { price as f32 } else { 0.0 });
    }
}

/// Sutton and Barto's example of maximisation bias (2018, example 6.7): right ends the episode with nothing, left leads on to ten
/// choices that each pay a normal draw of mean -0.1 and deviation 1. So left is worth -0.1, discounted; but of ten means of
/// a few draws the highest lies well above 0.
struct LeftOrRight {
    key: StreamKey,
}

/// What `LeftOrRight`'s second choices pay in the mean.
const SECOND_MEAN: f64 = -0.1;

impl Game for LeftOrRight {
    fn width(&self) -> usize {
        2
    }

    fn choices(&self) -> usize {
        10
    }

    fn play(&self, episode: u64, choose: &mut Chooser<'_>, trajectory: &mut Trajectory) {
        let mut see = |observation: [f32; 2], legal: usize, trajectory: &mut Trajectory| {
            let mask: [bool; 10] = std::array::from_fn(|choice| choice < legal);
            trajectory.observations.extend(observation);
            trajectory.masks.extend(mask);
            let choice = choose(&observation, &mask);
            trajectory.actions.push(choice as u16);
            choice
        };
        let left = see([1.0, 0.0], 2, trajectory) == 0;
        trajectory.rewards.push(0.0);
        if left {
            see([0.0, 1.0], 10, trajectory);
            trajectory.rewards.push((SECOND_MEAN + self.key.stream(episode).normal()) as f32);
        }
    }
}

/// What left is held to be worth in `LeftOrRight`, in the mean over the second half of a training that explores throughout.
///
/// Without hidden layers each choice of each state has its own number. The memory holds about ten draws of each second choice,
/// so their estimates stay noisy; and it is renewed several times before the target network is, so that the noise of the network
/// that chooses is not that of the one that judges. Without the latter Double DQN would have nothing to gain.
fn left_is_held_worth(double: bool, seed: u64) -> f64 {
    let game = LeftOrRight { key: key().with("left or right", &seed.to_le_bytes()) };
    let config = DqnConfig {
        double,
        learning_rate: 0.05,
        learning_starts: 300,
        memory: 300,
        minibatch: 32,
        target_every: 1_000,
        steps_per_step: 1.0,
        n_step: 1,
        alpha: 0.0,
        ..DqnConfig::default()
    };
    let shape = Shape { inputs: game.width(), hidden: Vec::new(), actions: game.choices() };
    let key = StreamKey::new("bias", &[&seed.to_le_bytes()]);
    let initial = PlainNetwork::orthogonal(&shape, 0.01, &mut key.with("weights", &[]).stream(0));
    let mut dqn = Dqn::<Cpu>::new(&config, &shape, &AdamState::new(&initial), None, &key, 0, &Default::default());
    let (rounds, count) = (300, config.episodes_per_round);
    let mut sum = 0.0;
    for round in 0..rounds {
        // Nothing is ever done, so that neither exploration nor the learning rate falls.
        dqn.round(&game, (round * count) as u64, count, 0.0, 1);
        if round >= rounds / 2 {
            sum += f64::from(values(&dqn.policy(), &[1.0, 0.0])[0]);
        }
    }
    sum / (rounds - rounds / 2) as f64
}

fn key() -> StreamKey {
    StreamKey::new("known games", &[])
}

fn quick_ppo() -> PpoConfig {
    PpoConfig { learning_rate: 5e-3, episodes_per_update: 64, minibatch: 64, ..PpoConfig::default() }
}

fn quick_dqn() -> DqnConfig {
    DqnConfig {
        learning_rate: 5e-3,
        learning_starts: 64,
        memory: 2_000,
        minibatch: 32,
        target_every: 20,
        steps_per_step: 0.5,
        ..DqnConfig::default()
    }
}

fn probabilities(network: &PlainNetwork, observation: &[f32], mask: &[bool]) -> Vec<f32> {
    let mut logits = vec![0.0; mask.len()];
    network.forward(observation, &mut Scratch::default(), &mut logits);
    softmax(&mut logits, mask);
    logits
}

fn values(network: &PlainNetwork, observation: &[f32]) -> Vec<f32> {
    let mut values = vec![0.0; network.shape().actions];
    network.action_values(observation, &mut Scratch::default(), &mut values);
    values
}

#[test]
fn ppo_solves_the_two_step_bandit_and_never_takes_what_is_illegal() {
    let network = ppo::learn(&TwoStepBandit, &quick_ppo(), &[16], 2_500, 1, Device::Cpu).unwrap();
    let mask = [true, true, false];
    let first = probabilities(&network, &[1.0, 0.0, 0.0], &mask);
    let second = probabilities(&network, &[0.0, 0.0, 1.0], &mask);
    assert!(first[1] > 0.9 && second[1] > 0.9, "{first:?} {second:?}");
}

#[test]
fn dqn_solves_the_two_step_bandit_and_never_bootstraps_from_what_is_illegal() {
    // One step: longer returns would hold what exploring cost.
    let config = DqnConfig { n_step: 1, ..quick_dqn() };
    let network = dqn::learn(&TwoStepBandit, &config, &[16], 1_200, 1, Device::Cpu).unwrap();
    let (first, second) = (values(&network, &[1.0, 0.0, 0.0]), values(&network, &[0.0, 0.0, 1.0]));
    assert!(first[1] > first[0] && second[1] > second[0], "{first:?} {second:?}");
    // 0.99 to the number of steps left, times 1.
    assert!((first[1] - 0.99).abs() < 0.1 && (second[1] - 1.0).abs() < 0.1, "{first:?} {second:?}");
}

#[test]
fn without_duelling_heads_dqn_solves_it_by_the_advantage_head_alone() {
    let config = DqnConfig { n_step: 1, duelling: false, ..quick_dqn() };
    let network = dqn::learn(&TwoStepBandit, &config, &[16], 1_200, 1, Device::Cpu).unwrap();
    for (observation, worth) in [([1.0, 0.0, 0.0], 0.99), ([0.0, 0.0, 1.0], 1.0)] {
        let mut advantages = vec![0.0; 3];
        network.forward(&observation, &mut Scratch::default(), &mut advantages);
        assert!(advantages[1] > advantages[0] && (advantages[1] - worth).abs() < 0.1, "{advantages:?}");
    }
}

#[test]
fn both_learners_find_the_best_response_of_a_take_it_or_leave_it_offer() {
    let game = TakeItOrLeaveIt { key: key() };
    let config = PpoConfig { episodes_per_update: 256, minibatch: 128, entropy: 0.003, ..quick_ppo() };
    let network = ppo::learn(&game, &config, &[8], 20_000, 1, Device::Cpu).unwrap();
    let chances = probabilities(&network, &[1.0], &[true; 10]);
    let expected: f32 =
        chances.iter().enumerate().map(|(tenth, p)| p * tenth as f32 / 10.0 * (1.0 - tenth as f32 / 10.0)).sum();
    // The best price brings 0.25, its neighbours 0.24, a uniform policy 0.165.
    assert!(expected > 0.238, "PPO expects {expected} from {chances:?}");
    let config = DqnConfig { n_step: 1, alpha: 0.0, epsilon_end: 1.0, ..quick_dqn() };
    let network = dqn::learn(&game, &config, &[8], 4_000, 1, Device::Cpu).unwrap();
    let found = values(&network, &[1.0]);
    let best = (0..10).max_by(|&a, &b| found[a].total_cmp(&found[b])).unwrap();
    assert!((4..=6).contains(&best), "DQN asks {best} tenths: {found:?}");
}

#[test]
fn one_network_that_chooses_and_judges_over_estimates_and_double_dqn_does_not() {
    let mean = |double| (1..=3).map(|seed| left_is_held_worth(double, seed)).sum::<f64>() / 3.0;
    let (plain, double, truth) = (mean(false), mean(true), f64::from(DqnConfig::default().gamma) * SECOND_MEAN);
    assert!(plain > truth + 0.3, "plain DQN holds left worth {plain}, and it is worth {truth}");
    assert!((double - truth).abs() < 0.15, "Double DQN holds left worth {double}, and it is worth {truth}");
}

#[test]
fn equal_seeds_learn_equal_bits_and_other_seeds_others() {
    let learned = |seed| ppo::learn(&TwoStepBandit, &quick_ppo(), &[8], 300, seed, Device::Cpu).unwrap().flat();
    assert_eq!(learned(1), learned(1));
    assert_ne!(learned(1), learned(2));
    let learned = |seed| dqn::learn(&TwoStepBandit, &quick_dqn(), &[8], 200, seed, Device::Cpu).unwrap().flat();
    assert_eq!(learned(1), learned(1));
    assert_ne!(learned(1), learned(2));
}
