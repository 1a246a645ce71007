//! Virtual values, ironed where they would fall.

use super::distribution::ValueDistribution;

/// Which side of the market a virtual value belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Buyer,
    Seller,
}

/// Points of the grid on which falling stretches are looked for and ironed.
const GRID: u32 = 2048;

/// Weighted virtual value of a private value x: the buyer's `x - w (1 - F(x)) / f(x)` or the seller's
/// `x + w F(x) / f(x)`, with F and f the distribution and density of that side's value and w from 0 (the value itself) to
/// 1 (Myerson and Satterthwaite 1983). Where it would fall, it is replaced by its mean over a stretch, so that it never
/// falls (ironing, Myerson 1981): the slope of the lower convex hull of its integral over quantiles.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct VirtualValue {
    distribution: ValueDistribution,
    side: Side,
    weight: f64,
    flats: Vec<Flat>,
}

/// A stretch of values with one ironed virtual value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flat {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) level: f64,
}

impl VirtualValue {
    pub(super) fn new(distribution: ValueDistribution, side: Side, weight: f64) -> Self {
        let mut value = Self { distribution, side, weight, flats: Vec::new() };
        value.flats = value.iron();
        value
    }

    /// Before ironing.
    fn raw(&self, x: f64) -> f64 {
        let (tail, sign) = match self.side {
            Side::Buyer => (self.distribution.survival(x), -1.0),
            Side::Seller => (self.distribution.cdf(x), 1.0),
        };
        // At the end where the tail is empty the ratio's limit is 0 even if the density is 0 there.
        if tail == 0.0 || self.weight == 0.0 { x } else { x + sign * self.weight * tail / self.distribution.pdf(x) }
    }

    /// Integral of the raw virtual value over quantiles up to that of `x`. By parts: the integral of x f - (1 - F) is
    /// -x (1 - F) plus a constant, that of x f + F is x F. No density is divided by.
    fn integral(&self, x: f64) -> f64 {
        let at_full_weight = match self.side {
            Side::Buyer => self.distribution.low() - x * self.distribution.survival(x),
            Side::Seller => x * self.distribution.cdf(x),
        };
        (1.0 - self.weight) * self.distribution.partial_expectation(x) + self.weight * at_full_weight
    }

    /// Ironed; never falls in `x`.
    pub(super) fn at(&self, x: f64) -> f64 {
        let mut value = self.raw(x);
        for flat in &self.flats {
            if x <= flat.low {
                value = value.min(flat.level);
            } else if x >= flat.high {
                value = value.max(flat.level);
            } else {
                return flat.level;
            }
        }
        value
    }

    /// The largest value whose ironed virtual value is at most `level`; the lower end where none is.
    pub(super) fn inverse(&self, level: f64) -> f64 {
        let (mut at_most, mut above) = (self.distribution.low(), self.distribution.high());
        if self.at(above) <= level {
            return above;
        }
        // Halves the interval to 4e-15 of its width.
        for _ in 0..48 {
            let middle = 0.5 * (at_most + above);
            if self.at(middle) <= level { at_most = middle } else { above = middle }
        }
        at_most
    }

    pub(super) fn flats(&self) -> &[Flat] {
        &self.flats
    }

