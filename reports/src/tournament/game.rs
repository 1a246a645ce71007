//! The empirical game: best responses, regrets and equilibria among the agents that played.

use serde::Serialize;

use super::equilibrium::{MOST_STRATEGIES, symmetric_equilibria};
use crate::statistics::{Bootstrap, Estimate, PairedDifference, RatioColumn, StatisticsError, Strata};

/// What answers an agent best.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Response {
    /// The agent that is answered.
    pub against: String,
    /// The agent with the highest payoff against it.
    pub best: String,
    /// Share of resamples of the scenarios in which that agent stays the best response.
    pub stability: f64,
    /// What the best response earns more than the agent does against itself: the regret of everybody playing it. 0 where it
    /// is its own best response, which makes that an equilibrium in pure strategies.
    pub regret: Estimate,
}

/// A symmetric equilibrium: what share of a population plays each agent so that no agent would do better.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Equilibrium {
    /// Agents and their shares; agents with none are left out.
    pub shares: Vec<(String, f64)>,
    /// What everybody earns.
    pub payoff: f64,
}

/// The symmetric game whose strategies are the agents. It says something about these agents on these scenarios only: an
/// agent that is not in it may beat every equilibrium here.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EmpiricalGame {
    /// Best responses: the edges of the best-response graph.
    pub responses: Vec<Response>,
    /// All symmetric equilibria, fewest agents first; empty where there are more than fourteen agents, or the game is
    /// degenerate.
    pub equilibria: Vec<Equilibrium>,
}

impl EmpiricalGame {
    pub(super) fn of(
        agents: &[String],
        payoffs: &[RatioColumn],
        strata: &Strata,
        bootstrap: &Bootstrap,
    ) -> Result<Self, StatisticsError> {
        let size = agents.len();
        let values: Vec<f64> = payoffs.iter().map(|column| column.value().unwrap_or(0.0)).collect();
        let best = |values: &[f64], against: usize| {
            let earns = |own: &usize| values[own * size + against];
            // Of equals the agent itself, then the first: no edge leaves an equilibrium without a reason.
            let order = (against..size).chain(0..against);
            order.fold(against, |best, own| if earns(&own) > earns(&best) { own } else { best })
        };
        let replicates = bootstrap.replicate(strata, size * size, |weights, row| {
            for (cell, column) in row.iter_mut().zip(payoffs) {
                *cell = column.weighted_value(weights);
            }
        });
        let mut responses = Vec::new();
        for (against, agent) in agents.iter().enumerate() {
            let own = best(&values, against);
            let same = replicates.iter().filter(|row| best(row, against) == own).count();
            let itself = &payoffs[against * size + against];
            let nothing = Estimate { value: 0.0, low: 0.0, high: 0.0, n: strata.clusters() as u64 };
            let regret = PairedDifference::compute(bootstrap, strata, &payoffs[own * size + against], itself)?;
            responses.push(Response {
                against: agent.clone(),
                best: agents[own].clone(),
                stability: same as f64 / replicates.len().max(1) as f64,
                regret: regret.map_or(nothing, |paired| paired.difference),
            });
        }
        let mixtures = if size <= MOST_STRATEGIES { symmetric_equilibria(&values, size) } else { Vec::new() };
        let equilibria = mixtures.into_iter().map(|mixture| {
            let earns = |own: usize| (0..size).map(|other| values[own * size + other] * mixture[other]).sum::<f64>();
            Equilibrium {
                payoff: (0..size).map(|own| mixture[own] * earns(own)).sum(),
                shares: agents.iter().cloned().zip(mixture.iter().copied()).filter(|(_, share)| *share > 0.0).collect(),
            }
        });
        Ok(Self { responses, equilibria: equilibria.collect() })
    }
}
