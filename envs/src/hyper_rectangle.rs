//! Utilities over regions of the outcome space: the non-linear part of imported domains.
//!
//! A constraint pays its utility to every outcome inside a hyper-rectangle (or outside of it), and an outcome is worth the
//! sum of what its constraints pay (Ito, Hattori and Klein 2007, "Multi-issue negotiation protocol for agents: exploring
//! nonlinear utility spaces"; GENIUS reads such profiles).

use crate::digest::{Canonical, Hasher};
use crate::outcome::{Offer, OutcomeSpace};
use smallvec::SmallVec;

/// Comparisons of constraints that one search for an extreme outcome spends before it settles for the best found.
const SEARCH_BUDGET: u64 = 20_000_000;

/// The values of one issue that a region spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The issue's position.
    pub issue: usize,
    /// First value index inside.
    pub first: u32,
    /// Last value index inside; below `first` where no value is.
    pub last: u32,
}

impl Span {
    fn holds(&self, index: u32) -> bool {
        (self.first..=self.last).contains(&index)
    }
}

/// A region and what it pays.
#[derive(Clone, Debug, PartialEq)]
pub struct HyperRectangle {
    /// The region: every span holds the outcome. Issues without a span are free; at most one span an issue.
    pub spans: Box<[Span]>,
    /// Whether outcomes inside are paid; otherwise those outside are.
    pub inside: bool,
    /// What is paid.
    pub utility: f64,
}

impl HyperRectangle {
    fn pays(&self, offer: &Offer) -> bool {
        self.spans.iter().all(|span| span.holds(offer.get(span.issue))) == self.inside
    }
}

/// Constraints whose payments add up, at most to `most`.
#[derive(Clone, Debug, PartialEq)]
pub struct HyperRectangles {
    /// The constraints.
    pub constraints: Box<[HyperRectangle]>,
    /// Where the sum is cut off; infinity where it is not.
    pub most: f64,
}

impl HyperRectangles {
    /// What `offer` is paid.
    #[must_use]
    pub fn of(&self, offer: &Offer) -> f64 {
        let paid = self.constraints.iter().filter(|constraint| constraint.pays(offer));
        paid.map(|constraint| constraint.utility).sum::<f64>().min(self.most)
    }

    /// The outcome with the largest `way * (worth + payments)` that is found, where `worth(issue, index)` adds over issues:
    /// branch and bound over the issues that constraints name, each reduced to its best value in every region between
    /// their borders. It is the optimum unless the search runs out of its budget (millions of comparisons), which
    /// happens with hundreds of overlapping constraints; then it is the best found. `None` where an issue has no permitted
    /// value.
    pub(crate) fn extreme(
        &self,
        space: &OutcomeSpace,
        way: f64,
        worth: impl Fn(usize, u32) -> f64,
        permits: impl Fn(usize, u32) -> bool,
    ) -> Option<Offer> {
        let issues = space.issues().len();
        let mut borders: Vec<Vec<u32>> = vec![vec![0]; issues];
        let mut named_by: Vec<Vec<(usize, Span)>> = vec![Vec::new(); issues];
        for (constraint, rectangle) in self.constraints.iter().enumerate() {
            for &span in &rectangle.spans {
                borders[span.issue].extend([span.first, span.last.saturating_add(1)]);
                named_by[span.issue].push((constraint, span));
            }
        }
        let mut choices: Vec<Vec<Choice>> = Vec::with_capacity(issues);
        for (issue, borders) in borders.iter_mut().enumerate() {
            let len = space.issues()[issue].len();
            borders.push(len);
            borders.sort_unstable();
            borders.dedup();
            let regions = borders.windows(2).filter(|region| region[1] <= len);
            let best_of = |region: &[u32]| {
                let mut best: Option<Choice> = None;
                for index in (region[0]..region[1]).filter(|&index| permits(issue, index)) {
                    let worth = way * worth(issue, index);
                    if best.is_none_or(|best| worth > best.worth) {
                        best = Some(Choice { index, worth });
                    }
                }
                best
            };
            choices.push(regions.filter_map(best_of).collect());
            if choices[issue].is_empty() {
                return None;
            }
        }
        let mut order: Vec<usize> = (0..issues).collect();
        order.sort_by_key(|&issue| std::cmp::Reverse(named_by[issue].len()));
        let mut rest = vec![0.0; issues + 1];
        for (depth, &issue) in order.iter().enumerate().rev() {
            let best = choices[issue].iter().map(|choice| choice.worth).fold(f64::NEG_INFINITY, f64::max);
            rest[depth] = rest[depth + 1] + best;
        }
        let mut search = Search {
            rectangles: self,
            way,
            choices: &choices,
            named_by: &named_by,
            order: &order,
            rest: &rest,
            current: Offer::new(&SmallVec::<[u32; 6]>::from_elem(0, issues)),
            best: None,
            budget: SEARCH_BUDGET,
        };
        let undecided = self.constraints.iter().map(|rectangle| Standing::new(rectangle.spans.len())).collect();
        search.visit(0, 0.0, undecided);
        search.best.map(|(_, offer)| offer)
    }
}

