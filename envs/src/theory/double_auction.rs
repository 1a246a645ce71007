//! The linear equilibrium of the sealed-bid double auction.

/// Why no equilibrium could be set up.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AuctionError {
    /// The bid's weight in the price is not in [0, 1].
    #[error("the bid's weight k in the price is {k}: give a number from 0 to 1")]
    Weight {
        /// What was given.
        k: f64,
    },
    /// The interval of values is empty, a single point or not finite.
    #[error("the interval from {low} to {high} is no interval: give two finite numbers, the lower first")]
    Interval {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
}

/// Linear equilibrium of the k-double auction (Chatterjee and Samuelson 1983) with value and cost independent and
/// uniform on one interval: both submit a price unseen, and where the bid is at least the ask they trade at
/// `k bid + (1 - k) ask`.
///
/// On [0, 1] the buyer bids `v / (1 + k) + k (1 - k) / (2 (1 + k))` and the seller asks `c / (2 - k) + (1 - k) / 2`; at
/// k = 1/2 that is `2 v / 3 + 1 / 12` and `2 c / 3 + 1 / 4`, which reaches the second best. The auction has further,
/// non-linear equilibria.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearEquilibrium {
    k: f64,
    low: f64,
    width: f64,
}

impl LinearEquilibrium {
    /// `k` in [0, 1] is the bid's weight in the price; values and costs are uniform on `[low, high]`.
    ///
    /// # Errors
    ///
    /// `k` outside its range, or an empty interval.
    pub fn new(k: f64, low: f64, high: f64) -> Result<Self, AuctionError> {
        if !(0.0..=1.0).contains(&k) {
            return Err(AuctionError::Weight { k });
        }
        let width = high - low;
        if width > 0.0 && width.is_finite() {
            Ok(Self { k, low, width })
        } else {
            Err(AuctionError::Interval { low, high })
        }
    }

    /// Bid of a buyer with value `v`. Types too low to trade bid by the same line, where any lower bid does as well.
    pub fn bid(&self, v: f64) -> f64 {
        let Self { k, low, width } = *self;
        low + width * ((v - low) / width / (1.0 + k) + k * (1.0 - k) / (2.0 * (1.0 + k)))
    }

    /// Ask of a seller with cost `c`. Types too high to trade ask by the same line.
    pub fn ask(&self, c: f64) -> f64 {
        let Self { k, low, width } = *self;
        low + width * ((c - low) / width / (2.0 - k) + (1.0 - k) / 2.0)
    }

    /// The price at which a bid and an ask trade; `None` where the bid is below the ask.
    pub fn price(&self, bid: f64, ask: f64) -> Option<f64> {
        (bid >= ask).then_some(self.k * bid + (1.0 - self.k) * ask)
    }

