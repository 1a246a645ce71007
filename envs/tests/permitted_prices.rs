//! Packages under a price limit: what is found without walking along the prices is what walking finds.

use proptest::prelude::*;
use std::sync::Arc;
use zopa_envs::mandate::PermittedValues;
use zopa_envs::{
    Grid, Issue, IssueRole, Mandate, Money, Offer, OutcomeSpace, Packages, PartyType, RateFinancing, Seat, Utility,
};

/// A price of `count` ticks and seven payment terms.
fn space(floor: i64, tick: i64, count: u32) -> OutcomeSpace {
    let issue = |name: &str, role, grid| Issue { name: name.into(), role, unit: "".into(), grid };
    OutcomeSpace::new(vec![
        issue("price", IssueRole::Price, Grid::Money { floor: Money(floor), tick: Money(tick), count }),
        issue("payment", IssueRole::PaymentDays, Grid::Integers { first: 0, step: 15, count: 7 }),
    ])
    .unwrap()
}

fn party(space: &OutcomeSpace, seat: Seat, rate: f64) -> PartyType {
    let mut utility = Utility::zero(space);
    let financing = RateFinancing { payment: 1, per_year: rate, reference_days: 30.0 };
    utility.set_price(space, 0, seat == Seat::Supplier, Some(financing));
    PartyType::of_money(utility, 0.0, &Offer::new(&[space.issues()[0].len() / 2, 2]))
}

proptest! {
    #[test]
    fn packages_within_a_price_limit_are_those_that_a_walk_finds(
        floor in 1_i64..100_000, tick in 1_i64..500, count in 1_u32..60, limit in 0_i64..140_000,
        supplier: bool, rate in -0.1..0.3, flags in prop::collection::vec(any::<bool>(), 60), restricts: bool,
        wanted in 0.0..1.0_f64, like in 0_u64..420,
    ) {
        let space = space(floor, tick, count);
        let seat = if supplier { Seat::Supplier } else { Seat::Buyer };
        let party = party(&space, seat, rate);
        let values: Arc<[bool]> = flags[..count as usize].into();
        let permitted = if restricts { vec![PermittedValues { issue: 0, values }] } else { Vec::new() };
        let mandate = Mandate { least_gain: None, price_limit: Some(Money(limit)), permitted, ..Mandate::default() };
        let within = mandate.prices_within(&space, seat, 0);
        prop_assert!((0..count).all(|index| within.contains(&index) == mandate.permits_price(&space, seat, 0, index)));

        let packages = Packages { space: &space, party: &party, mandate: &mandate, seat };
        let gains = || {
            let all = space.outcomes().filter(|offer| mandate.test(&space, &party, seat, offer).is_ok());
            all.map(|offer| party.gain(&offer))
        };
        let best = gains().fold(f64::NEG_INFINITY, f64::max);
        let found = packages.best().map_or(f64::NEG_INFINITY, |offer| party.gain(&offer));
        prop_assert_eq!(found, best);
        if best.is_finite() {
            let worst = gains().fold(f64::INFINITY, f64::min);
            let target = worst + wanted * (best - worst);
            let like = space.outcome(like % (7 * u64::from(count)));
            let found = packages.at_gain(target, &like).expect("the best package reaches every target");
            prop_assert!(mandate.test(&space, &party, seat, &found).is_ok());
            let gain = party.gain(&found);
            // With the other terms of `like` where they reach the target, else anywhere: never below it, nor further than need be.
            let alike = space.outcomes().filter(|offer| offer.get(1) == found.get(1));
            let nearest = alike
                .filter(|offer| mandate.test(&space, &party, seat, offer).is_ok())
                .map(|offer| party.gain(&offer))
                .filter(|&gain| gain >= target)
                .fold(f64::INFINITY, f64::min);
            prop_assert_eq!(gain, nearest);
        }
    }
}
