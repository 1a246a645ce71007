//! How patience divides a pie between two parties who alternate offers.

/// A discount factor outside its range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the discount factor of the party that {role} is {value}: give a number from 0 up to, but not including, 1")]
pub struct DiscountError {
    /// "opens" or "answers".
    pub role: &'static str,
    /// What was given.
    pub value: f64,
}

/// Two parties propose in turn how to divide a pie of size 1; both know everything, and each turn of delay shrinks a
/// party's valuation of the pie by its discount factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlternatingOffers {
    opener: f64,
    responder: f64,
}

impl AlternatingOffers {
    /// Discount factors a turn of the party that opens and the one that answers.
    ///
    /// # Errors
    ///
    /// [`DiscountError`] for a factor outside [0, 1).
    pub fn new(opener: f64, responder: f64) -> Result<Self, DiscountError> {
        for (role, value) in [("opens", opener), ("answers", responder)] {
            if !(0.0..1.0).contains(&value) {
                return Err(DiscountError { role, value });
            }
        }
        Ok(Self { opener, responder })
    }

    /// The opener's share in the unique subgame-perfect equilibrium without a deadline, `(1 - d2) / (1 - d1 d2)` with d1
    /// the opener's factor; it is agreed at once, and the other party takes the rest (Rubinstein 1982).
    pub fn opener_share(&self) -> f64 {
        (1.0 - self.responder) / (1.0 - self.opener * self.responder)
    }

    /// The opener's share where the last of `turns` offers is the last chance, by backward induction (Stahl 1972): the last
    /// proposer takes all, and each earlier one leaves the other exactly what it would be worth to wait. 0 for no turns.
    pub fn opener_share_within(&self, turns: u32) -> f64 {
        let mut share = 0.0;
        for before_last in 0..turns {
            // Counted from the end; the responder proposes in every second turn from the start.
            let opener_proposes = (turns - 1 - before_last).is_multiple_of(2);
            share = 1.0 - share * if opener_proposes { self.responder } else { self.opener };
        }
        share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_splits() {
        let check = |opener: f64, responder: f64, share: f64| {
            let found = AlternatingOffers::new(opener, responder).unwrap().opener_share();
            assert!((found - share).abs() < 1e-15, "{found}, not {share}");
        };
        check(0.5, 0.5, 2.0 / 3.0);
        check(0.0, 0.0, 1.0);
        check(0.9, 0.0, 1.0);
        check(0.0, 0.9, 0.1);
        check(0.9, 0.8, 0.2 / 0.28);
    }

    #[test]
    fn with_one_turn_the_opener_takes_all_and_with_two_leaves_what_waiting_is_worth() {
        let offers = AlternatingOffers::new(0.9, 0.8).unwrap();
        let shares = [0, 1, 2, 3].map(|turns| offers.opener_share_within(turns));
        let expected = [0.0, 1.0, 1.0 - 0.8, 1.0 - 0.8 * (1.0 - 0.9)];
        assert!(shares.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-15), "{shares:?}");
    }

    #[test]
    fn a_party_that_does_not_discount_is_refused() {
        let error = AlternatingOffers::new(0.9, 1.0).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the discount factor of the party that answers is 1: give a number from 0 up to, but not including, 1"
        );
        assert!(AlternatingOffers::new(f64::NAN, 0.5).is_err());
    }

    proptest! {
        #[test]
        fn a_distant_deadline_does_not_matter(opener in 0.0..0.95_f64, responder in 0.0..0.95_f64, odd in 0..2_u32) {
            let offers = AlternatingOffers::new(opener, responder).unwrap();
            prop_assert!((offers.opener_share_within(800 + odd) - offers.opener_share()).abs() < 1e-9);
        }

        #[test]
        fn the_responder_is_indifferent_between_accepting_and_proposing_next(d1 in 0.0..0.99_f64, d2 in 0.0..0.99_f64) {
            let here = AlternatingOffers::new(d1, d2).unwrap().opener_share();
            let next = AlternatingOffers::new(d2, d1).unwrap().opener_share();
            prop_assert!(((1.0 - here) - d2 * next).abs() < 1e-12);
        }
    }
}
