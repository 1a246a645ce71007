//! One episode as a trace.

use super::attributes as name;
use opentelemetry::trace::{SpanContext, SpanId, SpanKind, Status, TraceFlags, TraceId, TraceState};
use opentelemetry::{InstrumentationScope, KeyValue, StringValue, Value};
use opentelemetry_sdk::trace::{SpanData, SpanEvents, SpanLinks};
use serde_json::json;
use std::time::{Duration, Instant, SystemTime};
use zopa_agents::turn::{Node, Observer};
use zopa_envs::{Action, Decision, Digest, EpisodeKey, Hasher, Outcome, PartyView, Seat, Terms};
use zopa_reports::{EpisodeRecord, EpisodeResult};

/// Alternatives told of a decision: the first few say what was weighed.
const MOST_TOLD: usize = 5;

/// Characters of a text that is told; the record has all of it.
const MOST_CHARACTERS: usize = 2000;

/// A node while it was walked.
struct Walked {
    node: Node,
    seat: Seat,
    /// Since the episode's beginning.
    entered: Duration,
    left: Duration,
    next: Option<Node>,
    input: Option<String>,
    output: Option<String>,
    tokens: Option<[u64; 2]>,
}

/// Observes an episode and becomes its spans.
pub struct EpisodeTrace {
    digest: Digest,
    /// The clock's reading at the beginning; everything after is measured against `began`, which never goes back.
    date: SystemTime,
    began: Instant,
    walked: Vec<Walked>,
    /// The spans that are open.
    open: Vec<usize>,
    /// Tokens that each seat's models had used before: the observer is told totals.
    used: [[u64; 2]; 2],
}

impl EpisodeTrace {
    pub(super) fn begin(key: &EpisodeKey, session: &str) -> Self {
        Self {
            // The same episode of another run is another trace.
            digest: Hasher::new().with(session).with(key).digest(),
            date: SystemTime::now(),
            began: Instant::now(),
            walked: Vec::new(),
            open: Vec::new(),
            used: [[0; 2]; 2],
        }
    }

    /// The trace's id: the same for the same episode of the same run.
    pub(super) fn id(&self) -> TraceId {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&self.digest.bytes()[..16]);
        TraceId::from_bytes(bytes)
    }

    fn span_id(&self, number: u64) -> SpanId {
        let digest = Hasher::new().with(&self.digest).with(&number).digest();
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&digest.bytes()[..8]);
        SpanId::from_bytes(bytes)
    }

    /// The episode's spans: its own, and one a node.
    pub(super) fn spans(
        self,
        record: &EpisodeRecord,
        session: &str,
        scope: &InstrumentationScope,
    ) -> impl Iterator<Item = SpanData> {
        let end = self.began.elapsed();
        let (trace, root) = (self.id(), self.span_id(0));
        let (date, scope) = (self.date, scope.clone());
        let span =
            move |id: SpanId, parent: SpanId, name: String, [from, to]: [Duration; 2], attributes, status| SpanData {
                span_context: SpanContext::new(trace, id, TraceFlags::SAMPLED, false, TraceState::default()),
                parent_span_id: parent,
                parent_span_is_remote: false,
                span_kind: SpanKind::Internal,
                name: name.into(),
                start_time: date + from,
                end_time: date + to,
                attributes,
                dropped_attributes_count: 0,
                events: SpanEvents::default(),
                links: SpanLinks::default(),
                status,
                instrumentation_scope: scope.clone(),
            };
        let title = format!("{} {}", record.key.suite, record.key.agent);
        let status = match &record.result {
            EpisodeResult::Played(_) => Status::Ok,
            EpisodeResult::InfraError { reason } => Status::error(reason.to_string()),
        };
        let mut spans =
            vec![span(root, SpanId::INVALID, title, [Duration::ZERO, end], episode(record, session), status)];
        for (number, walked) in self.walked.iter().enumerate() {
            let attributes = node(walked, &record.key, session);
            let (id, title) = (self.span_id(number as u64 + 1), name::name(walked.node).to_owned());
            spans.push(span(id, root, title, [walked.entered, walked.left], attributes, Status::Unset));
        }
        spans.into_iter()
    }
}

