//! Scenarios drawn over older ones are those that are made anew.

use std::sync::Arc;
use zopa_envs::{Scenario, ScenarioSource};
use zopa_scenarios::{SourceOptions, Suite};

#[test]
fn a_refilled_scenario_is_the_one_that_is_made_anew() {
    for name in ["procurement-v1", "payment-terms-v1", "mandate-v1"] {
        let suite = Arc::new(Suite::open(name).expect("the suite is built in"));
        let source = suite.source(&SourceOptions::default()).expect("the default split exists");
        let mut scenario = source.scenario(0);
        for index in 0..200 {
            source.refill(index, &mut scenario);
            let fresh = source.scenario(index);
            assert_eq!(scenario.public, fresh.public);
            assert_eq!(scenario.types, fresh.types);
            assert_eq!(scenario.mandates, fresh.mandates);
            assert_eq!(scenario.break_off, fresh.break_off);
            let policy = |scenario: &Scenario| scenario.counterpart.as_ref().map(|side| side.policy.clone());
            assert_eq!(policy(&scenario), policy(&fresh));
        }
    }
}
