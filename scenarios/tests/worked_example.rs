//! The worked example of the design, by its two suites.

use std::sync::Arc;
use zopa_envs::attainable::Attainable;
use zopa_envs::solution::PriceBargain;
use zopa_envs::{Offer, Scenario, ScenarioSource};
use zopa_scenarios::{SourceOptions, Suite};

/// Payment after 10 days, the alternative to the status quo's 60.
const AT_10_DAYS: u32 = 0;

fn scenario(name: &str) -> Scenario {
    let suite = Arc::new(Suite::open(name).unwrap_or_else(|error| panic!("{error}")));
    suite.source(&SourceOptions::default()).expect("every suite has its default split").scenario(0)
}

fn bargain(scenario: &Scenario) -> PriceBargain {
    let terms = Offer::new(&[0, AT_10_DAYS]);
    let [(buyer, a), (supplier, b)] = [0, 1].map(|seat| {
        let party = &scenario.types[seat];
        let (rest, slope) = party.utility.line(&terms).expect("utilities are money");
        (rest - party.disagreement, slope)
    });
    PriceBargain::new(buyer, -a, -supplier, b).expect("slopes are positive")
}

/// The offer of `price` cents at 10 days.
fn at(scenario: &Scenario, cents: i64) -> Offer {
    let price = zopa_envs::Value::Money(zopa_envs::Money(cents));
    Offer::new(&[scenario.public.space.issues()[0].index_of(&price).expect("the price is on the grid"), AT_10_DAYS])
}

fn gains(scenario: &Scenario, cents: i64) -> [f64; 2] {
    let offer = at(scenario, cents);
    [scenario.types[0].gain(&offer), scenario.types[1].gain(&offer)]
}

fn near(actual: [f64; 2], expected: [f64; 2], within: f64) {
    for (actual, expected) in actual.into_iter().zip(expected) {
        assert!((actual - expected).abs() <= within, "{actual} is not {expected}");
    }
}

#[test]
fn fixed_amounts_give_98_250_at_10_days_and_1_250_each() {
    let scenario = scenario("worked-example-v1");
    let status_quo = scenario.public.status_quo.clone().unwrap();
    assert_eq!(scenario.public.space.text(&status_quo), "price $100,000, payment 60 days");
    assert_eq!(scenario.types.each_ref().map(|party| party.gain(&status_quo)), [0.0, 0.0]);
    near(gains(&scenario, 9_800_000), [1_500.0, 1_000.0], 1e-9);
    assert!((bargain(&scenario).nash().unwrap() - 98_250.0).abs() < 1e-9);
    near(gains(&scenario, 9_825_000), [1_250.0, 1_250.0], 1e-9);
    let attainable = Attainable::of(&scenario).unwrap();
    assert!((attainable.best_joint - 2_500.0).abs() < 1e-9);
    assert_eq!(attainable.nash_set.len(), 1);
    near(attainable.nash_set[0], [1_250.0, 1_250.0], 1e-9);
}

#[test]
fn yearly_rates_give_98_261_04_and_gains_of_1_237_62_and_1_269_04() {
    let scenario = scenario("worked-example-rate-v1");
    near(gains(&scenario, 9_800_000), [1_500.0, 1_000.0], 1e-6);
    assert!((bargain(&scenario).nash().unwrap() - 98_261.04).abs() < 0.005);
    near(gains(&scenario, 9_826_104), [1_237.62, 1_269.04], 0.01);
    let attainable = Attainable::of(&scenario).unwrap();
    // Prices go by the cent here, so the neighbours of the best one may tie within rounding.
    assert!(!attainable.nash_set.is_empty());
    for &point in &attainable.nash_set {
        near(point, [1_237.62, 1_269.04], 0.02);
    }
}
