//! What a run was: enough for another lab to play it again.

use serde::{Deserialize, Serialize};
use zopa_envs::Digest;

use crate::assignment::Assignment;

/// What part an agent plays in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Ranked, and gated where the suite says so.
    Contender,
    /// Ranked, never gated.
    Baseline,
    /// Tries to game a score; shown, never gated.
    Probe,
    /// Knows what no contender may know; stands outside every ranking.
    Ceiling,
}

impl Standing {
    /// Whether the agent takes part in the ranking.
    pub fn is_ranked(self) -> bool {
        self != Self::Ceiling
    }

    /// The standing in a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contender => "contender",
            Self::Baseline => "baseline",
            Self::Probe => "probe",
            Self::Ceiling => "ceiling",
        }
    }
}

/// One agent of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentEntry {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: u32,
    /// Its options in canonical words; empty where it has none.
    pub options: String,
    /// What part it plays.
    pub standing: Standing,
}

/// A file that was read, kept under `inputs/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputFile {
    /// Its name there.
    pub name: String,
    /// SHA-256 of its bytes.
    pub digest: Digest,
}

/// The machine, as far as it may explain a wall-clock figure; no result depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Operating system, such as `linux`.
    pub system: String,
    /// Processor architecture, such as `x86_64`.
    pub architecture: String,
    /// Hardware threads.
    pub threads: u32,
}

/// The header of a run directory, `manifest.json`. It holds no date, so that equal runs have equal reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of this layout.
    pub schema: u32,
    /// Version of zopa.
    pub zopa: String,
    /// Revision of its source, where it was built from a repository.
    pub revision: Option<String>,
    /// Command line after the program's name.
    pub arguments: Vec<String>,
    /// Suite or domain.
    pub suite: String,
    /// Its version.
    pub suite_version: u32,
    /// Digest of the suite file, or over a domain's files.
    pub suite_digest: Digest,
    /// The two profiles of a domain, buyer first, where the user chose them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profiles: Option<[String; 2]>,
    /// Split of the suite.
    pub split: String,
    /// The run's seed.
    pub seed: u64,
    /// Seed of the agents' own randomness.
    pub agent_seed: u64,
    /// Episodes for each agent, repeats not counted.
    pub episodes: u64,
    /// How often each agent plays an episode.
    pub repeats: u32,
    /// Who plays the other side: `mix` for the suite's counterparts, or an agent's or a family's name.
    pub opponent: String,
    /// Guardrails and mandate in canonical words.
    pub authority: String,
    /// The agents, in the order they were named.
    pub agents: Vec<AgentEntry>,
    /// Ids of the agents whose gates set the exit code.
    pub gated: Vec<String>,
    /// The agent that others are compared with, where there is one.
    pub baseline: Option<String>,
    /// Files that were read.
    pub inputs: Vec<InputFile>,
    /// Which arm plays which scenario, where not every arm plays all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignment: Option<Assignment>,
    /// The machine.
    pub host: Host,
}

impl Manifest {
    /// The layout that this version writes.
    pub const SCHEMA: u32 = 1;

    /// Whether an agent plays an episode: all do, unless scenarios were allotted.
    pub fn plays(&self, agent: &str, index: u64) -> bool {
        self.assignment.as_ref().is_none_or(|assignment| assignment.plays(agent, index))
    }

    /// Episodes that an agent plays, repeats not counted.
    pub fn episodes_of(&self, agent: &str) -> u64 {
        match &self.assignment {
            None => self.episodes,
            Some(_) => (0..self.episodes).filter(|&index| self.plays(agent, index)).count() as u64,
        }
    }

    /// What part an agent plays; one that is not listed is a contender.
    pub fn standing(&self, agent: &str) -> Standing {
        self.agents.iter().find(|entry| entry.id == agent).map_or(Standing::Contender, |entry| entry.standing)
    }
}
