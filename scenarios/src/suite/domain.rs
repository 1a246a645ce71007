//! Suites of one domain: preferences that are written out and the same in every scenario. `zopa import` makes them of other
//! projects' files.

use super::Check;
use super::error::SuiteError;
use super::file::SuiteFile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use zopa_envs::{
    Attainable, Grid, HyperRectangle, HyperRectangles, Issue, IssueRole, OutcomeSpace, PartyType, Scenario, Span,
    Utility,
};

/// The most values of one issue, and of all together.
const MOST_VALUES: usize = 1_000_000;

/// A domain's outcomes and what they are worth to both sides.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DomainSpec {
    /// The folder that it was read from, in a word.
    pub name: String,
    /// SHA-256 over the files that it was read from.
    pub digest: String,
    /// What is negotiated.
    pub issues: Vec<DomainIssueSpec>,
    /// The buyer's side, the first profile.
    pub buyer: ProfileSpec,
    /// The supplier's.
    pub supplier: ProfileSpec,
}

/// An issue of a domain.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DomainIssueSpec {
    /// Its name, unique in the domain.
    pub name: String,
    /// What each value adds to the buyer's utility; nothing where it is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub buyer: Vec<f64>,
    /// What each value adds to the supplier's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub supplier: Vec<f64>,
    /// Its values.
    pub values: DomainValues,
}

/// The values of an issue of a domain.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum DomainValues {
    /// Named values.
    Labels(Vec<String>),
    /// All integers from `first`.
    Integers {
        /// Value 0.
        first: i64,
        /// How many.
        count: u32,
    },
}

/// One side's preferences beside what values add.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ProfileSpec {
    /// The profile's name.
    pub name: String,
    /// Utility of no deal.
    pub disagreement: f64,
    /// What every outcome is worth on top.
    #[serde(default)]
    pub constant: f64,
    /// What the payments of constraints are cut off at; left out where they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<f64>,
    /// Payments for regions of outcomes, which add up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<ConstraintSpec>,
}

/// A region of outcomes and what it pays.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ConstraintSpec {
    /// What is paid.
    pub pays: f64,
    /// Whether outcomes outside of the region are paid instead.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
    /// The region, a span an issue that it bounds: the issue's position, the first and the last value's, all from 0. A last
    /// one below the first holds no value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<[u32; 3]>,
}

/// A domain, checked and sorted.
#[derive(Clone, Debug)]
pub(super) struct FixedDomain {
    pub(super) space: OutcomeSpace,
    pub(super) types: [PartyType; 2],
    attainable: OnceLock<Option<Attainable>>,
}

impl FixedDomain {
    /// What was attainable: the same in every scenario.
    pub(super) fn attainable(&self, scenario: &Scenario) -> Option<Attainable> {
        self.attainable.get_or_init(|| Attainable::of(scenario)).clone()
    }
}

