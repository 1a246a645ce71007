//! Agents of the sealed-bid protocol: a value in, a price out.

use std::fmt;
use thiserror::Error;
use zopa_envs::theory::LinearEquilibrium;
use zopa_envs::{BidView, Seat};

/// How much [`Bidder::Shading`] hides of what it could gain at most.
pub const SHADING: f64 = 0.2;

/// Who submits a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bidder {
    /// Its value or cost: no equilibrium, since the price depends on its own bid.
    Truthful,
    /// The linear equilibrium of the double auction over the hull of both supports (Chatterjee and Samuelson 1983). It is an
    /// equilibrium where both values are uniform there, and elsewhere a rule of thumb.
    LinearEquilibrium,
    /// Its value less [`SHADING`] of its distance to the lowest possible cost, or its cost plus as much of the distance to the
    /// highest possible value; the value or cost itself where nobody could be met.
    Shading,
}

/// Nobody bids under this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown bidder \"{0}\": there are truthful, linear-equilibrium, shading")]
pub struct UnknownBidder(String);

impl Bidder {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Truthful, Self::LinearEquilibrium, Self::Shading];

    /// Its name on the command line and in tables.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Truthful => "truthful",
            Self::LinearEquilibrium => "linear-equilibrium",
            Self::Shading => "shading",
        }
    }

    /// The bidder of a name.
    ///
    /// # Errors
    /// Where there is none.
    pub fn find(id: &str) -> Result<Self, UnknownBidder> {
        Self::ALL.into_iter().find(|bidder| bidder.id() == id).ok_or_else(|| UnknownBidder(id.to_owned()))
    }

    /// The price that it submits.
    #[must_use]
    pub fn price(self, view: &BidView<'_>) -> f64 {
        let [buyers, suppliers] = view.prior;
        let value = view.value;
        match self {
            Self::Truthful => value,
            Self::LinearEquilibrium => {
                let (low, high) = (buyers.low().min(suppliers.low()), buyers.high().max(suppliers.high()));
                match LinearEquilibrium::new(view.k, low, high) {
                    Ok(equilibrium) if view.seat == Seat::Buyer => equilibrium.bid(value),
                    Ok(equilibrium) => equilibrium.ask(value),
                    // A prior of a single point leaves nothing to hide.
                    Err(_) => value,
                }
            }
            Self::Shading => match view.seat {
                Seat::Buyer => value - SHADING * (value - suppliers.low()).max(0.0),
                Seat::Supplier => value + SHADING * (buyers.high() - value).max(0.0),
            },
        }
    }
}

impl fmt::Display for Bidder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zopa_envs::theory::ValueDistribution;

    #[test]
    fn each_bidder_keeps_to_its_line() {
        let uniform = ValueDistribution::uniform(0.0, 1.0).unwrap();
        let check = |bidder: Bidder, value: f64, prices: [f64; 2]| {
            for (seat, expected) in Seat::BOTH.into_iter().zip(prices) {
                let price = bidder.price(&BidView { seat, value, prior: &[uniform; 2], k: 0.5 });
                assert!((price - expected).abs() < 1e-12, "{bidder} at {seat}: {price}, not {expected}");
            }
        };
        check(Bidder::Truthful, 0.6, [0.6, 0.6]);
        check(Bidder::LinearEquilibrium, 0.6, [0.4 + 1.0 / 12.0, 0.65]);
        check(Bidder::Shading, 0.6, [0.48, 0.68]);
        assert_eq!(Bidder::find("shading"), Ok(Bidder::Shading));
        assert!(Bidder::find("shady").is_err());
    }
}
