//! A model as speaker: it words what was decided, and cannot change it.

use super::answer::{object, read_object, text};
use super::brief;
use super::client::{Client, Purpose};
use super::prompt::SPEAK;
use super::reply::Finish;
use super::request::{ChatMessage, ChatRequest, Role, SEEDS};
use super::usage::Usage;
use crate::speaker::{Speaker, TemplateSpeaker, Utterance};
use std::sync::Arc;
use zopa_envs::message::{Polarity, ServiceLevel, SpokenTerms, Statement, Subject};
use zopa_envs::random::LazyStream;
use zopa_envs::{Act, Message, Offer, PartyView, SpeechFault};

/// Wordings of one move that are asked for before the template speaks, those that the turn graph withheld not counted.
const WORDINGS: u32 = 2;

/// Characters of a wording.
const MOST_WORDS: u32 = 600;

/// Has a model word a move: its intent, the phase and what was said before are told, and every term of the offer must come back
/// in the words with its value, as the parser reads them. Where that fails twice, or no reply comes, the template speaks. What the
/// turn graph checks beside (terms that are none of the offer's, promises, disclosures) it checks for every speaker.
pub struct ModelSpeaker {
    client: Arc<Client>,
    stream: LazyStream,
    usage: Usage,
    degraded: bool,
}

impl ModelSpeaker {
    /// A speaker through `client`.
    #[must_use]
    pub fn new(client: Arc<Client>) -> Self {
        let stream = zopa_envs::StreamKey::new("idle", &[]).lazy(0);
        Self { client, stream, usage: Usage::default(), degraded: false }
    }

    /// A wording, `None` where no reply came; whether it may be used is another question.
    fn word(&mut self, task: &str) -> Option<Option<String>> {
        let messages = vec![ChatMessage::new(Role::System, SPEAK.text), ChatMessage::new(Role::User, task)];
        let seed = self.stream.open().below(SEEDS);
        let schema = ("words", object(&[("message", text(MOST_WORDS))]));
        let request = ChatRequest { messages, schema, seed };
        let answer = self.client.complete(&request, Purpose::Speak, self.client.deadline()).ok()?;
        self.usage.count(&answer);
        if answer.reply.finish == Finish::Length {
            return Some(None);
        }
        let fields = read_object(&answer.reply.content).ok();
        let words = fields.and_then(|fields| fields.get("message")?.as_str().map(|words| words.trim().to_owned()));
        Some(words.filter(|words| !words.is_empty()))
    }
}

/// The package that the words must state.
fn stated<'a>(view: &PartyView<'a>, act: &'a Act) -> Option<&'a Offer> {
    match act {
        Act::Offer { offer, .. } => Some(offer),
        Act::Accept => view.standing(),
        Act::Pass | Act::WalkAway => None,
    }
}

/// The terms of an offer that a message leaves out, as the parser reads it. An acceptance need not say what it accepts.
fn left_out(view: &PartyView<'_>, act: &Act, message: &Message) -> Vec<Statement> {
    let Act::Offer { offer, .. } = act else { return Vec::new() };
    let said = |expected: &Statement| {
        message.parsed().claims.iter().any(|claim| {
            claim.polarity == Polarity::Asserted
                && claim.subject == Subject::Own
                && match (expected, &claim.statement) {
                    (Statement::Term { name, value }, Statement::Term { name: said, value: worth }) => {
                        name.eq_ignore_ascii_case(said) && value.eq_ignore_ascii_case(worth)
                    }
                    (expected, statement) => expected == statement,
                }
        })
    };
    SpokenTerms::of(&view.public.space, offer).statements().into_iter().filter(|expected| !said(expected)).collect()
}

