//! What a message states: the typed claims that the parser reads and the speech score compares with offer and ledger.

use super::statement::{ClaimKind, Statement};
use serde::{Deserialize, Serialize};

/// Bytes `start..end` of the message that carry a claim; both lie on character boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TextSpan {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// How a statement is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Polarity {
    /// Said to hold.
    Asserted,
    /// Said not to hold.
    Negated,
    /// Tied to a condition, whichever side of it ("95,000 unless you pay within 10 days" has two).
    Conditional,
    /// Asked.
    Question,
}

/// Whom a statement is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The speaker or its side.
    Own,
    /// The one spoken to.
    Other,
    /// The other negotiator's principal.
    Management,
}

/// A statement with how, about whom and where it was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// What is stated.
    pub statement: Statement,
    /// How it is put.
    pub polarity: Polarity,
    /// Whom it is about.
    pub subject: Subject,
    /// Where it stands in the text.
    pub span: TextSpan,
}

impl Claim {
    /// The statement's kind.
    #[must_use]
    pub const fn kind(&self) -> ClaimKind {
        self.statement.kind()
    }
}
