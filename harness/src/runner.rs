//! Plays episodes: the one way in which a run, a replay and a tournament play them.

use crate::arena::{Arena, Drawn, OpponentChoice};
use crate::failure::Failure;
use crate::latency::LatencyObserver;
use crate::trace::Tracer;
use crate::watching::Both;
use crate::witness::Witness;
use std::sync::Arc;
use zopa_agents::model::{Reading, Usage};
use zopa_agents::turn::{Observer, Seated, TurnError, play_spoken};
use zopa_agents::{Equipment, Player, Speaker, roster};
use zopa_envs::counterpart::Said;
use zopa_envs::score::{BeliefScores, ReadingScores};
use zopa_envs::{
    Attainable, Digest, EpisodeKey, EpisodeScores, Grade, HeldBeliefs, Negotiation, Scenario, Seat, Series, SeriesPlan,
    StreamKey,
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
    equipment: Equipment,
    tracer: Option<Arc<Tracer>>,
    assignment: Option<Assignment>,
}

/// The stream of a player's speaker lies so far behind the players' own that no series reaches it.
const SPEAKERS: u64 = 1 << 32;

/// Who sits at one seat: the player and who speaks for it.
struct Contender {
    player: Player,
    speaker: Option<Box<dyn Speaker>>,
}

impl Contender {
    fn is_degraded(&self) -> bool {
        self.speaker.as_ref().is_some_and(|speaker| speaker.is_degraded())
    }

    /// What its player and its speaker have asked of models and people since they began.
    fn usage(&self) -> Usage {
        let mut usage = self.player.usage();
        if let Some(speaker) = &self.speaker {
            usage += speaker.usage();
        }
        usage
    }
}

/// Why an episode has no record yet.
enum NoRecord {
    /// It cannot be played.
    Failure(Failure),
    /// Infrastructure failed while it was played.
    Unavailable(Arc<str>),
}

impl From<Failure> for NoRecord {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<TurnError> for NoRecord {
    fn from(error: TurnError) -> Self {
        match error {
            TurnError::Unavailable(reason) => Self::Unavailable(reason),
            TurnError::NoCounterpart(_) => Self::Failure(Failure::input(error)),
        }
    }
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
    /// Nanoseconds of each of its wordings.
    pub speech: Vec<u64>,
}

impl Table {
    /// A table for the scenarios that were drawn. `agent_seed` is the seed of the agents' own randomness.
    #[must_use]
    pub fn new(arena: Arc<Arena>, drawn: Drawn, opponent: OpponentChoice, agent_seed: u64) -> Self {
        let authority = Arena::authority(&drawn.source.scenario(0)).into();
        let digest = arena.digest();
        let equipment = Equipment::default();
        Self { arena, drawn, opponent, authority, digest, agent_seed, equipment, tracer: None, assignment: None }
    }

    /// The table with its scenarios allotted to arms: records then say to which.
    #[must_use]
    pub fn assigned(self, assignment: Option<Assignment>) -> Self {
        Self { assignment, ..self }
    }

    /// The table with its episodes traced, as far as they are in the tracer's sample.
    #[must_use]
    pub fn traced(self, tracer: Option<Arc<Tracer>>) -> Self {
        Self { tracer, ..self }
    }

    /// The same table for agents that are built with `equipment`.
    #[must_use]
    pub fn equipped(self, equipment: Equipment) -> Self {
        Self { equipment, ..self }
    }

    /// What its agents are built with.
    #[must_use]
    pub fn equipment(&self) -> &Equipment {
        &self.equipment
    }

    /// Episodes of `agent` that may be under way at a time because they wait for a server, not for a processor; `None` for an
    /// agent that asks none.
    #[must_use]
    pub fn connections(&self, agent: &str) -> Option<usize> {
        let asks =
            roster::asks_model(agent) || matches!(&self.opponent, OpponentChoice::Agent(id) if roster::asks_model(id));
        self.equipment.client.as_ref().filter(|_| asks).map(|client| client.max_connections())
    }

    fn contender(&self, id: &str) -> Result<Contender, Failure> {
        let player = roster::build_with(id, &self.equipment).map_err(Failure::input)?;
        Ok(Contender { player, speaker: roster::speaker(id, &self.equipment) })
    }

