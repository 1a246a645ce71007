//! Stalling beside the best response, in every split of every suite and from both seats: the table of docs/probes.md.
//!
//! `cargo run --release -p zopa-harness --example stalling -- 100 [SUITE[/SPLIT][/SEAT]...]`: scenarios of each split from each seat.

#[path = "../../tests/probe_games/mod.rs"]
#[expect(dead_code, reason = "the probes' comparison has an example of its own")]
mod probe_games;

use probe_games::{Games, SUITES, stalling, stalls};
use zopa_agents::build;
use zopa_envs::Seat;
use zopa_reports::statistics::Bootstrap;
use zopa_scenarios::Suite;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(100);
    let named: Vec<String> = arguments.collect();
    println!("| suite, split, seat | n | best response | best stalling | policy | less 90 % of best response |");
    println!("| --- | ---: | ---: | ---: | --- | ---: |");
    for suite in SUITES {
        let splits: Vec<String> = Suite::open(suite).expect("a built-in suite").splits().keys().cloned().collect();
        for (split, seat) in splits.iter().flat_map(|split| Seat::BOTH.map(|seat| (split, seat))) {
            let place = format!("{suite}/{split}/{seat}");
            if named.is_empty() || named.iter().any(|name| format!("{place}/").starts_with(&format!("{name}/"))) {
                compare(suite, split, seat, count);
            }
        }
    }
}

fn compare(suite: &str, split: &str, seat: Seat, count: u64) {
    let games = Games::of(suite, Some(split), &[seat], count, 0);
    let response = games.gains(|| build("best-response").expect("a ceiling"));
    let bootstrap = Bootstrap { replicates: 10_000, ..Bootstrap::default() };
    let tried = stalls().map(|stall| {
        let gains = games.gains(|| stalling(stall));
        (games.difference(&bootstrap, &gains, 0.9, &response), games.efficiency(&gains), stall)
    });
    let (found, efficiency, (waiting, from, least)) =
        tried.max_by(|a, b| a.0.high.total_cmp(&b.0.high)).expect("there are policies");
    let [value, low, high] = [found.value, found.low, found.high].map(|share| 100.0 * share);
    println!(
        "| {suite}, {split}, {seat} | {count} | {:.1} | {:.1} | {waiting:?} from {from} for {least} | {value:+.1} [{low:+.1}, {high:+.1}] |",
        100.0 * games.efficiency(&response),
        100.0 * efficiency,
    );
}
