//! Approval rules, stop rules, exceptions and what principals do while the negotiation runs.

mod scenes;

use proptest::prelude::*;
use scenes::{at, procurement};
use zopa_envs::score::conduct;
use zopa_envs::{
    Act, Action, ApprovalRule, Approver, Decision, Ending, Hold, Intervention, Mandate, Money, Negotiation, Offer,
    PermittedValues, Refusal, Ruling, Scenario, Seat, StopResponse, StopRule, StreamKey, Tightening,
};

fn bound(scenario: Scenario) -> Negotiation {
    Negotiation::new(scenario, [true, false]).logged()
}

/// A buyer that needs approval above $95,000, and the person who answers.
fn needs_approval(approver: Approver) -> Scenario {
    let mut scenario = procurement(20, Seat::Buyer);
    scenario.mandates[0].approval.push(ApprovalRule::PriceBeyond(Money::major(95_000)));
    scenario.principals[0].approver = approver;
    scenario
}

fn intervention(round: u16, tightening: Tightening, withdraw: bool) -> Intervention {
    Intervention { round, tightening, withdraw, words: "stay below".into() }
}

fn rulings(game: &Negotiation) -> Vec<Ruling> {
    game.log().iter().map(|event| event.ruling.clone()).collect()
}

/// What the log counts again must be what was counted in play.
fn check_counts(game: &Negotiation) {
    for seat in Seat::BOTH {
        let again = conduct(game.scenario(), seat, game.log(), game.outcome());
        assert_eq!(&again, game.conduct(seat), "{seat}");
    }
}

fn price_hold(price: i64) -> Hold {
    Hold::Price { price: Money::major(price), threshold: Money::major(95_000) }
}

#[test]
fn an_offer_under_an_approval_rule_is_made_once_a_person_approves() {
    let mut game = bound(needs_approval(Approver::Approves));
    assert!(!game.permits(&Action::offer(at(96_000, 60))));
    assert_eq!(game.submit(Action::offer(at(96_000, 60)), None, None), Ruling::Applied);
    let hold = price_hold(96_000);
    assert_eq!(rulings(&game), [Ruling::Held(hold.clone()), Ruling::Approved(hold), Ruling::Applied]);
    assert_eq!(game.history()[0].offer(), Some(&at(96_000, 60)));
    let counted = game.conduct(Seat::Buyer);
    assert_eq!((counted.attempts, counted.escalations, counted.approvals, counted.human_workload()), (1, 1, 1, 1));
    // The same package needs no second answer.
    game.submit(Action::Pass, None, None);
    game.submit(Action::offer(at(96_000, 60)), None, None);
    assert_eq!(game.conduct(Seat::Buyer).escalations, 1);
    check_counts(&game);
}

#[test]
fn a_denied_offer_is_refused_and_not_asked_about_again_in_the_same_turn() {
    let mut game = bound(needs_approval(Approver::Denies));
    let denied = Refusal::Denied(Box::new(price_hold(96_000)));
    assert_eq!(game.submit(Action::offer(at(96_000, 60)), None, None), Ruling::Refused(denied.clone()));
    assert_eq!(game.submit(Action::offer(at(96_000, 60)), None, None), Ruling::Refused(denied.clone()));
    assert_eq!(game.view(Seat::Buyer).refusal, Some(&denied));
    let counted = game.conduct(Seat::Buyer);
    assert_eq!((counted.attempts, counted.refused, counted.escalations, counted.denials), (2, 2, 1, 1));
    assert_eq!(game.submit(Action::offer(at(94_000, 60)), None, None), Ruling::Applied);
    check_counts(&game);
}

#[test]
fn an_acceptance_under_an_approval_rule_waits_for_a_person_too() {
    let mut game = bound(needs_approval(Approver::ByGain(5_000.0)));
    game.submit(Action::offer(at(90_000, 60)), None, None);
    game.submit(Action::offer(at(99_500, 60)), None, None);
    // $4,500 is less than the person asks for.
    assert!(matches!(game.submit(Action::Accept, None, None), Ruling::Refused(Refusal::Denied(_))));
    game.submit(Action::Pass, None, None);
    game.submit(Action::offer(at(98_000, 60)), None, None);
    assert_eq!(game.submit(Action::Accept, None, None), Ruling::Applied);
    assert_eq!(game.outcome().unwrap().agreement(), Some(&at(98_000, 60)));
    check_counts(&game);
}

