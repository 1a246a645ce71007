//! The formula of difficulty on the suites' scenarios.

use std::sync::Arc;
use zopa_envs::{Attainable, Difficulty, Scenario, ScenarioSource};
use zopa_scenarios::{Opponent, SourceOptions, Suite};

fn scenarios(name: &str, opponent: Opponent, episodes: u64) -> Vec<Scenario> {
    let suite = Arc::new(Suite::open(name).unwrap_or_else(|error| panic!("{error}")));
    let source = suite.source(&SourceOptions { opponent, ..SourceOptions::default() }).unwrap();
    (0..episodes).map(|index| source.scenario(index)).collect()
}

fn difficulty(scenario: &Scenario) -> Option<Difficulty> {
    Difficulty::of(scenario, &Attainable::of(scenario).unwrap())
}

/// J = 2,500 and P = 100,000: 0.05 / 0.075. No price alone leaves anybody better off: 1. An aspiration from 2 % to 0.1 % of
/// 100,000 asks for 1,050 on average: 0.42 of J. 20 rounds without a hazard: 10 / 30. The mean is 0.605.
#[test]
fn the_worked_example_is_as_hard_as_worked_out_by_hand() {
    for scenario in scenarios("worked-example-v1", Opponent::Mix, 2) {
        let found = difficulty(&scenario).unwrap();
        let parts = [found.narrowness, found.beyond_price, found.stubbornness, found.haste];
        for (part, expected) in parts.into_iter().zip([2.0 / 3.0, 1.0, 0.42, 1.0 / 3.0]) {
            assert!((part - expected).abs() < 1e-9, "{found:?}");
        }
        assert!((found.value() - 0.605).abs() < 1e-9);
    }
}

#[test]
fn every_part_lies_from_0_to_1_and_only_what_can_be_agreed_is_graded() {
    for name in Suite::names() {
        let (mut graded, mut ungraded) = (0, 0);
        for scenario in scenarios(name, Opponent::Mix, 300) {
            let feasible = Attainable::of(&scenario).unwrap().feasible;
            let Some(found) = difficulty(&scenario) else {
                assert!(!feasible, "{name}");
                ungraded += 1;
                continue;
            };
            assert!(feasible, "{name}");
            for part in [found.narrowness, found.beyond_price, found.stubbornness, found.haste, found.value()] {
                assert!((0.0..=1.0).contains(&part), "{name}: {found:?}");
            }
            graded += 1;
        }
        assert!(graded > 150 && (ungraded > 0 || name.starts_with("worked")), "{name}: {graded} and {ungraded}");
    }
}

#[test]
fn an_agent_opposite_counts_as_half_stubborn() {
    for scenario in scenarios("procurement-v1", Opponent::Agent("nash".into()), 50) {
        if let Some(found) = difficulty(&scenario) {
            assert_eq!(found.stubbornness, 0.5);
        }
    }
}

#[test]
fn a_counterpart_with_an_earlier_deadline_of_its_own_makes_a_scenario_harder() {
    let mut seen = 0;
    for mut scenario in scenarios("counterparts-v1", Opponent::Mix, 400) {
        let other = scenario.seat.other().index();
        if scenario.types[other].deadline.is_none() {
            continue;
        }
        let Some(with) = difficulty(&scenario) else { continue };
        scenario.types[other].deadline = None;
        let without = difficulty(&scenario).unwrap();
        assert!(with.haste >= without.haste && with.value() >= without.value());
        seen += u32::from(with.haste > without.haste);
    }
    assert!(seen > 20, "{seen}");
}
