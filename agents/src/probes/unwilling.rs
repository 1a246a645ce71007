//! Agents that make no deal at all.

use crate::agent::Agent;
use zopa_envs::random::LazyStream;
use zopa_envs::{Action, Decision, PartyView};

/// Leaves in its first turn: makes no loss, breaks no rule and costs nobody time. Would win scores that punish only.
#[derive(Clone, Debug, Default)]
pub struct WalkAway;

/// Passes in every turn. It must score zero.
#[derive(Clone, Debug, Default)]
pub struct DoNothing;

impl Agent for WalkAway {
    fn id(&self) -> &str {
        "walk-away"
    }

    fn begin(&mut self, _stream: LazyStream) {}

    fn decide(&mut self, _view: &PartyView<'_>) -> Decision {
        Action::WalkAway.into()
    }
}

impl Agent for DoNothing {
    fn id(&self) -> &str {
        "do-nothing"
    }

    fn begin(&mut self, _stream: LazyStream) {}

    fn decide(&mut self, _view: &PartyView<'_>) -> Decision {
        Action::Pass.into()
    }
}
