//! Normal beliefs over the hidden state, and their update by what is seen.

use std::sync::OnceLock;
use zopa_envs::Stream;

/// A normal distribution over the state's components.
#[derive(Clone, Debug)]
pub(super) struct Gaussian {
    pub(super) mean: Vec<f64>,
    /// Covariance, row by row.
    pub(super) covariance: Vec<f64>,
}

impl Gaussian {
    /// Independent components of these means and variances.
    pub(super) fn independent(mean: Vec<f64>, variances: &[f64]) -> Self {
        let size = mean.len();
        let mut covariance = vec![0.0; size * size];
        for (index, variance) in variances.iter().enumerate() {
            covariance[index * size + index] = *variance;
        }
        Self { mean, covariance }
    }

    pub(super) fn size(&self) -> usize {
        self.mean.len()
    }

    pub(super) fn variance(&self, index: usize) -> f64 {
        self.covariance[index * self.size() + index]
    }

    pub(super) fn covariance_of(&self, one: usize, other: usize) -> f64 {
        self.covariance[one * self.size() + other]
    }

    /// Adds uncertainty to one component: it may have drifted.
    pub(super) fn widen(&mut self, index: usize, variance: f64) {
        let size = self.size();
        self.covariance[index * size + index] += variance;
    }

    /// Covariance of every component with the linear form of these slopes, and the form's variance.
    fn with_form(&self, slopes: &[f64]) -> (Vec<f64>, f64) {
        let size = self.size();
        let mut along = vec![0.0; size];
        for (row, entry) in along.iter_mut().enumerate() {
            let line = &self.covariance[row * size..(row + 1) * size];
            *entry = line.iter().zip(slopes).map(|(c, s)| c * s).sum();
        }
        let variance = along.iter().zip(slopes).map(|(a, s)| a * s).sum::<f64>().max(0.0);
        (along, variance)
    }

    /// Variance of a linear form.
    pub(super) fn variance_of(&self, slopes: &[f64]) -> f64 {
        self.with_form(slopes).1
    }

    fn apply(&mut self, along: &[f64], shift: f64, shrink: f64) -> Vec<f64> {
        let size = self.size();
        let moved: Vec<f64> = along.iter().map(|a| a * shift).collect();
        for (mean, by) in self.mean.iter_mut().zip(&moved) {
            *mean += by;
        }
        for row in 0..size {
            for column in 0..size {
                self.covariance[row * size + column] -= shrink * along[row] * along[column];
            }
            let diagonal = &mut self.covariance[row * size + row];
            *diagonal = diagonal.max(1e-14);
        }
        moved
    }

    /// The density of seeing a linear form be `innovation` above its mean, with `noise` variance of the seeing.
    pub(super) fn density(&self, slopes: &[f64], innovation: f64, noise: f64) -> f64 {
        let variance = self.variance_of(slopes) + noise;
        libm::exp(-0.5 * innovation * innovation / variance) / libm::sqrt(std::f64::consts::TAU * variance)
    }

    /// Takes in that a linear form came out `innovation` above its mean (Kalman 1960); returns how the mean moved.
    pub(super) fn observe(&mut self, slopes: &[f64], innovation: f64, noise: f64) -> Vec<f64> {
        let (along, variance) = self.with_form(slopes);
        let gain = 1.0 / (variance + noise);
        self.apply(&along, innovation * gain, gain)
    }

    /// The probability that a linear form with mean `mean` is above 0, with `noise` variance of the seeing.
    pub(super) fn chance_above(&self, slopes: &[f64], mean: f64, noise: f64) -> f64 {
        let deviation = libm::sqrt(self.variance_of(slopes) + noise);
        normal_below(mean / deviation)
    }

    /// Takes in that a linear form of mean `mean` is above 0: the moments of the normal cut off there (expectation
    /// propagation's step, Minka 2001). Returns how the mean moved.
    pub(super) fn observe_above(&mut self, slopes: &[f64], mean: f64, noise: f64) -> Vec<f64> {
        let (along, variance) = self.with_form(slopes);
        let deviation = libm::sqrt(variance + noise);
        let z = (mean / deviation).max(-6.0);
        let hazard = libm::exp(-0.5 * z * z) / libm::sqrt(std::f64::consts::TAU) / normal_below(z).max(1e-9);
        let shrink = (hazard * (z + hazard)).clamp(0.0, 0.999) / (variance + noise);
        self.apply(&along, hazard / deviation, shrink)
    }

