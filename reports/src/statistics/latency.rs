use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Latency of decisions, in milliseconds, by nearest rank.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LatencyQuantiles {
    /// Median.
    pub p50: f64,
    /// 95th percentile.
    pub p95: f64,
    /// 99th percentile.
    pub p99: f64,
}

/// How many latencies fell into each of a fixed list of buckets: a few kilobytes whatever was measured, and histograms of
/// several sittings or shards add up.
///
/// A bucket is a whole number of nanoseconds below 256 and 1/128 to 1/256 of its value wide from there on, so that a quantile
/// is within 0.4 % of a latency that was measured.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LatencyHistogram {
    counts: BTreeMap<u16, u64>,
}

/// Bits of a latency's value that tell buckets apart, after the leading one.
const BITS: u32 = 7;

impl LatencyHistogram {
    /// Counts one latency.
    pub fn add(&mut self, nanoseconds: u64) {
        *self.counts.entry(bucket(nanoseconds)).or_default() += 1;
    }

    /// Counts all that another has counted.
    pub fn merge(&mut self, other: &Self) {
        for (&bucket, &count) in &other.counts {
            let own = self.counts.entry(bucket).or_default();
            *own = own.saturating_add(count);
        }
    }

    /// How many were counted.
    pub fn count(&self) -> u64 {
        self.counts.values().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Quantiles by nearest rank; `None` of nothing.
    pub fn quantiles(&self) -> Option<LatencyQuantiles> {
        let total = self.count();
        let at = |share: f64| {
            let rank = ((share * total as f64).ceil() as u64).max(1);
            let mut counted = 0_u64;
            let found = self.counts.iter().find(|&(_, &count)| {
                counted = counted.saturating_add(count);
                counted >= rank
            });
            found.or(self.counts.last_key_value()).map(|(&bucket, _)| middle(bucket) / 1e6)
        };
        Some(LatencyQuantiles { p50: at(0.50)?, p95: at(0.95)?, p99: at(0.99)? })
    }
}

fn bucket(nanoseconds: u64) -> u16 {
    let shift = (nanoseconds | 1).ilog2().saturating_sub(BITS);
    ((shift << BITS) + (nanoseconds >> shift) as u32) as u16
}

/// The middle of a bucket in nanoseconds; buckets beyond the last of 64 bits count as that one.
fn middle(bucket: u16) -> f64 {
    let bucket = u32::from(bucket);
    let shift = (bucket >> BITS).saturating_sub(1).min(u64::BITS - 1 - BITS);
    let (first, width) = (u64::from(bucket - (shift << BITS)), 1_u64 << shift);
    first as f64 * width as f64 + (width - 1) as f64 / 2.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::nearest_rank;
    use super::*;

    fn histogram(latencies: &[u64]) -> LatencyHistogram {
        let mut histogram = LatencyHistogram::default();
        latencies.iter().for_each(|&latency| histogram.add(latency));
        histogram
    }

    #[test]
    fn short_latencies_are_exact_and_nothing_has_no_quantiles() {
        let latencies: Vec<u64> = (1..=200).rev().collect();
        let expected = LatencyQuantiles { p50: 100.0 / 1e6, p95: 190.0 / 1e6, p99: 198.0 / 1e6 };
        assert_eq!(histogram(&latencies).quantiles(), Some(expected));
        assert_eq!(histogram(&[]).quantiles(), None);
    }

    #[test]
    fn the_longest_latency_has_a_bucket_and_a_bucket_beyond_it_a_middle() {
        assert!(histogram(&[u64::MAX]).quantiles().expect("one").p50 > 1.8e13);
        assert!(middle(u16::MAX).is_finite());
    }

    proptest! {
        #[test]
        fn a_quantile_is_within_four_in_a_thousand_of_the_exact_one(
            mut latencies in prop::collection::vec(0..10_000_000_000_u64, 1..200),
        ) {
            let found = histogram(&latencies).quantiles().expect("some");
            latencies.sort_unstable();
            for (share, found) in [(0.50, found.p50), (0.95, found.p95), (0.99, found.p99)] {
                let exact = *nearest_rank(&latencies, share).expect("some") as f64 / 1e6;
                prop_assert!((found - exact).abs() <= 0.004 * exact + 1e-9, "{share}: {found}, not {exact}");
            }
        }

        #[test]
        fn parts_add_up_and_survive_their_file(latencies in prop::collection::vec(any::<u64>(), 0..50), cut in 0_usize..50) {
            let (first, second) = latencies.split_at(cut.min(latencies.len()));
            let mut merged = histogram(first);
            merged.merge(&histogram(second));
            prop_assert_eq!(&merged, &histogram(&latencies));
            prop_assert_eq!(merged.count(), latencies.len() as u64);
            let text = serde_json::to_string(&merged).expect("JSON");
            prop_assert_eq!(serde_json::from_str::<LatencyHistogram>(&text).expect("a histogram"), merged);
        }
    }
}
