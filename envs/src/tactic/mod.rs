//! Scripted tactics, played by counterparts and, through `zopa-agents`, by contenders.
//!
//! Aspirations are shares of the party's yardstick ([`crate::PartyType::yardstick`]): of the reservation price in money, of
//! the highest utility less the disagreement value in tables. Tactics are scripted: they know their own type and the public
//! history, never a belief. None offers or accepts a loss.

mod absolute_tit_for_tat;
mod averaged_tit_for_tat;
mod concession;
mod hardliner;
mod imitation;
mod micro;
mod random_offers;
mod relative_tit_for_tat;
mod selection;
mod time_dependent;

pub use absolute_tit_for_tat::AbsoluteTitForTat;
pub use averaged_tit_for_tat::AveragedTitForTat;
pub use concession::{CONCEDED_ERROR, conceded};
pub use hardliner::Hardliner;
pub(crate) use micro::Lists;
pub use micro::Micro;
pub use random_offers::RandomOffers;
pub use relative_tit_for_tat::RelativeTitForTat;
pub use selection::Selection;
pub use time_dependent::TimeDependent;

use crate::action::Action;
use crate::proposal::Proposal;
use crate::random::LazyStream;
use crate::view::PartyView;
use selection::accept_or_select;

/// A scripted tactic with its parameters and whatever it remembers of the negotiation.
#[derive(Clone, Debug, PartialEq)]
pub enum Tactic {
    /// Concedes by the clock.
    TimeDependent(TimeDependent),
    /// Never concedes.
    Hardliner(Hardliner),
    /// Answers concessions by the same percentage.
    RelativeTitForTat(RelativeTitForTat),
    /// Answers concessions by the same amount.
    AbsoluteTitForTat(AbsoluteTitForTat),
    /// Answers concessions by their average percentage.
    AveragedTitForTat(AveragedTitForTat),
    /// Answers each new offer by its own next best.
    Micro(Micro),
    /// Offers at random.
    Random(RandomOffers),
}

impl Tactic {
    /// The next action of the side that sees `view`: the tactic as it is, whatever guardrails may say.
    pub fn act(&mut self, view: &PartyView<'_>, stream: &mut LazyStream) -> Action {
        self.act_within(view, stream, f64::NEG_INFINITY)
    }

    /// As [`Self::act`], but every offer is worth at least `least` of own gain, in units of utility: with
    /// [`PartyView::least_gain`] the tactic limits its own steps to what guardrails and mandate permit. It holds back what it
    /// may not concede yet and does not forget it.
    ///
    /// A side past its own private deadline leaves.
    pub fn act_within(&mut self, view: &PartyView<'_>, stream: &mut LazyStream, least: f64) -> Action {
        self.propose(view, stream, least).into_action(view)
    }

    /// As [`Self::act_within`], told as shortly as it can be.
    pub(crate) fn propose(&mut self, view: &PartyView<'_>, stream: &mut LazyStream, least: f64) -> Proposal {
        if view.own.deadline.is_some_and(|deadline| view.round >= deadline) {
            return Proposal::Other(Action::WalkAway);
        }
        let (target, selection) = match self {
            Self::TimeDependent(tactic) => {
                (tactic.aspiration_in(view.round, view.own_rounds(), view.own.yardstick), tactic.selection)
            }
            Self::Hardliner(tactic) => (tactic.aspiration(view.own.yardstick), tactic.selection),
            Self::RelativeTitForTat(tactic) => (tactic.aspiration(view), tactic.selection),
            Self::AbsoluteTitForTat(tactic) => (tactic.aspiration(view), tactic.selection),
            Self::AveragedTitForTat(tactic) => (tactic.aspiration(view), tactic.selection),
            Self::Micro(tactic) => return tactic.propose(view, stream, least),
            Self::Random(tactic) => return tactic.propose(view, stream, least),
        };
        accept_or_select(view, selection, target.max(least))
    }
}
