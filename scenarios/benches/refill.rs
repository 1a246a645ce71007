//! What a reset costs the vectorised environment: drawing the next scenario over the last one.

use std::sync::Arc;
use zopa_envs::ScenarioSource;
use zopa_scenarios::{SourceOptions, Suite, SuiteSource};

/// Counts allocations beside times: refilling must not allocate.
#[global_allocator]
static ALLOCATOR: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}

fn source(name: &str) -> SuiteSource {
    let suite = Arc::new(Suite::open(name).expect("the suite is built in"));
    suite.source(&SourceOptions::default()).expect("the default split exists")
}

#[divan::bench(args = ["payment-terms-v1", "procurement-v1"])]
fn refill(bencher: divan::Bencher<'_, '_>, name: &str) {
    let source = source(name);
    let mut scenario = source.scenario(0);
    let mut index = 0;
    bencher.bench_local(|| {
        index += 1;
        source.refill(index, divan::black_box(&mut scenario));
    });
}

#[divan::bench(args = ["payment-terms-v1", "procurement-v1"])]
fn fresh(bencher: divan::Bencher<'_, '_>, name: &str) {
    let source = source(name);
    let mut index = 0;
    bencher.bench_local(|| {
        index += 1;
        source.scenario(divan::black_box(index))
    });
}
