//! The Pareto frontier of a space too large to enumerate, as far as a search finds it.

use std::collections::BTreeSet;
use zopa_envs::solution::{SolutionError, dominates, pareto_frontier};
use zopa_envs::{Offer, OutcomeSpace, Utility};

/// How the search works, for whoever reads its results.
pub(super) const METHOD: &str = "estimate: outcomes that maximise weighted sums of both utilities (101 weights; exact \
    where utilities are additive, coordinate ascent otherwise), then Pareto local search by changes of one issue \
    and, where those find nothing more, of two and three, at most 2,000,000 outcomes looked at in each part";

/// Weights of the first party's utility, from 0 to 1.
const WEIGHTS: u32 = 101;
/// The most issues that one step of the local search changes together.
const MOST_CHANGES: usize = 3;
/// The most outcomes that are looked at by the ascents, and again by the local search; fewer where many constraints make
/// each of them dear.
const BUDGET: usize = 2_000_000;
/// Constraints whose comparison, or issues whose sum, costs about as much as looking up an outcome of a small domain.
const CHEAP: usize = 64;

/// Outcomes found, with both utilities; every undominated one of those looked at is among them.
pub(super) fn search(space: &OutcomeSpace, utilities: [&Utility; 2]) -> Result<Vec<[f64; 2]>, SolutionError> {
    let constraints: usize = utilities.iter().map(|utility| utility.constraints()).sum();
    let budget = BUDGET / (constraints + space.issues().len()).div_ceil(CHEAP).max(1);
    let mut search = Search { space, utilities, budget };
    let starts = search.starts();
    let mut frontier = search.undominated(starts)?;
    search.budget = budget;
    let mut explored: [BTreeSet<Offer>; MOST_CHANGES] = Default::default();
    let mut changes = 1;
    while search.budget > 0 {
        let mut found = Vec::new();
        for point in &frontier {
            if search.budget > 0 && explored[changes - 1].insert(point.offer.clone()) {
                let mut offer = point.offer.clone();
                search.neighbours(&mut offer, 0, changes, &frontier, &mut found);
            }
        }
        if found.is_empty() {
            if changes == MOST_CHANGES {
                break;
            }
            changes += 1;
        } else {
            changes = 1;
            found.append(&mut frontier);
            frontier = search.undominated(found)?;
        }
    }
    Ok(frontier.into_iter().map(|point| point.pair).collect())
}

#[derive(Clone)]
struct Point {
    offer: Offer,
    pair: [f64; 2],
}

struct Search<'a> {
    space: &'a OutcomeSpace,
    utilities: [&'a Utility; 2],
    budget: usize,
}

impl Search<'_> {
    fn point(&self, offer: Offer) -> Point {
        let pair = self.utilities.map(|utility| utility.of(&offer));
        Point { offer, pair }
    }

    /// Each side's best outcome and the maximisers of the weighted sums, each search starting where the last one ended.
    fn starts(&mut self) -> Vec<Point> {
        let best = self.utilities.map(|utility| utility.best(self.space, |_, _| true));
        let mut points: Vec<Point> = best.into_iter().flatten().map(|offer| self.point(offer)).collect();
        for side in 0..points.len() {
            let mut current = points[side].offer.clone();
            for step in 0..WEIGHTS {
                let share = f64::from(step) / f64::from(WEIGHTS - 1);
                let weights = if side == 0 { [1.0 - share, share] } else { [share, 1.0 - share] };
                current = self.ascend(current, weights);
                points.push(self.point(current.clone()));
            }
        }
        points
    }

    /// The outcome of the largest weighted sum: issue by issue where utilities are additive, else by coordinate ascent.
    fn ascend(&mut self, mut offer: Offer, weights: [f64; 2]) -> Offer {
        let utilities = self.utilities;
        if utilities.iter().all(|utility| utility.is_additive() && utility.price_issue().is_none()) {
            for position in 0..self.space.issues().len() {
                let [first, second] = utilities.map(|utility| utility.table(position));
                let worth = |index: u32| weights[0] * first[index as usize] + weights[1] * second[index as usize];
                let mut best = offer.get(position);
                for index in 0..first.len() as u32 {
                    if worth(index) > worth(best) {
                        best = index;
                    }
                }
                offer.set(position, best);
            }
            return offer;
        }
        let value = |offer: &Offer| {
            let [a, b] = utilities.map(|utility| utility.of(offer));
            weights[0] * a + weights[1] * b
        };
        let mut top = value(&offer);
        // A pass that improves nothing ends the ascent; each pass improves, and the bound only caps pathological cases.
        for _ in 0..50 {
            let before = top;
            for (position, issue) in self.space.issues().iter().enumerate() {
                let mut best = offer.get(position);
                for index in 0..issue.len() {
                    if self.budget == 0 {
                        break;
                    }
                    self.budget -= 1;
                    offer.set(position, index);
                    let found = value(&offer);
                    if found > top {
                        (top, best) = (found, index);
                    }
                }
                offer.set(position, best);
            }
            if top <= before {
                break;
            }
        }
        offer
    }

    /// Adds to `found` the outcomes that differ from `offer` in up to `changes` issues from the position `from` on, and that
    /// nothing on the frontier dominates or equals. Leaves `offer` as it was.
    fn neighbours(
        &mut self,
        offer: &mut Offer,
        from: usize,
        changes: usize,
        frontier: &[Point],
        found: &mut Vec<Point>,
    ) {
        for (position, issue) in self.space.issues().iter().enumerate().skip(from) {
            let own = offer.get(position);
            for index in (0..issue.len()).filter(|&index| index != own) {
                if self.budget == 0 {
                    break;
                }
                self.budget -= 1;
                offer.set(position, index);
                let pair = self.utilities.map(|utility| utility.of(offer));
                // The frontier falls in the second utility as it rises in the first: of those at least as good for the
                // first party, the last is best for the second.
                let rival = frontier[..frontier.partition_point(|rival| rival.pair[0] >= pair[0])].last();
                if rival.is_none_or(|rival| !dominates(rival.pair, pair) && rival.pair != pair) {
                    found.push(Point { offer: offer.clone(), pair });
                }
                if changes > 1 {
                    self.neighbours(offer, position + 1, changes - 1, frontier, found);
                }
            }
            offer.set(position, own);
        }
    }

    fn undominated(&self, points: Vec<Point>) -> Result<Vec<Point>, SolutionError> {
        let pairs: Vec<[f64; 2]> = points.iter().map(|point| point.pair).collect();
        Ok(pareto_frontier(&pairs)?.into_iter().map(|at| points[at].clone()).collect())
    }
}
