use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::columns::{Label, column_of};
use super::scenarios::Scenarios;
use super::{Aggregation, AggregationError};
use crate::score::Score;
use crate::statistics::{Bootstrap, Estimate, PairedDifference, holm};

/// Significance from which a change for the worse fails, after Holm's correction over all changes that are tested together.
pub const SIGNIFICANCE: f64 = 0.05;

/// One score of one agent in two runs, over the episodes that it played in both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The agent.
    pub agent: String,
    /// The score.
    pub score: Score,
    /// This run less the baseline run, on the same resamples; `n` counts scenarios.
    pub difference: Estimate,
    /// Two-sided significance of no difference.
    pub p_value: f64,
    /// The same after Holm's correction.
    pub p_value_holm: f64,
    /// Whether the score is significantly worse than in the baseline run.
    pub regressed: bool,
}

impl Aggregation {
    /// How `agents` changed in `scores` since another run of the same scenarios: paired over the episodes that were played in
    /// both. An agent that did not play in both, or a score that is not in both, is left out.
    ///
    /// # Errors
    /// Where the runs are of different scenarios, have no episode in common, or contradict themselves.
    pub fn changes_since(
        mut self,
        mut baseline: Self,
        agents: &[String],
        scores: &[Score],
        bootstrap: &Bootstrap,
    ) -> Result<Vec<Change>, AggregationError> {
        let (run, other) = (self.run.take(), baseline.run.take());
        let (run, other) = (run.ok_or(AggregationError::Empty)?, other.ok_or(AggregationError::Empty)?);
        if let Some((field, first, found)) = other.difference(&run) {
            return Err(AggregationError::OtherScenarios { field, first, found });
        }
        let number = |name: &Arc<str>| self.names.number(name);
        let numbers: Option<Vec<u16>> = baseline.names.names.iter().map(number).collect();
        let numbers = numbers.ok_or(AggregationError::TooManyNames)?;
        for rows in baseline.agents.values_mut() {
            rows.renumber(&numbers);
        }
        let names = &self.names.names;
        let mut changes = Vec::new();
        let mut common = 0;
        for id in agents {
            let (Some(new), Some(old)) = (self.agents.get_mut(&**id), baseline.agents.get_mut(&**id)) else {
                continue;
            };
            let agent: Arc<str> = id.as_str().into();
            (new.failed, old.failed) = (Vec::new(), Vec::new());
            new.settle(&agent, names)?;
            old.settle(&agent, names)?;
            let there = |rows: &[super::Row], row: &super::Row| {
                rows.binary_search_by(|other| other.position(names).cmp(&row.position(names))).is_ok()
            };
            new.rows.retain(|row| there(&old.rows, row));
            old.rows.retain(|row| there(&new.rows, row));
            common += new.rows.len();
            let statistics = |source| AggregationError::Statistics { agent: agent.clone(), source };
            let scenarios = Scenarios::of([&new.rows[..], &old.rows[..]].into_iter(), names);
            for &score in scores {
                let column = |rows| column_of(&Label::Overall(score), rows, &scenarios, names).map_err(statistics);
                let (Some(own), Some(other)) = (column(new)?, column(old)?) else { continue };
                let paired = PairedDifference::compute(bootstrap, scenarios.strata(), &own, &other);
                if let Some(PairedDifference { difference, p_value, .. }) = paired.map_err(statistics)? {
                    let (agent, p_value_holm) = (id.clone(), p_value);
                    changes.push(Change { agent, score, difference, p_value, p_value_holm, regressed: false });
                }
            }
        }
        if common == 0 {
            return Err(AggregationError::NothingInCommon);
        }
        let corrected = holm(&changes.iter().map(|change| change.p_value).collect::<Vec<_>>());
        for (change, p_value) in changes.iter_mut().zip(corrected) {
            change.p_value_holm = p_value;
            let worse = match change.score.lower_is_better() {
                Some(true) => change.difference.value > 0.0,
                Some(false) => change.difference.value < 0.0,
                None => false,
            };
            change.regressed = worse && p_value <= SIGNIFICANCE;
        }
        Ok(changes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{key, record_of, scores, told};

    /// Episodes of an agent that reaches `share` of the best gain in each.
    fn run(seed: u64, episodes: std::ops::Range<u64>, share: impl Fn(u64) -> f64) -> Aggregation {
        let mut aggregation = Aggregation::default();
        for index in episodes {
            let mut key = key("nash", index, 0);
            key.seed = seed;
            aggregation.add(&record_of(key, scores(index, share(index)), false)).expect("one run");
        }
        aggregation
    }

    fn surplus(new: Aggregation, old: Aggregation) -> Result<Vec<Change>, AggregationError> {
        new.changes_since(old, &["nash".to_owned()], &[Score::SurplusEfficiency], &Bootstrap::default())
    }

    /// A share that differs much between scenarios: only pairing shows a small change.
    fn uneven(index: u64) -> f64 {
        0.1 + 0.8 * ((index / 2 * 7 % 11) as f64 / 10.0)
    }

    #[test]
    fn a_small_loss_in_every_scenario_is_a_regression_and_the_same_gain_is_none() {
        let old = || run(7, 0..60, uneven);
        let changes = surplus(run(7, 0..60, |index| uneven(index) - 0.02), old()).expect("one suite");
        assert!(changes[0].regressed && (changes[0].difference.value + 0.02).abs() < 1e-9, "{changes:?}");
        assert!(!surplus(run(7, 0..60, |index| uneven(index) + 0.02), old()).expect("one suite")[0].regressed);
        let same = surplus(old(), old()).expect("one suite");
        assert_eq!((same[0].difference.value, same[0].p_value, same[0].regressed), (0.0, 1.0, false));
    }

    #[test]
    fn only_episodes_that_both_runs_have_are_compared() {
        // Of the 20 scenarios in both runs 16 are feasible, and only those count towards surplus efficiency.
        // The episodes that only one has would turn the sign.
        let new = run(7, 0..60, |index| if index < 40 { uneven(index) - 0.02 } else { 5.0 });
        let changes = surplus(new, run(7, 0..40, uneven)).expect("one suite");
        assert!((changes[0].difference.value + 0.02).abs() < 1e-9 && changes[0].difference.n == 16, "{changes:?}");
    }

    #[test]
    fn a_change_that_chance_explains_is_no_regression() {
        let noisy = |index: u64| uneven(index) + if (index / 2).is_multiple_of(2) { 0.05 } else { -0.06 };
        assert!(!surplus(run(7, 0..60, noisy), run(7, 0..60, uneven)).expect("one suite")[0].regressed);
    }

    #[test]
    fn a_score_that_only_some_episodes_have_is_compared_whatever_the_order_of_families() {
        let run = |refused: fn(u64) -> bool, indices: Vec<u64>| {
            let mut aggregation = Aggregation::default();
            for index in indices {
                aggregation.add(&told(index, u16::from(index % 3 == 0), refused(index))).expect("one run");
            }
            aggregation
        };
        let compared = |new| {
            let old = run(|_| false, (0..60).rev().collect());
            let scores = [Score::InterventionCompliance];
            let changes = Aggregation::changes_since(new, old, &["nash".to_owned()], &scores, &Bootstrap::default());
            changes.expect("one suite").remove(0)
        };
        let worse = compared(run(|index| index.is_multiple_of(2), (0..60).collect()));
        assert!(worse.regressed && (worse.difference.value + 0.5).abs() < 1e-9, "{worse:?}");
        assert!(!compared(run(|_| false, (0..60).collect())).regressed);
    }

    #[test]
    fn families_that_came_in_another_order_are_the_same_families() {
        let mut turned = Aggregation::default();
        for index in (0..60).rev() {
            turned.add(&record_of(key("nash", index, 0), scores(index, uneven(index)), false)).expect("one run");
        }
        assert_eq!(surplus(turned, run(7, 0..60, uneven)).expect("one suite")[0].difference.value, 0.0);
    }

    #[test]
    fn runs_of_other_scenarios_are_not_compared() {
        let message = |new, old| surplus(new, old).expect_err("refused").to_string();
        let fault = message(run(8, 0..4, uneven), run(7, 0..4, uneven));
        assert_eq!(fault, "the seed is 8, but the baseline run has 7; compare runs of the same scenarios");
        let fault = message(run(7, 0..4, uneven), run(7, 4..8, uneven));
        assert_eq!(fault, "the runs have no episode of a gated agent in common");
    }
}
