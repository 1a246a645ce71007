//! How good stated beliefs about the other side's hidden parameters were.

use crate::decision::Belief;
use crate::digest::{Canonical, Hasher};
use crate::prior::{CommonPrior, Distribution};
use crate::scenario::Scenario;
use serde::{Deserialize, Serialize};

/// The interval score of a central interval of probability `level` in `(0, 1)` when `truth` comes out, in the parameter's
/// units; lower is better. With alpha = 1 - level:
/// `(high - low) + 2 / alpha * (low - truth)+ + 2 / alpha * (truth - high)+`.
///
/// A proper score: in expectation nothing beats the belief's own quantiles at alpha / 2 and 1 - alpha / 2. Source: Gneiting
/// and Raftery 2007, "Strictly proper scoring rules, prediction, and estimation", equation 43.
#[must_use]
pub fn interval_score(low: f64, high: f64, level: f64, truth: f64) -> f64 {
    let penalty = 2.0 / (1.0 - level);
    (high - low) + penalty * (low - truth).max(0.0) + penalty * (truth - high).max(0.0)
}

/// The largest interval score that counts, in the prior's widths.
const MOST_SCORE: f64 = 1e9;

/// What a belief about the counterpart's family is named before the family's name: an interval within `[0, 1]` for the quantity
/// that is 1 where the counterpart is of that family, else 0. Undecided is `[0, 1]`, sure is `[1, 1]` or `[0, 0]`.
pub const FAMILY: &str = "family:";

/// The scores of an episode's beliefs, each interval measured in widths of the prior's central interval of the same level, so
/// that parameters of different units can be averaged; beliefs about a family in their natural unit, 1. Only parameters that the
/// prior leaves open count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BeliefScores {
    /// Intervals scored.
    pub stated: u32,
    /// Intervals that are none (ends in the wrong order or not finite, a level outside of `(0, 1)`, an interval score above 1e9 widths
    /// of the prior), about unknown or known parameters, or about one stated before.
    pub invalid: u32,
    /// Mean interval score; lower is better. 0 where none was scored, as all that follows.
    pub interval_score: f64,
    /// Mean interval score of the prior's own intervals for the same parameters: who learnt something is below it.
    pub prior_interval_score: f64,
    /// Mean width; 1 is the prior's.
    pub width: f64,
    /// Share of the intervals that hold the truth.
    pub coverage: f64,
    /// Mean level: what the coverage should be over many episodes.
    pub level: f64,
}

impl BeliefScores {
    /// Scores `beliefs`, held by the side at [`Scenario::seat`], against the other side's hidden parameters and the counterpart's
    /// family (an agent on the other side is of none). `None` where the scenario has no prior to measure by or nothing was
    /// stated.
    #[must_use]
    pub fn of(scenario: &Scenario, beliefs: &[Belief]) -> Option<Self> {
        let CommonPrior::Parties(priors) = &scenario.public.prior else { return None };
        if beliefs.is_empty() {
            return None;
        }
        let other = scenario.seat.other();
        let (prior, hidden) = (&priors[other.index()], &scenario.types[other.index()]);
        let names = prior.parameter_names(&scenario.public.space);
        let known: Vec<(&String, &Distribution, f64)> = names
            .iter()
            .zip(prior.distributions())
            .zip(&hidden.parameters)
            .map(|((name, distribution), &truth)| (name, distribution, truth))
            .collect();
        let mut scores = Self::default();
        for (position, belief) in beliefs.iter().enumerate() {
            if let Some(family) = belief.parameter.strip_prefix(FAMILY) {
                let repeated = beliefs[..position].iter().any(|earlier| earlier.parameter == belief.parameter);
                if repeated || !is_interval(belief) || !scores.add_family(belief, family, scenario) {
                    scores.invalid += 1;
                }
                continue;
            }
            let parameter = known.iter().find(|(name, ..)| **name == *belief.parameter);
            let repeated = beliefs[..position].iter().any(|earlier| earlier.parameter == belief.parameter);
            match parameter.filter(|_| !repeated && is_interval(belief)) {
                Some(&(_, distribution, truth)) if scores.add(belief, distribution, truth) => {}
                _ => scores.invalid += 1,
            }
        }
        Some(scores.averaged())
    }

    /// The scores of several contracts as one, each interval counted once; `None` where there are none.
    #[must_use]
    pub fn over(contracts: &[Self]) -> Option<Self> {
        contracts.first()?;
        let mut sum = Self::default();
        for scores in contracts {
            let count = f64::from(scores.stated);
            sum.stated += scores.stated;
            sum.invalid += scores.invalid;
            sum.interval_score += count * scores.interval_score;
            sum.prior_interval_score += count * scores.prior_interval_score;
            sum.width += count * scores.width;
            sum.coverage += count * scores.coverage;
            sum.level += count * scores.level;
        }
        Some(sum.averaged())
    }

