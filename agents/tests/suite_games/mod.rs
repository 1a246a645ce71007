//! Negotiations of the shipped suites, as several integration tests play them.

use std::sync::Arc;
use zopa_agents::{Observer, Player, Seated, build, play};
use zopa_envs::random::StreamKey;
use zopa_envs::{Negotiation, Scenario, ScenarioSource};
use zopa_scenarios::{SourceOptions, Suite, SuiteSource};

/// A suite's scenarios at its default split and official seed.
pub(crate) fn source(suite: &str) -> SuiteSource {
    Arc::new(Suite::open(suite).unwrap()).source(&SourceOptions::default()).unwrap()
}

/// A player by its id.
pub(crate) fn player(id: &str) -> Player {
    build(id).unwrap()
}

/// The agent streams that these tests use.
pub(crate) fn key(seed: u64) -> StreamKey {
    StreamKey::new("test", &[&seed.to_le_bytes()])
}

/// Plays `scenario` against its own counterpart, the player bound.
pub(crate) fn finish(scenario: Scenario, player: &mut Player, seed: u64, observer: &mut dyn Observer) -> Negotiation {
    let mut bound = [false; 2];
    bound[scenario.seat.index()] = true;
    let mut game = Negotiation::new(scenario, bound).logged();
    play(&mut game, Seated { player, stream: key(seed).lazy(0) }, None, observer).unwrap();
    game
}

/// The first `count` scenarios of a suite.
pub(crate) fn scenarios(suite: &str, count: u64) -> impl Iterator<Item = Scenario> {
    let source = source(suite);
    (0..count).map(move |index| source.scenario(index))
}