    fn rival(&self) -> Result<Option<Contender>, Failure> {
        match &self.opponent {
            OpponentChoice::Agent(id) => self.contender(id).map(Some),
            OpponentChoice::Mix | OpponentChoice::Family(_) => Ok(None),
        }
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
        let mut observer = LatencyObserver::of(deal.scenario.seat);
        let contender = self.contender(agent)?;
        let key = self.key(&contender.player, index, repeat);
        let mut trace = self.tracer.as_ref().and_then(|tracer| tracer.episode(&key));
        let record = match &mut trace {
            Some(trace) => self.watched(deal, contender, key, &mut Both(&mut observer, trace))?,
            None => self.watched(deal, contender, key, &mut observer)?,
        };
        if let (Some(tracer), Some(trace)) = (&self.tracer, trace) {
            tracer.deliver(trace, &record);
        }
        let line = record.to_line().map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
        let LatencyObserver { nanoseconds, speech_nanoseconds, .. } = observer;
        Ok(PlayedEpisode { record, line, latencies: nanoseconds, speech: speech_nanoseconds })
    }

    /// Plays one episode, watched by `observer`, and returns its record. Where infrastructure fails past all retries the record
    /// has no result.
    ///
    /// # Errors
    /// As [`Self::episode`].
    pub fn observe(
        &self,
        agent: &str,
        index: u64,
        repeat: u32,
        observer: &mut dyn Observer,
    ) -> Result<EpisodeRecord, Failure> {
        let contender = self.contender(agent)?;
        let key = self.key(&contender.player, index, repeat);
        self.watched(&self.deal(index), contender, key, observer)
    }

    fn watched(
        &self,
        deal: &Deal,
        mut contender: Contender,
        key: EpisodeKey,
        observer: &mut dyn Observer,
    ) -> Result<EpisodeRecord, Failure> {
        let record = match &deal.series {
            Some(plan) => self.series(&mut contender, key.clone(), plan.clone(), deal.grade, observer),
            None => self.single(&mut contender, key.clone(), deal, observer),
        };
        let arm = self.assignment.as_ref().map(|assignment| assignment.arm(key.scenario()).into());
        match record {
            Ok(record) => Ok(record.assigned(arm)),
            Err(NoRecord::Failure(failure)) => Err(failure),
            Err(NoRecord::Unavailable(reason)) => {
                let counterpart = deal.scenario.counterpart.as_ref();
                let family = counterpart.map_or_else(|| key.opponent.clone(), |counterpart| counterpart.family.clone());
                Ok(EpisodeRecord::infra_error(key, family, &reason).assigned(arm))
            }
        }
    }

    /// Plays an episode that is one negotiation.
    fn single(
        &self,
        contender: &mut Contender,
        key: EpisodeKey,
        deal: &Deal,
        observer: &mut dyn Observer,
    ) -> Result<EpisodeRecord, NoRecord> {
        let (agent, index, streams) = (key.agent.clone(), key.index, key.agent_stream());
        let (scenario, attainable, grade) = (deal.scenario.clone(), deal.attainable.as_ref(), deal.grade);
        let seat = scenario.seat;
        let mut observer = Witness::of(seat, observer);
        let mut rival = self.rival()?;
        let mut bound = [false, false];
        bound[seat.index()] = true;
        bound[seat.other().index()] = rival.is_some();
        let mut negotiation = Negotiation::new(scenario, bound).logged();
        sit(&mut negotiation, contender, rival.as_mut(), &streams, 0, &mut observer)?;
        let outcome = negotiation
            .outcome()
            .cloned()
            .ok_or_else(|| Failure::Infrastructure(format!("{agent}, episode {index}: it never ended")))?;
        let scenario = negotiation.scenario();
        let mut scores = EpisodeScores::of(scenario, attainable, negotiation.log(), &outcome);
        scores.beliefs = BeliefScores::of(scenario, &observer.beliefs);
        scores.reading = reading(scenario, contender.player.readings());
        let held = (!observer.beliefs.is_empty()).then_some(HeldBeliefs { contract: 0, beliefs: observer.beliefs });
        let said = scenario.counterpart.as_ref().map(|counterpart| counterpart.said().to_vec()).unwrap_or_default();
        let forfeits = scores.conduct.forfeits;
        let log = negotiation.log().to_vec();
        let (degraded, usage) = (contender.is_degraded(), recorded(contender.usage()));
        let record = EpisodeRecord::played_with(key, scenario, log, outcome, scores, forfeits, degraded)
            .map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
        Ok(record.graded(grade).with_usage(usage).with_evidence(held.into_iter().collect(), said))
    }

