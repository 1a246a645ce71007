//! The client: one request in, one complete reply or one fault out, however the server behaves in between.

use super::breaker::{Breaker, Permit};
use super::cache::ReplyCache;
use super::concurrency::Concurrency;
use super::fault::Fault;
use super::recording::Recording;
use super::reply::Reply;
use super::request::ChatRequest;
use super::retry;
use super::settings::{ApiKey, ClientSettings, Sampling};
use super::transport::{Asked, Transport};
use serde_json::Value;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use zopa_envs::Digest;

/// What hangs on a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A decision: it waits for the server as long as it may, since without a reply the episode has no result.
    Decide,
    /// Words: a template stands in at once where the breaker is open.
    Speak,
}

/// Where a reply came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// From the server, now.
    Server,
    /// From the cache: a sample that was taken before.
    Cache,
    /// From a recording.
    Recording,
}

/// A reply and where it came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The reply.
    pub reply: Reply,
    /// Where it came from.
    pub origin: Origin,
}

/// A point in time by which a decision must be there.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    at: Instant,
    limit: Duration,
}

/// A client of one OpenAI-compatible server and one model, shared by all who ask it.
pub struct Client {
    sampling: Sampling,
    recording: Recording,
    cache: ReplyCache,
    server: Option<Server>,
    /// One decision's time.
    decision: Duration,
}

struct Server {
    settings: ClientSettings,
    transport: Transport,
    breaker: Breaker,
    concurrency: Concurrency,
    /// A refusal that no request can escape: the key or the model is wrong.
    barred: Mutex<Option<Fault>>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("sampling", &self.sampling).finish_non_exhaustive()
    }
}

impl Client {
    /// A client of a server. Replies that `recording` knows are not asked for again.
    ///
    /// # Errors
    /// Where the address or the key cannot be used.
    pub fn connect(settings: ClientSettings, sampling: Sampling, recording: Recording) -> Result<Self, Fault> {
        let server = Server {
            transport: Transport::new(&settings)?,
            breaker: Breaker::new(settings.breaker),
            concurrency: Concurrency::new(settings.max_connections),
            barred: Mutex::default(),
            settings,
        };
        let cache = ReplyCache::new(server.settings.cache_entries, server.settings.cache_time);
        Ok(Self { sampling, recording, cache, decision: server.settings.decision, server: Some(server) })
    }

    /// A client of a recording alone: whatever is not recorded has no reply.
    #[must_use]
    pub fn replay(sampling: Sampling, recording: Recording) -> Self {
        let decision = Duration::from_secs(3600);
        Self { sampling, recording, cache: ReplyCache::new(0, Duration::ZERO), server: None, decision }
    }

    /// What shapes replies.
    #[must_use]
    pub fn sampling(&self) -> &Sampling {
        &self.sampling
    }

    /// Requests that may be under way at a time; 1 where there is no server.
    #[must_use]
    pub fn max_connections(&self) -> usize {
        self.server.as_ref().map_or(1, |server| server.settings.max_connections)
    }

    /// The time by which a decision that begins now must be there.
    #[must_use]
    pub fn deadline(&self) -> Deadline {
        Deadline { at: Instant::now() + self.decision, limit: self.decision }
    }

    /// Names of the models that the server at `settings` serves.
    ///
    /// # Errors
    /// Where it cannot be asked or does not say.
    pub fn models(settings: &ClientSettings) -> Result<Vec<String>, Fault> {
        let limit = settings.attempt.min(Duration::from_secs(30));
        let body = Transport::new(settings)?
            .ask(Asked::Models, limit)
            .map_err(|fault| struck(fault, settings.key.as_ref()))?;
        let json: Value =
            serde_json::from_slice(&body).map_err(|fault| Fault::Malformed(format!("its list of models: {fault}")))?;
        let list = json.get("data").and_then(Value::as_array);
        let list = list.ok_or_else(|| Fault::Malformed("it has no list of models".to_owned()))?;
        Ok(list.iter().filter_map(|model| model.get("id")?.as_str().map(str::to_owned)).collect())
    }

    /// The reply to `request`.
    ///
    /// # Errors
    /// Where there is none, past all retries and limits.
    pub fn complete(&self, request: &ChatRequest, purpose: Purpose, deadline: Deadline) -> Result<Answer, Fault> {
        let body = request.body(&self.sampling);
        let digest = Digest::of_bytes(&body);
        if let Some(reply) = self.recording.find(&digest) {
            return Ok(Answer { reply, origin: Origin::Recording });
        }
        let Some(server) = &self.server else { return Err(Fault::NotRecorded) };
        if let Some(reply) = self.cache.get(&digest, Instant::now()) {
            return Ok(Answer { reply, origin: Origin::Cache });
        }
        let reply = server
            .complete(&body, &digest, purpose, deadline)
            .map_err(|fault| struck(fault, server.settings.key.as_ref()))?;
        self.cache.put(digest, reply.clone(), Instant::now());
        self.recording.record(digest, &reply).map_err(Fault::Setup)?;
        Ok(Answer { reply, origin: Origin::Server })
    }