/// Every term in a wording that the parser reads back.
fn wording(terms: &SpokenTerms) -> Vec<String> {
    let SpokenTerms { price, payment_days, delivery_days, quantity, service_level, warranty_months, other } = terms;
    let payment = payment_days.map(|days| match days {
        0 => "payment in advance".to_owned(),
        1 => "payment in 1 day".to_owned(),
        _ => format!("payment in {days} days"),
    });
    let service = service_level.map(|level| match level {
        ServiceLevel::Share(points) => format!("an uptime of {}.{:02}%", points / 100, points % 100),
        ServiceLevel::Level(level) => format!("service level {level}"),
        ServiceLevel::Tier(tier) => format!("{} service level", format!("{tier:?}").to_lowercase()),
    });
    let named = other.iter().map(|(name, value)| format!("{name}: \"{value}\""));
    [
        price.map(|price| format!("a price of {price}")),
        payment,
        delivery_days.map(|days| format!("delivery in {days} days")),
        quantity.map(|units| format!("{units} units")),
        service,
        warranty_months.map(|months| format!("a {months}-month warranty")),
    ]
    .into_iter()
    .flatten()
    .chain(named)
    .collect()
}

pub(super) fn task(utterance: &Utterance<'_>) -> String {
    let Utterance { view, act, decision, withheld } = utterance;
    let what = match act {
        Act::Offer { is_final: true, .. } => "make your best and final offer, and say that it is final",
        Act::Offer { offer, .. } if view.own_last() == Some(offer) => "stay with your last offer",
        Act::Offer { .. } => "make an offer",
        Act::Accept => "accept their offer",
        Act::Pass => "make no new offer",
        Act::WalkAway => "end the negotiation without a deal",
    };
    let intent =
        decision.intent.map_or(String::new(), |intent| format!(" (intent: {})", intent.name().replace('_', " ")));
    let phase = format!("{:?}", view.phase()).to_lowercase();
    let mut text = format!("You are the {}; round {}, phase {phase}.\n", view.seat, view.round + 1);
    let last = view.history.iter().rev().find(|made| made.seat != view.seat).and_then(|made| made.message.as_ref());
    if let Some(message) = last {
        text.push_str(&format!("They wrote: {}\n", brief::quoted(message.text())));
    }
    text.push_str(&format!("Say that you {what}{intent}.\n"));
    if let Some(offer) = stated(view, act) {
        let terms = SpokenTerms::of(&view.public.space, offer);
        text.push_str(&format!("The terms, to be stated exactly: {}.\n", wording(&terms).join(", ")));
    }
    if let Some((message, faults)) = withheld {
        text.push_str(&format!("This wording was refused: {} {}\n", brief::quoted(message.text()), why(faults)));
    }
    text
}

fn why(faults: &[SpeechFault]) -> String {
    let kinds: Vec<String> =
        faults.iter().map(|fault| format!("{:?} about {}", fault.kind, fault.claim.name())).collect();
    format!("({})", kinds.join(", ").to_lowercase())
}

impl Speaker for ModelSpeaker {
    fn id(&self) -> &str {
        "model"
    }

    fn begin(&mut self, stream: LazyStream) {
        self.stream = stream;
        self.usage = Usage::default();
        self.degraded = false;
    }

    fn speak(&mut self, utterance: &Utterance<'_>) -> Option<Message> {
        let mut task = task(utterance);
        for _ in 0..WORDINGS {
            let Some(words) = self.word(&task) else {
                self.degraded = true;
                break;
            };
            let Some(words) = words else {
                self.usage.repairs += 1;
                continue;
            };
            let message = Message::new(&words);
            let missing = left_out(utterance.view, utterance.act, &message);
            if missing.is_empty() {
                return Some(message);
            }
            self.usage.repairs += 1;
            let names: Vec<&str> = missing.iter().map(|statement| statement.kind().name()).collect();
            task.push_str(&format!(
                "A wording that did not state these terms exactly was refused: {}.\n",
                names.join(", ")
            ));
        }
        self.usage.template_words += 1;
        TemplateSpeaker.speak(utterance)
    }

    fn is_degraded(&self) -> bool {
        self.degraded
    }

    fn usage(&self) -> Usage {
        self.usage
    }
}
