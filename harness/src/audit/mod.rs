//! An episode as a reviewer needs it, turn by turn: what was known, believed, considered, constrained, corrected and said; and
//! what kind of failure a bad outcome was.
//!
//! The record holds what was tried and what came of it. What an agent knew, believed and weighed is found by playing the
//! episode again: the same key gives the same episode bit for bit, and the digests show that it did. Where it cannot be played
//! again - a person, or a model whose replies were not kept - the record alone is shown, and that is said.

mod failure_kind;
mod render;
mod watch;

pub use failure_kind::{Evidence, FailureKind, Review, WASTED_SHARE};
pub use watch::{Considered, Known, Thought};

use crate::arena::Arena;
use crate::failure::Failure;
use crate::runner::Table;
use serde::Serialize;
use watch::Watch;
use zopa_envs::message::one_line;
use zopa_envs::score::FAMILY;
use zopa_envs::{Belief, CommonPrior, Event, Offer, Ruling, Scenario, Seat, Terms};
use zopa_reports::{EpisodeRecord, EpisodeResult, Played};

/// An offer in words, with what it is worth to the agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Package {
    /// Its terms.
    pub terms: String,
    /// Own gain, undiscounted.
    pub gain: f64,
}

impl Package {
    fn of(scenario: &Scenario, seat: Seat, offer: &Offer) -> Self {
        Self { terms: scenario.public.space.text(offer), gain: scenario.types[seat.index()].gain(offer) }
    }
}

/// A belief beside the truth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeldBelief {
    /// The belief.
    #[serde(flatten)]
    pub belief: Belief,
    /// What it was about, where the scenario has such a parameter; 1 or 0 where it is about a family.
    pub truth: Option<f64>,
}

impl HeldBelief {
    /// Whether the interval misses the truth.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        self.truth.is_some_and(|truth| truth < self.belief.low || truth > self.belief.high)
    }
}

/// One thing that the agent tried in a turn, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Attempt {
    /// What it asked for.
    pub asked: String,
    /// Its package, where it asked for one on the grid.
    pub package: Option<Package>,
    /// What it meant.
    pub intent: Option<String>,
    /// The guardrails that it failed.
    pub guardrails: Vec<&'static str>,
    /// What authority did.
    pub ruling: String,
    /// What was made of it, where that is another package.
    pub corrected: Option<Package>,
    /// What was said with it.
    pub said: Option<String>,
    /// Words that were withheld.
    pub withheld: Option<String>,
    /// What was wrong with the words.
    pub speech: Vec<String>,
    /// What the agent knew, believed and weighed; `None` where the episode could not be played again.
    pub thought: Option<Thought>,
}

/// One turn of the agent, with the other side's move before it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Turn {
    /// Its number, from 1.
    pub number: usize,
    /// The contract of a series, from 0.
    pub contract: u16,
    /// The round, from 0.
    pub round: u16,
    /// What the other side did since the agent's last turn.
    pub heard: Vec<String>,
    /// What the agent tried.
    pub attempts: Vec<Attempt>,
}

/// An episode under review.
#[derive(Clone, Debug, Serialize)]
pub struct Audit {
    /// The agent.
    pub agent: String,
    /// Its version.
    pub version: u32,
    /// Its options.
    pub options: String,
    /// The episode.
    pub index: u64,
    /// The repeat.
    pub repeat: u32,
    /// The agent's seat.
    pub seat: Seat,
    /// Who sat on the other side.
    pub family: String,
    /// Whether playing the episode again gave the record's digests; `None` where it could not be played again.
    pub replayed: Option<bool>,
    /// Why it could not.
    pub note: Option<String>,
    /// Whether the sides talked, so that some findings rest on how rightly their words are read.
    #[serde(skip)]
    pub spoken: bool,
    /// How it ended.
    pub ending: String,
    /// Own gain realised.
    pub gain: f64,
    /// The best own gain that was attainable.
    pub best_gain: Option<f64>,
    /// The agent's turns.
    pub turns: Vec<Turn>,
    /// What was bad about the outcome, and what kind of failure it was.
    pub review: Review,
}