impl Canonical for HyperRectangles {
    fn feed(&self, hasher: &mut Hasher) {
        self.most.feed(hasher);
        (self.constraints.len() as u64).feed(hasher);
        for constraint in &self.constraints {
            constraint.inside.feed(hasher);
            constraint.utility.feed(hasher);
            (constraint.spans.len() as u64).feed(hasher);
            for span in &constraint.spans {
                (span.issue as u64).feed(hasher);
                span.first.feed(hasher);
                span.last.feed(hasher);
            }
        }
    }
}

/// A value of an issue and what it is worth beside the constraints, in the direction of the search.
#[derive(Clone, Copy)]
struct Choice {
    index: u32,
    worth: f64,
}

/// What is known of a constraint's region when some issues are decided.
#[derive(Clone, Copy)]
struct Standing {
    /// Spans whose issue is undecided.
    open: u32,
    /// Whether a decided issue lies outside its span.
    outside: bool,
}

impl Standing {
    fn new(spans: usize) -> Self {
        Self { open: spans as u32, outside: false }
    }
}

struct Search<'a> {
    rectangles: &'a HyperRectangles,
    way: f64,
    choices: &'a [Vec<Choice>],
    named_by: &'a [Vec<(usize, Span)>],
    order: &'a [usize],
    /// The most that the issues from this depth on are worth beside the constraints.
    rest: &'a [f64],
    current: Offer,
    best: Option<(f64, Offer)>,
    budget: u64,
}

