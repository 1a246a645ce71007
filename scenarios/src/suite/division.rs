//! Pools of items to divide: suites whose scenarios are "deal or no deal".

use super::Check;
use super::error::SuiteError;
use super::file::SuiteFile;
use serde::Deserialize;
use std::sync::Arc;
use zopa_envs::{Division, OutcomeSpace, Stream};

/// The most instances that a rule may have: a billion would neither be listed nor met.
const MOST_INSTANCES: usize = 2_000_000;

/// The most types of items, items of the pool, and worth of the pool; together they keep the list short.
const MOST: u32 = 20;

/// Pools of items to divide: the rule that every instance meets; see [`Instances`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DivisionSpec {
    /// Names of the types of items, one to four.
    pub items: Vec<String>,
    /// Fewest items in a pool, all types together; at least one of each type.
    pub fewest: u32,
    /// Most items in a pool.
    pub most: u32,
    /// What a whole pool is worth to each side.
    pub total: u32,
    /// What each side has without a deal, in the same unit.
    #[serde(default)]
    pub disagreement: f64,
}

/// One game: how many of each type, and what each side values one at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instance {
    /// Items of each type.
    pub pool: Arc<[u32]>,
    /// Values of one item of each type, buyer first.
    pub values: [Arc<[u32]>; 2],
}

/// Every game that a rule allows; one is drawn for a scenario, all with equal chances.
///
/// The rule is that of Lewis et al. (2017), as OpenSpiel's generator of instances has it: at least one item of each type and
/// `fewest` to `most` in all; the whole pool is worth `total` to each side; every type is worth something to somebody, and
/// some type to both. Instances are listed, in ascending order, instead of drawn until one fits: nothing is resampled.
#[derive(Clone, Debug)]
pub struct Instances {
    names: Arc<[Arc<str>]>,
    all: Arc<[Instance]>,
    /// For each instance the divisions of its pool that seat its buyer and its supplier.
    seats: Arc<[[u32; 2]]>,
    /// Every pool with every valuation, the same at both seats: what is sorted and tabulated once.
    built: Arc<[Division]>,
    /// The numbers of each of [`Self::built`], pool then values, all in one place: drawing reads only these.
    numbers: Arc<[u32]>,
}

impl Instances {
    /// The instances of a rule.
    ///
    /// # Errors
    /// What is wrong with the rule: the field and the problem.
    pub fn of(spec: &DivisionSpec) -> Result<Self, (&'static str, String)> {
        let types = spec.items.len();
        if !(1..=4).contains(&types) || spec.items.iter().any(|item| item.trim().is_empty()) {
            return Err(("items", format!("{types} names: give one to four, none of them empty")));
        }
        if spec.items.iter().enumerate().any(|(place, item)| spec.items[..place].contains(item)) {
            return Err(("items", "a name is there twice".to_owned()));
        }
        if spec.fewest > spec.most || spec.most > MOST {
            return Err(("most", format!("{} to {} items: keep fewest <= most <= {MOST}", spec.fewest, spec.most)));
        }
        if !(1..=MOST).contains(&spec.total) {
            return Err(("total", format!("the pool is worth {}: give 1 to {MOST}", spec.total)));
        }
        if !(0.0..=f64::from(spec.total)).contains(&spec.disagreement) {
            let range = format!("give 0 to the total, {}", spec.total);
            return Err(("disagreement", format!("{} is out of range: {range}", spec.disagreement)));
        }
        let names: Arc<[Arc<str>]> = spec.items.iter().map(|item| Arc::from(item.as_str())).collect();
        let (mut all, mut seats, mut built, mut numbers) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for pool in tuples(types, 1, spec.most) {
            if !(spec.fewest..=spec.most).contains(&pool.iter().sum()) {
                continue;
            }
            let worth = |values: &[u32]| pool.iter().zip(values).map(|(count, value)| count * value).sum::<u32>();
            let valuations: Vec<Arc<[u32]>> =
                tuples(types, 0, spec.total).filter(|values| worth(values) == spec.total).map(Arc::from).collect();
            let pool: Arc<[u32]> = pool.into();
            let first = built.len();
            for values in &valuations {
                let division = Division::new(&names, &pool, [values, values], spec.disagreement);
                built.push(division.map_err(|error| ("items", error.to_string()))?);
                numbers.extend(pool.iter().chain(values.iter()));
            }
            for (own, buyer) in valuations.iter().enumerate() {
                for (other, supplier) in valuations.iter().enumerate() {
                    let pairs = || buyer.iter().zip(supplier.iter());
                    if pairs().all(|(&own, &other)| own + other > 0) && pairs().any(|(&own, &other)| own * other > 0) {
                        all.push(Instance { pool: pool.clone(), values: [buyer.clone(), supplier.clone()] });
                        seats.push([(first + own) as u32, (first + other) as u32]);
                    }
                }
            }
            if all.len() > MOST_INSTANCES {
                return Err(("total", format!("the rule has more than {MOST_INSTANCES} instances: narrow it")));
            }
        }
        if all.is_empty() {
            return Err(("total", "no pool can be worth that to both sides under the rule".to_owned()));
        }
        Ok(Self { names, all: all.into(), seats: seats.into(), built: built.into(), numbers: numbers.into() })
    }

    /// All of them, in ascending order.
    #[must_use]
    pub fn all(&self) -> &[Instance] {
        &self.all
    }

    /// Names of the types of items.
    #[must_use]
    pub fn names(&self) -> &[Arc<str>] {
        &self.names
    }

    /// The issues of the first instance; every instance has these names.
    pub(super) fn space(&self) -> &OutcomeSpace {
        self.built[0].space()
    }

