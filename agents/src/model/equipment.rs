//! What agents are built with, beside their names.

use super::client::Client;
use crate::human::Person;
use std::sync::Arc;

/// Who reads what the other side writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpreting {
    /// The parser alone.
    #[default]
    Parser,
    /// The parser and the model; where they differ, what was said is unclear.
    Model,
}

impl Interpreting {
    /// Its name on the command line and in agents' options.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Parser => "parser",
            Self::Model => "model",
        }
    }
}

/// What agents are built with. Without a client no model is asked: the dialogue agent speaks in templates, and the prompted agents
/// cannot be built.
#[derive(Clone, Debug, Default)]
pub struct Equipment {
    /// The model and its server.
    pub client: Option<Arc<Client>>,
    /// The agent that decides for `dialogue` and advises `llm-solver`; [`Self::STRATEGY`] where none is named.
    pub strategy: Option<String>,
    /// Who reads what the other side writes to `dialogue`.
    pub interpreting: Interpreting,
    /// Who decides for `human`.
    pub person: Option<Person>,
    /// The agent that drafts for that person, where one does.
    pub assistant: Option<String>,
}

impl Equipment {
    /// The strategy where none is named.
    pub const STRATEGY: &'static str = "solver";

    /// The strategy's id.
    #[must_use]
    pub fn strategy(&self) -> &str {
        self.strategy.as_deref().unwrap_or(Self::STRATEGY)
    }
}
