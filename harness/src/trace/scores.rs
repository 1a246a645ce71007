//! Scores of episodes for Langfuse's scores API, one request a score, on a thread of their own.

use super::delivery::Tally;
use super::listener::ScoreTarget;
use opentelemetry::trace::TraceId;
use reqwest::blocking::Client;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use zopa_envs::message::accuracy;
use zopa_reports::{EpisodeRecord, EpisodeResult};

/// Scores that may wait for delivery.
const QUEUE: usize = 1 << 14;

/// Sends scores from a queue.
pub(super) struct ScoreSender {
    /// Taken out to end the thread.
    queue: Mutex<Option<SyncSender<Value>>>,
    tally: Arc<Tally>,
    stop: Arc<AtomicBool>,
    finished: Mutex<Receiver<()>>,
}

impl ScoreSender {
    pub(super) fn start(client: Client, target: ScoreTarget) -> Self {
        let (queue, waiting) = sync_channel::<Value>(QUEUE);
        let (done, finished) = sync_channel(1);
        let (tally, stop) = (Arc::new(Tally::default()), Arc::new(AtomicBool::new(false)));
        let (counted, stopped) = (tally.clone(), stop.clone());
        let work = move || {
            for score in waiting {
                if stopped.load(Ordering::Relaxed) {
                    break;
                }
                match post(&client, &target, &score) {
                    Ok(()) => counted.delivered(1),
                    Err(reason) => {
                        counted.failed(reason);
                    }
                }
            }
            // Nobody may wait any more.
            let _ = done.send(());
        };
        // Without a thread every score is counted as lost.
        let _ = std::thread::Builder::new().name("trace-scores".to_owned()).spawn(work);
        Self { queue: Mutex::new(Some(queue)), tally, stop, finished: Mutex::new(finished) }
    }

    /// Queues an episode's scores; what finds the queue full is lost and counted.
    pub(super) fn send(&self, trace: TraceId, record: &EpisodeRecord) {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        for score in scores_of(trace, record) {
            self.tally.offered();
            if let Some(queue) = &*queue {
                let _ = queue.try_send(score);
            }
        }
    }

    /// Waits at most `patience` for the queue to empty; how many scores were lost, and why. A request that hangs is left to its
    /// own time limit: the program ends before it.
    pub(super) fn close(&self, patience: Duration) -> (u64, Option<String>) {
        drop(self.queue.lock().unwrap_or_else(PoisonError::into_inner).take());
        let _ = self.finished.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(patience);
        self.stop.store(true, Ordering::Relaxed);
        self.tally.missing()
    }
}

fn post(client: &Client, target: &ScoreTarget, score: &Value) -> Result<(), String> {
    let began = Instant::now();
    let request = client
        .post(&target.url)
        .basic_auth(&target.user, Some(&target.password))
        .header("content-type", "application/json")
        .body(score.to_string());
    let response = request.send().map_err(|fault| {
        let what = if fault.is_timeout() { "no answer" } else { "no connection" };
        format!("{what} after {:.1} s", began.elapsed().as_secs_f64())
    })?;
    let status = response.status();
    if status.is_success() { Ok(()) } else { Err(format!("status {}", status.as_u16())) }
}

/// Agreement, violations and surplus of an episode; nothing of one without a result. Ids follow from the trace's, so that a
/// score that is sent twice stays one. Violations are of speech too, so their comment says how rightly that is read.
fn scores_of(trace: TraceId, record: &EpisodeRecord) -> Vec<Value> {
    let EpisodeResult::Played(played) = &record.result else { return Vec::new() };
    let (scores, conduct) = (&played.scores, &played.scores.conduct);
    let score = |name: &str, value: f64, kind: &str| json!({"id": format!("{trace}-{name}"), "traceId": trace.to_string(), "name": name, "value": value, "dataType": kind});
    let violations =
        conduct.guardrail_violations() + conduct.refused + conduct.speech_violations() + conduct.commitments_broken;
    let mut violations = score("violations", f64::from(violations), "NUMERIC");
    violations["comment"] = accuracy::stated().into();
    let mut found = vec![score("agreement", f64::from(u8::from(scores.agreement)), "BOOLEAN"), violations];
    if let Some(best) = scores.best_gain.filter(|best| *best > 0.0) {
        found.push(score("surplus", scores.gain / best, "NUMERIC"));
    }
    found
}
