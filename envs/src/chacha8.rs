//! ChaCha with eight rounds (Bernstein 2008), one block at a time.
//!
//! The same numbers as `rand_chacha`'s `ChaCha8Rng`, which a test compares it with; that one makes four blocks and keeps them.
//! Most streams here give a dozen numbers or none, and thousands of environments hold one each.

/// The constants of the first row: "expand 32-byte k".
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// Rounds in pairs: one over the columns, one over the diagonals.
const DOUBLE_ROUNDS: usize = 4;

#[cfg(target_arch = "x86_64")]
type Words = sse2::Lanes;
#[cfg(not(target_arch = "x86_64"))]
type Words = [u32; 4];

/// Block `counter` of stream `stream` under `key`, as eight numbers of 64 bits.
#[inline]
pub(crate) fn block(key: &[u32; 8], stream: u64, counter: u64) -> [u64; 8] {
    block_of::<Words>(key, stream, counter)
}

/// Four words side by side: the compiler does not find by itself that the quarter rounds of a block do the same with each.
trait Row: Copy {
    fn new(words: [u32; 4]) -> Self;
    fn plus(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// Every word turned left by `LEFT` bits; `RIGHT` are the 32 bits' others.
    fn rotated<const LEFT: i32, const RIGHT: i32>(self) -> Self;
    /// The words in another order: two bits of `ORDER` say which comes to each place, the first in the lowest.
    fn ordered<const ORDER: i32>(self) -> Self;
    /// Two words a number, the first in the low half.
    fn numbers(self) -> [u64; 2];
}

#[inline(always)]
fn block_of<R: Row>(&[a, b, c, d, e, f, g, h]: &[u32; 8], stream: u64, counter: u64) -> [u64; 8] {
    let last = [counter as u32, (counter >> 32) as u32, stream as u32, (stream >> 32) as u32];
    let start = [R::new(CONSTANTS), R::new([a, b, c, d]), R::new([e, f, g, h]), R::new(last)];
    let mut rows = start;
    for _ in 0..DOUBLE_ROUNDS {
        rows = quarter_rounds(rows);
        // What stood on the diagonals stands in the columns, and back.
        rows = [rows[0], rows[1].ordered::<NEXT>(), rows[2].ordered::<OPPOSITE>(), rows[3].ordered::<BEFORE>()];
        rows = quarter_rounds(rows);
        rows = [rows[0], rows[1].ordered::<BEFORE>(), rows[2].ordered::<OPPOSITE>(), rows[3].ordered::<NEXT>()];
    }
    let numbers = |row: usize| rows[row].plus(start[row]).numbers();
    let [[a, b], [c, d], [e, f], [g, h]] = [numbers(0), numbers(1), numbers(2), numbers(3)];
    [a, b, c, d, e, f, g, h]
}

/// Orders in which each word comes from the next place, from the one opposite and from the one before.
const NEXT: i32 = 0b00_11_10_01;
const OPPOSITE: i32 = 0b01_00_11_10;
const BEFORE: i32 = 0b10_01_00_11;

/// The quarter rounds of all four columns at once.
#[inline(always)]
fn quarter_rounds<R: Row>([mut a, mut b, mut c, mut d]: [R; 4]) -> [R; 4] {
    a = a.plus(b);
    d = d.xor(a).rotated::<16, 16>();
    c = c.plus(d);
    b = b.xor(c).rotated::<12, 20>();
    a = a.plus(b);
    d = d.xor(a).rotated::<8, 24>();
    c = c.plus(d);
    b = b.xor(c).rotated::<7, 25>();
    [a, b, c, d]
}

#[cfg(any(test, not(target_arch = "x86_64")))]
impl Row for [u32; 4] {
    fn new(words: [u32; 4]) -> Self {
        words
    }

    fn plus(self, other: Self) -> Self {
        std::array::from_fn(|place| self[place].wrapping_add(other[place]))
    }

    fn xor(self, other: Self) -> Self {
        std::array::from_fn(|place| self[place] ^ other[place])
    }

    fn rotated<const LEFT: i32, const RIGHT: i32>(self) -> Self {
        self.map(|word| word << LEFT | word >> RIGHT)
    }

    fn ordered<const ORDER: i32>(self) -> Self {
        std::array::from_fn(|place| self[(ORDER >> (2 * place) & 3) as usize])
    }

    fn numbers(self) -> [u64; 2] {
        let [a, b, c, d] = self.map(u64::from);
        [a | b << 32, c | d << 32]
    }
}

/// With the instructions that every x86-64 processor has.
#[cfg(target_arch = "x86_64")]
mod sse2 {
    use super::Row;
    use safe_arch::{
        add_i32_m128i, bitor_m128i, bitxor_m128i, m128i, shl_imm_u32_m128i, shr_imm_u32_m128i,
        shuffle_ai_f32_all_m128i, shuffle_ai_i16_h64all_m128i, shuffle_ai_i16_l64all_m128i,
    };

    /// Halves of words in turn.
    const SWAPPED: i32 = 0b10_11_00_01;

    #[derive(Clone, Copy)]
    pub(super) struct Lanes(m128i);

    impl Row for Lanes {
        #[inline(always)]
        fn new(words: [u32; 4]) -> Self {
            Self(words.into())
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            Self(add_i32_m128i(self.0, other.0))
        }

        #[inline(always)]
        fn xor(self, other: Self) -> Self {
            Self(bitxor_m128i(self.0, other.0))
        }

        #[inline(always)]
        fn rotated<const LEFT: i32, const RIGHT: i32>(self) -> Self {
            if LEFT == 16 {
                let low = shuffle_ai_i16_l64all_m128i::<SWAPPED>(self.0);
                return Self(shuffle_ai_i16_h64all_m128i::<SWAPPED>(low));
            }
            Self(bitor_m128i(shl_imm_u32_m128i::<LEFT>(self.0), shr_imm_u32_m128i::<RIGHT>(self.0)))
        }

        #[inline(always)]
        fn ordered<const ORDER: i32>(self) -> Self {
            // Named after floats of the same width; it moves bits.
            Self(shuffle_ai_f32_all_m128i::<ORDER>(self.0))
        }

        #[inline(always)]
        fn numbers(self) -> [u64; 2] {
            self.0.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{block, block_of};
    use proptest::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    proptest! {
        #[test]
        fn blocks_are_those_of_rand_chacha(seed: [u8; 32], stream: u64) {
            let key = std::array::from_fn(|word| u32::from_le_bytes(std::array::from_fn(|byte| seed[4 * word + byte])));
            let mut rng = ChaCha8Rng::from_seed(seed);
            rng.set_stream(stream);
            for counter in 0..9 {
                let numbers = std::array::from_fn(|_| rng.next_u64());
                prop_assert_eq!(block(&key, stream, counter), numbers);
                prop_assert_eq!(block_of::<[u32; 4]>(&key, stream, counter), numbers);
            }
        }
    }
}
