//! A suite file as it is written. What it means is checked when a [`super::Suite`] is made of it.

use super::distilled::DistilledSpec;
use super::division::DivisionSpec;
use super::domain::DomainSpec;
use super::mandate_template::MandatesSpec;
use super::policy_template::{BehaviourTemplate, CourseTemplate};
use super::shift::ShiftSpec;
use super::tactic_template::TacticTemplate;
use super::voice_template::VoiceTemplate;
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use zopa_envs::relationship::{DeliveryRules, RegardRules};
use zopa_envs::{Caps, Distribution, IssueRole, PhaseBounds};

/// The whole file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteFile {
    /// The suite's name; ends with its version, `procurement-v1`.
    pub name: String,
    /// Its version. It is raised with every change of meaning once golden episodes have frozen it.
    pub version: u32,
    /// What the suite asks, in a line.
    pub question: String,
    /// The split that is played where none is named.
    pub default_split: String,
    /// Rounds at most; a round is one action by each side.
    pub rounds: u16,
    /// Who moves first in each round.
    pub opener: OpenerRule,
    /// Chance that the negotiation breaks off after a round, each round; in `[0, 1)`.
    pub hazard: f64,
    /// A gain at progress t counts `discount^t`; in `(0, 1]`.
    #[serde(default)]
    pub discount: Discounts,
    /// Whether the sides talk; without speech counterparts are silent.
    #[serde(default)]
    pub speech: bool,
    /// When phases end.
    #[serde(default)]
    pub phases: PhaseBounds,
    /// The guardrails: `"off"` or `{ caps = { .. } }`.
    pub guardrails: GuardrailRule,
    /// Agents that play where none is named.
    pub lineup: Vec<String>,
    /// The agent that others are compared with; one of the lineup.
    pub baseline: String,
    /// The agents whose gates set the exit code; all of the lineup.
    pub gated: Vec<String>,
    /// The gates.
    #[serde(default)]
    pub gates: Gates,
    /// What is negotiated for money; with it come a status quo and a prior.
    #[serde(default)]
    pub issues: Option<Vec<IssueSpec>>,
    /// What savings are measured from.
    #[serde(default)]
    pub status_quo: Option<StatusQuoSpec>,
    /// How private types are drawn.
    #[serde(default)]
    pub prior: Option<PriorSpec>,
    /// What makes an episode a series of contracts; a single negotiation where it is left out.
    #[serde(default)]
    pub relationship: Option<RelationshipSpec>,
    /// A pool of items to divide, in place of issues, status quo and prior.
    #[serde(default)]
    pub division: Option<DivisionSpec>,
    /// A domain whose preferences are written out, in place of issues, status quo and prior; `zopa import` makes it.
    #[serde(default)]
    pub domain: Option<DomainSpec>,
    /// The counterpart families.
    pub counterparts: Vec<FamilySpec>,
    /// The named sets of scenarios.
    pub splits: BTreeMap<String, SplitSpec>,
    /// How mandates are drawn; left out where every scenario has the default one.
    #[serde(default)]
    pub mandates: Option<MandatesSpec>,
    /// How scenarios are graded; left out where all are alike.
    #[serde(default)]
    pub difficulty: Option<DifficultySpec>,
    /// Which scenarios are played, where the suite is distilled from a run; all where it is left out.
    #[serde(default)]
    pub distilled: Option<DistilledSpec>,
}

/// How hard scenarios are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DifficultySpec {
    /// The difficulties between the fifths of the suite's scenarios, ascending, in `[0, 1]`; see
    /// [`zopa_envs::Difficulty`]. Measured once for the version.
    pub cutoffs: [f64; 4],
}

/// A series of successive contracts with one supplier.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RelationshipSpec {
    /// How many contracts, drawn with equal chances from `low` to `high`; both sides are told.
    pub contracts: ContractRange,
    /// How far disagreement values walk.
    pub drift: DriftSpec,
    /// How the supplier delivers.
    pub delivery: DeliveryRules,
    /// What each side thinks of the other, and what that does.
    pub regard: RegardRules,
}

/// Numbers of contracts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContractRange {
    /// The fewest, from 1.
    pub low: u16,
    /// The most, up to 10.
    pub high: u16,
}

/// The largest step of each side's disagreement value from one contract to the next, in shares of the status quo's price; a step
/// is uniform either way, and a value stays within its prior's support.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DriftSpec {
    /// The buyer's.
    pub buyer: f64,
    /// The supplier's.
    pub supplier: f64,
}

/// Who opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum OpenerRule {
    /// Either side, drawn by the scenario with equal chances.
    Drawn,
    /// Always the buyer.
    Buyer,
    /// Always the supplier.
    Supplier,
}

/// The discount factors of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Discounts {
    /// The buyer's.
    pub buyer: f64,
    /// The supplier's.
    pub supplier: f64,
}

impl Default for Discounts {
    fn default() -> Self {
        Self { buyer: 1.0, supplier: 1.0 }
    }
}

/// Whether guardrails bind agents.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GuardrailRule {
    /// They do not.
    Off,
    /// They do, with these caps.
    Caps(Caps),
}

/// Thresholds that gated agents must meet; what is left out is not asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Gates {
    /// Least share of feasible scenarios that end in agreement.
    pub feasible_agreement_rate: Option<f64>,
    /// Least share of episodes without a guardrail violation of the agent's own.
    pub constraint_satisfaction: Option<f64>,
    /// Largest share of episodes in which a loss-making offer or acceptance was attempted.
    pub loss_making_rate: Option<f64>,
    /// Whether the lower bound of surplus efficiency must lie above the baseline's value.
    pub surplus_efficiency_above_baseline: Option<bool>,
    /// Largest 95th percentile of decision latency in milliseconds, single job.
    pub decision_latency_p95_ms: Option<f64>,
}

