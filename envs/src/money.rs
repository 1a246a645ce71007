//! Amounts of money in integer minor units.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An amount in minor units (cents): `$98,250` is `Money(9_825_000)`.
///
/// Integers, so that two hosts and two orders of addition agree to the last cent. Negative amounts are debts or losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Money(pub i64);

impl Money {
    /// Minor units in one major unit.
    pub const MINOR_PER_MAJOR: i64 = 100;

    /// `major` whole units: `Money::major(98_250)` is `$98,250`. Saturates at the ends of `i64`.
    #[must_use]
    pub const fn major(major: i64) -> Self {
        Self(major.saturating_mul(Self::MINOR_PER_MAJOR))
    }

    /// The amount in major units, as utilities and reports use it.
    #[must_use]
    pub fn as_major(self) -> f64 {
        self.0 as f64 / Self::MINOR_PER_MAJOR as f64
    }
}

impl fmt::Display for Money {
    /// `$98,250`, `$98,261.04`, `-$10`: thousands separated, cents only where there are any.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minor = self.0.unsigned_abs();
        let (whole, cents) = (minor / 100, minor % 100);
        let digits = whole.to_string();
        let mut text = String::with_capacity(digits.len() + digits.len() / 3 + 5);
        if self.0 < 0 {
            text.push('-');
        }
        text.push('$');
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        if cents > 0 {
            text.push_str(&format!(".{cents:02}"));
        }
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::Money;

    #[test]
    fn money_is_written_with_thousands_and_only_real_cents() {
        let check = |money: Money, text: &str| assert_eq!(money.to_string(), text);
        check(Money::major(98_250), "$98,250");
        check(Money(9_826_104), "$98,261.04");
        check(Money(-1_000), "-$10");
        check(Money(5), "$0.05");
        check(Money(0), "$0");
        check(Money::major(1_000_000), "$1,000,000");
    }
}
