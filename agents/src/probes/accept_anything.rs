//! Accepts whatever stands.

use crate::agent::Agent;
use zopa_envs::random::LazyStream;
use zopa_envs::{Action, Decision, PartyView};

/// Accepts the first offer that stands, losses included, and passes until one does. Where authority refuses the acceptance
/// it waits for the next offer. Would win scores that count agreements only.
#[derive(Clone, Debug, Default)]
pub struct AcceptAnything;

impl Agent for AcceptAnything {
    fn id(&self) -> &str {
        "accept-anything"
    }

    fn begin(&mut self, _stream: LazyStream) {}

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        if view.standing().is_some() && view.refusal.is_none() { Action::Accept } else { Action::Pass }.into()
    }
}
