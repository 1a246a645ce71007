//! What counterpart families do: the law that defines each, and what holds for all.

mod families;
mod scenes;

use families::{against, behaviours, course, drawing, meet, voices};
use proptest::prelude::*;
use scenes::at;
use zopa_envs::counterpart::{
    Behaviour, Course, Desperate, Ear, Listening, Patient, Policy, Reneging, Stochastic, Strategic, Voice,
};
use zopa_envs::tactic::{Selection, TimeDependent};
use zopa_envs::{
    Act, Action, Ending, Intervention, Mandate, Message, Money, Negotiation, Offer, PartyView, Seat, Tactic, Tightening,
};

/// Concedes evenly from $92,000 over 19 rounds: a supplier whose reservation price is $92,000 sees the agent (buyer) come up.
fn price(turn: u16, step: i64) -> Action {
    Action::offer(at(85_000 + step * i64::from(turn), 60))
}

/// Own gains of the counterpart's offers, as shares of its yardstick.
fn asked(game: &Negotiation) -> Vec<f64> {
    let seat = game.scenario().seat.other();
    let party = &game.scenario().types[seat.index()];
    let offers = game.history().iter().filter(|made| made.seat == seat).filter_map(|made| made.offer());
    offers.map(|offer| party.gain(offer) / party.yardstick).collect()
}

/// The supplier's asks (shares of its yardstick) against a buyer that comes up by `steps` dollars a turn, so low that nothing
/// is accepted.
fn asks(behaviour: Behaviour, steps: &[i64], words: Option<&str>) -> Vec<f64> {
    let course = Course::new(1.0, [0.2, 0.02], 0.25, 0.0005, Selection::OwnBest);
    let policy = Policy::Conceding { course, behaviour };
    let game = meet(against(Seat::Buyer, 0, policy, Voice::Taciturn), |turn, _| {
        let paid: i64 = steps.iter().cycle().take(usize::from(turn)).sum();
        (Action::offer(at(62_000 + paid, 60)), words.map(Message::from))
    });
    asked(&game)
}

fn listening(ear: Ear) -> Behaviour {
    Behaviour::Listening(Listening::new(ear, [0.7, 1.5], 0.01, 0.3))
}

const EARS: [Ear; 3] = [Ear::Reasoned, Ear::Reciprocal, Ear::Suspicious];

/// Words that a listener likes.
fn good(ear: Ear) -> &'static str {
    match ear {
        Ear::Reasoned => "Our costs have risen. Market prices have moved. We have worked together for years.",
        Ear::Reciprocal => {
            "Thank you for the quick answer. We appreciate it. We understand your position. That is a fair point."
        }
        Ear::Suspicious => "As we said before, we mean it. As discussed, nothing else is open.",
    }
}

const INSULT: &str = "This is ridiculous. That is an insult.";

#[test]
fn who_stands_still_finds_only_the_standstills_share_conceded() {
    let moving = asks(Behaviour::Steady, &[500], None);
    let waiting = asks(Behaviour::Steady, &[0], None);
    let (first, last) = (moving[0], moving[moving.len() - 1]);
    assert!((first - 0.2).abs() < 1e-3 && (last - 0.02).abs() < 1e-3, "{moving:?}");
    // A tick of $10 is 10/46 of the pace.
    let left = |engagement: f64| 0.2 - 0.18 * engagement;
    assert!((waiting[waiting.len() - 1] - left(0.25)).abs() < 1e-3, "{waiting:?}");
    let creeping = asks(Behaviour::Steady, &[10], None);
    assert!((creeping[creeping.len() - 1] - left(0.25 + 0.75 * 10.0 / 46.0)).abs() < 1e-3, "{creeping:?}");
}

#[test]
fn a_strategic_counterpart_concedes_less_to_who_concedes_fast_and_nothing_extra_to_who_stands_still() {
    let strategic = || Behaviour::Strategic(Strategic::new(0.01, 0.6, 2));
    let end = |steps: &[i64]| *asks(strategic(), steps, None).last().expect("it asks every turn");
    // Steps of $300 are a third of what it expects, $1,500 more than it expects.
    let (firm, fast, still) = (end(&[300]), end(&[1_500]), end(&[0]));
    assert!(firm < fast - 0.02, "firm {firm}, fast {fast}");
    assert!(firm < still - 0.02, "firm {firm}, still {still}");
    let clock = |steps: &[i64]| {
        let asks = asks(strategic(), steps, None);
        (asks[2] - asks[3]) / 0.18 * 19.0
    };
    assert!((clock(&[1_840]) - 0.4).abs() < 0.01, "{}", clock(&[1_840]));
    assert!((clock(&[920]) - 1.0).abs() < 0.01, "{}", clock(&[920]));
}