    /// The lower triangle whose product with its transpose is the covariance (Cholesky).
    pub(super) fn root(&self) -> Vec<f64> {
        let size = self.size();
        let mut root = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..=row {
                let product: f64 =
                    (0..column).map(|inner| root[row * size + inner] * root[column * size + inner]).sum();
                let rest = self.covariance[row * size + column] - product;
                root[row * size + column] = if row == column {
                    libm::sqrt(rest.max(0.0))
                } else if root[column * size + column] > 1e-12 {
                    rest / root[column * size + column]
                } else {
                    0.0
                };
            }
        }
        root
    }

    /// A draw's distance from the mean, each component of the result within `low..=high` of the state where that is possible
    /// in a few draws, else moved there.
    pub(super) fn draw_away(&self, root: &[f64], bounds: &[(f64, f64)], stream: &mut Stream) -> Vec<f64> {
        let size = self.size();
        let mut away = vec![0.0; size];
        for attempt in 0..4 {
            let normals: Vec<f64> = (0..size).map(|_| quick_normal(stream)).collect();
            for (row, entry) in away.iter_mut().enumerate() {
                let line = &root[row * size..=row * size + row];
                *entry = line.iter().zip(&normals).map(|(r, n)| r * n).sum();
            }
            let within = away
                .iter()
                .zip(&self.mean)
                .zip(bounds)
                .all(|((by, mean), (low, high))| (*low..=*high).contains(&(mean + by)));
            if within || attempt == 3 {
                break;
            }
        }
        for ((by, mean), (low, high)) in away.iter_mut().zip(&self.mean).zip(bounds) {
            *by = (mean + *by).clamp(*low, *high) - mean;
        }
        away
    }
}

/// A standard normal number from one draw of bits: the sum of four uniforms of 16 bits has its mean, its variance and nearly
/// its shape (kurtosis 2.7), and no logarithm.
fn quick_normal(stream: &mut Stream) -> f64 {
    let bits = stream.bits();
    let sum: u64 = (0..4).map(|part| (bits >> (16 * part)) & 0xffff).sum();
    (sum as f64 / 65_536.0 - 2.0) * 1.732_050_807_568_877_2
}

/// The standard normal distribution function.
pub(super) fn normal_below(z: f64) -> f64 {
    0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

/// [`normal_below`] on a grid: straight lines between its points are off by a step's square times the largest second derivative
/// (`1 / sqrt(2 pi e)`) over 8, which is 7.4e-6.
pub(super) struct NormalTable(Vec<f64>);

impl NormalTable {
    /// What [`Self::below`] is off by at most.
    pub(super) const ERROR: f64 = 1e-5;
    /// Where the table ends: further out it is 0 or 1 to nine digits.
    pub(super) const REACH: f64 = 6.0;
    const STEPS: f64 = 64.0;

    /// The one table, made at its first use.
    pub(super) fn get() -> &'static Self {
        static TABLE: OnceLock<NormalTable> = OnceLock::new();
        TABLE.get_or_init(|| {
            let points = (2.0 * Self::REACH * Self::STEPS) as u32;
            Self((0..=points).map(|point| normal_below(f64::from(point) / Self::STEPS - Self::REACH)).collect())
        })
    }

    /// The standard normal distribution function, to within [`Self::ERROR`].
    pub(super) fn below(&self, z: f64) -> f64 {
        let place = (z + Self::REACH) * Self::STEPS;
        let point = place as usize;
        match (place > 0.0, self.0.get(point), self.0.get(point + 1)) {
            (true, Some(low), Some(high)) => low + (place - point as f64) * (high - low),
            (above, ..) => f64::from(u8::from(above)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Gaussian, NormalTable, normal_below};

    #[test]
    fn the_table_is_as_near_as_it_says() {
        let table = NormalTable::get();
        for step in -70_000..=70_000 {
            let z = f64::from(step) / 10_000.0;
            let off = (table.below(z) - normal_below(z)).abs();
            assert!(off < NormalTable::ERROR, "off by {off:e} at {z}");
        }
    }

    #[test]
    fn a_seen_sum_moves_and_narrows_both_its_parts() {
        let mut belief = Gaussian::independent(vec![0.0, 0.0], &[1.0, 3.0]);
        let moved = belief.observe(&[1.0, 1.0], 2.0, 0.0);
        assert!((moved[0] - 0.5).abs() < 1e-12 && (moved[1] - 1.5).abs() < 1e-12);
        assert!(belief.variance_of(&[1.0, 1.0]) < 1e-9, "the sum is known");
        assert!((belief.variance(0) - 0.75).abs() < 1e-12);
    }

    #[test]
    fn a_bound_moves_the_mean_as_the_cut_off_normal_has_it() {
        let mut belief = Gaussian::independent(vec![0.0], &[1.0]);
        assert!((belief.chance_above(&[1.0], 0.0, 0.0) - 0.5).abs() < 1e-12);
        belief.observe_above(&[1.0], 0.0, 0.0);
        // The half normal: mean sqrt(2/pi), variance 1 - 2/pi.
        assert!((belief.mean[0] - 0.797_884_560_8).abs() < 1e-9);
        assert!((belief.variance(0) - 0.363_380_227_6).abs() < 1e-9);
        assert!((normal_below(1.644_853_626_951) - 0.95).abs() < 1e-9);
    }

    #[test]
    fn the_root_squared_is_the_covariance() {
        let mut belief = Gaussian::independent(vec![0.0; 3], &[1.0, 2.0, 3.0]);
        belief.observe(&[1.0, 0.5, -1.0], 0.1, 0.2);
        let root = belief.root();
        for row in 0..3 {
            for column in 0..3 {
                let product: f64 = (0..3).map(|k| root[row * 3 + k] * root[column * 3 + k]).sum();
                assert!((product - belief.covariance[row * 3 + column]).abs() < 1e-12);
            }
        }
    }
}
