//! Prioritised replay memory (Schaul et al. 2016) of n-step transitions (Sutton 1988; Hessel et al. 2018).

use super::game::Trajectory;
use super::sum_tree::SumTree;
use zopa_envs::Stream;

/// Added to every priority, so that no transition is forgotten for good (Schaul et al. 2016, section 3.3).
const LEAST_PRIORITY: f64 = 1e-6;

/// What n steps from step `t` of an episode came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// The step that it starts with.
    pub step: usize,
    /// The row of the trajectory that is seen n steps later; the row of `step` itself where the episode has terminated by then.
    pub next: usize,
    /// Discounted rewards of the steps between.
    pub reward: f32,
    /// What the value of `next` counts: gamma to the number of steps, or 0 after termination.
    pub discount: f32,
}

/// The n-step transitions of an episode, all of them within it. Towards its end they are shorter: after the last step comes
/// nothing where it terminated, and the observation at the cut where it was truncated.
pub fn transitions(trajectory: &Trajectory, n: usize, gamma: f32) -> impl Iterator<Item = Transition> + '_ {
    (0..trajectory.len()).map(move |step| {
        let end = (step + n).min(trajectory.len());
        let (mut reward, mut discount) = (0.0, 1.0);
        for &one in &trajectory.rewards[step..end] {
            reward += discount * one;
            discount *= gamma;
        }
        let over = end == trajectory.len() && !trajectory.truncated;
        if over {
            Transition { step, next: step, reward, discount: 0.0 }
        } else {
            Transition { step, next: end, reward, discount }
        }
    })
}

/// The memory: a ring of transitions, and a sum tree over their priorities.
///
/// # Shapes
/// With room for c transitions, d numbers an observation and m choices: `observations` and `next_observations` `[c, d]`,
/// `next_masks` `[c, m]`, everything else `[c]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    width: usize,
    choices: usize,
    capacity: usize,
    alpha: f64,
    pub(super) observations: Vec<f32>,
    pub(super) next_observations: Vec<f32>,
    pub(super) next_masks: Vec<bool>,
    pub(super) actions: Vec<u16>,
    pub(super) rewards: Vec<f32>,
    pub(super) discounts: Vec<f32>,
    /// Where the next transition goes.
    pub(super) next: usize,
    /// The highest priority so far, before the exponent.
    pub(super) highest: f64,
    tree: SumTree,
}

/// Transitions drawn from the memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawn {
    /// Where each stands.
    pub places: Vec<usize>,
    /// Importance-sampling weights, the largest of them 1.
    pub weights: Vec<f32>,
}

impl Replay {
    /// A memory of `capacity` transitions, whose priorities count to the power `alpha`.
    #[must_use]
    pub fn new(capacity: usize, width: usize, choices: usize, alpha: f64) -> Self {
        Self {
            width,
            choices,
            capacity,
            alpha,
            observations: Vec::new(),
            next_observations: Vec::new(),
            next_masks: Vec::new(),
            actions: Vec::new(),
            rewards: Vec::new(),
            discounts: Vec::new(),
            next: 0,
            highest: 1.0,
            tree: SumTree::new(capacity),
        }
    }

    /// How many transitions it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }

    /// Takes in an episode's transitions with the highest priority so far, so that each is drawn at least once before long.
    pub fn take(&mut self, trajectory: &Trajectory, n: usize, gamma: f32) {
        let priority = libm::pow(self.highest, self.alpha);
        for Transition { step, next, reward, discount } in transitions(trajectory, n, gamma) {
            let observation = &trajectory.observations[step * self.width..][..self.width];
            let next_observation = &trajectory.observations[next * self.width..][..self.width];
            let next_mask = &trajectory.masks[next * self.choices..][..self.choices];
            let place = self.next;
            if self.len() < self.capacity {
                self.observations.extend_from_slice(observation);
                self.next_observations.extend_from_slice(next_observation);
                self.next_masks.extend_from_slice(next_mask);
                self.actions.push(trajectory.actions[step]);
                self.rewards.push(reward);
                self.discounts.push(discount);
            } else {
                self.observations[place * self.width..][..self.width].copy_from_slice(observation);
                self.next_observations[place * self.width..][..self.width].copy_from_slice(next_observation);
                self.next_masks[place * self.choices..][..self.choices].copy_from_slice(next_mask);
                self.actions[place] = trajectory.actions[step];
                self.rewards[place] = reward;
                self.discounts[place] = discount;
            }
            self.tree.set(place, priority);
            self.next = (place + 1) % self.capacity;
        }
    }

