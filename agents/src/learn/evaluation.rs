//! A finished policy over episodes that it was not trained on, through the same turn graph and scores as a run, against the
//! scenarios' counterparts or, as an exploiter is judged, against an agent.

use super::agent::LearnedAgent;
use super::rollout::in_order;
use super::weights::Policy;
use crate::agent::Player;
use crate::roster;
use crate::turn::{Seated, TurnError, play};
use std::sync::Arc;
use zopa_envs::{Attainable, EpisodeScores, Negotiation, ScenarioSource, StreamKey};

/// One episode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvaluatedEpisode {
    /// Whether a deal was made.
    pub agreement: bool,
    /// Whether some outcome leaves each side better off; `None` where that is not known or says nothing.
    pub feasible: Option<bool>,
    /// Own gain over the scale.
    pub gain: f64,
    /// The best own gain that leaves the other side no worse off, over the scale.
    pub best: f64,
    /// Whether no own proposal failed a guardrail.
    pub constraint_satisfied: bool,
    /// Whether an offer or acceptance of negative own gain was attempted or done.
    pub loss_making: bool,
}

/// The episodes of an evaluation, in order: both seats of a scenario follow each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// All of them.
    pub episodes: Vec<EvaluatedEpisode>,
}

impl Evaluation {
    /// Plays episodes 0 to `count` of `source` with `policy`, against the agent `opponent` or, where that is `None`, the scenarios'
    /// counterparts.
    ///
    /// # Errors
    /// Where the scenarios have none, or there is no such agent.
    pub fn of(
        policy: &Policy,
        source: &dyn ScenarioSource,
        opponent: Option<&str>,
        count: u64,
        threads: usize,
    ) -> Result<Self, TurnError> {
        let policy = Arc::new(policy.clone());
        let player = || Ok(Player::Agent(Box::new(LearnedAgent::new("policy", policy.clone()))));
        Self::played(&player, source, opponent, count, threads)
    }

    /// The same episodes played by the agent `id` against itself. What an exploiter gains beyond this is a lower bound of what the
    /// agent leaves to whoever knows it.
    ///
    /// # Errors
    /// Where there is no such agent.
    pub fn mirror(id: &str, source: &dyn ScenarioSource, count: u64, threads: usize) -> Result<Self, TurnError> {
        Self::played(&|| built(id), source, Some(id), count, threads)
    }

    fn played(
        player: &(dyn Fn() -> Result<Player, TurnError> + Sync),
        source: &dyn ScenarioSource,
        opponent: Option<&str>,
        count: u64,
        threads: usize,
    ) -> Result<Self, TurnError> {
        let streams = StreamKey::new("evaluation", &[]);
        let other_streams = StreamKey::new("evaluation opponent", &[]);
        let episodes = in_order(threads, count as usize, |position| {
            let episode = position as u64;
            let scenario = source.scenario(episode);
            let seat = scenario.seat;
            let attainable = Attainable::of(&scenario);
            // Two agents are both held to authority, a scripted counterpart is not.
            let mut bound = [opponent.is_some(); 2];
            bound[seat.index()] = true;
            let mut negotiation = Negotiation::new(scenario, bound).logged();
            let mut player = player()?;
            let mut other = opponent.map(built).transpose()?;
            let seated = Seated { player: &mut player, stream: streams.lazy(episode) };
            let opposed = other.as_mut().map(|player| Seated { player, stream: other_streams.lazy(episode) });
            play(&mut negotiation, seated, opposed, &mut ())?;
            Ok(negotiation.outcome().map(|outcome| {
                let scores = EpisodeScores::of(negotiation.scenario(), attainable.as_ref(), negotiation.log(), outcome);
                EvaluatedEpisode {
                    agreement: scores.agreement,
                    feasible: scores.feasible,
                    gain: scores.gain / scores.scale,
                    best: scores.best_gain.unwrap_or(0.0) / scores.scale,
                    constraint_satisfied: scores.constraint_satisfied(),
                    loss_making: scores.loss_making(),
                }
            }))
        });
        let episodes: Result<Vec<Option<EvaluatedEpisode>>, TurnError> = episodes.into_iter().collect();
        Ok(Self { episodes: episodes?.into_iter().flatten().collect() })
    }
}

fn built(id: &str) -> Result<Player, TurnError> {
    roster::build(id).map_err(|fault| TurnError::Unavailable(fault.to_string().into()))
}