    /// Draws one: a uniform.
    #[must_use]
    pub fn draw(&self, stream: &mut Stream) -> Division {
        self.division(stream.below(self.all.len() as u64) as usize)
    }

    /// As [`Self::draw`], but only the numbers: the pool, and what each side values an item at, buyer first. Nothing is copied.
    #[must_use]
    pub fn draw_numbers(&self, stream: &mut Stream) -> (&[u32], [&[u32]; 2]) {
        let types = self.names.len();
        let seats = self.seats[stream.below(self.all.len() as u64) as usize];
        let [(pool, buyer), (_, supplier)] =
            seats.map(|built| self.numbers[2 * types * built as usize..][..2 * types].split_at(types));
        (pool, [buyer, supplier])
    }

    /// The division of instance `index` of [`Self::all`].
    ///
    /// # Panics
    /// Beyond the last.
    #[must_use]
    pub fn division(&self, index: usize) -> Division {
        let [buyer, supplier] = self.seats[index].map(|built| &self.built[built as usize]);
        buyer.with_supplier_of(supplier).expect("both seats of an instance divide its pool")
    }
}

/// All tuples of `len` numbers from `low` to `high`, in ascending order.
fn tuples(len: usize, low: u32, high: u32) -> impl Iterator<Item = Vec<u32>> {
    let radix = u64::from(high - low) + 1;
    let count = radix.pow(len as u32);
    (0..count).map(move |rank| {
        let mut tuple = vec![low; len];
        let mut left = rank;
        for number in tuple.iter_mut().rev() {
            *number += (left % radix) as u32;
            left /= radix;
        }
        tuple
    })
}

impl Check<'_> {
    /// The instances of a suite that divides pools, where the file has such a table; it must then have nothing of money.
    pub(super) fn division(&self, typed: &SuiteFile) -> Result<Option<Instances>, SuiteError> {
        let Some(spec) = &typed.division else { return Ok(None) };
        let money = [
            ("issues", typed.issues.is_some()),
            ("status_quo", typed.status_quo.is_some()),
            ("prior", typed.prior.is_some()),
            ("domain", typed.domain.is_some()),
            ("mandates", typed.mandates.is_some()),
            ("difficulty", typed.difficulty.is_some()),
        ];
        if let Some((field, _)) = money.into_iter().find(|(_, there)| *there) {
            let problem = "a suite that divides pools has no issues, status quo, prior, domain, mandates or difficulty of its own";
            return Err(self.fail(field, problem, "remove it, or remove the division table"));
        }
        Instances::of(spec).map(Some).map_err(|(key, problem)| {
            self.fail(&format!("division.{key}"), problem, "see scenarios/cards/deal-or-no-deal-v1.md for the rule")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> DivisionSpec {
        DivisionSpec {
            items: ["books", "hats", "balls"].map(str::to_owned).to_vec(),
            fewest: 5,
            most: 7,
            total: 10,
            disagreement: 0.0,
        }
    }

    #[test]
    fn every_instance_meets_the_rule_and_is_listed_once() {
        let instances = Instances::of(&spec()).unwrap();
        // Counted apart, in another language; the card of deal-or-no-deal-v1 states it.
        assert_eq!(instances.all().len(), 5_793);
        assert!(instances.all().is_sorted_by(|before, after| before < after));
        for Instance { pool, values } in instances.all() {
            assert!(pool.iter().all(|&count| count >= 1) && (5..=7).contains(&pool.iter().sum::<u32>()));
            for side in values {
                assert_eq!(pool.iter().zip(side.iter()).map(|(count, value)| count * value).sum::<u32>(), 10);
            }
            let [buyer, supplier] = values;
            assert!(buyer.iter().zip(supplier.iter()).all(|(own, other)| own + other > 0));
            assert!(buyer.iter().zip(supplier.iter()).any(|(own, other)| own * other > 0));
        }
        for (index, Instance { pool, values }) in instances.all().iter().enumerate().step_by(97) {
            let drawn = Division::new(instances.names(), pool, [&values[0], &values[1]], 0.0).unwrap();
            assert_eq!(instances.division(index), drawn);
        }
        let key = zopa_envs::StreamKey::new("test", &[]);
        for index in 0..50 {
            let (pool, values) = instances.draw_numbers(&mut key.stream(index));
            let drawn = Division::new(instances.names(), pool, values, 0.0).unwrap();
            assert_eq!(instances.draw(&mut key.stream(index)), drawn);
        }
    }

    #[test]
    fn the_rule_s_instances_are_those_that_a_count_by_hand_finds() {
        // One pool, (2, 1), worth 3: values (0, 3) and (1, 1) a side; both (0, 3) leaves the first type worthless.
        let small = DivisionSpec { items: vec!["a".into(), "b".into()], fewest: 3, most: 3, total: 3, ..spec() };
        let instances = Instances::of(&small).unwrap();
        let of_pool = |pool: [u32; 2]| instances.all().iter().filter(|instance| *instance.pool == pool).count();
        assert_eq!((of_pool([2, 1]), of_pool([1, 2]), instances.all().len()), (3, 3, 6));
    }

    #[test]
    fn a_rule_without_instances_or_out_of_range_is_refused() {
        let check = |change: fn(&mut DivisionSpec), field: &str| {
            let mut spec = spec();
            change(&mut spec);
            assert_eq!(Instances::of(&spec).unwrap_err().0, field);
        };
        check(|spec| spec.items.clear(), "items");
        check(|spec| spec.items[1] = "books".into(), "items");
        check(|spec| spec.fewest = 8, "most");
        check(|spec| spec.total = 0, "total");
        check(|spec| spec.disagreement = 11.0, "disagreement");
        // The smallest pool of five cannot be worth 1 to both in a type each: four types of worth remain worthless.
        check(|spec| spec.total = 1, "total");
    }
}