#[test]
fn a_stochastic_counterparts_acceptances_match_the_stated_chance() {
    let check = |gain: f64, expected: f64| {
        let stochastic = Stochastic { take: 0.7, stray: 0.2, slack: 0.02 };
        // Asks for 5 % of its reservation price in its first turn.
        let course = Course::new(1.0, [0.05, 0.01], 1.0, 0.01, Selection::OwnBest);
        let policy = Policy::Conceding { course, behaviour: Behaviour::Stochastic(stochastic) };
        let cases = 4_000;
        let accepted = (0..cases)
            .filter(|&index| {
                let mut scenario = against(Seat::Buyer, index, policy.clone(), Voice::Taciturn);
                scenario.public.opener = Seat::Buyer;
                scenario.public.rounds = 2;
                let offer = at(10 * ((92_000.0 * (1.0 + gain)) / 10.0).ceil() as i64, 60);
                let game = meet(scenario, |_, _| (Action::offer(offer.clone()), None));
                game.history()[1].act == Act::Accept
            })
            .count();
        let deviation = 4.5 * (expected * (1.0 - expected) / cases as f64).sqrt();
        assert!((accepted as f64 / cases as f64 - expected).abs() <= deviation, "{gain}: {accepted}");
    };
    check(0.06, 0.7);
    check(0.04, 0.2);
    check(0.02, 0.0);
}

#[test]
fn a_reneging_counterpart_takes_back_what_it_offered_and_a_steady_one_never() {
    let reneging = Behaviour::Reneging(Reneging { chance: 0.4, retreat: 0.1 });
    let worse = |asks: &[f64]| asks.windows(2).filter(|pair| pair[1] > pair[0] + 0.01).count();
    let asked = asks(reneging, &[500], None);
    assert!(worse(&asked) >= 2, "{asked:?}");
    assert!(asked.iter().all(|ask| *ask <= 0.2 + 1e-3));
    assert_eq!(worse(&asks(Behaviour::Steady, &[500], None)), 0);
}

#[test]
fn a_scripts_seat_has_a_mandate_for_agents_and_the_script_goes_by_none_of_it() {
    let course = Course::new(1.0, [0.2, 0.02], 0.25, 0.0005, Selection::OwnBest);
    let play = |mandate: Mandate, interventions: Vec<Intervention>| {
        let policy = Policy::Conceding { course: course.clone(), behaviour: Behaviour::Steady };
        let mut scenario = against(Seat::Buyer, 0, policy, Voice::Taciturn);
        scenario.mandates[Seat::Supplier.index()] = mandate;
        scenario.principals[Seat::Supplier.index()].interventions = interventions;
        asked(&meet(scenario, |turn, _| (price(turn, 500), None)))
    };
    let least = Money::major(109_000);
    let strict = Mandate { price_limit: Some(least), least_gain: Some(15_000.0), ..Mandate::default() };
    let tightening = Tightening { price_limit: Some(least), ..Tightening::default() };
    let later = Intervention { round: 3, tightening, withdraw: true, words: "stay above".into() };
    let free = play(Mandate::default(), Vec::new());
    assert!(free.last().is_some_and(|ask| *ask < 0.1), "{free:?}");
    assert_eq!(play(strict, Vec::new()), free);
    assert_eq!(play(Mandate::default(), vec![later]), free);
}

#[test]
fn a_patient_counterpart_keeps_its_first_aspiration_while_it_waits_and_still_gets_to_its_last() {
    let asked = asks(Behaviour::Patient(Patient { hold: 0.5 }), &[500], None);
    assert!(asked[..10].iter().all(|ask| (ask - asked[0]).abs() < 1e-9), "{asked:?}");
    assert!(asked[10] < asked[0] && asked[asked.len() - 1] < 0.03, "{asked:?}");
}

