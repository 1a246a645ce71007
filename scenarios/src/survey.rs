//! What a split holds: how many of its scenarios can be agreed, and how much there is to gain. For cards and `zopa suites`.

use crate::suite::source::SuiteSource;
use serde::Serialize;
use std::fmt;
use zopa_envs::attainable::Attainable;
use zopa_envs::{Difficulty, IssueRole, Offer, OutcomeSpace, Scenario, ScenarioSource, Seat};

/// How wide the zone of possible agreement of a scenario is. What can be gained in it is [`Attainable`]'s to say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zone {
    /// The widest range of prices that leave neither side worse off, over all combinations of the other terms, in major
    /// units; negative where even the reservation prices nearest to each other miss.
    pub width: f64,
    /// The same with the status quo's other terms.
    pub width_at_status_quo: f64,
}

impl Zone {
    /// The zone of a scenario with a price and a status quo; `None` without them.
    ///
    /// Prices are taken as continuous, within the ends of their grid.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Option<Self> {
        let space = &scenario.public.space;
        let status_quo = scenario.public.status_quo.as_ref()?;
        let price = space.role(IssueRole::Price)?;
        let issue = &space.issues()[price];
        let (lowest, highest) = (issue.number(0)?, issue.number(issue.len() - 1)?);
        let width = |terms: &Offer| {
            let [buyer, supplier] = Seat::BOTH.map(|seat| {
                let party = &scenario.types[seat.index()];
                party.utility.line(terms).map(|(rest, slope)| (party.disagreement - rest) / slope)
            });
            Some(buyer?.min(highest) - supplier?.max(lowest))
        };
        let mut zone = Self { width: f64::NEG_INFINITY, width_at_status_quo: width(status_quo)? };
        let mut terms = Offer::new(&vec![0; space.issues().len()]);
        loop {
            zone.width = zone.width.max(width(&terms)?);
            if !advance(space, price, &mut terms) {
                return Some(zone);
            }
        }
    }
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

/// The difficulties between the fifths of the feasible ones among the first `episodes` episodes of `source`: the cut-offs that
/// a suite's version freezes, rounded to four decimals. `None` where no scenario has a difficulty.
#[must_use]
pub fn difficulty_cutoffs(source: &SuiteSource, episodes: u64) -> Option<[f64; 4]> {
    let mut scenario = source.scenario(0);
    let mut difficulties = Vec::new();
    for scenario_number in 0..episodes / 2 {
        source.refill(2 * scenario_number, &mut scenario);
        let Some(attainable) = Attainable::of(&scenario) else { continue };
        for seat in 0..2 {
            source.refill(2 * scenario_number + seat, &mut scenario);
            difficulties.extend(Difficulty::of(&scenario, &attainable).map(|difficulty| difficulty.value()));
        }
    }
    difficulties.sort_by(f64::total_cmp);
    let at = |fifths: usize| difficulties.get((difficulties.len() * fifths).div_ceil(5).max(1) - 1);
    let rounded = |value: &f64| (value * 10_000.0).round() / 10_000.0;
    Some([at(1).map(rounded)?, at(2).map(rounded)?, at(3).map(rounded)?, at(4).map(rounded)?])
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
    /// Share in which the status quo's other terms leave room for a price that leaves both sides better off.
    pub feasible_on_price: f64,
    /// Of the joint gain that can be had in feasible scenarios, the share that no price at the status quo's other terms
    /// reaches.
    pub beyond_price: f64,
    /// Width of the zone of possible agreement among feasible scenarios.
    pub zone_width: Spread,
    /// Largest joint gain among feasible scenarios.
    pub joint_gain: Spread,
}

impl Survey {
    /// Looks at the first `scenarios` scenarios of `source`.
    #[must_use]
    pub fn of(source: &SuiteSource, scenarios: u64) -> Self {
        let mut scenario = source.scenario(0);
        let (mut on_price, mut widths, mut joint_gains) = (0_u64, Vec::new(), Vec::new());
        let (mut best, mut priced) = (0.0, 0.0);
        for number in 0..scenarios {
            source.refill(2 * number, &mut scenario);
            let scale = scenario.public.status_quo_price().unwrap_or(1.0);
            let (Some(zone), Some(attainable)) = (Zone::of(&scenario), Attainable::of(&scenario)) else { continue };
            on_price += u64::from(zone.width_at_status_quo > 0.0);
            if attainable.feasible {
                widths.push(zone.width / scale);
                joint_gains.push(attainable.best_joint / scale);
                best += attainable.best_joint / scale;
                // At the status quo's own days money is worth the same to both, so the zone's width is the joint gain.
                priced += zone.width_at_status_quo.max(0.0) / scale;
            }
        }
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        Self {
            scenarios,
            feasible: share(widths.len() as f64, scenarios as f64),
            feasible_on_price: share(on_price as f64, scenarios as f64),
            beyond_price: share(best - priced, best),
            zone_width: Spread::of(widths),
            joint_gain: Spread::of(joint_gains),
        }
    }
}

impl fmt::Display for Survey {
    /// A Markdown table in percent, as suite cards show it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let spread = |spread: &Spread| {
            format!("{:.1} / {:.1} / {:.1} %", 100.0 * spread.p10, 100.0 * spread.median, 100.0 * spread.p90)
        };
        writeln!(f, "| scenarios | feasible | on price alone | joint gain beyond price | zone width | joint gain |")?;
        writeln!(f, "| --- | --- | --- | --- | --- | --- |")?;
        write!(
            f,
            "| {} | {} | {} | {} | {} | {} |",
            self.scenarios,
            percent(self.feasible),
            percent(self.feasible_on_price),
            percent(self.beyond_price),
            spread(&self.zone_width),
            spread(&self.joint_gain)
        )
    }
}
