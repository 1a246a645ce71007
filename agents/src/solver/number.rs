//! Numbers that know how they depend on what is not known: forward differentiation.

use std::ops::{Add, Div, Mul, Sub};

/// Components of the hidden state that slopes are kept for. The rest of a larger state counts as if nothing depended on it
/// but what is offered.
pub(super) const SLOPES: usize = 12;

/// What the behaviour formulas need of a number: plain in rollouts, with slopes in the filter.
pub(super) trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// A number that depends on nothing.
    fn constant(value: f64) -> Self;
    /// Its value.
    fn value(self) -> f64;
    /// `self^exp(-log_exponent)`, for values in `[0, 1]`.
    fn conceded(self, log_exponent: Self) -> Self;

    /// This number times `factor`.
    fn scaled(self, factor: f64) -> Self {
        self * Self::constant(factor)
    }

    /// The smaller of both.
    fn at_most(self, other: Self) -> Self {
        if other.value() < self.value() { other } else { self }
    }

    /// The larger of both.
    fn at_least(self, other: Self) -> Self {
        if other.value() > self.value() { other } else { self }
    }
}

impl Number for f64 {
    fn constant(value: f64) -> Self {
        value
    }

    fn value(self) -> f64 {
        self
    }

    fn conceded(self, log_exponent: Self) -> Self {
        conceded_by(self, libm::exp(-log_exponent))
    }
}

/// `clock^inverse` for clocks in `[0, 1]`, what lies outside taken to the nearer end; `inverse`: one over the concession exponent.
pub(super) fn conceded_by(clock: f64, inverse: f64) -> f64 {
    if clock <= 0.0 {
        0.0
    } else if clock >= 1.0 {
        1.0
    } else {
        libm::exp(libm::log(clock) * inverse)
    }
}

/// A value at the mean of the hidden state, and its slopes there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Dual {
    pub(super) value: f64,
    pub(super) slopes: [f64; SLOPES],
}

impl Dual {
    /// Component `index` of the state, whose mean is `value`.
    pub(super) fn component(value: f64, index: usize) -> Self {
        let mut slopes = [0.0; SLOPES];
        if index < SLOPES {
            slopes[index] = 1.0;
        }
        Self { value, slopes }
    }

    /// The value after the state's mean has moved.
    pub(super) fn moved(&mut self, shift: &[f64]) {
        self.value += self.slopes.iter().zip(shift).map(|(slope, by)| slope * by).sum::<f64>();
    }

    fn map2(self, other: Self, value: f64, own: f64, theirs: f64) -> Self {
        let mut slopes = [0.0; SLOPES];
        for (slope, (a, b)) in slopes.iter_mut().zip(self.slopes.iter().zip(&other.slopes)) {
            *slope = own * a + theirs * b;
        }
        Self { value, slopes }
    }
}

impl Add for Dual {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.map2(other, self.value + other.value, 1.0, 1.0)
    }
}

impl Sub for Dual {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.map2(other, self.value - other.value, 1.0, -1.0)
    }
}

impl Mul for Dual {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.map2(other, self.value * other.value, other.value, self.value)
    }
}

impl Div for Dual {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let ratio = self.value / other.value;
        self.map2(other, ratio, 1.0 / other.value, -ratio / other.value)
    }
}

impl Number for Dual {
    fn constant(value: f64) -> Self {
        Self { value, slopes: [0.0; SLOPES] }
    }

    fn value(self) -> f64 {
        self.value
    }

    fn conceded(self, log_exponent: Self) -> Self {
        if self.value <= 0.0 || self.value >= 1.0 {
            return Self::constant(self.value.clamp(0.0, 1.0));
        }
        let (inverse, log) = (libm::exp(-log_exponent.value), libm::log(self.value));
        let value = libm::exp(log * inverse);
        self.map2(log_exponent, value, value * inverse / self.value, -value * inverse * log)
    }
}

#[cfg(test)]
mod tests {
    use super::{Dual, Number};

    fn formula<N: Number>(a: N, b: N) -> N {
        (a * b + N::constant(0.3)) / (b - a.scaled(0.5)) - a.conceded(b)
    }

    #[test]
    fn slopes_are_those_of_the_formula() {
        let (a, b, step) = (0.4, 0.7, 1e-6);
        let dual = formula(Dual::component(a, 0), Dual::component(b, 1));
        assert!((dual.value - formula(a, b)).abs() < 1e-15);
        let slopes = [
            (formula(a + step, b) - formula(a - step, b)) / (2.0 * step),
            (formula(a, b + step) - formula(a, b - step)) / (2.0 * step),
        ];
        for (found, expected) in dual.slopes.iter().zip(slopes) {
            assert!((found - expected).abs() < 1e-6, "{found} against {expected}");
        }
    }
}
