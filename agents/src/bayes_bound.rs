//! The Bayesian best response from above: what no plan can expect to exceed that does not know how long the other side stays.
//!
//! Who concedes by the clock asks for the same whatever is done, so that only when to close is open. The bound reveals the course of
//! what is asked for, in prices, and what every other term is worth to the other side; hidden stays what the course does not tell:
//! how it splits into disagreement value and aspirations, and the private deadline. So less is hidden than from
//! [`BayesBestResponse`](crate::bayes_best_response::BayesBestResponse), and what is expected with more information is no less
//! (information relaxation: Brown, Smith and Sun 2010). Given the course the belief over deadlines is exact, and nothing but the
//! other side's staying is seen later, so backward induction over rounds is exact too. Guardrails are left out, which also raises it.

use crate::joint::JointPackages;
use zopa_envs::counterpart::Policy;
use zopa_envs::phase::progress;
use zopa_envs::{CommonPrior, Distribution, Scenario, Tactic};

/// Points of a deadline's distribution, in equal parts of probability.
const POINTS: u32 = 1_200;

/// The bound for the agent's seat in this scenario, in units of its utility, hazard and discount counted, and the drawn break-off left
/// out; its mean over scenarios is what the mean of any plan's expected gains stays below. `None` where the other side does not concede
/// by the clock alone, its family is not published, or the published distributions are not uniform.
#[must_use]
pub fn bayes_bound(scenario: &Scenario) -> Option<f64> {
    let course = Course::of(scenario)?;
    let (public, seat) = (&scenario.public, scenario.seat);
    let stays = course.stays(scenario)?;
    let (own, other) = (&scenario.types[seat.index()], &scenario.types[seat.other().index()]);
    let joint = JointPackages::new(public, seat, own, other, &scenario.mandates[seat.index()]);
    let gains = (0..public.rounds).map(|round| {
        let offer = joint.best_leaving(course.asked(round))?;
        Some(own.gain(&offer) * public.discount_at(seat, progress(round, public.rounds).min(1.0)))
    });
    let gains: Vec<f64> = gains.map(|gain| gain.unwrap_or(0.0).max(0.0)).collect();
    Some(if public.opener == seat {
        induct_opening(&gains, &stays, public.hazard)
    } else {
        induct_answering(&gains, &stays, public.hazard)
    })
}

/// What is asked for by the clock: the other side's gain in round n is `first - slope * n^power`, in units of its utility. A deadline
/// of its own is part of the slope.
struct Course<'a> {
    first: f64,
    slope: f64,
    power: f64,
    /// First and last aspiration as drawn, in shares of the yardstick; `None` where they are one number.
    aspirations: Option<[(f64, f64); 2]>,
    /// The published distribution of the private deadline; `None` where the family has none.
    deadline: Option<&'a Distribution>,
}

impl<'a> Course<'a> {
    fn of(scenario: &'a Scenario) -> Option<Self> {
        let other = &scenario.types[scenario.seat.other().index()];
        let counterpart = scenario.counterpart.as_ref()?;
        let notice = scenario.public.families.iter().find(|notice| notice.name == counterpart.family)?;
        let deadline = notice.numbers.parameter("deadline");
        match &counterpart.policy {
            Policy::Tactic(Tactic::TimeDependent(tactic)) => {
                let rounds = other.stays_for(scenario.public.rounds);
                let power = 1.0 / tactic.exponent;
                let turns = libm::pow(f64::from(rounds.checked_sub(1).filter(|turns| *turns > 0)?), power);
                let drawn = |name: &str| notice.numbers.parameter(name).and_then(uniform);
                Some(Self {
                    first: tactic.initial * other.yardstick,
                    slope: (tactic.initial - tactic.last) * other.yardstick / turns,
                    power,
                    aspirations: Some([drawn("initial")?, drawn("last")?]),
                    deadline,
                })
            }
            Policy::Tactic(Tactic::Hardliner(tactic)) => Some(Self {
                first: tactic.demand * other.yardstick,
                slope: 0.0,
                power: 1.0,
                aspirations: None,
                deadline,
            }),
            _ => None,
        }
    }