#[test]
fn a_desperate_counterpart_takes_less_than_it_asks_for_and_less_where_time_costs_more() {
    let check = |impatience: f64, discount: f64, gain: f64, expected: bool| {
        let course = Course::new(1.0, [0.10, 0.01], 1.0, 0.01, Selection::OwnBest);
        let policy = Policy::Conceding { course, behaviour: Behaviour::Desperate(Desperate { impatience }) };
        let mut scenario = against(Seat::Buyer, 0, policy, Voice::Taciturn);
        scenario.public.opener = Seat::Buyer;
        scenario.public.rounds = 2;
        scenario.public.discount = [discount; 2];
        let offer = at(10 * ((92_000.0 * (1.0 + gain)) / 10.0).ceil() as i64, 60);
        let game = meet(scenario, |_, _| (Action::offer(offer.clone()), None));
        let first = game.history().get(1).map(|made| made.act == Act::Accept);
        assert_eq!(first, Some(expected), "{impatience} {discount} {gain}");
    };
    check(0.6, 1.0, 0.061, true);
    check(0.6, 1.0, 0.059, false);
    check(1.0, 1.0, 0.099, false);
    check(1.0, 0.8, 0.081, true);
}

#[test]
fn listeners_move_with_what_they_are_told_within_their_bounds_and_are_steady_without_it() {
    for ear in EARS {
        let steady = asks(Behaviour::Steady, &[500], None);
        let conceded = |asks: &[f64], turn: usize| asks[0] - asks[turn];
        let pleased = asks(listening(ear), &[500], Some(good(ear)));
        let offended = asks(listening(ear), &[500], Some(INSULT));
        assert_eq!(asks(listening(ear), &[500], None), steady, "{ear:?}");
        assert_eq!(asks(listening(ear), &[500], Some("We offer more.")), steady, "{ear:?}");
        for turn in 2..12 {
            let (more, neutral, less) = (conceded(&pleased, turn), conceded(&steady, turn), conceded(&offended, turn));
            assert!(more > neutral && neutral > less, "{ear:?}: {more} {neutral} {less}");
            // A tick of the price grid is $10, 0.0001 of the yardstick.
            assert!(more <= 1.5 * neutral + 3e-4 && less >= 0.7 * neutral - 3e-4, "{ear:?}: {more} {neutral} {less}");
        }
    }
}

#[test]
fn a_suspicious_counterpart_hears_contradictions_and_unsupported_claims() {
    let check = |words: &dyn Fn(u16) -> String, trusts: bool| {
        let course = Course::new(1.0, [0.2, 0.02], 0.25, 0.0005, Selection::OwnBest);
        let policy = Policy::Conceding { course, behaviour: listening(Ear::Suspicious) };
        let game = meet(against(Seat::Buyer, 0, policy, Voice::Taciturn), |turn, _| {
            (Action::offer(at(62_000 + 500 * i64::from(turn), 60)), Some(Message::from(words(turn).as_str())))
        });
        let (heard, steady) = (asked(&game), asks(Behaviour::Steady, &[500], None));
        assert_eq!(heard[8] <= steady[8] + 1e-9, trusts, "{}", words(1));
    };
    check(&|turn| format!("We offer ${}.", 62_000 + 500 * i64::from(turn)), true);
    check(&|turn| format!("We offer ${}.", 61_000 + 500 * i64::from(turn)), false);
    check(&|_| "Our limit is $62,100, since our costs have risen.".into(), false);
    check(&|_| "Our limit is $99,100, since our costs have risen.".into(), true);
    check(&|_| "This is our final offer.".into(), false);
    check(&|_| "We have another offer.".into(), false);
}

/// In every listening family good words gain an agent more than silence, and insults less: the same concessions, paired over
/// drawn counterparts, both seats.
#[test]
fn talk_matters_where_counterparts_listen() {
    let gain = |seat: Seat, index: u64, policy: &Policy, words: Option<&str>| {
        let mut tactic = Tactic::TimeDependent(TimeDependent {
            exponent: 1.0,
            initial: 0.12,
            last: 0.005,
            selection: Selection::TakeOver,
        });
        let mut unused = zopa_envs::StreamKey::new("test", &[]).lazy(0);
        let game = meet(against(seat, index, policy.clone(), Voice::Taciturn), |_, view| {
            (tactic.act(view, &mut unused), words.map(Message::from))
        });
        let agreed = game.outcome().and_then(|outcome| outcome.agreement()).cloned();
        agreed.map_or(0.0, |offer| game.scenario().types[seat.index()].gain(&offer))
    };
    for (position, ear) in EARS.into_iter().enumerate() {
        let (mut total, mut better, mut worse) = ([0.0; 3], 0, 0);
        for index in 0..200 {
            let mut stream = drawing(index);
            let policy = Policy::Conceding {
                course: course(&mut stream),
                behaviour: behaviours(&mut stream)[6 + position].clone(),
            };
            let seat = Seat::BOTH[(index % 2) as usize];
            let gains = [Some(good(ear)), None, Some(INSULT)].map(|words| gain(seat, index, &policy, words));
            total.iter_mut().zip(gains).for_each(|(total, gain)| *total += gain);
            better += i32::from(gains[0] > gains[1]) - i32::from(gains[0] < gains[1]);
            worse += i32::from(gains[2] < gains[1]) - i32::from(gains[2] > gains[1]);
        }
        assert!(total[0] > total[1] && total[1] > total[2], "{ear:?}: {total:?}");
        assert!(better > 100 && worse > 100, "{ear:?}: {better} {worse}");
    }
}

