//! How much of a concession is made by a time, `t^(1/exponent)`: most counterparts ask in every turn.
//!
//! A general power serves arguments of every size, and the smallest results to their last bit. A curve has no use for either,
//! since what is conceded is taken from 1: `2^(log2(t) / exponent)`, with a table and a polynomial for each function, takes a
//! third of the time and errs by less than [`CONCEDED_ERROR`]. Exponents are drawn anew for each negotiation, but rounds are
//! few: the logarithms of their progress are a table of the program, and most turns need the exponential only.
//!
//! Method: Tang, "Table-driven implementation of the exponential function in IEEE floating-point arithmetic", ACM TOMS 15
//! (1989), and "Table-driven implementation of the logarithm function in IEEE floating-point arithmetic", ACM TOMS 16 (1990).

use crate::phase::progress;
use std::f64::consts::{LN_2, LOG2_E};

/// Bounds how far [`conceded`] lies from the power, absolutely: four units in the last place of numbers just below 1.
pub const CONCEDED_ERROR: f64 = 2.0 * f64::EPSILON;

/// The share conceded at progress `t` in `[0, 1]`: `t^inverse`, where `inverse`, positive, is one over the concession exponent.
/// Exact at both ends, and everywhere for an inverse of 1.
#[must_use]
#[inline]
pub fn conceded(t: f64, inverse: f64) -> f64 {
    if t <= 0.0 {
        0.0
    } else if inverse == 1.0 {
        t
    } else {
        exp2(inverse * log2(t))
    }
}

/// As [`conceded`] in a round of as many as the side stays for, which is nearly always one whose logarithm is known.
#[inline]
pub(super) fn conceded_in(round: u16, rounds: u16, inverse: f64) -> f64 {
    match LOGARITHMS.get(usize::from(rounds)).and_then(|logarithms| logarithms.get(usize::from(round))) {
        Some(log2) if inverse != 1.0 => exp2(inverse * log2),
        _ => conceded(progress(round, rounds).min(1.0), inverse),
    }
}

/// Rounds from which on a progress has no logarithm in the table.
const UNKNOWN: usize = 64;

/// By rounds and round the binary logarithm of the progress: minus infinity in the first round, 0 in the last.
static LOGARITHMS: [[f64; UNKNOWN]; UNKNOWN] = {
    let mut logarithms = [[f64::NEG_INFINITY; UNKNOWN]; UNKNOWN];
    let mut rounds = 0;
    while rounds < UNKNOWN {
        let mut round = 0;
        while round < UNKNOWN {
            let t = progress(round as u16, rounds as u16).min(1.0);
            if t > 0.0 {
                logarithms[rounds][round] = log2(t);
            }
            round += 1;
        }
        rounds += 1;
    }
    logarithms
};

/// Entries of either function's table.
const ENTRIES: usize = 64;
/// Bits of a number's fraction.
const FRACTION: u32 = f64::MANTISSA_DIGITS - 1;
/// Bits of the fraction below those that choose an entry.
const BELOW: u32 = FRACTION - ENTRIES.trailing_zeros();

/// A number whose logarithm is in the table. From [`FIRST`] on there is one for every value of the fraction's upper bits, 1
/// among them.
#[derive(Clone, Copy)]
struct Point {
    value: f64,
    inverse: f64,
    log2: f64,
}

/// The least, near the root of one half: what lies about 1 has a logarithm without a whole part, of which nothing cancels.
const FIRST: u64 = 0.703_125_f64.to_bits();

const POINTS: [Point; ENTRIES] = {
    let mut points = [Point { value: 1.0, inverse: 1.0, log2: 0.0 }; ENTRIES];
    let mut place = 0;
    while place < ENTRIES {
        let value = f64::from_bits(FIRST + ((place as u64) << BELOW));
        points[place] = Point { value, inverse: 1.0 / value, log2: log2_by_series(value) };
        place += 1;
    }
    points
};

/// The bits of 2 to each 64th, less the number of 64ths where [`exp2`] adds it together with the exponent.
const POWERS: [u64; ENTRIES] = {
    let mut powers = [0; ENTRIES];
    let mut place = 0;
    while place < ENTRIES {
        let half = place / (ENTRIES / 2);
        let part = exp_by_series(LN_2 * (place as f64 / ENTRIES as f64 - half as f64));
        powers[place] = ((1 + half) as f64 * part).to_bits() - ((place as u64) << BELOW);
        place += 1;
    }
    powers
};

/// By the series of the inverse hyperbolic tangent, for values between [`FIRST`] and twice that.
const fn log2_by_series(value: f64) -> f64 {
    let ratio = (value - 1.0) / (value + 1.0);
    let (mut sum, mut power) = (0.0, 33.0);
    while power > 0.0 {
        sum = sum * ratio * ratio + 1.0 / power;
        power -= 2.0;
    }
    2.0 * LOG2_E * (ratio * sum)
}

/// By the exponential series, for values within `[-ln(2) / 2, ln(2) / 2]`.
const fn exp_by_series(value: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 20.0);
    while term > 0.0 {
        sum = 1.0 + value / term * sum;
        term -= 1.0;
    }
    sum
}

