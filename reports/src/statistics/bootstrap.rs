use rayon::prelude::*;

use super::clopper_pearson::clopper_pearson;
use super::estimate::Estimate;
use super::ratio::{ColumnKind, RatioColumn, StatisticsError};
use super::strata::Strata;
use super::{CONFIDENCE, REPLICATES};

/// The cluster bootstrap (Efron 1979; Davison and Hinkley 1997), within strata where there are several, with percentile
/// intervals.
///
/// A stratum of one cluster is always drawn whole, so it adds no width: strata should hold ten clusters or more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// Number of resamples; 2,000 by default.
    pub replicates: u32,
    /// Confidence level strictly between 0 and 1; 0.95 by default.
    pub confidence: f64,
    /// Seed of the resamples. The default never changes, so that a report can be drawn again bit for bit.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { replicates: REPLICATES, confidence: CONFIDENCE, seed: 0 }
    }
}

impl Bootstrap {
    /// Values of any statistic of the cluster weights, one row of `width` values for each replicate, in replicate order.
    ///
    /// `statistic` receives how often each cluster was drawn, a small whole number that four bytes hold exactly, and fills one row.
    pub fn replicate(
        &self,
        strata: &Strata,
        width: usize,
        statistic: impl Fn(&[f32], &mut [f64]) + Sync,
    ) -> Vec<Vec<f64>> {
        (0..self.replicates)
            .into_par_iter()
            .map_init(
                || vec![0.0_f32; strata.clusters()],
                |weights, replicate| {
                    strata.resample(self.seed, replicate, weights);
                    let mut row = vec![f64::NAN; width];
                    statistic(weights, &mut row);
                    row
                },
            )
            .collect()
    }

    /// Estimates of several columns, all on the same resamples; `None` where a column's denominators sum to zero.
    ///
    /// A rate that is exactly 0 or 1 gets Clopper and Pearson's interval over its contributing scenarios, because a
    /// resample of equal outcomes has no width. Scenarios are the trials there, not episodes: both seats and all
    /// repeats of a scenario may succeed together, so counting them apart would claim too narrow an interval.
    ///
    /// # Errors
    /// Where a column reaches past the last cluster.
    pub fn estimates(
        &self,
        strata: &Strata,
        columns: &[RatioColumn],
    ) -> Result<Vec<Option<Estimate>>, StatisticsError> {
        for column in columns {
            column.check_within(strata)?;
        }
        let rows = self.replicate(strata, columns.len(), |weights, row| {
            for (cell, column) in row.iter_mut().zip(columns) {
                *cell = column.weighted_value(weights);
            }
        });
        let mut replicates = vec![0.0; rows.len()];
        let estimates = columns.iter().enumerate().map(|(index, column)| {
            for (replicate, row) in replicates.iter_mut().zip(&rows) {
                *replicate = row[index];
            }
            self.estimate(column, &mut replicates)
        });
        Ok(estimates.collect())
    }

    fn estimate(&self, column: &RatioColumn, replicates: &mut [f64]) -> Option<Estimate> {
        let value = column.value()?;
        let (low, high) = if column.kind() == ColumnKind::Rate && (value == 0.0 || value == 1.0) {
            let trials = column.contributing_clusters();
            clopper_pearson(if value == 1.0 { trials } else { 0 }, trials, self.confidence)
        } else {
            percentile_interval(replicates, self.confidence).unwrap_or((value, value))
        };
        Some(Estimate { value, low, high, n: column.episodes() })
    }
}

