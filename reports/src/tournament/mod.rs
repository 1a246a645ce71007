//! Every agent against every agent: a table of payoffs and the empirical game that it makes.
//!
//! A pairing's payoff is the row agent's surplus efficiency against the column agent, over both seats. All pairings play the
//! same scenarios, so payoffs share one denominator and are, up to that factor, mean gains: they can be read as the payoffs of
//! a symmetric game in which each side chooses an agent before it knows its seat (Wellman 2006, "Methods for empirical
//! game-theoretic analysis"). See [`EmpiricalGame`] for what is made of it.

mod equilibrium;
mod game;

pub use equilibrium::{MOST_STRATEGIES, symmetric_equilibria};
pub use game::{EmpiricalGame, Equilibrium, Response};

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use zopa_envs::{Digest, Hasher, Seat};

use crate::record::{EpisodeRecord, EpisodeResult};
use crate::statistics::{Bootstrap, Estimate, RatioColumn, StatisticsError, Strata};

/// Above this share of episodes without a result, a pairing's figures are not comparable.
const MOST_INFRA_ERRORS: f64 = 0.01;

/// A tournament without sense.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TournamentError {
    /// A pairing has no result.
    #[error("{agent} against {opponent} has no result")]
    Empty {
        /// The agent.
        agent: String,
        /// Its opponent.
        opponent: String,
    },
    /// Too many episodes of a pairing were lost.
    #[error("{agent} against {opponent}: infrastructure failed {failed} of {all} episodes, more than 1 %")]
    Infrastructure {
        /// The agent.
        agent: String,
        /// Its opponent.
        opponent: String,
        /// Episodes that failed.
        failed: u64,
        /// All episodes.
        all: u64,
    },
    /// A sum that no statistic can be made of.
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
}

/// Sums of one pairing by scenario and seat: gain, best gain and deals.
#[derive(Debug, Clone, Default)]
struct Pairing {
    scenarios: BTreeMap<u64, [[f64; 2]; 2]>,
    deals: u64,
    /// Episodes that have no result.
    failed: BTreeSet<u64>,
    /// One for each result.
    digests: BTreeMap<u64, Digest>,
}

impl Pairing {
    fn played(&self) -> u64 {
        self.digests.len() as u64
    }
}

/// Results of a tournament as they come.
#[derive(Debug, Clone)]
pub struct Tournament {
    agents: Vec<String>,
    pairings: Vec<Pairing>,
}

/// What one agent made of another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// The agent.
    pub agent: String,
    /// Its opponent.
    pub opponent: String,
    /// Surplus efficiency over both seats.
    pub payoff: Estimate,
    /// The same as buyer and as supplier.
    pub by_seat: BTreeMap<Seat, Estimate>,
    /// Share of negotiations that ended in a deal.
    pub agreement: f64,
    /// Results.
    pub episodes: u64,
}

/// An agent against all.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// The agent.
    pub agent: String,
    /// Mean payoff against every agent, itself among them.
    pub with_self_play: Estimate,
    /// Mean payoff against every other agent.
    pub without_self_play: Estimate,
    /// Payoff against itself.
    pub self_play: Estimate,
}

/// A tournament's results.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TournamentTable {
    /// Suite.
    pub suite: String,
    /// Its version.
    pub version: u32,
    /// The split.
    pub split: String,
    /// The seed.
    pub seed: u64,
    /// Episodes of each pairing.
    pub episodes: u64,
    /// SHA-256 over all game digests, pairings and episodes in order.
    pub digest: Digest,
    /// All pairings, agents in the order that they were named.
    pub cells: Vec<Cell>,
    /// The agents, best against the others first.
    pub standings: Vec<Standing>,
    /// The game that the payoffs make.
    pub game: EmpiricalGame,
}

impl Tournament {
    /// A tournament of these agents without results yet.
    #[must_use]
    pub fn new(agents: Vec<String>) -> Self {
        let pairings = vec![Pairing::default(); agents.len() * agents.len()];
        Self { agents, pairings }
    }

    /// Takes in a record of agent `agent` against agent `opponent`, by their positions; false where the episode has a result
    /// already, which counts alone. A result stands in for a failure of infrastructure.
    pub fn add(&mut self, agent: usize, opponent: usize, record: &EpisodeRecord) -> bool {
        let pairing = &mut self.pairings[agent * self.agents.len() + opponent];
        let index = record.key.index;
        let known = pairing.digests.contains_key(&index);
        let EpisodeResult::Played(played) = &record.result else {
            if !known {
                pairing.failed.insert(index);
            }
            return true;
        };
        if known {
            return false;
        }
        pairing.failed.remove(&index);
        let scores = &played.scores;
        pairing.deals += u64::from(scores.agreement);
        pairing.digests.insert(index, played.digest);
        if let Some(best) = scores.best_gain {
            let sums = &mut pairing.scenarios.entry(record.key.scenario()).or_default()[record.key.seat.index()];
            sums[0] += scores.gain / scores.scale;
            sums[1] += best / scores.scale;
        }
        true
    }

