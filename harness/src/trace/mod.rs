//! Traces over OpenTelemetry: an episode a trace, a span for each node of the turn graph.
//!
//! Tracing is on where the environment names somebody who listens: Langfuse by `LANGFUSE_PUBLIC_KEY`, `LANGFUSE_SECRET_KEY` and
//! `LANGFUSE_HOST`, any collector by `OTEL_EXPORTER_OTLP_ENDPOINT` (or its `..._TRACES_ENDPOINT`), Langfuse first. Every episode
//! of a language model is traced; of software, which plays thousands a second, one scenario in [`EVERY`].
//!
//! Nothing here can fail a run or hold it up: spans and scores go into bounded queues that other threads empty, a full queue
//! drops what comes, and a listener that does not answer is one warning and a count at the end. Only the harness knows of
//! tracing: agents report to the observer of the turn graph.

mod attributes;
mod delivery;
mod episode;
mod listener;
mod scores;

pub use episode::EpisodeTrace;
pub(crate) use listener::client;
pub use listener::{Listener, ListenerError};

use crate::terminal::tell;
use delivery::{Counted, Tally};
use opentelemetry::InstrumentationScope;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{BatchConfigBuilder, BatchSpanProcessor, SpanProcessor};
use scores::ScoreSender;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use zopa_envs::EpisodeKey;
use zopa_reports::EpisodeRecord;
use zopa_reports::compare::ArmKind;

/// Of software agents, one scenario in so many is traced, both seats of it; [`EVERY_VARIABLE`] asks for another number.
pub const EVERY: u64 = 100;

/// The environment variable that says in how many scenarios of software one is traced.
pub const EVERY_VARIABLE: &str = "ZOPA_TRACE_EVERY";

/// Spans that may wait for delivery; an episode has a few hundred.
const QUEUE: usize = 1 << 15;

/// How long the end of a run waits for what is not delivered yet.
const PATIENCE: Duration = Duration::from_secs(5);

/// Starts to trace a run in `folder` as the environment asks, and says so on standard error.
#[must_use]
pub fn start(folder: &Path) -> Option<Arc<Tracer>> {
    let name = folder.file_name().map_or_else(|| "run".into(), |name| name.to_string_lossy());
    // The same folder's name may come again on another day, and must not meet the traces of this one.
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |passed| passed.as_secs());
    match Tracer::from_environment(&format!("{name}-{seconds}")) {
        Ok(tracer) => {
            let tracer = tracer?;
            for doubt in listener::doubts(variable) {
                tell(format_args!("zopa: warning: {doubt}"));
            }
            tell(format_args!("zopa: note: {}", tracer.notice()));
            Some(Arc::new(tracer))
        }
        Err(fault) => {
            tell(format_args!("zopa: warning: nothing is traced: {fault}"));
            None
        }
    }
}

/// What the environment says, where it says something.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

/// A number of scenarios of which one is traced.
fn every(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|every| *every > 0)
}

/// Ends a run's tracing and warns where something was not delivered.
pub fn finish(tracer: Option<&Tracer>) {
    if let Some(warning) = tracer.and_then(Tracer::close) {
        tell(format_args!("zopa: warning: {warning}"));
    }
}

/// Traces a run's episodes.
pub struct Tracer {
    listener: Listener,
    processor: BatchSpanProcessor,
    scores: Option<ScoreSender>,
    spans: Arc<Tally>,
    scope: InstrumentationScope,
    session: String,
    every: u64,
}

impl Tracer {
    /// The tracer that the environment asks for; `None` where it asks for none. `session` names the run among others.
    ///
    /// # Errors
    /// Where the environment names a listener that cannot be used: to be told, never a reason to stop.
    pub fn from_environment(session: &str) -> Result<Option<Self>, ListenerError> {
        match Listener::of(variable)? {
            Some(listener) => Self::new(listener, session).map(Some),
            None => Ok(None),
        }
    }

    /// A tracer for `listener`.
    ///
    /// # Errors
    /// Where its address cannot be used.
    pub fn new(listener: Listener, session: &str) -> Result<Self, ListenerError> {
        let client = listener.client()?;
        let spans = Arc::new(Tally::default());
        let exporter = Counted::new(listener.exporter(client.clone())?, spans.clone());
        let config = BatchConfigBuilder::default().with_max_queue_size(QUEUE).build();
        let mut processor = BatchSpanProcessor::builder(exporter).with_batch_config(config).build();
        let resource = Resource::builder_empty().with_service_name("zopa").build();
        processor.set_resource(&resource);
        let scope = InstrumentationScope::builder("zopa").with_version(env!("CARGO_PKG_VERSION")).build();
        let scores = listener.scores().map(|target| ScoreSender::start(client, target));
        let every = variable(EVERY_VARIABLE).and_then(|text| every(&text)).unwrap_or(EVERY);
        Ok(Self { listener, processor, scores, spans, scope, session: session.to_owned(), every })
    }

    /// Who listens, without any key.
    #[must_use]
    pub fn target(&self) -> &str {
        self.listener.name()
    }

    /// What is traced, in a line for the person who called.
    #[must_use]
    pub fn notice(&self) -> String {
        format!(
            "traces go to {}: every episode of a language model, one scenario in {} of software",
            self.listener.name(),
            self.every
        )
    }

    /// An observer that traces the episode of this key; `None` where it is not in the sample.
    #[must_use]
    pub fn episode(&self, key: &EpisodeKey) -> Option<EpisodeTrace> {
        let kind = ArmKind::of(&key.agent, zopa_reports::Standing::Contender);
        let by_model = matches!(kind, ArmKind::PromptedModel | ArmKind::Dialogue);
        (by_model || key.scenario().is_multiple_of(self.every)).then(|| EpisodeTrace::begin(key, &self.session))
    }

    /// Sends off what was observed of an episode, with its record.
    pub fn deliver(&self, trace: EpisodeTrace, record: &EpisodeRecord) {
        if let Some(scores) = &self.scores {
            scores.send(trace.id(), record);
        }
        for span in trace.spans(record, &self.session, &self.scope) {
            self.spans.offered();
            self.processor.on_end(span);
        }
    }

    /// Waits a little for what is under way; says what was not delivered, where there is something.
    pub fn close(&self) -> Option<String> {
        // The count tells what came of it.
        let _ = self.processor.shutdown_with_timeout(PATIENCE);
        let mut lost = Vec::new();
        let mut reasons: Vec<String> = Vec::new();
        let mut told = |(missing, reason): (u64, Option<String>), what: &str| {
            if missing > 0 {
                lost.push(format!("{missing} {what}"));
                reasons.extend(reason);
            }
        };
        told(self.spans.missing(), "spans");
        if let Some(scores) = &self.scores {
            told(scores.close(PATIENCE), "scores");
        }
        reasons.dedup();
        if reasons.is_empty() {
            reasons.push("there were more than could wait for delivery".to_owned());
        }
        (!lost.is_empty()).then(|| {
            format!("traces: {} did not reach {}: {}", lost.join(" and "), self.listener.name(), reasons.join("; "))
        })
    }
}

#[cfg(test)]
mod tests;
