use std::sync::Arc;

use super::row::{Fact, Row, Wide};
use crate::statistics::{Strata, nearest_rank};

/// What is known of one scenario.
#[derive(Debug, Clone, Copy)]
struct Facts {
    scenario: u32,
    /// The largest of the best joint gains met; NaN where none is known.
    best_joint: Wide,
    /// The first by name of the families met, as its place in their order.
    family: u16,
    /// Whether an episode of each seat was played.
    seats: [bool; 2],
    /// Whether all episodes met that family.
    one_family: bool,
    feasible: Option<bool>,
}

/// Fewest scenarios of a family that are drawn from apart. Resampling n scenarios understates their variance by 1 / n
/// (Rao and Wu 1988), so that finer strata would make the interval too narrow.
const LEAST_STRATUM: usize = 10;

/// The scenarios of a run in the order of clusters: by counterpart family, then by number, so that a family's column
/// costs its own scenarios only.
#[derive(Debug)]
pub(super) struct Scenarios {
    /// The scenarios' numbers in their order, and the cluster of each.
    numbers: Vec<u32>,
    clusters: Vec<u32>,
    strata: Strata,
    feasible_share: Option<f64>,
    median_best_joint: f64,
}

impl Scenarios {
    /// The scenarios of all agents' rows, each agent's in key order.
    pub(super) fn of<'a>(agents: impl Iterator<Item = &'a [Row]>, names: &[Arc<str>]) -> Self {
        let ranks = ranks(names);
        let mut facts: Vec<Facts> = Vec::new();
        for rows in agents {
            extend(&mut facts, rows, &ranks);
            let mut place = 0;
            for row in rows {
                while facts[place].scenario < row.scenario() {
                    place += 1;
                }
                facts[place].learn(row, ranks[usize::from(row.family)]);
            }
        }
        let mut order: Vec<u32> = (0..facts.len() as u32).collect();
        order.sort_unstable_by_key(|&place| (facts[place as usize].family, place));
        let labels: Vec<u16> = order.iter().map(|&place| facts[place as usize].family).collect();
        let mut clusters = vec![0; facts.len()];
        for (cluster, &place) in order.iter().enumerate() {
            clusters[place as usize] = cluster as u32;
        }
        let feasible = facts.iter().filter_map(|known| known.feasible);
        let (known, feasible) =
            feasible.fold((0_u64, 0_u64), |(known, feasible), one| (known + 1, feasible + u64::from(one)));
        // In this order, and each let go when it has served: there may be half a million scenarios.
        let strata = strata(&labels, facts.iter());
        drop((order, labels));
        let numbers = facts.iter().map(|known| known.scenario).collect();
        let best = facts.iter().map(|known| known.best_joint.value());
        let mut best: Vec<f64> = best.filter(|best| !best.is_nan()).collect();
        drop(facts);
        best.sort_unstable_by(f64::total_cmp);
        Self {
            strata,
            numbers,
            clusters,
            feasible_share: (known > 0).then(|| feasible as f64 / known as f64),
            median_best_joint: nearest_rank(&best, 0.5).copied().unwrap_or(f64::INFINITY),
        }
    }

    pub(super) fn strata(&self) -> &Strata {
        &self.strata
    }

    pub(super) fn cluster(&self, row: &Row) -> usize {
        let place = self.numbers.binary_search(&row.scenario()).expect("scenarios are those of all rows");
        self.clusters[place] as usize
    }

    /// Share of scenarios that are feasible among those where it is known and tells scenarios apart.
    pub(super) fn feasible_share(&self) -> Option<f64> {
        self.feasible_share
    }

    /// Median of the best joint gain over scenarios, in shares of the scale, by nearest rank.
    pub(super) fn median_best_joint(&self) -> f64 {
        self.median_best_joint
    }
}

/// Each name's place in the order of names: its number depends on the order in which records came.
fn ranks(names: &[Arc<str>]) -> Vec<u16> {
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_unstable_by_key(|&number| &names[number]);
    let mut ranks = vec![0; names.len()];
    for (rank, number) in order.into_iter().enumerate() {
        ranks[number] = rank as u16;
    }
    ranks
}

