//! What an agent is.

use crate::model::{Reading, Usage};
use std::sync::Arc;
use zopa_envs::random::LazyStream;
use zopa_envs::{Decision, PartyView, Scenario};

/// A strategist: decides one side's turns from what that side can see.
///
/// Given equal views and equal streams it decides equally: it reads no clock and shares no state between negotiations.
pub trait Agent: Send {
    /// Its id on the command line and in records.
    fn id(&self) -> &str;

    /// Raised with every change of what it decides.
    fn version(&self) -> u32 {
        1
    }

    /// Its options as text, in a stated order, for the episode key; empty where it has none.
    fn options(&self) -> String {
        String::new()
    }

    /// Starts a negotiation: forgets the last one. `stream` is the agent's only source of random numbers.
    fn begin(&mut self, stream: LazyStream);

    /// Its decision in its turn. Called again in the same turn, with [`PartyView::refusal`] set, where the last one was
    /// refused.
    fn decide(&mut self, view: &PartyView<'_>) -> Decision;

    /// Why its last decision is none: what it depends on failed, past all retries. The negotiation is then broken off without
    /// a result. Agents that depend on nothing never have one.
    fn fault(&self) -> Option<Arc<str>> {
        None
    }

    /// What it asked of models since it began; nothing where it asks none.
    fn usage(&self) -> Usage {
        Usage::default()
    }

    /// How it read the other side's messages since it began, in their order; nothing where it reads none.
    fn readings(&self) -> &[Reading] {
        &[]
    }
}

/// A strategist that sees what no contender sees, as a line to measure contenders against.
pub trait Ceiling: Send {
    /// Its id on the command line and in records.
    fn id(&self) -> &str;

    /// Raised with every change of what it decides.
    fn version(&self) -> u32 {
        1
    }

    /// Its options as text, for the episode key; empty where it has none.
    fn options(&self) -> String {
        String::new()
    }

    /// Starts a negotiation: forgets the last one.
    fn begin(&mut self, stream: LazyStream);

    /// Its decision, given its own view and the scenario with all that is hidden in it.
    fn decide(&mut self, view: &PartyView<'_>, scenario: &Scenario) -> Decision;
}

/// Whoever can sit at a seat under its own power.
pub enum Player {
    /// An agent, behind the information boundary.
    Agent(Box<dyn Agent>),
    /// A ceiling, outside it.
    Ceiling(Box<dyn Ceiling>),
}

impl Player {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Agent(agent) => agent.id(),
            Self::Ceiling(ceiling) => ceiling.id(),
        }
    }

    /// Its version.
    #[must_use]
    pub fn version(&self) -> u32 {
        match self {
            Self::Agent(agent) => agent.version(),
            Self::Ceiling(ceiling) => ceiling.version(),
        }
    }

    /// Its options as text.
    #[must_use]
    pub fn options(&self) -> String {
        match self {
            Self::Agent(agent) => agent.options(),
            Self::Ceiling(ceiling) => ceiling.options(),
        }
    }

    /// Starts a negotiation.
    pub fn begin(&mut self, stream: LazyStream) {
        match self {
            Self::Agent(agent) => agent.begin(stream),
            Self::Ceiling(ceiling) => ceiling.begin(stream),
        }
    }

    /// Its decision. The scenario reaches ceilings only.
    pub fn decide(&mut self, view: &PartyView<'_>, scenario: &Scenario) -> Decision {
        match self {
            Self::Agent(agent) => agent.decide(view),
            Self::Ceiling(ceiling) => ceiling.decide(view, scenario),
        }
    }

    /// Why its last decision is none, see [`Agent::fault`].
    #[must_use]
    pub fn fault(&self) -> Option<Arc<str>> {
        match self {
            Self::Agent(agent) => agent.fault(),
            Self::Ceiling(_) => None,
        }
    }

    /// What it asked of models since it began.
    #[must_use]
    pub fn usage(&self) -> Usage {
        match self {
            Self::Agent(agent) => agent.usage(),
            Self::Ceiling(_) => Usage::default(),
        }
    }

    /// How it read the other side's messages since it began.
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        match self {
            Self::Agent(agent) => agent.readings(),
            Self::Ceiling(_) => &[],
        }
    }
}
