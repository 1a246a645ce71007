//! Offers the floor.

use crate::agent::Agent;
use zopa_envs::random::LazyStream;
use zopa_envs::{Action, Decision, PartyView};

/// Offers in every turn the least own gain that guardrails and mandate let through, no loss, and accepts anything that is
/// no loss: it buys agreements and breaks no rule. Would win scores that count agreements and violations only.
#[derive(Clone, Debug, Default)]
pub struct FloorSpam;

impl Agent for FloorSpam {
    fn id(&self) -> &str {
        "floor-spam"
    }

    fn begin(&mut self, _stream: LazyStream) {}

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        if view.refusal.is_some() {
            return Action::Pass.into();
        }
        if view.standing_gain().is_some_and(|gain| gain >= 0.0) {
            return Action::Accept.into();
        }
        let packages = view.packages();
        let like = view.standing().or(view.own_last()).or(view.public.status_quo.as_ref()).cloned();
        let floor =
            like.or_else(|| packages.best()).and_then(|like| packages.at_gain(view.least_gain().max(0.0), &like));
        floor.map_or(Action::Pass, Action::offer).into()
    }
}