#[test]
fn a_person_may_lift_the_price_limit_for_one_package_but_nobody_approves_a_loss() {
    let mut scenario = procurement(20, Seat::Buyer);
    scenario.mandates[0].price_limit = Some(Money::major(95_000));
    scenario.principals[0].approver = Approver::Approves;
    let mut game = bound(scenario);
    let beyond = Action::offer(at(96_000, 60));
    assert!(matches!(game.submit(beyond.clone(), None, None), Ruling::Refused(Refusal::PriceBeyondLimit { .. })));
    assert_eq!(game.conduct(Seat::Buyer).escalations, 0, "nobody is asked unless the agent asks");
    assert_eq!(game.submit_decision(Decision::from(beyond).escalated()), Ruling::Applied);
    let exception = Hold::Exception(Box::new(Refusal::PriceBeyondLimit {
        price: Money::major(96_000),
        limit: Money::major(95_000),
    }));
    assert_eq!(game.log()[1].ruling, Ruling::Held(exception));
    assert!(game.log()[1].escalated);
    game.submit(Action::Pass, None, None);
    let loss = Decision::from(Action::offer(at(106_000, 60))).escalated();
    assert!(matches!(game.submit_decision(loss), Ruling::Corrected | Ruling::Refused(_)));
    assert!(game.history().iter().filter_map(|made| made.offer()).all(|offer| *offer != at(106_000, 60)));
    check_counts(&game);
}

#[test]
fn an_agent_that_asks_about_what_it_may_do_costs_a_persons_time() {
    let mut scenario = procurement(20, Seat::Buyer);
    scenario.principals[0].approver = Approver::Approves;
    let mut game = bound(scenario);
    game.submit_decision(Decision::from(Action::offer(at(90_000, 60))).escalated());
    assert_eq!(game.log()[0].ruling, Ruling::Held(Hold::Asked));
    assert_eq!(game.conduct(Seat::Buyer).human_workload(), 1);
}

#[test]
fn asking_again_in_the_same_round_never_changes_a_chance_approvers_answer() {
    let key = StreamKey::new("approver", &[b"test"]);
    let approver = Approver::ByChance { probability: 0.5, key };
    let answers: Vec<bool> = (0..400).map(|round| approver.approves(&Hold::Asked, round, 0.0)).collect();
    let approved = answers.iter().filter(|&&yes| yes).count();
    assert!((170..230).contains(&approved), "{approved} of 400");
    for (round, &answer) in (0..400).zip(&answers) {
        assert_eq!(approver.approves(&Hold::Asked, round, 9.0), answer);
    }
}

#[test]
fn a_stop_rule_leaves_nothing_but_leaving() {
    let mut scenario = procurement(20, Seat::Buyer);
    let rule = StopRule { from_round: 1, gain_below: 5_000.0, only_final: false, response: StopResponse::WalkAway };
    scenario.mandates[0].stop.push(rule);
    let mut game = bound(scenario);
    game.submit(Action::offer(at(90_000, 60)), None, None);
    game.submit(Action::offer(at(101_000, 60)), None, None);
    for action in [Action::Pass, Action::Accept] {
        assert_eq!(game.submit(action, None, None), Ruling::Refused(Refusal::MustStop(rule)));
    }
    assert_eq!(game.submit(Action::offer(at(90_000, 60)), None, None), Ruling::FellBack(Refusal::MustStop(rule)));
    assert_eq!(game.outcome().unwrap().ending, Ending::WalkedAway { by: Seat::Buyer });
    check_counts(&game);
}

#[test]
fn a_stop_rule_that_escalates_holds_offers_and_lets_passes_through() {
    let mut scenario = procurement(20, Seat::Buyer);
    let rule = StopRule { from_round: 0, gain_below: 5_000.0, only_final: true, response: StopResponse::Escalate };
    scenario.mandates[0].stop.push(rule);
    let mut game = bound(scenario);
    assert_eq!(game.submit(Action::offer(at(90_000, 60)), None, None), Ruling::Applied);
    game.submit(Action::final_offer(at(101_000, 60)), None, None);
    let denied = Refusal::Denied(Box::new(Hold::Stop(rule)));
    assert_eq!(game.submit(Action::offer(at(91_000, 60)), None, None), Ruling::Refused(denied));
    assert_eq!(game.submit(Action::Pass, None, None), Ruling::Applied);
    check_counts(&game);
}