impl Observer for EpisodeTrace {
    /// What is new of the totals belongs to the node that is open. In a series they begin anew with every contract.
    fn used(&mut self, seat: Seat, prompt_tokens: u64, completion_tokens: u64) {
        let total = [prompt_tokens, completion_tokens];
        let before = std::mem::replace(&mut self.used[seat.index()], total);
        let before = if total[0] < before[0] || total[1] < before[1] { [0, 0] } else { before };
        let new = [total[0] - before[0], total[1] - before[1]];
        if new != [0, 0]
            && let Some(&open) = self.open.last()
        {
            let tokens = self.walked[open].tokens.get_or_insert([0, 0]);
            tokens[0] += new[0];
            tokens[1] += new[1];
        }
    }

    fn enter(&mut self, node: Node, seat: Seat) {
        let now = self.began.elapsed();
        self.open.push(self.walked.len());
        self.walked.push(Walked {
            node,
            seat,
            entered: now,
            left: now,
            next: None,
            input: None,
            output: None,
            tokens: None,
        });
    }

    fn leave(&mut self, _node: Node, next: Node, _seat: Seat) {
        let now = self.began.elapsed();
        if let Some(open) = self.open.pop() {
            self.walked[open].left = now;
            self.walked[open].next = Some(next);
        }
    }

    fn decided(&mut self, view: &PartyView<'_>, decision: &Decision) {
        // It is told while the turn is in the next node; the decision belongs to the one before.
        let strategised = self.walked.iter_mut().rev().find(|walked| walked.node == Node::Strategise);
        if let Some(walked) = strategised {
            walked.input = Some(known(view));
            walked.output = Some(decided(view, decision));
        }
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text.to_owned(),
    }
}

/// What stood before the agent.
fn known(view: &PartyView<'_>) -> String {
    let offer = |offer| json!({"terms": view.public.space.text(offer), "gain": view.gain(offer)});
    let heard = view.history.last().filter(|made| made.seat != view.seat).and_then(|made| made.message.as_ref());
    json!({
        "round": view.round + 1,
        "rounds": view.public.rounds,
        "phase": view.phase().to_string(),
        "standing": view.standing().map(offer),
        "own_last": view.own_last().map(offer),
        "heard": heard.map(|message| shortened(message.text())),
        "refusal": view.refusal.map(ToString::to_string),
    })
    .to_string()
}

/// What it decided, and what it shows for it.
fn decided(view: &PartyView<'_>, decision: &Decision) -> String {
    let space = &view.public.space;
    let action = match &decision.action {
        Action::Offer { terms: Terms::Offer(offer), .. } => format!("offer {}", space.text(offer)),
        Action::Offer { terms: Terms::Stated(_), .. } => "offer stated terms".to_owned(),
        Action::Accept => "accept".to_owned(),
        Action::Pass => "pass".to_owned(),
        Action::WalkAway => "walk away".to_owned(),
        Action::Forfeit => "nothing valid".to_owned(),
    };
    let considered: Vec<serde_json::Value> = decision
        .alternatives
        .iter()
        .take(MOST_TOLD)
        .map(|other| json!({"terms": space.text(&other.offer), "value": other.value, "acceptance": other.acceptance}))
        .collect();
    json!({
        "action": action,
        "intent": decision.intent.map(zopa_envs::Intent::name),
        "escalate": decision.escalate,
        "message": decision.message.as_ref().map(|message| shortened(message.text())),
        "considered": considered,
        "beliefs": decision.beliefs,
    })
    .to_string()
}

