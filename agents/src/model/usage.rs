//! What a side's decisions cost beside time: models' tokens and people's work.

use super::client::{Answer, Origin};
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Counts over one negotiation. They are the same in a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Replies asked for and received.
    pub replies: u64,
    /// Tokens of their prompts.
    pub prompt_tokens: u64,
    /// Tokens of the replies.
    pub completion_tokens: u64,
    /// Replies that had to be asked for again because their content was invalid.
    pub repairs: u64,
    /// Tools used.
    pub tool_calls: u64,
    /// Words that a template said because the model's were wrong or did not come.
    pub template_words: u64,
    /// Drafts of an assistant that a person took as they were.
    pub drafts_approved: u64,
    /// Drafts that a person changed or threw away.
    pub drafts_edited: u64,
}

impl Usage {
    /// Counts a reply. One from the cache was paid for before, and is no sample of its own: it is not counted.
    pub(super) fn count(&mut self, answer: &Answer) {
        if answer.origin != Origin::Cache {
            self.replies += 1;
            self.prompt_tokens += answer.reply.tokens.prompt;
            self.completion_tokens += answer.reply.tokens.completion;
        }
    }

    /// Whether nothing was asked of anybody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.replies += other.replies;
        self.prompt_tokens += other.prompt_tokens;
        self.completion_tokens += other.completion_tokens;
        self.repairs += other.repairs;
        self.tool_calls += other.tool_calls;
        self.template_words += other.template_words;
        self.drafts_approved += other.drafts_approved;
        self.drafts_edited += other.drafts_edited;
    }
}
