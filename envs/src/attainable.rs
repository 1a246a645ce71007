//! What was possible in a scenario: the yardsticks that results are scored against.

use crate::outcome::Offer;
use crate::party::Seat;
use crate::scenario::Scenario;
use crate::solution::SolutionPoints;

/// Slack under which two Nash products count as equal, relative to the larger.
const EQUAL_PRODUCT: f64 = 1e-9;

/// Gains of table utilities from which an outcome counts as better than none.
pub const TABLE_TICK: f64 = 1e-9;

/// The most outcomes of a table domain that are enumerated for every scenario.
pub const MOST_OUTCOMES: u128 = 1_000_000;

/// The best that each rule of choice could reach, in gains at t = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Attainable {
    /// Whether some outcome leaves each side at least one tick better off.
    pub feasible: bool,
    /// Whether every outcome leaves each side no worse off: feasibility says nothing then.
    pub all_rational: bool,
    /// The best own gain that leaves the other side its disagreement value, buyer first; 0 where infeasible.
    pub best_gain: [f64; 2],
    /// The largest joint gain among outcomes that leave nobody worse off; 0 where there is none.
    pub best_joint: f64,
    /// The largest product of positive gains; 0 where infeasible.
    pub best_product: f64,
    /// Gains of all outcomes that reach the largest product.
    pub nash_set: Vec<[f64; 2]>,
    /// The scale of money scores, buyer first: the status quo's price; in tables own highest gain.
    pub scale: [f64; 2],
}

impl Attainable {
    /// Computes them: over the other terms with solved prices for money, by enumeration for tables. `None` where a table
    /// domain has more than [`MOST_OUTCOMES`] outcomes.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Option<Self> {
        match scenario.types[0].utility.price_issue() {
            Some(price) => Some(of_money(scenario, price)),
            None if scenario.public.space.size() <= MOST_OUTCOMES => Some(of_tables(scenario)),
            None => None,
        }
    }

    /// Whether the agreement gains of both sides lie nearest to the Nash set at this distance, in shares of the scales.
    #[must_use]
    pub fn distance_to_nash(&self, gains: [f64; 2]) -> Option<f64> {
        self.nash_set
            .iter()
            .map(|point| libm::hypot((gains[0] - point[0]) / self.scale[0], (gains[1] - point[1]) / self.scale[1]))
            .min_by(f64::total_cmp)
    }
}

fn of_tables(scenario: &Scenario) -> Attainable {
    let [buyer, supplier] = &scenario.types;
    let pairs: Vec<[f64; 2]> =
        scenario.public.space.outcomes().map(|offer| [buyer.utility.of(&offer), supplier.utility.of(&offer)]).collect();
    let disagreement = [buyer.disagreement, supplier.disagreement];
    let gains = |utilities: [f64; 2]| [utilities[0] - disagreement[0], utilities[1] - disagreement[1]];
    let (mut best_gain, mut feasible, mut all_rational) = ([0.0_f64; 2], false, true);
    for &pair in &pairs {
        let gains = gains(pair);
        feasible |= gains[0] >= TABLE_TICK && gains[1] >= TABLE_TICK;
        all_rational &= gains[0] >= 0.0 && gains[1] >= 0.0;
        for seat in Seat::BOTH {
            if gains[seat.other().index()] >= 0.0 {
                best_gain[seat.index()] = best_gain[seat.index()].max(gains[seat.index()]);
            }
        }
    }
    // Readers refuse numbers that are not finite, so the points are always there.
    let points = SolutionPoints::of(&pairs, disagreement).ok();
    let welfare = points.as_ref().and_then(|points| {
        points.rational().map(|point| gains(point.utilities)).map(|g| g[0] + g[1]).max_by(f64::total_cmp)
    });
    let scale = [0, 1].map(|seat| scenario.types[seat].yardstick);
    Attainable {
        feasible,
        all_rational,
        best_gain: if feasible { best_gain } else { [0.0; 2] },
        best_joint: welfare.unwrap_or(0.0).max(0.0),
        best_product: points.as_ref().map_or(0.0, SolutionPoints::nash_product),
        nash_set: points
            .map(|points| points.nash_set.iter().map(|point| gains(point.utilities)).collect())
            .unwrap_or_default(),
        scale,
    }
}

