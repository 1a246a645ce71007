//! Rubinstein's split on discounted domains: what two players who know everything should agree, found by backward induction
//! through the game itself and compared with theory.

use std::sync::Arc;
use zopa_envs::theory::AlternatingOffers;
use zopa_envs::{Action, Division, DivisionGame, DivisionMove, DivisionRules, EpisodeScores, Negotiation, Scenario};

/// A pie of so many slices, each worth a point to both.
const SLICES: u32 = 100;

fn pie() -> Division {
    Division::new(&[Arc::from("slices")], &[SLICES], [&[1], &[1]], 0.0).unwrap()
}

fn keep(slices: u32) -> DivisionMove {
    DivisionMove::Keep([slices].into_iter().collect())
}

/// Returns where the offer of turn `turn` (from 0) that leaves its proposer `slices` is agreed to in the next.
fn agreed(rules: DivisionRules, turn: u16, slices: u32) -> [f64; 2] {
    let mut game = DivisionGame::new(&pie(), rules).unwrap();
    for _ in 0..turn {
        game.make(&keep(SLICES)).unwrap();
    }
    game.make(&keep(slices)).unwrap();
    game.make(&DivisionMove::Agree).unwrap();
    game.returns()
}

/// The opener's share of the pie under subgame-perfect play of the division game.
fn opener_share(rules: DivisionRules) -> f64 {
    // What each side has if the game reaches a turn with the last offer refused; nothing after the last.
    let mut refused = [0.0; 2];
    for turn in (0..rules.max_turns - 1).rev() {
        let proposer = usize::from(turn % 2);
        let other = 1 - proposer;
        let accepted =
            (0..=SLICES).map(|slices| agreed(rules, turn, slices)).filter(|returns| returns[other] >= refused[other]);
        refused = accepted.max_by(|a, b| a[proposer].total_cmp(&b[proposer])).unwrap();
    }
    refused[0] / f64::from(SLICES)
}

#[test]
fn where_each_turn_of_delay_costs_both_the_opener_gets_rubinstein_s_share() {
    for discount in [0.5, 0.7, 0.9] {
        for max_turns in [2, 3, 6, 9] {
            let rules = DivisionRules { max_turns, discount, end: 0.0 };
            // The last turn can only agree, so one offer fewer than turns can become a deal.
            let theory =
                AlternatingOffers::new(discount, discount).unwrap().opener_share_within(u32::from(max_turns) - 1);
            let found = opener_share(rules);
            // Each step back rounds by up to a slice.
            let tolerance = f64::from(max_turns) / f64::from(SLICES);
            assert!((found - theory).abs() <= tolerance, "{discount} over {max_turns} turns: {found}, not {theory}");
        }
        let far = opener_share(DivisionRules { max_turns: 40, discount, end: 0.0 });
        let rubinstein = AlternatingOffers::new(discount, discount).unwrap().opener_share();
        // Rounding shrinks with the discounts on the way: at most a slice / (1 - discount).
        assert!(
            (far - rubinstein).abs() <= 1.0 / f64::from(SLICES) / (1.0 - discount),
            "{discount}: {far}, not {rubinstein}"
        );
    }
}

/// Discounted gains, buyer first, where the offer of turn `turn` that leaves its proposer `slices` is accepted in the next, played
/// through the negotiation and scored.
fn settled(scenario: &Scenario, turn: u16, slices: u32) -> [f64; 2] {
    let mut negotiation = Negotiation::new(scenario.clone(), [false; 2]);
    for offered in (0..turn).map(|_| SLICES).chain([slices]) {
        let seat = negotiation.turn();
        let offer = pie().offer(seat, &[offered]).unwrap();
        negotiation.submit(Action::offer(offer), None, None);
    }
    negotiation.submit(Action::Accept, None, None);
    let outcome = negotiation.outcome().expect("an accepted offer ends it").clone();
    let scores = EpisodeScores::of(scenario, None, negotiation.log(), &outcome);
    [scores.gain, scores.counterpart_gain]
}

#[test]
fn a_gain_shrinks_with_its_reservation_value_by_the_discount_to_the_power_of_normalised_time() {
    let mut scenario = pie().scenario("pie", 5);
    scenario.public.discount = [0.25, 0.81];
    scenario.types[0].disagreement = 20.0;
    // Accepted in round 2 of 0 to 4: t = 1/2. The buyer keeps 60 and has 20 without a deal.
    let [buyer, supplier] = settled(&scenario, 4, 60);
    assert!((buyer - (60.0 - 20.0) * 0.5).abs() < 1e-12 && (supplier - 40.0 * 0.9).abs() < 1e-12, "{buyer} {supplier}");
}

/// The clock of stacked alternating offers goes by rounds: both actions of a round count at the same progress. The answering
/// side's own counter-offer is taken up a round later, while the opener may refuse it and propose anew in the same round, so
/// waiting costs only the side that answers: Rubinstein's split with an opener who does not discount leaves it nothing.
#[test]
fn where_delay_is_counted_by_rounds_only_the_side_that_answers_pays_for_it() {
    let (rounds, discount) = (20_u16, 0.5_f64);
    let mut scenario = pie().scenario("pie", rounds);
    scenario.public.discount = [discount; 2];
    let mut refused = [0.0; 2];
    // The last turn can only accept.
    for turn in (0..2 * rounds - 1).rev() {
        let proposer = usize::from(turn % 2);
        let deals = (0..=SLICES).map(|slices| settled(&scenario, turn, slices));
        let accepted = deals.filter(|gains| gains[1 - proposer] >= refused[1 - proposer]);
        refused = accepted.max_by(|a, b| a[proposer].total_cmp(&b[proposer])).unwrap();
    }
    assert_eq!(refused, [f64::from(SLICES), 0.0]);
    let patient = AlternatingOffers::new(1.0 - 1e-12, discount).unwrap().opener_share();
    assert!((patient - 1.0).abs() < 1e-9);
}
