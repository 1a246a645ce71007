//! Shifted splits: what is drawn there differs from what contenders are told.

use super::Check;
use super::division::Instances;
use super::domain::FixedDomain;
use super::error::{SuiteError, nearest};
use super::family::Family;
use super::file::{FamilySpec, PartyPriorSpec, SuiteFile};
use super::policy_template::{BehaviourTemplate, CourseTemplate};
use super::space::Layout;
use super::tactic_template::TacticTemplate;
use super::voice_template::VoiceTemplate;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use zopa_envs::{Distribution, OutcomeSpace, PartyPrior};

/// What a split draws in place of what the suite publishes; what is left out is drawn as published. Contenders are told
/// the published prior and families all the same.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShiftSpec {
    /// The status quo's price.
    pub price: Option<Distribution>,
    /// The buyer's type.
    pub buyer: PartyShiftSpec,
    /// The supplier's type.
    pub supplier: PartyShiftSpec,
    /// Parameters of counterpart families, by name.
    pub counterparts: BTreeMap<String, FamilyShiftSpec>,
}

/// How one side's type is drawn where that differs.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PartyShiftSpec {
    /// What the side has if the negotiation fails, in shares of the status quo's price.
    pub disagreement: Option<Distribution>,
    /// Weights of its valuations, by the issue's name.
    pub weights: BTreeMap<String, Distribution>,
}

/// Other parameters of one family: the same structure, drawn from elsewhere.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FamilyShiftSpec {
    /// Its tactic's parameters.
    pub tactic: Option<TacticTemplate>,
    /// Its course's.
    pub course: Option<CourseTemplate>,
    /// Its behaviour's.
    pub behaviour: Option<BehaviourTemplate>,
    /// Its voice's.
    pub voice: Option<VoiceTemplate>,
    /// Its own deadline's.
    pub deadline: Option<Distribution>,
}

/// What scenarios are drawn from: the published distributions, or those of a shifted split.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) game: Game,
    pub(super) families: Vec<Family>,
}

/// The kind of game that a suite's scenarios are.
#[derive(Clone, Debug)]
pub(super) enum Game {
    /// Issues valued in money against a status quo.
    Money { layout: Layout, prior: Arc<[PartyPrior; 2]> },
    /// Pools of items to divide.
    Division(Instances),
    /// Preferences that are the same in every scenario.
    Domain(Arc<FixedDomain>),
}

impl Drawn {
    /// The issues of a scenario; their grids may differ between scenarios.
    pub(super) fn space(&self) -> &OutcomeSpace {
        match &self.game {
            Game::Money { layout, .. } => &layout.space,
            Game::Division(instances) => instances.space(),
            Game::Domain(domain) => &domain.space,
        }
    }

    /// How both sides' types are drawn, buyer first; empty where a pool is divided.
    pub(super) fn prior(&self) -> &[PartyPrior] {
        match &self.game {
            Game::Money { prior, .. } => &prior[..],
            Game::Division(_) | Game::Domain(_) => &[],
        }
    }
}

