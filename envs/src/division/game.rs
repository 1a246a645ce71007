//! A division played move by move.

use super::{Counts, Division, DivisionError, MOST_TURNS, offer, offer_of_kept};
use crate::action::Action;
use crate::event::Ruling;
use crate::negotiation::Negotiation;
use crate::party::Seat;

/// What is kept in offer `index` of a pool: mixed-radix digits, the first type varying fastest.
fn kept_in(pool: &[u32], index: u64) -> impl Iterator<Item = u32> + '_ {
    pool.iter().scan(index, |left, &held| {
        let radix = u64::from(held) + 1;
        let kept = (*left % radix) as u32;
        *left /= radix;
        Some(kept)
    })
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
        let scenario = division.scenario("division", rules.max_turns.div_ceil(2));
        let negotiation = Negotiation::new(scenario, [false; 2]);
        let (pool, divisions) = (division.pool.clone(), divisions(&division.pool));
        Ok(Self { pool, divisions, rules, negotiation, offers: 0, factor: 1.0, broken_off: false })
    }

    /// Starts over with the buyer of one division and the supplier of another one of the same pool, under the same rules.
    /// Types are copied into the memory of those before.
    ///
    /// # Errors
    /// Where the pools differ; nothing has changed then.
    pub fn restart(&mut self, buyer: &Division, supplier: &Division) -> Result<(), DivisionError> {
        if buyer.pool != supplier.pool {
            return Err(DivisionError::PoolsDiffer { buyer: buyer.pool.clone(), supplier: supplier.pool.clone() });
        }
        let written: Result<(), std::convert::Infallible> = self.negotiation.restart(|scenario| {
            if self.pool != buyer.pool {
                scenario.public.space.copy_from(&buyer.space);
            }
            scenario.types[0].copy_from(&buyer.types[0]);
            scenario.types[1].copy_from(&supplier.types[1]);
            Ok(())
        });
        let Ok(()) = written;
        if self.pool != buyer.pool {
            self.divisions = divisions(&buyer.pool);
            self.pool.clone_from(&buyer.pool);
        }
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
        DivisionMove::Keep(kept_in(&self.pool, index).collect())
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
        let seat = self.to_move().ok_or(DivisionError::Over)?;
        if index >= self.divisions {
            return self.make(&DivisionMove::Agree);
        }
        let space = &self.negotiation.scenario().public.space;
        let offer = offer_of_kept(space, &self.pool, seat, kept_in(&self.pool, index));
        self.submit(Action::offer(offer), true);
        Ok(())
    }

    fn submit(&mut self, action: Action, is_offer: bool) {
        if self.negotiation.history().len() >= 2 {
            self.factor *= self.rules.discount;
        }
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
        let swapped = Division::new(&names(), &[2, 2, 1], [&[0, 3, 4], &[2, 1, 4]], 0.0).unwrap();
        let mut game = game(DivisionRules::default());
        game.make(&keep([1, 0, 0])).unwrap();
        game.restart(&swapped, &swapped).unwrap();
        assert_eq!((game.to_move(), game.legal_count(), game.pool()), (Some(Seat::Buyer), 18, &[2, 2, 1][..]));
        game.make(&keep([0, 2, 1])).unwrap();
        game.make(&DivisionMove::Agree).unwrap();
        assert_eq!(game.returns(), [10.0, 4.0]);
    }

    #[test]
    fn a_game_is_restarted_with_the_buyer_of_one_division_and_the_supplier_of_another() {
        let of = |values: [u32; 3]| Division::new(&names(), &[2, 2, 1], [&values, &values], 0.0).unwrap();
        let (first, second) = (of([0, 3, 4]), of([2, 1, 4]));
        let mut game = game(DivisionRules::default());
        assert!(matches!(game.restart(&first, &division()), Err(DivisionError::PoolsDiffer { .. })));
        game.restart(&first, &second).unwrap();
        let fresh = DivisionGame::new(&first.with_supplier_of(&second).unwrap(), DivisionRules::default()).unwrap();
        assert_eq!(game.negotiation.scenario().types, fresh.negotiation.scenario().types);
        assert_eq!(game.negotiation.scenario().public, fresh.negotiation.scenario().public);
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
