//! What counterparts say, with distributions in place of parameters.

use super::parameter::{Domain, Parameter};
use serde::Deserialize;
use zopa_envs::{Distribution, Stream, Voice};

/// A voice whose parameters are drawn; see [`Voice`].
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum VoiceTemplate {
    /// Its terms and nothing else.
    #[default]
    Taciturn,
    /// True cues.
    Candid {
        /// Chance of each true cue in a turn.
        frequency: Distribution,
        /// Chance of stating its true limit in a turn.
        disclosure: Distribution,
    },
    /// Feeling, and a true word on how far apart the sides are.
    Expressive {
        /// Chance of each cue in a turn.
        frequency: Distribution,
    },
    /// False cues.
    Adversarial {
        /// Chance of each false cue in a turn.
        frequency: Distribution,
        /// Chance of stating a false limit in a turn.
        disclosure: Distribution,
        /// How much better than its true limit, as a share of it.
        inflation: Distribution,
    },
    /// Invented alternatives and deadlines.
    Bluffing {
        /// Chance of each bluff in a turn.
        frequency: Distribution,
        /// How much better than its true alternative, as a share of it.
        inflation: Distribution,
    },
    /// Requests, claims of approval, instructions and haste.
    Pressuring {
        /// Chance of each in a turn.
        frequency: Distribution,
    },
}

impl VoiceTemplate {
    /// Its name in suite files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Taciturn => "taciturn",
            Self::Candid { .. } => "candid",
            Self::Expressive { .. } => "expressive",
            Self::Adversarial { .. } => "adversarial",
            Self::Bluffing { .. } => "bluffing",
            Self::Pressuring { .. } => "pressuring",
        }
    }

    /// The parameters by name with their domains, in the order in which they are drawn.
    pub(super) fn described(&self) -> Vec<Parameter<'_>> {
        use Domain::{PositiveShare, Share, ShareBelowOne};
        match self {
            Self::Taciturn => Vec::new(),
            Self::Candid { frequency, disclosure } => {
                vec![("frequency", frequency, PositiveShare), ("disclosure", disclosure, Share)]
            }
            Self::Expressive { frequency } | Self::Pressuring { frequency } => {
                vec![("frequency", frequency, PositiveShare)]
            }
            Self::Adversarial { frequency, disclosure, inflation } => vec![
                ("frequency", frequency, PositiveShare),
                ("disclosure", disclosure, Share),
                ("inflation", inflation, ShareBelowOne),
            ],
            Self::Bluffing { frequency, inflation } => {
                vec![("frequency", frequency, PositiveShare), ("inflation", inflation, ShareBelowOne)]
            }
        }
    }

    /// The voice with parameters drawn from `stream` in the order of the fields, a uniform each (none for a constant).
    pub fn draw(&self, stream: &mut Stream) -> Voice {
        match self {
            Self::Taciturn => Voice::Taciturn,
            Self::Candid { frequency, disclosure } => {
                Voice::Candid { frequency: frequency.draw(stream), disclosure: disclosure.draw(stream) }
            }
            Self::Expressive { frequency } => Voice::Expressive { frequency: frequency.draw(stream) },
            Self::Adversarial { frequency, disclosure, inflation } => Voice::Adversarial {
                frequency: frequency.draw(stream),
                disclosure: disclosure.draw(stream),
                inflation: inflation.draw(stream),
            },
            Self::Bluffing { frequency, inflation } => {
                Voice::Bluffing { frequency: frequency.draw(stream), inflation: inflation.draw(stream) }
            }
            Self::Pressuring { frequency } => Voice::Pressuring { frequency: frequency.draw(stream) },
        }
    }
}