/// One issue.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IssueSpec {
    /// Its name, unique in the suite.
    pub name: String,
    /// What it means.
    pub role: IssueRole,
    /// Unit of integers.
    #[serde(default)]
    pub unit: String,
    /// Its values.
    pub grid: GridSpec,
}

/// The values of an issue.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum GridSpec {
    /// Prices from `low` to `high` times the status quo's price, `ticks` of them to one status quo price. The status quo's
    /// price is a multiple of `ticks` cents, so a tick is whole cents and the count is the same in every scenario.
    Price {
        /// Lowest price as a share of the status quo's.
        low: f64,
        /// Highest price as a share of the status quo's.
        high: f64,
        /// Ticks in one status quo price.
        ticks: u32,
    },
    /// Integers `first + i * step`.
    Integers {
        /// Value 0.
        first: i64,
        /// Distance of neighbours, positive.
        step: i64,
        /// How many.
        count: u32,
    },
    /// Named values.
    Labels(Vec<String>),
}

/// The status quo.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatusQuoSpec {
    /// Its price in major units, rounded to the price grid's multiple.
    pub price: Distribution,
    /// For each other issue the values that its status quo is drawn from, with equal chances.
    pub terms: BTreeMap<String, Vec<TermSpec>>,
}

/// A value of an issue as written: an integer or a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermSpec {
    /// A value of an integer grid.
    Integer(i64),
    /// A value of a label grid.
    Label(String),
}

impl fmt::Display for TermSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => write!(f, "{number}"),
            Self::Label(label) => write!(f, "\"{label}\""),
        }
    }
}

impl<'de> Deserialize<'de> for TermSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TermVisitor;
        impl Visitor<'_> for TermVisitor {
            type Value = TermSpec;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an integer or a label in quotes")
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<TermSpec, E> {
                Ok(TermSpec::Integer(value))
            }
            fn visit_str<E: de::Error>(self, value: &str) -> Result<TermSpec, E> {
                Ok(TermSpec::Label(value.to_owned()))
            }
        }
        deserializer.deserialize_any(TermVisitor)
    }
}

/// Both sides' priors.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriorSpec {
    /// The buyer's.
    pub buyer: PartyPriorSpec,
    /// The supplier's.
    pub supplier: PartyPriorSpec,
}

/// How one side's type is drawn.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartyPriorSpec {
    /// What the side has if this negotiation fails, measured from the status quo in shares of the status quo's price.
    pub disagreement: Distribution,
    /// What the issues besides the price are worth to it.
    #[serde(default)]
    pub values: Vec<ValuationSpec>,
}

/// What one issue is worth to one side.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValuationSpec {
    /// The issue's name.
    pub issue: String,
    /// The form of the valuation.
    pub by: ValuationForm,
    /// The weight's distribution, in the form's unit.
    pub weight: Distribution,
}

/// How a weight becomes an amount of money.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ValuationForm {
    /// The weight is a yearly financing rate, a fraction: paying k years before the status quo's days costs the buyer
    /// `weight * price * k` and is worth as much to the supplier.
    FinancingRate,
    /// The weight is a share of the status quo's price a day, whatever price is agreed: a later day is worth it to the
    /// buyer and costs it the supplier.
    FixedAmountADay,
    /// Value `i` is worth `weight * shape[i]` times the status quo's price. Only differences from the status quo count.
    Shape(Vec<f64>),
}

/// One counterpart family.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FamilySpec {
    /// Its name, unique in the suite.
    pub name: String,
    /// Whether training splits meet it.
    pub role: FamilyRole,
    /// Its share of its role's mix; the shares of a role add up to 1.
    pub share: f64,
    /// What it does. `{parameter}` is replaced by the parameter's distribution, so that words and numbers agree.
    pub description: String,
    /// Rounds after which it leaves, known to it alone; drawn and rounded to whole rounds.
    #[serde(default)]
    pub deadline: Option<Distribution>,
    /// The tactic that it plays, with the distributions of its parameters; either this or a course.
    #[serde(default)]
    pub tactic: Option<TacticTemplate>,
    /// The course of its concessions, which its behaviour steers.
    #[serde(default)]
    pub course: Option<CourseTemplate>,
    /// What steers its course; `"steady"` where nothing does.
    #[serde(default)]
    pub behaviour: Option<BehaviourTemplate>,
    /// What it says beside its terms where the suite is spoken.
    #[serde(default)]
    pub voice: VoiceTemplate,
}

/// Where a family may occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FamilyRole {
    /// In training and in every evaluation that says so.
    Training,
    /// Never in a training split.
    HeldOut,
}

impl fmt::Display for FamilyRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Training => "training",
            Self::HeldOut => "held_out",
        })
    }
}

/// One named set of scenarios.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SplitSpec {
    /// What it is for, in a line.
    pub purpose: String,
    /// Its official seed, below 2^53.
    pub seed: u64,
    /// Its official number of episodes, even: both seats of each scenario.
    pub episodes: u64,
    /// The role of the families that are met in it.
    pub counterparts: FamilyRole,
    /// What is drawn otherwise than published, where something is.
    #[serde(default)]
    pub drawn: Option<ShiftSpec>,
    /// The split that draws as published, for a shifted one: scenario i of both comes from the same random numbers, so that
    /// results differ by the shift alone.
    #[serde(default)]
    pub reference: Option<String>,
}
