//! The circuit breaker: a server that keeps failing is left alone for a while.

use super::settings::BreakerSettings;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What the breaker says to a request that is about to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Permit {
    /// Send it.
    Go,
    /// Ask again after this time.
    Wait(Duration),
    /// Do not wait: probe after probe has failed. The last failure.
    Dead(String),
}

/// Closed: everything goes. Open: nothing goes. Half-open: one request goes as a probe; its end closes or opens it again.
///
/// Failures are counted in a row over all requests; only faults of the server or the way to it count, not overload that it
/// announces, nor requests that it refuses.
#[derive(Debug)]
pub(super) struct Breaker {
    settings: BreakerSettings,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    /// Until when it is open; `None` where it is closed.
    open_until: Option<Instant>,
    /// Since when a probe is under way.
    probing: Option<Instant>,
    failed_probes: u32,
    last: String,
}

impl Breaker {
    pub(super) fn new(settings: BreakerSettings) -> Self {
        Self { settings, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves plain numbers behind.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a request may be sent at `now`. A probe that never ended is given up after `longest`.
    pub(super) fn permit(&self, now: Instant, longest: Duration) -> Permit {
        let mut state = self.state();
        let Some(until) = state.open_until else { return Permit::Go };
        let dead = state.failed_probes >= self.settings.dead_after;
        if now < until {
            return if dead { Permit::Dead(state.last.clone()) } else { Permit::Wait(until - now) };
        }
        match state.probing {
            Some(since) if now < since + longest => {
                if dead {
                    Permit::Dead(state.last.clone())
                } else {
                    Permit::Wait(self.settings.open.min(Duration::from_millis(50)))
                }
            }
            _ => {
                state.probing = Some(now);
                Permit::Go
            }
        }
    }

    /// The server answered, well or with a refusal.
    pub(super) fn succeed(&self) {
        let mut state = self.state();
        *state = State { last: std::mem::take(&mut state.last), ..State::default() };
    }

    /// The server failed.
    pub(super) fn fail(&self, now: Instant, fault: &str) {
        let mut state = self.state();
        state.last.clear();
        state.last.push_str(fault);
        state.failures += 1;
        if state.open_until.is_none() {
            if state.failures >= self.settings.failures {
                state.open_until = Some(now + self.settings.open);
            }
        } else if state.probing.take().is_some() {
            state.failed_probes += 1;
            let doubled = self.settings.open.saturating_mul(1_u32 << state.failed_probes.min(16));
            state.open_until = Some(now + doubled.min(self.settings.longest_open));
        }
    }

    /// Whether requests go without waiting.
    pub(super) fn is_closed(&self) -> bool {
        self.state().open_until.is_none()
    }

    /// The last failure, in words.
    pub(super) fn last(&self) -> String {
        self.state().last.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::{Breaker, Permit};
    use crate::model::settings::BreakerSettings;
    use std::time::{Duration, Instant};

    const LONG: Duration = Duration::from_secs(60);

    fn breaker() -> Breaker {
        Breaker::new(BreakerSettings {
            failures: 3,
            open: Duration::from_secs(2),
            longest_open: Duration::from_secs(5),
            dead_after: 2,
        })
    }

    #[test]
    fn it_opens_after_so_many_failures_in_a_row_and_a_success_between_starts_anew() {
        let (breaker, now) = (breaker(), Instant::now());
        breaker.fail(now, "a");
        breaker.fail(now, "b");
        breaker.succeed();
        breaker.fail(now, "c");
        breaker.fail(now, "d");
        assert_eq!(breaker.permit(now, LONG), Permit::Go);
        breaker.fail(now, "e");
        assert_eq!(breaker.permit(now, LONG), Permit::Wait(Duration::from_secs(2)));
        assert!(!breaker.is_closed());
    }

    #[test]
    fn half_open_lets_one_probe_through_and_its_success_closes() {
        let (breaker, now) = (breaker(), Instant::now());
        (0..3).for_each(|_| breaker.fail(now, "down"));
        let later = now + Duration::from_secs(2);
        assert_eq!(breaker.permit(later, LONG), Permit::Go);
        assert!(matches!(breaker.permit(later, LONG), Permit::Wait(_)), "a second request waits for the probe");
        breaker.succeed();
        assert_eq!(breaker.permit(later, LONG), Permit::Go);
        assert!(breaker.is_closed());
    }

    #[test]
    fn failed_probes_double_the_time_up_to_the_longest_and_then_nobody_waits() {
        let (breaker, now) = (breaker(), Instant::now());
        (0..3).for_each(|_| breaker.fail(now, "down"));
        let first = now + Duration::from_secs(2);
        assert_eq!(breaker.permit(first, LONG), Permit::Go);
        breaker.fail(first, "still down");
        assert_eq!(breaker.permit(first, LONG), Permit::Wait(Duration::from_secs(4)));
        let second = first + Duration::from_secs(4);
        assert_eq!(breaker.permit(second, LONG), Permit::Go);
        breaker.fail(second, "gone");
        assert_eq!(breaker.permit(second, LONG), Permit::Dead("gone".to_owned()));
        // One still looks from time to time, and a server that came back is used again.
        let third = second + Duration::from_secs(5);
        assert_eq!(breaker.permit(third, LONG), Permit::Go);
        assert_eq!(breaker.permit(third, LONG), Permit::Dead("gone".to_owned()));
        breaker.succeed();
        assert_eq!(breaker.permit(third, LONG), Permit::Go);
    }

    #[test]
    fn a_probe_that_never_ends_blocks_nobody_for_ever() {
        let (breaker, now) = (breaker(), Instant::now());
        (0..3).for_each(|_| breaker.fail(now, "down"));
        let later = now + Duration::from_secs(2);
        assert_eq!(breaker.permit(later, LONG), Permit::Go);
        assert_eq!(breaker.permit(later + LONG, LONG), Permit::Go);
    }
}
