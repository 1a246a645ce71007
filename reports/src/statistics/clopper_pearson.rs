use super::beta::{bisect_unit_interval, regularised_incomplete_beta};

/// The exact two-sided interval of a binomial proportion (Clopper and Pearson 1934) for `successes` of `trials` at
/// `confidence` (strictly between 0 and 1). Without a trial it is the whole unit interval.
///
/// At the edges it has a closed form: 0 of n gives (0, 1 - (alpha / 2)^(1/n)), n of n the mirror image.
/// `successes` above `trials` count as all of them.
pub fn clopper_pearson(successes: u64, trials: u64, confidence: f64) -> (f64, f64) {
    if trials == 0 {
        return (0.0, 1.0);
    }
    let successes = successes.min(trials);
    let tail = (1.0 - confidence) / 2.0;
    let (hits, count) = (successes as f64, trials as f64);
    let edge = || libm::pow(tail, 1.0 / count);
    let low = if successes == 0 {
        0.0
    } else if successes == trials {
        edge()
    } else {
        bisect_unit_interval(tail, |x| regularised_incomplete_beta(x, hits, count - hits + 1.0))
    };
    let high = if successes == trials {
        1.0
    } else if successes == 0 {
        1.0 - edge()
    } else {
        bisect_unit_interval(1.0 - tail, |x| regularised_incomplete_beta(x, hits + 1.0, count - hits))
    };
    (low, high)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_exact_interval_matches_scipy() {
        // scipy.stats.binomtest(k, n).proportion_ci(0.95, "exact"), SciPy 1.17.1
        for (successes, trials, low, high) in [
            (0, 1, 0.0, 0.975),
            (0, 10, 0.0, 0.308_497_107_818_762_94),
            (10, 10, 0.691_502_892_181_237_1, 1.0),
            (1, 10, 0.002_528_578_544_462_572_8, 0.445_016_117_028_195_43),
            (7, 10, 0.347_547_149_939_992_1, 0.933_260_488_822_265_5),
            (250, 500, 0.455_285_569_324_227_4, 0.544_714_430_675_772_5),
            (3, 5000, 0.000_123_751_520_456_009_87, 0.001_752_443_503_603_82),
            (4999, 5000, 0.998_886_180_619_666, 0.999_994_936_451_233_8),
        ] {
            let found = clopper_pearson(successes, trials, 0.95);
            assert!(
                (found.0 - low).abs() < 1e-10 && (found.1 - high).abs() < 1e-10,
                "{successes} of {trials}: {found:?}, not ({low}, {high})"
            );
        }
        assert_eq!(clopper_pearson(0, 0, 0.95), (0.0, 1.0));
    }

    proptest! {
        #[test]
        fn the_exact_interval_holds_the_proportion_and_mirrors(trials in 1_u64..400, share in 0.0..=1.0_f64) {
            let successes = (share * trials as f64) as u64;
            let (low, high) = clopper_pearson(successes, trials, 0.95);
            let proportion = successes as f64 / trials as f64;
            prop_assert!(low <= proportion && proportion <= high);
            let (mirrored_low, mirrored_high) = clopper_pearson(trials - successes, trials, 0.95);
            prop_assert!((low + mirrored_high - 1.0).abs() < 1e-9 && (high + mirrored_low - 1.0).abs() < 1e-9);
        }
    }
}
