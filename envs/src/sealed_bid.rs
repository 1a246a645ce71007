//! The sealed-bid protocol: both sides submit one price unseen, and the prices alone decide.
//!
//! With one unit to trade and the bid's weight k in the price this is the k-double auction (Chatterjee and Samuelson 1983):
//! where the bid is at least the ask they trade at `k bid + (1 - k) ask`. It is simultaneous: nobody sees the other's price
//! before both are in, in whichever order they came.

use crate::party::Seat;
use crate::random::{Stream, StreamKey};
use crate::theory::ValueDistribution;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a price is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum SealedBidError {
    /// The bid's weight is out of range.
    #[error("the bid's weight k in the price is {0}: give a number from 0 to 1")]
    Weight(f64),
    /// The price is no number.
    #[error("the {seat}'s price is {price}: give a finite number")]
    NotFinite {
        /// Whose.
        seat: Seat,
        /// What was given.
        price: f64,
    },
    /// This side's price is in already.
    #[error("the {0} has submitted its price: each side submits once")]
    Twice(Seat),
}

/// What a side sees before both prices are in: nothing of the other's value or price.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BidView<'a> {
    /// Own seat.
    pub seat: Seat,
    /// What the unit is worth to the buyer, or costs the supplier.
    pub value: f64,
    /// The common prior of values and costs, buyer first.
    pub prior: &'a [ValueDistribution; 2],
    /// The bid's weight in the price.
    pub k: f64,
}

/// What came of both prices.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SealedOutcome {
    /// They trade.
    Trade {
        /// At this price.
        price: f64,
    },
    /// The bid is below the ask.
    NoTrade,
}

/// One sealed-bid negotiation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SealedBid {
    k: f64,
    prices: [Option<f64>; 2],
}

impl SealedBid {
    /// Starts one; `k` in [0, 1] is the bid's weight in the price.
    ///
    /// # Errors
    /// `k` out of range.
    pub fn new(k: f64) -> Result<Self, SealedBidError> {
        if (0.0..=1.0).contains(&k) { Ok(Self { k, prices: [None; 2] }) } else { Err(SealedBidError::Weight(k)) }
    }

    /// Takes a side's price.
    ///
    /// # Errors
    /// A price that is no finite number, or the side's second; nothing has changed then.
    pub fn submit(&mut self, seat: Seat, price: f64) -> Result<(), SealedBidError> {
        if !price.is_finite() {
            return Err(SealedBidError::NotFinite { seat, price });
        }
        match &mut self.prices[seat.index()] {
            Some(_) => Err(SealedBidError::Twice(seat)),
            place => {
                *place = Some(price);
                Ok(())
            }
        }
    }

    /// The prices, buyer first; `None` until both are in.
    #[must_use]
    pub fn prices(&self) -> Option<[f64; 2]> {
        Some([self.prices[0]?, self.prices[1]?])
    }

    /// What came of it; `None` until both prices are in.
    #[must_use]
    pub fn outcome(&self) -> Option<SealedOutcome> {
        let [bid, ask] = self.prices()?;
        Some(if bid >= ask {
            SealedOutcome::Trade { price: self.k * bid + (1.0 - self.k) * ask }
        } else {
            SealedOutcome::NoTrade
        })
    }

    /// Gains of a buyer with value `value` and a supplier with cost `cost`, which add up to `value - cost` where they trade, and
    /// are 0 otherwise; `None` until both prices are in.
    #[must_use]
    pub fn gains(&self, value: f64, cost: f64) -> Option<[f64; 2]> {
        Some(match self.outcome()? {
            SealedOutcome::Trade { price } => [value - price, price - cost],
            SealedOutcome::NoTrade => [0.0; 2],
        })
    }
}

/// Seeded pairs of a value and a cost from a common prior: pair `index` needs none before it.
#[derive(Clone, Debug)]
pub struct ValueDraws {
    prior: [ValueDistribution; 2],
    key: StreamKey,
}

impl ValueDraws {
    /// Draws from `prior` that `name` and `seed` fix.
    #[must_use]
    pub fn new(prior: [ValueDistribution; 2], name: &str, seed: u64) -> Self {
        Self { prior, key: StreamKey::new("bilateral trade", &[name.as_bytes(), &seed.to_le_bytes()]) }
    }

    /// The common prior, buyer first.
    #[must_use]
    pub fn prior(&self) -> &[ValueDistribution; 2] {
        &self.prior
    }

    /// Value and cost of pair `index`, each by inversion of a uniform, the value first.
    #[must_use]
    pub fn pair(&self, index: u64) -> [f64; 2] {
        let mut stream: Stream = self.key.stream(index);
        self.prior.map(|values| values.quantile(stream.open_uniform()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_is_known_until_both_prices_are_in_and_the_order_does_not_matter() {
        let mut first = SealedBid::new(0.5).unwrap();
        let mut second = first;
        first.submit(Seat::Buyer, 0.8).unwrap();
        assert_eq!((first.prices(), first.outcome(), first.gains(1.0, 0.0)), (None, None, None));
        first.submit(Seat::Supplier, 0.4).unwrap();
        second.submit(Seat::Supplier, 0.4).unwrap();
        second.submit(Seat::Buyer, 0.8).unwrap();
        assert_eq!(first, second);
        let Some(SealedOutcome::Trade { price }) = first.outcome() else { panic!("the bid is above the ask") };
        assert!((price - 0.6).abs() < 1e-15);
    }

    #[test]
    fn a_price_is_submitted_once_and_is_a_number() {
        let mut auction = SealedBid::new(0.5).unwrap();
        let error = auction.submit(Seat::Buyer, f64::NAN).unwrap_err();
        assert_eq!(error.to_string(), "the buyer's price is NaN: give a finite number");
        auction.submit(Seat::Buyer, 0.3).unwrap();
        assert_eq!(auction.submit(Seat::Buyer, 0.9), Err(SealedBidError::Twice(Seat::Buyer)));
        auction.submit(Seat::Supplier, 0.4).unwrap();
        assert_eq!(auction.outcome(), Some(SealedOutcome::NoTrade));
        assert!(SealedBid::new(1.5).is_err() && SealedBid::new(f64::NAN).is_err());
    }

    proptest! {
        #[test]
        fn gains_add_up_to_value_less_cost_or_nothing(
            k in 0.0..=1.0_f64, bid in 0.0..1.0_f64, ask in 0.0..1.0_f64, value in 0.0..1.0_f64, cost in 0.0..1.0_f64
        ) {
            let mut auction = SealedBid::new(k).unwrap();
            auction.submit(Seat::Buyer, bid).unwrap();
            auction.submit(Seat::Supplier, ask).unwrap();
            let [buyer, supplier] = auction.gains(value, cost).unwrap();
            let joint = if bid >= ask { value - cost } else { 0.0 };
            prop_assert!((buyer + supplier - joint).abs() < 1e-12);
            if let Some(SealedOutcome::Trade { price }) = auction.outcome() {
                prop_assert!((ask - 1e-15..=bid + 1e-15).contains(&price));
            }
        }
    }
}