    /// What is asked for in a round, in units of the true type's utility; below 0 only where the true one has left by then.
    fn asked(&self, round: u16) -> f64 {
        self.first - self.slope * libm::pow(f64::from(round), self.power)
    }

    /// The chance, by round, that the other side still moves in it, given the course; certain where the family has no deadline.
    fn stays(&self, scenario: &Scenario) -> Option<Vec<f64>> {
        let rounds = usize::from(scenario.public.rounds);
        let Some(deadline) = self.deadline else { return Some(vec![1.0; rounds]) };
        let mut weights = vec![0.0; rounds + 1];
        for point in 0..POINTS {
            let drawn = deadline.quantile((f64::from(point) + 0.5) / f64::from(POINTS)) + 0.5;
            weights[(drawn as usize).min(rounds)] += 1.0;
        }
        for (deadline, weight) in weights.iter_mut().enumerate().filter(|(_, weight)| **weight > 0.0) {
            *weight *= self.density(scenario, deadline)?;
        }
        let total: f64 = weights.iter().sum();
        let left = |round: usize| weights[..=round].iter().sum::<f64>() / total;
        (total > 0.0).then(|| (0..rounds).map(|round| 1.0 - left(round)).collect())
    }

    /// The density of this course with a deadline, up to a factor. In shares of the status quo's price it begins at `y (1 + s a)` and
    /// ends at `y (1 + s b)`, with the reservation price y, the aspirations a and b, and s = 1 for who receives the price and -1 for
    /// who pays it. All three are uniform, so it is the integral of `turns^power / y^2` over the y that both aspirations allow.
    fn density(&self, scenario: &Scenario, deadline: usize) -> Option<f64> {
        let Some([initial, last]) = self.aspirations else { return Some(1.0) };
        let (public, seat) = (&scenario.public, scenario.seat.other());
        let CommonPrior::Parties(priors) = &public.prior else { return None };
        let (unit, sign) = (public.status_quo_price()?, if seat == zopa_envs::Seat::Supplier { 1.0 } else { -1.0 });
        let (low, high) = uniform(&priors[seat.index()].disagreement)?;
        let turns = libm::pow(deadline.saturating_sub(1) as f64, self.power);
        let begins = (scenario.types[seat.index()].yardstick + sign * self.first) / unit;
        let ends = begins - sign * self.slope * turns / unit;
        let mut range = sorted(1.0 + sign * low, 1.0 + sign * high);
        for (price, (least, most)) in [(begins, initial), (ends, last)] {
            let allowed = sorted(price / (1.0 + sign * least), price / (1.0 + sign * most));
            range = [range[0].max(allowed[0]), range[1].min(allowed[1])];
        }
        Some(if range[0] < range[1] { turns * (1.0 / range[0] - 1.0 / range[1]) } else { 0.0 })
    }
}

fn sorted(one: f64, other: f64) -> [f64; 2] {
    [one.min(other), one.max(other)]
}

/// The ends of a uniform distribution.
fn uniform(distribution: &Distribution) -> Option<(f64, f64)> {
    match *distribution {
        Distribution::Uniform { low, high } => Some((low, high)),
        _ => None,
    }
}

/// The chance of a move in `round` after one in the round before.
fn stays_on(stays: &[f64], round: usize) -> f64 {
    let before = if round == 0 { 1.0 } else { stays[round - 1] };
    if before > 0.0 { stays[round] / before } else { 0.0 }
}

/// Who opens: in each round it takes what stands from the round before, offers what is asked for in this one, or waits.
fn induct_opening(gains: &[f64], stays: &[f64], hazard: f64) -> f64 {
    let mut ahead = 0.0;
    for round in (0..gains.len()).rev() {
        let taken = if round == 0 { 0.0 } else { gains[round - 1] };
        let on = stays_on(stays, round);
        ahead = f64::max(taken, on * f64::max(gains[round], (1.0 - hazard) * ahead));
    }
    ahead
}

