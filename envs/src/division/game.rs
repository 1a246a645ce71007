//! A division played move by move.

use super::{Counts, Division, DivisionError, MOST_TURNS, check_numbers, offer, resize, value_pool};
use crate::action::Action;
use crate::event::Ruling;
use crate::negotiation::Negotiation;
use crate::party::Seat;

/// What is kept of a type of which `held` lie in the pool, and the digits that are left of an offer's index: mixed-radix digits,
/// the first type varying fastest.
#[inline]
fn digit(left: u64, held: u32) -> (u32, u64) {
    // Narrow numbers divide faster, and nearly all pools have few divisions.
    match (u32::try_from(left), held.checked_add(1)) {
        (Ok(narrow), Some(radix)) => (narrow % radix, u64::from(narrow / radix)),
        _ => ((left % (u64::from(held) + 1)) as u32, left / (u64::from(held) + 1)),
    }
}

/// How many ways there are to divide a pool.
fn divisions(pool: &[u32]) -> u64 {
    pool.iter().map(|&count| u64::from(count) + 1).product()
}

/// The rules of a [`DivisionGame`]; the default is OpenSpiel's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DivisionRules {
    /// Actions by both sides together; the last of them can still agree to the offer before it.
    pub max_turns: u16,
    /// Both sides' returns are multiplied by this for each action after the second; in `(0, 1]`.
    pub discount: f64,
    /// Chance that the game ends without a deal after an offer, from the second action on; in `[0, 1)`.
    pub end: f64,
}

impl Default for DivisionRules {
    fn default() -> Self {
        Self { max_turns: 10, discount: 1.0, end: 0.0 }
    }
}

impl DivisionRules {
    fn check(self) -> Result<Self, DivisionError> {
        let fail = |rule, value, range| Err(DivisionError::Rule { rule, value, range });
        if !(1..=MOST_TURNS).contains(&self.max_turns) {
            return fail("max_turns", f64::from(self.max_turns), "1 to 20000");
        }
        if !(self.discount > 0.0 && self.discount <= 1.0) {
            return fail("the discount", self.discount, "a number above 0, at most 1");
        }
        if !(0.0..1.0).contains(&self.end) {
            return fail("the chance to end", self.end, "a number from 0 to below 1");
        }
        Ok(self)
    }
}

/// A move of a [`DivisionGame`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DivisionMove {
    /// Proposes to keep so many of each type, and leaves the rest to the other side.
    Keep(Counts),
    /// Takes the other side's last offer.
    Agree,
}

/// A division played move by move. The buyer is the first player. There is no pass and no walking away: a turn makes an offer
/// or agrees. Whether the game breaks off after an offer is for the caller to draw, with [`DivisionRules::end`].
#[derive(Clone, Debug)]
pub struct DivisionGame {
    pool: Counts,
    /// What an item of each type is worth, buyer first.
    values: [Counts; 2],
    divisions: u64,
    rules: DivisionRules,
    negotiation: Negotiation,
    offers: u16,
    factor: f64,
    broken_off: bool,
}

impl DivisionGame {
    /// Starts `division` under `rules`.
    ///
    /// # Errors
    /// Where a rule is out of range.
    pub fn new(division: &Division, rules: DivisionRules) -> Result<Self, DivisionError> {
        let rules = rules.check()?;
        let mut scenario = division.scenario("division", rules.max_turns.div_ceil(2));
        // Moves are given, never looked up by their worth.
        scenario.types.iter_mut().for_each(|party| party.order = None);
        let negotiation = Negotiation::new(scenario, [false; 2]);
        let (pool, values, divisions) = (division.pool.clone(), division.values.clone(), divisions(&division.pool));
        Ok(Self { pool, values, divisions, rules, negotiation, offers: 0, factor: 1.0, broken_off: false })
    }

