//! Episodes played by the policy that is learned, on several threads, put together in order.

use super::game::{Game, Trajectory};
use super::plain::{PlainNetwork, Scratch, best, softmax};
use zopa_envs::StreamKey;

/// An episode with what the policy thought at each step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sampled {
    /// The episode.
    pub trajectory: Trajectory,
    /// `[n]`: logarithm of the probability of what was chosen.
    pub log_probabilities: Vec<f32>,
    /// `[n]`: the state's value.
    pub values: Vec<f32>,
    /// The value of what it saw when it was cut off; 0 where it terminated.
    pub bootstrap: f32,
}

/// `work(0), work(1), ...`, spread over `threads` and returned in order.
pub(super) fn in_order<T: Send>(threads: usize, count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let share = count.div_ceil(threads.max(1)).max(1);
    if share >= count {
        return (0..count).map(work).collect();
    }
    std::thread::scope(|scope| {
        let parts: Vec<_> = (0..count)
            .step_by(share)
            .map(|first| {
                let work = &work;
                scope.spawn(move || (first..count.min(first + share)).map(work).collect::<Vec<T>>())
            })
            .collect();
        parts.into_iter().flat_map(|part| part.join().expect("an episode panicked on its thread")).collect()
    })
}

/// Plays `count` episodes from number `first` on, every choice drawn from the policy. Episode i draws from stream i of `key`.
#[must_use]
pub fn sample(
    game: &dyn Game,
    policy: &PlainNetwork,
    key: &StreamKey,
    first: u64,
    count: usize,
    threads: usize,
) -> Vec<Sampled> {
    in_order(threads, count, |position| {
        let episode = first + position as u64;
        let mut stream = key.stream(episode);
        let (mut scratch, mut probabilities) = (Scratch::default(), vec![0.0; game.choices()]);
        let (mut log_probabilities, mut values) = (Vec::new(), Vec::new());
        let mut trajectory = Trajectory::default();
        let mut choose = |observation: &[f32], mask: &[bool]| {
            values.push(policy.forward(observation, &mut scratch, &mut probabilities));
            softmax(&mut probabilities, mask);
            let choice = stream.weighted(probabilities.iter().map(|&p| f64::from(p)));
            log_probabilities.push(libm::logf(probabilities[choice].max(f32::MIN_POSITIVE)));
            choice
        };
        game.play(episode, &mut choose, &mut trajectory);
        let bootstrap = if trajectory.truncated {
            let last = &trajectory.observations[trajectory.len() * game.width()..];
            policy.forward(last, &mut scratch, &mut probabilities)
        } else {
            0.0
        };
        Sampled { trajectory, log_probabilities, values, bootstrap }
    })
}

/// Plays `count` episodes from number `first` on: the choice of highest value, or with probability `epsilon` any legal one.
#[must_use]
pub fn explore(
    game: &dyn Game,
    policy: &PlainNetwork,
    epsilon: f64,
    key: &StreamKey,
    first: u64,
    count: usize,
    threads: usize,
) -> Vec<Trajectory> {
    in_order(threads, count, |position| {
        let episode = first + position as u64;
        let mut stream = key.stream(episode);
        let (mut scratch, mut values) = (Scratch::default(), vec![0.0; game.choices()]);
        let mut trajectory = Trajectory::default();
        let mut choose = |observation: &[f32], mask: &[bool]| {
            if stream.bernoulli(epsilon) {
                return stream.weighted(mask.iter().map(|&legal| f64::from(u8::from(legal))));
            }
            policy.action_values(observation, &mut scratch, &mut values);
            best(&values, mask)
        };
        game.play(episode, &mut choose, &mut trajectory);
        trajectory
    })
}

/// Generalised advantage estimates (Schulman et al. 2016, equation 16) of one episode: `delta_t = r_t + gamma v_{t+1} - v_t`,
/// `A_t = delta_t + gamma lambda A_{t+1}`. After the last step comes `bootstrap`: the value of what was seen when the episode was cut
/// off, or 0 where it terminated.
#[must_use]
pub fn advantages(rewards: &[f32], values: &[f32], bootstrap: f32, gamma: f32, lambda: f32) -> Vec<f32> {
    let mut advantages = vec![0.0; rewards.len()];
    let (mut next_value, mut next_advantage) = (bootstrap, 0.0);
    for t in (0..rewards.len()).rev() {
        let delta = rewards[t] + gamma * next_value - values[t];
        next_advantage = delta + gamma * lambda * next_advantage;
        advantages[t] = next_advantage;
        next_value = values[t];
    }
    advantages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_comes_back_in_order_whatever_the_thread_count() {
        let expected: Vec<usize> = (0..23).collect();
        for threads in [0, 1, 2, 3, 23, 40] {
            assert_eq!(in_order(threads, 23, |position| position), expected);
        }
    }

    fn check(bootstrap: f32, expected: [f32; 3]) {
        let found = advantages(&[1.0, 0.0, 2.0], &[0.5, 1.0, 1.5], bootstrap, 0.9, 0.8);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}");
        }
    }

    #[test]
    fn advantages_are_those_worked_out_by_hand() {
        // delta_2 = 2 - 1.5 = 0.5; delta_1 = 0.9 * 1.5 - 1 = 0.35; delta_0 = 1 + 0.9 - 0.5 = 1.4; factor 0.72.
        check(0.0, [1.4 + 0.72 * (0.35 + 0.72 * 0.5), 0.35 + 0.72 * 0.5, 0.5]);
    }

    #[test]
    fn a_truncated_episode_bootstraps_and_a_terminated_one_does_not() {
        // The value 2 behind the cut adds 0.9 * 2 to the last delta.
        check(2.0, [1.4 + 0.72 * (0.35 + 0.72 * 2.3), 0.35 + 0.72 * 2.3, 2.3]);
    }
}
