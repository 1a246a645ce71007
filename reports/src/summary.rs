//! `summary.json`: the scores of every agent with their intervals. No wall-clock figure is in it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use zopa_envs::Digest;

use crate::gate::GateResult;
use crate::score::Score;
use crate::statistics::{Estimate, PowerNote};

/// Scores of a part of an agent's episodes.
pub type Breakdown = BTreeMap<Score, Estimate>;

/// All scores of one agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentSummary {
    /// Scores over all episodes; one whose denominator is empty is left out.
    #[serde(flatten)]
    pub scores: Breakdown,
    /// Episodes without a result because infrastructure failed.
    pub infra_errors: u64,
    /// False where more than 1 % of the episodes have no result for that reason.
    pub comparable: bool,
    /// SHA-256 over the number of episodes and the first 16 bytes of each one's game digest, in key order.
    pub digest: Digest,
    /// Scores by counterpart family.
    pub families: BTreeMap<String, Breakdown>,
    /// Scores by the agent's seat.
    pub seats: BTreeMap<String, Breakdown>,
    /// Scores by the quintile of difficulty, from 1 (easiest) to 5; empty where the suite does not grade. Scenarios in which
    /// nothing can be agreed are in none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", with = "numbered")]
    pub difficulty: BTreeMap<u8, Breakdown>,
    /// pass^k by k: the chance that k repeats of the same episode all end soundly, see [`Score::Pass`]. Empty where nothing was
    /// repeated.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", with = "numbered")]
    pub pass: BTreeMap<u16, Estimate>,
    /// Speech scores above zero, corrected for what the parser reads wrongly and misses on held-out messages, its uncertainty
    /// included.
    #[serde(default, skip_serializing_if = "Breakdown::is_empty")]
    pub speech_corrected: Breakdown,
}

impl AgentSummary {
    /// All parts of its episodes with their scores, each by what stands behind a score's name.
    fn parts(&self) -> impl Iterator<Item = (String, &Breakdown)> {
        let families = self.families.iter().map(|(name, part)| (format!(" against {name}"), part));
        let seats = self.seats.iter().map(|(name, part)| (format!(" as {name}"), part));
        let difficulty = self.difficulty.iter();
        let difficulty = difficulty.map(|(number, part)| (format!(" in quintile {number} of difficulty"), part));
        std::iter::once((String::new(), &self.scores))
            .chain(families)
            .chain(seats)
            .chain(difficulty)
            .chain(std::iter::once((", corrected,".to_owned(), &self.speech_corrected)))
    }

    /// The first figure that another summary has otherwise or not at all, in words; those that this one does not have are passed
    /// over.
    fn unlike(&self, other: &Self) -> Option<String> {
        let theirs: BTreeMap<String, &Breakdown> = other.parts().collect();
        let of_part = |(part, own): (String, &Breakdown)| {
            let there = theirs.get(&part);
            let (score, _) =
                own.iter().find(|(score, figure)| there.and_then(|there| there.get(score)) != Some(*figure))?;
            Some(format!("{}{part}", score.name()))
        };
        let pass = || {
            let (k, _) = self.pass.iter().find(|(k, figure)| other.pass.get(k) != Some(*figure))?;
            Some(format!("pass^{k}"))
        };
        self.parts().find_map(of_part).or_else(pass)
    }
}

/// Numbers as the text keys that JSON has; a flattened struct does not turn them into numbers by itself.
mod numbered {
    use serde::de::{DeserializeOwned, Error};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::collections::BTreeMap;
    use std::fmt::Display;
    use std::str::FromStr;

    pub(super) fn serialize<K: Display, V: Serialize, S: Serializer>(
        numbered: &BTreeMap<K, V>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(numbered.iter().map(|(number, value)| (number.to_string(), value)))
    }

    pub(super) fn deserialize<'de, K: FromStr + Ord, V: DeserializeOwned, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<K, V>, D::Error> {
        let named = BTreeMap::<String, V>::deserialize(deserializer)?;
        let number = |name: &str| name.parse().map_err(|_| D::Error::custom(format!("\"{name}\" is no number here")));
        named.into_iter().map(|(name, value)| Ok((number(&name)?, value))).collect()
    }
}

/// An agent against the baseline on the same scenarios: its surplus efficiency less the baseline's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// The agent.
    pub agent: String,
    /// The agent it is compared with.
    pub baseline: String,
    /// The score compared.
    pub score: Score,
    /// Agent less baseline, on the same resamples.
    pub difference: Estimate,
    /// Two-sided significance of no difference.
    pub p_value: f64,
    /// The same after Holm's correction over all comparisons of the run.
    pub p_value_holm: f64,
    /// How often the agent gains more than the baseline on the same episode, ties counted half.
    pub improvement: Option<Estimate>,
    /// Episodes that a difference of two percentage points would need, from the paired variance.
    pub power: PowerNote,
}

