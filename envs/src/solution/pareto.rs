//! The Pareto frontier of a list of utility pairs, by sorting.

use super::{SolutionError, TOLERANCE};

/// Slices of the first party's utility range in the coarse filter. More slices filter sharper and cost more cache; at
/// this number the table of best values stays in the first-level cache.
const SLICES: usize = 1024;

/// Whether `a` dominates `b`: at least as good for both parties, and better for one, where utilities within
/// [`TOLERANCE`] of each other are equal.
///
/// The relation has no cycles (each step raises the sum of utilities), so some outcome is always undominated.
pub fn dominates(a: [f64; 2], b: [f64; 2]) -> bool {
    let no_worse = b[0] - a[0] <= TOLERANCE && b[1] - a[1] <= TOLERANCE;
    no_worse && (a[0] - b[0] > TOLERANCE || a[1] - b[1] > TOLERANCE)
}

/// Indices of the outcomes that no outcome [`dominates`], one for each distinct utility pair, first party's utility
/// descending. Of outcomes with the same pair (within [`TOLERANCE`]) the one with the lowest index stands for all.
///
/// O(n log n) time; beside the input at most 24 bytes an outcome, and far less where most outcomes are dominated.
///
/// # Errors
///
/// [`SolutionError::OutcomeNotFinite`] names the first outcome whose utilities are not finite.
pub fn pareto_frontier(pairs: &[[f64; 2]]) -> Result<Vec<usize>, SolutionError> {
    let Some(range) = first_utility_range(pairs)? else { return Ok(Vec::new()) };
    let mut candidates = coarse_filter(pairs, range);
    candidates.sort_unstable_by(|a, b| {
        let [a1, a2] = a.utilities;
        let [b1, b2] = b.utilities;
        b1.total_cmp(&a1).then(b2.total_cmp(&a2)).then(a.index.cmp(&b.index))
    });
    keep_undominated(&mut candidates);
    Ok(distinct(&candidates))
}

#[derive(Clone, Copy)]
struct Candidate {
    utilities: [f64; 2],
    index: usize,
}

/// Smallest and largest first utility; `None` for an empty list.
fn first_utility_range(pairs: &[[f64; 2]]) -> Result<Option<[f64; 2]>, SolutionError> {
    let mut range: Option<[f64; 2]> = None;
    for (index, &[u1, u2]) in pairs.iter().enumerate() {
        if !(u1.is_finite() && u2.is_finite()) {
            return Err(SolutionError::OutcomeNotFinite { index, utilities: [u1, u2] });
        }
        let [low, high] = range.unwrap_or([u1, u1]);
        range = Some([low.min(u1), high.max(u1)]);
    }
    Ok(range)
}

/// Drops outcomes that are clearly dominated, in two linear passes: an outcome goes when a higher slice of the first
/// utility holds one whose second utility is larger by more than the tolerance.
///
/// That never changes the frontier: whatever the dropped outcome dominates, the one that dropped it dominates too,
/// because it is larger in both utilities.
fn coarse_filter(pairs: &[[f64; 2]], [low, high]: [f64; 2]) -> Vec<Candidate> {
    // Halving before subtracting keeps the width finite for any finite range.
    let half_width = high * 0.5 - low * 0.5;
    let scale = if half_width > 0.0 { (SLICES - 1) as f64 / half_width } else { 0.0 };
    // `as` saturates, and NaN (0 * infinity, for a range below the smallest normal number) becomes slice 0.
    let slice = |u1: f64| (((u1 * 0.5 - low * 0.5) * scale) as usize).min(SLICES - 1);
    let mut best_above = [f64::NEG_INFINITY; SLICES + 1];
    for &[u1, u2] in pairs {
        let best = &mut best_above[slice(u1)];
        *best = best.max(u2);
    }
    for i in (0..SLICES).rev() {
        best_above[i] = best_above[i].max(best_above[i + 1]);
    }
    let mut candidates = Vec::new();
    for (index, &[u1, u2]) in pairs.iter().enumerate() {
        if best_above[slice(u1) + 1] - u2 <= TOLERANCE {
            candidates.push(Candidate { utilities: [u1, u2], index });
        }
    }
    candidates
}

