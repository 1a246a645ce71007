//! Distributions of a private value on an interval.

use super::distribution_error::DistributionError;
use super::incomplete_beta::{log_beta, regularized_incomplete_beta};
use super::normal::{normal_density, normal_mass};

/// A continuous distribution of a value on a finite interval `[low, high]`, in the value's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueDistribution {
    low: f64,
    high: f64,
    shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Shape {
    Uniform,
    LogUniform { log_ratio: f64 },
    Triangular { mode: f64 },
    Beta { alpha: f64, beta: f64, log_beta: f64 },
    TruncatedNormal { mean: f64, deviation: f64, mass: f64 },
}

impl ValueDistribution {
    /// Every value equally likely.
    ///
    /// # Errors
    ///
    /// [`DistributionError::Interval`], as from the others.
    pub fn uniform(low: f64, high: f64) -> Result<Self, DistributionError> {
        Self::on(low, high, Shape::Uniform)
    }

    /// The logarithm of the value is uniform.
    ///
    /// # Errors
    ///
    /// [`DistributionError::NotPositive`] where `low` is not above 0.
    pub fn log_uniform(low: f64, high: f64) -> Result<Self, DistributionError> {
        let distribution = Self::on(low, high, Shape::LogUniform { log_ratio: libm::log(high / low) })?;
        if low > 0.0 { Ok(distribution) } else { Err(DistributionError::NotPositive { low }) }
    }

    /// Density rising linearly from 0 at `low` to the mode, and falling linearly to 0 at `high`.
    ///
    /// # Errors
    ///
    /// [`DistributionError::Mode`] for a mode outside the interval; it may be one of the ends.
    pub fn triangular(low: f64, mode: f64, high: f64) -> Result<Self, DistributionError> {
        let distribution = Self::on(low, high, Shape::Triangular { mode })?;
        if (low..=high).contains(&mode) { Ok(distribution) } else { Err(DistributionError::Mode { mode, low, high }) }
    }

    /// `low + (high - low) X` with X distributed Beta(alpha, beta).
    ///
    /// # Errors
    ///
    /// [`DistributionError::Parameter`] for a shape that is not a positive finite number.
    pub fn beta(alpha: f64, beta: f64, low: f64, high: f64) -> Result<Self, DistributionError> {
        positive("alpha", alpha)?;
        positive("beta", beta)?;
        Self::on(low, high, Shape::Beta { alpha, beta, log_beta: log_beta(alpha, beta) })
    }

    /// A normal variable with this mean and standard deviation (before truncation), given that it lies in the interval.
    ///
    /// # Errors
    ///
    /// [`DistributionError::Parameter`] and, for an interval some 38 standard deviations away,
    /// [`DistributionError::NoMass`].
    pub fn truncated_normal(mean: f64, deviation: f64, low: f64, high: f64) -> Result<Self, DistributionError> {
        if !mean.is_finite() {
            return Err(DistributionError::Parameter { name: "the mean", value: mean });
        }
        positive("the standard deviation", deviation)?;
        let mass = normal_mass((low - mean) / deviation, (high - mean) / deviation);
        let distribution = Self::on(low, high, Shape::TruncatedNormal { mean, deviation, mass })?;
        // A subnormal mass has too few digits to divide by.
        if mass.is_normal() { Ok(distribution) } else { Err(DistributionError::NoMass { mean, deviation, low, high }) }
    }

    fn on(low: f64, high: f64, shape: Shape) -> Result<Self, DistributionError> {
        if low < high && (high - low).is_finite() {
            Ok(Self { low, high, shape })
        } else {
            Err(DistributionError::Interval { low, high })
        }
    }

    /// Lowest value.
    pub fn low(&self) -> f64 {
        self.low
    }

    /// Highest value.
    pub fn high(&self) -> f64 {
        self.high
    }

    /// Expected value.
    pub fn mean(&self) -> f64 {
        self.partial_expectation(self.high)
    }

    /// A value inside the interval at which the density has a kink.
    pub(super) fn kink(&self) -> Option<f64> {
        match self.shape {
            Shape::Triangular { mode } => Some(mode),
            _ => None,
        }
    }

