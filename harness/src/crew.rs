//! Workers on a sequence of tasks: results reach one place, in order or as they come.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// When a result is handed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// In the tasks' order: what was written does not depend on threads.
    Sequential,
    /// As soon as it is there: nothing that was paid for waits behind a slower one.
    AsFinished,
}

/// How the work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every task was done.
    Done,
    /// It was asked to stop: the tasks in progress were finished and handed on, the others not begun.
    Stopped,
}

/// Tasks that a worker may be ahead of the first that was not handed on, for each worker: what waits stays small.
const AHEAD: u64 = 32;

/// How often a waiting crew looks whether it is asked to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Workers and what they are told.
pub struct Crew<'a> {
    /// Threads; at least one is started.
    pub workers: usize,
    /// When results are handed on.
    pub order: Order,
    /// Set from outside to have the crew stop.
    pub stop: &'a AtomicBool,
}

/// What the workers share.
struct Shared {
    next: AtomicU64,
    /// No further task is begun.
    closed: AtomicBool,
    handed: Mutex<u64>,
    moved: Condvar,
}

impl Shared {
    fn handed(&self) -> MutexGuard<'_, u64> {
        self.handed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        // Under the lock, so that no worker is between looking and waiting.
        let _handed = self.handed();
        self.closed.store(true, Ordering::SeqCst);
        self.moved.notify_all();
    }
}

/// Closes the work where its worker panics, so that nobody waits for the task that it had.
struct Alarm<'a>(&'a Shared);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

impl Crew<'_> {
    /// Does `work(task)` for every task from 0 to `tasks` and hands the results to `take` on the calling thread.
    ///
    /// # Errors
    /// What `take` fails with: no further task is begun then, and those in progress are finished and dropped.
    ///
    /// # Panics
    /// Where `work` does.
    pub fn run<T: Send, E>(
        &self,
        tasks: u64,
        work: impl Fn(u64) -> T + Sync,
        mut take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<Ended, E> {
        let shared = Shared {
            next: AtomicU64::new(0),
            closed: AtomicBool::new(false),
            handed: Mutex::new(0),
            moved: Condvar::new(),
        };
        let workers = self.workers.max(1).min(usize::try_from(tasks.max(1)).unwrap_or(usize::MAX));
        let ahead = AHEAD * workers as u64;
        let mut taken = 0;
        let result = std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            for _ in 0..workers {
                let (sender, shared, work) = (sender.clone(), &shared, &work);
                scope.spawn(move || {
                    let _alarm = Alarm(shared);
                    loop {
                        let task = shared.next.fetch_add(1, Ordering::Relaxed);
                        if task >= tasks {
                            return;
                        }
                        let mut handed = shared.handed();
                        while task >= *handed + ahead && !shared.closed.load(Ordering::SeqCst) {
                            handed = shared.moved.wait(handed).unwrap_or_else(PoisonError::into_inner);
                        }
                        drop(handed);
                        if shared.closed.load(Ordering::SeqCst) || sender.send((task, work(task))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut waiting = BTreeMap::new();
            loop {
                let (task, result) = match receiver.recv_timeout(LOOK) {
                    Ok(finished) => finished,
                    Err(RecvTimeoutError::Timeout) => {
                        if self.stop.load(Ordering::SeqCst) {
                            shared.close();
                        }
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if self.stop.load(Ordering::SeqCst) {
                    shared.close();
                }
                waiting.insert(task, result);
                while let Some(entry) = waiting.first_entry() {
                    if self.order == Order::Sequential && *entry.key() != taken {
                        break;
                    }
                    if let Err(fault) = take(entry.remove()) {
                        shared.close();
                        return Err(fault);
                    }
                    taken += 1;
                    *shared.handed() = taken;
                    shared.moved.notify_all();
                }
            }
            // Stopped in order: what was finished behind a task that was never begun is a result all the same.
            for result in waiting.into_values() {
                take(result)?;
                taken += 1;
            }
            Ok(())
        });
        result.map(|()| if taken == tasks { Ended::Done } else { Ended::Stopped })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn crew(workers: usize, order: Order, stop: &AtomicBool) -> Crew<'_> {
        Crew { workers, order, stop }
    }

    /// Work of uneven length, so that threads overtake each other.
    fn uneven(task: u64) -> u64 {
        (0..(task * 7_919 % 13) * 2_000).fold(task, |sum, step| std::hint::black_box(sum ^ step ^ step))
    }

    #[test]
    fn results_come_in_order_whatever_the_number_of_workers() {
        let stop = AtomicBool::new(false);
        for workers in [1, 2, 7] {
            let mut taken = Vec::new();
            let ended = crew(workers, Order::Sequential, &stop).run(1_000, uneven, |task| {
                taken.push(task);
                Ok::<_, Infallible>(())
            });
            assert_eq!((ended, taken), (Ok(Ended::Done), (0..1_000).collect::<Vec<_>>()));
        }
    }

    #[test]
    fn results_as_they_finish_are_all_there_and_none_waits_for_another() {
        let stop = AtomicBool::new(false);
        let mut taken = Vec::new();
        let slow_first = |task: u64| {
            if task == 0 {
                std::thread::sleep(Duration::from_millis(200));
            }
            task
        };
        let ended = crew(2, Order::AsFinished, &stop).run(20, slow_first, |task| {
            taken.push(task);
            Ok::<_, Infallible>(())
        });
        assert_eq!((ended, taken.last()), (Ok(Ended::Done), Some(&0)));
        taken.sort_unstable();
        assert_eq!(taken, (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn a_crew_that_is_stopped_hands_on_all_that_it_began_and_begins_no_more() {
        for order in [Order::Sequential, Order::AsFinished] {
            let stop = AtomicBool::new(false);
            let (begun, mut taken) = (AtomicU64::new(0), 0);
            let work = |task| {
                begun.fetch_add(1, Ordering::SeqCst);
                std::thread::sleep(Duration::from_millis(1));
                task
            };
            let ended = crew(3, order, &stop).run(100_000, work, |task| {
                taken += 1;
                if task == 20 {
                    stop.store(true, Ordering::SeqCst);
                }
                Ok::<_, Infallible>(())
            });
            assert_eq!((ended, taken), (Ok(Ended::Stopped), begun.load(Ordering::SeqCst)), "{order:?}");
            assert!(taken < 1_000, "{taken}");
        }
    }

    #[test]
    fn what_cannot_be_taken_ends_the_work_with_its_fault() {
        let stop = AtomicBool::new(false);
        let begun = AtomicU64::new(0);
        let work = |task| {
            begun.fetch_add(1, Ordering::SeqCst);
            task
        };
        let ended = crew(2, Order::Sequential, &stop)
            .run(100_000, work, |task| if task == 5 { Err("the disk is full") } else { Ok(()) });
        assert_eq!(ended, Err("the disk is full"));
        assert!(begun.load(Ordering::SeqCst) < 1_000);
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_at_work_is_a_panic_of_the_crew_and_not_a_wait_without_end() {
        let stop = AtomicBool::new(false);
        let work = |task| assert_ne!(task, 40, "a fault of the program");
        let _ = crew(2, Order::Sequential, &stop).run(100_000, work, |()| Ok::<_, Infallible>(()));
    }
}
