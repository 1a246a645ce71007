//! What fixes an episode bit for bit.

use crate::digest::{Canonical, Hasher};
use crate::party::Seat;
use crate::random::StreamKey;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Everything that an episode depends on: the same key gives the same episode, whatever the thread count, the shard, the
/// order, an interruption or the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EpisodeKey {
    /// Suite or domain.
    pub suite: Arc<str>,
    /// Its version.
    pub version: u32,
    /// Digest of the suite file, or over a domain's files.
    pub suite_digest: crate::digest::Digest,
    /// Split of the suite.
    pub split: Arc<str>,
    /// The run's seed, below 2^53.
    pub seed: u64,
    /// Episode index: scenario `index / 2`, seat `index mod 2`.
    pub index: u64,
    /// The agent's seat.
    pub seat: Seat,
    /// Who plays the other side: `mix` for the suite's counterparts, or an agent's or a family's name.
    pub opponent: Arc<str>,
    /// The agent's id.
    pub agent: Arc<str>,
    /// Its version.
    pub agent_version: u32,
    /// Its options in canonical words; empty where it has none.
    pub agent_options: Arc<str>,
    /// Seed of the agent's own randomness.
    pub agent_seed: u64,
    /// Which repeat of the same scenario by the same agent.
    pub repeat: u32,
    /// The reward by which a learner is trained and shown.
    pub reward: Arc<str>,
    /// Guardrails and mandate in canonical words.
    pub authority: Arc<str>,
}

impl EpisodeKey {
    /// The key of the agent's own random stream.
    #[must_use]
    pub fn agent_stream(&self) -> StreamKey {
        let digest = Hasher::new().with(self).digest();
        StreamKey::new("agent", &[digest.bytes()])
    }

    /// The scenario's number: both seats of a scenario share it.
    #[must_use]
    pub fn scenario(&self) -> u64 {
        self.index / 2
    }
}

impl Canonical for EpisodeKey {
    fn feed(&self, hasher: &mut Hasher) {
        self.suite.feed(hasher);
        self.version.feed(hasher);
        self.suite_digest.feed(hasher);
        self.split.feed(hasher);
        self.seed.feed(hasher);
        self.index.feed(hasher);
        self.seat.feed(hasher);
        self.opponent.feed(hasher);
        self.agent.feed(hasher);
        self.agent_version.feed(hasher);
        self.agent_options.feed(hasher);
        self.agent_seed.feed(hasher);
        self.repeat.feed(hasher);
        self.reward.feed(hasher);
        self.authority.feed(hasher);
    }
}