fn of_money(scenario: &Scenario, price: usize) -> Attainable {
    let space = &scenario.public.space;
    let [buyer, supplier] = &scenario.types;
    let tick = space.issues()[price].number(1).unwrap_or(0.0) - space.issues()[price].number(0).unwrap_or(0.0);
    let scale = scenario.public.status_quo_price().unwrap_or(1.0);
    let mut found = Attainable {
        feasible: false,
        all_rational: false,
        best_gain: [0.0; 2],
        best_joint: 0.0,
        best_product: 0.0,
        nash_set: Vec::new(),
        scale: [scale; 2],
    };
    for terms in terms_without(scenario, price) {
        let gains = |index: u32| {
            let offer = terms.with(price, index);
            [buyer.gain(&offer), supplier.gain(&offer)]
        };
        // The dearest price that leaves the buyer whole, and the cheapest that leaves the supplier whole.
        let (Some(dear), Some(cheap)) = (
            buyer.utility.price_for(&terms, buyer.disagreement),
            supplier.utility.price_for(&terms, supplier.disagreement),
        ) else {
            continue;
        };
        if cheap > dear {
            continue;
        }
        let (at_cheap, at_dear) = (gains(cheap), gains(dear));
        found.best_gain[0] = found.best_gain[0].max(at_cheap[0]);
        found.best_gain[1] = found.best_gain[1].max(at_dear[1]);
        found.best_joint = found.best_joint.max(at_cheap[0] + at_cheap[1]).max(at_dear[0] + at_dear[1]);
        let floor = |seat: &crate::PartyType| seat.utility.price_for(&terms, seat.disagreement + tick);
        found.feasible |= matches!((floor(buyer), floor(supplier)), (Some(dear), Some(cheap)) if cheap <= dear);
        for index in near_nash(&terms, scenario, cheap, dear) {
            found.consider(gains(index));
        }
    }
    if !found.feasible {
        found.best_gain = [0.0; 2];
    }
    found
}

impl Attainable {
    /// Keeps the gains whose product is the largest so far.
    fn consider(&mut self, gains: [f64; 2]) {
        let product = gains[0] * gains[1];
        if gains[0] <= 0.0 || gains[1] <= 0.0 {
            return;
        }
        if product > self.best_product * (1.0 + EQUAL_PRODUCT) {
            self.nash_set.clear();
        } else if product < self.best_product * (1.0 - EQUAL_PRODUCT) {
            return;
        }
        self.best_product = self.best_product.max(product);
        if !self.nash_set.contains(&gains) {
            self.nash_set.push(gains);
        }
    }
}

/// The grid prices beside the continuous Nash price `(A / a + B / b) / 2`, kept between the two reservation prices.
fn near_nash(terms: &Offer, scenario: &Scenario, cheap: u32, dear: u32) -> [u32; 2] {
    let reservation = |seat: usize| {
        let party = &scenario.types[seat];
        party.utility.line(terms).map_or(0.0, |(rest, slope)| (party.disagreement - rest) / slope)
    };
    let nash = f64::midpoint(reservation(0), reservation(1));
    let grid = scenario.public.space.role(crate::IssueRole::Price).map(|price| &scenario.public.space.issues()[price]);
    let (first, second) = grid
        .and_then(|issue| Some((issue.number(0)?, issue.number(1.min(issue.len() - 1))?)))
        .unwrap_or((nash, nash + 1.0));
    let exact = (nash - first) / (second - first).max(f64::MIN_POSITIVE);
    let below = exact.clamp(f64::from(cheap), f64::from(dear)) as u32;
    [below, (below + 1).min(dear)]
}

/// Every combination of the other terms, with the price at its first value.
fn terms_without(scenario: &Scenario, price: usize) -> impl Iterator<Item = Offer> + '_ {
    let issues = scenario.public.space.issues();
    let combinations: u64 = issues
        .iter()
        .enumerate()
        .filter(|(issue, _)| *issue != price)
        .map(|(_, issue)| u64::from(issue.len()))
        .product();
    (0..combinations).map(move |rank| {
        let mut left = rank;
        let mut offer = scenario.public.space.outcome(0);
        for (position, issue) in issues.iter().enumerate().rev().filter(|(position, _)| *position != price) {
            let len = u64::from(issue.len());
            offer.set(position, (left % len) as u32);
            left /= len;
        }
        offer
    })
}
