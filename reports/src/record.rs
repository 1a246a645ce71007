//! One episode as the run's journal holds it: a line of JSON.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use zopa_envs::counterpart::Said;
use zopa_envs::{Digest, EpisodeKey, EpisodeScores, Event, Grade, Hasher, HeldBeliefs, Outcome, Scenario};

use crate::plain_text::plain;

mod lines;
#[cfg(test)]
mod tests;

pub use lines::{Line, MAX_LINE_BYTES, read_line, read_records};

/// A record that cannot be written, read or trusted.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The line is no record.
    #[error("line {line}: {source}; a record is one line of JSON as `zopa run` writes it")]
    Json {
        /// Line in the journal, from 1.
        line: u64,
        /// What the parser said, with the column.
        source: serde_json::Error,
    },
    /// The line could not be read.
    #[error("line {line}: {source}")]
    Read {
        /// Line in the journal, from 1.
        line: u64,
        /// What the system said.
        source: std::io::Error,
    },
    /// The last line ends in its middle.
    #[error("line {line}: it is torn, because the run was interrupted; go on with `zopa run ... --resume`")]
    Torn {
        /// Line in the journal, from 1.
        line: u64,
    },
    /// The line is longer than any record.
    #[error("line {line}: it is longer than {} bytes, which no record is", MAX_LINE_BYTES)]
    TooLong {
        /// Line in the journal, from 1.
        line: u64,
    },
    /// The record has another layout.
    #[error(
        "line {line}: schema {found}, but this version reads schema {}; use the version that wrote the run",
        EpisodeRecord::SCHEMA
    )]
    Schema {
        /// Line in the journal, from 1.
        line: u64,
        /// The schema found.
        found: u32,
    },
    /// The record does not match its own digest.
    #[error(
        "line {line}: the {what} digest is {found}, but the record's content gives {expected}; the line was changed after the run"
    )]
    Digest {
        /// Line in the journal, from 1.
        line: u64,
        /// Which digest.
        what: &'static str,
        /// The digest in the record.
        found: Digest,
        /// The digest of its content.
        expected: Digest,
    },
    /// A series without a contract.
    #[error("{agent}, episode {index}: its series has no contract; a source draws at least one")]
    NoContract {
        /// The agent.
        agent: Arc<str>,
        /// The episode.
        index: u64,
    },
    /// A score is NaN or infinite, which JSON cannot hold.
    #[error("{agent}, episode {index}: the score {field} is {value}; scores must be finite")]
    NotFinite {
        /// The agent.
        agent: Arc<str>,
        /// The episode.
        index: u64,
        /// The score's field.
        field: &'static str,
        /// Its value.
        value: f64,
    },
}

/// One episode: its key, what happened and the digests over both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EpisodeRecord {
    /// Version of this layout.
    pub schema: u32,
    /// What fixes the episode.
    pub key: EpisodeKey,
    /// Counterpart family, or the opponent's id where an agent plays the other side.
    pub family: Arc<str>,
    /// The arm that the scenario was allotted to before anything was played, where scenarios were allotted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assigned: Option<Arc<str>>,
    /// What happened.
    #[serde(flatten)]
    pub result: EpisodeResult,
}

/// What came of an episode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum EpisodeResult {
    /// It was played to its end.
    Played(Box<Played>),
    /// Infrastructure failed: no result, to be played again on resume.
    InfraError {
        /// What failed.
        reason: Arc<str>,
    },
}

/// What the agent's decisions cost beside time: models' tokens and people's work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Replies of models.
    pub replies: u64,
    /// Tokens of their prompts.
    pub prompt_tokens: u64,
    /// Tokens of the replies.
    pub completion_tokens: u64,
    /// Replies that were asked for again because their content was invalid.
    pub repairs: u64,
    /// Tools used.
    pub tool_calls: u64,
    /// Words that a template said because a model's were wrong or did not come.
    pub template_words: u64,
    /// Drafts that a person took as they were.
    pub drafts_approved: u64,
    /// Drafts that a person changed or threw away.
    pub drafts_edited: u64,
}