    /// Starts over with another pool of as many types and what each side values an item at, buyer first, under the same rules
    /// and disagreement values. Everything is written over what was there, so that no memory is asked for once the largest pool
    /// has been met.
    ///
    /// # Errors
    /// Where there is not one entry for each type, or a type has more than [`super::MOST_OF_A_TYPE`] items; nothing has changed
    /// then.
    pub fn restart(&mut self, pool: &[u32], values: [&[u32]; 2]) -> Result<(), DivisionError> {
        self.negotiation.restart(|scenario| {
            check_numbers(scenario.public.space.issues().iter().map(|issue| &issue.name), pool, values)?;
            if *self.pool != *pool {
                resize(&mut scenario.public.space, pool);
                self.divisions = divisions(pool);
                self.pool.copy_from_slice(pool);
            }
            for (seat, party) in Seat::BOTH.into_iter().zip(&mut scenario.types) {
                value_pool(party, seat, pool, values[seat.index()]);
                self.values[seat.index()].copy_from_slice(values[seat.index()]);
            }
            Ok::<(), DivisionError>(())
        })?;
        (self.offers, self.factor, self.broken_off) = (0, 1.0, false);
        Ok(())
    }

    /// How many items of each type there are.
    #[must_use]
    pub fn pool(&self) -> &[u32] {
        &self.pool
    }

