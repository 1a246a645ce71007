//! Seeded random numbers: keyed ChaCha8 streams and our own samplers.
//!
//! A [`StreamKey`] is a SHA-256 digest of what a family of streams depends on; a stream is the pair of a key and an
//! index. Streams are independent, so scenario `i` needs no scenario before it. The samplers are ours and pinned by
//! tests, since the rand crate promises no stable output across releases.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// Names a family of streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamKey([u8; 32]);

impl StreamKey {
    /// The key of `purpose` ("scenario", "counterpart", "agent", ...) given everything it may depend on.
    ///
    /// Parts are length-prefixed, so `["ab", "c"]` and `["a", "bc"]` differ.
    #[must_use]
    pub fn new(purpose: &str, parts: &[&[u8]]) -> Self {
        let mut hash = Sha256::new();
        hash.update((purpose.len() as u64).to_le_bytes());
        hash.update(purpose.as_bytes());
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }

    /// A key for one more thing that a stream depends on.
    #[must_use]
    pub fn with(&self, purpose: &str, part: &[u8]) -> Self {
        Self::new(purpose, &[&self.0, part])
    }

    /// Opens stream `index`.
    #[must_use]
    pub fn stream(&self, index: u64) -> Stream {
        let mut rng = ChaCha8Rng::from_seed(self.0);
        rng.set_stream(index);
        Stream { rng }
    }

    /// Stream `index`, opened at its first draw: most negotiations never need theirs.
    #[must_use]
    pub const fn lazy(&self, index: u64) -> LazyStream {
        LazyStream { key: *self, index, stream: None }
    }
}

/// A stream that is opened at its first draw.
#[derive(Clone, Debug)]
pub struct LazyStream {
    key: StreamKey,
    index: u64,
    stream: Option<Stream>,
}

impl LazyStream {
    /// The opened stream.
    pub fn open(&mut self) -> &mut Stream {
        self.stream.get_or_insert_with(|| self.key.stream(self.index))
    }

    /// Another stream for `purpose` beside this one: it depends on this one's key and index, not on what was drawn from it.
    #[must_use]
    pub fn beside(&self, purpose: &str) -> Self {
        self.key.with(purpose, &[]).lazy(self.index)
    }
}

/// One stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream {
    rng: ChaCha8Rng,
}

impl Stream {
    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.rng.next_u64()
    }

    /// Uniform on `[0, 1)`, in steps of 2^-53.
    pub fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Uniform on the open interval `(0, 1)`: safe under a logarithm or an inverse distribution function.
    pub fn open_uniform(&mut self) -> f64 {
        ((self.bits() >> 12) as f64 + 0.5) * (1.0 / (1_u64 << 52) as f64)
    }

    /// Uniform on `[low, high)`.
    pub fn uniform_in(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// Uniform on `0..bound`, without bias (Lemire 2019, "Fast random integer generation in an interval").
    /// `bound` 0 gives 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound < 2 {
            return 0;
        }
        let threshold = bound.wrapping_neg() % bound;
        loop {
            let product = u128::from(self.bits()) * u128::from(bound);
            if product as u64 >= threshold {
                return (product >> 64) as u64;
            }
        }
    }

    /// True with probability `p`.
    pub fn bernoulli(&mut self, p: f64) -> bool {
        self.uniform() < p
    }

    /// Standard normal (Box and Muller 1958, the cosine branch; two uniforms a draw keep the stream's position known).
    pub fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(self.open_uniform()));
        radius * libm::cos(std::f64::consts::TAU * self.uniform())
    }

    /// Gamma with the given shape and unit scale (Marsaglia and Tsang 2000; shapes below 1 by their boost).
    /// `shape` must be positive.
    pub fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            let boost = libm::pow(self.open_uniform(), 1.0 / shape);
            return self.gamma(shape + 1.0) * boost;
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / libm::sqrt(9.0 * d);
        loop {
            let x = self.normal();
            let v = 1.0 + c * x;
            if v <= 0.0 {
                continue;
            }
            let v = v * v * v;
            if libm::log(self.open_uniform()) < 0.5 * x * x + d - d * v + d * libm::log(v) {
                return d * v;
            }
        }
    }

    /// Beta(`a`, `b`) on `(0, 1)` as a ratio of gammas.
    pub fn beta(&mut self, a: f64, b: f64) -> f64 {
        let x = self.gamma(a);
        let y = self.gamma(b);
        x / (x + y)
    }

    /// An index drawn with probability proportional to its weight. Weights are non-negative; all zero gives 0.
    pub fn weighted(&mut self, weights: impl Iterator<Item = f64> + Clone) -> usize {
        let total: f64 = weights.clone().sum();
        let mut left = self.uniform() * total;
        let mut last = 0;
        for (index, weight) in weights.enumerate() {
            if weight > 0.0 {
                last = index;
                if left < weight {
                    return index;
                }
                left -= weight;
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::StreamKey;

    #[test]
    fn samplers_are_pinned() {
        let mut stream = StreamKey::new("test", &[b"pins"]).stream(7);
        let drawn = format!(
            "{:016x} {:.12} {} {:.12} {:.12} {:.12}",
            stream.bits(),
            stream.uniform(),
            stream.below(1000),
            stream.normal(),
            stream.gamma(0.5),
            stream.beta(2.0, 5.0)
        );
        insta::assert_snapshot!(drawn, @"c2c9eca50b3541f3 0.615994164584 996 -1.141347072000 1.529434697074 0.337842403852");
    }

    #[test]
    fn streams_of_one_key_differ_and_repeat() {
        let key = StreamKey::new("test", &[b"a"]);
        assert_ne!(key.stream(0).bits(), key.stream(1).bits());
        assert_eq!(key.stream(5).bits(), key.lazy(5).open().bits());
        assert_ne!(StreamKey::new("x", &[b"ab", b"c"]), StreamKey::new("x", &[b"a", b"bc"]));
    }

    #[test]
    fn sampler_moments_are_those_of_their_distributions() {
        let mut stream = StreamKey::new("test", &[b"moments"]).stream(0);
        let n = 40_000;
        let mean = |draw: &mut dyn FnMut() -> f64| (0..n).map(|_| draw()).sum::<f64>() / f64::from(n);
        assert!((mean(&mut || stream.uniform()) - 0.5).abs() < 0.01);
        assert!(mean(&mut || stream.normal()).abs() < 0.02);
        assert!((mean(&mut || stream.beta(2.0, 6.0)) - 0.25).abs() < 0.01);
        assert!((mean(&mut || stream.below(10) as f64) - 4.5).abs() < 0.1);
        assert!((mean(&mut || stream.weighted([1.0, 0.0, 3.0].into_iter()) as f64) - 1.5).abs() < 0.02);
    }
}