/// An agent that offers, passes, accepts or speaks at random.
fn anything(stream: &mut zopa_envs::Stream, view: &PartyView<'_>) -> (Action, Option<Message>) {
    let action = match stream.below(8) {
        0 => Action::Pass,
        1 if view.standing().is_some() => Action::Accept,
        _ => Action::offer(Offer::new(&[stream.below(8_001) as u32, stream.below(10) as u32])),
    };
    let words = ["", INSULT, "Our costs have risen.", "Our limit is $70,000.", "Thank you, we see your point."];
    (action, Some(Message::from(words[stream.below(5) as usize])))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_family_accepts_less_than_its_last_aspiration_or_offers_a_loss(index in 0_u64..1 << 40, deadline in 1_u16..40) {
        let mut stream = drawing(index);
        for behaviour in behaviours(&mut stream) {
            let course = course(&mut stream);
            let last = course.last;
            let policy = Policy::Conceding { course, behaviour };
            let mut scenario = against(Seat::BOTH[(index % 2) as usize], index, policy, Voice::Taciturn);
            let other = scenario.seat.other();
            scenario.types[other.index()].deadline = Some(deadline).filter(|deadline| *deadline < 20);
            let game = meet(scenario, |_, view| anything(&mut stream, view));
            let party = &game.scenario().types[other.index()];
            for made in game.history().iter().filter(|made| made.seat == other) {
                prop_assert!(made.offer().is_none_or(|offer| party.gain(offer) > 0.0));
            }
            if let Ending::Agreement { offer, by } = &game.outcome().unwrap().ending && *by == other {
                prop_assert!(party.gain(offer) >= last * party.yardstick, "{policy:?}", policy = game.scenario().counterpart);
            }
            if let Some(deadline) = party.deadline {
                prop_assert!(game.history().iter().all(|made| made.round <= deadline));
            }
        }
    }

    #[test]
    fn speech_changes_no_action_and_a_clone_plays_on_alike(index in 0_u64..1 << 40) {
        let mut stream = drawing(index);
        let voices = voices(&mut stream);
        for behaviour in behaviours(&mut stream) {
            let policy = Policy::Conceding { course: course(&mut stream), behaviour };
            let seed = stream.bits();
            let acts = |voice: &Voice, speech: bool, fork: bool| {
                let mut scenario = against(Seat::BOTH[(index % 2) as usize], index, policy.clone(), voice.clone());
                scenario.public.speech = speech;
                let mut own = drawing(seed);
                let mut game = meet(scenario, |_, view| anything(&mut own, view));
                if fork {
                    game = game.clone();
                }
                game.history().iter().map(|made| made.act.clone()).collect::<Vec<_>>()
            };
            let silent = acts(&Voice::Taciturn, false, false);
            for voice in &voices {
                prop_assert_eq!(&acts(voice, true, false), &silent);
            }
        }
    }
}

#[test]
fn a_clone_in_mid_negotiation_answers_as_the_original() {
    for index in 0..50 {
        let mut stream = drawing(index);
        for behaviour in behaviours(&mut stream) {
            let policy = Policy::Conceding { course: course(&mut stream), behaviour };
            let mut scenario = against(Seat::Buyer, index, policy, Voice::Candid { frequency: 0.5, disclosure: 0.2 });
            scenario.public.speech = true;
            let mut game = Negotiation::new(scenario, [false; 2]);
            while game.outcome().is_none() {
                if game.turn() == Seat::Buyer {
                    let turn = game.view(Seat::Buyer).round;
                    game.submit(price(turn, 200), None, Some(Message::from("Our costs have risen.")));
                    continue;
                }
                let mut copy = game.clone();
                let replies = [&mut game, &mut copy].map(|game| {
                    let (counterpart, view) = game.counterpart().unwrap();
                    counterpart.act(&view)
                });
                assert_eq!(replies[0], replies[1]);
                let [reply, _] = replies;
                game.submit(reply.action, None, reply.message);
            }
        }
    }
}