/// Who answers: in each round that the other side stays for it takes what is asked for, or waits.
fn induct_answering(gains: &[f64], stays: &[f64], hazard: f64) -> f64 {
    let mut ahead = 0.0;
    for round in (0..gains.len()).rev() {
        ahead = stays_on(stays, round) * f64::max(gains[round], (1.0 - hazard) * ahead);
    }
    ahead
}

#[cfg(test)]
mod tests {
    use super::{Course, bayes_bound, induct_answering, induct_opening};
    use std::sync::Arc;
    use zopa_envs::random::StreamKey;
    use zopa_envs::{Scenario, ScenarioSource};
    use zopa_scenarios::{Opponent, SourceOptions, Suite};

    fn scenarios(suite: &str, family: &str, count: u64) -> Vec<Scenario> {
        let opponent = Opponent::Family(family.into());
        let suite = Arc::new(Suite::open(suite).unwrap());
        let source = suite.source(&SourceOptions { opponent, ..SourceOptions::default() }).unwrap();
        (0..count).map(|index| source.scenario(index)).collect()
    }

    #[test]
    fn backward_induction_is_the_best_of_all_rounds_to_close_in() {
        let mut stream = StreamKey::new("bound", &[]).stream(0);
        for rounds in 1..=7 {
            for _ in 0..50 {
                let gains: Vec<f64> = (0..rounds).map(|_| stream.uniform()).collect();
                let mut stays: Vec<f64> = (0..rounds).map(|_| stream.uniform()).collect();
                stays.sort_by(|a, b| b.total_cmp(a));
                let hazard = 0.2 * stream.uniform();
                let survives = |round: usize| (0..round).fold(1.0, |chance, _| chance * (1.0 - hazard));
                let offering = |round: usize| survives(round) * stays[round] * gains[round];
                // What stood before may be taken later, whether or not the other side is gone by then.
                let taking = |round: usize| survives(round + 1) * stays[round] * gains[round];
                let best = |plan: &dyn Fn(usize) -> f64, upto: usize| (0..upto).map(plan).fold(0.0, f64::max);
                let answering = best(&offering, rounds);
                let opening = answering.max(best(&taking, rounds - 1));
                assert!((induct_answering(&gains, &stays, hazard) - answering).abs() < 1e-12);
                assert!((induct_opening(&gains, &stays, hazard) - opening).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn given_the_course_deadlines_come_as_often_as_believed() {
        for family in ["boulware", "linear", "conceder", "hardliner"] {
            let (mut believed, mut square, mut came, mut count) = (0.0, 0.0, 0.0, 0.0);
            for scenario in scenarios("payment-terms-v1", family, 1_500) {
                let course = Course::of(&scenario).unwrap();
                let stays = course.stays(&scenario).unwrap();
                let deadline = scenario.types[scenario.seat.other().index()].deadline.unwrap();
                assert!(stays[usize::from(deadline) - 1] > 0.0, "{family}: the truth is possible");
                let asks = |round: u16| course.asked(round);
                let last = asks(deadline - 1);
                assert!(last > 0.0 && asks(0) >= last, "{family}: its own course is one of gains");
                for round in [14, 16, 18] {
                    let chance = stays[round];
                    believed += chance;
                    square += chance * (1.0 - chance);
                    came += f64::from(u8::from(usize::from(deadline) > round));
                    count += 1.0;
                }
            }
            // Rounds of a scenario go together: three times the variance of independent ones covers that.
            let spread = (3.0 * f64::max(square, 1.0)).sqrt();
            assert!(
                (believed - came).abs() < 3.0 * spread,
                "{family}: {believed:.0} believed, {came:.0} came of {count}"
            );
        }
    }

    #[test]
    fn it_is_none_where_the_other_side_answers_what_it_sees() {
        for family in ["relative-tit-for-tat", "micro", "random"] {
            assert!(scenarios("payment-terms-v1", family, 4).iter().all(|scenario| bayes_bound(scenario).is_none()));
        }
        assert!(scenarios("procurement-v1", "conceder", 4).iter().all(|scenario| bayes_bound(scenario).is_some()));
    }
}
