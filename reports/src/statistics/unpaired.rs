use super::bootstrap::{Bootstrap, percentile_interval};
use super::estimate::Estimate;
use super::ratio::{RatioColumn, StatisticsError};
use super::strata::Strata;

/// Added to the second side's seed, so that both sides are resampled independently.
const OTHER_SIDE: u64 = 0x5eed_0f0e_ca5e_0b0d;

/// The difference of one score between two groups that played **different** scenarios, first less second, and its two-sided
/// bootstrap significance; `None` where either has no value.
///
/// Each side's scenarios are resampled apart (Davison and Hinkley 1997, section 3.2, "several samples"); `n` counts the
/// scenarios of both. The significance is (r + 1) / (R + 1) of the smaller tail, doubled, as for paired differences.
///
/// # Errors
/// Where a column reaches past the last cluster of its side.
pub fn unpaired_difference(
    bootstrap: &Bootstrap,
    strata: [&Strata; 2],
    columns: [&RatioColumn; 2],
) -> Result<Option<(Estimate, f64)>, StatisticsError> {
    for (column, strata) in columns.iter().zip(strata) {
        column.check_within(strata)?;
    }
    let (Some(first), Some(second)) = (columns[0].value(), columns[1].value()) else {
        return Ok(None);
    };
    let replicates = |side: usize, bootstrap: Bootstrap| {
        bootstrap.replicate(strata[side], 1, |weights, row| row[0] = columns[side].weighted_value(weights))
    };
    let own = replicates(0, *bootstrap);
    let other = replicates(1, Bootstrap { seed: bootstrap.seed ^ OTHER_SIDE, ..*bootstrap });
    let mut differences: Vec<f64> = own.iter().zip(&other).map(|(own, other)| own[0] - other[0]).collect();
    let value = first - second;
    let defined = differences.iter().filter(|difference| !difference.is_nan()).count();
    let not_above = differences.iter().filter(|&&difference| difference <= 0.0).count();
    let not_below = differences.iter().filter(|&&difference| difference >= 0.0).count();
    let p_value = (2.0 * (not_above.min(not_below) + 1) as f64 / (defined + 1) as f64).min(1.0);
    let (low, high) = percentile_interval(&mut differences, bootstrap.confidence).unwrap_or((value, value));
    let n = columns[0].contributing_clusters() + columns[1].contributing_clusters();
    Ok(Some((Estimate { value, low, high, n }, p_value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(values: impl Iterator<Item = f64>) -> (Strata, RatioColumn) {
        let values: Vec<f64> = values.collect();
        let (count, ones) = (values.len(), vec![1.0; values.len()]);
        (Strata::unstratified(count), RatioColumn::ratio(0, values, ones, count as u64).expect("valid sums"))
    }

    fn check(own: (Strata, RatioColumn), other: (Strata, RatioColumn)) -> (Estimate, f64) {
        unpaired_difference(&Bootstrap::default(), [&own.0, &other.0], [&own.1, &other.1])
            .expect("in range")
            .expect("both have values")
    }

    #[test]
    fn the_interval_is_that_of_two_independent_means() {
        let ramp = |count: u32, shift: f64| column((0..count).map(move |i| f64::from(i % 10) + shift));
        let (difference, p_value) = check(ramp(400, 0.5), ramp(100, 0.0));
        assert!((difference.value - 0.5).abs() < 1e-12);
        // Variance of 0..9 is 8.25, so the difference of both means has the standard error sqrt(8.25 / 400 + 8.25 / 100).
        let half_width = 1.96 * (8.25_f64 / 400.0 + 8.25 / 100.0).sqrt();
        assert!(((difference.high - difference.low) / 2.0 - half_width).abs() < 0.04, "{difference:?}");
        assert!(p_value > 0.05 && difference.n == 500);
        assert!(check(ramp(400, 3.0), ramp(400, 0.0)).1 < 0.002);
    }

    #[test]
    fn both_sides_are_resampled_independently() {
        // The same data on both sides: were the resamples the same, every difference would be exactly zero.
        let side = || column((0..50).map(f64::from));
        let (difference, p_value) = check(side(), side());
        assert_eq!(difference.value, 0.0);
        assert!(difference.low < -3.0 && difference.high > 3.0 && p_value > 0.8, "{difference:?}");
    }
}
