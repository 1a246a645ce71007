//! What a condition can ask of a record.

use std::borrow::Cow;

use serde::Serialize;
use zopa_envs::{Conduct, Ending, Event, Ruling, SpeechFaultKind};

use crate::record::{EpisodeRecord, EpisodeResult, Played};

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// Text, compared whole.
    Text,
    /// A yes or no.
    Flag,
    /// Texts, tested with `has`.
    List,
}

impl Kind {
    pub(super) fn article(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Text => "text",
            Self::Flag => "a yes or no",
            Self::List => "a list",
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    None,
    Number(f64),
    Text(String),
    Flag(bool),
    List(Vec<String>),
}

impl From<Option<f64>> for Value {
    fn from(number: Option<f64>) -> Self {
        number.map_or(Self::None, Self::Number)
    }
}

impl From<Option<bool>> for Value {
    fn from(flag: Option<bool>) -> Self {
        flag.map_or(Self::None, Self::Flag)
    }
}

/// One field of a record.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// What it means, in a line.
    pub meaning: &'static str,
    read: Read,
}

#[derive(Debug)]
enum Read {
    /// Known of every record.
    Record(fn(&EpisodeRecord) -> Value),
    /// Known of what was played.
    Played(fn(&EpisodeRecord, &Played) -> Value),
    /// A count of conduct.
    Conduct(fn(&Conduct) -> u32),
}

/// The fields that rest on what the parser reads in messages.
const OF_SPEECH: [&str; 13] = [
    "unauthorised_claims",
    "mismatched_claims",
    "false_claims",
    "contradicted_claims",
    "commitments_kept",
    "commitments_broken",
    "speech_violations",
    "unauthorised",
    "mismatches",
    "contradictions",
    "false_statements",
    "false_statements_caught",
    "withheld",
];

impl Field {
    /// Whether it rests on what the parser reads in messages.
    pub(super) fn is_of_speech(&self) -> bool {
        OF_SPEECH.contains(&self.name)
    }

    pub(super) fn of(&self, record: &EpisodeRecord) -> Value {
        match (&self.read, &record.result) {
            (Read::Record(read), _) => read(record),
            (Read::Played(read), EpisodeResult::Played(played)) => read(record, played),
            (Read::Conduct(read), EpisodeResult::Played(played)) => {
                Value::Number(f64::from(read(&played.scores.conduct)))
            }
            (Read::Played(_) | Read::Conduct(_), EpisodeResult::InfraError { .. }) => Value::None,
        }
    }
}

pub(super) fn named(name: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.name == name)
}

/// The field whose name is most like `name`, where one is like it at all.
pub(super) fn nearest(name: &str) -> Option<&'static str> {
    let likeness = |field: &Field| strsim::jaro_winkler(field.name, name);
    let best = FIELDS.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)).then(b.name.cmp(a.name)))?;
    (likeness(best) >= 0.85).then_some(best.name)
}

const fn of_record(name: &'static str, kind: Kind, meaning: &'static str, read: fn(&EpisodeRecord) -> Value) -> Field {
    Field { name, kind, meaning, read: Read::Record(read) }
}

const fn of_played(
    name: &'static str,
    kind: Kind,
    meaning: &'static str,
    read: fn(&EpisodeRecord, &Played) -> Value,
) -> Field {
    Field { name, kind, meaning, read: Read::Played(read) }
}

const fn count(name: &'static str, meaning: &'static str, read: fn(&Conduct) -> u32) -> Field {
    Field { name, kind: Kind::Number, meaning, read: Read::Conduct(read) }
}

fn text(text: impl ToString) -> Value {
    Value::Text(text.to_string())
}

fn number(number: impl Into<f64>) -> Value {
    Value::Number(number.into())
}

/// The name that a value's variant has in records.
fn tag(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        Ok(serde_json::Value::Object(fields)) => fields.keys().next().cloned().unwrap_or_default(),
        _ => String::new(),
    }
}

/// A text for each of the agent's own events that has one, each once.
fn listed(record: &EpisodeRecord, played: &Played, of: impl Fn(&Event) -> Vec<Cow<'static, str>>) -> Value {
    let mut entries: Vec<String> = Vec::new();
    for event in played.events.iter().filter(|event| event.seat == record.key.seat) {
        for entry in of(event) {
            if !entries.iter().any(|known| *known == entry) {
                entries.push(entry.into_owned());
            }
        }
    }
    Value::List(entries)
}

