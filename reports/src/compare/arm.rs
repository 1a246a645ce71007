//! One agent of one run, as the comparison sees it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ComparisonError;
use super::case::Case;
use crate::manifest::{AgentEntry, Manifest, Standing};
use crate::record::{EpisodeRecord, EpisodeResult};
use crate::statistics::LatencyQuantiles;

/// What decides for an arm, by its agent's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ArmKind {
    /// Plans from the prior, or aims at a bargaining solution.
    Solver,
    /// A trained policy.
    Learned,
    /// A strategy whose words a language model writes.
    Dialogue,
    /// A language model that decides.
    PromptedModel,
    /// The fixed rules that simple bots follow.
    RuleTree,
    /// A scripted tactic, or chance.
    Scripted,
    /// A person, or a person's workflow.
    Human,
    /// Tries to game a score.
    Probe,
    /// Knows what no contender may know.
    Ceiling,
}

impl ArmKind {
    /// The kind of the agent of this id.
    #[must_use]
    pub fn of(id: &str, standing: Standing) -> Self {
        let family = id.split('-').next().unwrap_or(id);
        match (standing, family) {
            (Standing::Ceiling, _) => Self::Ceiling,
            (Standing::Probe, _) => Self::Probe,
            (_, "human") => Self::Human,
            (_, "llm") => Self::PromptedModel,
            (_, "dialogue") => Self::Dialogue,
            (_, "dqn" | "ppo") => Self::Learned,
            (_, "solver" | "nash") => Self::Solver,
            (_, "rule") => Self::RuleTree,
            _ => Self::Scripted,
        }
    }

    /// The kind in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Solver => "solver",
            Self::Learned => "learned",
            Self::Dialogue => "model speaks",
            Self::PromptedModel => "prompted model",
            Self::RuleTree => "rule tree",
            Self::Scripted => "scripted",
            Self::Human => "human",
            Self::Probe => "probe",
            Self::Ceiling => "ceiling",
        }
    }
}

/// Tokens that an arm's language model took in and gave out over all its episodes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Tokens of prompts.
    pub input: u64,
    /// Tokens of replies.
    pub output: u64,
}

/// One agent of one run.
#[derive(Debug, Clone)]
pub struct Arm {
    /// The agent.
    pub entry: AgentEntry,
    /// What decides for it.
    pub kind: ArmKind,
    /// The run directory, as it was named.
    pub run: String,
    /// The run's header.
    pub manifest: Manifest,
    /// Its decision latency in milliseconds, where the run measured it.
    pub latency_ms: Option<LatencyQuantiles>,
    /// Its language model's tokens; `None` where there is no model or the run does not say.
    pub tokens: Option<Tokens>,
    /// Results by episode and repeat.
    pub(super) cases: BTreeMap<(u32, u32), Case>,
    /// Episodes that infrastructure failed and that have no result.
    failed: BTreeMap<(u32, u32), ()>,
}

impl Arm {
    /// An arm without records yet.
    #[must_use]
    pub fn new(entry: AgentEntry, run: String, manifest: Manifest) -> Self {
        let kind = ArmKind::of(&entry.id, entry.standing);
        Self {
            entry,
            kind,
            run,
            manifest,
            latency_ms: None,
            tokens: None,
            cases: BTreeMap::new(),
            failed: BTreeMap::new(),
        }
    }

    /// Takes in one of its records; false where the episode has a result already. A result stands in for an infrastructure failure
    /// of the same episode.
    ///
    /// # Errors
    /// Where the record's scale is not positive.
    pub fn add(&mut self, record: &EpisodeRecord) -> Result<bool, ComparisonError> {
        let Ok(index) = u32::try_from(record.key.index) else { return Ok(true) };
        let id = (index, record.key.repeat);
        match &record.result {
            EpisodeResult::Played(played) => {
                self.failed.remove(&id);
                if self.cases.insert(id, Case::of(&record.key, played)?).is_some() {
                    return Ok(false);
                }
                if let Some(usage) = &played.usage {
                    let tokens = self.tokens.get_or_insert_default();
                    tokens.input += usage.prompt_tokens;
                    tokens.output += usage.completion_tokens;
                }
            }
            EpisodeResult::InfraError { .. } if !self.cases.contains_key(&id) => {
                self.failed.insert(id, ());
            }
            EpisodeResult::InfraError { .. } => {}
        }
        Ok(true)
    }

    /// Episodes without a result because infrastructure failed.
    #[must_use]
    pub fn infra_errors(&self) -> u64 {
        self.failed.len() as u64
    }

    /// Episodes that its run should have and has no record of.
    pub(super) fn unrecorded(&self) -> u64 {
        let expected = self.manifest.episodes_of(&self.entry.id).saturating_mul(self.manifest.repeats.into());
        expected.saturating_sub((self.cases.len() + self.failed.len()) as u64)
    }

    /// Share of its run's episodes that have no record.
    pub(super) fn unrecorded_share(&self) -> f64 {
        let unrecorded = self.unrecorded() as f64;
        unrecorded / (unrecorded + (self.cases.len() + self.failed.len()) as f64).max(1.0)
    }

    /// Share of its episodes that infrastructure failed.
    pub(super) fn infra_share(&self) -> f64 {
        let failed = self.failed.len() as f64;
        let all = failed + self.cases.len() as f64;
        if all > 0.0 { failed / all } else { 0.0 }
    }
}
