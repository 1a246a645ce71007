//! Guardrails, mandate and the alternating-offers protocol, through the one implementation of the rules.

mod scenes;

use proptest::prelude::*;
use scenes::{at, procurement};
use zopa_envs::score::conduct;
use zopa_envs::{
    Act, Action, Ending, Faults, Money, Negotiation, Offer, PermittedValues, Refusal, Ruling, Scenario, Seat, Terms,
    Value,
};

/// A negotiation in which the buyer is bound and moves first.
fn bound(scenario: Scenario) -> Negotiation {
    Negotiation::new(scenario, [true, false]).logged()
}

/// Submits the buyer's offers with passes of the supplier between them; returns the last ruling and the last move.
fn check(offers: &[Offer], rounds: u16) -> (Ruling, Faults, Option<Offer>) {
    let mut game = bound(procurement(rounds, Seat::Buyer));
    for (index, offer) in offers.iter().enumerate() {
        if index > 0 {
            game.submit(Action::Pass, None, None);
        }
        game.submit(Action::offer(offer.clone()), None, None);
    }
    let event = game.log().last().expect("something was submitted").clone();
    let made = event.made.and_then(|made| made.offer().cloned());
    (event.ruling, event.faults, made)
}

// The buyer's yardstick S is its reservation price at 60 days, $104,000: 8 % of it is $8,320, 6 % $6,240, 3 % $3,120,
// 1 % $1,040; the floor is $15,600 above the reservation price.

#[test]
fn the_first_offer_skips_rate_and_phase() {
    let (ruling, faults, made) = check(&[at(103_000, 60)], 20);
    assert_eq!((ruling, faults, made), (Ruling::Applied, Faults::default(), Some(at(103_000, 60))));
}

#[test]
fn a_concession_beyond_the_rate_is_cut_to_it_with_the_same_other_terms() {
    let (ruling, faults, made) = check(&[at(80_000, 30), at(95_000, 60)], 20);
    assert_eq!(ruling, Ruling::Corrected);
    assert_eq!(faults, Faults { concession_rate: true, phase: true, ..Faults::default() });
    // At 60 days the buyer saves the $300 of early payment, so the price may rise by 8,320 + 300.
    assert_eq!(made, Some(at(88_620, 60)));
}

#[test]
fn the_stricter_of_rate_and_phase_holds() {
    // Opening: 10 % a move by phase, but 8 % by rate.
    let (_, faults, made) = check(&[at(80_000, 60), at(89_000, 60)], 20);
    assert_eq!(faults, Faults { concession_rate: true, ..Faults::default() });
    assert_eq!(made, Some(at(88_320, 60)));
    // One round only: the final phase from the start; 1 % a move.
    let mut game = bound(procurement(3, Seat::Buyer));
    for action in [Action::offer(at(80_000, 60)), Action::Pass, Action::Pass, Action::Pass] {
        game.submit(action, None, None);
    }
    game.submit(Action::offer(at(85_000, 60)), None, None);
    assert_eq!(game.log().last().unwrap().faults, Faults { phase: true, ..Faults::default() });
    assert_eq!(game.history().last().unwrap().offer(), Some(&at(81_040, 60)));
}

#[test]
fn a_concession_of_exactly_the_cap_passes() {
    let (ruling, _, _) = check(&[at(80_000, 60), at(88_320, 60)], 20);
    assert_eq!(ruling, Ruling::Applied);
}

#[test]
fn below_the_floor_every_failed_guardrail_counts_once_and_the_mandate_tests_the_correction() {
    let (ruling, faults, made) = check(&[at(125_000, 60)], 20);
    assert_eq!(ruling, Ruling::Corrected);
    assert_eq!(faults, Faults { floor: true, ..Faults::default() });
    // The nearest offer that passes both is the reservation price itself.
    assert_eq!(made, Some(at(104_000, 60)));
    let (_, faults, _) = check(&[at(80_000, 60), at(125_000, 60)], 20);
    assert_eq!(faults.count(), 3);
}

#[test]
fn a_loss_within_the_guardrails_is_refused_by_the_mandate_and_never_corrected() {
    let mut game = bound(procurement(20, Seat::Buyer));
    let loss = Action::offer(at(110_000, 60));
    let refusal = Refusal::GainBelowMandate { gain: -6_000.0, least: 0.0 };
    assert_eq!(game.submit(loss.clone(), None, None), Ruling::Refused(refusal.clone()));
    assert_eq!(game.view(Seat::Buyer).refusal, Some(&refusal));
    assert_eq!(game.submit(loss.clone(), None, None), Ruling::Refused(refusal.clone()));
    // The third refusal of a turn passes where there is no own offer to repeat.
    assert_eq!(game.submit(loss, None, None), Ruling::FellBack(refusal));
    assert_eq!(game.history().last().unwrap().act, Act::Pass);
    assert_eq!(game.turn(), Seat::Supplier);
    assert_eq!(game.conduct(Seat::Buyer).loss_attempted, 3);
}

