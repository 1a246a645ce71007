//! ChaCha with eight rounds (Bernstein 2008), one block at a time.
//!
//! The same numbers as `rand_chacha`'s `ChaCha8Rng`, which a test compares it with; that one makes four blocks and keeps them.
//! Most streams here give a dozen numbers or none, and thousands of environments hold one each.

/// The constants of the first row: "expand 32-byte k".
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// Rounds in pairs: one over the columns, one over the diagonals.
const DOUBLE_ROUNDS: usize = 4;

#[inline(always)]
fn quarter_round(state: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
    state[a] = state[a].wrapping_add(state[b]);
    state[d] = (state[d] ^ state[a]).rotate_left(16);
    state[c] = state[c].wrapping_add(state[d]);
    state[b] = (state[b] ^ state[c]).rotate_left(12);
    state[a] = state[a].wrapping_add(state[b]);
    state[d] = (state[d] ^ state[a]).rotate_left(8);
    state[c] = state[c].wrapping_add(state[d]);
    state[b] = (state[b] ^ state[c]).rotate_left(7);
}

/// Block `counter` of stream `stream` under `key`, as eight numbers of 64 bits.
#[inline]
pub(crate) fn block(key: &[u32; 8], stream: u64, counter: u64) -> [u64; 8] {
    let mut start = [0; 16];
    start[..4].copy_from_slice(&CONSTANTS);
    start[4..12].copy_from_slice(key);
    (start[12], start[13]) = (counter as u32, (counter >> 32) as u32);
    (start[14], start[15]) = (stream as u32, (stream >> 32) as u32);
    let mut state = start;
    for _ in 0..DOUBLE_ROUNDS {
        quarter_round(&mut state, 0, 4, 8, 12);
        quarter_round(&mut state, 1, 5, 9, 13);
        quarter_round(&mut state, 2, 6, 10, 14);
        quarter_round(&mut state, 3, 7, 11, 15);
        quarter_round(&mut state, 0, 5, 10, 15);
        quarter_round(&mut state, 1, 6, 11, 12);
        quarter_round(&mut state, 2, 7, 8, 13);
        quarter_round(&mut state, 3, 4, 9, 14);
    }
    let mut numbers = [0; 8];
    for (place, number) in numbers.iter_mut().enumerate() {
        let word = |at: usize| u64::from(state[at].wrapping_add(start[at]));
        *number = word(2 * place) | word(2 * place + 1) << 32;
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
