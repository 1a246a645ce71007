use std::collections::BTreeMap;
use std::sync::Arc;

use super::row::{Fact, Row};
use crate::statistics::{Strata, nearest_rank};

/// What is known of one scenario.
#[derive(Debug, Clone, Copy)]
struct Facts<'a> {
    /// The first by name of the families met.
    family: &'a str,
    /// Whether an episode of each seat was played.
    seats: [bool; 2],
    /// Whether all episodes met that family.
    one_family: bool,
    feasible: Option<bool>,
    best_joint: f64,
}

/// Fewest scenarios of a family that are drawn from apart. Resampling n scenarios understates their variance by 1 / n
/// (Rao and Wu 1988), so that finer strata would make the interval too narrow.
const LEAST_STRATUM: usize = 10;

/// The scenarios of a run in the order of clusters: by counterpart family, then by number, so that a family's column
/// costs its own scenarios only.
#[derive(Debug)]
pub(super) struct Scenarios {
    clusters: BTreeMap<u32, usize>,
    strata: Strata,
    feasible_share: Option<f64>,
    median_best_joint: f64,
}

impl Scenarios {
    pub(super) fn of<'a>(rows: impl Iterator<Item = &'a Row>, names: &'a [Arc<str>]) -> Self {
        let mut facts: BTreeMap<u32, Facts<'a>> = BTreeMap::new();
        for row in rows {
            let family = &*names[usize::from(row.family)];
            let feasible = row.is(Fact::FeasibilityKnown).then(|| row.is(Fact::Feasible));
            let known = facts.entry(row.scenario()).or_insert(Facts {
                family,
                seats: [false; 2],
                one_family: true,
                feasible,
                best_joint: row.best_joint,
            });
            known.seats[usize::from(row.is(Fact::Supplier))] = true;
            known.one_family &= known.family == family;
            known.family = known.family.min(family);
            known.feasible = known.feasible.or(feasible);
            // `max` passes over a NaN on either side.
            known.best_joint = known.best_joint.max(row.best_joint);
        }
        let mut order: Vec<(&str, u32)> = facts.iter().map(|(&scenario, known)| (known.family, scenario)).collect();
        order.sort_unstable();
        let labels: Vec<&str> = order.iter().map(|&(family, _)| family).collect();
        let known: Vec<bool> = facts.values().filter_map(|known| known.feasible).collect();
        let mut best: Vec<f64> = facts.values().map(|known| known.best_joint).filter(|best| !best.is_nan()).collect();
        best.sort_unstable_by(f64::total_cmp);
        Self {
            strata: strata(&labels, facts.values()),
            clusters: order.iter().enumerate().map(|(cluster, &(_, scenario))| (scenario, cluster)).collect(),
            feasible_share: (!known.is_empty())
                .then(|| known.iter().filter(|&&feasible| feasible).count() as f64 / known.len() as f64),
            median_best_joint: nearest_rank(&best, 0.5).copied().unwrap_or(f64::INFINITY),
        }
    }

    pub(super) fn strata(&self) -> &Strata {
        &self.strata
    }

    pub(super) fn cluster(&self, row: &Row) -> usize {
        self.clusters[&row.scenario()]
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

/// One stratum a family where the mix of families is fixed, and one over all scenarios otherwise.
///
/// Suites draw the family anew for each seat, which makes the mix one of the things that are uncertain: strata would take
/// its share out of the interval. A fixed mix shows in that both seats of every scenario meet the same family.
fn strata<'a>(sorted_labels: &[&str], mut scenarios: impl Iterator<Item = &'a Facts<'a>>) -> Strata {
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
        let scenarios = Scenarios::of(aggregation.agents["nash"].rows.iter(), &aggregation.names.names);
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
