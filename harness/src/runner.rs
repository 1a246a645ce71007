//! Plays episodes: the one way in which a run, a replay and a tournament play them.

use crate::arena::{Arena, Drawn, OpponentChoice};
use crate::failure::Failure;
use crate::witness::Witness;
use std::sync::Arc;
use zopa_agents::turn::{Seated, play};
use zopa_agents::{Player, roster};
use zopa_envs::counterpart::Said;
use zopa_envs::score::BeliefScores;
use zopa_envs::{
    Attainable, Digest, EpisodeKey, EpisodeScores, Grade, HeldBeliefs, Negotiation, Scenario, Seat, Series, SeriesPlan,
};
use zopa_reports::EpisodeRecord;

/// All that a run's episodes share.
pub struct Table {
    arena: Arc<Arena>,
    drawn: Drawn,
    opponent: OpponentChoice,
    authority: Arc<str>,
    digest: Digest,
    agent_seed: u64,
}

/// An episode's scenario and what is known of it: the same for every agent that plays it.
struct Deal {
    scenario: Scenario,
    attainable: Option<Attainable>,
    grade: Option<Grade>,
    /// Where the episode is a series of contracts, of which the scenario is the first.
    series: Option<SeriesPlan>,
}

/// An episode played: its record as a line of the journal, and how long each decision took.
pub struct PlayedEpisode {
    /// The record.
    pub record: EpisodeRecord,
    /// The record as JSON, without the line's end.
    pub line: String,
    /// Nanoseconds of each of the agent's decisions.
    pub latencies: Vec<u64>,
}

impl Table {
    /// A table for the scenarios that were drawn. `agent_seed` is the seed of the agents' own randomness.
    #[must_use]
    pub fn new(arena: Arc<Arena>, drawn: Drawn, opponent: OpponentChoice, agent_seed: u64) -> Self {
        let authority = Arena::authority(&drawn.source.scenario(0)).into();
        let digest = arena.digest();
        Self { arena, drawn, opponent, authority, digest, agent_seed }
    }

    /// The split's name.
    #[must_use]
    pub fn split(&self) -> &str {
        &self.drawn.split
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.drawn.seed
    }

    /// Who plays the other side.
    #[must_use]
    pub fn opponent(&self) -> String {
        self.opponent.name()
    }

    /// Guardrails and mandate in canonical words.
    #[must_use]
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// The key of an agent's episode.
    #[must_use]
    pub fn key(&self, player: &Player, index: u64, repeat: u32) -> EpisodeKey {
        EpisodeKey {
            suite: self.arena.name().into(),
            version: self.arena.version(),
            suite_digest: self.digest,
            split: self.drawn.split.as_str().into(),
            seed: self.drawn.seed,
            index,
            seat: Seat::BOTH[(index % 2) as usize],
            opponent: self.opponent.name().into(),
            agent: player.id().into(),
            agent_version: player.version(),
            agent_options: player.options().into(),
            agent_seed: self.agent_seed,
            repeat,
            reward: "surplus".into(),
            authority: self.authority.clone(),
        }
    }

    /// Plays one episode.
    ///
    /// # Errors
    /// Where there is no such agent, or the episode cannot be played or recorded.
    pub fn episode(&self, agent: &str, index: u64, repeat: u32) -> Result<PlayedEpisode, Failure> {
        self.play(&self.deal(index), agent, index, repeat)
    }

    /// Plays episode `index` once for each agent and repeat, in their order: what they share is worked out once.
    ///
    /// # Errors
    /// As [`Self::episode`].
    pub fn episodes(&self, index: u64, players: &[(&str, u32)]) -> Result<Vec<PlayedEpisode>, Failure> {
        if players.is_empty() {
            return Ok(Vec::new());
        }
        let deal = self.deal(index);
        players.iter().map(|&(agent, repeat)| self.play(&deal, agent, index, repeat)).collect()
    }

    fn deal(&self, index: u64) -> Deal {
        let scenario = self.drawn.source.scenario(index);
        let attainable = self.arena.attainable(&scenario);
        // A series is as difficult as its first contract.
        let grade = self.arena.grade(&scenario, attainable.as_ref());
        Deal { series: self.drawn.source.series(index), scenario, attainable, grade }
    }