    fn iron(&self) -> Vec<Flat> {
        let (low, high) = (self.distribution.low(), self.distribution.high());
        // Denser towards the ends, where beta densities with a shape below 1 hold much probability.
        let grid: Vec<f64> = (0..=GRID)
            .map(|i| {
                let t = f64::from(i) / f64::from(GRID);
                low + (high - low) * t * t * (3.0 - 2.0 * t)
            })
            .collect();
        let raw: Vec<f64> = grid.iter().map(|&x| self.raw(x)).collect();
        let rounding = 1e-9 * (high - low);
        let falls = |i: usize| raw[i + 1] < raw[i] - rounding;
        if !(0..raw.len() - 1).any(falls) {
            return Vec::new();
        }
        let mut hull: Vec<(usize, f64, f64)> = Vec::new();
        for (i, &x) in grid.iter().enumerate() {
            let (quantile, integral) = (self.distribution.cdf(x), self.integral(x));
            while let [.., (_, q0, h0), (_, q1, h1)] = hull[..] {
                if (h1 - h0) * (quantile - q1) < (integral - h1) * (q1 - q0) {
                    break;
                }
                hull.pop();
            }
            hull.push((i, quantile, integral));
        }
        let stretch = |pair: &[(usize, f64, f64)]| {
            let &[(i, q0, h0), (j, q1, h1)] = pair else { return None };
            // A hull edge over grid points where the raw value rises comes from rounding at tiny probabilities.
            let is_flat = q1 > q0 && (i..j).any(falls);
            is_flat.then(|| Flat { low: grid[i], high: grid[j], level: (h1 - h0) / (q1 - q0) })
        };
        hull.windows(2).filter_map(stretch).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn beta(alpha: f64, beta: f64) -> ValueDistribution {
        ValueDistribution::beta(alpha, beta, 0.0, 1.0).unwrap()
    }

    #[test]
    fn uniform_virtual_values_are_linear() {
        let uniform = ValueDistribution::uniform(0.0, 1.0).unwrap();
        let buyer = VirtualValue::new(uniform, Side::Buyer, 1.0);
        let seller = VirtualValue::new(uniform, Side::Seller, 0.5);
        for x in [0.0, 0.25, 0.5, 1.0] {
            assert!((buyer.at(x) - (2.0 * x - 1.0)).abs() < 1e-12 && (seller.at(x) - 1.5 * x).abs() < 1e-12);
        }
        assert!((buyer.inverse(0.0) - 0.5).abs() < 1e-12 && (seller.inverse(0.75) - 0.5).abs() < 1e-12);
        assert_eq!((buyer.inverse(-2.0), buyer.inverse(2.0)), (0.0, 1.0));
    }

    #[test]
    fn distributions_with_log_concave_densities_need_no_ironing() {
        let regular = [
            ValueDistribution::uniform(2.0, 5.0).unwrap(),
            ValueDistribution::triangular(0.0, 0.2, 1.0).unwrap(),
            ValueDistribution::triangular(0.0, 0.0, 1.0).unwrap(),
            ValueDistribution::truncated_normal(90.0, 10.0, 70.0, 120.0).unwrap(),
            beta(2.0, 5.0),
            beta(1.0, 3.0),
        ];
        for distribution in regular {
            for side in [Side::Buyer, Side::Seller] {
                for weight in [0.0, 0.3, 1.0] {
                    assert_eq!(VirtualValue::new(distribution, side, weight).flats(), [], "{distribution:?} {side:?}");
                }
            }
        }
    }

    #[test]
    fn an_ironed_virtual_value_never_falls_and_is_the_mean_of_the_raw_one_over_its_flats() {
        for (distribution, side) in
            [(beta(0.5, 0.5), Side::Buyer), (beta(0.5, 0.5), Side::Seller), (beta(0.3, 2.0), Side::Buyer)]
        {
            let value = VirtualValue::new(distribution, side, 1.0);
            assert_eq!(value.flats().len(), 1, "{distribution:?} {side:?}");
            let flat = value.flats()[0];
            // Equal slices of probability within the flat.
            let (q0, q1) = (distribution.cdf(flat.low), distribution.cdf(flat.high));
            let slices = 20_000;
            let middle = |i: i32| q0 + (q1 - q0) * (f64::from(i) + 0.5) / f64::from(slices);
            let mean =
                (0..slices).map(|i| value.raw(distribution.quantile(middle(i)))).sum::<f64>() / f64::from(slices);
            assert!((mean - flat.level).abs() < 1e-4, "{mean} {flat:?}");
            let samples: Vec<f64> = (0..=1000).map(|i| value.at(f64::from(i) / 1000.0)).collect();
            assert!(samples.windows(2).all(|pair| pair[0] <= pair[1]));
        }
    }
}