    /// Plays an episode that is a series of contracts: one negotiation after the other through the same turn graph, the player
    /// begun anew for each.
    fn series(
        &self,
        contender: &mut Contender,
        key: EpisodeKey,
        plan: SeriesPlan,
        grade: Option<Grade>,
        observer: &mut dyn Observer,
    ) -> Result<EpisodeRecord, NoRecord> {
        let index = key.index;
        let drawn = (0..plan.contracts).map(|contract| self.drawn.source.contract(index, contract)).collect();
        let mut series = Series::new(plan, drawn);
        let streams = key.agent_stream();
        let mut observer = Witness::of(key.seat, observer);
        let (mut held, mut said, mut believed) = (Vec::new(), Vec::new(), Vec::new());
        let mut read: Option<ReadingScores> = None;
        let mut rival = self.rival()?;
        let mut bound = [false, false];
        bound[key.seat.index()] = true;
        bound[key.seat.other().index()] = rival.is_some();
        let (mut degraded, mut usage) = (false, Usage::default());
        while let Some(mut negotiation) = series.negotiation(bound) {
            // Two streams a contract; the first contract has those of a single negotiation.
            let contract = series.public().contract;
            let stream = 2 * u64::from(contract);
            sit(&mut negotiation, contender, rival.as_mut(), &streams, stream, &mut observer)?;
            degraded |= contender.is_degraded();
            usage += contender.usage();
            if series.conclude(&negotiation).is_none() {
                let fault = format!("{}, episode {index}: it never ended", key.agent);
                return Err(Failure::Infrastructure(fault).into());
            }
            let scenario = negotiation.scenario();
            let beliefs = std::mem::take(&mut observer.beliefs);
            believed.extend(BeliefScores::of(scenario, &beliefs));
            read = reading(scenario, contender.player.readings())
                .map(|scores| scores.plus(read.unwrap_or_default()))
                .or(read);
            held.extend((!beliefs.is_empty()).then_some(HeldBeliefs { contract, beliefs }));
            let words = scenario.counterpart.iter().flat_map(|counterpart| counterpart.said());
            said.extend(words.map(|words| Said { contract, ..words.clone() }));
        }
        let (Some(outcome), Some(mut scores)) = (series.outcome().cloned(), series.scores()) else {
            return Err(Failure::Infrastructure(format!("{}, episode {index}: its series is empty", key.agent)).into());
        };
        scores.beliefs = BeliefScores::over(&believed);
        scores.reading = read;
        let events = series.events().to_vec();
        let record = EpisodeRecord::played_series(key, series.contracts(), events, outcome, scores)
            .map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
        Ok(record.degraded(degraded).graded(grade).with_usage(recorded(usage)).with_evidence(held, said))
    }
}

/// How the contender's readings stand to what the scripted counterpart stated; `None` where it read nothing or another agent, who
/// keeps no account of its statements, sat there.
fn reading(scenario: &Scenario, readings: &[Reading]) -> Option<ReadingScores> {
    let said = scenario.counterpart.as_ref()?.said();
    let scored = readings.iter().filter_map(|reading| {
        let truth = said.iter().find(|said| said.round == reading.round)?;
        let stated: Vec<_> = truth.stated.iter().map(|(statement, _)| statement.clone()).collect();
        Some(reading.score(&scenario.public.space, &stated))
    });
    scored.reduce(ReadingScores::plus)
}

/// Usage as records hold it; nothing where there was none.
fn recorded(usage: Usage) -> Option<zopa_reports::record::Usage> {
    let Usage {
        replies,
        prompt_tokens,
        completion_tokens,
        repairs,
        tool_calls,
        template_words,
        drafts_approved,
        drafts_edited,
    } = usage;
    (!usage.is_empty()).then_some(zopa_reports::record::Usage {
        replies,
        prompt_tokens,
        completion_tokens,
        repairs,
        tool_calls,
        template_words,
        drafts_approved,
        drafts_edited,
    })
}

/// Plays one negotiation; the players' streams are `stream` and the one after it.
fn sit(
    negotiation: &mut Negotiation,
    contender: &mut Contender,
    mut rival: Option<&mut Contender>,
    streams: &StreamKey,
    stream: u64,
    observer: &mut dyn Observer,
) -> Result<(), TurnError> {
    if let Some(speaker) = &mut contender.speaker {
        speaker.begin(streams.lazy(SPEAKERS + stream));
    }
    if let Some(speaker) = rival.as_mut().and_then(|rival| rival.speaker.as_mut()) {
        speaker.begin(streams.lazy(SPEAKERS + stream + 1));
    }
    let Contender { player, speaker } = contender;
    let seated = Seated { player, stream: streams.lazy(stream) };
    let (opponent, other_speaker) = match rival {
        Some(Contender { player, speaker }) => {
            (Some(Seated { player, stream: streams.lazy(stream + 1) }), borrowed(speaker))
        }
        None => (None, None),
    };
    play_spoken(negotiation, seated, opponent, [borrowed(speaker), other_speaker], observer)
}

fn borrowed(speaker: &mut Option<Box<dyn Speaker>>) -> Option<&mut dyn Speaker> {
    speaker.as_mut().map(|speaker| &mut **speaker as &mut dyn Speaker)
}
