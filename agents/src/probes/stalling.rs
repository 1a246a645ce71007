//! Waits, and takes what waiting brings.

use crate::agent::Agent;
use crate::aspiration::first_share;
use zopa_envs::random::LazyStream;
use zopa_envs::{Action, Decision, Offer, PartyView};

/// What it does while it waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Passes.
    Silent,
    /// Repeats the demand of its first turn: the package of its first aspiration with its own best terms.
    Repeating,
}

/// Waits, and takes the standing offer from the turn on in which the progress of its own time is at least `from` and the
/// offer is worth at least a share `least` of its first aspiration; in its last turn it takes any gain.
///
/// Waiting pays against counterparts that concede by the clock to their reservation value. It must not here: final
/// aspirations lie above it, every round can be the last, and some counterparts move only with who moves.
#[derive(Clone, Debug)]
pub struct StallThenAccept {
    id: &'static str,
    waiting: Waiting,
    from: f64,
    least: f64,
    demand: Option<Option<Offer>>,
}

impl StallThenAccept {
    /// A stalling agent that answers to `id`; `from` and `least` lie in `[0, 1]`.
    #[must_use]
    pub fn new(id: &'static str, waiting: Waiting, from: f64, least: f64) -> Self {
        Self { id, waiting, from, least, demand: None }
    }

    fn wait(&mut self, view: &PartyView<'_>) -> Action {
        if self.waiting == Waiting::Silent {
            return Action::Pass;
        }
        let demand = self.demand.get_or_insert_with(|| {
            let packages = view.packages();
            let best = packages.best()?;
            packages.at_gain(first_share(view) * view.own.yardstick, &best).or(Some(best))
        });
        demand.clone().filter(|demand| view.gain(demand) >= 0.0).map_or(Action::Pass, Action::offer)
    }
}

impl Agent for StallThenAccept {
    fn id(&self) -> &str {
        self.id
    }

    fn begin(&mut self, _stream: LazyStream) {
        self.demand = None;
    }

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        let wanted = self.least * first_share(view) * view.own.yardstick;
        let ripe = view.is_last_turn() || view.own_progress() >= self.from;
        let takes = view.standing_gain().is_some_and(|gain| gain > 0.0 && (gain >= wanted || view.is_last_turn()));
        if ripe && takes && view.refusal.is_none() { Action::Accept } else { self.wait(view) }.into()
    }
}
