//! What is routine in a negotiation, so that nearly every turn need not look at mandates, principals and types.

use super::Negotiation;
use crate::guardrail::Limits;
use crate::mandate::Mandate;
use crate::party::Seat;
use crate::principal::Principal;
use crate::scenario::Scenario;
use crate::utility::PriceGrid;

/// What holds from a negotiation's start as long as no principal steps in; buyer first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Routine {
    /// The mandate limits nothing but the gain: no price limit, permitted values, approval or stop rules.
    pub(super) only_gain: [bool; 2],
    /// The principal has nothing to say.
    pub(super) silent: [bool; 2],
    /// The mandate's least gain; minus infinity without one.
    pub(super) least_gain: [f64; 2],
    /// What passes the guardrails.
    pub(super) limits: [Limits; 2],
    /// What no deal is worth.
    pub(super) disagreement: [f64; 2],
    /// The grid of the price, where both sides see it alike.
    pub(super) prices: Option<PriceGrid>,
}

impl Routine {
    // Both sides spelled out: a map over them is a call of its own.
    pub(super) fn of(scenario: &Scenario) -> Self {
        let only_gain =
            |mandate: &Mandate| mandate.permits_all_values() && mandate.approval.is_empty() && mandate.stop.is_empty();
        let least_gain = |mandate: &Mandate| mandate.least_gain.unwrap_or(f64::NEG_INFINITY);
        let silent = |principal: &Principal| principal.interventions.is_empty();
        let caps = scenario.public.guardrails.as_ref();
        let [buyer, supplier] = &scenario.types;
        let disagreement = [buyer.disagreement, supplier.disagreement];
        let limits = [Limits::of(caps, buyer), Limits::of(caps, supplier)];
        let prices = match (buyer.utility.price_term(), supplier.utility.price_term()) {
            (Some(pays), Some(receives)) if pays.grid() == receives.grid() => Some(pays.grid()),
            _ => None,
        };
        let [buyer, supplier] = &scenario.mandates;
        let (only_gain, least_gain) =
            ([only_gain(buyer), only_gain(supplier)], [least_gain(buyer), least_gain(supplier)]);
        let [buyer, supplier] = &scenario.principals;
        Self { only_gain, silent: [silent(buyer), silent(supplier)], least_gain, limits, disagreement, prices }
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
