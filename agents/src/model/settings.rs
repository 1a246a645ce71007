//! What a model is asked with, and how patient the client is.

use std::fmt;
use std::time::Duration;

/// What shapes a model's replies: part of the episode key, and of every reply's digest.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    /// The model's name, as the server knows it.
    pub model: String,
    /// Sampling temperature, at least 0.
    pub temperature: f64,
    /// Nucleus sampling's share, in `(0, 1]`.
    pub top_p: f64,
    /// Tokens of one reply at most; a reply that ends there is a forfeit.
    pub max_tokens: u32,
}

impl Sampling {
    /// The defaults for `model`: temperature 0.7, no nucleus, 500 tokens. Choices of ours, tuned on nothing.
    #[must_use]
    pub fn of(model: &str) -> Self {
        Self { model: model.to_owned(), temperature: 0.7, top_p: 1.0, max_tokens: 500 }
    }
}

impl fmt::Display for Sampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, temperature, top_p, max_tokens } = self;
        write!(f, "model {model} temperature {temperature} top_p {top_p} max_tokens {max_tokens}")
    }
}

/// A key for a server. It is shown nowhere: neither by `Debug` nor in a fault, a log or a record.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Takes a key in; white space around it is dropped. `None` where nothing is left.
    #[must_use]
    pub fn new(key: &str) -> Option<Self> {
        let key = key.trim();
        (!key.is_empty()).then(|| Self(key.to_owned()))
    }

    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// `text` with the key struck out: servers repeat keys in their messages.
    pub(super) fn strike(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ApiKey([key])")
    }
}

/// When the circuit breaker opens and closes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BreakerSettings {
    /// Attempts that fail in a row before it opens.
    pub failures: u32,
    /// How long it stays open the first time; doubled with every probe that fails.
    pub open: Duration,
    /// The longest that it stays open.
    pub longest_open: Duration,
    /// Probes that fail in a row before nobody waits for the next one any more.
    pub dead_after: u32,
}

impl Default for BreakerSettings {
    /// Ten failures in a row; open for 1 s at first and 60 s at most; dead after three probes.
    fn default() -> Self {
        Self { failures: 10, open: Duration::from_secs(1), longest_open: Duration::from_secs(60), dead_after: 3 }
    }
}

/// How the client treats its server. Nothing here changes what a reply says.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientSettings {
    /// Address of the server up to and with its version: `http://127.0.0.1:8000/v1`.
    pub base_url: String,
    /// The key, where the server wants one.
    pub key: Option<ApiKey>,
    /// Requests under way at a time, at most.
    pub max_connections: usize,
    /// Attempts after the first, for faults that may pass.
    pub max_retries: u32,
    /// Limit of one attempt, from connecting to the reply's last byte.
    pub attempt: Duration,
    /// Limit of one decision, with all its attempts, waits, repairs and tools.
    pub decision: Duration,
    /// First step of the backoff; it doubles with every attempt.
    pub backoff: Duration,
    /// The longest step of the backoff.
    pub longest_backoff: Duration,
    /// Bytes of a reply at most; a longer one is malformed.
    pub max_reply_bytes: usize,
    /// When the breaker opens and closes.
    pub breaker: BreakerSettings,
    /// Replies that the cache holds at most; 0 for none.
    pub cache_entries: usize,
    /// How long a reply stays in the cache.
    pub cache_time: Duration,
}

impl ClientSettings {
    /// The defaults for a server: 8 connections, 4 retries, 120 s an attempt and 600 s a decision, 4 MiB a reply.
    #[must_use]
    pub fn of(base_url: &str) -> Self {
        Self {
            base_url: base_url.to_owned(),
            key: None,
            max_connections: 8,
            max_retries: 4,
            attempt: Duration::from_secs(120),
            decision: Duration::from_secs(600),
            backoff: Duration::from_millis(500),
            longest_backoff: Duration::from_secs(30),
            max_reply_bytes: 4 << 20,
            breaker: BreakerSettings::default(),
            cache_entries: 0,
            cache_time: Duration::from_secs(3600),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ApiKey, ClientSettings};

    #[test]
    fn a_key_is_shown_nowhere() {
        let settings =
            ClientSettings { key: ApiKey::new(" sk-secret \n"), ..ClientSettings::of("http://localhost/v1") };
        let shown = format!("{settings:?}");
        assert!(!shown.contains("sk-secret") && shown.contains("[key]"), "{shown}");
        let key = ApiKey::new("sk-secret").unwrap();
        assert_eq!(key.strike("Incorrect API key provided: sk-secret."), "Incorrect API key provided: [key].");
        assert_eq!(ApiKey::new("  "), None);
    }
}
