//! The common prior: how private types are drawn. Published to every contender.

use crate::issue::IssueRole;
use crate::outcome::{Offer, OutcomeSpace};
use crate::party::{PartyType, Seat};
use crate::random::Stream;
use crate::utility::RateFinancing;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::fmt;
use std::sync::Arc;

/// A distribution of one number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Distribution {
    /// Always the same number.
    Constant(f64),
    /// Uniform on `[low, high)`.
    Uniform {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// Uniform in the logarithm; both ends positive.
    LogUniform {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// Triangular with its peak at `mode`.
    Triangular {
        /// Lower end.
        low: f64,
        /// Peak.
        mode: f64,
        /// Upper end.
        high: f64,
    },
}

impl Distribution {
    /// One draw, by inversion: exactly one uniform, none for a constant.
    #[inline]
    pub fn draw(&self, stream: &mut Stream) -> f64 {
        match *self {
            Self::Constant(value) => value,
            // Nearly all parameters are drawn so.
            Self::Uniform { low, high } => low + (high - low) * stream.uniform(),
            _ => self.quantile(stream.uniform()),
        }
    }

    /// The value below which a share `p` in `[0, 1]` of draws lies.
    #[must_use]
    pub fn quantile(&self, p: f64) -> f64 {
        match *self {
            Self::Constant(value) => value,
            Self::Uniform { low, high } => low + (high - low) * p,
            Self::LogUniform { low, high } => low * libm::exp(p * libm::log(high / low)),
            Self::Triangular { low, mode, high } => {
                let width = high - low;
                if width <= 0.0 {
                    low
                } else if p < (mode - low) / width {
                    low + libm::sqrt(p * width * (mode - low))
                } else {
                    high - libm::sqrt((1.0 - p) * width * (high - mode))
                }
            }
        }
    }

    /// Expected value.
    #[must_use]
    pub fn mean(&self) -> f64 {
        match *self {
            Self::Constant(value) => value,
            Self::Uniform { low, high } => f64::midpoint(low, high),
            Self::LogUniform { low, high } if high > low => (high - low) / libm::log(high / low),
            Self::LogUniform { low, .. } => low,
            Self::Triangular { low, mode, high } => (low + mode + high) / 3.0,
        }
    }

    /// Lowest and highest possible value.
    #[must_use]
    pub fn support(&self) -> (f64, f64) {
        match *self {
            Self::Constant(value) => (value, value),
            Self::Uniform { low, high } | Self::LogUniform { low, high } | Self::Triangular { low, high, .. } => {
                (low, high)
            }
        }
    }

    /// Why this is no distribution, in words for the suite's author; `None` where it is one.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        let (low, high) = self.support();
        if !low.is_finite() || !high.is_finite() {
            return Some("its numbers must be finite");
        }
        match *self {
            _ if low > high => Some("low must not exceed high"),
            Self::LogUniform { low, .. } if low <= 0.0 => Some("a log-uniform needs low > 0"),
            Self::Triangular { low, mode, high } if !(low..=high).contains(&mode) => {
                Some("mode must lie between low and high")
            }
            _ => None,
        }
    }
}

/// A distribution made ready to be drawn from: the same draws as [`Distribution::draw`], faster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    distribution: Distribution,
    /// Logarithm of high over low, where the distribution asks for it.
    log_range: f64,
}

impl From<Distribution> for Sampler {
    fn from(distribution: Distribution) -> Self {
        let log_range = match distribution {
            Distribution::LogUniform { low, high } => libm::log(high / low),
            _ => 0.0,
        };
        Self { distribution, log_range }
    }
}

impl Sampler {
    /// One draw, by inversion: exactly one uniform, none for a constant.
    #[inline]
    pub fn draw(&self, stream: &mut Stream) -> f64 {
        match self.distribution {
            Distribution::LogUniform { low, .. } => low * libm::exp(stream.uniform() * self.log_range),
            _ => self.distribution.draw(stream),
        }
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => write!(f, "always {value}"),
            Self::Uniform { low, high } => write!(f, "uniform from {low} to {high}"),
            Self::LogUniform { low, high } => write!(f, "log-uniform from {low} to {high}"),
            Self::Triangular { low, mode, high } => write!(f, "triangular from {low} to {high}, most often {mode}"),
        }
    }
}

/// How a party values one issue other than price.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Valuation {
    /// Value `i` is worth `weight * scale * shape[i]`, where the scale is the status quo's price and the shape is public.
    /// A fixed amount a day is such a shape too.
    Shape(Arc<[f64]>),
    /// The weight is a yearly financing rate on the price, for payment before or after the status quo's days.
    FinancingRate,
}

/// How the weight of one issue is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValuationPrior {
    /// The issue's position in the space.
    pub issue: usize,
    /// What the weight multiplies.
    pub valuation: Valuation,
    /// The weight's distribution.
    pub weight: Distribution,
}

