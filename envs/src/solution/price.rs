//! Bargaining over one continuous price, in closed form.

use super::SolutionError;

/// Why a price bargain could not be set up.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PriceError {
    /// An amount or a rate is infinite or not a number.
    #[error("{name} is {value}: give a finite number")]
    NotFinite {
        /// Which argument.
        name: &'static str,
        /// What was given.
        value: f64,
    },
    /// A party's gain does not move with the price, or moves the wrong way.
    #[error("{name} is {value}: it must be above 0, so that a lower price suits the buyer and a higher the supplier")]
    Slope {
        /// Which slope.
        name: &'static str,
        /// What was given or what the rate and the time make of it.
        value: f64,
    },
    /// The permitted interval is upside down.
    #[error("the price floor {floor} is above the ceiling {ceiling}")]
    Interval {
        /// Lowest permitted price.
        floor: f64,
        /// Highest permitted price.
        ceiling: f64,
    },
}

/// A closed interval of prices, `low <= high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriceRange {
    /// Lowest price.
    pub low: f64,
    /// Highest price.
    pub high: f64,
}

/// Two gains that are linear in the price p, all other terms fixed: the buyer's `A - a p` and the supplier's `b p - B`,
/// and the interval of permitted prices.
///
/// Each solution is chosen among the prices that are permitted and leave neither party worse off, the
/// [`zone`](Self::zone); `None` where there is no such price. Where the zone is a single price, every rule takes it.
/// All amounts are in one currency unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriceBargain {
    buyer_value: f64,
    buyer_slope: f64,
    supplier_cost: f64,
    supplier_slope: f64,
    permitted: PriceRange,
}

impl PriceBargain {
    /// Buyer's gain `buyer_value - buyer_slope * p`, supplier's `supplier_slope * p - supplier_cost`, every price
    /// permitted. Values and costs are net of the disagreement values.
    ///
    /// # Errors
    ///
    /// An argument that is not finite, or a slope that is not above 0.
    pub fn new(
        buyer_value: f64,
        buyer_slope: f64,
        supplier_cost: f64,
        supplier_slope: f64,
    ) -> Result<Self, PriceError> {
        finite("the buyer's value", buyer_value)?;
        finite("the supplier's cost", supplier_cost)?;
        for (name, value) in [("the buyer's slope", buyer_slope), ("the supplier's slope", supplier_slope)] {
            finite(name, value)?;
            if value <= 0.0 {
                return Err(PriceError::Slope { name, value });
            }
        }
        let permitted = PriceRange { low: f64::NEG_INFINITY, high: f64::INFINITY };
        Ok(Self { buyer_value, buyer_slope, supplier_cost, supplier_slope, permitted })
    }

    /// Payment earlier than the reference by `days` (later: negative) at yearly rates on the price: it costs the buyer
    /// `buyer_rate * p * days / 365` and is worth `supplier_rate * p * days / 365` to the supplier. Without it the buyer
    /// would gain `buyer_value - p` and the supplier `p - supplier_cost`.
    ///
    /// # Errors
    ///
    /// An argument that is not finite, or so late a payment that a slope is not above 0.
    pub fn with_rates(
        buyer_value: f64,
        supplier_cost: f64,
        days: f64,
        buyer_rate: f64,
        supplier_rate: f64,
    ) -> Result<Self, PriceError> {
        let years = days / 365.0;
        Self::new(buyer_value, 1.0 + buyer_rate * years, supplier_cost, 1.0 + supplier_rate * years)
    }

    /// Payment earlier by `days` at fixed amounts a day: it costs the buyer `buyer_daily * days` and is worth
    /// `supplier_daily * days` to the supplier, whatever the price. Money is then transferable: the price only divides a
    /// fixed joint gain.
    ///
    /// # Errors
    ///
    /// An argument that is not finite.
    pub fn with_daily_amounts(
        buyer_value: f64,
        supplier_cost: f64,
        days: f64,
        buyer_daily: f64,
        supplier_daily: f64,
    ) -> Result<Self, PriceError> {
        Self::new(buyer_value - buyer_daily * days, 1.0, supplier_cost - supplier_daily * days, 1.0)
    }

