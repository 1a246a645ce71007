//! Gains from trade of one unit between a buyer and a seller whose values are private.

use super::distribution::ValueDistribution;
use super::quadrature::{Quadrature, breaks_within};
use super::virtual_value::{Side, VirtualValue};

/// A buyer who values the unit at v and a seller whom it costs c, drawn independently; trade at any price creates v - c.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BilateralTrade {
    buyer: ValueDistribution,
    seller: ValueDistribution,
}

/// What a rule of trade brings before the values are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedTrade {
    /// Expected value of v - c if they trade, else 0; in the unit of the values.
    pub gains: f64,
    /// Probability of trade.
    pub probability: f64,
}

/// The best mechanism that is budget balanced, incentive compatible and leaves every type its disagreement value
/// (Myerson and Satterthwaite 1983).
#[derive(Clone, Debug, PartialEq)]
pub struct SecondBest {
    /// Expected gains and probability of trade.
    pub expected: ExpectedTrade,
    /// Weight w of the information rents, from 0 (the first best is reached) to 1: they trade iff
    /// `v - w (1 - F(v)) / f(v) >= c + w G(c) / g(c)`, both sides ironed.
    pub weight: f64,
    buyer: VirtualValue,
    seller: VirtualValue,
}

impl SecondBest {
    /// Whether a buyer with value `v` and a seller with cost `c` trade. Where ironing makes both virtual values equal on
    /// whole stretches, the mechanism may trade there with a probability between 0 and 1; this says yes.
    pub fn trades(&self, v: f64, c: f64) -> bool {
        self.buyer.at(v) >= self.seller.at(c)
    }
}

/// One candidate mechanism: trade iff the buyer's weighted virtual value is at least the seller's.
struct Mechanism {
    weight: f64,
    buyer: VirtualValue,
    seller: VirtualValue,
    expected: ExpectedTrade,
    /// What remains at most of the gains after both sides' information rents: the expected difference of full virtual
    /// values over the trades. The mechanism pays for itself iff it is not negative.
    budget: f64,
}

impl BilateralTrade {
    /// Values `v` of the buyer and costs `c` of the seller, in one unit.
    pub fn new(buyer: ValueDistribution, seller: ValueDistribution) -> Self {
        Self { buyer, seller }
    }

    /// Trade whenever v >= c: what both would reach if values were known. Error near 1e-9 of the range of values.
    pub fn first_best(&self) -> ExpectedTrade {
        let Self { buyer, seller } = self;
        let inner = [buyer.low(), buyer.high(), seller.low(), seller.high()]
            .into_iter()
            .chain(buyer.kink())
            .chain(seller.kink());
        let low = buyer.low().min(seller.low());
        let breaks = breaks_within(low, buyer.high().max(seller.high()), inner);
        // E max(v - c, 0) is the integral over x of the probability that c <= x < v.
        let [gains, probability] = Quadrature::new().integrate(&breaks, |x| {
            let cost_below = seller.cdf(x);
            [cost_below * buyer.survival(x), cost_below * buyer.pdf(x)]
        });
        ExpectedTrade { gains, probability }
    }

    /// Trade at a fixed price whenever both gain: v >= price >= c. It needs no knowledge of values and balances its
    /// budget, so the second best is at least as good.
    pub fn posted_price(&self, price: f64) -> ExpectedTrade {
        let Self { buyer, seller } = self;
        let (buys, sells) = (buyer.survival(price), seller.cdf(price));
        let value = buyer.mean() - buyer.partial_expectation(price);
        ExpectedTrade { gains: sells * value - buys * seller.partial_expectation(price), probability: buys * sells }
    }

    /// The smallest expected outside payment with which trade whenever v >= c could be had; 0 where it needs none.
    pub fn subsidy_for_first_best(&self) -> f64 {
        (-self.mechanism(&Quadrature::new(), 0.0).budget).max(0.0)
    }

    /// The second best. Error near 1e-9 of the range of values, or a few 1e-6 where a virtual value has to be ironed.
    ///
    /// The weight w is the smallest at which the mechanism's budget is not negative. Where the budget jumps over 0 there,
    /// because ironed stretches of both sides meet, the mechanisms on both sides of the jump are mixed so that it is 0.
    pub fn second_best(&self) -> SecondBest {
        let quadrature = Quadrature::new();
        let first_best = self.mechanism(&quadrature, 0.0);
        if first_best.budget >= 0.0 {
            return first_best.mixed_with(None);
        }
        // The largest budget of all mechanisms, at least the 0 of never trading.
        let (mut deficit, mut balanced) = (first_best, self.mechanism(&quadrature, 1.0));
        let scale = self.buyer.high().max(self.seller.high()) - self.buyer.low().min(self.seller.low());
        // The bracket's ends as the secant sees them; an end that stays is halved (Illinois), and every third step bisects,
        // which bounds the number of steps where the budget jumps.
        let (mut below, mut above) = (deficit.budget, balanced.budget);
        for iteration in 0..120 {
            let width = balanced.weight - deficit.weight;
            if width <= 1e-13 || balanced.budget <= 1e-14 * scale {
                break;
            }
            let share = if iteration % 3 == 2 { 0.5 } else { below / (below - above) };
            let middle = self.mechanism(&quadrature, deficit.weight + width * share.clamp(1e-3, 1.0 - 1e-3));
            if middle.budget < 0.0 {
                below = middle.budget;
                above *= 0.5;
                deficit = middle;
            } else {
                above = middle.budget;
                below *= 0.5;
                balanced = middle;
            }
        }
        balanced.mixed_with(Some(&deficit))
    }

