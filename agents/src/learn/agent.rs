//! A learned policy at an agent's seat.

use super::perception::Perceived;
use super::plain::{Scratch, best};
use super::weights::Policy;
use crate::agent::Agent;
use std::sync::Arc;
use zopa_envs::random::LazyStream;
use zopa_envs::{Decision, PartyView};

/// Raised with the weights that ship, and with what is made of a policy's choice. 2: weights of the strong recipe, not the short one.
const VERSION: u32 = 2;

/// Plays the policy's best choice in every turn: the highest action value, or the most likely choice of a policy over
/// probabilities. It draws nothing at random.
#[derive(Clone, Debug)]
pub struct LearnedAgent {
    id: String,
    policy: Arc<Policy>,
    perceived: Option<Perceived>,
    scratch: Scratch,
    row: Vec<f32>,
    mask: Vec<bool>,
    values: Vec<f32>,
}

impl LearnedAgent {
    /// An agent that plays `policy` and answers to `id`.
    #[must_use]
    pub fn new(id: impl Into<String>, policy: Arc<Policy>) -> Self {
        let (row, choices) = (vec![0.0; policy.card.perception.width()], policy.card.moves.count());
        Self {
            id: id.into(),
            policy,
            perceived: None,
            scratch: Scratch::default(),
            row,
            mask: vec![false; choices],
            values: vec![0.0; choices],
        }
    }

    /// What it plays.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }
}

impl Agent for LearnedAgent {
    fn id(&self) -> &str {
        &self.id
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn begin(&mut self, _stream: LazyStream) {
        self.perceived = None;
    }

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        let card = &self.policy.card;
        let perceived = self.perceived.get_or_insert_with(|| Perceived::begin(view));
        perceived.follow(view);
        perceived.write(card.perception, view, &mut self.row);
        card.moves.write_mask(view, &mut self.mask);
        self.policy.network.action_values(&self.row, &mut self.scratch, &mut self.values);
        card.moves.decide(best(&self.values, &self.mask), view, perceived)
    }
}
