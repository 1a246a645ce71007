use std::collections::BTreeMap;

use super::row::Row;
use super::scenarios::Scenarios;
use crate::score::Score;
use crate::statistics::{Bootstrap, PairedDifference, RatioColumn, StatisticsError, holm, improvement_column};
use crate::summary::Comparison;

/// Size of the difference that the power note is made for: two percentage points.
const DIFFERENCE_TO_SEE: f64 = 0.02;

/// Every other agent's surplus efficiency against the baseline's, on the same scenarios; none where the baseline is not
/// there.
pub(super) fn compare<'a>(
    bootstrap: &Bootstrap,
    scenarios: &Scenarios,
    surplus: &BTreeMap<&str, RatioColumn>,
    rows: impl Fn(&str) -> &'a [Row],
    baseline: &str,
) -> Result<Vec<Comparison>, StatisticsError> {
    let Some(reference) = surplus.get(baseline) else {
        return Ok(Vec::new());
    };
    let mut comparisons = Vec::new();
    for (&agent, column) in surplus.iter().filter(|&(&agent, _)| agent != baseline) {
        let Some(paired) = PairedDifference::compute(bootstrap, scenarios.strata(), column, reference)? else {
            continue;
        };
        let improvement = improvement(scenarios, rows(agent), rows(baseline))?;
        let estimates = bootstrap.estimates(scenarios.strata(), &[improvement])?;
        let episodes_per_scenario = column.episodes().div_ceil(column.contributing_clusters().max(1));
        comparisons.push(Comparison {
            agent: agent.to_owned(),
            baseline: baseline.to_owned(),
            score: Score::SurplusEfficiency,
            difference: paired.difference,
            p_value: paired.p_value,
            p_value_holm: paired.p_value,
            improvement: estimates.into_iter().flatten().next(),
            power: paired.power_note(DIFFERENCE_TO_SEE, episodes_per_scenario as u32),
        });
    }
    let corrected = holm(&comparisons.iter().map(|comparison| comparison.p_value).collect::<Vec<_>>());
    for (comparison, p_value) in comparisons.iter_mut().zip(corrected) {
        comparison.p_value_holm = p_value;
    }
    Ok(comparisons)
}

/// Pairs the episodes that both played; both slices are in key order.
fn improvement(scenarios: &Scenarios, own: &[Row], other: &[Row]) -> Result<RatioColumn, StatisticsError> {
    let gains: BTreeMap<_, f64> = other.iter().map(|row| (row.episode(), row.gain)).collect();
    let mut pairs = vec![Vec::new(); scenarios.strata().clusters()];
    for row in own {
        if let Some(&gain) = gains.get(&row.episode()) {
            pairs[scenarios.cluster(row)].push((row.gain, gain));
        }
    }
    improvement_column(0, pairs)
}
