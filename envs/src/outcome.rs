//! The outcome space that offers live in.

use crate::issue::{Grid, Issue, IssueRole, Value};
use crate::message::steers;
use crate::offer::INLINE;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use thiserror::Error;

pub use crate::offer::Offer;

/// What an agent proposes before anybody has checked it: possibly incomplete or off the grid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Terms {
    /// Value indices, as software proposes.
    Offer(Offer),
    /// Values in the issues' own terms, in issue order; `None` where the proposal does not name the issue.
    Stated(Box<[Option<Value>]>),
}

impl From<Offer> for Terms {
    fn from(offer: Offer) -> Self {
        Self::Offer(offer)
    }
}

/// Why a list of issues makes no outcome space.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpaceError {
    /// There is nothing to negotiate.
    #[error("no issues: a negotiation needs at least one")]
    NoIssues,
    /// An issue has no permitted value.
    #[error("issue \"{0}\" has no values")]
    NoValues(String),
    /// Two issues have one name.
    #[error("issue \"{0}\" is there twice: names must differ")]
    Twice(String),
    /// An issue, its unit or a value has a name with a character that steers a terminal or ends a line: what is printed with it
    /// could pass for something else. The name is escaped.
    #[error("the name \"{0}\" holds a control character: a name is one line of plain text")]
    NotPlain(String),
}

/// The issues of a negotiation: every combination of their values is an outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "IssueList", into = "IssueList")]
pub struct OutcomeSpace {
    issues: Vec<Issue>,
    /// How many values each issue has: what an offer is tested against, in one place.
    lens: SmallVec<[u32; INLINE]>,
    /// The first price issue.
    price: Option<u32>,
}

/// A space as it is written.
#[derive(Serialize, Deserialize)]
#[serde(rename = "OutcomeSpace")]
struct IssueList {
    issues: Vec<Issue>,
}

impl From<IssueList> for OutcomeSpace {
    fn from(IssueList { issues }: IssueList) -> Self {
        let lens = issues.iter().map(Issue::len).collect();
        let price = issues.iter().position(|issue| issue.role == IssueRole::Price).map(|price| price as u32);
        Self { issues, lens, price }
    }
}

impl From<OutcomeSpace> for IssueList {
    fn from(OutcomeSpace { issues, .. }: OutcomeSpace) -> Self {
        Self { issues }
    }
}

impl OutcomeSpace {
    /// The space over `issues`.
    ///
    /// # Errors
    /// Where there is no issue, one without values, a name twice, or one that is not a line of plain text.
    pub fn new(issues: Vec<Issue>) -> Result<Self, SpaceError> {
        if issues.is_empty() {
            return Err(SpaceError::NoIssues);
        }
        for (index, issue) in issues.iter().enumerate() {
            if issue.is_empty() {
                return Err(SpaceError::NoValues(issue.name.to_string()));
            }
            if issues[..index].iter().any(|earlier| earlier.name == issue.name) {
                return Err(SpaceError::Twice(issue.name.to_string()));
            }
            let labels = match &issue.grid {
                Grid::Labels(labels) => &labels[..],
                Grid::Money { .. } | Grid::Integers { .. } => &[],
            };
            if let Some(name) = [&issue.name, &issue.unit].into_iter().chain(labels).find(|name| name.contains(steers))
            {
                return Err(SpaceError::NotPlain(name.escape_debug().to_string()));
            }
        }
        Ok(IssueList { issues }.into())
    }

