//! Nash, Kalai-Smorodinsky, egalitarian and utilitarian points of a finite list of outcomes.

use super::{SolutionError, TOLERANCE, pareto_frontier};

/// One outcome, by its position in the list of outcomes, with both utilities.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct SolutionPoint {
    /// Position in the list of outcomes, from 0.
    pub index: usize,
    /// `[u1, u2]`, in the unit of the list.
    pub utilities: [f64; 2],
}

/// The Pareto frontier of a list of outcomes and the bargaining solutions on it.
///
/// Every solution is chosen among *rational frontier outcomes*: undominated, and no worse than the disagreement point for
/// either party (within [`TOLERANCE`]). Where several outcomes are equally good by a rule, within the tolerance, the
/// one with the larger first utility is taken. Where no outcome is rational, all solutions are `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct SolutionPoints {
    /// Number of outcomes in the list.
    pub outcomes: usize,
    /// What each party has if the negotiation fails.
    pub disagreement: [f64; 2],
    /// Largest utility of each party over all outcomes, rational or not; the disagreement point for an empty list.
    pub max: [f64; 2],
    /// Undominated outcomes, one for each distinct utility pair, first utility descending.
    pub frontier: Vec<SolutionPoint>,
    /// Largest product of gains (Nash 1950); `None` also where no outcome leaves both parties strictly better off,
    /// because the Nash solution is not defined there.
    pub nash: Option<SolutionPoint>,
    /// All outcomes whose product of gains is within a share of [`TOLERANCE`] of the largest, first utility descending;
    /// `nash` is the first of them.
    pub nash_set: Vec<SolutionPoint>,
    /// Largest smaller share, where a party's share is its gain over its best rational gain (Kalai and Smorodinsky
    /// 1975). A party that no rational outcome leaves better off has its best everywhere: its share is 1.
    pub kalai_smorodinsky: Option<SolutionPoint>,
    /// Largest smaller gain (Kalai 1977). It compares utilities between parties, so it depends on their units.
    pub egalitarian: Option<SolutionPoint>,
    /// Largest sum of utilities. It compares utilities between parties, so it depends on their units.
    pub utilitarian: Option<SolutionPoint>,
}

impl SolutionPoints {
    /// Computes all of them: O(n log n) time, at most 25 bytes an outcome beside the input.
    ///
    /// # Errors
    ///
    /// A utility or a disagreement value that is not finite.
    pub fn of(pairs: &[[f64; 2]], disagreement: [f64; 2]) -> Result<Self, SolutionError> {
        if !disagreement.iter().all(|value| value.is_finite()) {
            return Err(SolutionError::DisagreementNotFinite { disagreement });
        }
        let frontier: Vec<SolutionPoint> =
            pareto_frontier(pairs)?.into_iter().map(|index| SolutionPoint { index, utilities: pairs[index] }).collect();
        let max = pairs.iter().copied().reduce(|a, b| [a[0].max(b[0]), a[1].max(b[1])]).unwrap_or(disagreement);
        let mut points = SolutionPoints {
            outcomes: pairs.len(),
            disagreement,
            max,
            frontier,
            nash: None,
            nash_set: Vec::new(),
            kalai_smorodinsky: None,
            egalitarian: None,
            utilitarian: None,
        };
        points.nash_set = points.maximisers_of_weighted_product([1.0, 1.0]);
        points.nash = points.nash_set.first().copied();
        let best = points.rational().map(|point| points.gains(point)).reduce(|a, b| [a[0].max(b[0]), a[1].max(b[1])]);
        if let Some(best) = best {
            let share = |gain: f64, best: f64| if best > TOLERANCE { gain / best } else { 1.0 };
            points.kalai_smorodinsky = points.first_best(|[g1, g2]| share(g1, best[0]).min(share(g2, best[1])));
        }
        points.egalitarian = points.first_best(|[g1, g2]| g1.min(g2));
        points.utilitarian = points.first_best(|[g1, g2]| g1 + g2);
        Ok(points)
    }

    /// Frontier outcomes that leave neither party worse off than disagreement, first utility descending.
    pub fn rational(&self) -> impl Iterator<Item = &SolutionPoint> {
        self.frontier.iter().filter(|point| self.gains(point).iter().all(|&gain| gain >= -TOLERANCE))
    }

    /// Largest sum of utilities over rational outcomes.
    pub fn welfare(&self) -> Option<f64> {
        self.utilitarian.map(|point| point.utilities[0] + point.utilities[1])
    }

