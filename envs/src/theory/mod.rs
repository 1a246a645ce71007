//! Reference points from bargaining theory, computed instead of quoted.
//!
//! They are reference lines beside a score, never a ceiling: an agent that plays no equilibrium can pass the second best.
//!
//! - [`ValueDistribution`]: how private values are drawn.
//! - [`BilateralTrade`]: first-best and second-best gains from trade with private values.
//! - [`LinearEquilibrium`]: the linear equilibrium of the sealed-bid double auction.
//! - [`AlternatingOffers`]: how patience divides a pie.

mod alternating_offers;
mod bilateral_trade;
mod distribution;
mod distribution_error;
mod double_auction;
mod incomplete_beta;
mod normal;
mod quadrature;
mod virtual_value;

pub use alternating_offers::{AlternatingOffers, DiscountError};
pub use bilateral_trade::{BilateralTrade, ExpectedTrade, SecondBest};
pub use distribution::ValueDistribution;
pub use distribution_error::DistributionError;
pub use double_auction::{AuctionError, LinearEquilibrium};
pub use incomplete_beta::regularized_incomplete_beta;