/// Of a positive normal number.
#[inline]
const fn log2(t: f64) -> f64 {
    let bits = t.to_bits();
    // Half a step up, so that the point is the nearest.
    let above = bits.wrapping_sub(FIRST - (1 << (BELOW - 1)));
    let exponent = above.cast_signed() >> FRACTION;
    let Point { value, inverse, log2 } = POINTS[(above >> BELOW) as usize % ENTRIES];
    let near = f64::from_bits(bits.wrapping_sub((exponent << FRACTION).cast_unsigned()));
    let r = (near - value) * inverse;
    let square = r * r;
    // log2(1 + r) = (r - r^2 / 2 + ... + r^7 / 7) / ln(2).
    let series = (-LOG2_E / 2.0 + r * (LOG2_E / 3.0))
        + square * ((-LOG2_E / 4.0 + r * (LOG2_E / 5.0)) + square * (-LOG2_E / 6.0 + r * (LOG2_E / 7.0)));
    (exponent as f64 + log2) + (r * LOG2_E + square * series)
}

/// Of a number up to 1000; one below -1000 counts as minus infinity, so that the power's bits are those of a normal number.
#[inline]
fn exp2(x: f64) -> f64 {
    /// A number so large that a sum with it has room for 64ths in its lowest bits and for nothing less.
    const TO_64THS: f64 = 1.5 * (1_u64 << BELOW) as f64;
    const SECOND: f64 = LN_2 * LN_2 / 2.0;
    const THIRD: f64 = SECOND * LN_2 / 3.0;
    const FOURTH: f64 = THIRD * LN_2 / 4.0;
    const FIFTH: f64 = FOURTH * LN_2 / 5.0;
    if x < -1000.0 {
        return 0.0;
    }
    let shifted = x + TO_64THS;
    let r = x - (shifted - TO_64THS);
    let parts = shifted.to_bits();
    let power = f64::from_bits(POWERS[parts as usize % ENTRIES].wrapping_add(parts << BELOW));
    let square = r * r;
    power + power * (r * LN_2 + square * ((SECOND + r * THIRD) + square * (FOURTH + r * FIFTH)))
}

#[cfg(test)]
mod tests {
    use super::{CONCEDED_ERROR, UNKNOWN, conceded, conceded_in, exp2, log2};
    use crate::phase::progress;
    use proptest::prelude::*;

    #[test]
    fn nothing_is_conceded_at_first_and_all_at_last() {
        for inverse in [0.02, 0.2, 0.5, 1.0, 1.7, 5.0, 50.0, 1e6] {
            assert_eq!((conceded(0.0, inverse), conceded(1.0, inverse)), (0.0, 1.0), "inverse {inverse}");
        }
    }

    #[test]
    fn an_exponent_of_one_is_linear() {
        for t in [0.1, 1.0 / 3.0, 7.0 / 19.0, 0.999] {
            assert_eq!(conceded(t, 1.0), t);
        }
    }

    #[test]
    fn powers_and_logarithms_are_exact_where_whole() {
        for whole in -1000_i32..=0 {
            let power = f64::from_bits(((1023 + whole) as u64) << 52);
            assert_eq!((exp2(f64::from(whole)), log2(power)), (power, f64::from(whole)));
        }
    }

    #[test]
    fn a_known_logarithm_changes_nothing() {
        let rounds = UNKNOWN as u16 + 4;
        for (rounds, round) in (0..rounds).flat_map(|rounds| (0..rounds + 4).map(move |round| (rounds, round))) {
            for inverse in [0.02, 0.2, 1.0, 1.7, 5.0, 50.0, 1e4] {
                let plain = conceded(progress(round, rounds).min(1.0), inverse);
                assert_eq!(conceded_in(round, rounds, inverse), plain, "round {round} of {rounds}, inverse {inverse}");
            }
        }
    }

    /// Every progress of negotiations of up to 60 rounds, by inverse exponents from 0.05 to 50.
    #[test]
    fn conceded_lies_within_its_error_of_the_power_at_every_progress() {
        let mut furthest = 0.0_f64;
        for turns in 1..60 {
            for (turn, step) in (0..=turns).flat_map(|turn| (0..177).map(move |step| (turn, step))) {
                let (t, inverse) = (f64::from(turn) / f64::from(turns), 0.05 * libm::pow(1.04, f64::from(step)));
                furthest = furthest.max((conceded(t, inverse) - libm::pow(t, inverse)).abs());
            }
        }
        assert!(furthest < CONCEDED_ERROR, "{furthest:e}");
    }

    proptest! {
        #[test]
        fn conceded_lies_within_its_error_of_the_power(t in 0.0..=1.0, inverse in 0.01..100.0) {
            let (found, expected) = (conceded(t, inverse), libm::pow(t, inverse));
            prop_assert!((found - expected).abs() < CONCEDED_ERROR, "{found:e} against {expected:e}");
            prop_assert!((0.0..=1.0).contains(&found));
        }
    }
}