    /// Probability density at `x`, per unit of value: 0 outside the interval, infinite at an end where the beta density is.
    pub fn pdf(&self, x: f64) -> f64 {
        let Self { low, high, shape } = *self;
        if !(low..=high).contains(&x) {
            return 0.0;
        }
        let width = high - low;
        match shape {
            Shape::Uniform => 1.0 / width,
            Shape::LogUniform { log_ratio } => 1.0 / (x * log_ratio),
            Shape::Triangular { mode } => {
                if x < mode {
                    2.0 * (x - low) / (width * (mode - low))
                } else if x > mode {
                    2.0 * (high - x) / (width * (high - mode))
                } else {
                    2.0 / width
                }
            }
            Shape::Beta { alpha, beta, log_beta } => {
                // A shape of 1 has no factor: 0 * ln 0 would be NaN at the end.
                let log_power =
                    |exponent: f64, share: f64| if exponent == 0.0 { 0.0 } else { exponent * libm::log(share) };
                let from_low = log_power(alpha - 1.0, (x - low) / width);
                let from_high = log_power(beta - 1.0, (high - x) / width);
                libm::exp(from_low + from_high - log_beta) / width
            }
            Shape::TruncatedNormal { mean, deviation, mass } => {
                normal_density((x - mean) / deviation) / (deviation * mass)
            }
        }
    }

    /// Probability of a value at most `x`.
    pub fn cdf(&self, x: f64) -> f64 {
        let Self { low, high, shape } = *self;
        if x <= low {
            return 0.0;
        }
        if x >= high {
            return 1.0;
        }
        let width = high - low;
        match shape {
            Shape::Uniform => (x - low) / width,
            Shape::LogUniform { log_ratio } => libm::log(x / low) / log_ratio,
            Shape::Triangular { mode } if x <= mode => (x - low) * (x - low) / (width * (mode - low)),
            Shape::Triangular { mode } => 1.0 - (high - x) * (high - x) / (width * (high - mode)),
            Shape::Beta { alpha, beta, .. } => regularized_incomplete_beta(alpha, beta, (x - low) / width),
            Shape::TruncatedNormal { mean, deviation, mass } => {
                (normal_mass((low - mean) / deviation, (x - mean) / deviation) / mass).min(1.0)
            }
        }
    }

    /// Probability of a value above `x`; keeps its digits where `1 - cdf` would lose them.
    pub fn survival(&self, x: f64) -> f64 {
        let Self { low, high, shape } = *self;
        if x <= low {
            return 1.0;
        }
        if x >= high {
            return 0.0;
        }
        let width = high - low;
        match shape {
            Shape::Uniform => (high - x) / width,
            Shape::LogUniform { log_ratio } => libm::log(high / x) / log_ratio,
            Shape::Triangular { mode } if x > mode => (high - x) * (high - x) / (width * (high - mode)),
            Shape::Triangular { .. } => 1.0 - self.cdf(x),
            Shape::Beta { alpha, beta, .. } => regularized_incomplete_beta(beta, alpha, (high - x) / width),
            Shape::TruncatedNormal { mean, deviation, mass } => {
                (normal_mass((x - mean) / deviation, (high - mean) / deviation) / mass).min(1.0)
            }
        }
    }

    /// Expected value times indicator: the integral of `t pdf(t)` over t from `low` to `x`.
    pub fn partial_expectation(&self, x: f64) -> f64 {
        let Self { low, high, shape } = *self;
        if x <= low {
            return 0.0;
        }
        let x = x.min(high);
        let width = high - low;
        match shape {
            Shape::Uniform => 0.5 * (x - low) * (x + low) / width,
            Shape::LogUniform { log_ratio } => (x - low) / log_ratio,
            Shape::Triangular { mode } => {
                // With y from the near end, the density is proportional to y and the integral of y^2 is y^3 / 3.
                let rising = |x: f64| {
                    let y = x - low;
                    if y > 0.0 { y * y * (low + 2.0 * y / 3.0) / (width * (mode - low)) } else { 0.0 }
                };
                let falling = |x: f64| {
                    let y = high - x;
                    if y > 0.0 { y * y * (high - 2.0 * y / 3.0) / (width * (high - mode)) } else { 0.0 }
                };
                if x <= mode { rising(x) } else { rising(mode) + falling(mode) - falling(x) }
            }
            Shape::Beta { alpha, beta, .. } => {
                let share = regularized_incomplete_beta(alpha + 1.0, beta, (x - low) / width);
                low * self.cdf(x) + width * alpha / (alpha + beta) * share
            }
            Shape::TruncatedNormal { mean, deviation, mass } => {
                let density = |x: f64| normal_density((x - mean) / deviation);
                mean * self.cdf(x) - deviation * (density(x) - density(low)) / mass
            }
        }
    }

