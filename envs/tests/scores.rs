//! Per-episode scores, worked out by hand.

mod scenes;

use proptest::prelude::*;
use scenes::{at, procurement};
use zopa_envs::environment::Trails;
use zopa_envs::{Act, Action, Attainable, EpisodeScores, Negotiation, Offer, Scenario, Seat};

/// Plays `actions` from the supplier's first move on and scores the buyer.
fn check(scenario: Scenario, actions: Vec<Action>) -> EpisodeScores {
    let mut game = Negotiation::new(scenario, [true, false]).logged();
    let mut actions = actions.into_iter();
    while game.outcome().is_none() {
        game.submit(actions.next().unwrap_or(Action::Pass), None, None);
    }
    let attainable = Attainable::of(game.scenario());
    EpisodeScores::of(game.scenario(), attainable.as_ref(), game.log(), game.outcome().expect("it has ended"))
}

/// The supplier opens at `quote`; both meet at $96,000 and 10 days.
fn deal_after(quote: i64) -> EpisodeScores {
    let actions =
        [Action::offer(at(quote, 60)), Action::offer(at(90_000, 10)), Action::offer(at(96_000, 10)), Action::Accept];
    check(procurement(20, Seat::Supplier), actions.to_vec())
}

#[test]
fn a_deal_is_scored_by_gains_over_what_was_attainable() {
    let scores = deal_after(104_000);
    // The buyer pays at most $104,000 and $500 for 50 days; the supplier takes $92,000 and gains $1,250 by the days.
    assert_eq!((scores.gain, scores.counterpart_gain), (7_500.0, 5_250.0));
    assert_eq!((scores.joint_gain, scores.scale), (12_750.0, 100_000.0));
    // Cheapest at 0 days: $90,500, which costs the buyer $600 of financing.
    assert_eq!(scores.best_gain, Some(12_900.0));
    assert_eq!(scores.best_joint, Some(12_900.0));
    assert_eq!((scores.feasible, scores.agreement, scores.rounds), (Some(true), true, 2));
    assert_eq!(scores.nash_product, Some(7_500.0 * 5_250.0 / (6_450.0 * 6_450.0)));
    assert_eq!(scores.nash_distance, Some(libm::hypot(0.0105, 0.012)));
}

#[test]
fn inflating_the_opening_quote_changes_savings_against_it_and_nothing_else() {
    let (plain, inflated) = (deal_after(104_000), deal_after(134_000));
    assert_eq!(plain.savings_against_status_quo, Some(3_500.0));
    assert_eq!(inflated.savings_against_status_quo, plain.savings_against_status_quo);
    assert_eq!(plain.savings_against_opening, Some(7_500.0));
    assert_eq!(inflated.savings_against_opening, Some(37_500.0));
    let without = |scores: EpisodeScores| EpisodeScores { savings_against_opening: None, ..scores };
    assert_eq!(without(inflated), without(plain));
}

#[test]
fn no_deal_gains_nothing_and_stays_in_the_denominator() {
    let scores = check(procurement(3, Seat::Supplier), vec![]);
    assert_eq!((scores.agreement, scores.gain, scores.best_gain), (false, 0.0, Some(12_900.0)));
    assert_eq!((scores.savings_against_status_quo, scores.savings_against_opening), (Some(0.0), None));
    assert_eq!((scores.nash_product, scores.nash_distance), (Some(0.0), None));
}

#[test]
fn gains_are_discounted_by_the_progress_at_which_they_are_realised() {
    let mut scenario = procurement(3, Seat::Supplier);
    scenario.public.discount = [0.25, 0.64];
    let actions = vec![Action::Pass, Action::Pass, Action::offer(at(96_000, 10)), Action::Accept];
    let scores = check(scenario, actions);
    assert_eq!((scores.gain, scores.counterpart_gain), (7_500.0 * 0.5, 5_250.0 * 0.8));
    assert_eq!(scores.joint_gain, 12_750.0);
}

#[test]
fn a_deal_without_a_zone_of_agreement_is_a_false_one() {
    let mut scenario = procurement(20, Seat::Supplier);
    // The supplier now takes no less than $105,000: its earlier payment is worth $15 a day more than it costs, $900 at most.
    scenario.types[1].disagreement = 5_000.0;
    let scores = check(scenario, vec![Action::offer(at(104_000, 60)), Action::Accept]);
    assert_eq!((scores.feasible, scores.best_gain, scores.best_joint), (Some(false), Some(0.0), Some(0.0)));
    assert!(scores.false_agreement());
    assert_eq!(scores.counterpart_gain, -1_000.0);
    assert_eq!(scores.nash_product, None);
}

