//! What counterparts say: the law that defines each voice, held against the game and against the parser.

mod families;
mod scenes;

use families::{against, behaviours, course, drawing, meet, voices};
use std::collections::BTreeSet;
use zopa_envs::counterpart::{CLOSE_GAP, Policy, Said, Truth, Voice};
use zopa_envs::message::{Interval, Stance, Statement};
use zopa_envs::{Act, Action, IssueRole, Money, Negotiation, Offer, Seat, Value};

/// Spoken games of each behaviour with `voice`: the agent concedes evenly and never accepts.
fn spoken(voice: &Voice, cases: u64) -> Vec<Negotiation> {
    let mut games = Vec::new();
    for index in 0..cases {
        let mut stream = drawing(index);
        for behaviour in behaviours(&mut stream) {
            let policy = Policy::Conceding { course: course(&mut stream), behaviour };
            let seat = Seat::BOTH[(index % 2) as usize];
            let mut scenario = against(seat, index, policy, voice.clone());
            scenario.public.speech = true;
            scenario.types[seat.other().index()].deadline = (index % 3 == 0).then_some(12);
            let towards = if seat == Seat::Buyer { 1 } else { -1 };
            let step = stream.below(300) as i64 - 50;
            games.push(meet(scenario, |turn, view| {
                let start = if view.seat == Seat::Buyer { 86_000 } else { 110_000 };
                (Action::offer(scenes::at(start + towards * step / 10 * 10 * i64::from(turn), 60)), None)
            }));
        }
    }
    games
}

/// Every message's statements with their truth, beside the number of moves before it.
fn sayings(game: &Negotiation) -> Vec<(usize, &Said)> {
    let other = game.scenario().seat.other();
    let moves = game.history().iter().enumerate().filter(|(_, made)| made.seat == other).map(|(at, _)| at);
    let said = game.scenario().counterpart.as_ref().unwrap().said();
    assert_eq!(moves.clone().count(), said.len());
    moves.zip(said).collect()
}

/// The gap between the counterpart's offer at move `at` and the agent's offer before it, as a share of its yardstick.
fn gap(game: &Negotiation, at: usize) -> Option<f64> {
    let other = game.scenario().seat.other();
    let party = &game.scenario().types[other.index()];
    let standing = game.history()[..at].iter().rev().find(|made| made.seat != other)?.offer()?;
    Some((party.gain(game.history()[at].offer()?) - party.gain(standing)) / party.yardstick)
}

/// The speaker's price for a gain of nothing with the terms of `offer`.
fn reservation(game: &Negotiation, seat: Seat, offer: &Offer) -> f64 {
    let space = &game.scenario().public.space;
    let price = space.role(IssueRole::Price).unwrap();
    let party = &game.scenario().types[seat.index()];
    let Value::Money(offered) = space.issues()[price].value(offer.get(price)) else { panic!("no price") };
    let sign = if seat == Seat::Supplier { 1.0 } else { -1.0 };
    offered.as_major() - sign * party.gain(offer)
}

/// Each cue that can be checked from outside with whether it holds; whether the counterpart means to move it alone knows.
fn checked(game: &Negotiation, at: usize, statement: &Statement) -> Option<bool> {
    let other = game.scenario().seat.other();
    let private = game.scenario().types[other.index()].deadline;
    match statement {
        Statement::Stance(Stance::Close) => gap(game, at).map(|gap| gap <= CLOSE_GAP),
        Statement::Stance(Stance::Far) => gap(game, at).map(|gap| gap > CLOSE_GAP),
        Statement::Limit(Some(Interval { low: Money(stated), .. })) => {
            let offer = game.history()[at].offer()?;
            Some((Money(*stated).as_major() - reservation(game, other, offer)).abs() < 10.0)
        }
        Statement::OutsideOption(Some(Interval { low, .. })) => {
            let status_quo = game.scenario().public.status_quo.as_ref()?;
            Some((low.as_major() - reservation(game, other, status_quo)).abs() < 10.0)
        }
        Statement::Deadline(Some(zopa_envs::message::Due::Rounds(rounds))) => {
            let last = private.unwrap_or(game.scenario().public.rounds);
            Some(u32::from(last - game.history()[at].round) == *rounds)
        }
        _ => None,
    }
}

#[test]
fn every_message_reads_back_as_what_was_stated_and_speech_off_says_nothing() {
    let mut stream = drawing(7);
    for voice in voices(&mut stream) {
        for game in spoken(&voice, 12) {
            for (at, said) in sayings(&game) {
                let message = game.history()[at].message.as_ref().expect("a spoken scenario");
                let mut read: Vec<_> = message.parsed().claims.iter().map(|claim| claim.statement.clone()).collect();
                let mut stated: Vec<_> = said.stated.iter().map(|(statement, _)| statement.clone()).collect();
                // A phrase may say one thing twice.
                read.sort();
                read.dedup();
                stated.sort();
                assert_eq!(read, stated, "{}", message.text());
            }
        }
    }
    let mut stream = drawing(7);
    let policy = Policy::Conceding { course: course(&mut stream), behaviour: behaviours(&mut stream)[0].clone() };
    let game = meet(against(Seat::Buyer, 0, policy, Voice::Pressuring { frequency: 1.0 }), |_, _| (Action::Pass, None));
    assert!(game.history().iter().all(|made| made.message.is_none()));
    assert!(game.scenario().counterpart.as_ref().unwrap().said().is_empty());
}