    /// The issues in order.
    #[must_use]
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }

    /// How many values each issue has.
    #[must_use]
    pub(crate) fn lens(&self) -> &[u32] {
        &self.lens
    }

    /// Gives `issue` another grid of as many values, for generators that reuse a scenario's memory.
    ///
    /// # Panics
    /// Where the grid has another number of values.
    pub fn move_grid(&mut self, issue: usize, grid: Grid) {
        self.issues[issue].grid = grid;
        assert_eq!(self.issues[issue].len(), self.lens[issue], "a grid may move, not grow or shrink");
    }

    /// Gives `issue` another grid, of however many values; it must have some.
    pub(crate) fn set_grid(&mut self, issue: usize, grid: Grid) {
        self.issues[issue].grid = grid;
        self.lens[issue] = self.issues[issue].len();
    }

    /// Becomes `other`, keeping its own memory where the issues have the same names.
    pub fn copy_from(&mut self, other: &Self) {
        self.lens.clone_from(&other.lens);
        self.price = other.price;
        let alike =
            |(own, other): (&Issue, &Issue)| own.name == other.name && own.role == other.role && own.unit == other.unit;
        if self.issues.len() != other.issues.len() || !self.issues.iter().zip(&other.issues).all(alike) {
            self.issues.clone_from(&other.issues);
            return;
        }
        for (own, other) in self.issues.iter_mut().zip(&other.issues) {
            own.grid.clone_from(&other.grid);
        }
    }

    /// The first issue of a role.
    #[must_use]
    pub fn role(&self, role: IssueRole) -> Option<usize> {
        if role == IssueRole::Price {
            return self.price.map(|price| price as usize);
        }
        self.issues.iter().position(|issue| issue.role == role)
    }

    /// The number of outcomes; saturates at `u128::MAX`.
    #[must_use]
    pub fn size(&self) -> u128 {
        self.issues.iter().fold(1_u128, |size, issue| size.saturating_mul(u128::from(issue.len())))
    }

    /// Whether every issue is there and every value on its grid.
    #[must_use]
    #[inline]
    pub fn contains(&self, offer: &Offer) -> bool {
        let indices = offer.indices();
        indices.len() == self.lens.len() && indices.iter().zip(&self.lens).all(|(&index, &len)| index < len)
    }

    /// The offer that `terms` mean, where they are complete and on the grid.
    #[must_use]
    pub fn resolve(&self, terms: &Terms) -> Option<Offer> {
        match terms {
            Terms::Offer(offer) => self.contains(offer).then(|| offer.clone()),
            Terms::Stated(values) if values.len() == self.issues.len() => self
                .issues
                .iter()
                .zip(values.iter())
                .map(|(issue, value)| issue.index_of(value.as_ref()?))
                .collect::<Option<SmallVec<[u32; INLINE]>>>()
                .map(|indices| Offer::new(&indices)),
            Terms::Stated(_) => None,
        }
    }

    /// The offer nearest to `terms`, issue by issue; what they leave out or garble is taken from `fallback`.
    #[must_use]
    pub fn nearest(&self, terms: &Terms, fallback: &Offer) -> Offer {
        let mut offer = fallback.clone();
        for (position, issue) in self.issues.iter().enumerate() {
            let index = match terms {
                Terms::Offer(proposed) => {
                    proposed.indices().get(position).map(|&index| index.min(issue.len().saturating_sub(1)))
                }
                Terms::Stated(values) => {
                    values.get(position).and_then(Option::as_ref).and_then(|value| issue.nearest(value))
                }
            };
            if let Some(index) = index {
                offer.set(position, index);
            }
        }
        offer
    }

    /// The outcome of every issue's first value.
    #[must_use]
    pub fn first(&self) -> Offer {
        Offer::zeros(self.issues.len())
    }

    /// The outcome at `rank` in mixed-radix order (the last issue varies fastest). `rank` must be below [`Self::size`].
    #[must_use]
    pub fn outcome(&self, rank: u64) -> Offer {
        let mut left = rank;
        let mut offer = self.first();
        for (index, &len) in offer.indices_mut().iter_mut().zip(&self.lens).rev() {
            // Dividing narrow numbers takes half the time, and all ranks of sorted domains are narrow.
            (left, *index) = match u32::try_from(left) {
                Ok(narrow) => (u64::from(narrow / len), narrow % len),
                Err(_) => (left / u64::from(len), (left % u64::from(len)) as u32),
            };
        }
        offer
    }

    /// How many values the outcome at `rank` shares with `offer`.
    pub(crate) fn shared_with(&self, rank: u32, offer: &Offer) -> usize {
        let mut left = rank;
        let mut shared = 0;
        for (&index, &len) in offer.indices().iter().zip(&self.lens).rev() {
            shared += usize::from(left % len == index);
            left /= len;
        }
        shared
    }

    /// All outcomes in mixed-radix order.
    pub fn outcomes(&self) -> impl Iterator<Item = Offer> + '_ {
        let size = u64::try_from(self.size()).unwrap_or(u64::MAX);
        (0..size).map(|rank| self.outcome(rank))
    }

    /// An offer as a person reads it: `price $98,250, payment 10 days`.
    #[must_use]
    pub fn text(&self, offer: &Offer) -> String {
        let terms: Vec<String> = self
            .issues
            .iter()
            .zip(offer.indices())
            .map(|(issue, &index)| format!("{} {}", issue.name, issue.text(index)))
            .collect();
        terms.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::{Offer, OutcomeSpace, SpaceError, Terms};
    use crate::Money;
    use crate::issue::{Grid, Issue, IssueRole, Value};

    fn space() -> OutcomeSpace {
        let price = Grid::Money { floor: Money::major(90), tick: Money::major(5), count: 3 };
        let days = Grid::Integers { first: 10, step: 10, count: 2 };
        OutcomeSpace::new(vec![
            Issue { name: "price".into(), role: IssueRole::Price, unit: "".into(), grid: price },
            Issue { name: "payment".into(), role: IssueRole::PaymentDays, unit: "days".into(), grid: days },
        ])
        .unwrap()
    }

    #[test]
    fn outcomes_are_enumerated_once_each_in_order() {
        let space = space();
        let all: Vec<Offer> = space.outcomes().collect();
        assert_eq!(all.len() as u128, space.size());
        assert!(all.is_sorted());
        assert!(all.iter().all(|offer| space.contains(offer)));
        assert_eq!(space.text(&all[3]), "price $95, payment 20 days");
    }

    #[test]
    fn stated_terms_resolve_only_on_the_grid_and_complete() {
        let space = space();
        let stated = |price, days: Option<i64>| {
            Terms::Stated(vec![Some(Value::Money(Money::major(price))), days.map(Value::Integer)].into())
        };
        assert_eq!(space.resolve(&stated(95, Some(20))), Some(Offer::new(&[1, 1])));
        assert_eq!(space.resolve(&stated(96, Some(20))), None);
        assert_eq!(space.resolve(&stated(95, None)), None);
        let fallback = Offer::new(&[0, 1]);
        assert_eq!(space.nearest(&stated(99, None), &fallback), Offer::new(&[2, 1]));
        assert_eq!(space.nearest(&Terms::Offer(Offer::new(&[9])), &fallback), Offer::new(&[2, 1]));
    }

    #[test]
    fn a_space_without_issues_or_values_or_with_a_name_twice_is_refused() {
        assert_eq!(OutcomeSpace::new(vec![]), Err(SpaceError::NoIssues));
        let empty = Issue {
            name: "x".into(),
            role: IssueRole::Other,
            unit: "".into(),
            grid: Grid::Integers { first: 0, step: 1, count: 0 },
        };
        assert_eq!(OutcomeSpace::new(vec![empty]), Err(SpaceError::NoValues("x".into())));
        let mut issues = space().issues().to_vec();
        issues.push(issues[0].clone());
        assert_eq!(OutcomeSpace::new(issues), Err(SpaceError::Twice("price".into())));
    }

    #[test]
    fn a_name_that_would_forge_a_line_or_steer_a_terminal_is_refused_and_shown_escaped() {
        for wrong in ["x\nKind of failure: none", "x\u{1b}[2J", "x\u{202e}", "x\ty"] {
            let shown = SpaceError::NotPlain(wrong.escape_debug().to_string());
            let issue = |name: &str, unit: &str, label: &str| Issue {
                name: name.into(),
                role: IssueRole::Other,
                unit: unit.into(),
                grid: Grid::Labels([label.into()].into()),
            };
            for issue in [issue(wrong, "", "a"), issue("x", wrong, "a"), issue("x", "", wrong)] {
                assert_eq!(OutcomeSpace::new(vec![issue]), Err(shown.clone()));
            }
        }
    }
}
