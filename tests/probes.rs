//! No score may be gamed: exploit probes against a suite's best scripted tactic, and waiting against the best response.
//!
//! What is tested here is a reduced form. The full comparison is `harness/examples/exploit_probes.rs`, its results stand in
//! docs/probes.md. The claim is that *every* probe loses: it is an intersection-union test (Berger 1982), in which each interval
//! may keep its own level; the full comparison states intervals after Bonferroni's correction over all probes and seats too.

#[expect(dead_code, reason = "the full comparison chooses the best tactics")]
mod probe_games;

use probe_games::{Games, SUITES, probes, rival, stalling, stalls};
use std::collections::BTreeMap;
use zopa_agents::build;
use zopa_envs::Seat;
use zopa_reports::statistics::Bootstrap;

/// Each suite's best scripted tactic, by surplus efficiency over both seats of 500 scenarios of its default split at another seed
/// than the one that is tested: see docs/probes.md.
const BEST: [(&str, &str); 7] = [
    ("payment-terms-v1", "linear"),
    ("procurement-v1", "boulware"),
    ("mandate-v1", "linear"),
    ("counterparts-v1", "linear"),
    ("talk-v1", "linear"),
    ("repeated-v1", "linear"),
    ("generalisation-v1", "linear"),
];

/// Scenarios from each seat for the probes.
const SCENARIOS: u64 = 160;
/// Scenarios from each seat for stalling: a plan against chance takes long.
const STALLED: u64 = 32;

const BOOTSTRAP: Bootstrap = Bootstrap { replicates: 1_000, confidence: 0.95, seed: 0 };

#[test]
fn no_probe_gains_more_than_the_suites_best_scripted_tactic_from_either_seat() {
    assert_eq!(BEST.map(|(suite, _)| suite), SUITES);
    let mut winners = Vec::new();
    for (suite, best) in BEST {
        for seat in Seat::BOTH {
            let games = Games::of(suite, seat, SCENARIOS, 0);
            let mut rivals = BTreeMap::new();
            for id in probes() {
                let rival = rival(id, best);
                let tactic = rivals.entry(rival).or_insert_with(|| games.efficiency(1.0, || build(rival).unwrap()));
                let probe = games.efficiency(1.0, || build(id).unwrap());
                let found = games.difference(&BOOTSTRAP, &probe, tactic).difference;
                let line = format!(
                    "{suite}, {seat}, {id} less {rival}: {:+.3} [{:+.3}, {:+.3}], n {}",
                    found.value, found.low, found.high, found.n
                );
                println!("{line}");
                if found.high > 0.0 {
                    winners.push(line);
                }
            }
        }
    }
    assert!(winners.is_empty(), "{}", winners.join("\n"));
}

#[test]
fn who_does_nothing_scores_zero() {
    for suite in SUITES {
        for seat in Seat::BOTH {
            let games = Games::of(suite, seat, 20, 0);
            for id in ["do-nothing", "walk-away"] {
                assert_eq!(games.efficiency(1.0, || build(id).unwrap()).value(), Some(0.0), "{id} in {suite}");
            }
        }
    }
}

#[test]
fn the_best_of_the_stalling_policies_stays_below_nine_tenths_of_the_best_response() {
    for suite in SUITES {
        for seat in Seat::BOTH {
            let games = Games::of(suite, seat, STALLED, 0);
            let bar = games.efficiency(0.9, || build("best-response").unwrap());
            let tried = stalls().map(|stall| {
                let column = games.efficiency(1.0, || stalling(stall));
                (games.difference(&BOOTSTRAP, &column, &bar).difference, stall)
            });
            let (found, stall) = tried.max_by(|a, b| a.0.high.total_cmp(&b.0.high)).unwrap();
            let line = format!(
                "{suite}, {seat}, {stall:?} less 0.9 best-response: {:+.3} [{:+.3}, {:+.3}]",
                found.value, found.low, found.high
            );
            println!("{line}");
            assert!(found.high < 0.0, "{line}");
        }
    }
}
