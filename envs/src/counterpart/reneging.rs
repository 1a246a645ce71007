//! A counterpart that takes back what it offered.

use super::course::Course;
use crate::random::LazyStream;
use crate::view::PartyView;

/// Takes its last offer back and asks for more: in each own turn, with probability `chance`, its clock turns back by
/// `retreat` of the whole course instead of running on, so that its next offer is worse for the other side. One uniform a turn
/// once it has conceded so much.
#[derive(Clone, Debug, PartialEq)]
pub struct Reneging {
    /// Chance of a retreat in a turn.
    pub chance: f64,
    /// How far it goes, as a share of the whole course's time.
    pub retreat: f64,
}

impl Reneging {
    /// Whether it retreats in this turn.
    pub(super) fn retreats(&self, course: &mut Course, view: &PartyView<'_>, stream: &mut LazyStream) -> bool {
        let could = view.own_last().is_some() && course.clock() >= self.retreat;
        could && stream.open().uniform() < self.chance && course.turn_back(self.retreat)
    }
}
