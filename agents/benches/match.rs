//! A whole match through the turn graph: event log, commitment ledger, speech checks and scores, with messages where the suite
//! is a spoken one. Turns are the agent's own, to be set beside the steps of the vectorised environment.
//!
//! `cargo bench -p zopa-agents --bench match`

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use std::sync::Arc;
use zopa_agents::roster;
use zopa_agents::turn::{Seated, play};
use zopa_envs::{EpisodeScores, Negotiation, ScenarioSource, Seat, StreamKey};
use zopa_scenarios::{SourceOptions, Suite, SuiteSource};

fn main() {
    divan::main();
}

/// Plays episodes from `first` on; tells how many turns the agent had.
fn matches(source: &SuiteSource, agent: &str, first: u64, count: u64) -> usize {
    let mut player = roster::build(agent).expect("the agent is in the roster");
    let key = StreamKey::new("bench", &[]);
    let mut turns = 0;
    for index in first..first + count {
        let scenario = source.scenario(index);
        let seat = scenario.seat;
        let mut game = Negotiation::new(scenario, [seat == Seat::Buyer, seat == Seat::Supplier]).logged();
        let seated = Seated { player: &mut player, stream: key.lazy(index) };
        play(&mut game, seated, None, &mut ()).expect("the suite's scenarios have counterparts");
        let outcome = game.outcome().expect("it was played to its end");
        black_box(EpisodeScores::of(game.scenario(), None, game.log(), outcome));
        turns += game.log().iter().filter(|event| event.seat == seat && event.made.is_some()).count();
    }
    turns
}

#[divan::bench(args = ["procurement-v1", "talk-v1"], sample_count = 20, sample_size = 1)]
fn rule_tree(bencher: Bencher<'_, '_>, name: &str) {
    let suite = Arc::new(Suite::open(name).expect("the suite is built in"));
    let source = suite.source(&SourceOptions::default()).expect("the default split exists");
    let turns = matches(&source, "rule-tree", 0, 100);
    println!("  {:.1} turns a match", turns as f64 / 100.0);
    bencher.counter(ItemsCount::new(turns)).bench_local(|| black_box(matches(&source, "rule-tree", 0, 100)));
}