/// Keeps what nothing dominates, in place; `sorted` has the first utility descending.
///
/// The outcomes that can dominate one at `u1` are a prefix of the order: those with at least `u1` within the tolerance
/// dominate by a larger second utility, those above it by more than the tolerance by an equal one. Two fronts of the
/// prefix maximum are carried along, so that the answer is exactly the definition's although tolerant equality is not
/// transitive.
fn keep_undominated(sorted: &mut Vec<Candidate>) {
    let (mut near, mut best_near) = (0, f64::NEG_INFINITY);
    let (mut above, mut best_above) = (0, f64::NEG_INFINITY);
    let mut undominated = vec![false; sorted.len()];
    for (i, mark) in undominated.iter_mut().enumerate() {
        let [u1, u2] = sorted[i].utilities;
        while near < sorted.len() && u1 - sorted[near].utilities[0] <= TOLERANCE {
            best_near = f64::max(best_near, sorted[near].utilities[1]);
            near += 1;
        }
        while sorted[above].utilities[0] - u1 > TOLERANCE {
            best_above = f64::max(best_above, sorted[above].utilities[1]);
            above += 1;
        }
        *mark = best_near - u2 <= TOLERANCE && u2 - best_above > TOLERANCE;
    }
    let mut marks = undominated.into_iter();
    sorted.retain(|_| marks.next().unwrap_or(false));
}

