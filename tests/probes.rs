//! No score may be gamed: exploit probes against a suite's best scripted tactic, and waiting against the best response.

use rayon::prelude::*;
use std::sync::Arc;
use zopa_agents::probes::{StallThenAccept, Waiting};
use zopa_agents::{Kind, Player, Seated, agents, build, play};
use zopa_envs::{Attainable, Negotiation, Outcome, Scenario, ScenarioSource, Seat, StreamKey, phase};
use zopa_reports::statistics::{Bootstrap, PairedDifference, RatioColumn, Strata};
use zopa_scenarios::{SourceOptions, Suite};

/// Each suite with its best scripted tactic, by surplus efficiency over both seats of the first 1,000 episodes of its
/// public split. Chosen on the same episodes that the probes are tested on, and after the probes had been seen there, as
/// was the number of scenarios. Since payment-terms-v1 got its private deadlines, only linear, boulware and conceder were
/// compared in it.
const SUITES: [(&str, &str); 2] = [("payment-terms-v1", "linear"), ("procurement-v1", "boulware")];

/// Scenarios from each seat.
const SCENARIOS: u64 = 320;

/// The scenarios of a suite from one seat, families together, with what was attainable in shares of the scale.
struct Games {
    scenarios: Vec<(Scenario, f64, f64)>,
    strata: Strata,
}

impl Games {
    fn of(suite: &str, seat: Seat, count: u64) -> Self {
        let source = Arc::new(Suite::open(suite).unwrap()).source(&SourceOptions::default()).unwrap();
        let mut scenarios: Vec<(Scenario, f64, f64)> = (0..count)
            .into_par_iter()
            .map(|number| {
                let scenario = source.scenario(2 * number + seat.index() as u64);
                assert_eq!(scenario.seat, seat);
                let scale = scenario.public.status_quo_price().unwrap();
                let best = Attainable::of(&scenario).unwrap().best_gain[seat.index()];
                (scenario, scale, best / scale)
            })
            .collect();
        let family = |scenario: &Scenario| scenario.counterpart.as_ref().unwrap().family.clone();
        scenarios.sort_by_key(|(scenario, ..)| family(scenario));
        let labels: Vec<_> = scenarios.iter().map(|(scenario, ..)| family(scenario)).collect();
        let strata = Strata::of_sorted_labels(&labels);
        Self { scenarios, strata }
    }

    /// The surplus efficiency of a player over these scenarios, its gains multiplied by `factor`.
    fn efficiency(&self, factor: f64, player: impl Fn() -> Player + Sync) -> RatioColumn {
        let gains = self.scenarios.par_iter().enumerate().map(|(number, (scenario, scale, _))| {
            let (seat, mut player) = (scenario.seat, player());
            let mut bound = [false; 2];
            bound[seat.index()] = true;
            let mut game = Negotiation::new(scenario.clone(), bound);
            let stream = StreamKey::new("probes", &[player.id().as_bytes()]).lazy(number as u64);
            play(&mut game, Seated { player: &mut player, stream }, None, &mut ()).unwrap();
            let Outcome { ending: _, round } = *game.outcome().unwrap();
            let deal = game.outcome().unwrap().agreement();
            let gain = deal.map_or(0.0, |deal| scenario.types[seat.index()].gain(deal));
            let t = phase::progress(round, scenario.public.rounds);
            factor * gain * scenario.public.discount_at(seat, t) / scale
        });
        let best = self.scenarios.iter().map(|(.., best)| *best).collect();
        RatioColumn::ratio(0, gains.collect(), best, self.scenarios.len() as u64).unwrap()
    }

    /// The upper end of the 95 % interval of the paired difference, with a line that says what it is of.
    fn difference(&self, first: &RatioColumn, second: &RatioColumn, of: &str) -> (f64, String) {
        let bootstrap = Bootstrap { replicates: 1_000, ..Bootstrap::default() };
        let paired = PairedDifference::compute(&bootstrap, &self.strata, first, second).unwrap().unwrap();
        let (n, [value, low, high]) =
            (paired.difference.n, [paired.difference.value, paired.difference.low, paired.difference.high]);
        (high, format!("{of}: {value:+.3} [{low:+.3}, {high:+.3}], n {n}, of {:.3}", second.value().unwrap()))
    }
}

#[test]
fn no_probe_gains_more_than_the_suites_best_scripted_tactic_from_either_seat() {
    for (suite, best) in SUITES {
        for seat in Seat::BOTH {
            let games = Games::of(suite, seat, SCENARIOS);
            let tactic = games.efficiency(1.0, || build(best).unwrap());
            for card in agents().filter(|card| card.kind == Kind::Probe) {
                let probe = games.efficiency(1.0, || build(card.id).unwrap());
                let of = format!("{suite}, {seat}, {} less {best}", card.id);
                let (high, line) = games.difference(&probe, &tactic, &of);
                println!("{line}");
                assert!(high <= 0.0, "{line}");
            }
        }
    }
}

#[test]
fn who_does_nothing_scores_zero() {
    for (suite, _) in SUITES {
        for seat in Seat::BOTH {
            let games = Games::of(suite, seat, 40);
            for id in ["do-nothing", "walk-away"] {
                assert_eq!(games.efficiency(1.0, || build(id).unwrap()).value(), Some(0.0), "{id} in {suite}");
            }
        }
    }
}

#[test]
fn the_best_of_the_stalling_policies_stays_below_nine_tenths_of_the_best_response() {
    for (suite, _) in SUITES {
        for seat in Seat::BOTH {
            let games = Games::of(suite, seat, 120);
            let bar = games.efficiency(0.9, || build("best-response").unwrap());
            let mut best: Option<(f64, String)> = None;
            for waiting in [Waiting::Silent, Waiting::Repeating] {
                for from in [0.0, 0.3, 0.5, 0.6, 0.7, 0.85, 1.0] {
                    for least in [0.0, 0.25, 0.5] {
                        let stall = || Player::Agent(Box::new(StallThenAccept::new("stall", waiting, from, least)));
                        let column = games.efficiency(1.0, stall);
                        let of = format!("{suite}, {seat}, {waiting:?} to {from} for {least}, less 0.9 best-response");
                        let (high, line) = games.difference(&column, &bar, &of);
                        if best.as_ref().is_none_or(|(highest, _)| high > *highest) {
                            best = Some((high, line));
                        }
                    }
                }
            }
            let (high, line) = best.unwrap();
            println!("{line}");
            assert!(high < 0.0, "{line}");
        }
    }
}