    /// Episodes that have a record, over all pairings.
    #[must_use]
    pub fn episodes(&self) -> u64 {
        self.pairings.iter().map(|pairing| pairing.played() + pairing.failed.len() as u64).sum()
    }

    /// Payoffs, standings and the empirical game.
    ///
    /// # Errors
    /// Where a pairing has no result, or infrastructure failed more than 1 % of it.
    pub fn finish(
        &self,
        suite: &str,
        version: u32,
        split: &str,
        seed: u64,
        bootstrap: &Bootstrap,
    ) -> Result<TournamentTable, TournamentError> {
        let size = self.agents.len();
        for (position, pairing) in self.pairings.iter().enumerate() {
            let (agent, opponent) = (self.agents[position / size].clone(), self.agents[position % size].clone());
            let failed = pairing.failed.len() as u64;
            let all = pairing.played() + failed;
            if failed as f64 > MOST_INFRA_ERRORS * all as f64 {
                return Err(TournamentError::Infrastructure { agent, opponent, failed, all });
            }
            if pairing.scenarios.is_empty() {
                return Err(TournamentError::Empty { agent, opponent });
            }
        }
        let scenarios: Vec<u64> = {
            let mut all: Vec<u64> =
                self.pairings.iter().flat_map(|pairing| pairing.scenarios.keys().copied()).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let strata = Strata::unstratified(scenarios.len());
        let column = |pairings: &[usize], seats: &[usize]| {
            let sums = scenarios.iter().map(|scenario| {
                let mut sum = [0.0; 2];
                for &pairing in pairings {
                    let Some(found) = self.pairings[pairing].scenarios.get(scenario) else { continue };
                    for &seat in seats {
                        sum[0] += found[seat][0];
                        sum[1] += found[seat][1];
                    }
                }
                sum
            });
            let (numerators, denominators) = sums.map(|[gain, best]| (gain, best)).unzip();
            let episodes = pairings.iter().map(|&pairing| self.pairings[pairing].played()).sum();
            RatioColumn::ratio(0, numerators, denominators, episodes)
        };
        let none = Estimate { value: 0.0, low: 0.0, high: 0.0, n: 0 };
        // A field in which nothing can be gained has no ratio: everybody has nothing.
        let estimates = |columns: &[RatioColumn]| -> Result<Vec<Estimate>, StatisticsError> {
            Ok(bootstrap.estimates(&strata, columns)?.into_iter().map(|found| found.unwrap_or(none)).collect())
        };
        let payoffs: Vec<RatioColumn> =
            (0..size * size).map(|pairing| column(&[pairing], &[0, 1])).collect::<Result<_, _>>()?;
        let mut cells = Vec::new();
        for (position, payoff) in estimates(&payoffs)?.into_iter().enumerate() {
            let pairing = &self.pairings[position];
            let seats = [column(&[position], &[0])?, column(&[position], &[1])?];
            let by_seat = Seat::BOTH.into_iter().zip(estimates(&seats)?).collect();
            cells.push(Cell {
                agent: self.agents[position / size].clone(),
                opponent: self.agents[position % size].clone(),
                payoff,
                by_seat,
                agreement: pairing.deals as f64 / pairing.played() as f64,
                episodes: pairing.played(),
            });
        }
        let mut standings = Vec::new();
        for (row, agent) in self.agents.iter().enumerate() {
            let all: Vec<usize> = (0..size).map(|other| row * size + other).collect();
            let others: Vec<usize> = all.iter().copied().filter(|&pairing| pairing != row * size + row).collect();
            let columns = [column(&all, &[0, 1])?, column(&others, &[0, 1])?, payoffs[row * size + row].clone()];
            let [with_self_play, without_self_play, self_play] = estimates(&columns)?[..] else { continue };
            standings.push(Standing { agent: agent.clone(), with_self_play, without_self_play, self_play });
        }
        standings.sort_by(|a, b| b.without_self_play.value.total_cmp(&a.without_self_play.value));
        let game = EmpiricalGame::of(&self.agents, &payoffs, &strata, bootstrap)?;
        let digests = self.pairings.iter().flat_map(|pairing| pairing.digests.values());
        Ok(TournamentTable {
            suite: suite.to_owned(),
            version,
            split: split.to_owned(),
            seed,
            episodes: self.pairings.iter().map(Pairing::played).max().unwrap_or(0),
            digest: digests.fold(Hasher::new(), |hasher, digest| hasher.with(digest)).digest(),
            cells,
            standings,
            game,
        })
    }
}

#[cfg(test)]
mod tests;
