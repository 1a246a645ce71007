//! How many requests are under way at a time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a server's failure keeps the limit from growing.
const PAUSE: Duration = Duration::from_secs(5);
/// Refusals of one burst halve the limit once.
const BURST: Duration = Duration::from_millis(500);

/// A limit on requests under way: additive increase, multiplicative decrease (Chiu and Jain 1989), as TCP does.
///
/// It starts at the most. Overload (429) halves it, at most once a burst, never below 1; a server's failure (5xx) stops its
/// growth for a while; every reply lets it grow by one over itself, so that a full round of replies adds one.
#[derive(Debug)]
pub(super) struct Concurrency {
    most: f64,
    state: Mutex<State>,
    freed: Condvar,
}

#[derive(Debug)]
struct State {
    limit: f64,
    used: usize,
    /// Until when it does not grow.
    paused: Option<Instant>,
    halved: Option<Instant>,
}

/// One request under way; its place is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place<'a>(&'a Concurrency);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.state().used -= 1;
        self.0.freed.notify_one();
    }
}

impl Concurrency {
    pub(super) fn new(most: usize) -> Self {
        let most = most.max(1) as f64;
        let state = State { limit: most, used: 0, paused: None, halved: None };
        Self { most, state: Mutex::new(state), freed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a place, until `deadline`.
    pub(super) fn enter(&self, deadline: Instant) -> Option<Place<'_>> {
        let mut state = self.state();
        loop {
            if (state.used as f64) < state.limit.floor() {
                state.used += 1;
                return Some(Place(self));
            }
            let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
            // Also looks by itself now and then: the limit may have grown without anybody leaving.
            let nap = left.min(Duration::from_millis(200));
            state = self.freed.wait_timeout(state, nap).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A reply came.
    pub(super) fn succeed(&self, now: Instant) {
        let mut state = self.state();
        if state.paused.is_some_and(|until| now < until) {
            return;
        }
        state.paused = None;
        state.limit = (state.limit + 1.0 / state.limit).min(self.most);
    }

    /// The server said that it is overloaded.
    pub(super) fn shrink(&self, now: Instant) {
        let mut state = self.state();
        if state.halved.is_some_and(|at| now < at + BURST) {
            return;
        }
        state.halved = Some(now);
        state.limit = (state.limit / 2.0).max(1.0);
    }

    /// The server failed.
    pub(super) fn pause(&self, now: Instant) {
        self.state().paused = Some(now + PAUSE);
    }

    /// Requests that may be under way now.
    pub(super) fn limit(&self) -> usize {
        self.state().limit as usize
    }
}

#[cfg(test)]
mod tests {
    use super::{BURST, Concurrency, PAUSE};
    use std::time::{Duration, Instant};

    #[test]
    fn overload_halves_the_limit_once_a_burst_and_replies_bring_it_back() {
        let (limit, now) = (Concurrency::new(8), Instant::now());
        limit.shrink(now);
        limit.shrink(now + BURST / 2);
        assert_eq!(limit.limit(), 4);
        limit.shrink(now + BURST);
        (0..9).for_each(|step| limit.shrink(now + BURST * (step + 2)));
        assert_eq!(limit.limit(), 1, "never below one");
        limit.succeed(now);
        assert_eq!(limit.limit(), 2);
        (0..200).for_each(|_| limit.succeed(now));
        assert_eq!(limit.limit(), 8, "never above the most");
    }

    #[test]
    fn a_failure_of_the_server_pauses_growth_and_shrinks_nothing() {
        let (limit, now) = (Concurrency::new(4), Instant::now());
        limit.shrink(now);
        limit.pause(now);
        (0..50).for_each(|_| limit.succeed(now));
        assert_eq!(limit.limit(), 2);
        (0..50).for_each(|_| limit.succeed(now + PAUSE));
        assert_eq!(limit.limit(), 4);
    }

    #[test]
    fn whoever_finds_no_place_waits_until_its_deadline_and_no_longer() {
        let limit = Concurrency::new(1);
        let place = limit.enter(Instant::now()).expect("a free place needs no waiting");
        let began = Instant::now();
        assert!(limit.enter(began + Duration::from_millis(30)).is_none());
        assert!(began.elapsed() >= Duration::from_millis(30));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| limit.enter(Instant::now() + Duration::from_secs(10)).is_some());
            drop(place);
            assert!(waiting.join().unwrap());
        });
    }
}
