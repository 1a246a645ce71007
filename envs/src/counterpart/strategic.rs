//! A counterpart that reads the other side's concessions.

use super::course::Course;
use crate::view::PartyView;

/// Reads a fast concession as weakness and holds back; gives to who is firm, but not to who stands still.
///
/// With x the other side's last step in this side's gain, as a share of the yardstick, and e the step it expects, the
/// course's clock runs at `1 + sensitivity * (1 - min(x / e, 2))`: between `1 + sensitivity` for who holds firm and
/// `1 - sensitivity` for who gives twice what is expected. Who has held out for more turns than `tolerance` without steps
/// that add up to the course's pace stands still, and the clock runs at the standstill's speed until they do. History-reactive
/// in the manner of the behaviour-dependent tactics of Faratin, Sierra and Jennings 1998, with the sign reversed.
#[derive(Clone, Debug, PartialEq)]
pub struct Strategic {
    /// The step a turn that it expects, as a share of the own yardstick; positive.
    pub expected: f64,
    /// How strongly the clock answers, in `[0, 1]`.
    pub sensitivity: f64,
    /// Turns without a real step that pass for firmness.
    pub tolerance: u16,
    idle: u16,
    owed: f64,
}

impl Strategic {
    /// A behaviour that has seen nothing yet.
    #[must_use]
    pub fn new(expected: f64, sensitivity: f64, tolerance: u16) -> Self {
        Self { expected, sensitivity, tolerance, idle: 0, owed: 0.0 }
    }

    /// The clock's speed after a step of `step` in a turn.
    pub(super) fn speed(&mut self, course: &Course, view: &PartyView<'_>, step: f64) -> f64 {
        if view.standing().is_none() {
            return course.standstill;
        }
        self.owed += step;
        if self.owed >= course.pace {
            (self.idle, self.owed) = (0, 0.0);
        } else {
            self.idle = self.idle.saturating_add(1);
        }
        if self.idle > self.tolerance {
            return course.standstill;
        }
        // A first offer is no concession.
        let share = if step.is_finite() { (step / self.expected).min(2.0) } else { 1.0 };
        1.0 + self.sensitivity * (1.0 - share)
    }
}