    /// Whether nobody can move any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.broken_off || self.offers >= self.rules.max_turns || self.negotiation.outcome().is_some()
    }

    /// Who moves; `None` once it is over.
    #[must_use]
    pub fn to_move(&self) -> Option<Seat> {
        (!self.is_over()).then(|| self.negotiation.turn())
    }

    /// How many moves are legal now; 0 once it is over.
    #[must_use]
    pub fn legal_count(&self) -> u64 {
        if self.is_over() { 0 } else { self.divisions + u64::from(self.offers > 0) }
    }

    /// Legal move `index`, below [`Self::legal_count`]: offers in order of what the mover keeps, the first type varying
    /// fastest, and agreeing last.
    #[must_use]
    pub fn legal_move(&self, index: u64) -> DivisionMove {
        if index >= self.divisions {
            return DivisionMove::Agree;
        }
        let mut left = index;
        let kept = self.pool.iter().map(|&held| {
            let kept;
            (kept, left) = digit(left, held);
            kept
        });
        DivisionMove::Keep(kept.collect())
    }

    /// Makes a move.
    ///
    /// # Errors
    /// Where it is not legal; nothing has changed then.
    pub fn make(&mut self, made: &DivisionMove) -> Result<(), DivisionError> {
        let seat = self.to_move().ok_or(DivisionError::Over)?;
        match made {
            DivisionMove::Keep(kept) => {
                let offer = offer(&self.negotiation.scenario().public.space, &self.pool, seat, kept)?;
                self.submit(Action::offer(offer), true);
            }
            DivisionMove::Agree if self.offers == 0 => return Err(DivisionError::NothingToAgreeTo),
            DivisionMove::Agree => self.submit(Action::Accept, false),
        }
        Ok(())
    }

    /// Makes legal move `index` of [`Self::legal_move`].
    ///
    /// # Errors
    /// Once the game is over.
    pub fn make_legal(&mut self, index: u64) -> Result<(), DivisionError> {
        let Some(seat) = self.to_move() else { return Err(DivisionError::Over) };
        if index >= self.divisions {
            return self.make(&DivisionMove::Agree);
        }
        let mut offer = self.negotiation.scenario().public.space.first();
        let (mut left, mut worth) = (index, [0.0; 2]);
        let [buyer, supplier] = &self.values;
        for ((slot, &held), (&buyer, &supplier)) in
            offer.indices_mut().iter_mut().zip(&self.pool).zip(buyer.iter().zip(supplier))
        {
            let kept;
            (kept, left) = digit(left, held);
            let taken = if seat == Seat::Buyer { kept } else { held - kept };
            *slot = taken;
            worth[0] += f64::from(buyer) * f64::from(taken);
            worth[1] += f64::from(supplier) * f64::from(held - taken);
        }
        let types = &self.negotiation.scenario().types;
        let gains = [worth[0] - types[0].disagreement, worth[1] - types[1].disagreement];
        self.count_action();
        self.negotiation.submit_known(offer, gains);
        self.offers += 1;
        Ok(())
    }

    /// Discounts before each action after the second.
    fn count_action(&mut self) {
        if self.rules.discount < 1.0 && self.negotiation.history().len() >= 2 {
            self.factor *= self.rules.discount;
        }
    }

    fn submit(&mut self, action: Action, is_offer: bool) {
        self.count_action();
        let ruling = self.negotiation.submit(action, None, None);
        debug_assert_eq!(ruling, Ruling::Applied);
        self.offers += u16::from(is_offer);
    }

    /// Whether chance decides now if the game goes on: after each offer from the second on, where a chance to end is set.
    #[must_use]
    pub fn may_break_off(&self) -> bool {
        self.rules.end > 0.0 && !self.is_over() && self.offers >= 2
    }

    /// Ends the game without a deal, as chance decided.
    pub fn break_off(&mut self) {
        self.broken_off |= !self.is_over();
    }

    /// What both sides have, buyer first: the worth of what they agreed, discounted, and their disagreement values without a
    /// deal.
    #[must_use]
    pub fn returns(&self) -> [f64; 2] {
        let types = &self.negotiation.scenario().types;
        match self.negotiation.outcome().and_then(crate::Outcome::agreement) {
            Some(offer) => [0, 1].map(|seat| types[seat].utility.of(offer) * self.factor),
            None => [0, 1].map(|seat| types[seat].disagreement),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::Arc;

    fn names() -> Vec<Arc<str>> {
        ["books", "hats", "balls"].map(Arc::from).to_vec()
    }

    fn division() -> Division {
        Division::new(&names(), &[1, 2, 3], [&[8, 1, 0], &[4, 0, 2]], 0.0).unwrap()
    }

    fn keep(kept: [u32; 3]) -> DivisionMove {
        DivisionMove::Keep(Counts::from(kept))
    }

    fn game(rules: DivisionRules) -> DivisionGame {
        DivisionGame::new(&division(), rules).unwrap()
    }

    #[test]
    fn an_agreement_pays_what_each_side_keeps() {
        let mut game = game(DivisionRules::default());
        game.make(&keep([1, 2, 3])).unwrap();
        game.make(&keep([1, 0, 1])).unwrap();
        assert_eq!(game.to_move(), Some(Seat::Buyer));
        game.make(&DivisionMove::Agree).unwrap();
        // The supplier kept a book and a ball: 4 + 2; the buyer has two hats and two balls.
        assert_eq!(game.returns(), [2.0, 6.0]);
        assert_eq!((game.to_move(), game.legal_count()), (None, 0));
    }

    #[test]
    fn the_last_turn_may_agree_and_an_offer_in_it_ends_the_game_without_a_deal() {
        for max_turns in [1, 2, 3, 9, 10] {
            let mut offers = game(DivisionRules { max_turns, ..DivisionRules::default() });
            for turn in 0..max_turns {
                let mut agrees = offers.clone();
                let agreed = agrees.make(&DivisionMove::Agree);
                assert_eq!(agreed.is_ok(), turn > 0);
                assert_eq!(agrees.is_over(), turn > 0);
                offers.make(&keep([0, 1, 1])).unwrap();
            }
            assert!(offers.is_over());
            assert_eq!(offers.returns(), [0.0, 0.0]);
            assert_eq!(offers.make(&DivisionMove::Agree), Err(DivisionError::Over));
        }
    }

    #[test]
    fn every_action_after_the_second_costs_a_discount() {
        let check = |offers: usize, factor: f64| {
            let mut game = game(DivisionRules { discount: 0.5, ..DivisionRules::default() });
            for turn in 0..offers {
                // Whoever offers, the supplier gets everything.
                game.make(&keep(if turn % 2 == 0 { [0, 0, 0] } else { [1, 2, 3] })).unwrap();
            }
            game.make(&DivisionMove::Agree).unwrap();
            assert_eq!(game.returns(), [0.0, 10.0 * factor], "{offers} offers");
        };
        check(1, 1.0);
        check(2, 0.5);
        check(3, 0.25);
        check(9, 1.0 / 256.0);
    }

    #[test]
    fn chance_may_end_the_game_from_the_second_offer_on() {
        let mut game = game(DivisionRules { end: 0.1, ..DivisionRules::default() });
        assert!(!game.may_break_off());
        game.make(&keep([1, 0, 0])).unwrap();
        assert!(!game.may_break_off());
        game.make(&keep([1, 0, 0])).unwrap();
        assert!(game.may_break_off());
        game.break_off();
        assert!(game.is_over() && !game.may_break_off());
        assert_eq!(game.returns(), [0.0, 0.0]);
    }

    #[test]
    fn a_game_started_over_is_the_game_of_its_own_division() {
        let mut game = game(DivisionRules::default());
        game.make(&keep([1, 0, 0])).unwrap();
        game.restart(&[2, 2, 1], [&[0, 3, 4], &[2, 1, 4]]).unwrap();
        assert_eq!((game.to_move(), game.legal_count(), game.pool()), (Some(Seat::Buyer), 18, &[2, 2, 1][..]));
        game.make(&keep([0, 2, 1])).unwrap();
        game.make(&DivisionMove::Agree).unwrap();
        assert_eq!(game.returns(), [10.0, 4.0]);
    }

    #[test]
    fn numbers_that_fit_no_game_change_nothing() {
        let mut game = game(DivisionRules::default());
        game.make(&keep([1, 0, 0])).unwrap();
        assert!(matches!(game.restart(&[2, 2], [&[1, 1], &[1, 1]]), Err(DivisionError::Lengths { pool: 2, .. })));
        let many = [1, 1, crate::division::MOST_OF_A_TYPE + 1];
        assert!(matches!(game.restart(&many, [&[1, 1, 1]; 2]), Err(DivisionError::TooMany { .. })));
        assert_eq!((game.pool(), game.negotiation.history().len()), (&[1, 2, 3][..], 1));
    }

    #[test]
    fn what_is_not_legal_is_refused() {
        let mut game = game(DivisionRules::default());
        assert_eq!(game.make(&DivisionMove::Agree), Err(DivisionError::NothingToAgreeTo));
        let error = game.make(&keep([2, 0, 0])).unwrap_err();
        assert_eq!(error.to_string(), "nobody can keep [2, 0, 0] of a pool of [1, 2, 3]");
        assert!(game.make(&DivisionMove::Keep(Counts::from_slice(&[1]))).is_err());
        let rules = DivisionRules { discount: 0.0, ..DivisionRules::default() };
        assert_eq!(
            DivisionGame::new(&division(), rules).unwrap_err().to_string(),
            "the discount is 0: give a number above 0, at most 1"
        );
    }

    #[test]
    fn legal_moves_are_every_division_once_and_agreeing() {
        let mut game = game(DivisionRules::default());
        assert_eq!(game.legal_count(), 24);
        game.make(&keep([0, 0, 0])).unwrap();
        assert_eq!(game.legal_count(), 25);
        let mut moves: Vec<DivisionMove> = (0..25).map(|index| game.legal_move(index)).collect();
        assert_eq!(moves[..3], [keep([0, 0, 0]), keep([1, 0, 0]), keep([0, 1, 0])]);
        assert_eq!(moves.pop(), Some(DivisionMove::Agree));
        moves.dedup();
        assert_eq!(moves.len(), 24);
        assert!(moves.iter().all(|made| game.clone().make(made).is_ok()));
    }

    proptest! {
        #[test]
        fn a_game_started_over_has_the_types_of_a_new_one(
            pools in prop::collection::vec(prop::collection::vec(0..8_u32, 3), 1..4),
            buyer in prop::collection::vec(0..11_u32, 3),
            supplier in prop::collection::vec(0..11_u32, 3),
        ) {
            let mut game = game(DivisionRules::default());
            for pool in &pools {
                game.restart(pool, [&buyer, &supplier]).unwrap();
                let fresh = Division::new(&names(), pool, [&buyer, &supplier], 0.0).unwrap();
                let fresh = DivisionGame::new(&fresh, DivisionRules::default()).unwrap();
                prop_assert_eq!(&game.negotiation.scenario().types, &fresh.negotiation.scenario().types);
                prop_assert_eq!(&game.negotiation.scenario().public, &fresh.negotiation.scenario().public);
            }
        }

        #[test]
        fn a_legal_move_by_its_index_is_the_move_itself(indices in prop::collection::vec(0..25_u64, 1..12)) {
            let (mut by_index, mut by_move) = (game(DivisionRules::default()), game(DivisionRules::default()));
            for index in indices {
                if by_index.is_over() {
                    break;
                }
                let index = index % by_index.legal_count();
                by_move.make(&by_index.legal_move(index)).unwrap();
                by_index.make_legal(index).unwrap();
                prop_assert_eq!(by_index.negotiation.history(), by_move.negotiation.history());
            }
            prop_assert_eq!(by_index.returns(), by_move.returns());
        }
    }
}
