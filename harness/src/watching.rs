//! Several observers of one negotiation.

use zopa_agents::turn::{Node, Observer};
use zopa_envs::{Decision, PartyView, Seat};

/// Two observers as one; the first is told first.
pub struct Both<'a>(pub &'a mut dyn Observer, pub &'a mut dyn Observer);

impl Observer for Both<'_> {
    fn enter(&mut self, node: Node, seat: Seat) {
        self.0.enter(node, seat);
        self.1.enter(node, seat);
    }

    fn leave(&mut self, node: Node, next: Node, seat: Seat) {
        self.0.leave(node, next, seat);
        self.1.leave(node, next, seat);
    }

    fn decided(&mut self, view: &PartyView<'_>, decision: &Decision) {
        self.0.decided(view, decision);
        self.1.decided(view, decision);
    }

    fn used(&mut self, seat: Seat, prompt_tokens: u64, completion_tokens: u64) {
        self.0.used(seat, prompt_tokens, completion_tokens);
        self.1.used(seat, prompt_tokens, completion_tokens);
    }
}
