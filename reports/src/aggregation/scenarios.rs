use std::collections::BTreeMap;
use std::sync::Arc;

use super::row::{Fact, Row};
use crate::statistics::{Strata, nearest_rank};

/// What is known of one scenario.
#[derive(Debug, Clone, Copy)]
struct Facts<'a> {
    family: &'a str,
    feasible: Option<bool>,
    best_joint: f32,
}

/// The scenarios of a run in the order of clusters: by counterpart family, then by number.
#[derive(Debug)]
pub(super) struct Scenarios {
    clusters: BTreeMap<u64, usize>,
    strata: Strata,
    feasible_share: Option<f64>,
    median_best_joint: f32,
}

impl Scenarios {
    pub(super) fn of<'a>(rows: impl Iterator<Item = &'a Row>, names: &'a [Arc<str>]) -> Self {
        let mut facts: BTreeMap<u64, Facts<'a>> = BTreeMap::new();
        for row in rows {
            let family = &*names[usize::from(row.family)];
            let feasible = row.is(Fact::FeasibilityKnown).then(|| row.is(Fact::Feasible));
            let known = facts.entry(row.scenario()).or_insert(Facts { family, feasible, best_joint: row.best_joint });
            // Seats or opponents may differ in family; the first name stands for the scenario, whatever came first.
            known.family = known.family.min(family);
            known.feasible = known.feasible.or(feasible);
            // `max` passes over a NaN on either side.
            known.best_joint = known.best_joint.max(row.best_joint);
        }
        let mut order: Vec<(&str, u64)> = facts.iter().map(|(&scenario, known)| (known.family, scenario)).collect();
        order.sort_unstable();
        let labels: Vec<&str> = order.iter().map(|&(family, _)| family).collect();
        let known: Vec<bool> = facts.values().filter_map(|known| known.feasible).collect();
        let mut best: Vec<f32> = facts.values().map(|known| known.best_joint).filter(|best| !best.is_nan()).collect();
        best.sort_unstable_by(f32::total_cmp);
        Self {
            strata: Strata::of_sorted_labels(&labels),
            clusters: order.iter().enumerate().map(|(cluster, &(_, scenario))| (scenario, cluster)).collect(),
            feasible_share: (!known.is_empty())
                .then(|| known.iter().filter(|&&feasible| feasible).count() as f64 / known.len() as f64),
            median_best_joint: nearest_rank(&best, 0.5).copied().unwrap_or(f32::INFINITY),
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
    pub(super) fn median_best_joint(&self) -> f32 {
        self.median_best_joint
    }
}