    /// Expected gains from trade v - c in the equilibrium; 9/64 of the interval's width at k = 1/2.
    ///
    /// On [0, 1] they trade iff `v >= m c + n` with `m = (1 + k) / (2 - k)` and `n = (1 - k) / 2`, so iff c is at most
    /// `(1 - n) / m = (2 - k) / 2`; the gains are the integral over those costs of
    /// `(1 - (m c + n)^2) / 2 - c (1 - n - m c)`.
    pub fn expected_gains(&self) -> f64 {
        let (m, n) = ((1.0 + self.k) / (2.0 - self.k), (1.0 - self.k) / 2.0);
        let c = (2.0 - self.k) / 2.0;
        let half_square = 0.5 * (c - (1.0 - n * n * n) / (3.0 * m));
        let cost = c * c * ((1.0 - n) / 2.0 - m * c / 3.0);
        self.width * (half_square - cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::{BilateralTrade, ValueDistribution};

    #[test]
    fn at_one_half_the_lines_are_those_of_chatterjee_and_samuelson_and_reach_the_second_best() {
        let equilibrium = LinearEquilibrium::new(0.5, 0.0, 1.0).unwrap();
        for x in [0.0, 0.25, 0.6, 1.0] {
            assert!((equilibrium.bid(x) - (2.0 * x / 3.0 + 1.0 / 12.0)).abs() < 1e-15);
            assert!((equilibrium.ask(x) - (2.0 * x / 3.0 + 0.25)).abs() < 1e-15);
        }
        assert!((equilibrium.expected_gains() - 9.0 / 64.0).abs() < 1e-15);
        let uniform = ValueDistribution::uniform(0.0, 1.0).unwrap();
        let second_best = BilateralTrade::new(uniform, uniform).second_best().expected.gains;
        assert!((equilibrium.expected_gains() - second_best).abs() < 1e-9);
    }

    #[test]
    fn at_the_ends_one_side_makes_a_monopolist_s_offer() {
        let seller_offers = LinearEquilibrium::new(0.0, 0.0, 1.0).unwrap();
        assert_eq!((seller_offers.ask(0.4), seller_offers.bid(0.4)), (0.7, 0.4));
        let buyer_offers = LinearEquilibrium::new(1.0, 0.0, 1.0).unwrap();
        assert_eq!((buyer_offers.ask(0.4), buyer_offers.bid(0.4)), (0.4, 0.2));
        for equilibrium in [seller_offers, buyer_offers] {
            assert!((equilibrium.expected_gains() - 0.125).abs() < 1e-15);
        }
    }

    #[test]
    fn expected_gains_agree_with_a_sum_over_a_grid_of_types() {
        let types = 1_000;
        let middle = |i: i32| 10.0 + 4.0 * (f64::from(i) + 0.5) / f64::from(types);
        for k in [0.0, 0.3, 0.5, 0.9] {
            let equilibrium = LinearEquilibrium::new(k, 10.0, 14.0).unwrap();
            let mut sum = 0.0;
            for v in (0..types).map(middle) {
                let trading = (0..types).map(middle).filter(|&c| equilibrium.bid(v) >= equilibrium.ask(c));
                sum += trading.map(|c| v - c).sum::<f64>();
            }
            let mean = sum / f64::from(types * types);
            assert!((equilibrium.expected_gains() - mean).abs() < 1e-3, "k = {k}");
        }
    }

    #[test]
    fn no_other_bid_or_ask_does_better_against_the_other_side_s_line() {
        let types = 2_000;
        let middle = |i: i32| (f64::from(i) + 0.5) / f64::from(types);
        for k in [0.0, 0.25, 0.5, 0.8, 1.0] {
            let equilibrium = LinearEquilibrium::new(k, 0.0, 1.0).unwrap();
            let buyer = |v: f64, bid: f64| {
                let prices = (0..types).filter_map(|i| equilibrium.price(bid, equilibrium.ask(middle(i))));
                prices.map(|price| v - price).sum::<f64>() / f64::from(types)
            };
            let seller = |c: f64, ask: f64| {
                let prices = (0..types).filter_map(|i| equilibrium.price(equilibrium.bid(middle(i)), ask));
                prices.map(|price| price - c).sum::<f64>() / f64::from(types)
            };
            for own in [0.1, 0.35, 0.6, 0.9] {
                let (as_buyer, as_seller) = (buyer(own, equilibrium.bid(own)), seller(own, equilibrium.ask(own)));
                for other in (0..=100).map(|step| f64::from(step) / 100.0) {
                    assert!(buyer(own, other) <= as_buyer + 1e-3, "k = {k}: value {own} gains by bidding {other}");
                    assert!(seller(own, other) <= as_seller + 1e-3, "k = {k}: cost {own} gains by asking {other}");
                }
            }
        }
    }

    #[test]
    fn impossible_arguments_are_refused() {
        assert!(LinearEquilibrium::new(-0.1, 0.0, 1.0).is_err() && LinearEquilibrium::new(f64::NAN, 0.0, 1.0).is_err());
        assert!(LinearEquilibrium::new(0.5, 1.0, 1.0).is_err());
    }
}
