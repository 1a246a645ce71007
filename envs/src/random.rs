//! Seeded random numbers: keyed ChaCha8 streams and our own samplers.
//!
//! A [`StreamKey`] is a SHA-256 digest of what a family of streams depends on; a stream is the pair of a key and an
//! index. Streams are independent, so scenario `i` needs no scenario before it. The samplers are ours and pinned by
//! tests, since the rand crate promises no stable output across releases; the streams are bit for bit those of `rand_chacha`.

use crate::chacha8;
use sha2::{Digest, Sha256};

/// Names a family of streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamKey {
    /// The digest, little-endian, as the streams use it.
    words: [u32; 8],
}

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
        let digest: [u8; 32] = hash.finalize().into();
        let mut words = [0; 8];
        for (word, bytes) in words.iter_mut().zip(digest.chunks_exact(4)) {
            *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        Self { words }
    }

    /// A key for one more thing that a stream depends on.
    #[must_use]
    pub fn with(&self, purpose: &str, part: &[u8]) -> Self {
        let mut digest = [0; 32];
        for (bytes, word) in digest.chunks_exact_mut(4).zip(self.words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Self::new(purpose, &[&digest, part])
    }

    /// Opens stream `index`. Nothing is computed before its first draw.
    #[must_use]
    #[inline]
    pub fn stream(&self, index: u64) -> Stream {
        Stream { key: self.words, index, blocks: 0, block: [0; BLOCK], at: BLOCK as u32 }
    }

    /// Stream `index`, for who may never draw from it.
    #[must_use]
    pub fn lazy(&self, index: u64) -> LazyStream {
        LazyStream { stream: self.stream(index) }
    }
}

/// A stream that may never be drawn from; most negotiations never need theirs.
#[derive(Clone, Debug)]
pub struct LazyStream {
    stream: Stream,
}

impl LazyStream {
    /// The stream, to draw from.
    pub fn open(&mut self) -> &mut Stream {
        &mut self.stream
    }

    /// Becomes stream `index` of `key`, from its start.
    #[inline]
    pub fn restart(&mut self, key: &StreamKey, index: u64) {
        self.stream = key.stream(index);
    }

    /// Another stream for `purpose` beside this one: it depends on this one's key and index, not on what was drawn from it.
    #[must_use]
    pub fn beside(&self, purpose: &str) -> Self {
        StreamKey { words: self.stream.key }.with(purpose, &[]).lazy(self.stream.index)
    }
}

/// Numbers in a block.
const BLOCK: usize = 8;

/// One stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream {
    key: [u32; 8],
    index: u64,
    /// Blocks made so far.
    blocks: u64,
    /// The last of them.
    block: [u64; BLOCK],
    /// Its next number; all of them are used up where this is [`BLOCK`].
    at: u32,
}

impl Stream {
    /// The next 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        if let Some(&bits) = self.block.get(self.at as usize) {
            self.at += 1;
            return bits;
        }
        self.next_block()
    }

    /// Makes the numbers that are drawn next. The first draw would do so too; but of streams that are made ready one after the other
    /// a processor computes several at a time, since none waits for another.
    pub fn make_ready(&mut self) {
        if self.at as usize == BLOCK {
            self.next_block();
            self.at = 0;
        }
    }

    /// Makes the next block and gives its first number.
    #[inline(never)]
    fn next_block(&mut self) -> u64 {
        self.block = chacha8::block(&self.key, self.index, self.blocks);
        self.blocks += 1;
        self.at = 1;
        self.block[0]
    }

    /// Uniform on `[0, 1)`, in steps of 2^-53.
    #[inline]
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
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        if bound < 2 {
            return 0;
        }
        let mut product = u128::from(self.bits()) * u128::from(bound);
        if (product as u64) < bound {
            // The threshold is below the bound: nearly always no division is needed.
            let threshold = bound.wrapping_neg() % bound;
            while (product as u64) < threshold {
                product = u128::from(self.bits()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
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
        let total = weights.clone().sum();
        self.weighted_of(total, weights)
    }

    /// As [`Self::weighted`], for weights whose sum is known to be `total`.
    pub fn weighted_of(&mut self, total: f64, weights: impl Iterator<Item = f64>) -> usize {
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
