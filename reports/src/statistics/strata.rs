use std::ops::Range;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Which clusters are drawn from together: stratum after stratum, each a run of neighbouring clusters.
///
/// The caller sorts its scenarios so that those of a stratum are neighbours; cluster `i` of every column is the `i`-th
/// scenario in that order. Strata are for what a design fixes: where the share of each is itself sampled, or a stratum
/// has few clusters, the interval becomes too narrow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strata {
    /// First cluster of each stratum, and the number of clusters at the end.
    bounds: Vec<usize>,
}

impl Strata {
    /// Strata of the given sizes in clusters; an empty stratum is allowed and draws nothing.
    pub fn new(sizes: &[usize]) -> Self {
        let mut bounds = vec![0];
        let mut end = 0;
        for size in sizes {
            end += size;
            bounds.push(end);
        }
        Self { bounds }
    }

    /// One stratum over all clusters.
    pub fn unstratified(clusters: usize) -> Self {
        Self::new(&[clusters])
    }

    /// The strata of neighbouring equal labels: `["a", "a", "b"]` gives sizes 2 and 1.
    pub fn of_sorted_labels<T: PartialEq>(labels: &[T]) -> Self {
        Self::new(&labels.chunk_by(PartialEq::eq).map(<[T]>::len).collect::<Vec<_>>())
    }

    /// Number of clusters over all strata.
    pub fn clusters(&self) -> usize {
        *self.bounds.last().expect("bounds always hold the leading zero")
    }

    /// Number of strata.
    pub fn count(&self) -> usize {
        self.bounds.len() - 1
    }

    /// The clusters of stratum `stratum`, counted from 0; `None` past the last one.
    pub fn range(&self, stratum: usize) -> Option<Range<usize>> {
        Some(*self.bounds.get(stratum)?..*self.bounds.get(stratum + 1)?)
    }

    /// Iterates over the cluster ranges of all strata in order.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.bounds.windows(2).map(|pair| pair[0]..pair[1])
    }

    /// Draws replicate `replicate` of the seed's resamples into `weights`: how often each cluster was drawn, with
    /// replacement, as many draws in each stratum as it has clusters.
    ///
    /// The draw depends on `seed` and `replicate` alone, so two agents, or two scores, meet the same resample.
    pub(crate) fn resample(&self, seed: u64, replicate: u32, weights: &mut [f32]) {
        weights.fill(0.0);
        let mut stream = resampling_stream(seed, replicate);
        for range in self.ranges() {
            let size = range.len() as u32;
            let drawn = &mut weights[range];
            for _ in 0..size {
                drawn[uniform_below(&mut stream, size) as usize] += 1.0;
            }
        }
    }
}

/// The ChaCha8 stream `replicate` under a key that holds `seed` in its first eight bytes, little-endian.
fn resampling_stream(seed: u64, replicate: u32) -> ChaCha8Rng {
    stream(*b"\0\0\0\0\0\0\0\0zopa bootstrap resamples", seed, replicate)
}

/// The stream of the same replicate's draws from labelled claims.
pub(crate) fn labelled_stream(seed: u64, replicate: u32) -> ChaCha8Rng {
    stream(*b"\0\0\0\0\0\0\0\0zopa bootstrap labelled_", seed, replicate)
}

fn stream(mut key: [u8; 32], seed: u64, replicate: u32) -> ChaCha8Rng {
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut stream = ChaCha8Rng::from_seed(key);
    stream.set_stream(u64::from(replicate));
    stream
}

/// An integer drawn uniformly from `0..bound` without bias (Lemire 2019, "Fast random integer generation in an
/// interval"). `bound` is at least 1.
pub(crate) fn uniform_below(stream: &mut impl Rng, bound: u32) -> u32 {
    let mut product = u64::from(stream.next_u32()) * u64::from(bound);
    if (product as u32) < bound {
        // 2^32 mod bound: the draws below it would make some results likelier than others.
        let threshold = bound.wrapping_neg() % bound;
        while (product as u32) < threshold {
            product = u64::from(stream.next_u32()) * u64::from(bound);
        }
    }
    (product >> 32) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_integer_sampler_and_the_key_are_pinned() {
        let mut stream = resampling_stream(7, 3);
        let drawn: Vec<u32> = (0..12).map(|_| uniform_below(&mut stream, 10)).collect();
        assert_eq!(drawn, [8, 3, 5, 2, 6, 3, 0, 2, 4, 0, 5, 4]);
        let mut stream = resampling_stream(7, 3);
        // Rejection is common under this bound, so the pin covers that branch too.
        let drawn: Vec<u32> = (0..8).map(|_| uniform_below(&mut stream, 3 << 30)).collect();
        let expected = [1052119763, 658988046, 1944982144, 986032157, 93071987, 1301142678, 252445600, 1389246316];
        assert_eq!(drawn, expected);
        assert!(stream.get_word_pos() > 8, "a draw was rejected");
    }

    #[test]
    fn the_integer_sampler_is_uniform() {
        let mut stream = resampling_stream(1, 0);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[uniform_below(&mut stream, 6) as usize] += 1;
        }
        let chi_square: f64 =
            counts.iter().map(|&c| (f64::from(c) - 10_000.0) * (f64::from(c) - 10_000.0) / 10_000.0).sum();
        // scipy.stats.chi2.ppf(0.999, 5)
        assert!(chi_square < 20.515, "{counts:?}");
    }

    #[test]
    fn neighbouring_equal_labels_make_a_stratum() {
        assert_eq!(Strata::of_sorted_labels(&["a", "a", "b", "c", "c"]), Strata::new(&[2, 1, 2]));
        assert_eq!(Strata::of_sorted_labels::<u8>(&[]).clusters(), 0);
    }

    proptest! {
        #[test]
        fn a_resample_keeps_the_size_of_every_stratum(
            sizes in prop::collection::vec(0_usize..20, 0..6), seed: u64, replicate: u32,
        ) {
            let strata = Strata::new(&sizes);
            let mut weights = vec![9.0_f32; strata.clusters()];
            strata.resample(seed, replicate, &mut weights);
            for (range, size) in strata.ranges().zip(&sizes) {
                prop_assert_eq!(weights[range].iter().sum::<f32>(), *size as f32);
            }
        }
    }
}
