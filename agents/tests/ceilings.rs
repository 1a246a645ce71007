//! What the ceilings promise.

mod suite_games;

use std::sync::Arc;
use suite_games::{finish, key, player, scenarios};
use zopa_agents::build;
use zopa_envs::counterpart::{
    Behaviour, Course, Desperate, Ear, Listening, Patient, Policy, Reneging, Stochastic, Strategic,
};
use zopa_envs::tactic::Selection;
use zopa_envs::{Counterpart, Scenario, ScenarioSource, phase};
use zopa_scenarios::{Opponent, SourceOptions, Suite};

/// What `id` can expect in the scenario, as a share of its yardstick: its gain discounted and times the chance that the
/// hazard has not struck before; the drawn break-off is left out.
fn expected(scenario: &Scenario, id: &str, seed: u64) -> f64 {
    let scenario = Scenario { break_off: None, ..scenario.clone() };
    let seat = scenario.seat;
    let game = finish(scenario, &mut build(id).unwrap(), seed, &mut ());
    let outcome = game.outcome().unwrap();
    let (public, own) = (&game.scenario().public, &game.scenario().types[seat.index()]);
    let gain = outcome.agreement().map_or(0.0, |deal| own.gain(deal));
    let t = phase::progress(outcome.round, public.rounds);
    gain * public.discount_at(seat, t) * libm::pow(1.0 - public.hazard, f64::from(outcome.round)) / own.yardstick
}

/// The 95 % interval of the mean of paired differences, by the normal approximation.
fn interval(differences: &[f64]) -> [f64; 2] {
    let n = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / n;
    let variance = differences.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / (n - 1.0);
    let half = 1.96 * (variance / n).sqrt();
    [mean - half, mean + half]
}

/// Shares of the yardstick that the price grid and the sampling of frontiers may hide: a thousandth.
const SLACK: f64 = 1e-3;

#[test]
fn on_every_training_family_nobody_can_expect_more_than_the_best_response() {
    for suite in ["payment-terms-v1", "procurement-v1"] {
        let suite = Arc::new(Suite::open(suite).unwrap());
        for family in suite.families() {
            let opponent = Opponent::Family(family.name.to_string());
            let source = suite.source(&SourceOptions { opponent, ..SourceOptions::default() }).unwrap();
            let scenarios: Vec<Scenario> = (0..24).map(|index| source.scenario(index)).collect();
            let ceiling: Vec<f64> = scenarios.iter().map(|scenario| expected(scenario, "best-response", 1)).collect();
            for id in ["oracle", "boulware", "linear", "conceder", "micro", "rule-tree", "stall-repeating"] {
                let others = scenarios.iter().map(|scenario| expected(scenario, id, 1));
                let differences: Vec<f64> = ceiling.iter().zip(others).map(|(best, other)| best - other).collect();
                let [low, high] = interval(&differences);
                let place = format!("{id} against {} in {}: {low:.4} to {high:.4}", family.name, suite.name());
                if &*family.name != "random" {
                    assert!(low >= -SLACK, "{place}");
                } else if id != "oracle" {
                    // Luck makes single games differ; the oracle knows even the other side's random numbers.
                    assert!(high >= 0.0, "{place}");
                }
            }
        }
    }
}

/// Counterparts whose course a behaviour steers, by name; whether chance plays a part.
fn steered() -> Vec<(&'static str, bool, Behaviour)> {
    let listening = |ear| Behaviour::Listening(Listening::new(ear, [0.7, 1.5], 0.02, 0.3));
    vec![
        ("steady", false, Behaviour::Steady),
        ("strategic", false, Behaviour::Strategic(Strategic::new(0.01, 0.5, 2))),
        ("stochastic", true, Behaviour::Stochastic(Stochastic { take: 0.7, stray: 0.1, slack: 0.01 })),
        ("reneging", true, Behaviour::Reneging(Reneging { chance: 0.2, retreat: 0.1 })),
        ("patient", false, Behaviour::Patient(Patient { hold: 0.4 })),
        ("desperate", false, Behaviour::Desperate(Desperate { impatience: 0.8 })),
        ("reasoned", false, listening(Ear::Reasoned)),
        ("reciprocal", false, listening(Ear::Reciprocal)),
        ("suspicious", false, listening(Ear::Suspicious)),
    ]
}

#[test]
fn who_steers_by_what_it_sees_or_hears_yields_most_to_the_best_response() {
    for (name, chance, behaviour) in steered() {
        let games: Vec<Scenario> = scenarios("payment-terms-v1", 16)
            .enumerate()
            .map(|(index, mut scenario)| {
                let course = Course::new(1.0, [0.08, 0.005], 0.2, 0.005, Selection::TakeOver);
                let policy = Policy::Conceding { course, behaviour: behaviour.clone() };
                scenario.counterpart = Some(Counterpart::new(name.into(), policy, key(index as u64).lazy(0)));
                scenario.public.speech = true;
                scenario
            })
            .collect();
        let ceiling: Vec<f64> = games.iter().map(|scenario| expected(scenario, "best-response", 1)).collect();
        for id in ["oracle", "boulware", "linear", "conceder", "stall-repeating"] {
            let others = games.iter().map(|scenario| expected(scenario, id, 1));
            let differences: Vec<f64> = ceiling.iter().zip(others).map(|(best, other)| best - other).collect();
            let [low, high] = interval(&differences);
            if chance && id == "oracle" {
                continue;
            }
            let held = if chance { high >= 0.0 } else { low >= -SLACK };
            assert!(held, "{id} against {name}: {low:.4} to {high:.4}");
        }
    }
}

#[test]
fn the_best_response_plans_without_the_other_sides_random_numbers() {
    let another = |scenario: &Scenario| {
        let mut scenario = scenario.clone();
        if let Some(counterpart) = &mut scenario.counterpart {
            counterpart.stream = key(99).lazy(3);
        }
        scenario
    };
    for scenario in scenarios("procurement-v1", 40) {
        let seat = scenario.seat;
        let first = |scenario: Scenario| {
            let game = finish(scenario, &mut player("best-response"), 1, &mut ());
            game.history().iter().find(|made| made.seat == seat).cloned()
        };
        // Who moves first has seen nothing of the other side's luck.
        if scenario.public.opener == seat {
            assert_eq!(first(scenario.clone()), first(another(&scenario)));
        }
    }
}

#[test]
fn the_best_response_keeps_to_guardrails_and_mandate_by_itself() {
    for suite in ["procurement-v1", "payment-terms-v1", "worked-example-v1"] {
        for scenario in scenarios(suite, 20) {
            let seat = scenario.seat;
            let game = finish(scenario, &mut player("best-response"), 5, &mut ());
            let conduct = game.conduct(seat);
            assert_eq!(conduct.guardrail_violations() + conduct.refused + conduct.loss_attempted, 0, "{conduct:?}");
        }
    }
}
