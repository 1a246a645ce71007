//! Counterpart families: who may sit on the other side.

use super::Check;
use super::error::{SuiteError, nearest};
use super::file::{FamilyRole, FamilySpec, SuiteFile};
use super::tactic_template::TacticTemplate;
use std::sync::Arc;
use zopa_envs::Distribution;

/// How far the shares of a role may be from adding up to 1: decimal fractions do not add up exactly.
const SHARE_TOLERANCE: f64 = 1e-9;

/// A counterpart family of a suite.
#[derive(Clone, Debug)]
pub struct Family {
    /// Its name.
    pub name: Arc<str>,
    /// Whether training splits meet it.
    pub role: FamilyRole,
    /// Its share of its role's mix.
    pub share: f64,
    /// What it does, in words that hold the same numbers as `tactic`.
    pub description: Arc<str>,
    /// Rounds after which it leaves, where it has a deadline of its own.
    pub deadline: Option<Distribution>,
    /// What it does.
    pub tactic: TacticTemplate,
}

impl Check<'_> {
    pub(super) fn families(&self, typed: &SuiteFile) -> Result<Vec<Family>, SuiteError> {
        let mut families: Vec<Family> = Vec::with_capacity(typed.counterparts.len());
        for (position, spec) in typed.counterparts.iter().enumerate() {
            let field = |key: &str| format!("counterparts[{position}].{key}");
            if families.iter().any(|family| *family.name == *spec.name) {
                let problem = format!("there are two families \"{}\"", spec.name);
                return Err(self.fail(&field("name"), problem, "give each family a name of its own"));
            }
            self.within(&field("share"), spec.share, 0.0..=1.0)?;
            self.tactic(&field("tactic"), &spec.tactic)?;
            if let Some(deadline) = &spec.deadline {
                self.distribution(&field("deadline"), deadline)?;
                let (low, high) = deadline.support();
                if low < 1.0 || high > f64::from(typed.rounds) {
                    let problem = format!("{deadline} is outside of the rounds");
                    let remedy = format!("keep it from 1 to {}", typed.rounds);
                    return Err(self.fail(&field("deadline"), problem, remedy));
                }
            }
            families.push(Family {
                name: spec.name.as_str().into(),
                role: spec.role,
                share: spec.share,
                description: self.description(&field("description"), spec)?.into(),
                deadline: spec.deadline,
                tactic: spec.tactic.clone(),
            });
        }
        if families.is_empty() {
            return Err(self.fail("counterparts", "there is no family", "add a [[counterparts]] table"));
        }
        for role in [FamilyRole::Training, FamilyRole::HeldOut] {
            let members = || families.iter().enumerate().filter(|(_, family)| family.role == role);
            let total: f64 = members().map(|(_, family)| family.share).sum();
            if let Some((first, _)) = members().next()
                && (total - 1.0).abs() > SHARE_TOLERANCE
            {
                let problem = format!("the shares of the {role} families add up to {total}");
                return Err(self.fail(&format!("counterparts[{first}].share"), problem, "make them add up to 1"));
            }
        }
        Ok(families)
    }

    fn tactic(&self, field: &str, tactic: &TacticTemplate) -> Result<(), SuiteError> {
        let at = |parameter: &str| format!("{field}.{}.{parameter}", tactic.name());
        for (name, distribution, domain) in tactic.described() {
            self.distribution(&at(name), distribution)?;
            if let Some(fault) = domain.fault(distribution.support()) {
                return Err(self.fail(
                    &at(name),
                    format!("{distribution} is outside of its range"),
                    format!("it {fault}"),
                ));
            }
        }
        match tactic.fault() {
            Some((name, problem, remedy)) => Err(self.fail(&at(name), problem, remedy)),
            None => Ok(()),
        }
    }

    /// The description with each `{parameter}` replaced by its distribution.
    fn description(&self, field: &str, spec: &FamilySpec) -> Result<String, SuiteError> {
        let mut parameters = spec.tactic.parameters();
        parameters.extend(spec.deadline.as_ref().map(|deadline| ("deadline", deadline)));
        let mut text = String::with_capacity(spec.description.len() * 2);
        let mut rest = spec.description.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else {
                return Err(self.fail(field, "a brace is not closed", "write {parameter}"));
            };
            let Some((_, distribution)) = parameters.iter().find(|(known, _)| *known == name) else {
                let known: Vec<&str> = parameters.iter().map(|(known, _)| *known).collect();
                let remedy = nearest(name, known.iter().copied()).map_or_else(
                    || format!("name one of: {}", known.join(", ")),
                    |near| format!("did you mean {{{near}}}?"),
                );
                return Err(self.fail(field, format!("the tactic has no parameter \"{name}\""), remedy));
            };
            text.push_str(before);
            text.push_str(&distribution.to_string());
            rest = after;
        }
        text.push_str(rest);
        if let Some((missing, _)) =
            parameters.iter().find(|(name, _)| !spec.description.contains(&format!("{{{name}}}")))
        {
            let remedy = format!("mention {{{missing}}}: every contender is told the same numbers");
            return Err(self.fail(field, format!("it does not say how \"{missing}\" is drawn"), remedy));
        }
        Ok(text)
    }
}
