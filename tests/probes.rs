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
const BEST: [(&str, &str); 4] = [
    ("payment-terms-v1", "linear"),
    ("procurement-v1", "boulware"),
    ("counterparts-v1", "micro"),
    ("talk-v1", "micro"),
];

/// Scenarios from each seat for the probes.
const SCENARIOS: u64 = 240;
/// Scenarios from each seat for stalling: a plan against chance takes long.
const STALLED: u64 = 24;

const BOOTSTRAP: Bootstrap = Bootstrap { replicates: 1_000, confidence: 0.95, seed: 0 };

/// Probes that are not shown to lose in a suite from a seat: the interval reaches above 0. docs/probes.md says why.
const UNDECIDED: [(&str, Seat, &str); 1] = [("procurement-v1", Seat::Supplier, "stall-for-half")];

#[test]
fn no_probe_gains_more_than_the_suites_best_scripted_tactic_from_either_seat() {
    let (mut winners, mut undecided) = (Vec::new(), Vec::new());
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
                if found.low > 0.0 {
                    winners.push(line);
                } else if found.high > 0.0 && rival == best && !UNDECIDED.contains(&(suite, seat, id)) {
                    undecided.push(line);
                }
            }
        }
    }
    assert!(winners.is_empty(), "probes that win:\n{}", winners.join("\n"));
    assert!(undecided.is_empty(), "probes that are not shown to lose:\n{}", undecided.join("\n"));
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
    for suite in ["payment-terms-v1", "procurement-v1"] {
        for seat in Seat::BOTH {
            let games = Games::of(suite, seat, STALLED, 0);
            let bar = games.efficiency(0.9, || build("best-response").unwrap());
            let few = stalls().filter(|(_, from, least)| [0.0, 0.5, 1.0].contains(from) && [0.0, 0.5].contains(least));
            let tried = few.map(|stall| {
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
