//! Scripted tactics: their formulas, acceptance, and what they do within guardrails.

mod scenes;

use proptest::prelude::*;
use scenes::{at, procurement};
use zopa_envs::random::{LazyStream, StreamKey};
use zopa_envs::tactic::{
    AbsoluteTitForTat, AveragedTitForTat, Hardliner, Micro, RandomOffers, RelativeTitForTat, Selection, TimeDependent,
};
use zopa_envs::{
    Act, Action, CommonPrior, Grid, Issue, IssueRole, Mandate, Negotiation, Offer, OutcomeSpace, PartyType,
    PhaseBounds, PublicScenario, Refusal, Scenario, Seat, Tactic, Utility,
};

fn stream() -> LazyStream {
    StreamKey::new("test", &[b"tactics"]).lazy(0)
}

/// Three issues of three values: the buyer wants high values of the first, the supplier of the others; 27 outcomes.
fn tables(rounds: u16) -> Scenario {
    let issue = |name: &str| Issue {
        name: name.into(),
        role: IssueRole::Other,
        unit: "".into(),
        grid: Grid::Labels(["low", "middle", "high"].map(Into::into).into()),
    };
    let space = OutcomeSpace::new(["a", "b", "c"].map(issue).into()).expect("three named issues");
    let party = |tables: [[f64; 3]; 3], disagreement| {
        let mut utility = Utility::zero(&space);
        for (position, table) in tables.iter().enumerate() {
            utility.table_mut(position).copy_from_slice(table);
        }
        PartyType::of_tables(&space, utility, disagreement)
    };
    let types = [
        party([[0.0, 0.25, 0.5], [0.3, 0.1, 0.0], [0.2, 0.15, 0.0]], 0.1),
        party([[0.2, 0.1, 0.0], [0.0, 0.3, 0.45], [0.0, 0.05, 0.35]], 0.0),
    ];
    Scenario {
        types,
        public: PublicScenario {
            name: "tables".into(),
            space,
            status_quo: None,
            rounds,
            opener: Seat::Supplier,
            phases: PhaseBounds::default(),
            guardrails: None,
            hazard: 0.0,
            discount: [1.0, 1.0],
            prior: CommonPrior::Unknown,
            families: [].into(),
            speech: false,
        },
        mandates: [Mandate::default(), Mandate::default()],
        principals: Default::default(),
        seat: Seat::Buyer,
        counterpart: None,
        break_off: None,
    }
}

/// Every tactic with the same aspirations.
fn all(initial: f64, last: f64, selection: Selection) -> Vec<Tactic> {
    let timed = |exponent| Tactic::TimeDependent(TimeDependent { exponent, initial, last, selection });
    vec![
        timed(TimeDependent::BOULWARE),
        timed(TimeDependent::LINEAR),
        timed(TimeDependent::CONCEDER),
        Tactic::Hardliner(Hardliner { demand: initial, selection }),
        Tactic::RelativeTitForTat(RelativeTitForTat::new(initial, last, 1, selection)),
        Tactic::AbsoluteTitForTat(AbsoluteTitForTat::new(initial, last, 2, selection)),
        Tactic::AveragedTitForTat(AveragedTitForTat::new(initial, last, 3, selection)),
        Tactic::Micro(Micro::new(initial, last, 0.01, selection)),
        Tactic::Random(RandomOffers { least: last }),
    ]
}

/// The buyer's answers to the supplier's actions, one a round; the supplier opens and nobody is bound.
fn answers(scenario: Scenario, tactic: &mut Tactic, supplier: &[Action]) -> Vec<Action> {
    let mut game = Negotiation::new(scenario, [false; 2]);
    let mut stream = stream();
    let mut made = Vec::new();
    for action in supplier {
        game.submit(action.clone(), None, None);
        let answer = tactic.act(&game.view(Seat::Buyer), &mut stream);
        made.push(answer.clone());
        if matches!(answer, Action::Accept | Action::WalkAway) {
            break;
        }
        game.submit(answer, None, None);
    }
    made
}

fn prices(supplier: &[i64]) -> Vec<Action> {
    supplier.iter().map(|&price| Action::offer(at(price, 60))).collect()
}

