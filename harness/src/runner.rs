//! Plays episodes: the one way in which a run, a replay and a tournament play them.

use crate::arena::{Arena, Drawn, OpponentChoice};
use crate::failure::Failure;
use crate::latency::LatencyObserver;
use crate::trace::Tracer;
use crate::watching::Both;
use std::sync::Arc;
use zopa_agents::turn::{Observer, Seated, play};
use zopa_agents::{Player, roster};
use zopa_envs::{
    Attainable, Digest, EpisodeKey, EpisodeScores, Grade, Negotiation, Scenario, Seat, Series, SeriesPlan,
};
use zopa_reports::{Assignment, EpisodeRecord};

/// All that a run's episodes share.
pub struct Table {
    arena: Arc<Arena>,
    drawn: Drawn,
    opponent: OpponentChoice,
    authority: Arc<str>,
    digest: Digest,
    agent_seed: u64,
    tracer: Option<Arc<Tracer>>,
    assignment: Option<Assignment>,
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
        Self { arena, drawn, opponent, authority, digest, agent_seed, tracer: None, assignment: None }
    }

    /// The table with its scenarios allotted to arms: records then say to which.
    #[must_use]
    pub fn assigned(self, assignment: Option<Assignment>) -> Self {
        Self { assignment, ..self }
    }

    fn arm(&self, index: u64) -> Option<Arc<str>> {
        Some(self.assignment.as_ref()?.arm(index / 2).into())
    }

    /// The table with its episodes traced, as far as they are in the tracer's sample.
    #[must_use]
    pub fn traced(self, tracer: Option<Arc<Tracer>>) -> Self {
        Self { tracer, ..self }
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

    /// The scenario of an episode; the first one's where it is a series.
    #[must_use]
    pub fn scenario(&self, index: u64) -> Scenario {
        self.drawn.source.scenario(index)
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
        self.traced_play(&self.deal(index), agent, index, repeat)
    }

    /// As [`Self::episode`], with somebody who watches: that changes nothing of the episode.
    ///
    /// # Errors
    /// As there.
    pub fn episode_observed(
        &self,
        agent: &str,
        index: u64,
        repeat: u32,
        observer: &mut dyn Observer,
    ) -> Result<PlayedEpisode, Failure> {
        self.play(&self.deal(index), agent, index, repeat, observer)
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
        players.iter().map(|&(agent, repeat)| self.traced_play(&deal, agent, index, repeat)).collect()
    }

    fn deal(&self, index: u64) -> Deal {
        let scenario = self.drawn.source.scenario(index);
        let attainable = self.arena.attainable(&scenario);
        // A series is as difficult as its first contract.
        let grade = self.arena.grade(&scenario, attainable.as_ref());
        Deal { series: self.drawn.source.series(index), scenario, attainable, grade }
    }

    /// Plays an episode, and traces it where it is in the tracer's sample.
    fn traced_play(&self, deal: &Deal, agent: &str, index: u64, repeat: u32) -> Result<PlayedEpisode, Failure> {
        let Some(tracer) = &self.tracer else { return self.play(deal, agent, index, repeat, &mut ()) };
        let key = self.key(&roster::build(agent).map_err(Failure::input)?, index, repeat);
        let Some(mut trace) = tracer.episode(&key) else { return self.play(deal, agent, index, repeat, &mut ()) };
        let played = self.play(deal, agent, index, repeat, &mut trace)?;
        tracer.deliver(trace, &played.record);
        Ok(played)
    }

    fn play(
        &self,
        deal: &Deal,
        agent: &str,
        index: u64,
        repeat: u32,
        observer: &mut dyn Observer,
    ) -> Result<PlayedEpisode, Failure> {
        let mut player = roster::build(agent).map_err(Failure::input)?;
        let key = self.key(&player, index, repeat);
        if let Some(plan) = &deal.series {
            return self.series(player, key, plan.clone(), deal.grade, observer);
        }
        let streams = key.agent_stream();
        let (scenario, attainable, grade) = (deal.scenario.clone(), deal.attainable.as_ref(), deal.grade);
        let seat = scenario.seat;
        let mut latency = LatencyObserver::of(seat);
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
        play(&mut negotiation, seated, opponent, &mut Both(&mut latency, observer)).map_err(Failure::input)?;
        let outcome = negotiation
            .outcome()
            .cloned()
            .ok_or_else(|| Failure::Infrastructure(format!("{agent}, episode {index}: it never ended")))?;
        let scenario = negotiation.scenario();
        let scores = EpisodeScores::of(scenario, attainable, negotiation.log(), &outcome);
        let forfeits = scores.conduct.forfeits;
        let log = negotiation.log().to_vec();
        let record = EpisodeRecord::played_with(key, scenario, log, outcome, scores, forfeits, false)
            .map_err(|fault| Failure::Infrastructure(fault.to_string()))?
            .graded(grade)
            .assigned(self.arm(index));
        let line = record.to_line().map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
        Ok(PlayedEpisode { record, line, latencies: latency.nanoseconds })
    }

    /// Plays an episode that is a series of contracts: one negotiation after the other through the same turn graph, the player
    /// begun anew for each.
    fn series(
        &self,
        mut player: Player,
        key: EpisodeKey,
        plan: SeriesPlan,
        grade: Option<Grade>,
        observer: &mut dyn Observer,
    ) -> Result<PlayedEpisode, Failure> {
        let index = key.index;
        let drawn = (0..plan.contracts).map(|contract| self.drawn.source.contract(index, contract)).collect();
        let mut series = Series::new(plan, drawn);
        let streams = key.agent_stream();
        let mut latency = LatencyObserver::of(key.seat);
        let mut rival = match &self.opponent {
            OpponentChoice::Agent(id) => Some(roster::build(id).map_err(Failure::input)?),
            OpponentChoice::Mix | OpponentChoice::Family(_) => None,
        };
        let mut bound = [false, false];
        bound[key.seat.index()] = true;
        bound[key.seat.other().index()] = rival.is_some();
        while let Some(mut negotiation) = series.negotiation(bound) {
            // Two streams a contract; the first contract has those of a single negotiation.
            let stream = 2 * u64::from(series.public().contract);
            let seated = Seated { player: &mut player, stream: streams.lazy(stream) };
            let opponent = rival.as_mut().map(|player| Seated { player, stream: streams.lazy(stream + 1) });
            play(&mut negotiation, seated, opponent, &mut Both(&mut latency, observer)).map_err(Failure::input)?;
            if series.conclude(&negotiation).is_none() {
                return Err(Failure::Infrastructure(format!("{}, episode {index}: it never ended", key.agent)));
            }
        }
        let (Some(outcome), Some(scores)) = (series.outcome().cloned(), series.scores()) else {
            return Err(Failure::Infrastructure(format!("{}, episode {index}: its series is empty", key.agent)));
        };
        let events = series.events().to_vec();
        let record = EpisodeRecord::played_series(key, series.contracts(), events, outcome, scores)
            .map_err(|fault| Failure::Infrastructure(fault.to_string()))?
            .graded(grade)
            .assigned(self.arm(index));
        let line = record.to_line().map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
        Ok(PlayedEpisode { record, line, latencies: latency.nanoseconds })
    }
}