    fn mechanism(&self, quadrature: &Quadrature, weight: f64) -> Mechanism {
        let buyer = VirtualValue::new(self.buyer, Side::Buyer, weight);
        let seller = VirtualValue::new(self.seller, Side::Seller, weight);
        // The seller's threshold has a kink or a jump where the buyer's virtual value passes one of these levels.
        let cost_ends = [self.seller.low(), self.seller.high()].into_iter().chain(self.seller.kink());
        let levels = cost_ends.map(|c| seller.at(c)).chain(seller.flats().iter().map(|flat| flat.level));
        let inner = levels
            .map(|level| buyer.inverse(level))
            .chain(buyer.flats().iter().flat_map(|flat| [flat.low, flat.high]))
            .chain(self.buyer.kink());
        let breaks = breaks_within(self.buyer.low(), self.buyer.high(), inner);
        let [gains, probability, budget] = quadrature.integrate(&breaks, |v| {
            // All costs up to the threshold trade; the seller's virtual cost integrates to threshold times probability.
            let threshold = seller.inverse(buyer.at(v));
            let (sells, cost) = (self.seller.cdf(threshold), self.seller.partial_expectation(threshold));
            let density = self.buyer.pdf(v);
            let virtual_gain = density * (v - threshold) - self.buyer.survival(v);
            [density * (v * sells - cost), density * sells, virtual_gain * sells]
        });
        Mechanism { weight, buyer, seller, expected: ExpectedTrade { gains, probability }, budget }
    }
}