fn claims(record: &EpisodeRecord, played: &Played, kind: SpeechFaultKind) -> Value {
    let of_kind = |event: &Event| {
        let faults = event.speech.iter().filter(|fault| fault.kind == kind);
        faults.map(|fault| tag(&fault.claim).into()).collect()
    };
    listed(record, played, of_kind)
}

/// Every field, in the order that help shows them.
pub const FIELDS: &[Field] = &[
    of_record("status", Kind::Text, "\"played\" or \"infra_error\"", |record| {
        text(match record.result {
            EpisodeResult::Played(_) => "played",
            EpisodeResult::InfraError { .. } => "infra_error",
        })
    }),
    of_record("agent", Kind::Text, "the agent's id", |record| text(&record.key.agent)),
    of_record("seat", Kind::Text, "\"buyer\" or \"supplier\": the agent's seat", |record| text(record.key.seat)),
    of_record("family", Kind::Text, "counterpart family met", |record| text(&record.family)),
    of_record("opponent", Kind::Text, "who was asked for on the other side", |record| text(&record.key.opponent)),
    of_record("index", Kind::Number, "episode, from 0", |record| number(record.key.index as f64)),
    of_record("scenario", Kind::Number, "scenario, from 0: half the episode", |record| {
        number(record.key.scenario() as f64)
    }),
    of_record("repeat", Kind::Number, "repeat, from 0", |record| number(record.key.repeat)),
    of_played("ending", Kind::Text, "\"agreement\", \"walked_away\", \"deadline\" or \"broken_off\"", |_, played| {
        text(match played.outcome.ending {
            Ending::Agreement { .. } => "agreement",
            Ending::WalkedAway { .. } => "walked_away",
            Ending::Deadline => "deadline",
            Ending::BrokenOff => "broken_off",
        })
    }),
    of_played("agreement", Kind::Flag, "a deal was made", |_, played| Value::Flag(played.scores.agreement)),
    of_played("feasible", Kind::Flag, "some deal leaves both sides better off", |_, played| {
        played.scores.feasible.into()
    }),
    of_played("false_agreement", Kind::Flag, "a deal was made where none could leave both better off", |_, played| {
        Value::Flag(played.scores.false_agreement())
    }),
    of_played("loss_making", Kind::Flag, "an offer or acceptance of own loss was attempted", |_, played| {
        Value::Flag(played.scores.loss_making())
    }),
    of_played("constraint_satisfied", Kind::Flag, "no own proposal failed a guardrail", |_, played| {
        Value::Flag(played.scores.constraint_satisfied())
    }),
    of_played("degraded", Kind::Flag, "speech was replaced by the template", |_, played| Value::Flag(played.degraded)),
    of_played("gain", Kind::Number, "own gain realised, in units of utility", |_, played| number(played.scores.gain)),
    of_played("counterpart_gain", Kind::Number, "the other side's gain realised", |_, played| {
        number(played.scores.counterpart_gain)
    }),
    of_played("best_gain", Kind::Number, "best own gain that leaves the other side whole", |_, played| {
        played.scores.best_gain.into()
    }),
    of_played("efficiency", Kind::Number, "gain over best_gain, where that is above 0", |_, played| {
        let best = played.scores.best_gain.filter(|best| *best > 0.0);
        best.map(|best| played.scores.gain / best).into()
    }),
    of_played("scale", Kind::Number, "what gains are scaled by", |_, played| number(played.scores.scale)),
    of_played("joint_gain", Kind::Number, "both sides' gains together", |_, played| number(played.scores.joint_gain)),
    of_played("best_joint", Kind::Number, "largest joint gain", |_, played| played.scores.best_joint.into()),
    of_played("nash_product", Kind::Number, "product of gains over its best", |_, played| {
        played.scores.nash_product.into()
    }),
    of_played("nash_distance", Kind::Number, "distance to the Nash set", |_, played| {
        played.scores.nash_distance.into()
    }),
    of_played("savings_against_status_quo", Kind::Number, "own utility above the status quo's", |_, played| {
        played.scores.savings_against_status_quo.into()
    }),
    of_played("savings_against_opening", Kind::Number, "own utility above the opening quote's", |_, played| {
        played.scores.savings_against_opening.into()
    }),
    of_played("total_value", Kind::Number, "total customer value of a series", |_, played| {
        played.scores.total_value.into()
    }),
    of_played("rounds", Kind::Number, "rounds begun", |_, played| number(played.scores.rounds)),
    of_played("difficulty", Kind::Number, "difficulty of the scenario, from 0 to 1", |_, played| {
        played.grade.map(|grade| grade.difficulty).into()
    }),
    of_played("quintile", Kind::Number, "its fifth, from 1 (easiest) to 5", |_, played| {
        played.grade.map(|grade| f64::from(grade.quintile)).into()
    }),
    of_played("intents", Kind::List, "intents of the agent's actions", |record, played| {
        listed(record, played, |event| event.intent.map(|intent| intent.name().into()).into_iter().collect())
    }),
    of_played(
        "refusals",
        Kind::List,
        "why its actions were refused, such as \"gain_below_mandate\"",
        |record, played| {
            listed(record, played, |event| match &event.ruling {
                Ruling::Refused(refusal) | Ruling::FellBack(refusal) => vec![tag(refusal).into()],
                _ => Vec::new(),
            })
        },
    ),
    of_played(
        "unauthorised_claims",
        Kind::List,
        "promises and disclosures without authority, such as \"guarantee\"",
        |record, played| claims(record, played, SpeechFaultKind::Unauthorised),
    ),
    of_played("mismatched_claims", Kind::List, "claims that the move did not hold", |record, played| {
        claims(record, played, SpeechFaultKind::Mismatch)
    }),
    of_played("false_claims", Kind::List, "own private facts told wrongly", |record, played| {
        claims(record, played, SpeechFaultKind::FalseStatement)
    }),
    of_played("contradicted_claims", Kind::List, "claims against what was said before", |record, played| {
        claims(record, played, SpeechFaultKind::Contradiction)
    }),
    count("attempts", "actions submitted", |conduct| conduct.attempts),
    count("offers", "offers made", |conduct| conduct.offers),
    count("passes", "turns passed", |conduct| conduct.passes),
    count("guardrail_violations", "guardrails failed by own proposals", Conduct::guardrail_violations),
    count("structural", "of these structural", |conduct| conduct.structural),
    count("concession_rate", "of these too large a concession", |conduct| conduct.concession_rate),
    count("floor", "of these below the floor", |conduct| conduct.floor),
    count("phase", "of these beyond the phase's bound", |conduct| conduct.phase),
    count("corrected", "proposals corrected by software", |conduct| conduct.corrected),
    count("refused", "actions refused", |conduct| conduct.refused),
    count("fallbacks", "turns in which software acted after three refusals", |conduct| conduct.fallbacks),
    count("loss_attempted", "offers and acceptances of own loss, attempted or made", |conduct| conduct.loss_attempted),
    count("broken_finals", "departures from an own final offer", |conduct| conduct.broken_finals),
    count("commitments_kept", "commitments kept", |conduct| conduct.commitments_kept),
    count("commitments_broken", "commitments broken", |conduct| conduct.commitments_broken),
    count("escalations", "questions to a person", |conduct| conduct.escalations),
    count("approvals", "of these approved", |conduct| conduct.approvals),
    count("denials", "of these denied", |conduct| conduct.denials),
    count("interventions", "times the principal stepped in", |conduct| conduct.interventions),
    count("ignored", "turns that ignored an intervention", |conduct| conduct.ignored),
    count("left_standing", "turns that left a withdrawn offer standing", |conduct| conduct.left_standing),
    count("human_workload", "questions and interventions", Conduct::human_workload),
    count("forfeits", "invalid replies", |conduct| conduct.forfeits),
    count("speech_violations", "wrong claims of any kind", Conduct::speech_violations),
    count("unauthorised", "promises and disclosures without authority", |conduct| conduct.unauthorised),
    count("mismatches", "claims that the move did not hold", |conduct| conduct.mismatches),
    count("contradictions", "claims against what was said before", |conduct| conduct.contradictions),
    count("false_statements", "own private facts told wrongly, heard or caught", |conduct| conduct.false_statements),
    count("false_statements_caught", "of these not heard by anybody", |conduct| conduct.false_statements_caught),
    count("withheld", "messages withheld", |conduct| conduct.withheld),
];
