//! How rightly an agent read what the other side wrote.

use crate::digest::{Canonical, Hasher};
use serde::{Deserialize, Serialize};

/// An agent's readings of the scripted counterpart's messages, counted against what the counterpart stated: a statement is found
/// where kind and value agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadingScores {
    /// Messages read.
    pub messages: u32,
    /// Statements read that were made.
    pub hits: u32,
    /// Statements read that were not made.
    pub false_alarms: u32,
    /// Statements made that were not read.
    pub misses: u32,
    /// Messages on which text and move, or parser and model, differed.
    pub unclear: u32,
}

impl ReadingScores {
    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            messages: self.messages + other.messages,
            hits: self.hits + other.hits,
            false_alarms: self.false_alarms + other.false_alarms,
            misses: self.misses + other.misses,
            unclear: self.unclear + other.unclear,
        }
    }
}

impl Canonical for ReadingScores {
    fn feed(&self, hasher: &mut Hasher) {
        // Taken apart in full, so that a new field cannot be forgotten here.
        let Self { messages, hits, false_alarms, misses, unclear } = self;
        [*messages, *hits, *false_alarms, *misses, *unclear].iter().for_each(|count| count.feed(hasher));
    }
}
