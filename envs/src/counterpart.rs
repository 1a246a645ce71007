//! The scripted other side, its parameters drawn.

use crate::action::Action;
use crate::random::LazyStream;
use crate::tactic::Tactic;
use crate::view::PartyView;
use std::sync::Arc;

/// A counterpart: a family's tactic with drawn parameters and its own random stream.
#[derive(Clone, Debug)]
pub struct Counterpart {
    /// The family it was drawn from.
    pub family: Arc<str>,
    /// What it does.
    pub tactic: Tactic,
    /// Its random numbers: the same for every contender that meets it.
    pub stream: LazyStream,
}

impl Counterpart {
    /// Its next action.
    pub fn act(&mut self, view: &PartyView<'_>) -> Action {
        self.tactic.act(view, &mut self.stream)
    }
}
