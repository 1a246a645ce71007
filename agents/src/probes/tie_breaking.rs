//! Hands the other side's offers back a tick better for itself.

use crate::agent::Agent;
use zopa_envs::random::LazyStream;
use zopa_envs::{Action, Decision, PartyView};

/// Exploits ties and rounding: who accepts what is worth its own next offer takes a tie, and grids round. It offers the other
/// side's own standing offer back, one grid step better for itself, where that is no loss; in its last turn it takes any
/// gain. A counterpart that concedes at all accepts its own last offer less a tick.
#[derive(Clone, Debug, Default)]
pub struct TieBreaking;

impl Agent for TieBreaking {
    fn id(&self) -> &str {
        "tie-break"
    }

    fn begin(&mut self, _stream: LazyStream) {}

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        let (Some(standing), Some(gain)) = (view.standing(), view.standing_gain()) else { return Action::Pass.into() };
        if view.is_last_turn() && gain > 0.0 && view.refusal.is_none() {
            return Action::Accept.into();
        }
        let tick = view.own.smallest_step;
        let back = view.packages().at_gain(gain.max(0.0).max(view.least_gain()) + tick, standing);
        back.map_or(Action::Pass, Action::offer).into()
    }
}
