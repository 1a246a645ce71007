//! Scripted tactics, played by counterparts and, through `zopa-agents`, by contenders.

mod time_dependent;

pub use time_dependent::TimeDependent;

use crate::action::Action;
use crate::random::LazyStream;
use crate::view::PartyView;

/// A scripted tactic with its parameters and whatever it remembers of the negotiation.
#[derive(Clone, Debug, PartialEq)]
pub enum Tactic {
    /// Concedes by the clock.
    TimeDependent(TimeDependent),
}

impl Tactic {
    /// The next action of the side that sees `view`.
    pub fn act(&mut self, view: &PartyView<'_>, _stream: &mut LazyStream) -> Action {
        match self {
            Self::TimeDependent(tactic) => tactic.act(view),
        }
    }
}