impl Check<'_> {
    /// Everything that scenarios are drawn from as published.
    pub(super) fn drawn(&self, typed: &SuiteFile) -> Result<Drawn, SuiteError> {
        let game = match (self.division(typed)?, self.domain(typed)?) {
            (Some(instances), _) => Game::Division(instances),
            (None, Some(domain)) => Game::Domain(Arc::new(domain)),
            (None, None) => {
                let layout = self.layout(typed)?;
                let prior = Arc::new(self.priors(typed, &layout)?);
                Game::Money { layout, prior }
            }
        };
        Ok(Drawn { game, families: self.families(typed)? })
    }

    /// What each shifted split draws, by the split's name.
    pub(super) fn shifts(
        &self,
        typed: &SuiteFile,
        published: &Drawn,
    ) -> Result<BTreeMap<String, Arc<Drawn>>, SuiteError> {
        let mut shifts = BTreeMap::new();
        for (name, split) in &typed.splits {
            let field = format!("splits.{name}");
            match (&split.drawn, &split.reference) {
                (Some(shift), Some(reference)) => {
                    self.reference(typed, name, reference)?;
                    let shifted = self.shifted(typed, &format!("{field}.drawn"), shift)?;
                    self.structures(&format!("{field}.drawn"), published, &shifted)?;
                    shifts.insert(name.clone(), Arc::new(shifted));
                }
                (None, None) => {}
                (Some(_), None) => {
                    let remedy = "name the split that draws as published: reference = \"public\"";
                    return Err(self.fail(&format!("{field}.drawn"), "there is nothing to compare it with", remedy));
                }
                (None, Some(_)) => {
                    let remedy = "say what is drawn otherwise, or leave the reference out";
                    return Err(self.fail(&format!("{field}.reference"), "the split draws as published", remedy));
                }
            }
        }
        Ok(shifts)
    }

    fn reference(&self, typed: &SuiteFile, name: &str, reference: &str) -> Result<(), SuiteError> {
        let field = format!("splits.{name}.reference");
        let Some(split) = typed.splits.get(reference) else {
            let known = typed.splits.keys().cloned().collect::<Vec<_>>().join(", ");
            let problem = format!("there is no split \"{reference}\"");
            return Err(self.fail(&field, problem, format!("name one of: {known}")));
        };
        let own = &typed.splits[name];
        if split.drawn.is_some() {
            return Err(self.fail(&field, format!("\"{reference}\" is shifted itself"), "name one that is not"));
        }
        if (split.seed, split.episodes, split.counterparts) != (own.seed, own.episodes, own.counterparts) {
            let problem = format!("\"{reference}\" has another seed, number of episodes or role of counterparts");
            let remedy = "make these equal: scenario i of both splits is then drawn from the same random numbers";
            return Err(self.fail(&field, problem, remedy));
        }
        Ok(())
    }

    /// The suite's file with a shift written over it, checked like any other.
    fn shifted(&self, typed: &SuiteFile, field: &str, shift: &ShiftSpec) -> Result<Drawn, SuiteError> {
        let mut file = typed.clone();
        let (Some(status_quo), Some(prior)) = (&mut file.status_quo, &mut file.prior) else {
            let remedy = "leave the shift out: only what is valued in money can be drawn otherwise";
            return Err(self.fail(field, "the suite is not about money", remedy));
        };
        if let Some(price) = shift.price {
            status_quo.price = price;
        }
        self.shift_party(&format!("{field}.buyer"), &shift.buyer, &mut prior.buyer)?;
        self.shift_party(&format!("{field}.supplier"), &shift.supplier, &mut prior.supplier)?;
        for (name, changed) in &shift.counterparts {
            let field = format!("{field}.counterparts.{name}");
            let Some(family) = file.counterparts.iter_mut().find(|family| family.name == *name) else {
                let known = typed.counterparts.iter().map(|family| family.name.as_str());
                return Err(self.unknown(&field, "family", name, known));
            };
            changed.write_over(family);
        }
        self.drawn(&file).map_err(|error| match error {
            SuiteError::Field { field: place, problem, remedy, .. } => {
                self.fail(field, format!("{place}: {problem}"), remedy)
            }
            other => other,
        })
    }

    fn shift_party(&self, field: &str, shift: &PartyShiftSpec, prior: &mut PartyPriorSpec) -> Result<(), SuiteError> {
        if let Some(disagreement) = shift.disagreement {
            prior.disagreement = disagreement;
        }
        for (issue, weight) in &shift.weights {
            let Some(value) = prior.values.iter_mut().find(|value| value.issue == *issue) else {
                let known = prior.values.iter().map(|value| value.issue.as_str());
                return Err(self.unknown(&format!("{field}.weights.{issue}"), "valued issue", issue, known));
            };
            value.weight = *weight;
        }
        Ok(())
    }

    fn unknown<'a>(
        &self,
        field: &str,
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> SuiteError {
        let remedy = nearest(name, known.clone()).map_or_else(
            || format!("name one of: {}", known.collect::<Vec<_>>().join(", ")),
            |near| format!("did you mean \"{near}\"?"),
        );
        self.fail(field, format!("there is no {what} \"{name}\""), remedy)
    }

    /// A shift moves parameters; what is new in structure is a family of its own, told of or held out.
    fn structures(&self, field: &str, published: &Drawn, shifted: &Drawn) -> Result<(), SuiteError> {
        for (before, after) in published.families.iter().zip(&shifted.families) {
            if before.structure() != after.structure() {
                let problem =
                    format!("it would be another family: {:?} is not {:?}", after.structure(), before.structure());
                let remedy = "keep tactic, behaviour and voice, and change their parameters only";
                return Err(self.fail(&format!("{field}.counterparts.{}", before.name), problem, remedy));
            }
        }
        Ok(())
    }
}

impl FamilyShiftSpec {
    fn write_over(&self, family: &mut FamilySpec) {
        if self.tactic.is_some() {
            family.tactic.clone_from(&self.tactic);
        }
        if self.course.is_some() {
            family.course.clone_from(&self.course);
        }
        if self.behaviour.is_some() {
            family.behaviour.clone_from(&self.behaviour);
        }
        if let Some(voice) = &self.voice {
            family.voice.clone_from(voice);
        }
        if self.deadline.is_some() {
            family.deadline = self.deadline;
        }
    }
}