    /// Permits only prices from `floor` to `ceiling`; either may be infinite.
    ///
    /// # Errors
    ///
    /// A floor above the ceiling, or a bound that is not a number.
    pub fn permitting(self, floor: f64, ceiling: f64) -> Result<Self, PriceError> {
        for (name, value) in [("the price floor", floor), ("the price ceiling", ceiling)] {
            if value.is_nan() {
                return Err(PriceError::NotFinite { name, value });
            }
        }
        if floor > ceiling {
            return Err(PriceError::Interval { floor, ceiling });
        }
        Ok(Self { permitted: PriceRange { low: floor, high: ceiling }, ..self })
    }

    /// `[buyer's gain, supplier's gain]` at a price.
    pub fn gains(&self, price: f64) -> [f64; 2] {
        [self.buyer_value - self.buyer_slope * price, self.supplier_slope * price - self.supplier_cost]
    }

    /// The price at which the buyer gains nothing, `A / a`.
    pub fn buyer_reservation(&self) -> f64 {
        self.buyer_value / self.buyer_slope
    }

    /// The price at which the supplier gains nothing, `B / b`.
    pub fn supplier_reservation(&self) -> f64 {
        self.supplier_cost / self.supplier_slope
    }

    /// Permitted prices that leave neither party worse off; `None` where there are none.
    pub fn zone(&self) -> Option<PriceRange> {
        let low = self.supplier_reservation().max(self.permitted.low);
        let high = self.buyer_reservation().min(self.permitted.high);
        (low <= high).then_some(PriceRange { low, high })
    }

    /// Symmetric Nash price: `(A / a + B / b) / 2`, clamped to the zone (Nash 1950).
    pub fn nash(&self) -> Option<f64> {
        self.clamped(0.5 * (self.buyer_reservation() + self.supplier_reservation()))
    }

    /// Nash price where the buyer's bargaining power is `power` and the supplier's `1 - power`: setting the derivative of
    /// `power ln(A - a p) + (1 - power) ln(b p - B)` to 0 gives `(1 - power) A / a + power B / b`, clamped to the zone.
    ///
    /// # Errors
    ///
    /// [`SolutionError::Power`] for a power outside [0, 1].
    pub fn weighted_nash(&self, power: f64) -> Result<Option<f64>, SolutionError> {
        if !(0.0..=1.0).contains(&power) {
            return Err(SolutionError::Power { power });
        }
        Ok(self.clamped((1.0 - power) * self.buyer_reservation() + power * self.supplier_reservation()))
    }

    /// Price at which both gains are the same share of the party's best gain within the zone (Kalai and Smorodinsky
    /// 1975): with best gains G and H, `(A H + B G) / (a H + b G)`.
    ///
    /// It is the Nash price where all prices are permitted, and departs from it where the permitted interval cuts one
    /// party's best gain.
    pub fn kalai_smorodinsky(&self) -> Option<f64> {
        let zone = self.zone()?;
        let [best_buyer, _] = self.gains(zone.low);
        let [_, best_supplier] = self.gains(zone.high);
        let slope = self.buyer_slope * best_supplier + self.supplier_slope * best_buyer;
        if slope > 0.0 {
            self.clamped((self.buyer_value * best_supplier + self.supplier_cost * best_buyer) / slope)
        } else {
            Some(zone.low)
        }
    }

    /// Price at which both gain the same amount, `(A + B) / (a + b)`, clamped to the zone (Kalai 1977).
    pub fn egalitarian(&self) -> Option<f64> {
        self.clamped((self.buyer_value + self.supplier_cost) / (self.buyer_slope + self.supplier_slope))
    }

