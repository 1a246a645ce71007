//! Dividing a pool of items: "deal or no deal" (DeVault, Mell and Gratch 2015; Lewis et al. 2017).
//!
//! A pool holds several items of each of a few types; each side privately values an item of each type, and they agree on who
//! takes how many. In zopa's terms that is one integer issue a type, the number of items that the buyer takes, with additive
//! tables; the supplier takes the rest. [`DivisionGame`] plays it move by move under the rules of OpenSpiel's `bargaining`
//! game (Lanctot et al. 2019), on top of the one implementation of the rules, [`crate::Negotiation`].

mod error;
mod game;

pub use error::DivisionError;
pub use game::{DivisionGame, DivisionMove, DivisionRules};

use crate::guardrail::Caps;
use crate::issue::{Grid, Issue, IssueRole};
use crate::mandate::Mandate;
use crate::outcome::{Offer, OutcomeSpace};
use crate::party::{PartyType, Seat};
use crate::phase::PhaseBounds;
use crate::prior::CommonPrior;
use crate::scenario::{PublicScenario, Scenario};
use crate::utility::Utility;
use smallvec::SmallVec;
use std::sync::Arc;

/// A number for each type of item.
pub type Counts = SmallVec<[u32; 3]>;

/// The most items of one type.
pub const MOST_OF_A_TYPE: u32 = 1_000_000;

/// The most actions by both sides together.
pub const MOST_TURNS: u16 = 20_000;

/// A pool of items and what each side values them at.
#[derive(Clone, Debug, PartialEq)]
pub struct Division {
    space: OutcomeSpace,
    pool: Counts,
    /// What an item of each type is worth, buyer first.
    values: [Counts; 2],
    types: [PartyType; 2],
}

impl Division {
    /// `pool[i]` items of the type `names[i]`, each worth `values[seat][i]` to a seat, buyer first. A side without a deal has
    /// `disagreement`, in the same unit.
    ///
    /// # Errors
    /// Where there is not one entry for each type, a name is there twice, or a type has more than [`MOST_OF_A_TYPE`] items.
    pub fn new(
        names: &[Arc<str>],
        pool: &[u32],
        values: [&[u32]; 2],
        disagreement: f64,
    ) -> Result<Self, DivisionError> {
        check_numbers(names.iter(), pool, values)?;
        let issues = names.iter().zip(pool).map(|(name, &count)| Issue {
            name: name.clone(),
            role: IssueRole::Other,
            unit: "to the buyer".into(),
            grid: grid(count),
        });
        let space = OutcomeSpace::new(issues.collect())?;
        let types = Seat::BOTH.map(|seat| {
            let mut utility = Utility::zero(&space);
            utility.set_items(pool, values[seat.index()], seat == Seat::Buyer);
            PartyType::of_tables(&space, utility, disagreement)
        });
        Ok(Self { space, pool: pool.into(), values: values.map(Counts::from), types })
    }

    /// One integer issue a type: how many the buyer takes.
    #[must_use]
    pub fn space(&self) -> &OutcomeSpace {
        &self.space
    }

    /// How many items of each type there are.
    #[must_use]
    pub fn pool(&self) -> &[u32] {
        &self.pool
    }

    /// Both private types, buyer first.
    #[must_use]
    pub fn types(&self) -> &[PartyType; 2] {
        &self.types
    }

    /// This division with the supplier of another one of the same pool: types are built once and seated often.
    ///
    /// # Errors
    /// Where the pools differ.
    pub fn with_supplier_of(&self, other: &Self) -> Result<Self, DivisionError> {
        if self.pool != other.pool {
            return Err(DivisionError::PoolsDiffer { buyer: self.pool.clone(), supplier: other.pool.clone() });
        }
        let types = [self.types[0].clone(), other.types[1].clone()];
        let values = [self.values[0].clone(), other.values[1].clone()];
        Ok(Self { space: self.space.clone(), pool: self.pool.clone(), values, types })
    }

    /// The space and both types, buyer first.
    #[must_use]
    pub fn into_parts(self) -> (OutcomeSpace, [PartyType; 2]) {
        (self.space, self.types)
    }

    /// The offer in which `seat` keeps `kept` of each type.
    ///
    /// # Errors
    /// Where the pool does not hold that.
    pub fn offer(&self, seat: Seat, kept: &[u32]) -> Result<Offer, DivisionError> {
        offer(&self.space, &self.pool, seat, kept)
    }

    /// What `seat` keeps of each type in an offer.
    #[must_use]
    pub fn kept(&self, seat: Seat, offer: &Offer) -> Counts {
        let taken = offer.indices().iter().zip(&self.pool);
        taken.map(|(&buyer, &held)| if seat == Seat::Buyer { buyer } else { held - buyer }).collect()
    }

