//! The environment plays series of contracts: the same as a plain loop over them, paid at each contract's end.

use std::sync::Arc;
use zopa_envs::environment::{Environment, EnvironmentConfig, Reward, Step};
use zopa_envs::random::StreamKey;
use zopa_envs::relationship::SeriesEnd;
use zopa_envs::{Intent, Negotiation, ScenarioSource, Seat, Series, intent};
use zopa_scenarios::{SourceOptions, Suite, SuiteSource};

fn source() -> SuiteSource {
    Arc::new(Suite::open("repeated-v1").unwrap()).source(&SourceOptions::default()).unwrap()
}

fn environment(reward: Reward) -> Environment<SuiteSource> {
    Environment::new(source(), EnvironmentConfig { reward, ..EnvironmentConfig::default() }).unwrap()
}

fn bound(seat: Seat) -> [bool; 2] {
    [seat == Seat::Buyer, seat == Seat::Supplier]
}

/// Lets the counterpart move for as long as it is its turn.
fn answer(game: &mut Negotiation, seat: Seat) {
    while game.outcome().is_none() && game.turn() != seat {
        let (counterpart, view) = game.counterpart().unwrap();
        let reply = counterpart.act(&view);
        game.submit(reply.action, None, reply.message);
    }
}

/// Plays episode `index` in the environment and in a plain loop over its contracts by the same intents; the series.
fn check(index: u64) -> Series {
    let source = source();
    let plan = source.series(index).unwrap();
    let contracts: Vec<_> = (0..plan.contracts).map(|contract| source.contract(index, contract)).collect();
    let seat = contracts[0].seat;
    let price = contracts[0].public.status_quo_price().unwrap();
    let mut series = Series::new(plan, contracts);
    let mut environment = environment(Reward::Surplus);
    let (_, info) = environment.reset(Some(index)).unwrap();
    assert_eq!((info.contract, info.concluded), (0, None));
    let mut stream = StreamKey::new("test", &[b"series"]).stream(index);
    let (mut paid, mut concluded) = (0.0, 0);
    while let Some(mut game) = series.negotiation(bound(seat)) {
        let number = series.public().contract;
        answer(&mut game, seat);
        loop {
            assert_eq!(environment.view().history, game.history());
            assert_eq!(environment.view().relationship.unwrap(), series.public());
            let chosen = Intent::ALL[stream.weighted([0.1, 0.45, 0.2, 0.1, 0.05, 0.09, 0.01].into_iter())];
            let step = environment.step(chosen).unwrap();
            if game.outcome().is_none() {
                let action = intent::realise(chosen, &game.view(seat));
                game.submit(action, Some(chosen), None);
                answer(&mut game, seat);
            }
            paid += step.reward;
            if game.outcome().is_none() {
                assert!(!step.terminated && step.info.concluded.is_none() && step.reward == 0.0);
                assert_eq!(step.info.contract, number);
                continue;
            }
            let result = *series.conclude(&game).unwrap();
            assert_eq!(step.info.concluded.as_ref(), series.public().past.last());
            assert_eq!(step.reward, result.values[seat.index()] / price);
            assert_eq!(step.terminated, series.end().is_some());
            assert_eq!(step.info.contract, series.public().contract);
            concluded += 1;
            break;
        }
    }
    assert_eq!(concluded, series.results().len());
    let gain = series.scores().unwrap().gain;
    assert!((paid * price - gain).abs() < 1e-6 * price, "paid {paid} of {price}, scored {gain}");
    if seat == Seat::Buyer {
        assert!((paid * price - series.scores().unwrap().total_value.unwrap()).abs() < 1e-6 * price);
    }
    series
}

#[test]
fn the_environment_plays_the_whole_series_and_pays_each_contract_its_value_after_delivery() {
    let played: Vec<Series> = (0..80).map(check).collect();
    assert!(played.iter().any(|series| series.results().len() > 3));
    assert!(played.iter().any(|series| series.end() == Some(SeriesEnd::Completed)));
    assert!(played.iter().any(|series| series.end() != Some(SeriesEnd::Completed)));
    assert!(
        played.iter().flat_map(Series::results).any(|result| result.values[0] < 0.0),
        "no delivery ever cost anything"
    );
}

/// All steps of an episode of small concessions.
fn conceding(environment: &mut Environment<SuiteSource>, index: u64) -> Vec<Step> {
    environment.reset(Some(index)).unwrap();
    let mut steps: Vec<Step> = Vec::new();
    while steps.last().is_none_or(|step| !step.terminated && !step.truncated) {
        steps.push(environment.step(Intent::ConcedeSmall).unwrap());
    }
    steps
}

#[test]
fn observations_of_a_series_tell_how_it_went_so_far_within_their_ranges() {
    let mut environment = environment(Reward::Surplus);
    let entries = environment.observation_spec().entries.clone();
    let position = |name: &str| entries.iter().position(|entry| &*entry.name == name).unwrap();
    let (before, follow) = (position("contracts before"), position("contracts to follow"));
    for index in 0..20 {
        let plan = source().series(index).unwrap();
        for step in conceding(&mut environment, index) {
            for (value, entry) in step.observation.iter().zip(&entries) {
                assert!((entry.low..=entry.high).contains(value), "{}: {value}", entry.name);
            }
            let told = (step.observation[before] + step.observation[follow]) * 10.0;
            assert!((told - f32::from(plan.contracts - 1)).abs() < 1e-4);
            assert!((step.observation[before] * 10.0 - f32::from(step.info.contract)).abs() < 1e-4);
        }
    }
}

#[test]
fn a_series_comes_back_the_same_and_a_step_limit_truncates_it_as_a_whole() {
    let mut environment = environment(Reward::Shaped);
    let first = conceding(&mut environment, 5);
    conceding(&mut environment, 8);
    assert_eq!(conceding(&mut environment, 5), first);
    let limited = EnvironmentConfig { truncate_after: Some(4), ..EnvironmentConfig::default() };
    let mut environment = Environment::new(source(), limited).unwrap();
    let steps = conceding(&mut environment, 5);
    assert!(steps.len() <= 4);
}
