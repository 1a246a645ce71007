//! Held-out families are new in structure, and no training split ever meets one.

use std::sync::Arc;
use zopa_envs::counterpart::{Behaviour, Policy};
use zopa_envs::tactic::Selection;
use zopa_envs::{Counterpart, Scenario, ScenarioSource, Tactic};
use zopa_scenarios::suite::file::FamilyRole;
use zopa_scenarios::suite::policy_template::{CourseTemplate, PolicyTemplate};
use zopa_scenarios::{Opponent, SourceOptions, Suite};

/// What a drawn counterpart does, named apart from the suite file that it was drawn from.
fn does(counterpart: &Counterpart) -> &'static str {
    use zopa_envs::counterpart::Ear;
    match &counterpart.policy {
        Policy::Tactic(Tactic::TimeDependent(_)) => "time_dependent",
        Policy::Tactic(Tactic::Hardliner(_)) => "hardliner",
        Policy::Tactic(Tactic::RelativeTitForTat(_)) => "relative_tit_for_tat",
        Policy::Tactic(Tactic::AbsoluteTitForTat(_)) => "absolute_tit_for_tat",
        Policy::Tactic(Tactic::AveragedTitForTat(_)) => "averaged_tit_for_tat",
        Policy::Tactic(Tactic::Micro(_)) => "micro",
        Policy::Tactic(Tactic::Random(_)) => "random",
        Policy::Conceding { behaviour, .. } => match behaviour {
            Behaviour::Steady => "steady",
            Behaviour::Strategic(_) => "strategic",
            Behaviour::Stochastic(_) => "stochastic",
            Behaviour::Reneging(_) => "reneging",
            Behaviour::Patient(_) => "patient",
            Behaviour::Desperate(_) => "desperate",
            Behaviour::Listening(listening) => match listening.ear {
                Ear::Reasoned => "reasoned",
                Ear::Reciprocal => "reciprocal",
                Ear::Suspicious => "suspicious",
            },
        },
    }
}

fn suites() -> Vec<Arc<Suite>> {
    Suite::names().map(|name| Arc::new(Suite::open(name).unwrap_or_else(|error| panic!("{error}")))).collect()
}

/// What a suite's held-out families do, or say, that none of its own training families does or says.
fn held_out(suite: &Suite) -> Vec<(usize, &'static str)> {
    let of = |role| suite.families().iter().filter(move |family| family.role == role);
    let trained = |part: usize, name| of(FamilyRole::Training).any(|family| family.structure()[part] == name);
    let parts = of(FamilyRole::HeldOut).flat_map(|family| family.structure().into_iter().enumerate());
    parts.filter(|&(part, name)| !trained(part, name)).collect()
}

/// Also across suites: what is held out in one is trained on in none, or a learner could prepare for it there.
#[test]
fn no_held_out_structure_occurs_in_a_training_split_of_any_built_in_suite() {
    let suites = suites();
    let held_out: Vec<(usize, &str)> = suites.iter().flat_map(|suite| held_out(suite)).collect();
    assert!(!held_out.is_empty(), "some suite holds a family out");
    for suite in &suites {
        for (name, split) in suite.splits() {
            let source =
                suite.source(&SourceOptions { split: Some(name.clone()), ..SourceOptions::default() }).unwrap();
            let mut scenario = source.scenario(0);
            for index in 0..2_000 {
                source.refill(index, &mut scenario);
                let counterpart = scenario.counterpart.as_ref().unwrap();
                let structure = [does(counterpart), counterpart.voice.name()];
                let family = suite.family(&counterpart.family).unwrap();
                assert_eq!(family.structure(), structure);
                assert_eq!(family.role, split.counterparts, "{} {name}", suite.name());
                let new = structure.into_iter().enumerate().any(|part| held_out.contains(&part));
                assert_eq!(new, split.counterparts == FamilyRole::HeldOut, "{} {name}: {structure:?}", suite.name());
                let told = |family: &zopa_envs::FamilyNotice| suite.family(&family.name).unwrap().role;
                assert!(scenario.public.families.iter().all(|notice| told(notice) == FamilyRole::Training));
            }
        }
    }
}

