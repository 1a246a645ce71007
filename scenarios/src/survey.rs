//! What a split holds: how many of its scenarios can be agreed, and how much there is to gain. For cards and `zopa suites`.

use crate::suite::source::SuiteSource;
use serde::Serialize;
use zopa_envs::{IssueRole, Offer, OutcomeSpace, Scenario, ScenarioSource, Seat};

/// What of a scenario can be agreed, computed from both hidden types.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospect {
    /// Whether some outcome leaves each side at least one tick of the price better off.
    pub feasible: bool,
    /// Whether some price alone does so, the other terms as in the status quo.
    pub feasible_on_price: bool,
    /// The widest range of prices that leave neither side worse off, over all other terms, in major units; negative
    /// where the reservation prices nearest to each other still miss.
    pub zopa_width: f64,
    /// The largest sum of gains among outcomes that leave neither side worse off; 0 where there is none.
    pub joint_gain: f64,
    /// Whether the joint gain's terms differ from the status quo's.
    pub trades_terms: bool,
    /// The status quo's price in major units.
    pub scale: f64,
}

impl Prospect {
    /// The prospect of a scenario whose utilities are money; `None` where they are not.
    ///
    /// Every combination of the other terms is tried; within one, utilities are linear in the price.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Option<Self> {
        let space = &scenario.public.space;
        let status_quo = scenario.public.status_quo.as_ref()?;
        let price = space.role(IssueRole::Price)?;
        let issue = &space.issues()[price];
        let (lowest, highest) = (issue.number(0)?, issue.number(issue.len() - 1)?);
        let tick = issue.number(1).map_or(0.0, |second| second - lowest);
        let mut prospect = Self {
            feasible: false,
            feasible_on_price: false,
            zopa_width: f64::NEG_INFINITY,
            joint_gain: 0.0,
            trades_terms: false,
            scale: scenario.public.status_quo_price()?,
        };
        let mut terms = Offer::new(&vec![0; space.issues().len()]);
        loop {
            let [(buyer_rest, buyer_slope), (supplier_rest, supplier_slope)] = {
                let line = |seat: Seat| {
                    let party = &scenario.types[seat.index()];
                    party.utility.line(&terms).map(|(rest, slope)| (rest - party.disagreement, slope))
                };
                [line(Seat::Buyer)?, line(Seat::Supplier)?]
            };
            // The buyer's slope is negative: it gains at least `least` up to one price, the supplier from another on.
            let zone = |least: f64| {
                let high = ((least - buyer_rest) / buyer_slope).min(highest);
                let low = ((least - supplier_rest) / supplier_slope).max(lowest);
                (low, high)
            };
            let (low, high) = zone(0.0);
            prospect.zopa_width = prospect.zopa_width.max(high - low);
            if low <= high {
                let joint = |price: f64| buyer_rest + supplier_rest + (buyer_slope + supplier_slope) * price;
                let gain = joint(low).max(joint(high));
                if gain > prospect.joint_gain {
                    prospect.joint_gain = gain;
                    prospect.trades_terms = terms.with(price, status_quo.get(price)) != *status_quo;
                }
            }
            let (low, high) = zone(tick);
            if on_grid_between(low, high, lowest, tick) {
                prospect.feasible = true;
                prospect.feasible_on_price |= terms.with(price, status_quo.get(price)) == *status_quo;
            }
            if !advance(space, price, &mut terms) {
                return Some(prospect);
            }
        }
    }
}

/// Whether a price of the grid lies in `[low, high]`.
fn on_grid_between(low: f64, high: f64, lowest: f64, tick: f64) -> bool {
    if tick <= 0.0 {
        return low <= lowest && lowest <= high;
    }
    // A price a rounding below the bound still counts, as it does where utilities are compared.
    let first = ((low - lowest) / tick - 1e-9).ceil().max(0.0);
    lowest + first * tick <= high + 1e-9 * tick
}

/// Steps to the next combination of all issues but the price; false after the last.
fn advance(space: &OutcomeSpace, price: usize, terms: &mut Offer) -> bool {
    for (position, issue) in space.issues().iter().enumerate().rev().filter(|(position, _)| *position != price) {
        let next = terms.get(position) + 1;
        if next < issue.len() {
            terms.set(position, next);
            return true;
        }
        terms.set(position, 0);
    }
    false
}

/// Quantiles of a figure over scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// The tenth percentile.
    pub p10: f64,
    /// The median.
    pub median: f64,
    /// The ninetieth percentile.
    pub p90: f64,
}

impl Spread {
    /// The spread of `values`, all zero where there are none. Percentiles are order statistics (nearest rank).
    #[must_use]
    pub fn of(mut values: Vec<f64>) -> Self {
        if values.is_empty() {
            return Self { mean: 0.0, p10: 0.0, median: 0.0, p90: 0.0 };
        }
        values.sort_by(f64::total_cmp);
        let at = |percent: usize| values[((values.len() * percent).div_ceil(100)).clamp(1, values.len()) - 1];
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        Self { mean, p10: at(10), median: at(50), p90: at(90) }
    }
}

/// A split in figures. Money is in shares of each scenario's status quo price.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Survey {
    /// How many scenarios were looked at.
    pub scenarios: u64,
    /// Share of scenarios in which some outcome leaves each side at least one tick better off.
    pub feasible: f64,
    /// Share in which a price alone does so.
    pub feasible_on_price: f64,
    /// Among feasible scenarios, the share whose largest joint gain needs other terms than the status quo's.
    pub trades_terms: f64,
    /// Width of the zone of possible agreement among feasible scenarios.
    pub zopa_width: Spread,
    /// Largest joint gain among feasible scenarios.
    pub joint_gain: Spread,
}

impl Survey {
    /// Looks at the first `scenarios` scenarios of `source`.
    #[must_use]
    pub fn of(source: &SuiteSource, scenarios: u64) -> Self {
        let mut scenario = source.scenario(0);
        let prospects: Vec<Prospect> = (0..scenarios)
            .filter_map(|number| {
                source.refill(2 * number, &mut scenario);
                Prospect::of(&scenario)
            })
            .collect();
        let share = |part: usize, whole: usize| if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
        let feasible: Vec<&Prospect> = prospects.iter().filter(|prospect| prospect.feasible).collect();
        let on_price = prospects.iter().filter(|prospect| prospect.feasible_on_price).count();
        let trading = feasible.iter().filter(|prospect| prospect.trades_terms).count();
        let spread = |figure: fn(&Prospect) -> f64| {
            Spread::of(feasible.iter().map(|prospect| figure(prospect) / prospect.scale).collect())
        };
        Self {
            scenarios,
            feasible: share(feasible.len(), prospects.len()),
            feasible_on_price: share(on_price, prospects.len()),
            trades_terms: share(trading, feasible.len()),
            zopa_width: spread(|prospect| prospect.zopa_width),
            joint_gain: spread(|prospect| prospect.joint_gain),
        }
    }
}
