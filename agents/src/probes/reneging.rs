//! Takes back what it said.

use crate::agent::Agent;
use crate::aspiration::first_share;
use zopa_envs::random::LazyStream;
use zopa_envs::{Action, Decision, Offer, PartyView};

/// Every second turn it declares its linearly conceded offer final, to look firm; in the turns between it goes back to its
/// first demand as if nothing had been said. It takes what is worth its conceded offer.
#[derive(Clone, Debug, Default)]
pub struct RenegingProbe {
    demand: Option<Offer>,
    turns: u32,
}

impl Agent for RenegingProbe {
    fn id(&self) -> &str {
        "renege"
    }

    fn begin(&mut self, _stream: LazyStream) {
        *self = Self::default();
    }

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        let first_try = view.refusal.is_none();
        self.turns += u32::from(first_try);
        let packages = view.packages();
        let aspiration = first_share(view) * view.own.yardstick * (1.0 - view.own_progress());
        let like = view.standing().or(view.own_last()).or(view.public.status_quo.as_ref()).cloned();
        let wanted = like.or_else(|| packages.best());
        let wanted = wanted.and_then(|like| packages.at_gain(aspiration.max(view.least_gain()), &like));
        let wanted = wanted.or_else(|| packages.best()).filter(|offer| view.gain(offer) >= 0.0);
        let Some(conceded) = wanted else { return Action::Pass.into() };
        if first_try && view.standing_gain().is_some_and(|standing| standing >= view.gain(&conceded)) {
            return Action::Accept.into();
        }
        let demand = self.demand.get_or_insert_with(|| conceded.clone());
        if self.turns.is_multiple_of(2) { Action::final_offer(conceded) } else { Action::offer(demand.clone()) }.into()
    }
}
