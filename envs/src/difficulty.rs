//! How hard a scenario is for the agent at its seat: one published formula over all that is hidden in it.
//!
//! It looks at the scenario alone, never at how anybody fared in it, so that it can be frozen with a suite's version.

use crate::attainable::Attainable;
use crate::counterpart::{Behaviour, Counterpart, Policy};
use crate::issue::IssueRole;
use crate::party::Seat;
use crate::scenario::Scenario;
use crate::tactic::Tactic;
use serde::{Deserialize, Serialize};

/// The joint gain, as a share of the status quo's price, at which a zone counts as half narrow.
pub const HALF_GAIN: f64 = 0.05;

/// The expected number of rounds at which time counts as half short.
pub const HALF_ROUNDS: f64 = 10.0;

/// What [`Difficulty::stubbornness`] is where an agent sits on the other side: nobody's formula knows its aspirations.
pub const UNKNOWN_STUBBORNNESS: f64 = 0.5;

/// The four parts of a scenario's difficulty, each in `[0, 1]` without a unit; 1 is hardest.
///
/// Let J be the largest joint gain of the scenario, P the status quo's price (both in major units) and W the width of the
/// zone of possible agreement at the status quo's other terms (in major units, 0 where it is empty). The formula is ours;
/// that a narrow zone, several issues, tough opponents and a near deadline make a negotiation hard is common ground of the
/// field (Raiffa 1982; Fatima, Wooldridge and Jennings 2004).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difficulty {
    /// `h / (h + J / P)` with h = [`HALF_GAIN`]: how little there is to find.
    pub narrowness: f64,
    /// `1 - min(W, J) / J`: how much of it no price alone reaches.
    pub beyond_price: f64,
    /// `min(1, a / J)`: how much of it the counterpart asks for on average, where a is its aspiration's mean over its
    /// course in major units (see [`mean_aspiration`]).
    pub stubbornness: f64,
    /// `h / (h + E)` with h = [`HALF_ROUNDS`]: how little time there is, where E is the expected number of rounds up to the
    /// break-off, the deadline or the counterpart's own deadline: `(1 - (1 - hazard)^R) / hazard`.
    pub haste: f64,
}

impl Difficulty {
    /// The difficulty of `scenario` for the agent at its seat, `attainable` being what is attainable in it.
    ///
    /// `None` where nothing can be agreed, since declining is no harder in one such scenario than in another, and in domains
    /// without a price and a status quo, which have no scale in common.
    #[must_use]
    pub fn of(scenario: &Scenario, attainable: &Attainable) -> Option<Self> {
        let scale = scenario.public.status_quo_price()?;
        let joint = attainable.best_joint;
        if !attainable.feasible || joint <= 0.0 {
            return None;
        }
        let other = &scenario.types[scenario.seat.other().index()];
        let stubbornness = scenario.counterpart.as_ref().map_or(UNKNOWN_STUBBORNNESS, |counterpart| {
            (mean_aspiration(counterpart) * other.yardstick / joint).clamp(0.0, 1.0)
        });
        let rounds = other.deadline.map_or(scenario.public.rounds, |own| own.min(scenario.public.rounds));
        Some(Self {
            narrowness: HALF_GAIN / (HALF_GAIN + joint / scale),
            beyond_price: 1.0 - zone_at_status_quo(scenario)?.clamp(0.0, joint) / joint,
            stubbornness,
            haste: HALF_ROUNDS / (HALF_ROUNDS + expected_rounds(scenario.public.hazard, rounds)),
        })
    }

    /// The mean of the four parts.
    #[must_use]
    pub fn value(&self) -> f64 {
        (self.narrowness + self.beyond_price + self.stubbornness + self.haste) / 4.0
    }

    /// The fifth of its suite's scenarios that a difficulty lies in, from 1 (easiest) to 5: one more than the number of the
    /// suite's cut-offs (ascending) that it exceeds.
    #[must_use]
    pub fn quintile(&self, cutoffs: &[f64; 4]) -> u8 {
        1 + cutoffs.iter().filter(|cutoff| self.value() > **cutoff).count() as u8
    }
}

/// A graded scenario, as records hold it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grade {
    /// [`Difficulty::value`], in `[0, 1]`.
    pub difficulty: f64,
    /// [`Difficulty::quintile`] by the cut-offs of the suite's version, from 1 to 5.
    pub quintile: u8,
}