impl Check<'_> {
    /// The domain of a suite that has one; it must then have nothing of money.
    pub(super) fn domain(&self, typed: &SuiteFile) -> Result<Option<FixedDomain>, SuiteError> {
        let Some(spec) = &typed.domain else { return Ok(None) };
        let money = [
            ("issues", typed.issues.is_some()),
            ("status_quo", typed.status_quo.is_some()),
            ("prior", typed.prior.is_some()),
            ("mandates", typed.mandates.is_some()),
            ("relationship", typed.relationship.is_some()),
            ("difficulty", typed.difficulty.is_some()),
        ];
        if let Some((field, _)) = money.into_iter().find(|(_, there)| *there) {
            let problem =
                "a suite of a domain has no issues, status quo, prior, mandates, relationship or difficulty of its own";
            return Err(self.fail(field, problem, "remove it, or remove the domain table"));
        }
        let space = self.domain_space(&spec.issues)?;
        let buyer: Vec<&[f64]> = spec.issues.iter().map(|issue| &issue.buyer[..]).collect();
        let supplier: Vec<&[f64]> = spec.issues.iter().map(|issue| &issue.supplier[..]).collect();
        let types = [
            self.domain_party("buyer", &space, &buyer, &spec.buyer)?,
            self.domain_party("supplier", &space, &supplier, &spec.supplier)?,
        ];
        Ok(Some(FixedDomain { space, types, attainable: OnceLock::new() }))
    }

    fn domain_space(&self, specs: &[DomainIssueSpec]) -> Result<OutcomeSpace, SuiteError> {
        let mut issues = Vec::with_capacity(specs.len());
        let mut values = 0_usize;
        for (position, spec) in specs.iter().enumerate() {
            let field = |key: &str| format!("domain.issues[{position}].{key}");
            let grid = match &spec.values {
                DomainValues::Labels(labels) => {
                    let mut seen = BTreeSet::new();
                    if let Some(twice) = labels.iter().find(|label| !seen.insert(label.as_str())) {
                        let problem = format!("value \"{twice}\" is there twice");
                        return Err(self.fail(&field("values"), problem, "make the values of an issue differ"));
                    }
                    Grid::Labels(labels.iter().map(|label| Arc::from(label.as_str())).collect())
                }
                DomainValues::Integers { first, count } => {
                    if first.checked_add(i64::from(*count)).is_none() {
                        let problem = format!("{count} integers from {first} on are no range");
                        return Err(self.fail(&field("values"), problem, "start lower, or count fewer"));
                    }
                    Grid::Integers { first: *first, step: 1, count: *count }
                }
            };
            let issue = Issue { name: spec.name.as_str().into(), role: IssueRole::Other, unit: "".into(), grid };
            values = values.saturating_add(issue.len() as usize);
            if values > MOST_VALUES {
                let problem = format!("all issues together have more than {MOST_VALUES} values");
                return Err(self.fail(&field("values"), problem, "leave some out"));
            }
            issues.push(issue);
        }
        OutcomeSpace::new(issues).map_err(|fault| {
            self.fail("domain.issues", fault.to_string(), "give each issue a name of its own and values")
        })
    }

    fn finite(&self, field: &str, number: f64) -> Result<(), SuiteError> {
        if number.is_finite() {
            return Ok(());
        }
        Err(self.fail(field, format!("{number} is no finite number"), "write one such as 0.25"))
    }

    fn domain_party(
        &self,
        side: &str,
        space: &OutcomeSpace,
        rows: &[&[f64]],
        spec: &ProfileSpec,
    ) -> Result<PartyType, SuiteError> {
        let worth = |field: &str, number: f64| self.finite(field, number);
        worth(&format!("domain.{side}.disagreement"), spec.disagreement)?;
        worth(&format!("domain.{side}.constant"), spec.constant)?;
        let mut utility = Utility::zero(space);
        utility.add_constant(spec.constant);
        for (issue, row) in rows.iter().enumerate().filter(|(_, row)| !row.is_empty()) {
            let field = format!("domain.issues[{issue}].{side}");
            let table = utility.table_mut(issue);
            if table.len() != row.len() {
                let problem = format!("{} numbers for {} values", row.len(), table.len());
                return Err(self.fail(&field, problem, "give one a value, or leave it out"));
            }
            row.iter().try_for_each(|&number| worth(&field, number))?;
            table.copy_from_slice(row);
        }
        if !spec.constraints.is_empty() {
            let most = spec.most.unwrap_or(f64::INFINITY);
            let constraints = spec.constraints.iter().enumerate().map(|(position, constraint)| {
                self.domain_constraint(&format!("domain.{side}.constraints[{position}]"), space, constraint)
            });
            let constraints = constraints.collect::<Result<_, _>>()?;
            if most.is_nan() {
                return Err(self.fail(&format!("domain.{side}.most"), "it is no number", "give one, or leave it out"));
            }
            utility.set_rectangles(Arc::new(HyperRectangles { constraints, most }));
        }
        Ok(PartyType::of_tables(space, utility, spec.disagreement))
    }

    fn domain_constraint(
        &self,
        field: &str,
        space: &OutcomeSpace,
        spec: &ConstraintSpec,
    ) -> Result<HyperRectangle, SuiteError> {
        self.finite(&format!("{field}.pays"), spec.pays)?;
        let mut spans: Vec<Span> = Vec::with_capacity(spec.spans.len());
        for &[issue, first, last] in &spec.spans {
            let issue = issue as usize;
            let inside = space.issues().get(issue).is_some_and(|there| last < there.len());
            if !inside || spans.iter().any(|span| span.issue == issue) {
                let problem =
                    format!("[{issue}, {first}, {last}] bounds no issue of the domain, or one that is bounded");
                let remedy = "give an issue's position and two of its values', each issue at most once";
                return Err(self.fail(&format!("{field}.spans"), problem, remedy));
            }
            spans.push(Span { issue, first, last });
        }
        Ok(HyperRectangle { spans: spans.into(), inside: !spec.outside, utility: spec.pays })
    }
}