/// What an agent gains of what a ceiling gains in the same episodes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttainableShare {
    /// The agent.
    pub agent: String,
    /// The ceiling.
    pub ceiling: String,
    /// Whether what the ceiling reaches is an estimate of what is attainable.
    pub estimated: bool,
    /// The agent's gains over the ceiling's, both in shares of the scale; losses count.
    pub share: Estimate,
}

/// The whole of `summary.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// Suite or domain.
    pub suite: String,
    /// Its version.
    pub version: u32,
    /// The run's seed.
    pub seed: u64,
    /// Split of the suite.
    pub split: String,
    /// Episodes for each agent, repeats not counted: the most that any agent has.
    pub episodes: u64,
    /// Share of scenarios in which some outcome leaves both sides better off; `None` where every outcome is rational,
    /// or that is not known.
    pub feasible_share: Option<f64>,
    /// The agents, by id.
    pub agents: BTreeMap<String, AgentSummary>,
    /// Every gate of every agent.
    pub gates: Vec<GateResult>,
    /// Every other agent against the baseline.
    pub comparisons: Vec<Comparison>,
    /// Every agent's share of what was attainable, where a ceiling played that says it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attainable: Vec<AttainableShare>,
}

/// More agents or families than any run has: a page of them could not be drawn.
pub const MOST_NAMES: usize = 400;

impl Summary {
    /// Tests what the types leave open: a summary may come from someone else.
    ///
    /// # Errors
    /// With what is too much.
    pub fn check(&self) -> Result<(), String> {
        let mut families = std::collections::BTreeSet::new();
        for agent in self.agents.values() {
            families.extend(agent.families.keys());
            if families.len() > MOST_NAMES {
                break;
            }
        }
        for (what, number) in [("agents", self.agents.len()), ("families", families.len())] {
            if number > MOST_NAMES {
                return Err(format!("it has {number} {what}, more than any run has"));
            }
        }
        Ok(())
    }

    /// The first figure in which another summary of the same records differs, in words; figures that this one does not have are
    /// passed over, since it may be of an earlier version.
    pub fn difference(&self, other: &Self) -> Option<String> {
        for (id, own) in &self.agents {
            let Some(theirs) = other.agents.get(id) else { return Some(format!("agent {id}")) };
            if own.infra_errors != theirs.infra_errors {
                return Some(format!("the number of infrastructure errors of {id}"));
            }
            if own.digest != theirs.digest {
                return Some(format!("the digest of {id}"));
            }
            if own.comparable != theirs.comparable {
                return Some(format!("whether {id} can be compared"));
            }
            if let Some(figure) = own.unlike(theirs) {
                return Some(format!("{figure} of {id}"));
            }
        }
        if let Some(found) = self.comparisons.iter().find(|found| !other.comparisons.contains(found)) {
            return Some(format!("the comparison of {} with {}", found.agent, found.baseline));
        }
        if let Some(found) = self.attainable.iter().find(|found| !other.attainable.contains(found)) {
            return Some(format!("the share that {} has of {}", found.agent, found.ceiling));
        }
        if self.feasible_share != other.feasible_share {
            return Some("the share of scenarios that leave room for a deal".to_owned());
        }
        let gate = self.gates.iter().find(|gate| !other.gates.contains(gate));
        gate.map(|gate| format!("the gate {} of {}", gate.score.name(), gate.agent))
    }

    /// The file's text: indented JSON and a line's end.
    ///
    /// # Errors
    /// None in practice: every field has a JSON form.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }

    /// The estimate of a score, where the agent is there and has it.
    pub fn estimate(&self, agent: &str, score: Score) -> Option<&Estimate> {
        self.agents.get(agent)?.scores.get(&score)
    }

    /// Whether feasibility tells scenarios apart; its columns are left out of tables otherwise.
    pub fn feasibility_matters(&self) -> bool {
        self.feasible_share.is_some()
    }

    /// The quintiles of difficulty that some agent met, in order.
    pub fn quintiles(&self) -> Vec<u8> {
        let mut met: Vec<u8> = self.agents.values().flat_map(|agent| agent.difficulty.keys().copied()).collect();
        met.sort_unstable();
        met.dedup();
        met
    }

    /// All counterpart families, in order of name.
    pub fn families(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.agents.values().flat_map(|agent| agent.families.keys().map(String::as_str)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}