    /// Draws `count` transitions in proportion to their priorities, one from each of as many equal shares of the total, with weights
    /// `(N P)^-beta` over the largest of them.
    pub fn draw(&self, count: usize, beta: f64, stream: &mut Stream) -> Drawn {
        let share = self.tree.total() / count as f64;
        let held = self.len() as f64;
        let mut drawn = Drawn::default();
        let mut weights = Vec::with_capacity(count);
        for part in 0..count {
            let place = self.tree.find((part as f64 + stream.uniform()) * share);
            let chance = self.tree.get(place) / self.tree.total();
            drawn.places.push(place);
            weights.push(libm::pow(held * chance, -beta));
        }
        let largest = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        drawn.weights = weights.into_iter().map(|weight| (weight / largest) as f32).collect();
        drawn
    }

    /// Sets the priorities of drawn transitions to the sizes of their errors.
    pub fn reprioritise(&mut self, places: &[usize], errors: &[f32]) {
        for (&place, &error) in places.iter().zip(errors) {
            let priority = f64::from(error.abs()) + LEAST_PRIORITY;
            self.highest = self.highest.max(priority);
            self.tree.set(place, libm::pow(priority, self.alpha));
        }
    }

    /// What the tree holds for each transition.
    pub(super) fn priorities(&self) -> Vec<f64> {
        (0..self.len()).map(|place| self.tree.get(place)).collect()
    }

    /// Sets what the tree holds, when a memory is restored.
    pub(super) fn restore_priorities(&mut self, priorities: &[f64]) {
        for (place, &priority) in priorities.iter().enumerate() {
            self.tree.set(place, priority);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zopa_envs::StreamKey;

    fn episode(rewards: &[f32], truncated: bool) -> Trajectory {
        let rows = rewards.len() + usize::from(truncated);
        Trajectory {
            observations: (0..rows).map(|row| row as f32).collect(),
            masks: vec![true; 2 * rows],
            actions: vec![1; rewards.len()],
            rewards: rewards.to_vec(),
            truncated,
            ..Trajectory::default()
        }
    }

    fn check(truncated: bool, expected: &[(usize, f32, f32)]) {
        let found: Vec<_> = transitions(&episode(&[1.0, 2.0, 4.0], truncated), 2, 0.5)
            .map(|found| (found.next, found.reward, found.discount))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn termination_bootstraps_nothing() {
        check(false, &[(2, 2.0, 0.25), (1, 4.0, 0.0), (2, 4.0, 0.0)]);
    }

    #[test]
    fn truncation_bootstraps_from_the_observation_at_the_cut() {
        check(true, &[(2, 2.0, 0.25), (3, 4.0, 0.25), (3, 4.0, 0.5)]);
    }

    #[test]
    fn no_transition_crosses_a_reset_even_in_a_full_ring() {
        let mut memory = Replay::new(5, 1, 2, 0.6);
        for (start, truncated) in [(0.0, false), (100.0, true), (200.0, false)] {
            let mut trajectory = episode(&[0.0; 4], truncated);
            trajectory.observations.iter_mut().for_each(|x| *x += start);
            memory.take(&trajectory, 3, 0.9);
        }
        assert_eq!(memory.len(), 5);
        for (from, to) in memory.observations.iter().zip(&memory.next_observations) {
            assert!((0.0..=4.0).contains(&(to - from)), "{from} is followed by {to}");
        }
    }

    #[test]
    fn draws_follow_the_priorities_and_the_weights_undo_them() {
        let mut memory = Replay::new(4, 1, 2, 1.0);
        memory.take(&episode(&[0.0; 4], false), 1, 0.9);
        memory.reprioritise(&[0, 1, 2, 3], &[1.0, 2.0, 3.0, 4.0]);
        let mut stream = StreamKey::new("test", &[]).stream(0);
        let mut counts = [0.0; 4];
        for _ in 0..2_000 {
            let drawn = memory.draw(5, 1.0, &mut stream);
            let heaviest = drawn.places.iter().zip(&drawn.weights).min_by_key(|(place, _)| **place).unwrap();
            assert_eq!(*heaviest.1, 1.0, "the rarest transition weighs 1");
            drawn.places.iter().for_each(|&place| counts[place] += 1.0 / 10_000.0);
        }
        for (place, count) in counts.into_iter().enumerate() {
            assert!((count - (place as f64 + 1.0) / 10.0).abs() < 0.01, "{place}: {count}");
        }
    }

    #[test]
    fn a_new_transition_comes_in_at_the_highest_priority() {
        let mut memory = Replay::new(8, 1, 2, 0.5);
        memory.take(&episode(&[0.0; 2], false), 1, 0.9);
        memory.reprioritise(&[0], &[9.0]);
        memory.take(&episode(&[0.0], false), 1, 0.9);
        let priorities = memory.priorities();
        assert_eq!(priorities[2], priorities[0]);
        assert!((priorities[2] - 3.0).abs() < 1e-6 && priorities[1] == 1.0, "{priorities:?}");
    }
}
