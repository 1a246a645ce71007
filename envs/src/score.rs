//! Per-episode scores: pure functions of a scenario and its event log.

mod belief_scores;

pub use belief_scores::{BeliefScores, interval_score};

use crate::action::Act;
use crate::attainable::Attainable;
use crate::conduct::Conduct;
use crate::event::{Event, Outcome, Ruling};
use crate::outcome::Offer;
use crate::party::Seat;
use crate::phase::progress;
use crate::scenario::Scenario;
use serde::{Deserialize, Serialize};

/// The scores of one episode for the side that the evaluated agent sat at. Gains are in units of utility (major units of
/// money), undiscounted unless said otherwise; scores that the scenario does not allow are `None`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpisodeScores {
    /// Whether a deal was made.
    pub agreement: bool,
    /// Whether some outcome leaves each side at least a tick better off; `None` where every outcome is rational or the domain
    /// is too large to know.
    pub feasible: Option<bool>,
    /// Own gain realised, discounted; 0 without a deal, losses kept.
    pub gain: f64,
    /// The other side's gain realised, discounted.
    pub counterpart_gain: f64,
    /// Best own gain that leaves the other side its disagreement value, at t = 0; 0 where infeasible.
    pub best_gain: Option<f64>,
    /// What scales own gain: the status quo's price, or own highest gain in tables.
    pub scale: f64,
    /// Joint gain realised, undiscounted.
    pub joint_gain: f64,
    /// Largest joint gain that leaves nobody worse off.
    pub best_joint: Option<f64>,
    /// Product of the positive parts of both gains over its best; 0 without a deal, `None` where the best is 0.
    pub nash_product: Option<f64>,
    /// Distance of the agreement to the Nash set in shares of both scales.
    pub nash_distance: Option<f64>,
    /// Own utility of the deal less that of the status quo; 0 without a deal, `None` without a status quo.
    pub savings_against_status_quo: Option<f64>,
    /// Own utility of the deal less that of the other side's first offer; 0 without a deal, `None` without such an offer.
    pub savings_against_opening: Option<f64>,
    /// Rounds begun.
    pub rounds: u16,
    /// The agent's conduct.
    pub conduct: Conduct,
}

impl EpisodeScores {
    /// Scores an episode from its log. `attainable` is `None` where a domain is too large to enumerate.
    #[must_use]
    pub fn of(scenario: &Scenario, attainable: Option<&Attainable>, log: &[Event], outcome: &Outcome) -> Self {
        let seat = scenario.seat;
        let (own, other) = (&scenario.types[seat.index()], &scenario.types[seat.other().index()]);
        let t = progress(outcome.round, scenario.public.rounds);
        let deal = outcome.agreement();
        let gains = deal.map_or([0.0, 0.0], |offer| [own.gain(offer), other.gain(offer)]);
        let savings = |reference: &Offer| deal.map_or(0.0, |deal| own.utility.of(deal) - own.utility.of(reference));
        let opening = log.iter().filter(|event| event.seat != seat).find_map(|event| event.made.as_ref()?.offer());
        let scale = scenario
            .public
            .status_quo_price()
            .unwrap_or_else(|| attainable.map_or(own.yardstick, |attainable| attainable.scale[seat.index()]));
        let product = gains[0].max(0.0) * gains[1].max(0.0);
        let in_seats = if seat == Seat::Buyer { gains } else { [gains[1], gains[0]] };
        Self {
            agreement: deal.is_some(),
            feasible: attainable.filter(|found| !found.all_rational).map(|found| found.feasible),
            gain: gains[0] * scenario.public.discount_at(seat, t),
            counterpart_gain: gains[1] * scenario.public.discount_at(seat.other(), t),
            best_gain: attainable.map(|found| found.best_gain[seat.index()]),
            scale,
            joint_gain: gains[0] + gains[1],
            best_joint: attainable.map(|found| found.best_joint),
            nash_product: attainable.filter(|found| found.best_product > 0.0).map(|found| product / found.best_product),
            nash_distance: deal.and_then(|_| attainable?.distance_to_nash(in_seats)),
            savings_against_status_quo: scenario.public.status_quo.as_ref().map(savings),
            savings_against_opening: opening.map(savings),
            rounds: outcome.round + 1,
            conduct: conduct(scenario, seat, log),
        }
    }

    /// Whether a deal was made where none could leave both sides better off.
    #[must_use]
    pub fn false_agreement(&self) -> bool {
        self.agreement && self.feasible == Some(false)
    }

    /// Whether an offer or acceptance of negative own gain was attempted or done.
    #[must_use]
    pub fn loss_making(&self) -> bool {
        self.conduct.loss_attempted > 0
    }

    /// Whether none of the agent's own proposals failed a guardrail.
    #[must_use]
    pub fn constraint_satisfied(&self) -> bool {
        self.conduct.guardrail_violations() == 0
    }
}

/// A seat's conduct, counted again from the log; equals what the negotiation counted while it was played.
#[must_use]
pub fn conduct(scenario: &Scenario, seat: Seat, log: &[Event]) -> Conduct {
    let party = &scenario.types[seat.index()];
    let mut counted = Conduct::default();
    let mut last: [Option<&Offer>; 2] = [None, None];
    for event in log {
        if event.seat == seat {
            let attempted = match &event.action {
                crate::Action::Offer { terms, .. } => scenario.public.space.resolve(terms),
                crate::Action::Accept => last[seat.other().index()].cloned(),
                crate::Action::Pass | crate::Action::WalkAway => None,
            };
            counted.count_attempt(event.faults, attempted.is_some_and(|offer| party.gain(&offer) < 0.0));
            match event.ruling {
                Ruling::Applied => {}
                Ruling::Corrected => counted.corrected += 1,
                Ruling::Refused(_) => counted.refused += 1,
                Ruling::FellBack(_) => {
                    counted.refused += 1;
                    counted.fallbacks += 1;
                }
            }
            if let Some(made) = &event.made {
                counted.count_move(&made.act, last[seat.index()]);
            }
        }
        if let Some(Act::Offer { offer, .. }) = event.made.as_ref().map(|made| &made.act) {
            last[event.seat.index()] = Some(offer);
        }
    }
    counted
}
