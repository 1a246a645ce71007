//! The standard normal distribution.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Standard normal density.
pub(super) fn normal_density(z: f64) -> f64 {
    libm::exp(-0.5 * z * z) / (2.0 * PI).sqrt()
}

/// Standard normal probability of [a, b], from whichever tail keeps the digits (DLMF 7.2 and 7.18 for erf and erfc).
pub(super) fn normal_mass(a: f64, b: f64) -> f64 {
    let (a, b) = (a * FRAC_1_SQRT_2, b * FRAC_1_SQRT_2);
    if a > 0.0 {
        0.5 * (libm::erfc(a) - libm::erfc(b))
    } else if b < 0.0 {
        0.5 * (libm::erfc(-b) - libm::erfc(-a))
    } else {
        0.5 * (libm::erf(b) - libm::erf(a))
    }
}