    /// Largest product of gains over rational outcomes; 0 where no outcome leaves both parties strictly better off.
    pub fn nash_product(&self) -> f64 {
        self.nash.map_or(0.0, |point| {
            let [g1, g2] = self.gains(&point);
            g1 * g2
        })
    }

    /// Outcomes that maximise the first party's gain to the power `power` times the second's to the power `1 - power`,
    /// over rational outcomes that leave both strictly better off (Harsanyi and Selten 1972; Kalai 1977 for the
    /// weights as bargaining power); first utility descending. At one half it is `nash_set`.
    ///
    /// # Errors
    ///
    /// [`SolutionError::Power`] for a power outside [0, 1].
    pub fn weighted_nash_set(&self, power: f64) -> Result<Vec<SolutionPoint>, SolutionError> {
        if !(0.0..=1.0).contains(&power) {
            return Err(SolutionError::Power { power });
        }
        // Doubled, so that equal powers give the plain product's exponents and its tolerance.
        Ok(self.maximisers_of_weighted_product([2.0 * power, 2.0 * (1.0 - power)]))
    }

    /// Euclidean distance from a utility pair to the nearest member of `nash_set`, in the unit of the utilities; `None`
    /// where the set is empty.
    pub fn distance_to_nash_set(&self, utilities: [f64; 2]) -> Option<f64> {
        let distance = |point: &SolutionPoint| {
            let [d1, d2] = [point.utilities[0] - utilities[0], point.utilities[1] - utilities[1]];
            libm::hypot(d1, d2)
        };
        self.nash_set.iter().map(distance).reduce(f64::min)
    }

    fn gains(&self, point: &SolutionPoint) -> [f64; 2] {
        [point.utilities[0] - self.disagreement[0], point.utilities[1] - self.disagreement[1]]
    }

    /// The first rational outcome in canonical order whose score is the largest, within the tolerance.
    fn first_best(&self, score: impl Fn([f64; 2]) -> f64) -> Option<SolutionPoint> {
        let largest = self.rational().map(|point| score(self.gains(point))).reduce(f64::max)?;
        self.rational().find(|point| largest - score(self.gains(point)) <= TOLERANCE).copied()
    }