/// Adds the scenarios of `rows` that are not there yet; both are in order, and so is the result.
fn extend(facts: &mut Vec<Facts>, rows: &[Row], ranks: &[u16]) {
    let before = facts.len();
    if before == 0 {
        facts.reserve_exact(rows.len().div_ceil(2));
    }
    let mut place = 0;
    for row in rows {
        while place < before && facts[place].scenario < row.scenario() {
            place += 1;
        }
        let known = place < before && facts[place].scenario == row.scenario();
        // Those that were added follow each other in order too.
        let added = facts[before..].last().is_some_and(|last| last.scenario == row.scenario());
        if !known && !added {
            facts.push(Facts {
                scenario: row.scenario(),
                best_joint: Wide::of(f64::NAN),
                family: ranks[usize::from(row.family)],
                seats: [false; 2],
                one_family: true,
                feasible: None,
            });
        }
    }
    if before > 0 && facts.len() > before {
        facts.sort_unstable_by_key(|known| known.scenario);
    }
}

impl Facts {
    fn learn(&mut self, row: &Row, family: u16) {
        self.seats[usize::from(row.is(Fact::Supplier))] = true;
        self.one_family &= self.family == family;
        self.family = self.family.min(family);
        self.feasible = self.feasible.or(row.is(Fact::FeasibilityKnown).then(|| row.is(Fact::Feasible)));
        // `max` passes over a NaN on either side.
        self.best_joint = Wide::of(self.best_joint.value().max(row.best_joint.value()));
    }
}

/// One stratum a family where the mix of families is fixed, and one over all scenarios otherwise.
///
/// Suites draw the family anew for each seat, which makes the mix one of the things that are uncertain: strata would take
/// its share out of the interval. A fixed mix shows in that both seats of every scenario meet the same family.
fn strata<'a>(sorted_labels: &[u16], mut scenarios: impl Iterator<Item = &'a Facts>) -> Strata {
    let by_family = Strata::of_sorted_labels(sorted_labels);
    let fixed = scenarios.all(|known| known.seats == [true; 2] && known.one_family);
    if fixed && by_family.ranges().all(|stratum| stratum.len() >= LEAST_STRATUM) {
        by_family
    } else {
        Strata::unstratified(sorted_labels.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aggregation::Aggregation;
    use crate::fixture::{key, record_of, scores};

    /// Sizes of the strata where `family(scenario, seat)` names the family that is met.
    fn check(episodes: impl Iterator<Item = u64>, family: impl Fn(u64, u64) -> &'static str, expected: &[usize]) {
        let mut aggregation = Aggregation::default();
        for index in episodes {
            let mut key = key("nash", index, 0);
            key.opponent = family(index / 2, index % 2).into();
            aggregation.add(&record_of(key, scores(index, 0.5), false)).expect("one run");
        }
        let scenarios = Scenarios::of(std::iter::once(&aggregation.agents["nash"].rows[..]), &aggregation.names.names);
        let sizes: Vec<usize> = scenarios.strata().ranges().map(|range| range.len()).collect();
        assert_eq!(sizes, expected);
    }

    const NAMES: [&str; 2] = ["boulware", "conceder"];

    #[test]
    fn a_fixed_mix_is_stratified_by_family() {
        check(0..48, |scenario, _| NAMES[usize::from(scenario >= 10)], &[10, 14]);
    }

    #[test]
    fn a_family_of_fewer_than_ten_scenarios_pools_all() {
        check(0..48, |scenario, _| NAMES[usize::from(scenario >= 9)], &[24]);
    }

    #[test]
    fn seats_that_differ_in_family_pool_all() {
        check(0..48, |scenario, seat| NAMES[usize::from(scenario >= 12 || (scenario == 0 && seat == 1))], &[24]);
    }

    #[test]
    fn a_shard_of_one_seat_shows_no_fixed_mix() {
        check((0..48).step_by(2), |scenario, _| NAMES[usize::from(scenario >= 12)], &[24]);
    }
}