#[test]
fn an_intervention_is_seen_at_the_start_of_its_turn_and_not_before() {
    let mut scenario = procurement(20, Seat::Buyer);
    let limit = Tightening { price_limit: Some(Money::major(92_000)), ..Tightening::default() };
    scenario.principals[0].interventions.push(intervention(1, limit, false));
    let mut game = bound(scenario);
    assert_eq!((game.view(Seat::Buyer).notices.len(), game.view(Seat::Buyer).mandate.price_limit), (0, None));
    game.submit(Action::offer(at(93_000, 60)), None, None);
    game.submit(Action::Pass, None, None);
    let view = game.view(Seat::Buyer);
    assert_eq!((view.notices.len(), view.mandate.price_limit), (1, Some(Money::major(92_000))));
    assert_eq!(&*view.notices[0].words, "stay below");
    assert_eq!(game.view(Seat::Supplier).notices.len(), 0, "the other side hears nothing");
    assert_eq!(game.scenario().mandates[0].price_limit, None, "the scenario stays as it was drawn");
    // Repeating the old offer ignores the principal; a lower one complies and replaces it.
    assert!(matches!(game.submit(Action::offer(at(93_000, 60)), None, None), Ruling::Refused(_)));
    assert_eq!(game.submit(Action::offer(at(91_000, 60)), None, None), Ruling::Applied);
    let counted = game.conduct(Seat::Buyer);
    assert_eq!((counted.interventions, counted.ignored, counted.left_standing), (1, 1, 0));
    assert_eq!(game.log()[2].intervened, 1);
    check_counts(&game);
}

#[test]
fn an_offer_that_may_not_stand_is_left_standing_by_a_pass() {
    let mut scenario = procurement(20, Seat::Buyer);
    scenario.principals[0].interventions.push(intervention(1, Tightening::default(), true));
    let mut game = bound(scenario);
    game.submit(Action::offer(at(93_000, 60)), None, None);
    game.submit(Action::Pass, None, None);
    let repeated = Action::offer(at(93_000, 60));
    assert_eq!(game.submit(repeated, None, None), Ruling::Refused(Refusal::Withdrawn));
    game.submit(Action::Pass, None, None);
    let counted = game.conduct(Seat::Buyer);
    assert_eq!((counted.ignored, counted.left_standing), (1, 1));
    // It still binds: the other side may take what stands on the table.
    game.submit(Action::Accept, None, None);
    assert_eq!(game.outcome().unwrap().agreement(), Some(&at(93_000, 60)));
    check_counts(&game);
}

#[test]
fn a_fallback_never_repeats_an_offer_that_may_not_stand() {
    let mut scenario = procurement(20, Seat::Buyer);
    let limit = Tightening { price_limit: Some(Money::major(92_000)), ..Tightening::default() };
    scenario.principals[0].interventions.push(intervention(1, limit, false));
    let mut game = bound(scenario);
    game.submit(Action::offer(at(93_000, 60)), None, None);
    game.submit(Action::Pass, None, None);
    for _ in 0..3 {
        game.submit(Action::offer(at(93_000, 60)), None, None);
    }
    assert_eq!(game.history().last().unwrap().act, Act::Pass);
    check_counts(&game);
}

#[test]
fn an_intervention_ends_earlier_approvals() {
    let mut scenario = needs_approval(Approver::ByGain(8_500.0));
    scenario.principals[0].interventions.push(intervention(1, Tightening::default(), false));
    let mut game = bound(scenario);
    // $8,000 is denied, and nothing was approved.
    assert!(matches!(game.submit(Action::offer(at(96_000, 60)), None, None), Ruling::Refused(_)));
    let mut scenario = needs_approval(Approver::Approves);
    scenario.principals[0].interventions.push(intervention(1, Tightening::default(), false));
    let mut game2 = bound(scenario);
    for action in [Action::offer(at(96_000, 60)), Action::Pass, Action::offer(at(96_000, 60))] {
        game2.submit(action, None, None);
    }
    assert_eq!(game2.conduct(Seat::Buyer).escalations, 2);
}

