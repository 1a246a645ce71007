//! The turn graph: how one decision becomes a move, the same for everyone.
//!
//! ```text
//! interpret -> strategise -> authorise -> speak -> check speech -> apply -> counterpart -> (ended? end : interpret)
//!                  ^             |
//!                  +-- refused --+
//! ```
//!
//! The last refusal of a turn moves by itself and goes on to the counterpart. *Counterpart* is the other side's turn where a
//! script plays it; where a player does, that player's turn goes through the same nodes. Words come from the strategist
//! itself, if any, and pass as they are.
//!
//! Only *strategise* belongs to the agent. There is no clock here: observers that want times take them between
//! [`Observer::enter`] and [`Observer::leave`].

use crate::agent::Player;
use std::sync::Arc;
use thiserror::Error;
use zopa_envs::random::LazyStream;
use zopa_envs::{Decision, Negotiation, PartyView, Reply, Ruling, Seat};

/// A step of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// Sees what the other side did and whose turn it is.
    Interpret,
    /// The agent decides.
    Strategise,
    /// Guardrails and mandate test the decision's action.
    Authorise,
    /// Words for the action.
    Speak,
    /// Tests the words against the action.
    CheckSpeech,
    /// The action goes on the record.
    Apply,
    /// Whether it is over; a script moves, where one has the turn.
    Counterpart,
    /// The negotiation is over.
    End,
}

/// Every permitted edge of the graph. A negotiation starts at [`Node::Interpret`], or at [`Node::Counterpart`] where a script
/// opens.
pub const EDGES: [(Node, Node); 10] = [
    (Node::Interpret, Node::Strategise),
    (Node::Strategise, Node::Authorise),
    (Node::Authorise, Node::Strategise),
    (Node::Authorise, Node::Speak),
    (Node::Authorise, Node::Counterpart),
    (Node::Speak, Node::CheckSpeech),
    (Node::CheckSpeech, Node::Apply),
    (Node::Apply, Node::Counterpart),
    (Node::Counterpart, Node::Interpret),
    (Node::Counterpart, Node::End),
];

/// Watches a negotiation without changing it. All methods do nothing by default.
pub trait Observer {
    /// `seat`'s turn enters `node`.
    fn enter(&mut self, node: Node, seat: Seat) {
        let _ = (node, seat);
    }

    /// `seat`'s turn leaves `node` for `next`.
    fn leave(&mut self, node: Node, next: Node, seat: Seat) {
        let _ = (node, next, seat);
    }

    /// A player decided, with what it could see. Called while the turn is in [`Node::Authorise`], so that the time between
    /// entering and leaving [`Node::Strategise`] is the player's own.
    fn decided(&mut self, view: &PartyView<'_>, decision: &Decision) {
        let _ = (view, decision);
    }
}

/// Watches nothing.
impl Observer for () {}

/// A player and its random numbers.
pub struct Seated<'a> {
    /// Who plays.
    pub player: &'a mut Player,
    /// The agent stream of this episode.
    pub stream: LazyStream,
}

/// Why a negotiation could not be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TurnError {
    /// No opponent was named and the scenario brings no counterpart.
    #[error("scenario \"{0}\" has no scripted counterpart: name an opponent")]
    NoCounterpart(Arc<str>),
}

/// Plays `negotiation` to its end: `player` at the scenario's seat, and at the other `opponent`, or the scenario's own
/// counterpart where that is `None`.
///
/// # Errors
/// Where there is neither an opponent nor a counterpart; nothing was played then.
pub fn play(
    negotiation: &mut Negotiation,
    player: Seated<'_>,
    opponent: Option<Seated<'_>>,
    observer: &mut dyn Observer,
) -> Result<(), TurnError> {
    if opponent.is_none() && negotiation.scenario().counterpart.is_none() {
        return Err(TurnError::NoCounterpart(negotiation.scenario().public.name.clone()));
    }
    let own = negotiation.scenario().seat;
    let mut graph = Graph { negotiation, players: [None, None], observer, decision: None };
    let Seated { player, stream } = player;
    player.begin(stream);
    graph.players[own.index()] = Some(player);
    if let Some(Seated { player, stream }) = opponent {
        player.begin(stream);
        graph.players[own.other().index()] = Some(player);
    }
    let mut node =
        if graph.players[graph.negotiation.turn().index()].is_some() { Node::Interpret } else { Node::Counterpart };
    while node != Node::End {
        let seat = graph.negotiation.turn();
        graph.observer.enter(node, seat);
        let next = graph.step(node, seat);
        graph.observer.leave(node, next, seat);
        node = next;
    }
    Ok(())
}

struct Graph<'a, 'b> {
    negotiation: &'a mut Negotiation,
    /// Who sits where; a script where nobody does.
    players: [Option<&'a mut Player>; 2],
    observer: &'b mut dyn Observer,
    /// What this turn's strategist decided.
    decision: Option<Decision>,
}

impl Graph<'_, '_> {
    /// Does one node's work and says where the turn goes from there.
    fn step(&mut self, node: Node, seat: Seat) -> Node {
        match node {
            Node::Interpret => Node::Strategise,
            Node::Strategise => self.strategise(seat),
            Node::Authorise => self.authorise(seat),
            Node::Speak => Node::CheckSpeech,
            Node::CheckSpeech => Node::Apply,
            Node::Apply => {
                self.submit();
                Node::Counterpart
            }
            Node::Counterpart => self.counterpart(seat),
            Node::End => Node::End,
        }
    }

    fn strategise(&mut self, seat: Seat) -> Node {
        let (view, scenario) = (self.negotiation.view(seat), self.negotiation.scenario());
        self.decision = self.players[seat.index()].as_mut().map(|player| player.decide(&view, scenario));
        Node::Authorise
    }

    /// A refused action is submitted at once, so that the refusal is on the record and reaches the agent; what passes,
    /// corrected or not, is spoken for first.
    fn authorise(&mut self, seat: Seat) -> Node {
        let permitted = self.decision.as_ref().is_some_and(|decision| {
            self.observer.decided(&self.negotiation.view(seat), decision);
            self.negotiation.permits(&decision.action)
        });
        if permitted {
            return Node::Speak;
        }
        match self.submit() {
            Some(Ruling::Refused(_)) => Node::Strategise,
            _ => Node::Counterpart,
        }
    }

    fn submit(&mut self) -> Option<Ruling> {
        let Decision { action, intent, message, .. } = self.decision.take()?;
        Some(self.negotiation.submit(action, intent, message))
    }

    fn counterpart(&mut self, seat: Seat) -> Node {
        if self.negotiation.outcome().is_none() && self.players[seat.index()].is_none() {
            // A refusal leaves the turn where it is; the rules bound how many there are.
            loop {
                let Some((counterpart, view)) = self.negotiation.counterpart() else { return Node::End };
                let Reply { action, message } = counterpart.act(&view);
                if !matches!(self.negotiation.submit(action, None, message), Ruling::Refused(_)) {
                    break;
                }
            }
        }
        if self.negotiation.outcome().is_some() { Node::End } else { Node::Interpret }
    }
}
