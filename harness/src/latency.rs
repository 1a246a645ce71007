//! Times an agent's decisions and its words from outside: agents read no clock.

use std::time::Instant;
use zopa_agents::turn::{Node, Observer};
use zopa_envs::Seat;

/// Collects how long each decision of one seat took, and apart from it each wording.
#[derive(Debug)]
pub struct LatencyObserver {
    seat: Seat,
    entered: Option<Instant>,
    /// One entry a decision, in nanoseconds.
    pub nanoseconds: Vec<u64>,
    /// One entry a wording, in nanoseconds.
    pub speech_nanoseconds: Vec<u64>,
}

impl LatencyObserver {
    /// Times the decisions of `seat`.
    #[must_use]
    pub fn of(seat: Seat) -> Self {
        Self { seat, entered: None, nanoseconds: Vec::new(), speech_nanoseconds: Vec::new() }
    }
}

impl Observer for LatencyObserver {
    fn enter(&mut self, node: Node, seat: Seat) {
        if matches!(node, Node::Strategise | Node::Speak) && seat == self.seat {
            self.entered = Some(Instant::now());
        }
    }

    fn leave(&mut self, node: Node, _next: Node, seat: Seat) {
        let taken = match node {
            Node::Strategise => &mut self.nanoseconds,
            Node::Speak => &mut self.speech_nanoseconds,
            _ => return,
        };
        if seat == self.seat
            && let Some(entered) = self.entered.take()
        {
            taken.push(u64::try_from(entered.elapsed().as_nanos()).unwrap_or(u64::MAX));
        }
    }
}