#[test]
fn aspirations_follow_the_published_curve() {
    let check = |exponent: f64, [initial, last]: [f64; 2], t: f64, expected: f64| {
        let tactic = TimeDependent { exponent, initial, last, selection: Selection::OwnBest };
        assert!((tactic.aspiration(t, 1.0) - expected).abs() < 1e-12, "exponent {exponent} at {t}");
        assert!((tactic.aspiration(t, 250.0) - 250.0 * expected).abs() < 1e-9);
    };
    // 1 - t^5, 1 - t and 1 - t^(1/2) between a highest and a lowest utility.
    check(TimeDependent::BOULWARE, [1.0, 0.0], 0.5, 0.96875);
    check(TimeDependent::BOULWARE, [1.0, 0.0], 0.8, 0.67232);
    check(TimeDependent::BOULWARE, [0.9, 0.4], 0.9, 0.604755);
    check(TimeDependent::LINEAR, [1.0, 0.0], 0.3, 0.7);
    check(TimeDependent::LINEAR, [0.8, 0.2], 0.5, 0.5);
    check(TimeDependent::CONCEDER, [1.0, 0.0], 0.25, 0.5);
    check(TimeDependent::CONCEDER, [0.9, 0.1], 0.81, 0.18);
    for exponent in [0.02, 0.2, 1.0, 2.0, 5.0] {
        check(exponent, [0.9, 0.1], 0.0, 0.9);
        check(exponent, [0.9, 0.1], 1.0, 0.1);
    }
}

/// The buyer's reservation price is $104,000 at 60 days, so a first aspiration of 0.2 is a price of $83,200.
#[test]
fn tit_for_tat_answers_as_faratin_writes() {
    let check = |tactic: Tactic, supplier: &[i64], expected: &[i64]| {
        let expected: Vec<Action> = expected.iter().map(|&price| Action::offer(at(price, 60))).collect();
        assert_eq!(answers(procurement(20, Seat::Supplier), &mut tactic.clone(), &prices(supplier)), expected);
    };
    let own = Selection::TakeOver;
    let relative = |lag| Tactic::RelativeTitForTat(RelativeTitForTat::new(0.2, 0.0, lag, own));
    let absolute = |lag| Tactic::AbsoluteTitForTat(AbsoluteTitForTat::new(0.2, 0.0, lag, own));
    let averaged = |window| Tactic::AveragedTitForTat(AveragedTitForTat::new(0.2, 0.0, window, own));
    // 83,200 * 110,000 / 108,900 = 84,040.40; * 108,900 / 104,544 = 87,542.09.
    check(relative(1), &[110_000, 108_900, 104_540], &[83_200, 84_040, 87_540]);
    // Two steps ago: nothing to answer at first, then 83,200 * 110,000 / 108,900, whatever came since.
    check(relative(2), &[110_000, 108_900, 104_500], &[83_200, 83_200, 84_040]);
    check(absolute(1), &[110_000, 108_900, 104_540], &[83_200, 84_300, 88_660]);
    check(absolute(2), &[110_000, 108_900, 104_500], &[83_200, 83_200, 84_300]);
    // A retreat is answered by a retreat, no further than the first aspiration.
    check(absolute(1), &[110_000, 109_000, 109_400, 112_000], &[83_200, 84_200, 83_800, 83_200]);
    // 84,040.40 * (110,000 / 104,500)^(1/2) = 86,223.64.
    check(averaged(2), &[110_000, 108_900, 104_500], &[83_200, 84_040, 86_220]);
    check(averaged(1), &[110_000, 108_900, 104_540], &[83_200, 84_040, 87_540]);
    // Never below the last aspiration.
    check(absolute(1), &[140_000, 110_000], &[83_200, 104_000]);
}

#[test]
fn tit_for_tat_does_not_answer_a_pass() {
    let mut actions = prices(&[110_000, 109_000]);
    actions.extend([Action::Pass, Action::Pass]);
    for tactic in all(0.2, 0.0, Selection::TakeOver).into_iter().skip(4).take(3) {
        let made = answers(procurement(20, Seat::Supplier), &mut tactic.clone(), &actions);
        assert_eq!(made[1], made[3], "{tactic:?}");
    }
}

#[test]
fn micro_goes_one_place_down_for_each_new_offer_and_repeats_otherwise() {
    let scenario = tables(30);
    let gain = |action: &Action| match action {
        Action::Offer { terms, .. } => scenario.types[0].gain(&scenario.public.space.resolve(terms).unwrap()),
        _ => panic!("{action:?} is no offer"),
    };
    let best_first: Vec<f64> =
        scenario.types[0].order.as_ref().unwrap().utilities.iter().rev().map(|u| u - 0.1).collect();
    let mut micro = Tactic::Micro(Micro::new(1.0, 0.0, 0.01, Selection::OwnBest));
    // Three new offers, then the last again and again: the buyer gets one place ahead and stays there.
    let supplier = [[0, 2, 2], [1, 2, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]];
    let supplier = supplier.map(|indices| Action::offer(Offer::new(&indices)));
    let actions = answers(scenario.clone(), &mut micro, &supplier);
    let made: Vec<f64> = actions.iter().map(gain).collect();
    assert_eq!(made[..4], best_first[..4]);
    assert!((0..4).all(|place| actions[..place].iter().all(|earlier| *earlier != actions[place])));
    assert!(actions[4..].iter().all(|again| actions[..4].contains(again)), "{actions:?}");
}