impl Search<'_> {
    /// The most that the constraints can still pay, in the direction of the search.
    fn bound(&mut self, standings: &[Standing]) -> f64 {
        self.budget = self.budget.saturating_sub(standings.len() as u64 + 1);
        let mut paid = 0.0;
        for (rectangle, standing) in self.rectangles.constraints.iter().zip(standings) {
            let decided = standing.outside || standing.open == 0;
            // What is still open pays where the search would want it to.
            let pays = if decided { standing.outside != rectangle.inside } else { self.way * rectangle.utility > 0.0 };
            if pays {
                paid += rectangle.utility;
            }
        }
        self.way * paid.min(self.rectangles.most)
    }

    fn visit(&mut self, depth: usize, worth: f64, standings: Vec<Standing>) {
        let Some(&issue) = self.order.get(depth) else {
            let value = worth + self.bound(&standings);
            if self.best.as_ref().is_none_or(|(best, _)| value > *best) {
                self.best = Some((value, self.current.clone()));
            }
            return;
        };
        if self.named_by[issue].is_empty() {
            // The order puts issues that no constraint names last, and each of them has one best value.
            for &issue in &self.order[depth..] {
                self.current.set(issue, self.choices[issue][0].index);
            }
            let value = worth + self.rest[depth] + self.bound(&standings);
            if self.best.as_ref().is_none_or(|(best, _)| value > *best) {
                self.best = Some((value, self.current.clone()));
            }
            return;
        }
        let mut branches: Vec<(f64, Choice, Vec<Standing>)> = Vec::with_capacity(self.choices[issue].len());
        for &choice in &self.choices[issue] {
            let mut standings = standings.clone();
            for (constraint, span) in &self.named_by[issue] {
                standings[*constraint].open -= 1;
                standings[*constraint].outside |= !span.holds(choice.index);
            }
            let bound = worth + choice.worth + self.rest[depth + 1] + self.bound(&standings);
            branches.push((bound, choice, standings));
        }
        branches.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
        for (bound, choice, standings) in branches {
            let settled = self.budget == 0 && self.best.is_some();
            if settled || self.best.as_ref().is_some_and(|(best, _)| bound <= *best) {
                return;
            }
            self.current.set(issue, choice.index);
            self.visit(depth + 1, worth + choice.worth, standings);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HyperRectangle, HyperRectangles, Span};
    use crate::issue::{Grid, Issue, IssueRole};
    use crate::outcome::OutcomeSpace;
    use crate::utility::Utility;
    use proptest::prelude::*;
    use std::sync::Arc;

    fn space() -> OutcomeSpace {
        let issue = |name: &str| {
            let grid = Grid::Integers { first: 0, step: 1, count: 5 };
            Issue { name: name.into(), role: IssueRole::Other, unit: "".into(), grid }
        };
        OutcomeSpace::new(["a", "b", "c", "d"].map(issue).to_vec()).unwrap()
    }

    fn rectangle() -> impl Strategy<Value = HyperRectangle> {
        let spans = proptest::collection::btree_map(0_usize..4, (0_u32..5, 0_u32..5), 0..4);
        (spans, any::<bool>(), -20_i32..60).prop_map(|(spans, inside, utility)| {
            let span = |(issue, (first, last))| Span { issue, first, last };
            HyperRectangle { spans: spans.into_iter().map(span).collect(), inside, utility: f64::from(utility) }
        })
    }

    fn utility() -> impl Strategy<Value = Utility> {
        let constraints = proptest::collection::vec(rectangle(), 0..12);
        (constraints, prop_oneof![Just(f64::INFINITY), 10.0..80.0], proptest::collection::vec(0_i32..9, 20)).prop_map(
            |(constraints, most, table)| {
                let mut utility = Utility::zero(&space());
                for issue in 0..3 {
                    for (entry, worth) in utility.table_mut(issue).iter_mut().zip(&table[5 * issue..]) {
                        *entry = f64::from(*worth);
                    }
                }
                utility.set_rectangles(Arc::new(HyperRectangles { constraints: constraints.into(), most }));
                utility
            },
        )
    }

    proptest! {
        #[test]
        fn the_search_finds_what_enumeration_finds(utility in utility(), forbidden in 0_u32..5) {
            let space = space();
            let permits = |issue: usize, index: u32| issue != 1 || index != forbidden;
            let all = || space.outcomes().filter(|offer| permits(1, offer.get(1)));
            let best = all().map(|offer| utility.of(&offer)).reduce(f64::max).unwrap();
            let found = utility.best(&space, permits).unwrap();
            prop_assert!(permits(1, found.get(1)));
            prop_assert!((utility.of(&found) - best).abs() < 1e-9);
            let worst = space.outcomes().map(|offer| utility.of(&offer)).reduce(f64::min).unwrap();
            prop_assert!((utility.of(&utility.worst(&space).unwrap()) - worst).abs() < 1e-9);
        }
    }

    #[test]
    fn outcomes_are_paid_inside_or_outside_up_to_the_most() {
        let span = Span { issue: 0, first: 1, last: 2 };
        let constraint = |inside, utility| HyperRectangle { spans: Box::new([span]), inside, utility };
        let mut utility = Utility::zero(&space());
        let constraints = Box::new([constraint(true, 3.0), constraint(false, 4.0), constraint(true, 5.0)]);
        utility.set_rectangles(Arc::new(HyperRectangles { constraints, most: 7.0 }));
        let at = |index| utility.of(&crate::Offer::new(&[index, 0, 0, 0]));
        assert_eq!([at(0), at(1), at(2), at(3)], [4.0, 7.0, 7.0, 4.0]);
        assert!(!utility.is_additive());
    }

    #[test]
    fn a_search_among_hundreds_of_constraints_ends() {
        let mut stream = crate::StreamKey::new("test", &[b"rectangles"]).stream(0);
        let grid = Grid::Integers { first: 0, step: 1, count: 10 };
        let issue = |at: usize| Issue {
            name: format!("i{at}").into(),
            role: IssueRole::Other,
            unit: "".into(),
            grid: grid.clone(),
        };
        let space = OutcomeSpace::new((0..50).map(issue).collect()).unwrap();
        let mut span = |issue| {
            let first = stream.below(10) as u32;
            Span { issue, first, last: first + stream.below(4) as u32 }
        };
        let constraint = |at: usize| HyperRectangle {
            spans: [at % 50, (at * 7 + 1) % 50, (at * 11 + 2) % 50].map(&mut span).into(),
            inside: true,
            utility: 1.0 + (at % 13) as f64,
        };
        let constraints = (0..500).map(constraint).collect();
        let mut utility = Utility::zero(&space);
        utility.set_rectangles(Arc::new(HyperRectangles { constraints, most: f64::INFINITY }));
        let best = utility.of(&utility.best(&space, |_, _| true).unwrap());
        assert!(best > utility.of(&space.outcome(0)));
    }
}