#[test]
fn the_third_refusal_repeats_the_last_own_offer() {
    let mut game = bound(procurement(20, Seat::Buyer));
    game.submit(Action::offer(at(97_000, 60)), None, None);
    game.submit(Action::offer(at(120_000, 60)), None, None);
    for _ in 0..3 {
        game.submit(Action::Accept, None, None);
    }
    assert_eq!(game.history().last().unwrap().offer(), Some(&at(97_000, 60)));
    assert_eq!(game.conduct(Seat::Buyer).fallbacks, 1);
}

#[test]
fn an_acceptance_passes_floor_and_mandate() {
    let accept = |price: i64| {
        let mut game = bound(procurement(20, Seat::Supplier));
        game.submit(Action::offer(at(price, 60)), None, None);
        game.submit(Action::Accept, None, None)
    };
    assert_eq!(accept(104_000), Ruling::Applied);
    assert_eq!(accept(105_000), Ruling::Refused(Refusal::GainBelowMandate { gain: -1_000.0, least: 0.0 }));
    assert_eq!(accept(125_000), Ruling::Refused(Refusal::GainBelowMandate { gain: -21_000.0, least: 0.0 }));
    // Without a mandate's limit the floor still stops it; an acceptance is no proposal, so no guardrail counts it.
    let mut scenario = procurement(20, Seat::Supplier);
    scenario.mandates[0].least_gain = None;
    let mut game = bound(scenario);
    game.submit(Action::offer(at(125_000, 60)), None, None);
    assert_eq!(game.submit(Action::Accept, None, None), Ruling::Refused(Refusal::BelowFloor));
    assert_eq!(game.conduct(Seat::Buyer).guardrail_violations(), 0);
    assert_eq!(game.conduct(Seat::Buyer).loss_attempted, 1);
}

#[test]
fn scripted_counterparts_are_not_bound() {
    let mut game = bound(procurement(20, Seat::Supplier));
    assert_eq!(game.submit(Action::offer(at(60_000, 60)), None, None), Ruling::Applied);
}

#[test]
fn unreadable_terms_are_a_structural_fault_and_become_the_nearest_offer() {
    let mut game = bound(procurement(20, Seat::Buyer));
    let stated = Terms::Stated(vec![Some(Value::Money(Money(8_000_400))), None].into());
    assert_eq!(game.submit(Action::Offer { terms: stated, is_final: false }, None, None), Ruling::Corrected);
    assert_eq!(game.log()[0].faults, Faults::STRUCTURAL);
    // The missing payment days come from the buyer's own best package: as late as can be.
    assert_eq!(game.history()[0].offer(), Some(&at(80_000, 90)));
}

#[test]
fn a_mandate_limits_price_and_values() {
    let mut scenario = procurement(20, Seat::Buyer);
    scenario.mandates[0].price_limit = Some(Money::major(95_000));
    let values = (0..10).map(|index| index <= 6).collect();
    scenario.mandates[0].permitted = vec![PermittedValues { issue: 1, values }];
    let mut game = bound(scenario);
    let (price, limit) = (Money::major(96_000), Money::major(95_000));
    let ruling = game.submit(Action::offer(at(96_000, 60)), None, None);
    assert_eq!(ruling, Ruling::Refused(Refusal::PriceBeyondLimit { price, limit }));
    let ruling = game.submit(Action::offer(at(90_000, 70)), None, None);
    let refusal = Refusal::ValueNotPermitted { issue: "payment".into(), value: "70 days".into() };
    assert_eq!(ruling, Ruling::Refused(refusal));
    // A guardrail fault is corrected to what the mandate permits as well: of that, the least own gain is nearest.
    assert_eq!(game.submit(Action::offer(at(130_000, 80)), None, None), Ruling::Corrected);
    assert_eq!(game.history()[0].offer(), Some(&at(95_000, 0)));
}

#[test]
fn after_a_best_and_final_offer_another_offer_is_a_broken_commitment() {
    let mut game = bound(procurement(20, Seat::Buyer));
    for action in [
        Action::final_offer(at(95_000, 60)),
        Action::Pass,
        Action::offer(at(95_000, 60)),
        Action::Pass,
        Action::offer(at(96_000, 60)),
    ] {
        game.submit(action, None, None);
    }
    assert_eq!(game.conduct(Seat::Buyer).broken_finals, 1);
}

#[test]
fn a_commitment_is_broken_by_every_other_offer_and_by_a_pass_but_not_by_coming_back_to_it() {
    let broken = |after: &[Action]| {
        let mut game = bound(procurement(20, Seat::Buyer));
        game.submit(Action::final_offer(at(95_000, 60)), None, None);
        for action in after {
            game.submit(Action::Pass, None, None);
            game.submit(action.clone(), None, None);
        }
        game.conduct(Seat::Buyer).broken_finals
    };
    let (other, same) = (Action::offer(at(96_000, 60)), Action::offer(at(95_000, 60)));
    assert_eq!(broken(&[other.clone(), other.clone()]), 2);
    assert_eq!(broken(&[other, same]), 1);
    assert_eq!(broken(&[Action::Pass]), 1);
}