#[test]
fn micro_accepts_what_is_worth_its_lowest_offer() {
    let mut micro = Tactic::Micro(Micro::new(1.0, 0.0, 0.01, Selection::OwnBest));
    // The buyer's gains: best 0.9, then 0.85.
    let supplier = [[0, 2, 2], [2, 0, 1]].map(|indices| Action::offer(Offer::new(&indices)));
    let made = answers(tables(30), &mut micro, &supplier);
    assert_eq!(made, [Action::offer(Offer::new(&[2, 0, 0])), Action::Accept]);
}

#[test]
fn micro_on_money_steps_down_a_ladder_of_stated_rungs() {
    let mut micro = Tactic::Micro(Micro::new(0.2, 0.19, 0.004, Selection::TakeOver));
    let made = answers(procurement(20, Seat::Supplier), &mut micro, &prices(&[110_000, 109_000, 108_000, 107_000]));
    // $104,000 less 20 %, 19.6 %, 19.2 % and, last, 19 %, to the grid of $10 on the buyer's side.
    let expected = [83_200, 83_610, 84_030, 84_240].map(|price| Action::offer(at(price, 60)));
    assert_eq!(made, expected);
}

#[test]
fn other_terms_come_from_where_the_selection_says() {
    let check = |selection, days| {
        let mut tactic = Tactic::Hardliner(Hardliner { demand: 0.2, selection });
        let made = answers(procurement(20, Seat::Supplier), &mut tactic, &[Action::offer(at(120_000, 20))]);
        assert!(
            matches!(&made[0], Action::Offer { terms, .. }
            if matches!(terms, zopa_envs::Terms::Offer(offer) if offer.get(1) == days)),
            "{made:?}"
        );
    };
    check(Selection::TakeOver, 2);
    // Paying late is worth most to the buyer.
    check(Selection::OwnBest, 9);
}

#[test]
fn who_would_lose_by_every_package_offers_none() {
    for mut tactic in all(0.2, 0.0, Selection::TakeOver) {
        let mut scenario = tables(10);
        scenario.types[0] = PartyType { disagreement: 2.0, ..scenario.types[0].clone() };
        let made = answers(scenario, &mut tactic, &[Action::offer(Offer::new(&[2, 0, 0])), Action::Pass]);
        assert_eq!(made, [Action::Pass, Action::Pass], "{tactic:?}");
    }
}

#[test]
fn a_side_leaves_at_its_own_deadline_and_concedes_by_it() {
    let mut scenario = procurement(20, Seat::Supplier);
    scenario.types[0].deadline = Some(5);
    let selection = Selection::TakeOver;
    let mut linear = Tactic::TimeDependent(TimeDependent { exponent: 1.0, initial: 0.25, last: 0.0, selection });
    let made = answers(scenario, &mut linear, &prices(&[110_000; 8]));
    let expected = [78_000, 84_500, 91_000, 97_500, 104_000].map(|price| Action::offer(at(price, 60)));
    assert_eq!(made, [&expected[..], &[Action::WalkAway]].concat());
}

fn seats() -> impl Strategy<Value = Seat> {
    prop_oneof![Just(Seat::Buyer), Just(Seat::Supplier)]
}

