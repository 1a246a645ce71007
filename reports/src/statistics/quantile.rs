/// The nearest-rank quantile of a sorted sample: its smallest member with at least `share` (in [0, 1]) of the sample
/// at or below it, the member of rank ceil(share * n). `None` of an empty sample.
pub fn nearest_rank<T>(sorted: &[T], share: f64) -> Option<&T> {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1).min(sorted.len().checked_sub(1)?))
}

/// Per-episode values sorted once, each with its cluster, so that quantiles under cluster weights cost one pass.
#[derive(Debug, Clone)]
pub struct WeightedSample {
    entries: Vec<(f64, usize)>,
}

impl WeightedSample {
    /// A sample of `(value, cluster)`, in any order; values are compared by their total order.
    pub fn new(mut entries: Vec<(f64, usize)>) -> Self {
        entries.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Self { entries }
    }

    /// The nearest-rank quantile where each value counts as often as its cluster was drawn; NaN where none counts.
    pub fn quantile(&self, share: f64, weights: &[f32]) -> f64 {
        let total: f64 = self.entries.iter().map(|&(_, cluster)| f64::from(weights[cluster])).sum();
        let rank = (share * total).ceil().max(1.0);
        let mut counted = 0.0;
        for &(value, cluster) in &self.entries {
            counted += f64::from(weights[cluster]);
            if counted >= rank {
                return value;
            }
        }
        f64::NAN
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn at_least_the_share_lies_at_or_below_and_less_than_it_below(
            mut sample in prop::collection::vec(0_u8..20, 1..60), share in 0.01..=1.0_f64,
        ) {
            sample.sort_unstable();
            let quantile = *nearest_rank(&sample, share).expect("not empty");
            let needed = (share * sample.len() as f64).ceil() as usize;
            prop_assert!(sample.iter().filter(|&&value| value <= quantile).count() >= needed);
            prop_assert!(sample.iter().filter(|&&value| value < quantile).count() < needed);
        }

        #[test]
        fn a_weight_counts_as_that_many_copies(
            sample in prop::collection::vec((0_u8..20, 0_u8..4), 1..30), share in 0.01..=1.0_f64,
        ) {
            let entries = sample.iter().enumerate().map(|(cluster, &(value, _))| (f64::from(value), cluster)).collect();
            let weights: Vec<f32> = sample.iter().map(|&(_, weight)| weight as f32).collect();
            let mut copies: Vec<u8> =
                sample.iter().flat_map(|&(value, weight)| std::iter::repeat_n(value, weight.into())).collect();
            copies.sort_unstable();
            let found = WeightedSample::new(entries).quantile(share, &weights);
            match nearest_rank(&copies, share) {
                Some(&expected) => prop_assert_eq!(found, f64::from(expected)),
                None => prop_assert!(found.is_nan()),
            }
        }
    }
}
