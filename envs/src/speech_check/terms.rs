//! Whether the terms that a message states are those of the package it comes with.

use crate::issue::IssueRole;
use crate::message::{Claim, ClaimKind, Polarity, SpokenTerms, Statement, Subject};
use crate::outcome::Offer;
use crate::view::PartyView;

/// Slack of a stated discount, in basis points: discounts are said in whole or half per cents.
const DISCOUNT_TOLERANCE: f64 = 25.0;

/// How a stated term stands to the package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// It is a term of the package, or recalls an offer that was made.
    Holds,
    /// It is another value than the package's.
    Differs,
    /// The package has no such term.
    NoSuchTerm,
}

/// The package's terms and those that a message states.
pub(super) struct Stated<'a> {
    view: &'a PartyView<'a>,
    package: Option<&'a Offer>,
    expected: Vec<Statement>,
    claims: &'a [Claim],
}

impl<'a> Stated<'a> {
    pub(super) fn new(view: &'a PartyView<'a>, package: Option<&'a Offer>, claims: &'a [Claim]) -> Self {
        let expected = package.map_or_else(Vec::new, |offer| SpokenTerms::of(&view.public.space, offer).statements());
        Self { view, package, expected, claims }
    }

    pub(super) fn fit(&self, statement: &Statement) -> Fit {
        if self.holds(statement) {
            return Fit::Holds;
        }
        if !self.has_term(statement) {
            return Fit::NoSuchTerm;
        }
        // "You ask for 105,000, we offer 95,000": another offer may be recalled beside the right value, or where the move
        // is none.
        let right_value_said = self.package.is_none()
            || self.claims.iter().any(|claim| {
                claim.polarity == Polarity::Asserted
                    && claim.subject == Subject::Own
                    && claim.kind() == statement.kind()
                    && self.holds(&claim.statement)
            });
        if right_value_said && self.recalls(statement) { Fit::Holds } else { Fit::Differs }
    }

    fn holds(&self, statement: &Statement) -> bool {
        self.expected.iter().any(|expected| same(expected, statement))
            || self.holds_each_unit(statement)
            || self.holds_discount(statement)
    }

    /// A price for each unit, where the package has a quantity.
    fn holds_each_unit(&self, statement: &Statement) -> bool {
        let Statement::Price(price) = statement else { return false };
        let units = self.expected.iter().find_map(|expected| match expected {
            Statement::Quantity(units) => units.single(),
            _ => None,
        });
        let total = self.expected.iter().find_map(|expected| match expected {
            Statement::Price(price) => price.single(),
            _ => None,
        });
        let (Some(each), Some(units), Some(total)) = (price.single(), units, total) else { return false };
        each.0.checked_mul(i64::from(units)) == Some(total.0)
    }

    /// A discount on the status quo's price or on an offer that was made.
    fn holds_discount(&self, statement: &Statement) -> bool {
        let Statement::Discount(points) = statement else { return false };
        let space = &self.view.public.space;
        let Some(issue) = space.role(IssueRole::Price) else { return false };
        let price = |offer: &Offer| space.issues()[issue].number(offer.get(issue));
        let Some(now) = self.package.and_then(price) else { return false };
        let made = self.view.history.iter().filter_map(|made| made.offer());
        self.view.public.status_quo.iter().chain(made).filter_map(price).any(|reference| {
            let discount = (reference - now) / reference * 10_000.0;
            discount >= f64::from(points.low) - DISCOUNT_TOLERANCE
                && discount <= f64::from(points.high) + DISCOUNT_TOLERANCE
        })
    }

    fn has_term(&self, statement: &Statement) -> bool {
        if statement.kind() == ClaimKind::Discount {
            return self.view.public.space.role(IssueRole::Price).is_some();
        }
        let space = &self.view.public.space;
        let of_space;
        let terms = match self.package {
            Some(_) => &self.expected,
            None => {
                of_space = SpokenTerms::of(space, &space.first()).statements();
                &of_space
            }
        };
        terms.iter().any(|term| match (term, statement) {
            (Statement::Term { name, .. }, Statement::Term { name: said, .. }) => name.eq_ignore_ascii_case(said),
            _ => term.kind() == statement.kind(),
        })
    }

    fn recalls(&self, statement: &Statement) -> bool {
        let space = &self.view.public.space;
        let made = self.view.history.iter().filter_map(|made| made.offer());
        self.view
            .public
            .status_quo
            .iter()
            .chain(made)
            .any(|offer| SpokenTerms::of(space, offer).statements().iter().any(|term| same(term, statement)))
    }
}

fn same(expected: &Statement, said: &Statement) -> bool {
    match (expected, said) {
        (Statement::Term { name, value }, Statement::Term { name: said_name, value: said_value }) => {
            name.eq_ignore_ascii_case(said_name) && value.eq_ignore_ascii_case(said_value)
        }
        _ => expected == said,
    }
}
