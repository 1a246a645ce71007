//! Surplus efficiency is not to be gamed: exploit probes against a suite's best scripted tactic, and waiting against the best
//! response.
//!
//! What is tested here is a reduced form. The full comparisons are `harness/examples/exploit_probes.rs` and `stalling.rs`, their
//! results stand in docs/probes.md. The claim is that *every* probe loses: it is an intersection-union test (Berger 1982), in which
//! each interval may keep its own level; the full comparison states intervals after Bonferroni's correction too.

#[expect(dead_code, reason = "the full comparison chooses the best tactics")]
mod probe_games;

use probe_games::{Games, SUITES, Stall, in_silence, probes, stalling, stalls};
use std::collections::BTreeMap;
use zopa_agents::build;
use zopa_agents::probes::Waiting;
use zopa_envs::Seat;
use zopa_reports::statistics::Bootstrap;
use zopa_scenarios::Suite;

/// Each suite's best scripted tactic, by surplus efficiency over both seats of 500 scenarios of its default split at another seed
/// than the one that is tested: see docs/probes.md.
const BEST: [(&str, &str); SUITES.len()] = [
    ("payment-terms-v1", "linear"),
    ("procurement-v1", "boulware"),
    ("mandate-v1", "micro"),
    ("counterparts-v1", "micro"),
    ("talk-v1", "micro"),
    ("repeated-v1", "boulware"),
    ("generalisation-v1", "linear"),
];

/// Scenarios for a probe: more where its loss is small beside what scenarios differ by.
fn scenarios(suite: &str, seat: Seat, probe: &str) -> u64 {
    match (suite, seat, probe) {
        ("payment-terms-v1", Seat::Supplier, "stall-repeating-for-half")
        | ("procurement-v1", Seat::Supplier, "stall-for-half")
        | ("repeated-v1", Seat::Buyer, "stall-for-half")
        | ("repeated-v1", Seat::Supplier, "stall-to-deadline") => 1_000,
        ("generalisation-v1", Seat::Buyer, "stall-repeating" | "stall-repeating-for-half") => 4_000,
        _ => 240,
    }
}

const BOOTSTRAP: Bootstrap = Bootstrap { replicates: 1_000, confidence: 0.95, seed: 0 };

#[test]
fn no_probe_gains_more_than_the_suites_best_scripted_tactic_from_either_seat() {
    let mut undecided = Vec::new();
    for (suite, best) in BEST {
        for seat in Seat::BOTH {
            let mut tactics = BTreeMap::new();
            for id in probes().filter(|id| !concedes_as_a_good_tactic(id)) {
                let count = scenarios(suite, seat, id);
                let (games, tactic) = tactics.entry(count).or_insert_with(|| {
                    let games = Games::of(suite, None, &[seat], count, 0);
                    let tactic = games.gains(|| build(best).unwrap());
                    (games, tactic)
                });
                let found = games.difference(&BOOTSTRAP, &games.gains(|| build(id).unwrap()), 1.0, tactic);
                let line = format!(
                    "{suite}, {seat}, {id} less {best}: {:+.3} [{:+.3}, {:+.3}], n {}",
                    found.value, found.low, found.high, found.n
                );
                println!("{line}");
                if found.high > 0.0 {
                    undecided.push(line);
                }
            }
        }
    }
    assert!(undecided.is_empty(), "probes that are not shown to lose:\n{}", undecided.join("\n"));
}

/// Those that concede evenly are as good as the tactic that they concede as: it is their words that must bring nothing.
fn concedes_as_a_good_tactic(id: &str) -> bool {
    in_silence(id) == Some("linear-aware")
}

/// The suites with families whose concessions move with what they are told.
const LISTENED_TO: [&str; 2] = ["counterparts-v1", "talk-v1"];

/// Exactly nothing: the same gain in every scenario. Where counterparts listen, permitted stock words win: a known limit, whose size
/// stands in docs/probes.md.
#[test]
fn words_bring_exactly_nothing_but_stock_words_where_counterparts_listen() {
    for suite in SUITES {
        for seat in Seat::BOTH {
            let games = Games::of(suite, None, &[seat], if LISTENED_TO.contains(&suite) { 240 } else { 40 }, 0);
            for id in probes() {
                let Some(tactic) = in_silence(id) else { continue };
                let [spoken, silent] = [id, tactic].map(|id| games.gains(|| build(id).unwrap()));
                if id == "flatter" && LISTENED_TO.contains(&suite) {
                    let found = games.difference(&BOOTSTRAP, &spoken, 1.0, &silent);
                    assert!(found.low > 0.0, "{suite}, {seat}, flatter: {found:?}");
                } else {
                    assert_eq!(spoken, silent, "{suite}, {seat}, {id}");
                }
            }
        }
    }
}

#[test]
fn who_does_nothing_scores_zero() {
    for suite in SUITES {
        let games = Games::of(suite, None, &Seat::BOTH, 20, 0);
        for id in ["do-nothing", "walk-away"] {
            assert_eq!(games.efficiency(&games.gains(|| build(id).unwrap())), 0.0, "{id} in {suite}");
        }
    }
}

/// Scenarios of a split from one seat for stalling: few, since a plan against chance takes long, and more where the bound is near.
fn stalled(suite: &str, split: &str, seat: Seat) -> u64 {
    match (suite, split, seat) {
        ("repeated-v1", "public", Seat::Buyer) => 1_600,
        ("repeated-v1", ..) | ("payment-terms-v1", _, Seat::Supplier) => 100,
        _ => 24,
    }
}

/// Over so many scenarios only the policies that come near in the full comparison: those that wait in silence from one of a few
/// places, since training families of that suite keep no deadline to themselves.
fn is_tried(scenarios: u64, (waiting, from, least): Stall) -> bool {
    scenarios < 1_000
        || waiting == Waiting::Silent && [0.0, 0.3, 0.5, 1.0].contains(&from) && [0.0, 0.5].contains(&least)
}

/// Every split but `train`, which draws as `public` does.
#[test]
fn the_best_of_the_stalling_policies_stays_below_nine_tenths_of_the_best_response_in_every_mix() {
    for suite in SUITES {
        let opened = Suite::open(suite).unwrap();
        let splits: Vec<&String> = opened.splits().keys().filter(|split| *split != "train").collect();
        for (split, seat) in splits.iter().flat_map(|split| Seat::BOTH.map(|seat| (split.as_str(), seat))) {
            let count = stalled(suite, split, seat);
            let games = Games::of(suite, Some(split), &[seat], count, 0);
            let response = games.gains(|| build("best-response").unwrap());
            let tried = stalls().filter(|stall| is_tried(count, *stall)).map(|stall| {
                let gains = games.gains(|| stalling(stall));
                (games.difference(&BOOTSTRAP, &gains, 0.9, &response), stall)
            });
            let (found, stall) = tried.max_by(|a, b| a.0.high.total_cmp(&b.0.high)).unwrap();
            let line = format!(
                "{suite}, {split}, {seat}, {stall:?} less 0.9 best-response: {:+.3} [{:+.3}, {:+.3}], n {}",
                found.value, found.low, found.high, found.n
            );
            println!("{line}");
            assert!(found.high < 0.0, "{line}");
        }
    }
}
