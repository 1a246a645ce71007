use std::sync::Arc;
use zopa_scenarios::{SourceOptions, Suite, Survey};

#[test]
fn every_built_in_suite_opens_under_its_own_name() {
    for name in Suite::names() {
        let suite = Suite::open(name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(suite.name(), name);
    }
}

#[test]
fn survey_prints() {
    for name in Suite::names() {
        let suite = Arc::new(Suite::open(name).unwrap());
        for split in suite.splits().keys() {
            let source = suite.source(&SourceOptions { split: Some(split.clone()), ..Default::default() }).unwrap();
            println!("{name} {split} {:#?}", Survey::of(&source, 5000));
        }
    }
}
#[test]
fn renders() {
    let suite = Arc::new(Suite::open("procurement-v1").unwrap());
    let source = suite.source(&SourceOptions::default()).unwrap();
    use zopa_envs::ScenarioSource;
    let s = source.scenario(0);
    println!("{}", zopa_scenarios::render(&s, s.seat, true));
}