/// What a counterpart asks for on the way from its first to its last turn, on average, as a share of its yardstick.
///
/// Along the curve `last + (initial - last) * (1 - c^(1/e))` with c from 0 to 1 that is `last + (initial - last) / (1 + e)`. Who
/// answers concessions rather than the clock is taken to concede evenly (e = 1), a hardliner asks for its demand
/// throughout, and who offers at random for its least. A patient counterpart asks for its first aspiration as long as it
/// waits; a desperate one takes its impatience's share.
#[must_use]
pub fn mean_aspiration(counterpart: &Counterpart) -> f64 {
    let along = |initial: f64, last: f64, exponent: f64| last + (initial - last) / (1.0 + exponent);
    match &counterpart.policy {
        Policy::Tactic(tactic) => match tactic {
            Tactic::TimeDependent(tactic) => along(tactic.initial, tactic.last, tactic.exponent),
            Tactic::Hardliner(tactic) => tactic.demand,
            Tactic::RelativeTitForTat(tactic) => along(tactic.initial, tactic.last, 1.0),
            Tactic::AbsoluteTitForTat(tactic) => along(tactic.initial, tactic.last, 1.0),
            Tactic::AveragedTitForTat(tactic) => along(tactic.initial, tactic.last, 1.0),
            Tactic::Micro(tactic) => along(tactic.initial, tactic.last, 1.0),
            Tactic::Random(tactic) => tactic.least,
        },
        Policy::Conceding { course, behaviour } => {
            let steady = along(course.initial, course.last, course.exponent);
            match behaviour {
                Behaviour::Patient(patient) => patient.hold * course.initial + (1.0 - patient.hold) * steady,
                Behaviour::Desperate(desperate) => desperate.impatience * steady,
                Behaviour::Steady
                | Behaviour::Strategic(_)
                | Behaviour::Stochastic(_)
                | Behaviour::Reneging(_)
                | Behaviour::Listening(_) => steady,
            }
        }
    }
}

/// Width of the zone of possible agreement at the status quo's other terms, in major units; negative where there is none.
/// Prices are taken as continuous, within the ends of their grid.
fn zone_at_status_quo(scenario: &Scenario) -> Option<f64> {
    let space = &scenario.public.space;
    let issue = &space.issues()[space.role(IssueRole::Price)?];
    let (lowest, highest) = (issue.number(0)?, issue.number(issue.len() - 1)?);
    let status_quo = scenario.public.status_quo.as_ref()?;
    let [buyer, supplier] = Seat::BOTH.map(|seat| {
        let party = &scenario.types[seat.index()];
        party.utility.line(status_quo).map(|(rest, slope)| (party.disagreement - rest) / slope)
    });
    Some(buyer?.min(highest) - supplier?.max(lowest))
}

/// Rounds that are begun on average, of `rounds` at most, where each but the last breaks off with chance `hazard`.
fn expected_rounds(hazard: f64, rounds: u16) -> f64 {
    if hazard == 0.0 {
        return f64::from(rounds);
    }
    (1.0 - libm::pow(1.0 - hazard, f64::from(rounds))) / hazard
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counterpart::{Course, Desperate, Patient};
    use crate::random::StreamKey;
    use crate::tactic::{Hardliner, Selection, TimeDependent};

    fn counterpart(policy: impl Into<Policy>) -> Counterpart {
        Counterpart::new("made-up".into(), policy, StreamKey::new("test", &[b"difficulty"]).lazy(0))
    }

    #[test]
    fn the_mean_aspiration_is_that_of_the_curve() {
        let tactic = |exponent| TimeDependent { exponent, initial: 0.2, last: 0.02, selection: Selection::default() };
        for exponent in [0.3, 1.0, 3.0] {
            let tactic = tactic(exponent);
            let steps = 200_000;
            let sum: f64 =
                (0..steps).map(|step| tactic.aspiration((f64::from(step) + 0.5) / f64::from(steps), 1.0)).sum();
            let mean = mean_aspiration(&counterpart(Tactic::TimeDependent(tactic)));
            assert!((sum / f64::from(steps) - mean).abs() < 1e-4, "{exponent}: {mean}");
        }
        let hard = Hardliner { demand: 0.03, selection: Selection::default() };
        assert_eq!(mean_aspiration(&counterpart(Tactic::Hardliner(hard))), 0.03);
    }

    #[test]
    fn who_waits_asks_for_more_and_who_hurries_for_less() {
        let of = |behaviour: Behaviour| {
            let course = Course::new(1.0, [0.2, 0.02], 0.2, 0.002, Selection::default());
            mean_aspiration(&counterpart(Policy::Conceding { course, behaviour }))
        };
        assert!((of(Behaviour::Steady) - 0.11).abs() < 1e-12);
        assert!((of(Behaviour::Patient(Patient { hold: 0.5 })) - 0.155).abs() < 1e-12);
        assert!((of(Behaviour::Desperate(Desperate { impatience: 0.5 })) - 0.055).abs() < 1e-12);
    }

    #[test]
    fn expected_rounds_are_the_sum_of_survivals() {
        assert_eq!(expected_rounds(0.0, 20), 20.0);
        let survivals = std::iter::successors(Some(1.0), |survival| Some(survival * 0.98));
        let sum: f64 = survivals.take(20).sum();
        assert!((expected_rounds(0.02, 20) - sum).abs() < 1e-12);
    }

    #[test]
    fn a_quintile_counts_the_cut_offs_that_the_mean_of_the_parts_exceeds() {
        let difficulty = Difficulty { narrowness: 0.5, beyond_price: 1.0, stubbornness: 0.25, haste: 0.25 };
        assert_eq!(difficulty.value(), 0.5);
        assert_eq!(difficulty.quintile(&[0.1, 0.2, 0.3, 0.4]), 5);
        assert_eq!(difficulty.quintile(&[0.5, 0.6, 0.7, 0.8]), 1);
        assert_eq!(difficulty.quintile(&[0.2, 0.49, 0.7, 0.8]), 3);
    }
}
