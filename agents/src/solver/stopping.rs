//! When to end: backward induction over later turns, on what can be seen in them.
//!
//! Optimal stopping by regression on simulated paths (Longstaff and Schwartz 2001, "Valuing American options by simulation"):
//! in each later turn a path may end at its exercise value or go on; it is ended where that is at least the expectation of
//! going on given what would be seen by then, the own gain of the standing offer and its last step. What a closing offer
//! would bring is not seen either, and is regressed alike. So a plan uses what it will have learnt, and no more.

/// Paths below which no regression is made.
const LEAST_PATHS: usize = 12;

/// One particle's walk.
#[derive(Clone, Debug)]
pub(super) struct Path {
    /// By own turn.
    turns: Vec<Seen>,
    /// The own gain that what it asks for would leave.
    pub(super) asked: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    /// What taking what stands counts, which is seen.
    take: f64,
    /// What closing counts, which is not.
    close: f64,
    /// The own gain of what stands, and its last step.
    standing: f64,
    step: f64,
    /// The share that is still alive.
    alive: f64,
    /// What was taken up in the reply.
    banked: f64,
}

impl Path {
    pub(super) fn with_capacity(turns: usize) -> Self {
        Self { turns: Vec::with_capacity(turns), asked: None }
    }

    /// Before the first turn again, for another way.
    pub(super) fn clear(&mut self) {
        self.turns.clear();
        self.asked = None;
    }

    /// What ending in this turn counts, by taking what stands and by a closing offer; then what is seen.
    pub(super) fn push(&mut self, turn: usize, [take, close]: [f64; 2], standing: f64, before: f64, alive: f64) {
        debug_assert_eq!(turn, self.turns.len());
        self.turns.push(Seen { take, close, standing, step: standing - before, alive, banked: 0.0 });
    }

    /// What was taken up in the reply to own turn `turn`.
    pub(super) fn bank(&mut self, turn: usize, value: f64) {
        self.turns[turn].banked += value;
    }
}

/// The mean value of the paths, each ended by the rule; turn 0 is the way's own action and ends nothing.
pub(super) fn value(paths: &[Path]) -> f64 {
    let longest = paths.iter().map(|path| path.turns.len()).max().unwrap_or(0);
    // What going on from the turn after is worth, per unit that is alive there.
    let mut ahead: Vec<f64> = vec![0.0; paths.len()];
    for turn in (1..longest).rev() {
        for (path, ahead) in paths.iter().zip(&mut ahead) {
            if let Some(seen) = path.turns.get(turn) {
                let next = path.turns.get(turn + 1).map_or(0.0, |next| next.alive);
                *ahead = (seen.banked + next * *ahead) / seen.alive.max(1e-9);
            }
        }
        let regression = Regression::of(paths, &ahead, turn);
        for (path, ahead) in paths.iter().zip(&mut ahead) {
            let Some(seen) = path.turns.get(turn) else { continue };
            let [goes_on, closes] = regression.at(seen);
            if seen.take > 0.0 && seen.take >= goes_on.max(closes) {
                *ahead = seen.take;
            } else if closes > 0.0 && closes >= goes_on {
                *ahead = seen.close;
            }
        }
    }
    let sum: f64 = paths
        .iter()
        .zip(&ahead)
        .map(|(path, ahead)| {
            let first = path.turns.first().map_or(0.0, |first| first.banked);
            first + path.turns.get(1).map_or(0.0, |next| next.alive * ahead)
        })
        .sum();
    sum / paths.len().max(1) as f64
}

/// Going on and closing as linear functions of what is seen.
struct Regression {
    weights: [[f64; 2]; FEATURES],
}

const FEATURES: usize = 4;

fn features(seen: &Seen) -> [f64; FEATURES] {
    // Losses are all alike: nobody accepts them.
    [1.0, seen.standing.max(-0.2), seen.standing.max(0.0), seen.step.clamp(-0.1, 0.1)]
}

impl Regression {
    /// Over the paths that reach `turn`; `ahead`: what going on from it is worth to each.
    fn of(paths: &[Path], ahead: &[f64], turn: usize) -> Self {
        let mut normal = [[0.0_f64; FEATURES + 2]; FEATURES];
        let (mut count, mut sums) = (0_u32, [0.0; 2]);
        for (path, &ahead) in paths.iter().zip(ahead) {
            let Some(seen) = path.turns.get(turn) else { continue };
            let row = features(seen);
            count += 1;
            sums = [sums[0] + ahead, sums[1] + seen.close];
            for (line, a) in normal.iter_mut().zip(row) {
                for (cell, b) in line.iter_mut().zip(row) {
                    *cell += a * b;
                }
                line[FEATURES] += a * ahead;
                line[FEATURES + 1] += a * seen.close;
            }
        }
        let mut flat = [[0.0; 2]; FEATURES];
        flat[0] = sums.map(|sum| sum / f64::from(count.max(1)));
        if (count as usize) < LEAST_PATHS {
            return Self { weights: flat };
        }
        for (index, line) in normal.iter_mut().enumerate() {
            line[index] += if index == 0 { 1e-9 } else { 1e-4 };
        }
        Self { weights: solve(normal).unwrap_or(flat) }
    }

    /// Going on and closing.
    fn at(&self, seen: &Seen) -> [f64; 2] {
        let features = features(seen);
        [0, 1].map(|number| features.iter().zip(&self.weights).map(|(x, weights)| x * weights[number]).sum())
    }
}

/// Gauss elimination with pivots on the diagonal, for two right sides; the system is positive definite. `None` where it is
/// degenerate.
fn solve(mut system: [[f64; FEATURES + 2]; FEATURES]) -> Option<[[f64; 2]; FEATURES]> {
    for pivot in 0..FEATURES {
        if system[pivot][pivot] < 1e-12 {
            return None;
        }
        for row in pivot + 1..FEATURES {
            let (above, below) = system.split_at_mut(row);
            let factor = below[0][pivot] / above[pivot][pivot];
            for (cell, known) in below[0].iter_mut().zip(&above[pivot]).skip(pivot) {
                *cell -= factor * known;
            }
        }
    }
    let mut solution = [[0.0; 2]; FEATURES];
    for row in (0..FEATURES).rev() {
        for number in 0..2 {
            let known: f64 = (row + 1..FEATURES).map(|column| system[row][column] * solution[column][number]).sum();
            solution[row][number] = (system[row][FEATURES + number] - known) / system[row][row];
        }
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use super::{Path, value};

    fn path(exercises: &[f64]) -> Path {
        let mut path = Path::with_capacity(exercises.len());
        for (turn, &exercise) in exercises.iter().enumerate() {
            path.push(turn, [exercise, 0.0], exercise, exercise, 1.0);
        }
        path
    }

    #[test]
    fn a_certain_path_ends_where_it_is_worth_most() {
        let paths = vec![path(&[0.0, 0.2, 0.5, 0.3]); 20];
        assert!((value(&paths) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn who_cannot_tell_paths_apart_does_not_gain_from_hindsight() {
        // In turn 1 both look alike; in turn 2 one half is worth nothing.
        let paths: Vec<Path> = (0..40).map(|place| path(&[0.0, 0.5, if place % 2 == 0 { 0.8 } else { 0.0 }])).collect();
        assert!((value(&paths) - 0.5).abs() < 1e-3, "half of 0.8 is less than 0.5");
    }
}
