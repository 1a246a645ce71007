//! Symmetric equilibria of a symmetric two-player game, by support enumeration.

/// Strategies at most: every subset of them is looked at.
pub const MOST_STRATEGIES: usize = 14;

/// What counts as equal among payoffs, in shares of the largest one.
const TOLERANCE: f64 = 1e-9;

/// All symmetric equilibria of the symmetric game in which row strategy `i` against column strategy `j` earns
/// `payoffs[i * n + j]`, as mixtures; fewest strategies first. Every finite symmetric game has one (Nash 1951); degenerate games
/// may have infinitely many, of which those with isolated support are found.
///
/// For each support the mixture that makes its strategies indifferent is solved for, and kept where it is a distribution and
/// no strategy outside earns more (the enumeration of Dickhaut and Kaplan 1991; Porter, Nudelman and Shoham 2008).
///
/// # Panics
/// Where `payoffs` is not square, or there are more than [`MOST_STRATEGIES`] strategies.
#[must_use]
pub fn symmetric_equilibria(payoffs: &[f64], n: usize) -> Vec<Vec<f64>> {
    assert!(payoffs.len() == n * n && n <= MOST_STRATEGIES, "a square matrix of at most {MOST_STRATEGIES} strategies");
    let largest = payoffs.iter().fold(0.0_f64, |largest, payoff| largest.max(payoff.abs()));
    let tolerance = TOLERANCE * largest.max(f64::MIN_POSITIVE);
    let mut supports: Vec<u32> = (1..1_u32 << n).collect();
    supports.sort_by_key(|support| (support.count_ones(), *support));
    supports.into_iter().filter_map(|support| equilibrium(payoffs, n, support, tolerance)).collect()
}

/// The equilibrium with exactly this support, where there is one.
fn equilibrium(payoffs: &[f64], n: usize, support: u32, tolerance: f64) -> Option<Vec<f64>> {
    let members: Vec<usize> = (0..n).filter(|strategy| support >> strategy & 1 == 1).collect();
    let size = members.len();
    // Unknowns: the weights and the common payoff. One row a member: its payoff less the common one is 0; and weights sum to 1.
    let mut system = vec![vec![0.0; size + 2]; size + 1];
    for (row, &own) in members.iter().enumerate() {
        for (column, &other) in members.iter().enumerate() {
            system[row][column] = payoffs[own * n + other];
        }
        system[row][size] = -1.0;
    }
    system[size][..size].fill(1.0);
    system[size][size + 1] = 1.0;
    let solution = solve(system)?;
    let (weights, value) = (&solution[..size], solution[size]);
    if weights.iter().any(|&weight| weight <= 1e-12) {
        return None;
    }
    let mut mixture = vec![0.0; n];
    for (&member, &weight) in members.iter().zip(weights) {
        mixture[member] = weight;
    }
    let earns = |own: usize| (0..n).map(|other| payoffs[own * n + other] * mixture[other]).sum::<f64>();
    (0..n).all(|own| earns(own) <= value + tolerance).then_some(mixture)
}

/// Gaussian elimination with partial pivoting; `None` where the system has no single solution.
fn solve(mut system: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let size = system.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| system[a][column].abs().total_cmp(&system[b][column].abs()))?;
        if system[pivot][column].abs() < 1e-12 {
            return None;
        }
        system.swap(column, pivot);
        let pivoted = system[column].clone();
        for row in system.iter_mut().skip(column + 1) {
            let factor = row[column] / pivoted[column];
            row.iter_mut().zip(&pivoted).skip(column).for_each(|(cell, above)| *cell -= factor * above);
        }
    }
    let mut solution = vec![0.0; size];
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| system[row][column] * solution[column]).sum();
        solution[row] = (system[row][size] - known) / system[row][row];
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(payoffs: &[f64], n: usize, expected: &[&[f64]]) {
        let found = symmetric_equilibria(payoffs, n);
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.iter().zip(*expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} is {expected:?}");
        }
    }

    #[test]
    fn the_games_of_the_textbook_have_their_equilibria() {
        // Rock, paper, scissors: a third each.
        check(&[0.0, -1.0, 1.0, 1.0, 0.0, -1.0, -1.0, 1.0, 0.0], 3, &[&[1.0 / 3.0; 3]]);
        // The prisoners' dilemma: both defect.
        check(&[3.0, 0.0, 5.0, 1.0], 2, &[&[0.0, 1.0]]);
        // Hawk and dove with a prize of 2 and a fight that costs 4: hawks with 1/2.
        check(&[-1.0, 2.0, 0.0, 1.0], 2, &[&[0.5, 0.5]]);
        // The stag hunt: two pure ones and the mixture between.
        check(&[4.0, 0.0, 3.0, 2.0], 2, &[&[1.0, 0.0], &[0.0, 1.0], &[2.0 / 3.0, 1.0 / 3.0]]);
    }

    proptest! {
        #[test]
        fn what_is_found_is_an_equilibrium_and_something_is_found(
            payoffs in prop::collection::vec(-1.0..1.0_f64, 25),
        ) {
            let found = symmetric_equilibria(&payoffs, 5);
            prop_assert!(!found.is_empty());
            for mixture in found {
                prop_assert!((mixture.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                let earns = |own: usize| (0..5).map(|other| payoffs[own * 5 + other] * mixture[other]).sum::<f64>();
                let value: f64 = (0..5).map(|own| mixture[own] * earns(own)).sum();
                prop_assert!((0..5).all(|own| earns(own) <= value + 1e-7));
            }
        }
    }
}
