//! What a seat can expect at most over a whole series.

use super::attitude::least_aspiration;
use super::delivery::Delivery;
use super::series::scale;
use super::{DeliveryRules, RegardRules, RelationshipRules};
use crate::package::SEARCH_LIMIT;
use crate::party::Seat;
use crate::scenario::Scenario;

/// Steps of trust between 0 and 1.
const TRUST_STEPS: usize = 40;

/// Steps of the gain left to the other side, up to the largest that changes anything.
const LEFT_STEPS: usize = 50;

/// Upper bounds of the expected payoff over a series, before its deliveries are drawn, in major units.
///
/// Backward induction over contracts with the other side's trust as state (41 values) and the gain left to it as action (51
/// values). At each action the own gain is the best that any package gives, at any price, grid or not, and without discount; the
/// supplier's health, its trust and the least that it accepts are those of the upper end of the action's interval; next trust is
/// rounded up, which is in the agent's favour since value never falls with trust. A contract without a deal goes on with the
/// published chance and its trust as it is. All types, the whole walk of the disagreement values and the counterpart's family
/// are known to who plans; it cannot see deliveries ahead. So no policy's *mean* payoff passes the bound; one lucky episode may.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// For the evaluated seat, against the counterpart's least aspiration where there is one, else against its reservation.
    pub own: f64,
    /// For the buyer, were the supplier to take whatever leaves it no loss and trust to play no part.
    pub customer: f64,
}

/// Both utilities of one combination of other terms as lines in the price: `(rest, slope)`, buyer first.
type Lines = [(f64, f64); 2];

impl Horizon {
    /// The bounds of a series with these contracts; `None` where utilities are no money or there are too many combinations of
    /// terms to walk through.
    #[must_use]
    pub fn of(rules: &RelationshipRules, contracts: &[Scenario]) -> Option<Self> {
        let first = contracts.first()?;
        let lines = lines(first)?;
        let problem = |seat, floors| Problem { rules, contracts, lines: &lines, seat, floors };
        Some(Self { own: problem(first.seat, true).solve(), customer: problem(Seat::Buyer, false).solve() })
    }
}

/// The lines of every combination of terms. Valuations persist, so that they are the same in every contract.
fn lines(scenario: &Scenario) -> Option<Vec<Lines>> {
    let issues = scenario.public.space.issues();
    let price = scenario.types[0].utility.price_issue()?;
    let others = || (0..issues.len()).rev().filter(|&issue| issue != price);
    let combinations: u64 = others().map(|issue| u64::from(issues[issue].len())).product();
    if combinations > SEARCH_LIMIT {
        return None;
    }
    (0..combinations)
        .map(|rank| {
            let mut terms = scenario.public.space.outcome(0);
            let mut left = rank;
            for issue in others() {
                let len = u64::from(issues[issue].len());
                terms.set(issue, (left % len) as u32);
                left /= len;
            }
            let [buyer, supplier] = &scenario.types;
            Some([buyer.utility.line(&terms)?, supplier.utility.line(&terms)?])
        })
        .collect()
}

struct Problem<'a> {
    rules: &'a RelationshipRules,
    contracts: &'a [Scenario],
    lines: &'a [Lines],
    /// Whose payoff is bounded.
    seat: Seat,
    /// Whether the other side's least aspiration counts.
    floors: bool,
}

