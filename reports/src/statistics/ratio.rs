use std::ops::Range;

use super::strata::Strata;

/// Input that cannot be turned into a statistic.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StatisticsError {
    /// Numerators and denominators differ in number.
    #[error("{numerators} numerators and {denominators} denominators: give one of each per scenario")]
    UnequalLengths {
        /// Numerators given.
        numerators: usize,
        /// Denominators given.
        denominators: usize,
    },
    /// A sum is NaN or infinite.
    #[error("scenario {cluster} has the sums {numerator} and {denominator}: both must be finite")]
    NotFinite {
        /// Position of the scenario among those given.
        cluster: usize,
        /// Its numerator.
        numerator: f64,
        /// Its denominator.
        denominator: f64,
    },
    /// A denominator is below zero.
    #[error("scenario {cluster} has the denominator {denominator}: it must not be negative")]
    NegativeDenominator {
        /// Position of the scenario among those given.
        cluster: usize,
        /// Its denominator.
        denominator: f64,
    },
    /// A rate counts more successes than trials, or fewer than none.
    #[error("scenario {cluster} counts {successes} of {trials}: successes must lie between 0 and the trials")]
    NotARate {
        /// Position of the scenario among those given.
        cluster: usize,
        /// Successes of the scenario.
        successes: f64,
        /// Trials of the scenario.
        trials: f64,
    },
    /// The column reaches past the last scenario.
    #[error("the column covers scenarios {first} to {end}, but the run has {clusters}")]
    OutOfRange {
        /// First scenario of the column.
        first: usize,
        /// One past its last scenario.
        end: usize,
        /// Scenarios in the strata.
        clusters: usize,
    },
}

/// What a ratio of sums stands for; it decides how a result at the edge is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Successes over trials; at 0 or 1 the interval is Clopper and Pearson's.
    Rate,
    /// Any other ratio of sums, such as surplus efficiency; always a bootstrap interval.
    Ratio,
}

/// One score of one agent: a numerator and a denominator for each cluster, and the score is the ratio of their sums.
///
/// A replicate costs one multiplication and one addition for each cluster and side. A column may cover only a run of
/// clusters, such as one counterpart family; the clusters outside it count as zero over zero.
#[derive(Debug, Clone, PartialEq)]
pub struct RatioColumn {
    kind: ColumnKind,
    first: usize,
    numerators: Vec<f64>,
    denominators: Vec<f64>,
    episodes: u64,
}

impl RatioColumn {
    /// A rate over all clusters from `first` on: `(successes, trials)` of each.
    ///
    /// # Errors
    /// Where a count is not finite, negative, or successes exceed trials.
    pub fn rate(first: usize, counts: impl IntoIterator<Item = (f64, f64)>) -> Result<Self, StatisticsError> {
        let (successes, trials) = counts.into_iter().unzip();
        Self::rate_of(first, successes, trials)
    }

    /// As [`Self::rate`], the successes apart from the trials.
    ///
    /// # Errors
    /// As there, or where the lengths differ.
    pub fn rate_of(first: usize, successes: Vec<f64>, trials: Vec<f64>) -> Result<Self, StatisticsError> {
        let column = Self::new(ColumnKind::Rate, first, successes, trials, 0)?;
        for (cluster, (&successes, &trials)) in column.numerators.iter().zip(&column.denominators).enumerate() {
            if !(0.0..=trials).contains(&successes) {
                return Err(StatisticsError::NotARate { cluster, successes, trials });
            }
        }
        let episodes = column.denominators.iter().sum::<f64>() as u64;
        Ok(Self { episodes, ..column })
    }

    /// A ratio of sums over all clusters from `first` on; `episodes` is how many episodes went into it.
    ///
    /// # Errors
    /// Where the lengths differ, a sum is not finite or a denominator is negative.
    pub fn ratio(
        first: usize,
        numerators: Vec<f64>,
        denominators: Vec<f64>,
        episodes: u64,
    ) -> Result<Self, StatisticsError> {
        Self::new(ColumnKind::Ratio, first, numerators, denominators, episodes)
    }

    fn new(
        kind: ColumnKind,
        first: usize,
        numerators: Vec<f64>,
        denominators: Vec<f64>,
        episodes: u64,
    ) -> Result<Self, StatisticsError> {
        if numerators.len() != denominators.len() {
            let (numerators, denominators) = (numerators.len(), denominators.len());
            return Err(StatisticsError::UnequalLengths { numerators, denominators });
        }
        for (cluster, (&numerator, &denominator)) in numerators.iter().zip(&denominators).enumerate() {
            if !numerator.is_finite() || !denominator.is_finite() {
                return Err(StatisticsError::NotFinite { cluster, numerator, denominator });
            }
            if denominator < 0.0 {
                return Err(StatisticsError::NegativeDenominator { cluster, denominator });
            }
        }
        Ok(Self { kind, first, numerators, denominators, episodes })
    }

