//! What is kept of an agent's decisions beside the event log: how long each took, and what it believed last.

use crate::latency::LatencyObserver;
use zopa_agents::turn::{Node, Observer};
use zopa_envs::{Belief, Decision, PartyView, Seat};

/// Watches one seat.
#[derive(Debug)]
pub struct Witness {
    seat: Seat,
    /// The decisions' times.
    pub latency: LatencyObserver,
    /// The beliefs of the latest decision that stated any, since they were taken last.
    pub beliefs: Vec<Belief>,
}

impl Witness {
    /// Watches `seat`.
    #[must_use]
    pub fn of(seat: Seat) -> Self {
        Self { seat, latency: LatencyObserver::of(seat), beliefs: Vec::new() }
    }
}

impl Observer for Witness {
    fn enter(&mut self, node: Node, seat: Seat) {
        self.latency.enter(node, seat);
    }

    fn leave(&mut self, node: Node, next: Node, seat: Seat) {
        self.latency.leave(node, next, seat);
    }

    fn decided(&mut self, view: &PartyView<'_>, decision: &Decision) {
        if view.seat == self.seat && !decision.beliefs.is_empty() {
            self.beliefs.clone_from(&decision.beliefs);
        }
    }
}