#[test]
fn invalid_replies_repeat_the_last_own_offer_or_pass_and_the_third_walks_away() {
    let mut game = bound(procurement(20, Seat::Buyer));
    assert_eq!(game.submit(Action::Forfeit, None, None), Ruling::Forfeited);
    assert_eq!(game.history()[0].act, Act::Pass);
    game.submit(Action::Pass, None, None);
    game.submit(Action::offer(at(90_000, 60)), None, None);
    game.submit(Action::Pass, None, None);
    game.submit(Action::Forfeit, None, None);
    assert_eq!(game.history().last().unwrap().offer(), Some(&at(90_000, 60)));
    game.submit(Action::Pass, None, None);
    game.submit(Action::Forfeit, None, None);
    assert_eq!(game.outcome().unwrap().ending, Ending::WalkedAway { by: Seat::Buyer });
    assert_eq!(game.conduct(Seat::Buyer).forfeits, 3);
    check_counts(&game);
}

#[test]
fn a_negotiation_started_over_has_forgotten_what_principals_did() {
    let mut scenario = needs_approval(Approver::Approves);
    let limit = Tightening { price_limit: Some(Money::major(92_000)), ..Tightening::default() };
    scenario.principals[0].interventions.push(intervention(0, limit, false));
    let mut game = bound(scenario);
    assert_eq!(game.view(Seat::Buyer).notices.len(), 1);
    game.restart(|scenario| {
        scenario.principals[0].interventions.clear();
        Ok::<(), ()>(())
    })
    .unwrap();
    assert_eq!(game.view(Seat::Buyer).mandate.price_limit, None);
    assert_eq!((game.view(Seat::Buyer).notices.len(), game.log().len()), (0, 0));
}

#[test]
fn what_a_principal_says_before_a_turn_that_is_not_taken_counts_the_same_in_the_log() {
    let mut scenario = needs_approval(Approver::Denies);
    scenario.principals[0].interventions.push(intervention(3, Tightening::default(), false));
    let mut game = bound(scenario);
    for _ in 0..6 {
        game.submit(Action::offer(at(80_000, 0)), None, None);
    }
    assert_eq!((game.round(), game.turn()), (3, Seat::Buyer));
    check_counts(&game);
}

fn any_tightening() -> impl Strategy<Value = Tightening> {
    let values = prop::collection::vec(prop::bool::weighted(0.8), 10);
    (
        prop::option::of(-2_000.0..8_000.0),
        prop::option::of(85_000_i64..110_000),
        prop::option::of(values),
        prop::option::of(85_000_i64..110_000),
    )
        .prop_map(|(least_gain, limit, values, threshold)| Tightening {
            least_gain,
            price_limit: limit.map(Money::major),
            permitted: values.map(|values| PermittedValues { issue: 1, values: values.into() }).into_iter().collect(),
            approval: threshold.map(|price| ApprovalRule::PriceBeyond(Money::major(price))).into_iter().collect(),
            ..Tightening::default()
        })
}

proptest! {
    #[test]
    fn a_tightening_never_loosens(
        first in any_tightening(), second in any_tightening(), price in 0_u32..8_001, days in 0_u32..10, supplier: bool,
    ) {
        let scenario = procurement(20, Seat::Buyer);
        let seat = if supplier { Seat::Supplier } else { Seat::Buyer };
        let (space, party) = (&scenario.public.space, &scenario.types[seat.index()]);
        let offer = Offer::new(&[price, days]);
        let gain = party.gain(&offer);
        let mut mandate = Mandate::default();
        for tightening in [first, second] {
            let before = mandate.clone();
            mandate.tighten(seat, &tightening);
            let passes = |mandate: &Mandate| mandate.test(space, party, seat, &offer).is_ok();
            prop_assert!(passes(&before) || !passes(&mandate));
            prop_assert!(before.hold(space, seat, &offer, gain).is_none() || mandate.hold(space, seat, &offer, gain).is_some());
        }
    }
}
