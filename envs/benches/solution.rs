//! Time and memory of the Pareto frontier and the solution points.
//!
//! Budget: one million outcomes within 0.5 s on one core and 100 MB, the list of outcomes included.

use zopa_envs::solution::SolutionPoints;

/// Counts the bytes that each benchmark holds at most; the list of outcomes, 16 bytes each, is counted apart because it
/// is made before the measured part.
#[global_allocator]
static ALLOCATOR: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}

const OUTCOMES: [usize; 3] = [10_000, 100_000, 1_000_000];

/// The 64-bit finaliser of SplitMix (Steele, Lea and Flood 2014), as evenly spread numbers in [0, 1).
fn uniform(n: u64) -> f64 {
    let mut z = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

fn bench(bencher: divan::Bencher<'_, '_>, pairs: &[[f64; 2]]) {
    bencher.bench_local(|| SolutionPoints::of(divan::black_box(pairs), [0.1, 0.1]));
}

/// Independent utilities: a frontier of about ln n outcomes.
#[divan::bench(args = OUTCOMES)]
fn independent(bencher: divan::Bencher<'_, '_>, n: usize) {
    let pairs: Vec<[f64; 2]> = (0..n as u64).map(|i| [uniform(2 * i), uniform(2 * i + 1)]).collect();
    bench(bencher, &pairs);
}

/// Sums of six opposed issues with ten values each, as a table domain has: many ties, a frontier in the middle.
#[divan::bench(args = OUTCOMES)]
fn additive(bencher: divan::Bencher<'_, '_>, n: usize) {
    let weights = [[0.3, 0.1], [0.25, 0.15], [0.2, 0.2], [0.1, 0.2], [0.1, 0.15], [0.05, 0.2]];
    let utilities = |mut outcome: usize| {
        let mut pair = [0.0, 0.0];
        for (issue, [w1, w2]) in weights.into_iter().enumerate() {
            let share = (outcome % 10) as f64 / 9.0;
            pair[0] += w1 * share;
            pair[1] += w2 * (1.0 - share) * (1.0 - 0.02 * issue as f64);
            outcome /= 10;
        }
        pair
    };
    let pairs: Vec<[f64; 2]> = (0..n).map(utilities).collect();
    bench(bencher, &pairs);
}

/// Pure conflict in shuffled order: every outcome is on the frontier, the worst case.
#[divan::bench(args = OUTCOMES)]
fn all_undominated(bencher: divan::Bencher<'_, '_>, n: usize) {
    let pairs: Vec<[f64; 2]> = (0..n as u64).map(|i| [uniform(i), 1.0 - uniform(i)]).collect();
    bench(bencher, &pairs);
}