    /// Compares logarithms of the products, so that gains of any size neither overflow nor vanish, and a difference of
    /// logarithms is a relative difference of products.
    fn maximisers_of_weighted_product(&self, [w1, w2]: [f64; 2]) -> Vec<SolutionPoint> {
        let score = |point: &SolutionPoint| {
            let [g1, g2] = self.gains(point);
            let both_gain = g1 > TOLERANCE && g2 > TOLERANCE;
            both_gain.then(|| w1 * libm::log(g1) + w2 * libm::log(g2))
        };
        let Some(largest) = self.rational().filter_map(score).reduce(f64::max) else { return Vec::new() };
        self.rational().filter(|point| score(point).is_some_and(|s| largest - s <= TOLERANCE)).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A rule's score of two gains.
    type Score<'a> = &'a dyn Fn([f64; 2]) -> f64;

    fn utilities(point: Option<SolutionPoint>) -> Option<[f64; 2]> {
        point.map(|point| point.utilities)
    }

    /// `expected`: Nash, Kalai-Smorodinsky, egalitarian, utilitarian.
    fn check(pairs: &[[f64; 2]], disagreement: [f64; 2], expected: [Option<[f64; 2]>; 4]) -> SolutionPoints {
        let points = SolutionPoints::of(pairs, disagreement).unwrap();
        let found = [points.nash, points.kalai_smorodinsky, points.egalitarian, points.utilitarian].map(utilities);
        assert_eq!(found, expected);
        points
    }

    #[test]
    fn each_rule_may_choose_another_outcome() {
        let pairs = [[10.0, 0.0], [9.0, 2.0], [6.0, 3.5], [4.5, 4.2], [0.0, 6.0], [1.0, 1.0]];
        let [nash, ks, egalitarian, utilitarian] = [[6.0, 3.5], [6.0, 3.5], [4.5, 4.2], [9.0, 2.0]].map(Some);
        let points = check(&pairs, [0.0, 0.0], [nash, ks, egalitarian, utilitarian]);
        assert_eq!(points.frontier.iter().map(|p| p.index).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!((points.outcomes, points.max, points.welfare()), (6, [10.0, 6.0], Some(11.0)));
        assert_eq!(points.nash_product(), 21.0);
    }

    #[test]
    fn shares_are_taken_of_the_best_rational_gain() {
        // Without the reservation value the first party's best would be 10; with it, 8.
        let pairs = [[10.0, 0.5], [8.0, 2.0], [5.0, 3.0], [2.0, 5.0]];
        let points = SolutionPoints::of(&pairs, [0.0, 1.0]).unwrap();
        assert_eq!(points.rational().map(|p| p.index).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(utilities(points.kalai_smorodinsky), Some([5.0, 3.0]));
    }

    #[test]
    fn where_nothing_is_rational_there_is_no_solution() {
        let points = check(&[[1.0, 0.2], [0.2, 1.0]], [0.5, 0.5], [None; 4]);
        assert_eq!((points.frontier.len(), points.welfare(), points.nash_product()), (2, None, 0.0));
        assert_eq!(check(&[], [0.5, 0.5], [None; 4]).max, [0.5, 0.5]);
    }

    #[test]
    fn where_only_one_party_can_gain_there_is_no_nash_solution_but_the_others_stand() {
        let pair = Some([1.0, 0.5]);
        check(&[[1.0, 0.5], [0.7, 0.5]], [0.5, 0.5], [None, pair, pair, pair]);
        let pair = Some([0.5, 0.5]);
        check(&[[0.5, 0.5]], [0.5, 0.5], [None, pair, pair, pair]);
    }

    #[test]
    fn of_equally_good_outcomes_the_first_party_s_is_taken_and_the_nash_set_holds_all() {
        let pairs = [[0.16, 1.0], [0.3, 0.3], [1.0, 0.16], [1.0, 0.16]];
        let first = Some([1.0, 0.16]);
        let points = check(&pairs, [0.0, 0.0], [first, Some([0.3, 0.3]), Some([0.3, 0.3]), first]);
        assert_eq!(points.nash_set.iter().map(|p| p.index).collect::<Vec<_>>(), [2, 0]);
        assert_eq!(points.distance_to_nash_set([0.16, 0.9]).map(|d| (d * 1e9).round()), Some(1e8));
    }

    #[test]
    fn bargaining_power_moves_the_nash_solution_towards_its_holder() {
        let pairs: Vec<[f64; 2]> = (0..=100).map(|i| [f64::from(i), f64::from(100 - i)]).collect();
        let points = SolutionPoints::of(&pairs, [0.0, 0.0]).unwrap();
        let at = |power: f64| points.weighted_nash_set(power).unwrap()[0].utilities[0];
        // On a linear frontier each party's share of the surplus is its power.
        assert_eq!([0.0, 0.25, 0.5, 0.8, 1.0].map(at), [1.0, 25.0, 50.0, 80.0, 99.0]);
        assert_eq!(points.weighted_nash_set(0.5).unwrap(), points.nash_set);
        // 1^2 * 1 = 0.5^2 * 4: both belong to the set, the larger first utility first.
        let tied = SolutionPoints::of(&[[0.5, 4.0], [0.8, 1.2], [1.0, 1.0]], [0.0, 0.0]).unwrap();
        let set = tied.weighted_nash_set(2.0 / 3.0).unwrap();
        assert_eq!(set.iter().map(|point| point.utilities).collect::<Vec<_>>(), [[1.0, 1.0], [0.5, 4.0]]);
        let error = points.weighted_nash_set(1.5).unwrap_err();
        assert_eq!(error.to_string(), "the first party's bargaining power is 1.5: give a number from 0 to 1");
    }

    #[test]
    fn a_disagreement_point_that_is_not_finite_is_refused() {
        assert!(SolutionPoints::of(&[[1.0, 1.0]], [f64::NAN, 0.0]).is_err());
    }

    /// Multiples of 1/64, so that scaling by powers of two and shifting by integers is exact.
    fn game() -> impl Strategy<Value = (Vec<[f64; 2]>, [f64; 2])> {
        let grid = |n: i32| f64::from(n) / 64.0;
        let pairs = proptest::collection::vec((0..65_i32, 0..65_i32).prop_map(move |(a, b)| [grid(a), grid(b)]), 1..80);
        (pairs, (0..40_i32, 0..40_i32).prop_map(move |(a, b)| [grid(a), grid(b)]))
    }

    fn gains(pair: [f64; 2], d: [f64; 2]) -> [f64; 2] {
        [pair[0] - d[0], pair[1] - d[1]]
    }

    proptest! {
        #[test]
        fn no_rational_outcome_beats_a_solution_by_its_own_rule((pairs, d) in game()) {
            let points = SolutionPoints::of(&pairs, d).unwrap();
            let rational: Vec<[f64; 2]> =
                pairs.iter().map(|&p| gains(p, d)).filter(|g| g[0] >= 0.0 && g[1] >= 0.0).collect();
            let best = rational.iter().fold([0.0; 2], |b: [f64; 2], g| [b[0].max(g[0]), b[1].max(g[1])]);
            let share = |g: f64, b: f64| if b == 0.0 { 1.0 } else { g / b };
            let rules: [(Option<SolutionPoint>, Score<'_>); 4] = [
                (points.nash, &|g| g[0] * g[1]),
                (points.kalai_smorodinsky, &|g| share(g[0], best[0]).min(share(g[1], best[1]))),
                (points.egalitarian, &|g| g[0].min(g[1])),
                (points.utilitarian, &|g| g[0] + g[1]),
            ];
            for (i, (point, score)) in rules.into_iter().enumerate() {
                let largest = rational.iter().map(|&g| score(g)).reduce(f64::max);
                match point {
                    Some(point) => {
                        let chosen = gains(point.utilities, d);
                        prop_assert!(chosen[0] >= 0.0 && chosen[1] >= 0.0);
                        prop_assert!((score(chosen) - largest.unwrap()).abs() <= 1e-12, "rule {}", i);
                        let tied = points.rational().filter(|p| score(gains(p.utilities, d)) == score(chosen));
                        let larger_first = tied.map(|p| p.utilities[0]).reduce(f64::max);
                        prop_assert_eq!(larger_first, Some(point.utilities[0]));
                    }
                    None => prop_assert!(largest.is_none_or(|largest| i == 0 && largest == 0.0), "rule {}", i),
                }
            }
        }

        #[test]
        fn nash_and_kalai_smorodinsky_do_not_depend_on_the_units_of_utility(
            (pairs, d) in game(), e1 in -3..8_i32, e2 in -3..8_i32, s1 in -9..9_i32, s2 in -9..9_i32,
        ) {
            let scale = |e: i32| libm::ldexp(1.0, e);
            let map = |p: [f64; 2]| [p[0] * scale(e1) + f64::from(s1), p[1] * scale(e2) + f64::from(s2)];
            let rescaled: Vec<[f64; 2]> = pairs.iter().map(|&p| map(p)).collect();
            let here = SolutionPoints::of(&pairs, d).unwrap();
            let there = SolutionPoints::of(&rescaled, map(d)).unwrap();
            let index = |p: Option<SolutionPoint>| p.map(|p| p.index);
            prop_assert_eq!(index(here.nash), index(there.nash));
            prop_assert_eq!(here.nash_set.len(), there.nash_set.len());
            prop_assert_eq!(index(here.kalai_smorodinsky), index(there.kalai_smorodinsky));
        }

        #[test]
        fn dropping_what_was_not_chosen_leaves_the_nash_solution((pairs, d) in game(), keep in any::<u64>()) {
            let points = SolutionPoints::of(&pairs, d).unwrap();
            if let Some(nash) = points.nash {
                let kept = |i: usize| keep >> (i % 64) & 1 == 1 || i == nash.index;
                let fewer: Vec<[f64; 2]> = (0..pairs.len()).filter(|&i| kept(i)).map(|i| pairs[i]).collect();
                let again = SolutionPoints::of(&fewer, d).unwrap().nash;
                prop_assert_eq!(utilities(again), Some(nash.utilities));
            }
        }

        #[test]
        fn points_do_not_depend_on_the_order_of_outcomes(
            (pairs, d, shuffled) in game().prop_flat_map(|(p, d)| (Just(p.clone()), Just(d), Just(p).prop_shuffle())),
        ) {
            let all = |list: &[[f64; 2]]| {
                let p = SolutionPoints::of(list, d).unwrap();
                let set: Vec<[f64; 2]> = p.nash_set.iter().map(|point| point.utilities).collect();
                (set, [p.nash, p.kalai_smorodinsky, p.egalitarian, p.utilitarian].map(utilities))
            };
            prop_assert_eq!(all(&pairs), all(&shuffled));
        }
    }
}
