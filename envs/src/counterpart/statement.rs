//! What a counterpart stated and what was true of it.

use crate::digest::{Canonical, Hasher};
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
    /// In which contract of a series, from 0; 0 in a single negotiation.
    #[serde(default, skip_serializing_if = "is_first")]
    pub contract: u16,
    /// The round, from 0.
    pub round: u16,
    /// Each statement with whether it was true.
    pub stated: Vec<(Statement, Truth)>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_first(contract: &u16) -> bool {
    *contract == 0
}

impl Canonical for Said {
    fn feed(&self, hasher: &mut Hasher) {
        let Self { contract, round, stated } = self;
        contract.feed(hasher);
        round.feed(hasher);
        (stated.len() as u64).feed(hasher);
        for (statement, truth) in stated {
            statement.feed(hasher);
            (*truth as u8).feed(hasher);
        }
    }
}