    /// With means in place of the sums.
    fn averaged(mut self) -> Self {
        let count = f64::from(self.stated.max(1));
        for sum in [
            &mut self.interval_score,
            &mut self.prior_interval_score,
            &mut self.width,
            &mut self.coverage,
            &mut self.level,
        ] {
            *sum /= count;
        }
        self
    }

    /// Adds an interval about a family to the sums; false where it is none of those that the scenario tells of.
    fn add_family(&mut self, belief: &Belief, family: &str, scenario: &Scenario) -> bool {
        let Some(notice) = scenario.public.families.iter().find(|notice| *notice.name == *family) else { return false };
        let truth = scenario.counterpart.as_ref().is_some_and(|counterpart| *counterpart.family == *family);
        let truth = f64::from(u8::from(truth));
        let Belief { low, high, level, .. } = *belief;
        let score = interval_score(low, high, level, truth);
        if !sums_up(score) {
            return false;
        }
        // Quantiles of the family's own share.
        let [below, above] = [0.5 * (1.0 - level), 0.5 * (1.0 + level)]
            .map(|p| f64::from(u8::from(p > 1.0 - notice.share.clamp(0.0, 1.0))));
        self.stated += 1;
        self.interval_score += score;
        self.prior_interval_score += interval_score(below, above, level, truth);
        self.width += high - low;
        self.coverage += f64::from(u8::from((low..=high).contains(&truth)));
        self.level += level;
        true
    }

    /// Adds one interval to the sums; false where the prior leaves nothing open.
    fn add(&mut self, belief: &Belief, prior: &Distribution, truth: f64) -> bool {
        let Belief { low, high, level, .. } = *belief;
        let [below, above] = [0.5 * (1.0 - level), 0.5 * (1.0 + level)].map(|p| prior.quantile(p));
        let unit = above - below;
        let score = interval_score(low, high, level, truth) / unit;
        if unit <= 0.0 || !sums_up(score) {
            return false;
        }
        self.stated += 1;
        self.interval_score += score;
        self.prior_interval_score += interval_score(below, above, level, truth) / unit;
        self.width += (high - low) / unit;
        self.coverage += f64::from(u8::from((low..=high).contains(&truth)));
        self.level += level;
        true
    }
}

/// Whether a score may be summed with others. A number that has nothing to do with the parameter would drown all other intervals
/// of a run, or make their sum infinite.
fn sums_up(score: f64) -> bool {
    score.is_finite() && score <= MOST_SCORE
}

fn is_interval(belief: &Belief) -> bool {
    let Belief { low, high, level, .. } = *belief;
    low.is_finite() && high.is_finite() && low <= high && level > 0.0 && level < 1.0
}

impl Canonical for BeliefScores {
    fn feed(&self, hasher: &mut Hasher) {
        // Taken apart in full, so that a new field cannot be forgotten here.
        let Self { stated, invalid, interval_score, prior_interval_score, width, coverage, level } = self;
        stated.feed(hasher);
        invalid.feed(hasher);
        [*interval_score, *prior_interval_score, *width, *coverage, *level].as_slice().feed(hasher);
    }
}

#[cfg(test)]
mod tests {
    use super::interval_score;
    use crate::prior::Distribution;
    use crate::random::StreamKey;

    #[test]
    fn an_interval_costs_its_width_and_what_it_misses_by() {
        let check = |low, high, truth, score: f64| {
            assert!((interval_score(low, high, 0.8, truth) - score).abs() < 1e-12, "{low} to {high} at {truth}");
        };
        check(1.0, 3.0, 2.0, 2.0);
        check(1.0, 3.0, 1.0, 2.0);
        check(1.0, 3.0, 0.5, 2.0 + 10.0 * 0.5);
        check(1.0, 3.0, 4.0, 2.0 + 10.0);
        check(2.0, 2.0, 2.0, 0.0);
    }

    #[test]
    fn the_true_quantiles_have_the_best_expected_interval_score() {
        let truth = Distribution::Uniform { low: 0.0, high: 1.0 };
        let mut stream = StreamKey::new("test", &[b"interval score"]).stream(0);
        let draws: Vec<f64> = (0..20_000).map(|_| truth.draw(&mut stream)).collect();
        let mean = |low, high| draws.iter().map(|&x| interval_score(low, high, 0.8, x)).sum::<f64>() / 20_000.0;
        let honest = mean(0.1, 0.9);
        for (low, high) in [(0.0, 1.0), (0.2, 0.8), (0.0, 0.8), (0.45, 0.55), (0.2, 1.0)] {
            assert!(honest < mean(low, high), "{low} to {high}");
        }
    }
}