impl Mechanism {
    /// Mixed with one that runs a deficit, so that the budget is exactly 0: gains grow with the deficit.
    fn mixed_with(self, deficit: Option<&Mechanism>) -> SecondBest {
        let mut expected = self.expected;
        if let Some(deficit) = deficit {
            let share = self.budget / (self.budget - deficit.budget);
            expected.gains += share * (deficit.expected.gains - expected.gains);
            expected.probability += share * (deficit.expected.probability - expected.probability);
        }
        SecondBest { expected, weight: self.weight, buyer: self.buyer, seller: self.seller }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uniform(low: f64, high: f64) -> ValueDistribution {
        ValueDistribution::uniform(low, high).unwrap()
    }

    fn beta(alpha: f64, beta: f64) -> ValueDistribution {
        ValueDistribution::beta(alpha, beta, 0.0, 1.0).unwrap()
    }

    fn check(found: ExpectedTrade, gains: f64, probability: f64, error: f64) {
        assert!((found.gains - gains).abs() < error, "gains {}, not {gains}", found.gains);
        assert!(
            (found.probability - probability).abs() < error,
            "probability {}, not {probability}",
            found.probability
        );
    }

    #[test]
    fn with_uniform_values_the_first_best_is_a_sixth_and_the_second_best_nine_sixty_fourths() {
        let trade = BilateralTrade::new(uniform(0.0, 1.0), uniform(0.0, 1.0));
        check(trade.first_best(), 1.0 / 6.0, 0.5, 1e-9);
        let second_best = trade.second_best();
        check(second_best.expected, 9.0 / 64.0, 9.0 / 32.0, 1e-9);
        assert!((second_best.weight - 1.0 / 3.0).abs() < 1e-9);
        assert!(second_best.trades(0.80, 0.549) && !second_best.trades(0.80, 0.551));
        // The expected deficit of Vickrey payments equals the gains.
        assert!((trade.subsidy_for_first_best() - 1.0 / 6.0).abs() < 1e-9);
        check(trade.posted_price(0.5), 0.125, 0.25, 1e-12);
    }

    #[test]
    fn amounts_scale_with_the_unit_of_money() {
        let trade = BilateralTrade::new(uniform(70_000.0, 110_000.0), uniform(70_000.0, 110_000.0));
        check(trade.second_best().expected, 40_000.0 * 9.0 / 64.0, 9.0 / 32.0, 1e-4);
    }

    #[test]
    fn where_trade_is_surely_efficient_the_first_best_is_reached() {
        let trade = BilateralTrade::new(uniform(2.0, 3.0), uniform(0.0, 1.0));
        let second_best = trade.second_best();
        assert_eq!((second_best.weight, trade.subsidy_for_first_best()), (0.0, 0.0));
        check(second_best.expected, 2.0, 1.0, 1e-9);
        check(trade.first_best(), 2.0, 1.0, 1e-9);
    }

    #[test]
    fn where_no_trade_is_efficient_there_are_no_gains() {
        let trade = BilateralTrade::new(uniform(0.0, 1.0), uniform(2.0, 3.0));
        check(trade.first_best(), 0.0, 0.0, 1e-12);
        check(trade.second_best().expected, 0.0, 0.0, 1e-12);
    }

    fn pairs() -> Vec<BilateralTrade> {
        let normal = ValueDistribution::truncated_normal(0.6, 0.2, 0.0, 1.0).unwrap();
        let triangular = ValueDistribution::triangular(0.0, 0.3, 1.0).unwrap();
        vec![
            BilateralTrade::new(uniform(0.0, 1.2), uniform(0.1, 1.0)),
            BilateralTrade::new(normal, triangular),
            BilateralTrade::new(beta(2.0, 3.0), beta(3.0, 1.5)),
            // These have to be ironed, the first on both sides.
            BilateralTrade::new(beta(0.5, 0.5), beta(0.5, 0.5)),
            BilateralTrade::new(beta(0.4, 1.5), normal),
            BilateralTrade::new(ValueDistribution::log_uniform(0.05, 1.0).unwrap(), uniform(0.0, 0.8)),
        ]
    }

    /// Equal slices of probability of each value: no density, no virtual value, no root.
    fn slices(distribution: &ValueDistribution) -> Vec<f64> {
        (0..600).map(|i| distribution.quantile((f64::from(i) + 0.5) / 600.0)).collect()
    }

    #[test]
    fn expectations_agree_with_sums_over_slices_of_probability_and_the_budget_is_balanced() {
        for trade in pairs() {
            let second_best = trade.second_best();
            let (values, costs) = (slices(&trade.buyer), slices(&trade.seller));
            let (mut first, mut second, mut probability, mut rents) = (0.0, 0.0, 0.0, 0.0);
            let cell = 1.0 / (600.0 * 600.0);
            let seller: Vec<f64> = costs.iter().map(|&c| second_best.seller.at(c)).collect();
            // The lowest value that trades against each cost and the highest cost against each value make the payments of
            // the cheapest incentive-compatible mechanism with this rule.
            let mut pay = vec![f64::INFINITY; costs.len()];
            for &v in &values {
                let buyer = second_best.buyer.at(v);
                let mut receive = 0.0;
                let mut trades = 0.0;
                for (j, &c) in costs.iter().enumerate() {
                    first += cell * f64::max(v - c, 0.0);
                    if buyer >= seller[j] {
                        pay[j] = pay[j].min(v);
                        (receive, trades) = (c, trades + 1.0);
                        second += cell * (v - c);
                        probability += cell;
                        rents += cell * pay[j];
                    }
                }
                rents -= cell * receive * trades;
            }
            assert!((first - trade.first_best().gains).abs() < 2e-3);
            check(second_best.expected, second, probability, 6e-3);
            assert!(rents.abs() < 6e-3, "budget {rents} of {trade:?}");
        }
    }

    #[test]
    fn the_second_best_lies_between_every_posted_price_and_the_first_best() {
        for trade in pairs() {
            let second_best = trade.second_best().expected.gains;
            assert!(second_best <= trade.first_best().gains);
            for step in 0..=50 {
                let posted = trade.posted_price(f64::from(step) / 50.0).gains;
                assert!(posted <= second_best + 1e-9, "{posted} above {second_best} for {trade:?}");
            }
        }
    }

    #[test]
    fn mirroring_the_market_leaves_its_gains() {
        for (trade, mirror) in [
            (BilateralTrade::new(beta(2.0, 3.0), beta(3.0, 1.5)), BilateralTrade::new(beta(1.5, 3.0), beta(3.0, 2.0))),
            (BilateralTrade::new(beta(0.4, 1.5), beta(2.0, 1.0)), BilateralTrade::new(beta(1.0, 2.0), beta(1.5, 0.4))),
        ] {
            let (here, there) = (trade.second_best().expected, mirror.second_best().expected);
            check(here, there.gains, there.probability, 2e-6);
        }
    }

    #[test]
    fn a_beta_with_unit_shapes_is_uniform_and_so_is_a_very_wide_normal() {
        let wide = ValueDistribution::truncated_normal(0.5, 1e4, 0.0, 1.0).unwrap();
        for flat in [beta(1.0, 1.0), wide] {
            check(BilateralTrade::new(flat, flat).second_best().expected, 9.0 / 64.0, 9.0 / 32.0, 1e-6);
        }
    }
}
