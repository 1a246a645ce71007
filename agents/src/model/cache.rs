//! Replies kept for a while, by the digest of everything that shaped them.

use super::reply::Reply;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use zopa_envs::Digest;

/// A bounded cache with a time to live; the oldest entry goes first.
///
/// A request's digest holds its seed, and seeds come from the episode's own stream: another repeat is another request, so a hit
/// is the same sample again and never passes for a fresh one.
#[derive(Debug)]
pub struct ReplyCache {
    entries: usize,
    time: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    replies: BTreeMap<Digest, (Instant, Reply)>,
    order: VecDeque<(Instant, Digest)>,
}

impl ReplyCache {
    /// A cache of at most `entries` replies, each for at most `time`.
    #[must_use]
    pub fn new(entries: usize, time: Duration) -> Self {
        Self { entries, time, state: Mutex::default() }
    }

    /// The reply kept under `digest`, where it is there and young enough at `now`.
    #[must_use]
    pub fn get(&self, digest: &Digest, now: Instant) -> Option<Reply> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (kept, reply) = state.replies.get(digest)?;
        (now.saturating_duration_since(*kept) < self.time).then(|| reply.clone())
    }

    /// Keeps a reply.
    pub fn put(&self, digest: Digest, reply: Reply, now: Instant) {
        if self.entries == 0 {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.replies.insert(digest, (now, reply));
        state.order.push_back((now, digest));
        while let Some(&(kept, oldest)) = state.order.front() {
            let stale = now.saturating_duration_since(kept) >= self.time;
            if state.replies.len() <= self.entries && !stale && state.order.len() <= 2 * self.entries {
                break;
            }
            state.order.pop_front();
            // Where it was put again since, the younger one stays.
            if state.replies.get(&oldest).is_some_and(|(at, _)| *at == kept) {
                state.replies.remove(&oldest);
            }
        }
    }

    /// How many replies are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).replies.len()
    }

    /// Whether none is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::ReplyCache;
    use crate::model::reply::{Finish, Reply, Tokens};
    use std::time::{Duration, Instant};
    use zopa_envs::Digest;

    fn reply(content: &str) -> Reply {
        Reply { content: content.to_owned(), finish: Finish::Stop, tokens: Tokens::default() }
    }

    #[test]
    fn a_reply_is_kept_for_its_time_and_no_longer() {
        let (cache, now, key) = (ReplyCache::new(4, Duration::from_secs(10)), Instant::now(), Digest::of_bytes(b"a"));
        cache.put(key, reply("x"), now);
        assert_eq!(cache.get(&key, now + Duration::from_secs(9)), Some(reply("x")));
        assert_eq!(cache.get(&key, now + Duration::from_secs(10)), None);
        assert_eq!(cache.get(&Digest::of_bytes(b"b"), now), None);
        cache.put(Digest::of_bytes(b"b"), reply("y"), now + Duration::from_secs(20));
        assert_eq!(cache.len(), 1, "what is stale is dropped");
    }

    #[test]
    fn the_cache_never_holds_more_than_its_bound_and_drops_the_oldest() {
        let (cache, now) = (ReplyCache::new(3, Duration::from_secs(10)), Instant::now());
        let key = |number: u8| Digest::of_bytes(&[number]);
        for number in 0..100 {
            cache.put(key(number), reply("x"), now + Duration::from_millis(number.into()));
            cache.put(key(number), reply("again"), now + Duration::from_millis(number.into()));
            assert!(cache.len() <= 3);
        }
        assert!(cache.get(&key(99), now).is_some() && cache.get(&key(5), now).is_none());
        let none = ReplyCache::new(0, Duration::from_secs(10));
        none.put(key(1), reply("x"), now);
        assert!(none.is_empty());
    }
}