/// One index for each run of equal pairs. Undominated outcomes are either equal within the tolerance in both utilities or
/// differ by more than it in both, so the run's first member decides who belongs to it.
fn distinct(undominated: &[Candidate]) -> Vec<usize> {
    let mut frontier = Vec::new();
    let mut leader: Option<[f64; 2]> = None;
    for candidate in undominated {
        let [u1, u2] = candidate.utilities;
        match (leader, frontier.last_mut()) {
            (Some([l1, l2]), Some(lowest)) if l1 - u1 <= TOLERANCE && (l2 - u2).abs() <= TOLERANCE => {
                *lowest = candidate.index.min(*lowest);
            }
            _ => {
                leader = Some([u1, u2]);
                frontier.push(candidate.index);
            }
        }
    }
    frontier
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition itself, O(n^2).
    fn brute_force(pairs: &[[f64; 2]]) -> Vec<usize> {
        let mut frontier: Vec<usize> =
            (0..pairs.len()).filter(|&i| !pairs.iter().any(|&other| dominates(other, pairs[i]))).collect();
        frontier.sort_by(|&i, &j| pairs[j][0].total_cmp(&pairs[i][0]).then(i.cmp(&j)));
        frontier.dedup_by(|later, kept| pairs[*later] == pairs[*kept]);
        frontier
    }

    fn check(pairs: &[[f64; 2]], expected: &[usize]) {
        assert_eq!(pareto_frontier(pairs).unwrap(), expected);
    }

    #[test]
    fn an_empty_list_has_an_empty_frontier() {
        check(&[], &[]);
    }

    #[test]
    fn the_order_is_first_utility_descending_and_duplicates_count_once() {
        check(&[[0.2, 0.9], [0.9, 0.2], [0.5, 0.5], [0.9, 0.2], [0.5, 0.4]], &[1, 2, 0]);
    }

    #[test]
    fn a_weakly_better_outcome_dominates() {
        check(&[[0.5, 0.5], [0.5, 0.6]], &[1]);
        check(&[[0.5, 0.5], [0.6, 0.5]], &[1]);
    }

    #[test]
    fn differences_within_the_tolerance_are_no_differences() {
        check(&[[0.5, 0.3], [0.5 + 1e-15, 0.3 - 1e-15]], &[0]);
        check(&[[0.5 + 1e-15, 0.3], [0.5, 0.4]], &[1]);
        check(&[[0.5 + 1e-15, 0.3], [0.5, 0.3 + 1e-9]], &[1]);
        check(&[[0.5 + 1e-11, 0.3], [0.5, 0.4]], &[0, 1]);
        check(&[[0.5 + 1e-11, 0.3 - 1e-15], [0.5, 0.3]], &[0]);
    }

    #[test]
    fn utilities_may_be_huge_or_all_equal() {
        check(&[[f64::MAX, f64::MIN], [f64::MIN, f64::MAX], [f64::MIN, f64::MIN]], &[0, 1]);
        check(&[[-0.0, 1.0], [0.0, 1.0]], &[0]);
        check(&[[5e-324, 1.0], [0.0, 1.0]], &[0]);
    }

    #[test]
    fn an_outcome_that_is_not_finite_is_named() {
        let error = pareto_frontier(&[[0.0, 0.0], [f64::NAN, 1.0]]).unwrap_err();
        assert_eq!(error.to_string(), "outcome 1 has utilities [NaN, 1]: both must be finite numbers");
        assert!(pareto_frontier(&[[0.0, f64::INFINITY]]).is_err());
    }

    /// Coarse utilities tie often, fine ones hardly ever; both matter.
    fn outcomes() -> impl Strategy<Value = Vec<[f64; 2]>> {
        let coarse = (0..12_i32, 0..12_i32).prop_map(|(a, b)| [f64::from(a) / 11.0, f64::from(b) / 11.0]);
        let fine = (0.0..1.0_f64, 0.0..1.0_f64).prop_map(|(a, b)| [a, b]);
        // Near the anti-diagonal, where many outcomes are on the frontier.
        let opposed = (0.0..1.0_f64, 0.0..0.01_f64).prop_map(|(a, e)| [a, 1.0 - a - e]);
        prop_oneof![
            proptest::collection::vec(coarse, 0..120),
            proptest::collection::vec(fine, 0..120),
            proptest::collection::vec(opposed, 0..120),
        ]
    }

    /// Pairs a few tenths of the tolerance apart, where tolerant equality is not transitive.
    fn noisy_outcomes() -> impl Strategy<Value = Vec<[f64; 2]>> {
        let pair = (-20..20_i32, -20..20_i32).prop_map(|(a, b)| [f64::from(a) * 3e-13, f64::from(b) * 3e-13]);
        proptest::collection::vec(pair, 1..40)
    }

    proptest! {
        #[test]
        fn the_frontier_is_the_brute_force_one(pairs in outcomes()) {
            prop_assert_eq!(pareto_frontier(&pairs).unwrap(), brute_force(&pairs));
        }

        #[test]
        fn no_member_is_dominated_and_all_others_are_dominated_or_equal_to_one(pairs in outcomes()) {
            let frontier = pareto_frontier(&pairs).unwrap();
            for (i, &pair) in pairs.iter().enumerate() {
                let is_dominated = frontier.iter().any(|&j| dominates(pairs[j], pair));
                let is_represented = frontier.iter().any(|&j| pairs[j] == pair);
                prop_assert_ne!(is_dominated, is_represented, "outcome {}", i);
            }
        }

        #[test]
        fn the_frontier_does_not_depend_on_the_order_of_outcomes(
            (pairs, shuffled) in outcomes().prop_flat_map(|p| (Just(p.clone()), Just(p).prop_shuffle())),
        ) {
            let utilities = |list: &[[f64; 2]]| -> Vec<[f64; 2]> {
                pareto_frontier(list).unwrap().into_iter().map(|i| list[i]).collect()
            };
            prop_assert_eq!(utilities(&pairs), utilities(&shuffled));
        }

        #[test]
        fn swapping_the_parties_reverses_the_frontier(pairs in outcomes()) {
            let swapped: Vec<[f64; 2]> = pairs.iter().map(|&[a, b]| [b, a]).collect();
            let mut reversed = pareto_frontier(&swapped).unwrap();
            reversed.reverse();
            prop_assert_eq!(pareto_frontier(&pairs).unwrap(), reversed);
        }

        #[test]
        fn members_are_undominated_even_where_tolerant_equality_is_not_transitive(pairs in noisy_outcomes()) {
            let frontier = pareto_frontier(&pairs).unwrap();
            prop_assert!(!frontier.is_empty());
            for &i in &frontier {
                prop_assert!(!pairs.iter().any(|&other| dominates(other, pairs[i])));
            }
            for (i, &pair) in pairs.iter().enumerate() {
                let undominated = !pairs.iter().any(|&other| dominates(other, pair));
                let near = |j: usize| (0..2).all(|k| (pairs[j][k] - pair[k]).abs() <= 2.0 * TOLERANCE);
                prop_assert!(!undominated || frontier.iter().any(|&j| near(j)), "outcome {} is lost", i);
            }
        }
    }
}