    /// The value that a share `u` of draws does not exceed; `u` is clamped to [0, 1]. A uniform draw from (0, 1) becomes
    /// a draw from this distribution (inversion), so one draw of a stream makes one value.
    pub fn quantile(&self, u: f64) -> f64 {
        let Self { low, high, shape } = *self;
        if u.is_nan() || u <= 0.0 {
            return low;
        }
        if u >= 1.0 {
            return high;
        }
        let width = high - low;
        match shape {
            Shape::Uniform => (low + width * u).min(high),
            Shape::LogUniform { log_ratio } => (low * libm::exp(log_ratio * u)).clamp(low, high),
            Shape::Triangular { mode } if u * width <= mode - low => {
                (low + (u * width * (mode - low)).sqrt()).min(mode)
            }
            Shape::Triangular { mode } => (high - ((1.0 - u) * width * (high - mode)).sqrt()).max(mode),
            Shape::Beta { .. } | Shape::TruncatedNormal { .. } => self.invert_cdf(u),
        }
    }

    /// Newton's method on the distribution function, kept inside a bracket that bisection shrinks where a step leaves it
    /// or the bracket shrinks too slowly.
    fn invert_cdf(&self, u: f64) -> f64 {
        let (mut below, mut above) = (self.low, self.high);
        let mut x = 0.5 * (below + above);
        for iteration in 0..200 {
            let excess = self.cdf(x) - u;
            if excess > 0.0 {
                above = x
            } else {
                below = x
            }
            let newton = x - excess / self.pdf(x);
            // Newton can creep towards a singular end from one side; a bisection every fourth step bounds the work.
            let is_usable = iteration % 4 != 3 && below < newton && newton < above;
            let next = if is_usable { newton } else { 0.5 * (below + above) };
            if (next - x).abs() <= 2.0 * f64::EPSILON * x.abs() || excess == 0.0 {
                return x;
            }
            x = next;
        }
        x
    }
}

