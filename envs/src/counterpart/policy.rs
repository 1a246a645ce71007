//! What a counterpart does.

use super::behaviour::Behaviour;
use super::course::Course;
use crate::action::Action;
use crate::proposal::Proposal;
use crate::random::LazyStream;
use crate::tactic::{Lists, Tactic};
use crate::view::PartyView;

/// A tactic of the field, or a course of concessions that a behaviour steers.
#[derive(Clone, Debug, PartialEq)]
pub enum Policy {
    /// A scripted tactic as it is.
    Tactic(Tactic),
    /// Concedes along a course, faster, slower or backwards as the behaviour says.
    Conceding {
        /// Where it concedes from and to.
        course: Course,
        /// What steers it.
        behaviour: Behaviour,
    },
}

impl From<Tactic> for Policy {
    fn from(tactic: Tactic) -> Self {
        Self::Tactic(tactic)
    }
}

impl Policy {
    /// The next action of the side that sees `view`. A side past its own private deadline leaves; none offers or accepts a
    /// loss.
    pub fn act(&mut self, view: &PartyView<'_>, stream: &mut LazyStream) -> Action {
        self.propose(view, stream).into_action(view)
    }

    /// As [`Self::act`], told as shortly as it can be.
    pub(super) fn propose(&mut self, view: &PartyView<'_>, stream: &mut LazyStream) -> Proposal {
        let (course, behaviour) = match self {
            Self::Tactic(tactic) => return tactic.propose(view, stream, f64::NEG_INFINITY),
            Self::Conceding { course, behaviour } => (course, behaviour),
        };
        if view.own.deadline.is_some_and(|deadline| view.round >= deadline) {
            return Proposal::Other(Action::WalkAway);
        }
        // An acceptance that was refused is not tried again, and no time has passed since.
        let first_try = view.refusal.is_none();
        if first_try {
            behaviour.advance(course, view, stream);
        }
        let next = course.selection.find(view, course.aspiration(view.own.yardstick));
        let Some(next) = next.filter(|next| next.gain() >= 0.0) else { return Proposal::Other(Action::Pass) };
        let ask = next.gain();
        // Whatever tempts it, it takes nothing below its last aspiration.
        let floor = ask.min(course.last * view.own.yardstick);
        match view.standing_gain() {
            Some(standing) if first_try && standing >= floor && behaviour.takes(view, standing, ask, stream) => {
                Proposal::Other(Action::Accept)
            }
            _ => Proposal::Offer(next),
        }
    }

    /// The lists of offers that a policy which keeps some has kept, emptied.
    pub(super) fn take_lists(&mut self) -> Option<Lists> {
        let Self::Tactic(Tactic::Micro(micro)) = self else { return None };
        Some(micro.take_lists())
    }

    /// Lists for a policy that keeps offers.
    pub(super) fn give_lists(&mut self, lists: &mut Lists) {
        if let Self::Tactic(Tactic::Micro(micro)) = self {
            micro.give_lists(std::mem::take(lists));
        }
    }

    /// The drawn parameters by the names that suite files give them; a tactic's are in the tactic.
    #[must_use]
    pub fn parameters(&self) -> Vec<(&'static str, f64)> {
        let Self::Conceding { course, behaviour } = self else { return Vec::new() };
        let mut parameters = vec![
            ("exponent", course.exponent),
            ("initial", course.initial),
            ("last", course.last),
            ("standstill", course.standstill),
            ("pace", course.pace),
        ];
        parameters.extend(behaviour.parameters());
        parameters
    }

    /// How much own gain, as a share of the yardstick, it still means to give up; `None` where the tactic does not say.
    pub(super) fn room(&self, view: &PartyView<'_>) -> Option<f64> {
        match self {
            Self::Conceding { course, .. } => Some(course.aspiration(1.0) - course.last),
            Self::Tactic(Tactic::TimeDependent(tactic)) => {
                Some(tactic.aspiration(view.own_progress(), 1.0) - tactic.last)
            }
            Self::Tactic(Tactic::Hardliner(_)) => Some(0.0),
            Self::Tactic(_) => None,
        }
    }

    /// Whether it means to take back what it gave.
    pub(super) fn reneges(&self) -> bool {
        matches!(self, Self::Conceding { behaviour: Behaviour::Reneging(_), .. })
    }

    /// Whether it would take less now than wait.
    pub(super) fn hurries(&self) -> bool {
        matches!(self, Self::Conceding { behaviour: Behaviour::Desperate(_), .. })
    }
}
