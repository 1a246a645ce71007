//! Which arm plays which scenario, where not every arm can play every case.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use zopa_envs::StreamKey;

/// How scenarios were allotted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// In permuted blocks: of every as many successive scenarios as there are arms, each arm has one, in an order drawn by the
    /// seed. So arms differ by at most one scenario in number, whenever a pilot ends (Pocock 1983, section 5.3).
    Random,
}

/// The allotment of a pilot's scenarios to arms, stated before anything is played. Both seats of a scenario have the same arm.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assignment {
    /// How.
    pub method: Method,
    /// The seed of the draw.
    pub seed: u64,
    /// The arms, by agent; at least two.
    pub arms: Vec<String>,
}

impl Assignment {
    /// Allots at random by `seed`; `None` for fewer than two arms.
    #[must_use]
    pub fn random(seed: u64, arms: Vec<String>) -> Option<Self> {
        (arms.len() >= 2).then_some(Self { method: Method::Random, seed, arms })
    }

    /// The arm that a scenario is allotted to.
    #[must_use]
    pub fn arm(&self, scenario: u64) -> &str {
        let size = self.arms.len() as u64;
        let (block, place) = (scenario / size, (scenario % size) as usize);
        let key = StreamKey::new("assignment", &[&self.seed.to_le_bytes(), &size.to_le_bytes()]);
        let mut stream = key.stream(block);
        let mut order: Vec<usize> = (0..self.arms.len()).collect();
        // Fisher and Yates, from the end.
        for last in (1..order.len()).rev() {
            order.swap(last, stream.below(last as u64 + 1) as usize);
        }
        &self.arms[order[place]]
    }

    /// Whether an agent plays an episode.
    #[must_use]
    pub fn plays(&self, agent: &str, index: u64) -> bool {
        self.arm(index / 2) == agent
    }

    /// The scenarios of every arm among the first `scenarios`.
    #[must_use]
    pub fn allotted(&self, scenarios: u64) -> BTreeMap<String, BTreeSet<u64>> {
        let mut allotted: BTreeMap<String, BTreeSet<u64>> =
            self.arms.iter().map(|arm| (arm.clone(), BTreeSet::new())).collect();
        for scenario in 0..scenarios {
            allotted.entry(self.arm(scenario).to_owned()).or_default().insert(scenario);
        }
        allotted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arms(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn every_block_holds_every_arm_once() {
        let assignment = Assignment::random(7, arms(&["a", "b", "c"])).expect("three arms");
        for block in 0..200 {
            let mut drawn: Vec<&str> = (0..3).map(|place| assignment.arm(3 * block + place)).collect();
            drawn.sort_unstable();
            assert_eq!(drawn, ["a", "b", "c"]);
        }
    }

    #[test]
    fn the_draw_is_pinned_and_another_seed_gives_another() {
        let text = |seed| {
            let assignment = Assignment::random(seed, arms(&["a", "b"])).expect("two arms");
            (0..24).map(|scenario| assignment.arm(scenario)).collect::<String>()
        };
        assert_eq!(text(7), text(7));
        assert_ne!(text(7), text(8));
        insta::assert_snapshot!(text(7));
    }

    #[test]
    fn places_in_blocks_are_drawn_with_equal_chances() {
        let assignment = Assignment::random(1, arms(&["a", "b", "c", "d"])).expect("four arms");
        let first = (0..4000).filter(|block| assignment.arm(4 * block) == "a").count();
        // Within 4 standard deviations of a quarter.
        assert!((first as f64 - 1000.0).abs() < 4.0 * (4000.0_f64 * 0.1875).sqrt(), "{first}");
    }

    #[test]
    fn both_seats_of_a_scenario_have_the_same_arm_and_all_are_allotted() {
        let assignment = Assignment::random(3, arms(&["a", "b"])).expect("two arms");
        for index in (0..40).step_by(2) {
            assert_eq!(assignment.plays("a", index), assignment.plays("a", index + 1));
            assert_ne!(assignment.plays("a", index), assignment.plays("b", index));
        }
        let allotted = assignment.allotted(21);
        assert_eq!(allotted.values().map(BTreeSet::len).sum::<usize>(), 21);
        assert!(allotted["a"].len().abs_diff(allotted["b"].len()) <= 1);
        assert!(Assignment::random(3, arms(&["a"])).is_none());
    }
}
