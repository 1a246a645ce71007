//! The formulas of `mind.rs` against the counterparts' own code.

use super::belief::traits;
use super::mind::{Manner, Mind, Steer, Traits, Turn};
use super::valuation::{FIRST, Valuation};
use std::sync::Arc;
use zopa_envs::counterpart::{Behaviour, Policy};
use zopa_envs::{Action, Negotiation, Reply, Scenario, ScenarioSource, Tactic};
use zopa_scenarios::{Opponent, SourceOptions, Suite};

/// Manner, first and last aspiration, and exponent of a policy; `None` where its offers are drawn at random.
fn manner(policy: &Policy) -> Option<(Manner, [f64; 3])> {
    Some(match policy {
        Policy::Tactic(tactic) => match tactic {
            Tactic::TimeDependent(t) => (Manner::Clock, [t.initial, t.last, t.exponent]),
            Tactic::Hardliner(t) => (Manner::Firm, [t.demand, t.demand, 1.0]),
            Tactic::RelativeTitForTat(t) => (Manner::Relative(t.lag), [t.initial, t.last, 1.0]),
            Tactic::AbsoluteTitForTat(t) => (Manner::Absolute(t.lag), [t.initial, t.last, 1.0]),
            Tactic::AveragedTitForTat(t) => (Manner::Averaged(t.window), [t.initial, t.last, 1.0]),
            Tactic::Micro(t) => (Manner::Rungs, [t.initial, t.last, libm::exp(t.rung)]),
            Tactic::Random(_) => return None,
        },
        Policy::Conceding { course, behaviour } => {
            let steer = match behaviour {
                Behaviour::Steady => Steer::Steady,
                Behaviour::Strategic(s) => {
                    let (expected, sensitivity, tolerance) = (s.expected, s.sensitivity, s.tolerance);
                    Steer::Strategic { expected, sensitivity, tolerance }
                }
                Behaviour::Stochastic(s) => Steer::Stochastic { take: s.take },
                Behaviour::Patient(p) => Steer::Patient { hold: p.hold },
                Behaviour::Desperate(d) => Steer::Desperate { impatience: d.impatience },
                Behaviour::Listening(l) => Steer::Listening {
                    ear: l.ear,
                    fastest: l.fastest,
                    slowest: l.slowest,
                    shift: l.shift,
                    memory: l.memory,
                },
                Behaviour::Reneging(_) => return None,
            };
            let (standstill, pace) = (course.standstill, course.pace);
            (Manner::Course { standstill, pace, steer }, [course.initial, course.last, course.exponent])
        }
    })
}

/// Plays `scenario` down a ladder of offers and compares each offer of the counterpart with what the mind asks for.
fn check(scenario: Scenario, step: f64) -> u32 {
    let Some(counterpart) = &scenario.counterpart else { return 0 };
    let Some((manner, [initial, last, exponent])) = manner(&counterpart.policy) else { return 0 };
    let (seat, family) = (scenario.seat, counterpart.family.clone());
    let mut game = Negotiation::new(Scenario { break_off: None, ..scenario.clone() }, [false; 2]);
    let valuation = Valuation::of(&game.view(seat));
    let mut state = vec![initial, last, libm::log(exponent)];
    state.extend_from_slice(&scenario.types[seat.other().index()].parameters);
    assert_eq!(state.len(), valuation.size(), "{FIRST} numbers of behaviour, then the prior's parameters");
    let dual = traits(&state, &valuation);
    let plain = Traits {
        initial,
        last,
        log_exponent: dual.log_exponent.value,
        yardstick: dual.yardstick.value,
        origin: dual.origin.value,
        sign: dual.sign,
    };
    let mut mind: Mind<f64> = Mind::new();
    let mut offered = Vec::new();
    let mut compared = 0;
    for turn in 0_u16.. {
        while game.outcome().is_none() && game.turn() != seat {
            let (round, rounds) = (game.round(), scenario.types[seat.other().index()].deadline);
            let rounds = rounds.unwrap_or(scenario.public.rounds).min(scenario.public.rounds);
            let (counterpart, view) = game.counterpart().unwrap();
            let Reply { action, message } = counterpart.act(&view);
            game.submit(action.clone(), None, message);
            if rounds <= round {
                return compared;
            }
            let asked = mind.turn(&manner, &plain, Turn { round, rounds, discount: 1.0, signals: [0.0; 3] });
            let (Action::Offer { .. }, true) = (&action, asked.shows) else { continue };
            let offer = game.history().last().unwrap().offer().unwrap().clone();
            let gain = valuation.form(&game.view(seat), &offer).at(&state);
            let stated = scenario.types[seat.other().index()].gain(&offer) / valuation.unit;
            assert!((gain - stated).abs() < 1e-9, "{family}: {gain} is not its gain {stated}");
            // A tick of the price grid, financed.
            let excess = gain - asked.ask;
            assert!((-1e-7..=1.3e-4).contains(&excess), "{family}, turn {turn}: asks {} and offers {gain}", asked.ask);
            compared += 1;
        }
        if game.outcome().is_some() {
            return compared;
        }
        let view = game.view(seat);
        let target = (0.3 - f64::from(turn) * step) * valuation.unit;
        let like = view.public.status_quo.clone().unwrap();
        let Some(offer) = view.packages().at_gain_with_terms(target, &like) else { return compared };
        mind.hear(valuation.form(&view, &offer).at(&state), !offered.contains(&offer));
        assert_eq!(usize::from(mind.heard()), offered.len() + 1);
        offered.push(offer.clone());
        game.submit(Action::offer(offer), None, None);
    }
    compared
}

#[test]
fn minds_ask_for_what_the_counterparts_of_every_published_family_offer() {
    for suite in ["procurement-v1", "payment-terms-v1", "counterparts-v1"] {
        let suite = Arc::new(Suite::open(suite).unwrap());
        for family in suite.families() {
            let opponent = Opponent::Family(family.name.to_string());
            let source = suite.source(&SourceOptions { opponent, ..SourceOptions::default() });
            // Held-out families are met in their own split only.
            let Ok(source) = source else { continue };
            let compared: u32 =
                (0..12).map(|index| check(source.scenario(index), [0.001, 0.005, 0.02][index as usize % 3])).sum();
            let silent = matches!(family.structure()[0], "random" | "reneging");
            assert!(compared > 20 || silent, "{}: {compared} offers", family.name);
        }
    }
}