#[test]
fn a_held_out_family_is_refused_in_a_training_split_even_by_name() {
    for suite in suites() {
        for (split, spec) in suite.splits() {
            for family in suite.families() {
                let opponent = Opponent::Family(family.name.to_string());
                let options = SourceOptions { split: Some(split.clone()), opponent, ..SourceOptions::default() };
                let refused = family.role == FamilyRole::HeldOut && spec.counterparts == FamilyRole::Training;
                assert_eq!(suite.source(&options).is_err(), refused, "{} {split} {}", suite.name(), family.name);
            }
        }
    }
}

/// A scenario without its counterpart and what belongs to that: the deadline of its own.
fn without_counterpart(mut scenario: Scenario) -> String {
    scenario.types[scenario.seat.other().index()].deadline = None;
    scenario.counterpart = None;
    format!("{scenario:?}")
}

/// So figures by family are of one set of scenarios, which the families alone tell apart.
#[test]
fn every_family_of_counterparts_v1_is_met_in_the_same_scenarios() {
    let suite = Arc::new(Suite::open("counterparts-v1").unwrap());
    for (split, met) in [("public", 18), ("held-out", 23)] {
        let open =
            |opponent| suite.source(&SourceOptions { split: Some(split.into()), opponent, ..Default::default() });
        let mix = open(Opponent::Mix).unwrap();
        let drawn: Vec<String> = (0..40).map(|index| without_counterpart(mix.scenario(index))).collect();
        let families = suite.families().iter();
        let sources: Vec<_> = families
            .filter_map(|family| Some((family, open(Opponent::Family(family.name.to_string())).ok()?)))
            .collect();
        assert_eq!(sources.len(), met, "{split}");
        for (family, source) in sources {
            for (index, drawn) in drawn.iter().enumerate() {
                let scenario = source.scenario(index as u64);
                assert_eq!(scenario.counterpart.as_ref().unwrap().family, family.name);
                assert_eq!(&without_counterpart(scenario), drawn, "{} {split} {index}", family.name);
            }
        }
    }
}

/// What families.md says of them: their voices, behaviours and deadlines are held out, their courses are not.
#[test]
fn four_held_out_families_concede_along_courses_that_are_trained_on() {
    let course = |suite: &Suite, name: &str| -> CourseTemplate {
        match &suite.family(name).unwrap().policy {
            PolicyTemplate::Conceding { course, .. } => course.clone(),
            PolicyTemplate::Tactic(_) => panic!("{name} has no course"),
        }
    };
    let suite = |name: &str| Suite::open(name).unwrap_or_else(|error| panic!("{error}"));
    let check = |(in_suite, held_out): (&str, &str), (elsewhere, trained): (&str, &str)| {
        let (there, here) = (course(&suite(in_suite), held_out), course(&suite(elsewhere), trained));
        assert_eq!(there, here, "{held_out} of {in_suite} and {trained} of {elsewhere}");
    };
    for name in ["counterparts-v1", "mandate-v1"] {
        check((name, "pressuring"), ("counterparts-v1", "taciturn"));
        check((name, "bluffing"), (name, "candid"));
    }
    for name in ["counterparts-v1", "talk-v1"] {
        check((name, "suspicious"), (name, "reasoned"));
    }
    check(("counterparts-v1", "suspicious"), ("counterparts-v1", "candid"));
    check(("counterparts-v1", "reneging"), ("counterparts-v1", "candid"));
    // Where mandate-v1 trains, whoever has a course takes over the other terms.
    for family in suite("mandate-v1").families().iter().filter(|family| family.role == FamilyRole::Training) {
        let PolicyTemplate::Conceding { course, .. } = &family.policy else { continue };
        assert_eq!(course.selection, Selection::TakeOver, "{}", family.name);
    }
}