/// An episode that was played to its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// How it ended.
    pub outcome: Outcome,
    /// The agent's scores.
    pub scores: EpisodeScores,
    /// Every action of both sides, with corrections and refusals.
    pub events: Vec<Event>,
    /// Invalid replies that counted as a forfeit.
    #[serde(default)]
    pub forfeits: u32,
    /// Whether speech had to be replaced by a template.
    #[serde(default)]
    pub degraded: bool,
    /// How hard the scenario is for the agent's seat; `None` where nothing can be agreed or the suite does not grade.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade>,
    /// What the agent believed last of the other side, one entry a contract; empty where it stated no beliefs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beliefs: Vec<HeldBeliefs>,
    /// What the scripted counterpart stated, with what was true of it, one entry a message: the ground truth by which whoever
    /// interprets its words is scored. Empty where it said nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<Said>,
    /// What the agent's decisions cost beside time; `None` where no model and no person was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// SHA-256 over the scenario's canonical bytes.
    pub scenario_digest: Digest,
    /// SHA-256 over key, scenario digest, events and outcome.
    pub digest: Digest,
    /// SHA-256 over the rest of the record.
    pub rest_digest: Digest,
}

impl EpisodeRecord {
    /// The layout that this version reads and writes.
    pub const SCHEMA: u32 = 1;

    /// The longest reason of an infrastructure failure, in bytes.
    pub const MOST_REASON: usize = 1024;

    /// Records an episode that was played to its end.
    ///
    /// # Errors
    /// Where a score is not finite.
    pub fn played(
        key: EpisodeKey,
        scenario: &Scenario,
        events: Vec<Event>,
        outcome: Outcome,
        scores: EpisodeScores,
    ) -> Result<Self, RecordError> {
        Self::played_with(key, scenario, events, outcome, scores, 0, false)
    }

    /// Records an episode with invalid replies (`forfeits`) or replaced speech (`degraded`).
    ///
    /// # Errors
    /// Where a score is not finite.
    pub fn played_with(
        key: EpisodeKey,
        scenario: &Scenario,
        events: Vec<Event>,
        outcome: Outcome,
        scores: EpisodeScores,
        forfeits: u32,
        degraded: bool,
    ) -> Result<Self, RecordError> {
        check_finite(&key, &scores)?;
        let family: Arc<str> = scenario
            .counterpart
            .as_ref()
            .map_or_else(|| key.opponent.clone(), |counterpart| counterpart.family.clone());
        let scenario_digest = Hasher::new().with(scenario).digest();
        let digest = game_digest(&key, &scenario_digest, &events, &outcome);
        let mut played = Played {
            outcome,
            scores,
            events,
            forfeits,
            degraded,
            grade: None,
            beliefs: Vec::new(),
            said: Vec::new(),
            usage: None,
            scenario_digest,
            digest,
            rest_digest: digest,
        };
        played.seal(&family, None);
        Ok(Self { schema: Self::SCHEMA, key, family, assigned: None, result: EpisodeResult::Played(Box::new(played)) })
    }

    /// Records a series of contracts that was played to its end, by all `contracts` that were drawn for it, its events with their
    /// contracts' numbers, and the outcome of its last negotiation.
    ///
    /// # Errors
    /// Where a score is not finite or there is no contract.
    pub fn played_series(
        key: EpisodeKey,
        contracts: &[Scenario],
        events: Vec<Event>,
        outcome: Outcome,
        scores: EpisodeScores,
    ) -> Result<Self, RecordError> {
        let Some(first) = contracts.first() else {
            return Err(RecordError::NoContract { agent: key.agent.clone(), index: key.index });
        };
        let forfeits = scores.conduct.forfeits;
        let mut record = Self::played_with(key, first, events, outcome, scores, forfeits, false)?;
        if let EpisodeResult::Played(played) = &mut record.result {
            played.scenario_digest = Hasher::new().with(contracts).digest();
            played.digest = game_digest(&record.key, &played.scenario_digest, &played.events, &played.outcome);
        }
        Ok(record)
    }

    /// The record with its scenario's grade, `None` where it has none.
    #[must_use]
    pub fn graded(self, grade: Option<Grade>) -> Self {
        self.with(|played| played.grade = grade)
    }