    fn play(&self, deal: &Deal, agent: &str, index: u64, repeat: u32) -> Result<PlayedEpisode, Failure> {
        let mut player = roster::build(agent).map_err(Failure::input)?;
        let key = self.key(&player, index, repeat);
        if let Some(plan) = &deal.series {
            return self.series(player, key, plan.clone(), deal.grade);
        }
        let streams = key.agent_stream();
        let (scenario, attainable, grade) = (deal.scenario.clone(), deal.attainable.as_ref(), deal.grade);
        let seat = scenario.seat;
        let mut observer = Witness::of(seat);
        let seated = Seated { player: &mut player, stream: streams.lazy(0) };
        let mut rival = match &self.opponent {
            OpponentChoice::Agent(id) => Some(roster::build(id).map_err(Failure::input)?),
            OpponentChoice::Mix | OpponentChoice::Family(_) => None,
        };
        let mut bound = [false, false];
        bound[seat.index()] = true;
        bound[seat.other().index()] = rival.is_some();
        let mut negotiation = Negotiation::new(scenario, bound).logged();
        let opponent = rival.as_mut().map(|player| Seated { player, stream: streams.lazy(1) });
        play(&mut negotiation, seated, opponent, &mut observer).map_err(Failure::input)?;
        let outcome = negotiation
            .outcome()
            .cloned()
            .ok_or_else(|| Failure::Infrastructure(format!("{agent}, episode {index}: it never ended")))?;
        let scenario = negotiation.scenario();
        let mut scores = EpisodeScores::of(scenario, attainable, negotiation.log(), &outcome);
        scores.beliefs = BeliefScores::of(scenario, &observer.beliefs);
        let held = (!observer.beliefs.is_empty()).then(|| HeldBeliefs { contract: 0, beliefs: observer.beliefs });
        let said = scenario.counterpart.as_ref().map(|counterpart| counterpart.said().to_vec()).unwrap_or_default();
        let forfeits = scores.conduct.forfeits;
        let log = negotiation.log().to_vec();
        let record = EpisodeRecord::played_with(key, scenario, log, outcome, scores, forfeits, false)
            .map_err(|fault| Failure::Infrastructure(fault.to_string()))?
            .graded(grade)
            .with_evidence(held.into_iter().collect(), said);
        let line = record.to_line().map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
        Ok(PlayedEpisode { record, line, latencies: observer.latency.nanoseconds })
    }

    /// Plays an episode that is a series of contracts: one negotiation after the other through the same turn graph, the player
    /// begun anew for each.
    fn series(
        &self,
        mut player: Player,
        key: EpisodeKey,
        plan: SeriesPlan,
        grade: Option<Grade>,
    ) -> Result<PlayedEpisode, Failure> {
        let index = key.index;
        let drawn = (0..plan.contracts).map(|contract| self.drawn.source.contract(index, contract)).collect();
        let mut series = Series::new(plan, drawn);
        let streams = key.agent_stream();
        let mut observer = Witness::of(key.seat);
        let (mut held, mut said, mut believed) = (Vec::new(), Vec::new(), Vec::new());
        let mut rival = match &self.opponent {
            OpponentChoice::Agent(id) => Some(roster::build(id).map_err(Failure::input)?),
            OpponentChoice::Mix | OpponentChoice::Family(_) => None,
        };
        let mut bound = [false, false];
        bound[key.seat.index()] = true;
        bound[key.seat.other().index()] = rival.is_some();
        while let Some(mut negotiation) = series.negotiation(bound) {
            // Two streams a contract; the first contract has those of a single negotiation.
            let contract = series.public().contract;
            let stream = 2 * u64::from(contract);
            let seated = Seated { player: &mut player, stream: streams.lazy(stream) };
            let opponent = rival.as_mut().map(|player| Seated { player, stream: streams.lazy(stream + 1) });
            play(&mut negotiation, seated, opponent, &mut observer).map_err(Failure::input)?;
            if series.conclude(&negotiation).is_none() {
                return Err(Failure::Infrastructure(format!("{}, episode {index}: it never ended", key.agent)));
            }
            let scenario = negotiation.scenario();
            let beliefs = std::mem::take(&mut observer.beliefs);
            believed.extend(BeliefScores::of(scenario, &beliefs));
            held.extend((!beliefs.is_empty()).then_some(HeldBeliefs { contract, beliefs }));
            let words = scenario.counterpart.iter().flat_map(|counterpart| counterpart.said());
            said.extend(words.map(|words| Said { contract, ..words.clone() }));
        }
        let (Some(outcome), Some(mut scores)) = (series.outcome().cloned(), series.scores()) else {
            return Err(Failure::Infrastructure(format!("{}, episode {index}: its series is empty", key.agent)));
        };
        scores.beliefs = BeliefScores::over(&believed);
        let events = series.events().to_vec();
        let record = EpisodeRecord::played_series(key, series.contracts(), events, outcome, scores)
            .map_err(|fault| Failure::Infrastructure(fault.to_string()))?
            .graded(grade)
            .with_evidence(held, said);
        let line = record.to_line().map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
        Ok(PlayedEpisode { record, line, latencies: observer.latency.nanoseconds })
    }
}
