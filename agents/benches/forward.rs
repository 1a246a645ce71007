//! How long one plain forward pass of the weights that ship takes, at batch 1: what a learned policy's decision costs beside the
//! making of its observation. Observations are normal draws, so that about half of each layer's rectifiers are open.

use zopa_agents::learn::plain::Scratch;
use zopa_agents::learn::shipped::Shipped;
use zopa_envs::StreamKey;

fn main() {
    divan::main();
}

/// Observations that take turns.
const ROWS: usize = 64;

#[divan::bench(args = Shipped::ALL, sample_count = 1000, sample_size = 64)]
fn action_values(bencher: divan::Bencher<'_, '_>, shipped: Shipped) {
    let policy = shipped.policy();
    let shape = policy.network.shape();
    let mut stream = StreamKey::new("bench", &[]).stream(0);
    let rows: Vec<f32> = (0..ROWS * shape.inputs).map(|_| stream.normal() as f32).collect();
    let mut rows = rows.chunks_exact(shape.inputs).cycle();
    let (mut scratch, mut values) = (Scratch::default(), vec![0.0; shape.actions]);
    bencher.bench_local(move || {
        let row = divan::black_box(rows.next().unwrap_or_default());
        policy.network.action_values(row, &mut scratch, &mut values);
        divan::black_box(values[0])
    });
}
