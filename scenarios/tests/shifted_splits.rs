//! Shifted splits draw from elsewhere than they tell, and from nothing but their reference's random numbers.

use std::sync::Arc;
use zopa_envs::{CommonPrior, Distribution, Scenario, ScenarioSource};
use zopa_scenarios::suite::policy_template::{CourseTemplate, PolicyTemplate};
use zopa_scenarios::suite::tactic_template::TacticTemplate;
use zopa_scenarios::{Opponent, SourceOptions, Suite, SuiteSource};

const SUITE: &str = "generalisation-v1";

fn suite() -> Arc<Suite> {
    Arc::new(Suite::open(SUITE).unwrap_or_else(|error| panic!("{error}")))
}

fn split(name: &str) -> SuiteSource {
    suite().source(&SourceOptions { split: Some(name.to_owned()), ..SourceOptions::default() }).unwrap()
}

/// What contenders are told of types and counterparts.
fn told(scenario: &Scenario) -> String {
    format!("{:?} {:?}", scenario.public.prior, scenario.public.families)
}

fn distributions(template: &PolicyTemplate) -> Vec<Distribution> {
    use TacticTemplate as T;
    let tactic = match template {
        PolicyTemplate::Tactic(tactic) => tactic,
        PolicyTemplate::Conceding { course, .. } => {
            let CourseTemplate { exponent, initial, last, standstill, pace, .. } = course;
            return vec![*exponent, *initial, *last, *standstill, *pace];
        }
    };
    match tactic {
        T::TimeDependent { exponent, initial, last, .. } => vec![*exponent, *initial, *last],
        T::Hardliner { demand, .. } => vec![*demand],
        T::RelativeTitForTat { initial, last, lag, .. } | T::AbsoluteTitForTat { initial, last, lag, .. } => {
            vec![*initial, *last, *lag]
        }
        T::AveragedTitForTat { initial, last, window, .. } => vec![*initial, *last, *window],
        T::Micro { initial, last, rung, .. } => vec![*initial, *last, *rung],
        T::Random { least } => vec![*least],
    }
}

fn apart(one: &Distribution, other: &Distribution) -> bool {
    let ((low, high), (least, most)) = (one.support(), other.support());
    high < least || most < low
}

#[test]
fn contenders_are_told_the_same_in_every_split() {
    let published = told(&split("public").scenario(0));
    for name in ["train", "shifted-families", "shifted-types", "shifted"] {
        let scenario = split(name).scenario(0);
        assert_eq!(told(&scenario), published, "{name}");
        let CommonPrior::Parties(prior) = &scenario.public.prior else { panic!("the prior is published") };
        assert_eq!(**prior, *suite().prior());
    }
}

#[test]
fn every_shifted_family_parameter_lies_outside_of_the_training_range() {
    for name in ["shifted-families", "shifted"] {
        let source = split(name);
        for (published, drawn) in suite().families().iter().zip(source.drawn_families()) {
            let (before, after) = (&published.policy, &drawn.policy);
            assert_eq!(published.structure(), drawn.structure());
            for (before, after) in distributions(before).iter().zip(distributions(after)) {
                assert!(apart(before, &after), "{name}, {}: {after} meets {before}", drawn.name);
            }
        }
    }
}

#[test]
fn shifted_types_lie_where_they_are_drawn_and_often_outside_of_what_is_published() {
    for name in ["shifted-types", "shifted"] {
        let source = split(name);
        let mut outside = 0;
        for number in 0..1_000 {
            let scenario = source.scenario(2 * number);
            let mut surprising = false;
            for ((party, drawn), published) in scenario.types.iter().zip(source.drawn_prior()).zip(suite().prior()) {
                for ((&parameter, drawn), published) in
                    party.parameters.iter().zip(drawn.distributions()).zip(published.distributions())
                {
                    let within = |(low, high): (f64, f64)| (low..=high).contains(&parameter);
                    assert!(within(drawn.support()), "{name}: {parameter} outside of {drawn}");
                    surprising |= !within(published.support());
                }
            }
            outside += u32::from(surprising);
        }
        assert!(outside > 500, "{name}: {outside} of 1000 scenarios hold a parameter that the prior excludes");
    }
}

