//! pass^k: how often an agent does well in all of k tries at the same thing.
//!
//! Of n repeats of which c succeeded, the chance that k drawn without replacement all did is C(c, k) / C(n, k), an unbiased
//! estimate. Source: Yao, Shinn, Razavi and Narasimhan 2024, "tau-bench: A Benchmark for Tool-Agent-User Interaction in Real-World
//! Domains", section 3.

use super::row::{Fact, Row};

/// Depths that are reported one by one; beyond it only powers of two and the greatest.
const EACH_UP_TO: u16 = 8;

/// The depths k for which pass^k is reported, in order; none where nothing was repeated. `rows` are in key order.
pub(super) fn depths(rows: &[Row]) -> impl Iterator<Item = u16> + use<> {
    let most = rows.iter().map(|row| row.repeat).max().map_or(0, |last| last.saturating_add(1));
    let shown = move |k: u16| k <= EACH_UP_TO || k.is_power_of_two() || k == most;
    (1..=most).filter(move |&k| most > 1 && shown(k))
}

/// For each scenario and seat with at least `k` results its first row, and the chance that `k` of its repeats all ended soundly.
pub(super) fn shares(rows: &[Row], k: u16) -> impl Iterator<Item = (&Row, f64)> {
    rows.chunk_by(|a, b| a.index == b.index && a.opponent == b.opponent).filter_map(move |repeats| {
        let (n, k) = (repeats.len(), usize::from(k));
        let successes = repeats.iter().filter(|row| is_sound(row)).count();
        (n >= k).then(|| {
            let chance = |drawn: usize| (successes.saturating_sub(drawn)) as f64 / (n - drawn) as f64;
            (&repeats[0], (0..k).map(chance).product())
        })
    })
}

/// Whether an episode ended as it should, and the agent kept to all that it was told.
fn is_sound(row: &Row) -> bool {
    let wanted = !row.is(Fact::FeasibilityKnown) || row.is(Fact::Feasible);
    let wrong = [Fact::LossMaking, Fact::MandateViolated, Fact::SpeechViolated];
    row.is(Fact::Agreement) == wanted
        && row.is(Fact::ConstraintSatisfied)
        && row.forfeits == 0
        && !wrong.into_iter().any(|fact| row.is(fact))
}