    /// A scenario of this division, where the buyer opens and nothing but `rounds` ends the talks: no guardrails, hazard,
    /// discount or counterpart.
    #[must_use]
    pub fn scenario(&self, name: &str, rounds: u16) -> Scenario {
        Scenario {
            public: PublicScenario {
                name: name.into(),
                space: self.space.clone(),
                status_quo: None,
                rounds,
                opener: Seat::Buyer,
                phases: PhaseBounds::default(),
                guardrails: None::<Caps>,
                hazard: 0.0,
                discount: [1.0; 2],
                prior: CommonPrior::Unknown,
                families: Arc::default(),
                speech: false,
            },
            types: self.types.clone(),
            mandates: [Mandate::default(), Mandate::default()],
            principals: Default::default(),
            seat: Seat::Buyer,
            counterpart: None,
            break_off: None,
        }
    }
}

/// How many of a type the buyer takes.
fn grid(count: u32) -> Grid {
    Grid::Integers { first: 0, step: 1, count: count + 1 }
}

/// Whether there is one number for each type and no type has too many items.
fn check_numbers<'a>(
    names: impl ExactSizeIterator<Item = &'a Arc<str>>,
    pool: &[u32],
    values: [&[u32]; 2],
) -> Result<(), DivisionError> {
    let ([buyer, supplier], names_len) = (values.map(<[u32]>::len), names.len());
    if [pool.len(), buyer, supplier] != [names_len; 3] {
        return Err(DivisionError::Lengths { names: names_len, pool: pool.len(), buyer, supplier });
    }
    match names.zip(pool).find(|&(_, &count)| count > MOST_OF_A_TYPE) {
        Some((item, &count)) => Err(DivisionError::TooMany { item: item.clone(), count }),
        None => Ok(()),
    }
}

/// Gives a space of as many types the counts of another pool.
fn resize(space: &mut OutcomeSpace, pool: &[u32]) {
    for (issue, &count) in pool.iter().enumerate() {
        space.set_grid(issue, grid(count));
    }
}

/// Writes a type of another pool and other values over `party`, whose outcomes nobody sorts: [`Division::new`] without its
/// memory.
fn value_pool(party: &mut PartyType, seat: Seat, pool: &[u32], values: &[u32]) {
    party.utility.set_items(pool, values, seat == Seat::Buyer);
    // Steps of a type's table are all the same: what one item is worth.
    let (mut best, mut smallest) = (0.0, f64::INFINITY);
    for (&count, &value) in pool.iter().zip(values).filter(|&(&count, &value)| count > 0 && value > 0) {
        best += f64::from(count) * f64::from(value);
        smallest = f64::min(smallest, f64::from(value));
    }
    party.smallest_step = if smallest.is_finite() { smallest } else { 0.0 };
    party.yardstick = if best > party.disagreement { best - party.disagreement } else { 1.0 };
}

fn offer(space: &OutcomeSpace, pool: &[u32], seat: Seat, kept: &[u32]) -> Result<Offer, DivisionError> {
    if kept.len() != pool.len() || kept.iter().zip(pool).any(|(kept, held)| kept > held) {
        return Err(DivisionError::NotInPool { kept: kept.into(), pool: pool.into() });
    }
    let mut offer = space.first();
    for (issue, (&kept, &held)) in kept.iter().zip(pool).enumerate() {
        offer.set(issue, if seat == Seat::Buyer { kept } else { held - kept });
    }
    Ok(offer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names() -> Vec<Arc<str>> {
        ["books", "hats", "balls"].map(Arc::from).to_vec()
    }

    fn division() -> Division {
        Division::new(&names(), &[1, 2, 3], [&[8, 1, 0], &[4, 0, 2]], 0.0).unwrap()
    }

    #[test]
    fn sides_of_one_pool_can_be_seated_together() {
        let swapped = Division::new(&names(), &[2, 2, 1], [&[0, 3, 4], &[2, 1, 4]], 0.0).unwrap();
        let same = Division::new(&names(), &[2, 2, 1], [&[0, 3, 4], &[0, 3, 4]], 0.0).unwrap();
        let other = Division::new(&names(), &[2, 2, 1], [&[2, 1, 4], &[2, 1, 4]], 0.0).unwrap();
        assert_eq!(same.with_supplier_of(&other).unwrap(), swapped);
        assert!(matches!(same.with_supplier_of(&division()), Err(DivisionError::PoolsDiffer { .. })));
    }

    #[test]
    fn every_type_has_a_name_a_count_and_two_values() {
        let short = Division::new(&names(), &[1, 2], [&[1, 1, 1], &[1, 1, 1]], 0.0);
        assert!(matches!(short, Err(DivisionError::Lengths { pool: 2, .. })));
    }

    proptest! {
        #[test]
        fn what_one_side_keeps_the_other_does_not(kept in prop::collection::vec(0..4_u32, 3)) {
            let division = division();
            let kept: Vec<u32> = kept.iter().zip(division.pool()).map(|(&kept, &held)| kept.min(held)).collect();
            let offer = division.offer(Seat::Supplier, &kept).unwrap();
            prop_assert_eq!(division.kept(Seat::Supplier, &offer), Counts::from(kept.as_slice()));
            let rest = division.kept(Seat::Buyer, &offer);
            prop_assert!(rest.iter().zip(&kept).zip(division.pool()).all(|((rest, kept), held)| rest + kept == *held));
        }
    }
}
