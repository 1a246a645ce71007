//! Small games whose answer is known, and what the learners make of them.

use super::backend::Device;
use super::dqn::{self, DqnConfig};
use super::game::{Chooser, Game, Trajectory};
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
fn equal_seeds_learn_equal_bits_and_other_seeds_others() {
    let learned = |seed| ppo::learn(&TwoStepBandit, &quick_ppo(), &[8], 300, seed, Device::Cpu).unwrap().flat();
    assert_eq!(learned(1), learned(1));
    assert_ne!(learned(1), learned(2));
    let learned = |seed| dqn::learn(&TwoStepBandit, &quick_dqn(), &[8], 200, seed, Device::Cpu).unwrap().flat();
    assert_eq!(learned(1), learned(1));
    assert_ne!(learned(1), learned(2));
}