    /// Whether this is a rate.
    pub fn kind(&self) -> ColumnKind {
        self.kind
    }

    /// Episodes that count towards the score.
    pub fn episodes(&self) -> u64 {
        self.episodes
    }

    /// The clusters that the column covers.
    pub fn range(&self) -> Range<usize> {
        self.first..self.first + self.numerators.len()
    }

    /// Clusters with a denominator above zero: the independent units behind the score.
    pub fn contributing_clusters(&self) -> u64 {
        self.denominators.iter().filter(|&&denominator| denominator > 0.0).count() as u64
    }

    /// The score, or `None` where the denominators sum to zero.
    pub fn value(&self) -> Option<f64> {
        let ratio = self.numerators.iter().sum::<f64>() / self.denominators.iter().sum::<f64>();
        ratio.is_finite().then_some(ratio)
    }

    /// Numerator and denominator of a cluster; zero over zero outside the column.
    pub(crate) fn sums(&self, cluster: usize) -> (f64, f64) {
        match cluster.checked_sub(self.first) {
            Some(row) if row < self.numerators.len() => (self.numerators[row], self.denominators[row]),
            _ => (0.0, 0.0),
        }
    }

    /// Fails where the column reaches past the last cluster.
    pub(crate) fn check_within(&self, strata: &Strata) -> Result<(), StatisticsError> {
        let (Range { start: first, end }, clusters) = (self.range(), strata.clusters());
        if end > clusters { Err(StatisticsError::OutOfRange { first, end, clusters }) } else { Ok(()) }
    }

    /// The score under cluster weights (of all clusters of the strata); NaN where the denominator is zero.
    pub(crate) fn weighted_value(&self, weights: &[f32]) -> f64 {
        let weights = &weights[self.range()];
        let denominator = weighted_sum(weights, &self.denominators);
        if denominator == 0.0 { f64::NAN } else { weighted_sum(weights, &self.numerators) / denominator }
    }
}

/// Sum of products in a fixed order: four lanes over positions 0 to 3 modulo 4, added pairwise, then the remainder.
/// The lanes let the compiler vectorise, which it may not do to a single running sum.
fn weighted_sum(weights: &[f32], values: &[f64]) -> f64 {
    let (weight_chunks, weight_rest) = weights.as_chunks::<4>();
    let (value_chunks, value_rest) = values.as_chunks::<4>();
    let mut lanes = [0.0; 4];
    for (weight, value) in weight_chunks.iter().zip(value_chunks) {
        for lane in 0..4 {
            lanes[lane] += f64::from(weight[lane]) * value[lane];
        }
    }
    let rest: f64 = weight_rest.iter().zip(value_rest).map(|(&weight, value)| f64::from(weight) * value).sum();
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) + rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_ratio_of_sums_is_not_a_mean_of_ratios() {
        let column = RatioColumn::ratio(0, vec![1.0, 0.0], vec![1.0, 3.0], 2).expect("valid");
        assert_eq!(column.value(), Some(0.25));
    }

    #[test]
    fn a_column_without_trials_has_no_value() {
        let column = RatioColumn::rate(0, [(0.0, 0.0), (0.0, 0.0)]).expect("valid");
        assert_eq!((column.value(), column.contributing_clusters()), (None, 0));
    }

    #[test]
    fn impossible_sums_are_refused_with_the_scenario_named() {
        let message = |result: Result<RatioColumn, StatisticsError>| result.expect_err("refused").to_string();
        assert_eq!(
            message(RatioColumn::rate(0, [(1.0, 1.0), (2.0, 1.0)])),
            "scenario 1 counts 2 of 1: successes must lie between 0 and the trials"
        );
        assert_eq!(
            message(RatioColumn::ratio(0, vec![f64::NAN], vec![1.0], 1)),
            "scenario 0 has the sums NaN and 1: both must be finite"
        );
        assert_eq!(
            message(RatioColumn::ratio(0, vec![1.0], vec![-1.0], 1)),
            "scenario 0 has the denominator -1: it must not be negative"
        );
        assert_eq!(
            message(RatioColumn::ratio(0, vec![1.0], vec![], 1)),
            "1 numerators and 0 denominators: give one of each per scenario"
        );
    }

    proptest! {
        #[test]
        fn unit_weights_give_the_value(sums in prop::collection::vec((-5.0..5.0_f64, 0.1..5.0_f64), 1..40)) {
            let (numerators, denominators): (Vec<_>, Vec<_>) = sums.into_iter().unzip();
            let weights = vec![1.0_f32; numerators.len()];
            let column = RatioColumn::ratio(0, numerators, denominators, 1).expect("valid");
            let value = column.value().expect("denominators are positive");
            prop_assert!((column.weighted_value(&weights) - value).abs() < 1e-9);
        }
    }
}
