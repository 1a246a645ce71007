//! What a counterpart stated and what was true of it.

use crate::message::Statement;
use serde::{Deserialize, Serialize};

/// Whether a statement was true when it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Truth {
    /// It was.
    True,
    /// It was not.
    False,
    /// Nobody can say: tone, requests, instructions.
    Unverifiable,
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }
}

/// One message's statements, in the order in which they were said: the ground truth that no contender sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// The round, from 0.
    pub round: u16,
    /// Each statement with whether it was true.
    pub stated: Vec<(Statement, Truth)>,
}