/// The central percentile interval of bootstrap replicates, linear between order statistics (type 7 of Hyndman and
/// Fan 1996). Undefined replicates (NaN: a resample without a trial) are left out; `None` where none is defined.
/// Sorts `replicates`.
pub fn percentile_interval(replicates: &mut [f64], confidence: f64) -> Option<(f64, f64)> {
    // A positive NaN sorts last under the total order, a negative one first; both are told apart by `is_nan`.
    replicates.sort_unstable_by(|a, b| a.is_nan().cmp(&b.is_nan()).then(a.total_cmp(b)));
    let defined = &replicates[..replicates.partition_point(|value| !value.is_nan())];
    let last = defined.len().checked_sub(1)?;
    let at = |share: f64| {
        let position = share * last as f64;
        let below = position.floor() as usize;
        let (lower, upper) = (defined[below], defined[(below + 1).min(last)]);
        lower + (upper - lower) * (position - below as f64)
    };
    let tail = (1.0 - confidence) / 2.0;
    Some((at(tail), at(1.0 - tail)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    fn columns(sums: &[(f64, f64)]) -> RatioColumn {
        let (numerators, denominators) = sums.iter().copied().unzip();
        RatioColumn::ratio(0, numerators, denominators, sums.len() as u64).expect("valid sums")
    }

    fn estimate(sums: &[(f64, f64)], bootstrap: Bootstrap) -> Estimate {
        let strata = Strata::unstratified(sums.len());
        bootstrap.estimates(&strata, &[columns(sums)]).expect("in range")[0].expect("a value")
    }

    #[test]
    fn the_percentile_interval_interpolates_between_order_statistics() {
        // numpy.percentile(range(11), [2.5, 97.5])
        let mut values: Vec<f64> = (0..11).map(f64::from).collect();
        let (low, high) = percentile_interval(&mut values, 0.95).expect("defined values");
        assert!((low - 0.25).abs() < 1e-12 && (high - 9.75).abs() < 1e-12, "{low} {high}");
    }

    #[test]
    fn undefined_replicates_are_left_out() {
        let mut values = vec![f64::NAN, 1.0, -f64::NAN, 1.0];
        assert_eq!(percentile_interval(&mut values, 0.95), Some((1.0, 1.0)));
        assert_eq!(percentile_interval(&mut [f64::NAN], 0.95), None);
    }

    #[test]
    fn a_rate_at_the_edge_has_the_exact_interval_over_scenarios() {
        let strata = Strata::unstratified(10);
        let all = RatioColumn::rate(0, (0..10).map(|_| (2.0, 2.0))).expect("valid");
        let none = RatioColumn::rate(0, (0..10).map(|_| (0.0, 2.0))).expect("valid");
        let estimates = Bootstrap::default().estimates(&strata, &[all, none]).expect("in range");
        // scipy.stats.binomtest(10, 10).proportion_ci(0.95, "exact")
        let all = estimates[0].expect("a value");
        assert!((all.low - 0.691_502_892_181_237_1).abs() < 1e-12 && all.high == 1.0 && all.n == 20, "{all:?}");
        let none = estimates[1].expect("a value");
        assert!((none.high - 0.308_497_107_818_762_94).abs() < 1e-12 && none.low == 0.0, "{none:?}");
    }

    #[test]
    fn strata_that_differ_only_between_themselves_add_no_width() {
        let column = columns(&[(0.0, 1.0), (0.0, 1.0), (1.0, 1.0), (1.0, 1.0)]);
        let bootstrap = Bootstrap::default();
        let stratified = bootstrap.estimates(&Strata::new(&[2, 2]), std::slice::from_ref(&column)).expect("in range");
        assert_eq!(stratified[0], Some(Estimate { value: 0.5, low: 0.5, high: 0.5, n: 4 }));
        let pooled = bootstrap.estimates(&Strata::unstratified(4), &[column]).expect("in range")[0].expect("a value");
        assert!(pooled.low < 0.5 && pooled.high > 0.5);
    }

    #[test]
    fn a_column_of_one_family_ignores_the_others() {
        let strata = Strata::new(&[3, 4]);
        let family = [(1.0, 2.0), (0.0, 2.0), (2.0, 2.0), (1.0, 2.0)];
        let part = RatioColumn::rate(3, family).expect("valid");
        let padded = RatioColumn::rate(0, [(0.0, 0.0); 3].into_iter().chain(family)).expect("valid");
        let estimates = Bootstrap::default().estimates(&strata, &[part, padded]).expect("in range");
        assert_eq!(estimates[0], estimates[1]);
    }

    #[test]
    fn a_column_past_the_last_scenario_is_refused() {
        let column = RatioColumn::rate(1, [(1.0, 1.0)]).expect("valid");
        let error = Bootstrap::default().estimates(&Strata::unstratified(1), &[column]).expect_err("out of range");
        assert_eq!(error.to_string(), "the column covers scenarios 1 to 2, but the run has 1");
    }

    #[test]
    fn the_interval_is_bit_identical_whatever_the_thread_count() {
        let sums: Vec<(f64, f64)> = (0..97).map(|i| (f64::from(i * 37 % 11) / 7.0, 1.0 + f64::from(i % 3))).collect();
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let estimate = pool.install(|| estimate(&sums, Bootstrap::default()));
            [estimate.value, estimate.low, estimate.high].map(f64::to_bits)
        };
        let expected = on(1);
        for threads in [2, 3, 7] {
            assert_eq!(on(threads), expected, "{threads} threads");
        }
    }

    #[test]
    fn intervals_cover_the_truth_about_as_often_as_they_say() {
        let mut stream = ChaCha8Rng::seed_from_u64(11);
        let mut unit = || f64::from(stream.next_u32()) / 4_294_967_296.0;
        let bootstrap = Bootstrap { replicates: 400, ..Bootstrap::default() };
        let runs = 400;
        let covered = (0..runs)
            .filter(|_| {
                // Two episodes a scenario that share a scenario effect; the true ratio is E[2 u] / E[0.5 + v] = 1.
                let sums: Vec<(f64, f64)> = (0..80).map(|_| (2.0 * unit(), 2.0 * (0.5 + unit()) / 2.0)).collect();
                let estimate = estimate(&sums, bootstrap);
                estimate.low <= 1.0 && 1.0 <= estimate.high
            })
            .count();
        assert!((0.91..=0.98).contains(&(covered as f64 / f64::from(runs))), "{covered} of {runs}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn an_interval_is_ordered_and_lies_within_the_scenarios_own_ratios(
            sums in prop::collection::vec((-5.0..5.0_f64, 0.1..5.0_f64), 1..30),
        ) {
            let estimate = estimate(&sums, Bootstrap { replicates: 100, ..Bootstrap::default() });
            let ratios = || sums.iter().map(|(numerator, denominator)| numerator / denominator);
            let (least, most) = (ratios().fold(f64::MAX, f64::min), ratios().fold(f64::MIN, f64::max));
            prop_assert!(least - 1e-9 <= estimate.low && estimate.low <= estimate.high && estimate.high <= most + 1e-9);
        }

        #[test]
        fn doubling_every_numerator_doubles_the_interval_exactly(
            sums in prop::collection::vec((-5.0..5.0_f64, 0.1..5.0_f64), 1..30),
        ) {
            let bootstrap = Bootstrap { replicates: 100, ..Bootstrap::default() };
            let doubled: Vec<_> = sums.iter().map(|(n, d)| (2.0 * n, *d)).collect();
            let (single, double) = (estimate(&sums, bootstrap), estimate(&doubled, bootstrap));
            prop_assert_eq!((2.0 * single.low, 2.0 * single.high), (double.low, double.high));
        }
    }
}