proptest! {
    #[test]
    fn aspirations_never_rise_and_stay_between_their_ends(
        exponent in 0.02..10.0, last in 0.0..0.5, more in 0.0..0.5, a in 0.0..=1.0, b in 0.0..=1.0,
    ) {
        let tactic = TimeDependent { exponent, initial: last + more, last, selection: Selection::OwnBest };
        let (early, late) = if a < b { (a, b) } else { (b, a) };
        prop_assert!(tactic.aspiration(early, 1.0) >= tactic.aspiration(late, 1.0));
        prop_assert!((last - 1e-12..=last + more + 1e-12).contains(&tactic.aspiration(a, 1.0)));
        let softer = TimeDependent { exponent: exponent * 1.5, ..tactic.clone() };
        prop_assert!(softer.aspiration(a, 1.0) <= tactic.aspiration(a, 1.0) + 1e-12);
    }

    /// The next offer is what the tactic answers once its acceptance was refused.
    #[test]
    fn what_is_accepted_is_worth_the_own_next_offer_and_no_loss(
        which in 0_usize..9, own_best: bool, initial in 0.05..0.3, share in 0.0..1.0, on_tables: bool, seed: u64,
    ) {
        let selection = if own_best { Selection::OwnBest } else { Selection::TakeOver };
        let initial = if on_tables { 4.0 * initial } else { initial };
        let mut tactic = all(initial, share * initial, selection)[which].clone();
        let scenario = if on_tables { tables(12) } else { procurement(12, Seat::Supplier) };
        let size = scenario.public.space.size() as u64;
        let mut game = Negotiation::new(scenario, [false; 2]);
        let mut offers = StreamKey::new("test", &[&seed.to_le_bytes()]).stream(0);
        let mut stream = stream();
        while game.outcome().is_none() {
            let offer = game.scenario().public.space.outcome(offers.below(size));
            game.submit(Action::offer(offer.clone()), None, None);
            let mut view = game.view(Seat::Buyer);
            let (mut again, mut same) = (tactic.clone(), stream.clone());
            let action = tactic.act(&view, &mut stream);
            let refusal = Refusal::NothingPasses;
            view.refusal = Some(&refusal);
            let standing = view.gain(&offer);
            let worth = |action: &Action| match action {
                Action::Offer { terms, .. } => view.gain(&view.public.space.resolve(terms).unwrap()),
                _ => f64::INFINITY,
            };
            match &action {
                Action::Accept => {
                    prop_assert!(standing >= 0.0);
                    if !matches!(tactic, Tactic::Micro(_)) {
                        prop_assert!(standing >= worth(&again.act(&view, &mut same)));
                    }
                }
                Action::Offer { .. } => {
                    prop_assert!(worth(&action) >= 0.0);
                    prop_assert!(matches!(tactic, Tactic::Micro(_)) || standing < worth(&action));
                }
                Action::Pass | Action::WalkAway | Action::Forfeit => prop_assert!(false, "{:?}", action),
            }
            game.submit(action, None, None);
        }
    }

    #[test]
    fn micro_concedes_only_to_offers_it_has_not_seen(pattern in prop::collection::vec(0_u64..27, 1..20)) {
        let scenario = tables(20);
        let mut game = Negotiation::new(scenario, [false; 2]);
        let mut micro = Tactic::Micro(Micro::new(1.0, 0.0, 0.01, Selection::OwnBest));
        let (mut seen, mut made): (Vec<u64>, Vec<Offer>) = (Vec::new(), Vec::new());
        let mut stream = stream();
        for rank in pattern {
            if game.outcome().is_some() {
                break;
            }
            game.submit(Action::offer(game.scenario().public.space.outcome(rank)), None, None);
            if !seen.contains(&rank) {
                seen.push(rank);
            }
            let action = micro.act(&game.view(Seat::Buyer), &mut stream);
            game.submit(action, None, None);
            if let Some(Act::Offer { offer, .. }) = game.history().last().map(|made| &made.act)
                && !made.contains(offer)
            {
                made.push(offer.clone());
            }
            prop_assert!(made.len() <= seen.len() + 1);
        }
    }

    #[test]
    fn guardrail_aware_tactics_never_fail_a_guardrail(
        which in 0_usize..9, own_best: bool, seat in seats(), initial in 0.02..0.4, rounds in 1_u16..40, seed: u64,
    ) {
        let selection = if own_best { Selection::OwnBest } else { Selection::TakeOver };
        let mut tactic = all(initial, 0.0, selection)[which].clone();
        let mut game = Negotiation::new(procurement(rounds, Seat::Buyer), [true; 2]);
        let mut offers = StreamKey::new("test", &[&seed.to_le_bytes()]).stream(0);
        let mut stream = stream();
        let mut price = 4_000_i64;
        while game.outcome().is_none() {
            if game.turn() != seat {
                price = (price + offers.below(400) as i64 - 200).clamp(0, 8_000);
                let days = offers.below(10) as u32;
                game.submit(Action::offer(Offer::new(&[price as u32, days])), None, None);
                continue;
            }
            let view = game.view(seat);
            let action = tactic.act_within(&view, &mut stream, view.least_gain());
            game.submit(action, None, None);
        }
        let conduct = game.conduct(seat);
        prop_assert_eq!(conduct.guardrail_violations() + conduct.refused + conduct.loss_attempted, 0, "{:?}", conduct);
    }
}
