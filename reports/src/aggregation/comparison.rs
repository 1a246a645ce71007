use super::columns::column;
use super::row::{Row, pairs};
use super::scenarios::Scenarios;
use crate::score::Score;
use crate::statistics::{Bootstrap, PairedDifference, RatioColumn, StatisticsError, holm, won};
use crate::summary::Comparison;

/// Size of the difference that the power note is made for: two percentage points.
const DIFFERENCE_TO_SEE: f64 = 0.02;

/// Every other agent's surplus efficiency against the baseline's, on the same scenarios; none where the baseline has none.
/// Rows are in key order.
pub(super) fn compare<'a>(
    bootstrap: &Bootstrap,
    scenarios: &Scenarios,
    agents: impl Iterator<Item = (&'a str, &'a [Row])>,
    baseline: (&str, &[Row]),
) -> Result<Vec<Comparison>, StatisticsError> {
    let (baseline, baseline_rows) = baseline;
    let surplus = |rows: &[Row]| column(Score::SurplusEfficiency, rows.iter(), scenarios);
    let reference = &surplus(baseline_rows)?;
    let mut comparisons = Vec::new();
    for (agent, rows) in agents.filter(|&(agent, _)| agent != baseline) {
        let column = &surplus(rows)?;
        let Some(paired) = PairedDifference::compute(bootstrap, scenarios.strata(), column, reference)? else {
            continue;
        };
        let improvement = improvement(scenarios, rows, baseline_rows)?;
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

/// How often the first gains more, over the episodes that both played; both slices are in key order.
fn improvement(scenarios: &Scenarios, own: &[Row], other: &[Row]) -> Result<RatioColumn, StatisticsError> {
    let mut counts = vec![(0.0, 0.0); scenarios.strata().clusters()];
    for (row, other) in pairs(own, other) {
        let count = &mut counts[scenarios.cluster(row)];
        count.0 += won(row.gain, other.gain);
        count.1 += 1.0;
    }
    RatioColumn::rate(0, counts)
}
