use serde::{Deserialize, Serialize};

use super::bootstrap::{Bootstrap, percentile_interval};
use super::estimate::Estimate;
use super::power::PowerNote;
use super::ratio::{RatioColumn, StatisticsError};
use super::strata::Strata;

/// The difference of one score between two agents that played the same scenarios.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PairedDifference {
    /// First agent's score minus the second's, with its interval; `n` counts the scenarios that either played.
    pub difference: Estimate,
    /// Two-sided significance of "no difference" by inverting the percentile interval: twice the smaller share of replicates at
    /// or beyond zero, as (r + 1) / (R + 1) so that it is never 0, at most 1. To be corrected by [`super::holm`] where
    /// several comparisons are made.
    pub p_value: f64,
    /// Variance of the paired difference that one scenario contributes; see [`PowerNote`].
    pub scenario_variance: f64,
}

impl PairedDifference {
    /// Compares two columns on the same resamples; `None` where either has no value.
    ///
    /// # Errors
    /// Where a column reaches past the last cluster.
    pub fn compute(
        bootstrap: &Bootstrap,
        strata: &Strata,
        first: &RatioColumn,
        second: &RatioColumn,
    ) -> Result<Option<Self>, StatisticsError> {
        first.check_within(strata)?;
        second.check_within(strata)?;
        let (Some(first_value), Some(second_value)) = (first.value(), second.value()) else {
            return Ok(None);
        };
        let rows = bootstrap.replicate(strata, 1, |weights, row| {
            row[0] = first.weighted_value(weights) - second.weighted_value(weights);
        });
        let mut replicates: Vec<f64> = rows.into_iter().map(|row| row[0]).collect();
        let value = first_value - second_value;
        let (low, high) = percentile_interval(&mut replicates, bootstrap.confidence).unwrap_or((value, value));
        let p_value = significance(&replicates);
        let (n, scenario_variance) = linearised_variance(strata, [(first, first_value), (second, second_value)]);
        Ok(Some(Self { difference: Estimate { value, low, high, n }, p_value, scenario_variance }))
    }

    /// What it would take to see a difference of `size` with this pair of agents.
    pub fn power_note(&self, size: f64, episodes_per_scenario: u32) -> PowerNote {
        PowerNote::new(self.scenario_variance, size, episodes_per_scenario)
    }
}

fn significance(replicates: &[f64]) -> f64 {
    let defined = replicates.iter().filter(|value| !value.is_nan()).count();
    let not_above = replicates.iter().filter(|&&value| value <= 0.0).count();
    let not_below = replicates.iter().filter(|&&value| value >= 0.0).count();
    let share = (not_above.min(not_below) + 1) as f64 / (defined + 1) as f64;
    (2.0 * share).min(1.0)
}

/// Contributing scenarios and the variance of one scenario's influence on the difference of two ratios.
///
/// A ratio's influence is (numerator - ratio * denominator) / mean denominator (Cochran 1977, section 6.3); the
/// variance is taken within strata and pooled, so the difference itself has about this variance over the scenarios.
fn linearised_variance(strata: &Strata, sides: [(&RatioColumn, f64); 2]) -> (u64, f64) {
    let contributes = |cluster: usize| sides.iter().any(|(column, _)| column.sums(cluster).1 > 0.0);
    let contributing = (0..strata.clusters()).filter(|&cluster| contributes(cluster)).count() as f64;
    let mean_denominators = sides
        .map(|(column, _)| (0..strata.clusters()).map(|cluster| column.sums(cluster).1).sum::<f64>() / contributing);
    let influence = |cluster: usize| {
        let [first, second] = [0, 1].map(|side| {
            let ((column, value), mean) = (sides[side], mean_denominators[side]);
            let (numerator, denominator) = column.sums(cluster);
            (numerator - value * denominator) / mean
        });
        first - second
    };
    let (mut squares, mut freedom) = (0.0, 0.0);
    for range in strata.ranges() {
        let members: Vec<f64> = range.filter(|&cluster| contributes(cluster)).map(influence).collect();
        if members.len() < 2 {
            continue;
        }
        let mean = members.iter().sum::<f64>() / members.len() as f64;
        squares += members.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
        freedom += (members.len() - 1) as f64;
    }
    (contributing as u64, if freedom > 0.0 { squares / freedom } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn column(sums: &[(f64, f64)]) -> RatioColumn {
        let (numerators, denominators) = sums.iter().copied().unzip();
        RatioColumn::ratio(0, numerators, denominators, sums.len() as u64).expect("valid sums")
    }

    fn compare(first: &[(f64, f64)], second: &[(f64, f64)]) -> PairedDifference {
        let bootstrap = Bootstrap { replicates: 500, ..Bootstrap::default() };
        PairedDifference::compute(&bootstrap, &Strata::unstratified(first.len()), &column(first), &column(second))
            .expect("in range")
            .expect("both have values")
    }

    #[test]
    fn pairing_removes_what_the_scenarios_share() {
        let first: Vec<_> = (0..50).map(|i| (f64::from(i % 10) + 0.5, 10.0)).collect();
        let second: Vec<_> = (0..50).map(|i| (f64::from(i % 10), 10.0)).collect();
        let result = compare(&first, &second);
        assert!((result.difference.value - 0.05).abs() < 1e-12);
        assert!(result.difference.high - result.difference.low < 1e-12, "{result:?}");
        assert!(result.scenario_variance < 1e-20 && result.p_value < 0.005);
    }

    #[test]
    fn the_paired_variance_of_equal_denominators_is_the_sample_variance() {
        let first = [(0.0, 1.0), (1.0, 1.0), (2.0, 1.0), (5.0, 1.0)];
        let second = [(0.0, 1.0); 4];
        // numpy.var([0, 1, 2, 5], ddof=1)
        assert!((compare(&first, &second).scenario_variance - 14.0 / 3.0).abs() < 1e-12);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn a_difference_is_antisymmetric_and_zero_with_itself(
            pairs in prop::collection::vec((-5.0..5.0_f64, -5.0..5.0_f64, 0.1..5.0_f64), 2..20),
        ) {
            let first: Vec<_> = pairs.iter().map(|(a, _, d)| (*a, *d)).collect();
            let second: Vec<_> = pairs.iter().map(|(_, b, d)| (*b, *d)).collect();
            let (forth, back) = (compare(&first, &second), compare(&second, &first));
            prop_assert_eq!(forth.difference.value, -back.difference.value);
            prop_assert!((forth.difference.low + back.difference.high).abs() < 1e-12);
            prop_assert_eq!(forth.p_value, back.p_value);
            let own = compare(&first, &first);
            prop_assert_eq!((own.difference.low, own.difference.high, own.p_value), (0.0, 0.0, 1.0));
            prop_assert_eq!(own.scenario_variance, 0.0);
        }
    }
}