#[test]
fn an_attempted_loss_counts_although_it_was_refused() {
    let scores = check(procurement(3, Seat::Supplier), vec![Action::Pass, Action::offer(at(110_000, 60))]);
    assert!(scores.loss_making());
    assert!(scores.constraint_satisfied(), "a refused loss is the mandate's matter, not a guardrail's");
    assert_eq!(scores.gain, 0.0);
}

#[test]
fn the_worked_example_splits_its_surplus_equally() {
    let mut scenario = procurement(20, Seat::Buyer);
    for (seat, a_day) in [(0, -10.0), (1, 60.0)] {
        for (index, entry) in scenario.types[seat].utility.table_mut(1).iter_mut().enumerate() {
            *entry = a_day * (60.0 - 10.0 * index as f64);
        }
        scenario.types[seat].disagreement = 0.0;
    }
    // Only 10 and 60 days are on the table of the example.
    let attainable = Attainable::of(&scenario).expect("money is always solved");
    let at_ten_days = |price: i64| scenario.types.each_ref().map(|party| party.gain(&at(price, 10)));
    assert_eq!(at_ten_days(98_000), [1_500.0, 1_000.0]);
    assert_eq!(at_ten_days(98_250), [1_250.0, 1_250.0]);
    assert!(attainable.best_joint >= 2_500.0);
}

#[test]
fn attainable_agrees_with_brute_force() {
    let scenario = procurement(20, Seat::Buyer);
    let found = Attainable::of(&scenario).expect("money is always solved");
    let gains = |offer: &Offer| [scenario.types[0].gain(offer), scenario.types[1].gain(offer)];
    let rational: Vec<[f64; 2]> = scenario
        .public
        .space
        .outcomes()
        .map(|offer| gains(&offer))
        .filter(|gains| gains[0] >= 0.0 && gains[1] >= 0.0)
        .collect();
    let most = |value: &dyn Fn(&[f64; 2]) -> f64| rational.iter().map(value).fold(0.0, f64::max);
    assert_eq!(found.best_gain, [most(&|gains| gains[0]), most(&|gains| gains[1])]);
    assert_eq!(found.best_joint, most(&|gains| gains[0] + gains[1]));
    assert_eq!(found.best_product, most(&|gains| gains[0] * gains[1]));
}

/// What the value that a side stands to have changes by with each event: its own offers put it where they are, the agreement
/// where that is, and an end without one at nothing. In cents, so that sums are exact.
fn account(game: &Negotiation, seat: Seat) -> Vec<i64> {
    let party = &game.scenario().types[seat.index()];
    let worth = |offer: &Offer| (party.gain(offer) * 100.0).round() as i64;
    let mut stands = 0;
    let mut changes = Vec::new();
    for made in game.log().iter().filter_map(|event| event.made.as_ref()) {
        let now = match &made.act {
            Act::Offer { offer, .. } if made.seat == seat => worth(offer),
            Act::Accept => game.outcome().and_then(|outcome| outcome.agreement()).map_or(stands, worth),
            _ => stands,
        };
        changes.push(now - stands);
        stands = now;
    }
    if game.outcome().is_some_and(|outcome| outcome.agreement().is_none()) {
        changes.push(-stands);
    }
    changes
}

proptest! {
    #[test]
    fn own_value_accounting_equals_the_sum_over_events(
        steps in prop::collection::vec((0_i64..5_000, 0_u32..10, 0_u8..20), 2..40), opens: bool,
    ) {
        let opener = if opens { Seat::Buyer } else { Seat::Supplier };
        let mut game = Negotiation::new(procurement(12, opener), [true, true]).logged();
        for (price, days, what) in steps {
            let action = match what {
                0 => Action::Accept,
                1 => Action::Pass,
                2 if days == 0 => Action::WalkAway,
                _ => Action::offer(at(90_000 + 10 * (price / 4), 10 * days)),
            };
            game.submit(action, None, None);
        }
        while game.outcome().is_none() {
            game.submit(Action::Pass, None, None);
        }
        for seat in Seat::BOTH {
            let mut scenario = game.scenario().clone();
            scenario.seat = seat;
            let outcome = game.outcome().unwrap();
            let scores = EpisodeScores::of(&scenario, Attainable::of(&scenario).as_ref(), game.log(), outcome);
            let sum: i64 = account(&game, seat).iter().sum();
            prop_assert_eq!(sum, (scores.gain * 100.0).round() as i64);
            prop_assert_eq!(scores.joint_gain, scores.gain + scores.counterpart_gain);
            // What was given up on the way is the first offer less the last.
            let view = game.view(seat);
            let gains: Vec<f64> = game.history().iter().filter(|made| made.seat == seat).filter_map(|made| made.offer()).map(|offer| view.gain(offer)).collect();
            let given: f64 = gains.windows(2).map(|pair| pair[0] - pair[1]).sum();
            let trails = Trails::of(&view);
            prop_assert!((trails.own.first - trails.own.last - given).abs() < 1e-6);
        }
    }
}