    /// The record with what the agent believed last and what was true of the counterpart's words.
    #[must_use]
    pub fn with_evidence(self, beliefs: Vec<HeldBeliefs>, said: Vec<Said>) -> Self {
        self.with(|played| (played.beliefs, played.said) = (beliefs, said))
    }

    /// The record with what the agent's decisions cost, `None` where no model and no person was asked.
    #[must_use]
    pub fn with_usage(self, usage: Option<Usage>) -> Self {
        self.with(|played| played.usage = usage)
    }

    /// The record with the arm that its scenario was allotted to, `None` where scenarios were not allotted.
    #[must_use]
    pub fn assigned(mut self, arm: Option<Arc<str>>) -> Self {
        self.assigned = arm;
        self.with(|_| ())
    }

    /// The record with its speech marked as degraded, where it was.
    #[must_use]
    pub fn degraded(self, degraded: bool) -> Self {
        self.with(|played| played.degraded = degraded)
    }

    fn with(mut self, change: impl FnOnce(&mut Played)) -> Self {
        if let EpisodeResult::Played(played) = &mut self.result {
            change(played);
            played.seal(&self.family, self.assigned.as_deref());
        }
        self
    }

    /// Records that infrastructure failed before the episode had a result. A reason may quote a server: what steers a terminal
    /// is left out of it and what is beyond [`Self::MOST_REASON`] bytes is cut.
    pub fn infra_error(key: EpisodeKey, family: Arc<str>, reason: &str) -> Self {
        let reason = plain(&reason[..reason.floor_char_boundary(Self::MOST_REASON)]);
        let result = EpisodeResult::InfraError { reason: (*reason).into() };
        Self { schema: Self::SCHEMA, key, family, assigned: None, result }
    }

    /// The record as one line of JSON, without the line's end.
    ///
    /// # Errors
    /// None in practice: every field has a JSON form.
    pub fn to_line(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// Reads the record of line `line` (from 1) and tests its digests.
    ///
    /// # Errors
    /// Where the line is no record, has another schema, or does not match its own digests.
    pub fn from_line(text: &str, line: u64) -> Result<Self, RecordError> {
        Self::from_bytes(text.as_bytes(), line)
    }

    /// As [`Self::from_line`], from bytes that may be no text at all.
    ///
    /// # Errors
    /// As there.
    pub fn from_bytes(text: &[u8], line: u64) -> Result<Self, RecordError> {
        let record: Self = serde_json::from_slice(text).map_err(|source| RecordError::Json { line, source })?;
        if record.schema != Self::SCHEMA {
            return Err(RecordError::Schema { line, found: record.schema });
        }
        if let EpisodeResult::Played(played) = &record.result {
            let game = game_digest(&record.key, &played.scenario_digest, &played.events, &played.outcome);
            let rest = played.rest(&record.family, record.assigned.as_deref());
            for (what, found, expected) in [("game", played.digest, game), ("rest", played.rest_digest, rest)] {
                if found != expected {
                    return Err(RecordError::Digest { line, what, found, expected });
                }
            }
        }
        Ok(record)
    }
}

impl Played {
    /// Whether playing an episode again gave what is recorded of it, game and all the rest.
    #[must_use]
    pub fn is_the_same(&self, recorded: &Self) -> bool {
        (self.digest, self.rest_digest) == (recorded.digest, recorded.rest_digest)
    }

    fn rest(&self, family: &str, assigned: Option<&str>) -> Digest {
        rest_digest(family, self, assigned)
    }