fn positive(name: &'static str, value: f64) -> Result<(), DistributionError> {
    if value > 0.0 && value.is_finite() { Ok(()) } else { Err(DistributionError::Parameter { name, value }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::quadrature::Quadrature;
    use proptest::prelude::*;
    use std::f64::consts::PI;

    fn close(found: f64, expected: f64, error: f64) {
        assert!((found - expected).abs() <= error, "{found}, not {expected}");
    }

    #[test]
    fn known_probabilities() {
        let normal = ValueDistribution::truncated_normal(0.0, 1.0, -40.0, 40.0).unwrap();
        close(normal.cdf(1.959_963_984_540_054), 0.975, 1e-14);
        close(normal.quantile(0.975), 1.959_963_984_540_054, 1e-12);
        close(normal.pdf(0.0), 0.398_942_280_401_432_7, 1e-15);
        // The mean of a normal above 0 is the square root of 2 / pi.
        close(ValueDistribution::truncated_normal(0.0, 1.0, 0.0, 40.0).unwrap().mean(), (2.0 / PI).sqrt(), 1e-14);
        let triangular = ValueDistribution::triangular(0.0, 1.0, 4.0).unwrap();
        close(triangular.cdf(1.0), 0.25, 1e-15);
        close(triangular.cdf(2.0), 1.0 - 4.0 / 12.0, 1e-15);
        close(triangular.mean(), 5.0 / 3.0, 1e-14);
        let beta = ValueDistribution::beta(2.0, 6.0, 10.0, 18.0).unwrap();
        close(beta.mean(), 12.0, 1e-12);
        close(beta.pdf(12.0), 42.0 * 0.25 * libm::pow(0.75, 5.0) / 8.0, 1e-14);
    }

    #[test]
    fn far_tails_keep_their_digits() {
        let tail = ValueDistribution::truncated_normal(0.0, 1.0, 10.0, 12.0).unwrap();
        // 10 + 1/10 - 2/1000 + 10/100000 - ..., the asymptotic series of the inverse Mills ratio.
        close(tail.mean(), 10.098_093, 2e-6);
        close(tail.cdf(tail.quantile(0.3)), 0.3, 1e-12);
        let error = ValueDistribution::truncated_normal(0.0, 1.0, 50.0, 60.0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a normal with mean 0 and standard deviation 1 has no probability between 50 and 60"
        );
    }

    #[test]
    fn impossible_parameters_are_refused_in_words() {
        let check = |result: Result<ValueDistribution, DistributionError>, text: &str| {
            assert_eq!(result.unwrap_err().to_string(), text);
        };
        check(
            ValueDistribution::uniform(1.0, 1.0),
            "the interval from 1 to 1 is no interval: give two finite numbers, the lower first",
        );
        check(
            ValueDistribution::log_uniform(0.0, 1.0),
            "a log-uniform distribution starts at 0: it must start above 0",
        );
        check(ValueDistribution::triangular(0.0, 2.0, 1.0), "the mode 2 lies outside the interval from 0 to 1");
        check(ValueDistribution::beta(0.0, 1.0, 0.0, 1.0), "alpha is 0: give a finite number above 0");
        check(ValueDistribution::truncated_normal(f64::NAN, 1.0, 0.0, 1.0), "the mean is NaN: give a finite number");
        assert!(ValueDistribution::uniform(f64::NAN, 1.0).is_err());
        assert!(ValueDistribution::truncated_normal(0.0, 1.0, 1.0, 0.0).is_err());
    }

    fn distributions() -> impl Strategy<Value = ValueDistribution> {
        let interval = (-5.0..5.0_f64, 0.1..8.0_f64);
        (interval, 0..5, 0.0..1.0_f64, 0.5..6.0_f64, 0.5..6.0_f64).prop_map(|((low, width), kind, at, a, b)| {
            let high = low + width;
            let distribution = match kind {
                0 => ValueDistribution::uniform(low, high),
                1 => ValueDistribution::triangular(low, (low + at * width).min(high), high),
                2 => ValueDistribution::beta(a, b, low, high),
                3 => ValueDistribution::log_uniform(a, a + width),
                _ => ValueDistribution::truncated_normal(low + (2.0 * at - 0.5) * width, 0.1 * a * width, low, high),
            };
            distribution.expect("all parameters are in range")
        })
    }

    proptest! {
        #[test]
        fn distribution_function_and_partial_expectation_are_integrals_of_the_density(d in distributions(), at in 0.0..1.0_f64) {
            let x = d.low() + at * (d.high() - d.low());
            let breaks = crate::theory::quadrature::breaks_within(d.low(), x, d.kink());
            let [probability, expectation] = Quadrature::new().integrate(&breaks, |t| [d.pdf(t), t * d.pdf(t)]);
            prop_assert!((d.cdf(x) - probability).abs() < 1e-4, "{} {}", d.cdf(x), probability);
            prop_assert!((d.partial_expectation(x) - expectation).abs() < 1e-4);
            prop_assert!((d.cdf(x) + d.survival(x) - 1.0).abs() < 1e-12);
        }

        #[test]
        fn the_quantile_inverts_the_distribution_function_and_never_falls(d in distributions(), u in 0.001..0.999_f64) {
            let x = d.quantile(u);
            prop_assert!((d.low()..=d.high()).contains(&x));
            prop_assert!((d.cdf(x) - u).abs() < 1e-9, "cdf({}) = {}", x, d.cdf(x));
            prop_assert!(d.quantile((u + 0.01).min(1.0)) >= x);
            prop_assert_eq!((d.quantile(0.0), d.quantile(1.0)), (d.low(), d.high()));
        }
    }
}
