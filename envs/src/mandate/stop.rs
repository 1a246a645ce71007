//! When to leave a negotiation, or to ask a person.

use crate::digest::{Canonical, Hasher};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a stop rule asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopResponse {
    /// Nothing but leaving is permitted.
    WalkAway,
    /// Every further offer or acceptance waits for a person.
    Escalate,
}

/// When to stop: from a round on, as long as what the other side offers is not good enough.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopRule {
    /// From this round on, from 0.
    pub from_round: u16,
    /// It applies while the other side's latest offer gains less than this, in units of own utility.
    pub gain_below: f64,
    /// Only where that offer was declared best and final; otherwise it applies without any offer too.
    #[serde(default)]
    pub only_final: bool,
    /// What then.
    pub response: StopResponse,
}

impl StopRule {
    /// Whether the rule applies in `round`, where the other side's latest offer gains `standing` and was declared final or
    /// not.
    #[must_use]
    pub fn applies(&self, round: u16, standing: Option<f64>, is_final: bool) -> bool {
        round >= self.from_round
            && match standing {
                Some(gain) => gain < self.gain_below && (is_final || !self.only_final),
                None => !self.only_final,
            }
    }
}

impl fmt::Display for StopRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offer = if self.only_final { "a best and final offer" } else { "an offer" };
        write!(f, "from round {} on without {offer} that gains {:.2}", self.from_round, self.gain_below)
    }
}

impl Canonical for StopRule {
    fn feed(&self, hasher: &mut Hasher) {
        self.from_round.feed(hasher);
        self.gain_below.feed(hasher);
        self.only_final.feed(hasher);
        (self.response as u8).feed(hasher);
    }
}