#[test]
fn what_software_puts_in_the_place_of_a_best_and_final_offer_is_not_final() {
    let mut game = bound(procurement(20, Seat::Buyer));
    for action in [Action::offer(at(80_000, 60)), Action::Pass, Action::final_offer(at(95_000, 60))] {
        game.submit(action, None, None);
    }
    assert_eq!(game.history().last().unwrap().act, Act::Offer { offer: at(88_320, 60), is_final: false });
    assert_eq!(game.conduct(Seat::Buyer).final_offer, None);
}

#[test]
fn a_round_is_one_action_by_each_side_and_time_runs_out_after_the_last() {
    let mut game = bound(procurement(2, Seat::Supplier));
    let turns: Vec<(Seat, u16)> = (0..4)
        .map(|_| {
            let at = (game.turn(), game.round());
            game.submit(Action::Pass, None, None);
            at
        })
        .collect();
    assert_eq!(turns, [(Seat::Supplier, 0), (Seat::Buyer, 0), (Seat::Supplier, 1), (Seat::Buyer, 1)]);
    assert_eq!(game.outcome().unwrap().ending, Ending::Deadline);
    let before = game.history().len();
    game.submit(Action::Pass, None, None);
    assert_eq!(game.history().len(), before, "nothing moves after the end");
}

#[test]
fn the_hazard_strikes_after_its_round() {
    let mut scenario = procurement(20, Seat::Buyer);
    scenario.break_off = Some(1);
    let mut game = bound(scenario);
    while game.outcome().is_none() {
        game.submit(Action::Pass, None, None);
    }
    assert_eq!((&game.outcome().unwrap().ending, game.history().len()), (&Ending::BrokenOff, 4));
}

#[test]
fn walking_away_ends_it_without_a_deal() {
    let mut game = bound(procurement(20, Seat::Buyer));
    game.submit(Action::WalkAway, None, None);
    assert_eq!(game.outcome().unwrap().ending, Ending::WalkedAway { by: Seat::Buyer });
}

fn any_action() -> impl Strategy<Value = Action> {
    let offer = (0_u32..8_200, 0_u32..11, any::<bool>()).prop_map(|(price, days, is_final)| Action::Offer {
        terms: Terms::Offer(Offer::new(&[price, days])),
        is_final,
    });
    prop_oneof![12 => offer, 1 => Just(Action::Accept), 1 => Just(Action::Pass)]
}

proptest! {
    #[test]
    fn conduct_counted_from_the_log_equals_conduct_counted_in_play(
        actions in prop::collection::vec(any_action(), 1..60),
    ) {
        let mut game = bound(procurement(15, Seat::Supplier));
        for action in actions {
            game.submit(action, None, None);
        }
        for seat in Seat::BOTH {
            prop_assert_eq!(&conduct(game.scenario(), seat, game.log(), game.outcome()), game.conduct(seat));
        }
    }

    #[test]
    fn a_log_survives_its_json(actions in prop::collection::vec(any_action(), 1..40), said in "[a-z]{0,9}") {
        let mut game = bound(procurement(10, Seat::Supplier));
        let stated = Terms::Stated(vec![None, Some(Value::Integer(30))].into());
        game.submit(Action::Offer { terms: stated, is_final: true }, None, None);
        for action in actions {
            game.submit(action, Some(zopa_envs::Intent::HoldFirm), Some(said.as_str().into()));
        }
        let json = serde_json::to_string(game.log()).unwrap();
        prop_assert_eq!(serde_json::from_str::<Vec<zopa_envs::Event>>(&json).unwrap(), game.log());
    }

    #[test]
    fn no_offer_that_passes_lies_nearer_in_own_utility_than_the_correction(
        first in 2_000_u32..4_000, price in 0_u32..8_001, days in 0_u32..10,
    ) {
        let scenario = procurement(20, Seat::Buyer);
        let (party, caps) = (scenario.types[0].clone(), scenario.public.guardrails.unwrap());
        let mut game = bound(scenario);
        game.submit(Action::offer(Offer::new(&[first, 6])), None, None);
        game.submit(Action::Pass, None, None);
        let previous = Some(party.gain(&Offer::new(&[first, 6])));
        let wanted = Offer::new(&[price, days]);
        if game.submit(Action::offer(wanted.clone()), None, None) == Ruling::Corrected {
            let made = game.history().last().unwrap().offer().unwrap().clone();
            let least = caps.least_gain(&party, zopa_envs::Phase::Opening, previous).max(0.0);
            let distance = |offer: &Offer| (party.gain(offer) - party.gain(&wanted)).abs();
            for nearer in (0..8_001).map(|index| Offer::new(&[index, days])) {
                prop_assert!(party.gain(&nearer) < least || distance(&nearer) >= distance(&made));
            }
        }
    }
}