impl Problem<'_> {
    /// The bound at the initial trust.
    fn solve(&self) -> f64 {
        let mut next = [0.0; TRUST_STEPS + 1];
        for number in (0..self.contracts.len()).rev() {
            next = self.contract(number, &next);
        }
        at_least(&next, self.rules.regard.initial_trust)
    }

    /// The bound before contract `number`, by trust, given the one after it.
    fn contract(&self, number: usize, next: &[f64; TRUST_STEPS + 1]) -> [f64; TRUST_STEPS + 1] {
        let (delivery, regard) = (&self.rules.delivery, &self.rules.regard);
        let scenario = &self.contracts[number];
        let scale = scale(scenario);
        let other = self.seat.other();
        let follows = number + 1 < self.contracts.len();
        let floor = self.floor(scenario, scale);
        // Beyond this nothing that the other side is left changes anything but the own gain.
        let most = delivery.healthy_margin.max(regard.fair_margin).max(floor * (1.0 + regard.demand_spread));
        let step = most / LEFT_STEPS as f64;
        let best: Vec<Option<f64>> =
            (0..=LEFT_STEPS).map(|place| self.best_own(scenario, place as f64 * step * scale)).collect();
        let stays = if follows { 1.0 - regard.contact_lost } else { 0.0 };
        std::array::from_fn(|cell| {
            let trust = cell as f64 / TRUST_STEPS as f64;
            let least = floor * regard.demand_factor(trust) * regard.foresight_factor(follows);
            let mut bound = stays * next[cell];
            for (place, own) in best.iter().enumerate() {
                let left = if place == LEFT_STEPS { f64::INFINITY } else { (place + 1) as f64 * step };
                if let Some(own) = own.filter(|_| left >= least) {
                    bound = bound.max(self.action(delivery, regard, own, left, scale, trust, next, other));
                }
            }
            bound
        })
    }

    /// The bound of an action: own gain `own` (major units), the other side's at most `left` (a share of `scale`).
    #[expect(clippy::too_many_arguments, reason = "a state, an action and the rules; one call")]
    fn action(
        &self,
        delivery: &DeliveryRules,
        regard: &RegardRules,
        own: f64,
        left: f64,
        scale: f64,
        trust: f64,
        next: &[f64; TRUST_STEPS + 1],
        other: Seat,
    ) -> f64 {
        let margin = if other == Seat::Supplier { left } else { own / scale };
        let (fails, late) = (delivery.failure_chance(margin), delivery.late_chance(margin));
        let then = |how| at_least(next, regard.trust_after(trust, regard.evidence(left, how)));
        if other == Seat::Supplier {
            let costs = scale * (late * delivery.late_cost + delivery.quality_loss(margin));
            return (1.0 - fails) * (own - costs + then(None)) - fails * delivery.failure_cost * scale;
        }
        let later = late * then(Some(Delivery::Late)) + (1.0 - late) * then(Some(Delivery::OnTime));
        (1.0 - fails) * (own + later)
    }

    /// The largest own gain, in major units, of any package that leaves the other side a gain of `least`, at any price.
    fn best_own(&self, scenario: &Scenario, least: f64) -> Option<f64> {
        let (own, other) = (self.seat.index(), self.seat.other().index());
        let gains = self.lines.iter().filter_map(|lines| {
            let ((rest, slope), (their_rest, their_slope)) = (lines[own], lines[other]);
            if their_slope == 0.0 {
                return None;
            }
            let price = (least + scenario.types[other].disagreement - their_rest) / their_slope;
            Some(rest + slope * price - scenario.types[own].disagreement)
        });
        gains.max_by(f64::total_cmp)
    }

    /// The counterpart's least aspiration, before regard moves it, as a share of `scale`; never more than its best package gives.
    fn floor(&self, scenario: &Scenario, scale: f64) -> f64 {
        let Some(counterpart) = scenario.counterpart.as_ref().filter(|_| self.floors) else { return 0.0 };
        let party = &scenario.types[self.seat.other().index()];
        let best = party.peak_gain(&scenario.public.space);
        let least = least_aspiration(&counterpart.policy) * party.yardstick;
        least.min(best / (1.0 + self.rules.regard.demand_spread)).max(0.0) / scale
    }
}

/// The value at the lowest trust on the grid that is at least `trust`.
fn at_least(values: &[f64; TRUST_STEPS + 1], trust: f64) -> f64 {
    let exact = trust * TRUST_STEPS as f64;
    let below = exact as usize;
    // Rounding of the product must not lift a value that is on the grid.
    let cell = if exact - below as f64 > 1e-9 { below + 1 } else { below };
    values[cell.min(TRUST_STEPS)]
}
