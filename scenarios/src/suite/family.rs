//! Counterpart families: who may sit on the other side.

use super::Check;
use super::error::{SuiteError, nearest};
use super::file::{FamilyRole, FamilySpec, SuiteFile};
use super::policy_template::PolicyTemplate;
use super::voice_template::VoiceTemplate;
use std::sync::Arc;
use zopa_envs::{Distribution, FamilyNumbers};

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
    /// What it does, in words that hold the same numbers as its policy and its voice.
    pub description: Arc<str>,
    /// Rounds after which it leaves, where it has a deadline of its own.
    pub deadline: Option<Distribution>,
    /// What it does.
    pub policy: PolicyTemplate,
    /// What it says where the suite is spoken.
    pub voice: VoiceTemplate,
}

impl Family {
    /// What the family is made of, whatever its parameters: the names of its policy and its voice.
    #[must_use]
    pub fn structure(&self) -> [&'static str; 2] {
        [self.policy.name(), self.voice.name()]
    }

    /// What every contender is told of it, as numbers.
    #[must_use]
    pub fn numbers(&self) -> FamilyNumbers {
        let policy = self.policy.described().into_iter().map(|(_, parameter)| parameter);
        let parameters = policy.chain(self.voice.described()).map(|(name, drawn, _)| (name.into(), *drawn));
        let deadline = self.deadline.map(|deadline| ("deadline".into(), deadline));
        let [does, says] = self.structure().map(Into::into);
        FamilyNumbers {
            does,
            says,
            selection: self.policy.selection(),
            parameters: parameters.chain(deadline).collect(),
        }
    }
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
            let policy = self.policy(&format!("counterparts[{position}]"), spec)?;
            self.parameters(&format!("counterparts[{position}]"), &policy, &spec.voice, typed.domain.is_some())?;
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
                description: self.description(&field("description"), spec, &policy)?.into(),
                deadline: spec.deadline,
                policy,
                voice: spec.voice.clone(),
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
        self.held_out_structures(&families)?;
        Ok(families)
    }

    /// A held-out family must be new in structure: what it does or what it says occurs in no training family of the suite.
    fn held_out_structures(&self, families: &[Family]) -> Result<(), SuiteError> {
        let trained = || families.iter().filter(|family| family.role == FamilyRole::Training);
        for (position, family) in families.iter().enumerate().filter(|(_, family)| family.role == FamilyRole::HeldOut) {
            let [does, says] = family.structure();
            let known = |part: usize, name: &str| trained().find(|other| other.structure()[part] == name);
            if let (Some(doing), Some(saying)) = (known(0, does), known(1, says)) {
                let problem = format!(
                    "\"{}\" is new in parameters only: training families do the same (\"{}\": {does}) and speak the same \
                     (\"{}\": {says})",
                    family.name, doing.name, saying.name
                );
                let remedy =
                    "give it a tactic, behaviour or voice that no training family has, or make it a training family";
                return Err(self.fail(&format!("counterparts[{position}].role"), problem, remedy));
            }
        }
        Ok(())
    }

    fn policy(&self, field: &str, spec: &FamilySpec) -> Result<PolicyTemplate, SuiteError> {
        match (&spec.tactic, &spec.course) {
            (Some(tactic), None) if spec.behaviour.is_none() => Ok(PolicyTemplate::Tactic(tactic.clone())),
            (Some(_), None) => {
                let remedy = "give a course in place of the tactic, or leave the behaviour out";
                Err(self.fail(&format!("{field}.behaviour"), "a tactic is steered by nothing", remedy))
            }
            (None, Some(course)) => {
                let behaviour = spec.behaviour.clone().unwrap_or_default();
                Ok(PolicyTemplate::Conceding { course: course.clone(), behaviour })
            }
            (Some(_), Some(_)) => {
                Err(self.fail(&format!("{field}.course"), "there is a tactic as well", "keep one of the two"))
            }
            (None, None) => Err(self.fail(field, "nothing says what it does", "give it a tactic or a course")),
        }
    }

    fn parameters(
        &self,
        field: &str,
        policy: &PolicyTemplate,
        voice: &VoiceTemplate,
        tables: bool,
    ) -> Result<(), SuiteError> {
        let spoken = voice.described().into_iter().map(|parameter| (format!("voice.{}", voice.name()), parameter));
        for (place, (name, distribution, domain)) in policy.described().into_iter().chain(spoken) {
            let at = format!("{field}.{place}.{name}");
            self.distribution(&at, distribution)?;
            if let Some(fault) = domain.fault(distribution.support(), tables) {
                return Err(self.fail(&at, format!("{distribution} is outside of its range"), format!("it {fault}")));
            }
        }
        match policy.fault() {
            Some((place, (name, problem, remedy))) => {
                Err(self.fail(&format!("{field}.{place}.{name}"), problem, remedy))
            }
            None => Ok(()),
        }
    }

    /// The description with each `{parameter}` replaced by its distribution.
    fn description(&self, field: &str, spec: &FamilySpec, policy: &PolicyTemplate) -> Result<String, SuiteError> {
        let described = policy.described().into_iter().map(|(_, parameter)| parameter).chain(spec.voice.described());
        let mut parameters: Vec<(&str, &Distribution)> =
            described.map(|(name, distribution, _)| (name, distribution)).collect();
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
                return Err(self.fail(field, format!("the family has no parameter \"{name}\""), remedy));
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
