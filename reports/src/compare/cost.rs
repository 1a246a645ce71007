//! What an arm costs, from a file of prices.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::arm::{Arm, ArmKind};
use super::case::Case;

/// Stands for every agent that a table of prices does not name.
const ANY: &str = "*";

/// A file of prices that makes no sense, or lacks one.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CostError {
    /// A price below zero, or no number.
    #[error("{field} is {value}: give an amount of zero or more")]
    Amount {
        /// The price's place in the file.
        field: String,
        /// What stands there.
        value: f64,
    },
    /// Nothing to spread over.
    #[error("integration.episodes is 0: give the number of negotiations that an integration serves")]
    NoEpisodes,
}

/// Prices, all in one currency.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// The currency's sign or code, as tables show it.
    pub currency: String,
    /// What tokens cost, by agent; `"*"` for all that are not named.
    #[serde(default)]
    pub inference: BTreeMap<String, TokenPrices>,
    /// What it takes once to put an agent to work.
    #[serde(default)]
    pub integration: Integration,
    /// What people's time costs.
    #[serde(default)]
    pub supervision: Supervision,
    /// What exceptions cost to clear up.
    #[serde(default)]
    pub exceptions: Exceptions,
}

/// Prices of a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TokenPrices {
    /// Of a million tokens of prompts.
    pub input_per_million: f64,
    /// Of a million tokens of replies.
    pub output_per_million: f64,
}

/// One-time costs, spread over the negotiations that they serve.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Integration {
    /// Negotiations that an integration serves, at least 1.
    pub episodes: u64,
    /// The cost, by agent; `"*"` for all that are not named, nothing where that is missing too.
    pub agents: BTreeMap<String, f64>,
}

impl Default for Integration {
    fn default() -> Self {
        Self { episodes: 1, agents: BTreeMap::new() }
    }
}

/// People's time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Supervision {
    /// An hour of a person who supervises or decides.
    pub per_hour: f64,
    /// Minutes of each question answered and each intervention.
    pub minutes_per_case: f64,
    /// Minutes of a person for each negotiation that a person conducts.
    pub minutes_per_human_episode: f64,
}

/// Each exception's price.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Exceptions {
    /// A negotiation with a violation of guardrails, mandate, speech or commitments.
    pub violation: f64,
    /// An invalid reply.
    pub forfeit: f64,
    /// A negotiation that infrastructure failed.
    pub infra_error: f64,
    /// A negotiation without a deal, which somebody has to take up again.
    pub no_deal: f64,
}

/// What an arm's mean episode costs, by cause.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Charge {
    /// Tokens; 0 for arms without a language model, `None` where the run does not say how many.
    pub inference: Option<f64>,
    /// The share of the integration.
    pub integration: f64,
    /// People's time.
    pub supervision: f64,
    /// Exceptions.
    pub exceptions: f64,
}

impl Prices {
    /// Tests every price.
    ///
    /// # Errors
    /// Where one is negative or no number, or integrations serve nothing.
    pub fn check(&self) -> Result<(), CostError> {
        let mut amounts = vec![
            ("supervision.per_hour".to_owned(), self.supervision.per_hour),
            ("supervision.minutes_per_case".to_owned(), self.supervision.minutes_per_case),
            ("supervision.minutes_per_human_episode".to_owned(), self.supervision.minutes_per_human_episode),
            ("exceptions.violation".to_owned(), self.exceptions.violation),
            ("exceptions.forfeit".to_owned(), self.exceptions.forfeit),
            ("exceptions.infra_error".to_owned(), self.exceptions.infra_error),
            ("exceptions.no_deal".to_owned(), self.exceptions.no_deal),
        ];
        for (agent, prices) in &self.inference {
            amounts.push((format!("inference.{agent}.input_per_million"), prices.input_per_million));
            amounts.push((format!("inference.{agent}.output_per_million"), prices.output_per_million));
        }
        amounts
            .extend(self.integration.agents.iter().map(|(agent, cost)| (format!("integration.agents.{agent}"), *cost)));
        match amounts.into_iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0)) {
            Some((field, value)) => Err(CostError::Amount { field, value }),
            None if self.integration.episodes == 0 => Err(CostError::NoEpisodes),
            None => Ok(()),
        }
    }

    /// What every episode of an arm costs alike: tokens, integration, and the share of infrastructure failures.
    pub(super) fn standing_charge(&self, arm: &Arm) -> Charge {
        let of = |table: &BTreeMap<String, f64>| table.get(&arm.entry.id).or_else(|| table.get(ANY)).copied();
        let episodes = arm.cases.len() as f64;
        let has_model = matches!(arm.kind, ArmKind::PromptedModel | ArmKind::Dialogue);
        let price = self.inference.get(&arm.entry.id).or_else(|| self.inference.get(ANY));
        let inference = match (arm.tokens, price) {
            (Some(tokens), Some(price)) => {
                let cost =
                    tokens.input as f64 * price.input_per_million + tokens.output as f64 * price.output_per_million;
                Some(cost / 1e6 / episodes)
            }
            _ if has_model => None,
            _ => Some(0.0),
        };
        Charge {
            inference,
            integration: of(&self.integration.agents).unwrap_or(0.0) / self.integration.episodes as f64,
            supervision: if arm.kind == ArmKind::Human {
                self.supervision.minutes_per_human_episode / 60.0 * self.supervision.per_hour
            } else {
                0.0
            },
            exceptions: self.exceptions.infra_error * arm.infra_errors() as f64 / episodes,
        }
    }

    /// What one episode costs beside the standing charge: people's time and exceptions.
    pub(super) fn of_case(&self, case: &Case) -> [f64; 2] {
        let minutes = f64::from(case.workload) * self.supervision.minutes_per_case;
        let counted = |flag: bool, price: f64| if flag { price } else { 0.0 };
        let exceptions = counted(case.violates(), self.exceptions.violation)
            + counted(!case.agreement, self.exceptions.no_deal)
            + f64::from(case.forfeits) * self.exceptions.forfeit;
        [minutes / 60.0 * self.supervision.per_hour, exceptions]
    }
}