impl Audit {
    /// Reviews the episode of a record: `table` is its run's.
    ///
    /// # Errors
    /// Where the episode has no result.
    pub fn of(arena: &Arena, table: &Table, record: &EpisodeRecord) -> Result<Self, Failure> {
        let key = &record.key;
        let EpisodeResult::Played(played) = &record.result else {
            return Err(Failure::Input(format!(
                "{}, episode {} has no result: infrastructure failed before it had one",
                key.agent, key.index
            )));
        };
        let scenario = table.scenario(key.index);
        let mut watch = Watch::of(key.seat);
        let again = table.observe(&key.agent, key.index, key.repeat, &mut watch);
        let (replayed, note) = match &again {
            Ok(again) => match &again.result {
                EpisodeResult::Played(found) if found.is_the_same(played) => (Some(true), None),
                _ => (
                    Some(false),
                    Some("playing it again gives another record: what it thought is not shown".to_owned()),
                ),
            },
            Err(fault) => (None, Some(format!("it cannot be played again, so what it thought is not shown: {fault}"))),
        };
        let thoughts = if replayed == Some(true) { watch.thoughts } else { Vec::new() };
        let truths = truths(&scenario, key.seat.other());
        let turns = turns(&scenario, key.seat, played, thoughts, &truths);
        let attainable = arena.attainable(&scenario);
        let review = Review::of(&scenario, key.seat, played, &turns);
        Ok(Self {
            agent: key.agent.to_string(),
            version: key.agent_version,
            options: key.agent_options.to_string(),
            index: key.index,
            repeat: key.repeat,
            seat: key.seat,
            family: record.family.to_string(),
            replayed,
            note,
            spoken: scenario.public.speech,
            ending: render::ending(&scenario, &played.outcome),
            gain: played.scores.gain,
            best_gain: attainable.map(|found| found.best_gain[key.seat.index()]),
            turns,
            review,
        })
    }
}

/// The other side's private parameters, and whether it is of each published family, by the names that beliefs give them.
fn truths(scenario: &Scenario, other: Seat) -> Vec<(String, f64)> {
    let names = match &scenario.public.prior {
        CommonPrior::Parties(priors) => priors[other.index()].parameter_names(&scenario.public.space),
        CommonPrior::Unknown => Vec::new(),
    };
    let parameters = names.into_iter().zip(scenario.types[other.index()].parameters.iter().copied());
    let met = scenario.counterpart.as_ref().map(|counterpart| &counterpart.family);
    let families = scenario.public.families.iter().map(|notice| {
        let truth = f64::from(u8::from(met == Some(&notice.name)));
        (format!("{FAMILY}{}", notice.name), truth)
    });
    parameters.chain(families).collect()
}

/// Whether an event ends an attempt; questions to a person and withheld words are steps on the way.
fn ends_attempt(ruling: &Ruling) -> bool {
    !matches!(ruling, Ruling::Held(_) | Ruling::Approved(_) | Ruling::Denied(_) | Ruling::Mismatch)
}

fn turns(
    scenario: &Scenario,
    seat: Seat,
    played: &Played,
    thoughts: Vec<Thought>,
    truths: &[(String, f64)],
) -> Vec<Turn> {
    let mut thoughts = thoughts.into_iter().map(|thought| thought.beside(truths)).peekable();
    let (mut turns, mut heard): (Vec<Turn>, Vec<String>) = (Vec::new(), Vec::new());
    // A thought stands with the first event that came of it.
    let mut begins = true;
    for event in &played.events {
        if event.seat != seat {
            heard.push(render::heard(scenario, event));
            continue;
        }
        let id = (event.contract, event.round);
        if turns.last().is_none_or(|turn| (turn.contract, turn.round) != id) {
            let number = turns.len() + 1;
            let heard = std::mem::take(&mut heard);
            turns.push(Turn { number, contract: id.0, round: id.1, heard, attempts: Vec::new() });
        }
        let here = thoughts.peek().is_some_and(|thought| (thought.known.contract, thought.known.round) == id);
        let thought = if begins && here { thoughts.next() } else { None };
        begins = ends_attempt(&event.ruling);
        let Some(turn) = turns.last_mut() else { continue };
        turn.attempts.push(attempt(scenario, seat, event, thought));
    }
    turns
}

fn attempt(scenario: &Scenario, seat: Seat, event: &Event, thought: Option<Thought>) -> Attempt {
    let asked = match &event.action {
        zopa_envs::Action::Offer { terms, .. } => scenario.public.space.resolve(terms),
        _ => None,
    };
    let made = event.made.as_ref().and_then(|made| made.offer());
    let corrected = made.filter(|made| Some(*made) != asked.as_ref());
    let faults = event.faults;
    let named = [
        ("structural", faults.structural),
        ("concession rate", faults.concession_rate),
        ("floor", faults.floor),
        ("phase", faults.phase),
    ];
    Attempt {
        asked: render::asked(scenario, &event.action),
        package: asked.as_ref().map(|offer| Package::of(scenario, seat, offer)),
        intent: event.intent.map(|intent| intent.name().to_owned()),
        guardrails: named.into_iter().filter(|(_, failed)| *failed).map(|(name, _)| name).collect(),
        ruling: render::ruling(&event.ruling),
        corrected: corrected.map(|offer| Package::of(scenario, seat, offer)),
        said: event.made.as_ref().and_then(|made| made.message.as_ref()).map(|message| one_line(message.text())),
        withheld: event.withheld.as_ref().map(|message| one_line(message.text())),
        speech: event.speech.iter().map(render::speech_fault).collect(),
        thought,
    }
}

/// Whether terms are a package on the grid.
fn resolved(scenario: &Scenario, terms: &Terms) -> Option<Offer> {
    scenario.public.space.resolve(terms)
}