    fn seal(&mut self, family: &str, assigned: Option<&str>) {
        self.rest_digest = self.rest(family, assigned);
    }
}

fn game_digest(key: &EpisodeKey, scenario: &Digest, events: &[Event], outcome: &Outcome) -> Digest {
    Hasher::new().with(key).with(scenario).with(events).with(outcome).digest()
}

/// The digest of all of `played`, of a counterpart of `family`, that [`game_digest`] leaves out, and of the arm.
fn rest_digest(family: &str, played: &Played, assigned: Option<&str>) -> Digest {
    let Played { scores, forfeits, degraded, grade, beliefs: held, said, usage, .. } = played;
    // Taken apart in full, so that a new field cannot be forgotten here.
    let EpisodeScores {
        agreement,
        feasible,
        gain,
        counterpart_gain,
        best_gain,
        scale,
        joint_gain,
        best_joint,
        nash_product,
        nash_distance,
        savings_against_status_quo,
        savings_against_opening,
        rounds,
        conduct,
        total_value,
        relationship,
        beliefs,
        reading,
    } = scores;
    let zopa_envs::Conduct {
        attempts,
        offers,
        passes,
        structural,
        concession_rate,
        floor,
        phase,
        corrected,
        refused,
        fallbacks,
        loss_attempted,
        broken_finals,
        final_offer,
        escalations,
        approvals,
        denials,
        interventions,
        ignored,
        left_standing,
        forfeits: invalid_replies,
        unauthorised,
        mismatches,
        contradictions,
        false_statements,
        false_statements_caught,
        withheld,
        commitments_kept,
        commitments_broken,
    } = conduct;
    let counts = [
        *attempts,
        *offers,
        *passes,
        *structural,
        *concession_rate,
        *floor,
        *phase,
        *corrected,
        *refused,
        *fallbacks,
        *loss_attempted,
        *broken_finals,
        *escalations,
        *approvals,
        *denials,
        *interventions,
        *ignored,
        *left_standing,
        *invalid_replies,
        *unauthorised,
        *mismatches,
        *contradictions,
        *false_statements,
        *withheld,
        *commitments_kept,
        *commitments_broken,
    ];
    let mut hasher = Hasher::new()
        .with(family)
        .with(agreement)
        .with(feasible)
        .with(gain)
        .with(counterpart_gain)
        .with(best_gain)
        .with(scale)
        .with(joint_gain)
        .with(best_joint)
        .with(nash_product)
        .with(nash_distance)
        .with(savings_against_status_quo)
        .with(savings_against_opening)
        .with(rounds)
        .with(counts.as_slice())
        .with(final_offer)
        .with(forfeits)
        .with(degraded)
        .with(&grade.map(|grade| grade.difficulty))
        .with(&grade.map(|grade| u32::from(grade.quintile)));
    // Single negotiations keep the digests that they had before there were series.
    if total_value.is_some() || relationship.is_some() {
        hasher = hasher.with(total_value).with(&relationship.as_deref());
    }
    // And whoever states no beliefs and hears nothing those from before either was recorded.
    if beliefs.is_some() || !held.is_empty() || !said.is_empty() {
        hasher = hasher.with(beliefs).with(held.as_slice()).with(said.as_slice());
    }
    if let Some(reading) = reading {
        hasher = hasher.with("reading").with(reading);
    }
    if *false_statements_caught > 0 {
        hasher = hasher.with("caught").with(false_statements_caught);
    }
    if let Some(usage) = *usage {
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
        let counts = [
            replies,
            prompt_tokens,
            completion_tokens,
            repairs,
            tool_calls,
            template_words,
            drafts_approved,
            drafts_edited,
        ];
        hasher = hasher.with(counts.as_slice());
    }
    if let Some(arm) = assigned {
        hasher = hasher.with(arm);
    }
    hasher.digest()
}

fn check_finite(key: &EpisodeKey, scores: &EpisodeScores) -> Result<(), RecordError> {
    let fields = [
        ("gain", Some(scores.gain)),
        ("counterpart_gain", Some(scores.counterpart_gain)),
        ("best_gain", scores.best_gain),
        ("scale", Some(scores.scale)),
        ("joint_gain", Some(scores.joint_gain)),
        ("best_joint", scores.best_joint),
        ("nash_product", scores.nash_product),
        ("nash_distance", scores.nash_distance),
        ("savings_against_status_quo", scores.savings_against_status_quo),
        ("savings_against_opening", scores.savings_against_opening),
        ("total_value", scores.total_value),
        ("belief interval score", scores.beliefs.map(|beliefs| beliefs.interval_score)),
        ("belief width", scores.beliefs.map(|beliefs| beliefs.width)),
    ];
    for (field, value) in fields {
        if let Some(value) = value.filter(|value| !value.is_finite()) {
            return Err(RecordError::NotFinite { agent: key.agent.clone(), index: key.index, field, value });
        }
    }
    Ok(())
}
