use super::row::{Row, pairs};
use super::scenarios::Scenarios;
use crate::statistics::{Bootstrap, RatioColumn, StatisticsError};
use crate::summary::AttainableShare;

/// The ceilings that agents are held against, and whether what they reach is an estimate.
pub(super) const CEILINGS: [(&str, bool); 2] = [("best-response", false), ("bayes-best-response", true)];

/// What every other agent gains of what a ceiling gains, over the episodes that both played; none where nothing was attainable.
/// Rows are in key order.
pub(super) fn shares<'a>(
    bootstrap: &Bootstrap,
    scenarios: &Scenarios,
    agents: impl Iterator<Item = (&'a str, &'a [Row])>,
    (ceiling, reached, estimated): (&str, &[Row], bool),
) -> Result<Vec<AttainableShare>, StatisticsError> {
    let mut shares = Vec::new();
    for (agent, rows) in agents.filter(|&(agent, _)| agent != ceiling) {
        let column = match column(scenarios, rows, reached) {
            // A ceiling that loses in some scenario is none there, and no share of it has a meaning.
            Err(StatisticsError::NegativeDenominator { .. }) => continue,
            other => other?,
        };
        let estimates = bootstrap.estimates(scenarios.strata(), &[column])?;
        shares.extend(estimates.into_iter().flatten().map(|share| AttainableShare {
            agent: agent.to_owned(),
            ceiling: ceiling.to_owned(),
            estimated,
            share,
        }));
    }
    Ok(shares)
}

fn column(scenarios: &Scenarios, own: &[Row], reached: &[Row]) -> Result<RatioColumn, StatisticsError> {
    let clusters = scenarios.strata().clusters();
    let (mut numerators, mut denominators, mut episodes) = (vec![0.0; clusters], vec![0.0; clusters], 0);
    for (row, other) in pairs(own, reached) {
        let cluster = scenarios.cluster(row);
        numerators[cluster] += row.gain;
        denominators[cluster] += other.gain;
        episodes += 1;
    }
    RatioColumn::ratio(0, numerators, denominators, episodes)
}
