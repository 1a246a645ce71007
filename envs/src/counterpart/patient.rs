//! A counterpart that waits.

use crate::view::PartyView;

/// Keeps to its first aspiration until a share `hold` of its rounds has passed, whatever it is offered, and concedes over the
/// rest of them. Waiting costs it nothing: it heeds neither discount nor haste.
#[derive(Clone, Debug, PartialEq)]
pub struct Patient {
    /// The share of its rounds that it waits, in `[0, 1)`.
    pub hold: f64,
}

impl Patient {
    /// The clock's speed in this turn: 0 while it waits, then so much that the rest of its time is enough.
    pub(super) fn speed(&self, view: &PartyView<'_>) -> f64 {
        if view.own_progress() <= self.hold { 0.0 } else { 1.0 / (1.0 - self.hold) }
    }
}