fn node(walked: &Walked, key: &EpisodeKey, session: &str) -> Vec<KeyValue> {
    let own = walked.seat == key.seat;
    let mut attributes = vec![
        KeyValue::new(name::SESSION, session.to_owned()),
        KeyValue::new("zopa.seat", walked.seat.to_string()),
        KeyValue::new("zopa.side", if own { "agent" } else { "opponent" }),
    ];
    if let Some(next) = walked.next {
        attributes.push(KeyValue::new("zopa.next", name::name(next)));
    }
    let text = |key: &'static str, text: &Option<String>| text.as_ref().map(|text| KeyValue::new(key, text.clone()));
    attributes.extend(text(name::OBSERVATION_INPUT, &walked.input));
    attributes.extend(text(name::OBSERVATION_OUTPUT, &walked.output));
    let Some([input, output]) = walked.tokens else {
        attributes.push(KeyValue::new(name::OBSERVATION_TYPE, name::observation(walked.node)));
        return attributes;
    };
    let model = model(&key.agent_options).unwrap_or_else(|| key.agent.to_string());
    attributes.extend([
        KeyValue::new(name::OBSERVATION_TYPE, "generation"),
        KeyValue::new(name::OBSERVATION_MODEL, model.clone()),
        KeyValue::new(name::OBSERVATION_USAGE, json!({"input": input, "output": output}).to_string()),
        KeyValue::new(name::REQUEST_MODEL, model),
        KeyValue::new(name::OPERATION, "chat"),
        KeyValue::new(name::INPUT_TOKENS, i64::try_from(input).unwrap_or(i64::MAX)),
        KeyValue::new(name::OUTPUT_TOKENS, i64::try_from(output).unwrap_or(i64::MAX)),
    ]);
    attributes
}

/// The model's name among an agent's options in canonical words, `model NAME`.
fn model(options: &str) -> Option<String> {
    let mut words = options.split([' ', ';', ',', '=']).filter(|word| !word.is_empty());
    words.find(|word| *word == "model")?;
    words.next().map(str::to_owned)
}

fn episode(record: &EpisodeRecord, session: &str) -> Vec<KeyValue> {
    let key = &record.key;
    let meta = |name: &str, value: Value| KeyValue::new(format!("{}{name}", name::METADATA), value);
    let tags: Vec<StringValue> = vec![key.suite.to_string().into(), key.agent.to_string().into()];
    let input =
        json!({"suite": key.suite, "split": key.split, "seed": key.seed, "episode": key.index, "seat": key.seat});
    let mut attributes = vec![
        KeyValue::new(name::TRACE_NAME, format!("{} {}", key.suite, key.agent)),
        KeyValue::new(name::TRACE_TAGS, Value::Array(tags.into())),
        KeyValue::new(name::TRACE_INPUT, input.to_string()),
        KeyValue::new(name::SESSION, session.to_owned()),
        KeyValue::new(name::RELEASE, env!("CARGO_PKG_VERSION")),
        KeyValue::new(name::VERSION, key.agent_version.to_string()),
        KeyValue::new(name::OBSERVATION_TYPE, "chain"),
        meta("agent", key.agent.to_string().into()),
        meta("family", record.family.to_string().into()),
        meta("opponent", key.opponent.to_string().into()),
        meta("episode", i64::try_from(key.index).unwrap_or(i64::MAX).into()),
        meta("repeat", i64::from(key.repeat).into()),
        meta("seat", key.seat.to_string().into()),
    ];
    match &record.result {
        EpisodeResult::Played(played) => {
            let Outcome { ending, round } = &played.outcome;
            let output = json!({
                "ending": ending,
                "round": round + 1,
                "agreement": played.scores.agreement,
                "gain": played.scores.gain,
                "best_gain": played.scores.best_gain,
            });
            attributes.push(KeyValue::new(name::TRACE_OUTPUT, output.to_string()));
            attributes.push(meta("digest", played.digest.to_string().into()));
        }
        EpisodeResult::InfraError { reason } => {
            attributes.push(KeyValue::new(name::OBSERVATION_LEVEL, "ERROR"));
            attributes.push(KeyValue::new(name::OBSERVATION_STATUS, reason.to_string()));
        }
    }
    attributes
}
