//! `bilateral-trade-v1`: one unit between a buyer and a supplier whose values are private, under the sealed-bid protocol.

use zopa_envs::ValueDraws;
use zopa_envs::theory::{BilateralTrade, DistributionError, ValueDistribution};

/// The arena's name.
pub const NAME: &str = "bilateral-trade-v1";

/// What it asks, in a line.
pub const QUESTION: &str =
    "How much of the gains from one trade survives when both values are private and prices are sealed?";

/// The weight of the bid in the price.
pub const K: f64 = 0.5;

/// The official seed.
pub const SEED: u64 = 2;

/// The official number of pairs drawn from each prior.
pub const PAIRS: u64 = 20_000;

/// A common prior with what theory says about it.
#[derive(Clone, Debug)]
pub struct TradePrior {
    /// Its name.
    pub name: &'static str,
    /// How values and costs are drawn, on [0, 1], buyer first.
    pub values: [ValueDistribution; 2],
}

impl TradePrior {
    /// The four priors: uniform, triangular, beta, and truncated normal.
    ///
    /// # Errors
    /// Never: the parameters are constants in range.
    pub fn all() -> Result<[Self; 4], DistributionError> {
        let uniform = ValueDistribution::uniform(0.0, 1.0)?;
        // Values lean upwards and costs downwards, as where the two know of each other that a deal is likely.
        let triangular =
            [ValueDistribution::triangular(0.0, 0.75, 1.0)?, ValueDistribution::triangular(0.0, 0.25, 1.0)?];
        let beta = [ValueDistribution::beta(2.0, 2.0, 0.0, 1.0)?, ValueDistribution::beta(2.0, 5.0, 0.0, 1.0)?];
        let normal = ValueDistribution::truncated_normal(0.5, 0.2, 0.0, 1.0)?;
        Ok([
            Self { name: "uniform", values: [uniform; 2] },
            Self { name: "triangular", values: triangular },
            Self { name: "beta", values: beta },
            Self { name: "truncated-normal", values: [normal; 2] },
        ])
    }

    /// Seeded pairs of a value and a cost.
    #[must_use]
    pub fn draws(&self, seed: u64) -> ValueDraws {
        ValueDraws::new(self.values, self.name, seed)
    }

    /// What theory says of it.
    #[must_use]
    pub fn theory(&self) -> BilateralTrade {
        let [buyer, seller] = self.values;
        BilateralTrade::new(buyer, seller)
    }
}
