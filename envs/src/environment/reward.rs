//! Rewards: what a learner is trained on. Scores are something else: they judge, and no reward enters them.

use super::trail::Trails;
use crate::event::Outcome;
use crate::guardrail::Faults;
use crate::negotiation::Negotiation;
use crate::party::Seat;
use crate::phase::progress;
use crate::relationship::ContractResult;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What `shaped` pays for an agreement.
pub const AGREEMENT: f64 = 10.0;
/// What `shaped` takes for each guardrail that a proposal fails, each action that is refused, and each promise or disclosure
/// that nobody authorised. Being told no by a person who was asked costs nothing.
pub const VIOLATION: f64 = -5.0;
/// What `shaped` pays for concession-rate efficiency of 1 ([`Trails::concession_efficiency`]).
pub const EFFICIENCY: f64 = 0.3;
/// What `shaped` pays for rapport of 1 ([`Trails::rapport`]).
pub const RAPPORT: f64 = 0.2;

/// What a step is worth to a learner.
///
/// In a series of contracts every contract pays when it is concluded, and *own gain* is the seat's payoff from it after delivery
/// ([`ContractResult::values`]): for the buyer its customer value with what late, wanting or failed deliveries cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reward {
    /// At an agreement the own gain, discounted, as a share of the status quo's price (tables: of the yardstick); losses
    /// are negative. Otherwise 0.
    #[default]
    Surplus,
    /// At an agreement the product of both sides' gains, discounted, each as such a share and at least 0. Otherwise 0. It
    /// looks at the other side's type, as a reward may and an observation may not.
    NashProduct,
    /// 1 at an agreement without a loss, otherwise 0.
    Sparse,
    /// [`AGREEMENT`] at an agreement and [`VIOLATION`] at each violation; at the end of any negotiation [`EFFICIENCY`] times
    /// concession-rate efficiency and [`RAPPORT`] times rapport, which who walks away has none of.
    Shaped,
}

impl fmt::Display for Reward {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Surplus => "surplus",
            Self::NashProduct => "nash_product",
            Self::Sparse => "sparse",
            Self::Shaped => "shaped",
        })
    }
}

impl Reward {
    /// The reward of one own action, whether or not the negotiation went on: `faults` are the guardrails that it failed,
    /// `refused` whether authority or the rules refused it, `unauthorised` its promises and disclosures that the mandate forbids.
    #[must_use]
    pub fn of_action(self, faults: Faults, refused: bool, unauthorised: u32) -> f64 {
        if self != Self::Shaped {
            return 0.0;
        }
        // A refusal by guardrails has its faults counted already.
        VIOLATION * f64::from(faults.count().max(u32::from(refused)) + unauthorised)
    }

    /// The reward of how the negotiation ended for `seat`, added to that of the last action. `trails` tells the seat's, to a
    /// reward that asks.
    #[must_use]
    pub fn of_outcome(
        self,
        negotiation: &Negotiation,
        outcome: &Outcome,
        seat: Seat,
        trails: impl FnOnce() -> Trails,
    ) -> f64 {
        let scenario = negotiation.scenario();
        let share = |seat: Seat| {
            let party = &scenario.types[seat.index()];
            let t = progress(outcome.round, scenario.public.rounds);
            outcome.agreement().map_or(0.0, |offer| {
                let gain = party.gain(offer) * scenario.public.discount_at(seat, t);
                gain / scenario.public.status_quo_price().unwrap_or(party.yardstick)
            })
        };
        self.of_shares(share, negotiation, outcome, seat, trails)
    }

    /// As [`Self::of_outcome`], for one contract of a series with what it came to.
    #[must_use]
    pub fn of_contract(
        self,
        negotiation: &Negotiation,
        outcome: &Outcome,
        result: &ContractResult,
        seat: Seat,
        trails: impl FnOnce() -> Trails,
    ) -> f64 {
        let scenario = negotiation.scenario();
        let share = |seat: Seat| {
            let scale = scenario.public.status_quo_price().unwrap_or(scenario.types[seat.index()].yardstick);
            result.values[seat.index()] / scale
        };
        self.of_shares(share, negotiation, outcome, seat, trails)
    }

    fn of_shares(
        self,
        share: impl Fn(Seat) -> f64,
        negotiation: &Negotiation,
        outcome: &Outcome,
        seat: Seat,
        trails: impl FnOnce() -> Trails,
    ) -> f64 {
        let scenario = negotiation.scenario();
        match self {
            Self::Surplus => share(seat),
            Self::NashProduct => share(seat).max(0.0) * share(seat.other()).max(0.0),
            Self::Sparse => f64::from(u8::from(outcome.agreement().is_some() && share(seat) >= 0.0)),
            Self::Shaped => {
                let party = &scenario.types[seat.index()];
                let reached = outcome.agreement().map(|offer| party.gain(offer));
                let agreement = if reached.is_some() { AGREEMENT } else { 0.0 };
                let trails = trails();
                let efficiency = trails.concession_efficiency(party.peak_gain(&scenario.public.space), reached);
                agreement + EFFICIENCY * efficiency + RAPPORT * trails.rapport()
            }
        }
    }
}