/// So the generalisation gap compares scenarios that differ by the shift alone.
#[test]
fn a_shifted_scenario_shares_its_references_random_numbers() {
    let (reference, families) = (split("public"), split("shifted-families"));
    for index in 0..200 {
        let (before, after) = (reference.scenario(index), families.scenario(index));
        assert_eq!(format!("{:?} {:?}", before.public, before.types), format!("{:?} {:?}", after.public, after.types));
        assert_eq!(before.break_off, after.break_off);
        let family = |scenario: &Scenario| scenario.counterpart.as_ref().unwrap().family.clone();
        assert_eq!(family(&before), family(&after));
    }
    let types = split("shifted-types");
    for index in 0..200 {
        let (before, after) = (reference.scenario(index), types.scenario(index));
        assert_eq!(format!("{:?}", before.public), format!("{:?}", after.public));
        assert_eq!(format!("{:?}", before.counterpart), format!("{:?}", after.counterpart));
        assert_ne!(before.types[0].parameters, after.types[0].parameters);
        // The same quantile, of another distribution.
        for seat in 0..2 {
            let quantile = |source: &SuiteSource, scenario: &Scenario| {
                let (low, high) = source.drawn_prior()[seat].disagreement.support();
                (scenario.types[seat].parameters[0] - low) / (high - low)
            };
            assert!((quantile(&reference, &before) - quantile(&types, &after)).abs() < 1e-9);
        }
    }
}

#[test]
fn a_shift_holds_for_a_family_met_by_name_too() {
    let opponent = Opponent::Family("hardliner".into());
    let options = SourceOptions { split: Some("shifted".into()), opponent, ..SourceOptions::default() };
    let scenario = suite().source(&options).unwrap().scenario(3);
    let counterpart = scenario.counterpart.as_ref().unwrap();
    assert_eq!(&*counterpart.family, "hardliner");
    assert!(zopa_envs::difficulty::mean_aspiration(counterpart) >= 0.05);
}

#[test]
fn every_mistake_in_a_shift_is_told_with_its_field_and_what_to_do() {
    let text = suite().text().to_owned();
    let check = |from: &str, to: &str, said: &str| {
        assert!(text.contains(from), "the suite has no \"{from}\"");
        let error = Suite::parse("mine.toml", &text.replacen(from, to, 1)).expect_err(to).to_string();
        assert!(error.contains(said), "{to}:\n{error}");
    };
    let families = "reference = \"public\"\n\n[splits.shifted-families.drawn.counterparts]";
    check(families, "\n[splits.shifted-families.drawn.counterparts]", "reference = \"public\"");
    check(
        families,
        &families.replace("public", "pubic"),
        "splits.shifted-families.reference: there is no split \"pubic\"",
    );
    check(families, &families.replace("public", "shifted"), "\"shifted\" is shifted itself");
    check(families, &families.replace("public", "train"), "has another seed, number of episodes or role");
    check(
        "[splits.shifted-families.drawn.counterparts]\nboulware",
        "[splits.shifted-families.drawn.counterparts]\nbulware",
        "splits.shifted-families.drawn.counterparts.bulware: there is no family \"bulware\"; did you mean \"boulware\"?",
    );
    check(
        "hardliner = { tactic = { hardliner = { demand = { uniform = { low = 0.05, high = 0.08 } }, selection = \"take_over\" } } }",
        "hardliner = { tactic = { random = { least = { uniform = { low = 0.05, high = 0.08 } } } } }",
        "counterparts[3].description",
    );
    check("weights = { payment", "weights = { pay", "there is no valued issue \"pay\"");
    check(
        "disagreement = { uniform = { low = -0.04, high = 0.12 } }",
        "disagreement = { uniform = { low = -0.04, high = 0.62 } }",
        "splits.shifted-types.drawn: issues[0].grid.price: the buyer's reservation price may lie anywhere",
    );
    check(
        "purpose = \"the reference",
        "reference = \"train\"\npurpose = \"the reference",
        "the split draws as published",
    );
}