    /// Prices that maximise the sum of gains: the zone's upper end where money is worth more to the supplier (b > a), its
    /// lower end where it is worth more to the buyer, the whole zone where it is worth the same to both.
    pub fn utilitarian(&self) -> Option<PriceRange> {
        let zone = self.zone()?;
        Some(match self.supplier_slope.total_cmp(&self.buyer_slope) {
            std::cmp::Ordering::Greater => PriceRange { low: zone.high, high: zone.high },
            std::cmp::Ordering::Less => PriceRange { low: zone.low, high: zone.low },
            std::cmp::Ordering::Equal => zone,
        })
    }

    fn clamped(&self, price: f64) -> Option<f64> {
        self.zone().map(|zone| price.clamp(zone.low, zone.high))
    }
}

fn finite(name: &'static str, value: f64) -> Result<(), PriceError> {
    if value.is_finite() { Ok(()) } else { Err(PriceError::NotFinite { name, value }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A rule's score of two gains.
    type Score<'a> = &'a dyn Fn([f64; 2]) -> f64;

    fn cents(amount: f64) -> i64 {
        (amount * 100.0).round() as i64
    }

    /// Status quo: $100,000 at 60 days. The alternative pays at 10 days, at fixed amounts a day.
    fn fixed_amounts() -> PriceBargain {
        PriceBargain::with_daily_amounts(100_000.0, 100_000.0, 50.0, 10.0, 60.0).unwrap()
    }

    /// The same with the rates that give the same amounts at $98,000.
    fn rates() -> PriceBargain {
        let per_year = |amount: f64| amount * 365.0 / (98_000.0 * 50.0);
        PriceBargain::with_rates(100_000.0, 100_000.0, 50.0, per_year(500.0), per_year(3_000.0)).unwrap()
    }

    #[test]
    fn with_fixed_amounts_the_joint_gain_of_2500_is_split_equally_at_98250() {
        let bargain = fixed_amounts();
        assert_eq!(bargain.gains(98_000.0), [1_500.0, 1_000.0]);
        for price in [bargain.nash(), bargain.kalai_smorodinsky(), bargain.egalitarian()] {
            assert_eq!(price, Some(98_250.0));
        }
        assert_eq!(bargain.gains(98_250.0), [1_250.0, 1_250.0]);
        assert_eq!(bargain.utilitarian(), bargain.zone());
        assert_eq!(bargain.zone(), Some(PriceRange { low: 97_000.0, high: 99_500.0 }));
    }

    #[test]
    fn with_the_matching_rates_the_nash_price_is_98261_04() {
        let bargain = rates();
        assert_eq!(bargain.gains(98_000.0).map(cents), [150_000, 100_000]);
        let nash = bargain.nash().unwrap();
        assert_eq!(cents(nash), 9_826_104);
        assert_eq!(bargain.gains(nash).map(cents), [123_762, 126_904]);
        let equal = bargain.gains(bargain.egalitarian().unwrap());
        assert_eq!(cents(equal[0]), cents(equal[1]));
        let zone = bargain.zone().unwrap();
        assert_eq!(bargain.utilitarian(), Some(PriceRange { low: zone.high, high: zone.high }));
    }

    #[test]
    fn bargaining_power_is_the_share_of_the_transferable_surplus() {
        let at = |power: f64| fixed_amounts().weighted_nash(power).unwrap();
        assert_eq!([0.0, 0.2, 0.5, 1.0].map(at), [99_500.0, 99_000.0, 98_250.0, 97_000.0].map(Some));
        assert!(fixed_amounts().weighted_nash(-0.1).is_err());
    }

    #[test]
    fn a_permitted_interval_clamps_nash_and_rescales_kalai_smorodinsky() {
        let bargain = fixed_amounts().permitting(0.0, 98_000.0).unwrap();
        assert_eq!((bargain.nash(), bargain.egalitarian()), (Some(98_000.0), Some(98_000.0)));
        // Best gains are now 2,500 and 1,000; both get 5/7 of theirs.
        let gains = bargain.gains(bargain.kalai_smorodinsky().unwrap());
        assert!((gains[0] / 2_500.0 - 5.0 / 7.0).abs() < 1e-12 && (gains[1] / 1_000.0 - 5.0 / 7.0).abs() < 1e-12);
    }

    #[test]
    fn where_no_permitted_price_is_rational_there_is_no_solution() {
        let none = [
            PriceBargain::new(90.0, 1.0, 100.0, 1.0).unwrap(),
            PriceBargain::new(100.0, 1.0, 90.0, 1.0).unwrap().permitting(101.0, 200.0).unwrap(),
        ];
        for bargain in none {
            assert_eq!(bargain.zone(), None);
            assert_eq!([bargain.nash(), bargain.kalai_smorodinsky(), bargain.egalitarian()], [None; 3]);
            assert_eq!(bargain.utilitarian(), None);
        }
    }

    #[test]
    fn a_single_price_is_every_rule_s_solution() {
        let bargain = PriceBargain::new(100.0, 1.0, 100.0, 1.0).unwrap();
        assert_eq!([bargain.nash(), bargain.kalai_smorodinsky(), bargain.egalitarian()], [Some(100.0); 3]);
    }

    #[test]
    fn an_impossible_bargain_is_refused_in_words() {
        let check = |result: Result<PriceBargain, PriceError>, text: &str| {
            assert_eq!(result.unwrap_err().to_string(), text);
        };
        check(PriceBargain::new(f64::NAN, 1.0, 0.0, 1.0), "the buyer's value is NaN: give a finite number");
        check(
            PriceBargain::with_rates(1.0, 1.0, -730.0, 0.5, 0.1),
            "the buyer's slope is 0: it must be above 0, so that a lower price suits the buyer and a higher the supplier",
        );
        check(fixed_amounts().permitting(2.0, 1.0), "the price floor 2 is above the ceiling 1");
    }

    proptest! {
        #[test]
        fn closed_forms_maximise_their_rule_over_a_fine_grid_of_prices(
            a in 0.5..1.5_f64, b in 0.5..1.5_f64, value in 80.0..160.0_f64, cost in 50.0..120.0_f64,
            floor in 40.0..120.0_f64, width in 0.0..100.0_f64, power in 0.05..0.95_f64,
        ) {
            let bargain = PriceBargain::new(value, a, cost, b).unwrap().permitting(floor, floor + width).unwrap();
            let Some(zone) = bargain.zone() else { return Ok(()) };
            let best = [bargain.gains(zone.low)[0], bargain.gains(zone.high)[1]];
            prop_assume!(best[0] > 1e-6 && best[1] > 1e-6);
            let log_product = |w: f64, g: [f64; 2]| w * libm::log(g[0].max(0.0)) + (1.0 - w) * libm::log(g[1].max(0.0));
            let rules: [(f64, Score<'_>); 5] = [
                (bargain.nash().unwrap(), &|g| log_product(0.5, g)),
                (bargain.weighted_nash(power).unwrap().unwrap(), &|g| log_product(power, g)),
                (bargain.kalai_smorodinsky().unwrap(), &|g| (g[0] / best[0]).min(g[1] / best[1])),
                (bargain.egalitarian().unwrap(), &|g| g[0].min(g[1])),
                (bargain.utilitarian().unwrap().low, &|g| g[0] + g[1]),
            ];
            for (rule, (price, score)) in rules.into_iter().enumerate() {
                prop_assert!(zone.low <= price && price <= zone.high);
                let chosen = score(bargain.gains(price));
                for step in 0..=1000 {
                    let other = zone.low + (zone.high - zone.low) * f64::from(step) / 1000.0;
                    prop_assert!(score(bargain.gains(other)) <= chosen + 1e-9, "rule {} at {}", rule, other);
                }
            }
        }
    }
}