#[test]
fn the_terms_said_are_those_of_the_offer() {
    for game in spoken(&Voice::Taciturn, 4) {
        for (at, said) in sayings(&game) {
            assert!(said.stated.iter().all(|(_, truth)| *truth == Truth::True));
            if let Act::Offer { offer, .. } = &game.history()[at].act {
                let price = Money(6_000_000 + 1_000 * i64::from(offer.get(0)));
                assert_eq!(
                    said.stated.iter().map(|(statement, _)| statement.clone()).collect::<Vec<_>>(),
                    [
                        Statement::Price(Interval::exact(price)),
                        Statement::PaymentDays(Interval::exact(10 * offer.get(1)))
                    ]
                );
            }
        }
    }
}

/// Plays `voice` and returns how often each checked cue held and did not; the recorded truth agrees with the check.
fn check(voice: &Voice) -> [usize; 2] {
    let mut counts = [0; 2];
    for game in spoken(voice, 40) {
        for (at, said) in sayings(&game) {
            for (statement, truth) in &said.stated {
                if let Some(holds) = checked(&game, at, statement) {
                    assert_eq!(*truth, Truth::from(holds), "{statement:?} in {said:?}");
                    counts[usize::from(!holds)] += 1;
                }
            }
        }
    }
    counts
}

#[test]
fn a_candid_counterparts_cues_are_true_and_an_adversarial_ones_false() {
    let candid = Voice::Candid { frequency: 0.5, disclosure: 0.2 };
    let [held, failed] = check(&candid);
    assert!(held > 1_000 && failed == 0, "{held} {failed}");
    let adversarial = Voice::Adversarial { frequency: 0.5, disclosure: 0.2, inflation: 0.05 };
    let [held, failed] = check(&adversarial);
    assert!(held == 0 && failed > 1_000, "{held} {failed}");
    for (voice, wanted) in [(candid, Truth::True), (adversarial, Truth::False)] {
        for game in spoken(&voice, 10) {
            let cue = |statement: &Statement| matches!(statement, Statement::Stance(_) | Statement::Limit(_));
            let said = sayings(&game);
            let mut cues = said.iter().flat_map(|(_, said)| &said.stated).filter(|(statement, _)| cue(statement));
            assert!(cues.all(|(_, truth)| *truth == wanted));
        }
    }
}

#[test]
fn a_bluffing_counterparts_alternatives_are_invented_and_always_better_than_its_own() {
    let [_, failed] = check(&Voice::Bluffing { frequency: 0.5, inflation: 0.06 });
    assert!(failed > 1_000, "{failed}");
    for game in spoken(&Voice::Bluffing { frequency: 0.5, inflation: 0.06 }, 10) {
        let other = game.scenario().seat.other();
        let status_quo = game.scenario().public.status_quo.clone().unwrap();
        for (statement, truth) in sayings(&game).iter().flat_map(|(_, said)| &said.stated) {
            if let Statement::OutsideOption(Some(amount)) = statement {
                let better = amount.low.as_major() - reservation(&game, other, &status_quo);
                assert!(if other == Seat::Supplier { better > 4_000.0 } else { better < -4_000.0 });
                assert_eq!(*truth, Truth::False);
            }
        }
    }
}

#[test]
fn an_expressive_counterparts_feeling_follows_what_it_was_given() {
    use zopa_envs::message::Tone;
    for game in spoken(&Voice::Expressive { frequency: 1.0 }, 20) {
        let other = game.scenario().seat.other();
        let party = &game.scenario().types[other.index()];
        for (at, said) in sayings(&game) {
            let offers = game.history()[..at].iter().rev().filter(|made| made.seat != other);
            let gains: Vec<f64> =
                offers.filter_map(|made| made.offer()).take(2).map(|offer| party.gain(offer)).collect();
            let feels = |tone| said.stated.iter().any(|(statement, _)| *statement == Statement::Tone(tone));
            if matches!(game.history()[at].act, Act::Offer { .. }) && gains.len() == 2 {
                assert_eq!(feels(Tone::Acknowledging), gains[0] > gains[1]);
                assert_eq!(feels(Tone::Hostile), gains[0] < gains[1]);
                assert_eq!(feels(Tone::Pressing), gains[0] == gains[1]);
            }
        }
    }
}

#[test]
fn a_pressuring_counterparts_messages_read_as_requests_instructions_and_claims_of_approval() {
    let mut read = BTreeSet::new();
    for game in spoken(&Voice::Pressuring { frequency: 0.4 }, 10) {
        let spoken = game.history().iter().filter_map(|made| made.message.as_ref());
        for claim in spoken.flat_map(|message| &message.parsed().claims) {
            read.insert(claim.statement.kind().name());
        }
        for (statement, truth) in sayings(&game).iter().flat_map(|(_, said)| &said.stated) {
            if *statement == Statement::Approval {
                assert_eq!(*truth, Truth::False);
            }
        }
    }
    for kind in ["promise_request", "exception_request", "instruction", "approval", "tone"] {
        assert!(read.contains(kind), "no message reads as {kind}: {read:?}");
    }
}

#[test]
fn a_candid_counterpart_reads_like_this() {
    let games = spoken(&Voice::Candid { frequency: 0.6, disclosure: 0.1 }, 1);
    let other = games[3].scenario().seat.other();
    let lines = games[3]
        .history()
        .iter()
        .filter(|made| made.seat == other)
        .take(6)
        .map(|made| made.message.as_ref().map_or(String::new(), |message| message.text().replace('\n', " / ")));
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"));
}
