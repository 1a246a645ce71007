//! What is routine in a negotiation, so that nearly every turn need not look at mandates and principals.

use super::Negotiation;
use crate::party::Seat;
use crate::scenario::Scenario;

/// What holds from a negotiation's start as long as no principal steps in; buyer first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Routine {
    /// The mandate limits nothing but the gain: no price limit, permitted values, approval or stop rules.
    pub(super) only_gain: [bool; 2],
    /// The mandate's least gain; minus infinity without one.
    pub(super) least_gain: [f64; 2],
    /// The principal has nothing to say.
    pub(super) silent: [bool; 2],
}

impl Routine {
    pub(super) fn of(scenario: &Scenario) -> Self {
        let [buyer, supplier] = &scenario.mandates;
        let mandates = [buyer, supplier];
        Self {
            only_gain: mandates
                .map(|mandate| mandate.permits_all_values() && mandate.approval.is_empty() && mandate.stop.is_empty()),
            least_gain: mandates.map(|mandate| mandate.least_gain.unwrap_or(f64::NEG_INFINITY)),
            silent: [0, 1].map(|seat| scenario.principals[seat].interventions.is_empty()),
        }
    }
}

impl Negotiation {
    /// Whether the mandate of the side at `seat` can only object to a gain: nothing else is in it and nobody has tightened it.
    #[inline]
    pub(super) fn is_routine(&self, seat: Seat) -> bool {
        self.routine.only_gain[seat.index()] && self.oversight[seat.index()].is_none()
    }
    /// Whether a routine mandate permits an offer or acceptance of own gain `gain`.
    #[inline]
    pub(super) fn is_within_routine(&self, seat: Seat, gain: f64) -> bool {
        gain >= self.routine.least_gain[seat.index()]
    }
}
