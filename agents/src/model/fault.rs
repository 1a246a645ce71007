//! Why a request has no reply.

use std::time::Duration;
use thiserror::Error;

/// Why a request has no complete reply. None of these is ever a result: where a decision hangs on it, the episode has none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The server cannot be reached, or closed the connection.
    #[error("the server cannot be reached: {0}")]
    Connection(String),
    /// The last byte did not come in time.
    #[error("no complete reply within {} s", .0.as_secs_f64())]
    TimedOut(Duration),
    /// The connection ended before the reply did.
    #[error("the reply was cut off: {0}")]
    CutOff(String),
    /// The reply is no chat completion.
    #[error("the reply is malformed: {0}")]
    Malformed(String),
    /// The server wants to be asked elsewhere. Redirects are not followed: they could carry the key away.
    #[error("the server redirects (status {0}), which is not followed: set --model-base-url to where it leads")]
    Redirected(u16),
    /// The server asks for fewer requests.
    #[error("the server is overloaded (status 429): {message}")]
    Throttled {
        /// How long it asks to wait.
        retry_after: Option<Duration>,
        /// What it says.
        message: String,
    },
    /// The server failed.
    #[error("the server failed (status {status}): {message}")]
    Server {
        /// Its status, 500 to 599.
        status: u16,
        /// How long it asks to wait.
        retry_after: Option<Duration>,
        /// What it says.
        message: String,
    },
    /// The server refuses the request: trying again would change nothing.
    #[error("the server refuses the request (status {status}): {message}")]
    Refused {
        /// Its status.
        status: u16,
        /// What it says.
        message: String,
    },
    /// The breaker is open: the request was not sent.
    #[error("not sent, since the circuit breaker is open; the last failure: {0}")]
    Open(String),
    /// The decision's time ran out.
    #[error("the decision's {} s ran out; the last failure: {last}", limit.as_secs_f64())]
    OutOfTime {
        /// The limit.
        limit: Duration,
        /// The last failure before.
        last: String,
    },
    /// A replay has no such reply.
    #[error("no reply to this request is recorded")]
    NotRecorded,
    /// The client cannot be set up.
    #[error("{0}")]
    Setup(String),
}

impl Fault {
    /// Whether another attempt may do better.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Connection(_)
            | Self::TimedOut(_)
            | Self::CutOff(_)
            | Self::Malformed(_)
            | Self::Redirected(_)
            | Self::Throttled { .. }
            | Self::Server { .. } => true,
            Self::Refused { .. } | Self::Open(_) | Self::OutOfTime { .. } | Self::NotRecorded | Self::Setup(_) => false,
        }
    }

    /// How long the server asks to wait.
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Throttled { retry_after, .. } | Self::Server { retry_after, .. } => *retry_after,
            _ => None,
        }
    }
}
