//! ChaCha with eight rounds (Bernstein 2008), one block at a time.
//!
//! The same numbers as `rand_chacha`'s `ChaCha8Rng`, which a test compares it with; that one makes four blocks and keeps them.
//! Most streams here give a dozen numbers or none, and thousands of environments hold one each.

/// The constants of the first row: "expand 32-byte k".
const CONSTANTS: Row = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// Rounds in pairs: one over the columns, one over the diagonals.
const DOUBLE_ROUNDS: usize = 4;

/// The state is four rows of four words, so that a column step is a step over whole rows.
type Row = [u32; 4];

#[inline(always)]
fn add(a: &mut Row, b: &Row) {
    for at in 0..4 {
        a[at] = a[at].wrapping_add(b[at]);
    }
}

#[inline(always)]
fn xor_rotate(a: &mut Row, b: &Row, bits: u32) {
    for at in 0..4 {
        a[at] = (a[at] ^ b[at]).rotate_left(bits);
    }
}

#[inline(always)]
fn quarter_rounds([a, b, c, d]: &mut [Row; 4]) {
    add(a, b);
    xor_rotate(d, a, 16);
    add(c, d);
    xor_rotate(b, c, 12);
    add(a, b);
    xor_rotate(d, a, 8);
    add(c, d);
    xor_rotate(b, c, 7);
}

#[inline(always)]
fn turned(row: Row, by: usize) -> Row {
    [row[by % 4], row[(by + 1) % 4], row[(by + 2) % 4], row[(by + 3) % 4]]
}

/// Block `counter` of stream `stream` under `key`, as eight numbers of 64 bits.
#[inline]
pub(crate) fn block(key: &[u32; 8], stream: u64, counter: u64) -> [u64; 8] {
    let [k0, k1, k2, k3, k4, k5, k6, k7] = *key;
    let start = [
        CONSTANTS,
        [k0, k1, k2, k3],
        [k4, k5, k6, k7],
        [counter as u32, (counter >> 32) as u32, stream as u32, (stream >> 32) as u32],
    ];
    let mut rows = start;
    for _ in 0..DOUBLE_ROUNDS {
        quarter_rounds(&mut rows);
        // The diagonals, as columns.
        rows = [rows[0], turned(rows[1], 1), turned(rows[2], 2), turned(rows[3], 3)];
        quarter_rounds(&mut rows);
        rows = [rows[0], turned(rows[1], 3), turned(rows[2], 2), turned(rows[3], 1)];
    }
    let mut numbers = [0; 8];
    for place in 0..4 {
        add(&mut rows[place], &start[place]);
        let row = rows[place];
        numbers[2 * place] = u64::from(row[0]) | u64::from(row[1]) << 32;
        numbers[2 * place + 1] = u64::from(row[2]) | u64::from(row[3]) << 32;
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::block;
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
                prop_assert_eq!(block(&key, stream, counter), std::array::from_fn(|_| rng.next_u64()));
            }
        }
    }
}
