//! Counts what was offered for delivery and what arrived.

use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What was offered and delivered, and why the last delivery failed.
#[derive(Debug, Default)]
pub(super) struct Tally {
    offered: AtomicU64,
    delivered: AtomicU64,
    warned: AtomicBool,
    last: Mutex<Option<String>>,
}

impl Tally {
    pub(super) fn offered(&self) {
        self.offered.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn delivered(&self, count: u64) {
        self.delivered.fetch_add(count, Ordering::Relaxed);
    }

    /// Notes a failure; true for the first.
    pub(super) fn failed(&self, reason: String) -> bool {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(reason);
        !self.warned.swap(true, Ordering::Relaxed)
    }

    /// How much was offered and not delivered, and why the last failure was one.
    pub(super) fn missing(&self) -> (u64, Option<String>) {
        let missing = self.offered.load(Ordering::Relaxed).saturating_sub(self.delivered.load(Ordering::Relaxed));
        (missing, self.last.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }
}

/// An exporter whose deliveries are counted.
#[derive(Debug)]
pub(super) struct Counted<E> {
    exporter: E,
    tally: Arc<Tally>,
}

impl<E> Counted<E> {
    pub(super) fn new(exporter: E, tally: Arc<Tally>) -> Self {
        Self { exporter, tally }
    }
}

impl<E: SpanExporter> SpanExporter for Counted<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let count = batch.len() as u64;
        let result = self.exporter.export(batch).await;
        match &result {
            Ok(()) => self.tally.delivered(count),
            Err(fault) => {
                self.tally.failed(fault.to_string());
            }
        }
        result
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}
