//! What is kept of an agent's decisions beside the event log: what it believed last.

use zopa_agents::turn::{Node, Observer};
use zopa_envs::{Belief, Decision, PartyView, Seat};

/// Notes one seat's beliefs and hands everything on to another observer.
pub struct Witness<'a> {
    seat: Seat,
    observer: &'a mut dyn Observer,
    /// The beliefs of the latest decision that stated any, since they were taken last.
    pub beliefs: Vec<Belief>,
}

impl<'a> Witness<'a> {
    /// Watches `seat` for `observer`.
    #[must_use]
    pub fn of(seat: Seat, observer: &'a mut dyn Observer) -> Self {
        Self { seat, observer, beliefs: Vec::new() }
    }
}

impl Observer for Witness<'_> {
    fn enter(&mut self, node: Node, seat: Seat) {
        self.observer.enter(node, seat);
    }

    fn leave(&mut self, node: Node, next: Node, seat: Seat) {
        self.observer.leave(node, next, seat);
    }

    fn decided(&mut self, view: &PartyView<'_>, decision: &Decision) {
        if view.seat == self.seat && !decision.beliefs.is_empty() {
            self.beliefs.clone_from(&decision.beliefs);
        }
        self.observer.decided(view, decision);
    }
}