/// How one party's type is drawn, each parameter independent of the others and of the other party.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartyPrior {
    /// The disagreement value as a share of the status quo's price, measured from the status quo: +0.05 is a fallback that
    /// is 5 % of the price better than the status quo.
    pub disagreement: Distribution,
    /// One entry an issue that the party values besides the price.
    pub valuations: Vec<ValuationPrior>,
}

impl PartyPrior {
    /// Names of the parameters in their order: `disagreement`, then the issues' names.
    #[must_use]
    pub fn parameter_names(&self, space: &OutcomeSpace) -> Vec<String> {
        std::iter::once("disagreement".to_owned())
            .chain(self.valuations.iter().map(|valuation| space.issues()[valuation.issue].name.to_string()))
            .collect()
    }

    /// The parameters' distributions in their order.
    pub fn distributions(&self) -> impl Iterator<Item = &Distribution> {
        std::iter::once(&self.disagreement).chain(self.valuations.iter().map(|valuation| &valuation.weight))
    }

    /// Draws the parameters in their order.
    pub fn draw(&self, stream: &mut Stream) -> SmallVec<[f64; 8]> {
        let mut parameters = SmallVec::new();
        for distribution in self.distributions() {
            parameters.push(distribution.draw(stream));
        }
        parameters
    }

    /// The type that `parameters` (in the prior's order) describe, for who sits at `seat`; written over `party`.
    ///
    /// Utility is measured in major units of money from the status quo, which is worth 0.
    pub fn describe(
        &self,
        parameters: &[f64],
        seat: Seat,
        space: &OutcomeSpace,
        status_quo: &Offer,
        party: &mut PartyType,
    ) {
        party.parameters.clear();
        party.parameters.extend_from_slice(parameters);
        self.describe_drawn(seat, space, status_quo, party);
    }

    /// As [`Self::describe`], where `party` has its parameters already.
    pub fn describe_drawn(&self, seat: Seat, space: &OutcomeSpace, status_quo: &Offer, party: &mut PartyType) {
        let PartyType { utility, parameters, .. } = party;
        let (share, weights) = (parameters[0], &parameters[1..]);
        utility.reset(space);
        let price = space.role(IssueRole::Price);
        let scale = price.and_then(|price| space.issues()[price].number(status_quo.get(price))).unwrap_or(1.0);
        let mut financing = None;
        for (prior, &weight) in self.valuations.iter().zip(weights) {
            match &prior.valuation {
                Valuation::Shape(shape) => {
                    for (entry, share) in utility.table_mut(prior.issue).iter_mut().zip(shape.iter()) {
                        *entry = weight * scale * share;
                    }
                }
                Valuation::FinancingRate => {
                    let issue = &space.issues()[prior.issue];
                    let reference_days = issue.number(status_quo.get(prior.issue)).unwrap_or(0.0);
                    financing = Some(RateFinancing { payment: prior.issue, per_year: weight, reference_days });
                }
            }
        }
        if let Some(price) = price {
            utility.set_price(space, price, seat == Seat::Supplier, financing);
        }
        utility.add_constant(-utility.of(status_quo));
        utility.settle(space);
        party.disagreement = share * scale;
        party.order = None;
        party.measure_money(status_quo);
    }
}

/// What is commonly known of how types are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommonPrior {
    /// Nothing: imported domains publish their outcomes only.
    Unknown,
    /// The published distributions, buyer first.
    Parties(Arc<[PartyPrior; 2]>),
}

#[cfg(test)]
mod tests {
    use super::Distribution;
    use crate::random::StreamKey;

    #[test]
    fn draws_have_the_stated_mean_and_stay_in_the_support() {
        let mut stream = StreamKey::new("test", &[b"distribution"]).stream(0);
        let mut check = |distribution: Distribution| {
            let n = 20_000;
            let draws: Vec<f64> = (0..n).map(|_| distribution.draw(&mut stream)).collect();
            let mean = draws.iter().sum::<f64>() / f64::from(n);
            let (low, high) = distribution.support();
            assert!((mean - distribution.mean()).abs() < 0.02 * (high - low).max(1e-9), "{distribution}: {mean}");
            assert!(draws.iter().all(|draw| (low..=high).contains(draw)));
            assert_eq!(distribution.fault(), None);
        };
        check(Distribution::Constant(3.0));
        check(Distribution::Uniform { low: -1.0, high: 2.0 });
        check(Distribution::LogUniform { low: 0.1, high: 10.0 });
        check(Distribution::Triangular { low: 0.0, mode: 0.2, high: 1.0 });
        check(Distribution::Triangular { low: 0.0, mode: 0.0, high: 1.0 });
    }

    #[test]
    fn what_is_no_distribution_is_named() {
        assert!(Distribution::Uniform { low: 1.0, high: 0.0 }.fault().is_some());
        assert!(Distribution::LogUniform { low: 0.0, high: 1.0 }.fault().is_some());
        assert!(Distribution::Constant(f64::NAN).fault().is_some());
        assert!(Distribution::Triangular { low: 0.0, mode: 2.0, high: 1.0 }.fault().is_some());
    }
}
