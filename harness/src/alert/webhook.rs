//! Posts alerts to an address, from a thread of its own.

use super::Alert;
use reqwest::Url;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

/// Alerts that may wait for delivery.
const QUEUE: usize = 256;

/// How long one delivery may take.
const LIMIT: Duration = Duration::from_secs(5);

/// How long the end of a run waits for what is not delivered yet.
const PATIENCE: Duration = Duration::from_secs(6);

pub(super) struct Webhook {
    queue: SyncSender<String>,
    counts: Arc<Counts>,
    finished: Receiver<()>,
}

#[derive(Default)]
struct Counts {
    offered: AtomicU64,
    delivered: AtomicU64,
}

/// Whether text is an address that alerts can be posted to; what is wrong otherwise.
pub(super) fn check(text: &str) -> Result<Url, String> {
    let url = Url::parse(text.trim()).map_err(|fault| format!("is no address: {fault}"))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err("must begin with http:// or https:// and name a host".to_owned());
    }
    if url.scheme() == "https" && cfg!(not(feature = "tls")) {
        return Err("asks for https, but this build speaks no TLS: build it with `--features tls`".to_owned());
    }
    Ok(url)
}

impl Webhook {
    pub(super) fn start(address: &str) -> Result<Self, String> {
        let url = check(address)?;
        let client = crate::trace::client(url.scheme() == "https", LIMIT).map_err(|fault| fault.to_string())?;
        let (queue, waiting) = sync_channel::<String>(QUEUE);
        let (done, finished) = sync_channel(1);
        let counts = Arc::new(Counts::default());
        let counted = counts.clone();
        let work = move || {
            for body in waiting {
                let request = client.post(url.clone()).header("content-type", "application/json").body(body);
                if request.send().is_ok_and(|response| response.status().is_success()) {
                    counted.delivered.fetch_add(1, Ordering::Relaxed);
                }
            }
            // Nobody may wait any more.
            let _ = done.send(());
        };
        // Without a thread every alert is counted as lost.
        let _ = std::thread::Builder::new().name("alert-webhook".to_owned()).spawn(work);
        Ok(Self { queue, counts, finished })
    }

    /// Queues an alert; one that finds the queue full is lost and counted.
    pub(super) fn send(&self, alert: &Alert) {
        self.counts.offered.fetch_add(1, Ordering::Relaxed);
        let _ = self.queue.try_send(serde_json::to_string(alert).unwrap_or_default());
    }

    /// Waits a little for the queue to empty; how many alerts were lost, where some were.
    pub(super) fn close(self) -> Option<String> {
        let Self { queue, counts, finished } = self;
        drop(queue);
        let _ = finished.recv_timeout(PATIENCE);
        let offered = counts.offered.load(Ordering::Relaxed);
        let lost = offered - counts.delivered.load(Ordering::Relaxed);
        // The address may hold a key in its path, so it is not shown.
        (lost > 0).then(|| format!("{lost} of {offered} did not reach the webhook"))
    }
}