    /// Requests that may be under way at this moment, after what overload has taken away.
    #[must_use]
    pub fn concurrency(&self) -> usize {
        self.server.as_ref().map_or(0, |server| server.concurrency.limit())
    }

    /// Whether the breaker is closed; true without a server.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.server.as_ref().is_none_or(|server| server.breaker.is_closed())
    }
}

impl Server {
    fn complete(&self, body: &[u8], digest: &Digest, purpose: Purpose, deadline: Deadline) -> Result<Reply, Fault> {
        let mut last = String::from("none yet");
        let mut attempt = 0;
        loop {
            if let Some(fault) = self.barred.lock().unwrap_or_else(PoisonError::into_inner).clone() {
                return Err(fault);
            }
            let place = self.enter(purpose, deadline, &last)?;
            let left = deadline.at.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Fault::OutOfTime { limit: deadline.limit, last });
            }
            let outcome = self
                .transport
                .ask(Asked::Completion(body.to_vec()), self.settings.attempt.min(left))
                .and_then(|body| Reply::read(&body));
            drop(place);
            let fault = match outcome {
                Ok(reply) => {
                    self.breaker.succeed();
                    self.concurrency.succeed(Instant::now());
                    return Ok(reply);
                }
                Err(fault) => fault,
            };
            self.learn(&fault);
            attempt += 1;
            if !fault.may_pass() || attempt > self.settings.max_retries {
                return Err(fault);
            }
            last = fault.to_string();
            let noise = retry::noise(digest.bytes(), attempt);
            let Self { settings: ClientSettings { backoff, longest_backoff, .. }, .. } = self;
            let wait = retry::wait(attempt, *backoff, *longest_backoff, fault.retry_after(), noise);
            if deadline.at.saturating_duration_since(Instant::now()) <= wait {
                return Err(Fault::OutOfTime { limit: deadline.limit, last });
            }
            thread::sleep(wait);
        }
    }

    /// Waits until the breaker and the limit on connections let a request through.
    fn enter(&self, purpose: Purpose, deadline: Deadline, last: &str) -> Result<super::concurrency::Place<'_>, Fault> {
        let late = || Fault::OutOfTime { limit: deadline.limit, last: last.to_owned() };
        loop {
            let now = Instant::now();
            match (self.breaker.permit(now, self.settings.attempt), purpose) {
                (Permit::Go, _) => break,
                (Permit::Dead(fault), _) => return Err(Fault::Open(fault)),
                (Permit::Wait(_), Purpose::Speak) => return Err(Fault::Open(self.breaker.last())),
                (Permit::Wait(wait), Purpose::Decide) => {
                    if deadline.at.saturating_duration_since(now) <= wait {
                        return Err(Fault::Open(self.breaker.last()));
                    }
                    thread::sleep(wait);
                }
            }
        }
        self.concurrency.enter(deadline.at).ok_or_else(late)
    }

    /// What a fault says about the server.
    fn learn(&self, fault: &Fault) {
        let now = Instant::now();
        match fault {
            Fault::Throttled { .. } => {
                // It is there, and says so.
                self.breaker.succeed();
                self.concurrency.shrink(now);
            }
            Fault::Refused { status, .. } => {
                self.breaker.succeed();
                if matches!(status, 401 | 403 | 404) {
                    *self.barred.lock().unwrap_or_else(PoisonError::into_inner) = Some(fault.clone());
                }
            }
            Fault::Server { .. } => {
                self.concurrency.pause(now);
                self.breaker.fail(now, &fault.to_string());
            }
            _ => self.breaker.fail(now, &fault.to_string()),
        }
    }
}

/// The fault with the key struck out of whatever the server repeated.
fn struck(fault: Fault, key: Option<&ApiKey>) -> Fault {
    let Some(key) = key else { return fault };
    let strike = |message: String| key.strike(&message);
    match fault {
        Fault::Connection(message) => Fault::Connection(strike(message)),
        Fault::CutOff(message) => Fault::CutOff(strike(message)),
        Fault::Malformed(message) => Fault::Malformed(strike(message)),
        Fault::Throttled { retry_after, message } => Fault::Throttled { retry_after, message: strike(message) },
        Fault::Server { status, retry_after, message } => {
            Fault::Server { status, retry_after, message: strike(message) }
        }
        Fault::Refused { status, message } => Fault::Refused { status, message: strike(message) },
        Fault::Open(message) => Fault::Open(strike(message)),
        Fault::OutOfTime { limit, last } => Fault::OutOfTime { limit, last: strike(last) },
        Fault::TimedOut(_) | Fault::Redirected(_) | Fault::NotRecorded | Fault::Setup(_) => fault,
    }
}
