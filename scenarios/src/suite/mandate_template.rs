//! Mandates that are drawn with each scenario, as a suite file states them.
//!
//! Money is stated in shares of the status quo's price; gains are measured against no deal.

use super::file::TermSpec;
use serde::Deserialize;
use zopa_envs::Distribution;
use zopa_envs::mandate::{Disclosures, Promises, StopResponse};

/// Both principals' mandates.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MandatesSpec {
    /// The buyer's.
    pub buyer: MandateSpec,
    /// The supplier's.
    pub supplier: MandateSpec,
}

/// How one side's mandate is drawn; what is left out is as in [`zopa_envs::Mandate`]'s default. Draws are made in the order
/// of the fields: a uniform for each chance, and where the part holds, one for each of its distributions.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MandateSpec {
    /// Least own gain, 0 where it is left out.
    pub least_gain: Option<Distribution>,
    /// Highest price to pay or lowest to take.
    pub price_limit: Option<PriceLimitSpec>,
    /// Permitted values of issues.
    pub permitted: Vec<PermittedSpec>,
    /// Promises that may be made: one of these, with equal chances.
    pub promises: Vec<Promises>,
    /// Own private facts that may be told: one of these, with equal chances.
    pub disclosures: Vec<Disclosures>,
    /// What a person has to approve.
    pub approval: Vec<ApprovalSpec>,
    /// When to leave or to ask.
    pub stop: Vec<StopSpec>,
    /// How the person answers who is asked.
    pub approver: ApproverSpec,
    /// What the person says unasked.
    pub interventions: Vec<InterventionSpec>,
}

/// A price limit that holds in some scenarios.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceLimitSpec {
    /// Chance that there is one.
    pub chance: f64,
    /// The limit as a share of the status quo's price, rounded to cents.
    pub share: Distribution,
}

/// A restriction to some values of an issue that holds in some scenarios.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PermittedSpec {
    /// Chance that it holds.
    pub chance: f64,
    /// The issue's name.
    pub issue: String,
    /// The values that are left.
    pub values: Vec<TermSpec>,
}

/// An approval rule that holds in some scenarios.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApprovalSpec {
    /// Chance that it holds.
    pub chance: f64,
    /// The rule.
    pub rule: ApprovalRuleSpec,
}

/// What a person has to approve.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ApprovalRuleSpec {
    /// A price beyond this share of the status quo's.
    PriceBeyond(Distribution),
    /// More units than these.
    QuantityAbove(i64),
    /// A value that is not among these.
    ValuesBeside {
        /// The issue's name.
        issue: String,
        /// The values that need no approval.
        values: Vec<TermSpec>,
    },
    /// An own gain below this share of the status quo's price.
    GainBelow(Distribution),
}

/// A stop rule that holds in some scenarios.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopSpec {
    /// Chance that it holds.
    pub chance: f64,
    /// From this round on, rounded.
    pub from_round: Distribution,
    /// While the other side's latest offer gains less than this share of the status quo's price.
    pub gain_below: Distribution,
    /// Only where that offer was declared best and final.
    #[serde(default)]
    pub only_final: bool,
    /// What then.
    pub response: StopResponse,
}

/// How a principal answers when it is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ApproverSpec {
    /// It denies everything.
    #[default]
    Denies,
    /// It approves everything.
    Approves,
    /// It approves what gains at least this share of the status quo's price.
    ByGain(Distribution),
    /// It approves with this probability, drawn once a round and kind of request.
    ByChance(Distribution),
}

/// Something that a principal says unasked, in some scenarios.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterventionSpec {
    /// Chance that it is said.
    pub chance: f64,
    /// In which round, rounded.
    pub round: Distribution,
    /// Whether the own offer on the table is to be withdrawn.
    #[serde(default)]
    pub withdraw: bool,
    /// Least own gain from then on.
    #[serde(default)]
    pub least_gain: Option<Distribution>,
    /// Price limit from then on.
    #[serde(default)]
    pub price_limit: Option<Distribution>,
    /// The values of an issue that are left from then on.
    #[serde(default)]
    pub permitted: Option<PermittedValuesSpec>,
    /// Promises that may still be made.
    #[serde(default)]
    pub promises: Option<Promises>,
    /// What it says; `{price_limit}` is replaced by the limit in money, `{least_gain}` by the gain.
    pub words: String,
}

/// Values of an issue.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PermittedValuesSpec {
    /// The issue's name.
    pub issue: String,
    /// The values that are left.
    pub values: Vec<TermSpec>,
}
