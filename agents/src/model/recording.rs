//! Recorded replies: a run writes them down, a replay reads nothing else.

use super::reply::Reply;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use zopa_envs::Digest;

/// A reply under the digest of its request, as a line of JSON holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedReply {
    /// Digest of the request, see [`super::ChatRequest::digest`].
    pub request: Digest,
    /// The reply.
    #[serde(flatten)]
    pub reply: Reply,
}

/// Where replies are recorded as they come.
pub trait Recorder: Send + Sync {
    /// Writes a reply down.
    ///
    /// # Errors
    /// What went wrong, in words; the request then has no reply, since it could not be replayed.
    fn record(&self, recorded: &RecordedReply) -> Result<(), String>;
}

/// Known replies, and where new ones are recorded.
#[derive(Default)]
pub struct Recording {
    known: Mutex<BTreeMap<Digest, Reply>>,
    recorder: Option<Box<dyn Recorder>>,
}

impl std::fmt::Debug for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recording").field("known", &self.len()).finish_non_exhaustive()
    }
}

impl Recording {
    /// A recording of what is known already; new replies go to `recorder`, where there is one.
    #[must_use]
    pub fn new(known: impl IntoIterator<Item = RecordedReply>, recorder: Option<Box<dyn Recorder>>) -> Self {
        let known = known.into_iter().map(|recorded| (recorded.request, recorded.reply)).collect();
        Self { known: Mutex::new(known), recorder }
    }

    /// The recorded reply to the request of that digest.
    #[must_use]
    pub fn find(&self, request: &Digest) -> Option<Reply> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(request).cloned()
    }

    /// Records a reply.
    ///
    /// # Errors
    /// As [`Recorder::record`].
    pub fn record(&self, request: Digest, reply: &Reply) -> Result<(), String> {
        let Some(recorder) = &self.recorder else { return Ok(()) };
        recorder.record(&RecordedReply { request, reply: reply.clone() })?;
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(request, reply.clone());
        Ok(())
    }

    /// Replies known.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
