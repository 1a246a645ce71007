//! The turn graph: how one decision becomes a move, the same for everyone.
//!
//! ```text
//! interpret -> strategise -> authorise -> speak -> check speech -> apply -> counterpart -> (ended? end : interpret)
//!                  ^          |  ^  |      ^         |    |
//!                  +- refused +  |  |      +mismatch-+    |
//!                                |  +---- held ----+      | held
//!                                +--- answered --- approver
//! ```
//!
//! The last refusal of a turn, and an invalid reply, move by themselves and go on to the counterpart. An action or a promise
//! that needs approval goes to the approver and comes back with the answer. Words that do not pass their check are asked for
//! again, at most [`REWORDINGS`] times; then the template speaks. *Counterpart* is the other side's turn where a script plays
//! it; where a player does, that player's turn goes through the same nodes. Without speech in the scenario, and without words
//! from the strategist, nothing is said.
//!
//! Only *strategise*, and *speak* where a speaker sits beside the strategist, belong to the agent. There is no clock here: observers that want times take them between
//! [`Observer::enter`] and [`Observer::leave`].

mod graph;

use crate::agent::Player;
use crate::speaker::Speaker;
use graph::Graph;
use std::sync::Arc;
use thiserror::Error;
use zopa_envs::random::LazyStream;
use zopa_envs::{Decision, Negotiation, PartyView, Seat};

/// Wordings of one move that may be withheld before the template speaks.
pub const REWORDINGS: u8 = 2;

/// A step of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// Sees what the other side did and whose turn it is.
    Interpret,
    /// The agent decides.
    Strategise,
    /// Guardrails and mandate test the decision's action.
    Authorise,
    /// A person answers what waits for approval.
    Approver,
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
pub const EDGES: [(Node, Node); 14] = [
    (Node::Interpret, Node::Strategise),
    (Node::Strategise, Node::Authorise),
    (Node::Authorise, Node::Strategise),
    (Node::Authorise, Node::Approver),
    (Node::Approver, Node::Authorise),
    (Node::Authorise, Node::Speak),
    (Node::Authorise, Node::Counterpart),
    (Node::Speak, Node::CheckSpeech),
    (Node::CheckSpeech, Node::Speak),
    (Node::CheckSpeech, Node::Approver),
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

    /// `seat`'s player and speaker have used so many tokens in all since the negotiation began. Called while the turn is in a node
    /// that may have asked a model, where one has been asked.
    fn used(&mut self, seat: Seat, prompt_tokens: u64, completion_tokens: u64) {
        let _ = (seat, prompt_tokens, completion_tokens);
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
    /// A player has no decision because what it depends on failed: infrastructure, never a result.
    #[error("no result: {0}")]
    Unavailable(Arc<str>),
}

/// Plays `negotiation` to its end: `player` at the scenario's seat, and at the other `opponent`, or the scenario's own
/// counterpart where that is `None`. Where the scenario has speech, templates speak for players that say nothing themselves.
///
/// # Errors
/// Where there is neither an opponent nor a counterpart, and nothing was played; or where a player has no decision
/// ([`crate::Agent::fault`]), and the negotiation was broken off.
pub fn play(
    negotiation: &mut Negotiation,
    player: Seated<'_>,
    opponent: Option<Seated<'_>>,
    observer: &mut dyn Observer,
) -> Result<(), TurnError> {
    play_spoken(negotiation, player, opponent, [None, None], observer)
}

/// As [`play`], with speakers for the player and the opponent; templates speak where there is none.
///
/// # Errors
/// As [`play`].
pub fn play_spoken(
    negotiation: &mut Negotiation,
    player: Seated<'_>,
    opponent: Option<Seated<'_>>,
    speakers: [Option<&mut dyn Speaker>; 2],
    observer: &mut dyn Observer,
) -> Result<(), TurnError> {
    if opponent.is_none() && negotiation.scenario().counterpart.is_none() {
        return Err(TurnError::NoCounterpart(negotiation.scenario().public.name.clone()));
    }
    let own = negotiation.scenario().seat;
    let mut graph = Graph::new(negotiation, observer);
    let [own_speaker, other_speaker] = speakers;
    graph.seat(own, player, own_speaker);
    if let Some(opponent) = opponent {
        graph.seat(own.other(), opponent, other_speaker);
    }
    graph.run()
}
