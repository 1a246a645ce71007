use super::ratio::{RatioColumn, StatisticsError};

/// What one pair of scores adds to the probability of improvement: 1 where the first is better, 1/2 where they are equal.
pub fn won(own: f64, other: f64) -> f64 {
    if own > other {
        1.0
    } else if own == other {
        0.5
    } else {
        0.0
    }
}

/// The probability of improvement as a column: how often the first agent does better than the second on the same
/// episode of a scenario, ties counted half (Agarwal et al. 2021, "Deep reinforcement learning at the edge of the
/// statistical precipice"). One entry for each cluster, holding the pairs `(first, second)` of its episodes.
///
/// # Errors
/// Where a score is not finite.
pub fn improvement_column(
    first: usize,
    clusters: impl IntoIterator<Item = impl IntoIterator<Item = (f64, f64)>>,
) -> Result<RatioColumn, StatisticsError> {
    let mut counts = Vec::new();
    for (cluster, pairs) in clusters.into_iter().enumerate() {
        let (mut wins, mut trials) = (0.0, 0.0);
        for (own, other) in pairs {
            if !own.is_finite() || !other.is_finite() {
                return Err(StatisticsError::NotFinite { cluster, numerator: own, denominator: other });
            }
            wins += won(own, other);
            trials += 1.0;
        }
        counts.push((wins, trials));
    }
    RatioColumn::rate(first, counts)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ties_count_half() {
        let column =
            improvement_column(0, [vec![(1.0, 0.0), (0.0, 0.0)], vec![(0.0, 1.0), (2.0, 1.0)]]).expect("finite");
        assert_eq!((column.value(), column.episodes()), (Some(0.625), 4));
    }

    proptest! {
        #[test]
        fn the_two_directions_sum_to_one(
            clusters in prop::collection::vec(prop::collection::vec((-2_i8..3, -2_i8..3), 1..4), 1..10),
        ) {
            let pairs = |swap: bool| {
                improvement_column(0, clusters.iter().map(|pairs| {
                    pairs.iter().map(move |&(a, b)| if swap { (b.into(), a.into()) } else { (a.into(), b.into()) })
                }))
                .expect("finite")
                .value()
                .expect("has pairs")
            };
            prop_assert!((pairs(false) + pairs(true) - 1.0).abs() < 1e-12);
        }
    }
}
