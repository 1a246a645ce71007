//! Mandates that a suite draws with each scenario.

use std::collections::BTreeSet;
use std::sync::Arc;
use zopa_envs::principal::Approver;
use zopa_envs::{Mandate, PermittedValues, Scenario, ScenarioSource, Seat};
use zopa_scenarios::{Opponent, SourceOptions, Suite, SuiteSource, render};

const SUITE: &str = "mandate-v1";

fn suite() -> Arc<Suite> {
    Arc::new(Suite::open(SUITE).unwrap_or_else(|error| panic!("{error}")))
}

fn source() -> SuiteSource {
    suite().source(&SourceOptions::default()).unwrap()
}

fn authority(scenario: &Scenario) -> String {
    format!("{:?} {:?}", scenario.mandates, scenario.principals)
}

/// Everything that mandates and principals may hold occurs, for both sides, at about its chance.
#[test]
fn every_kind_of_authority_is_drawn_at_its_chance() {
    let source = source();
    let scenarios = 4_000;
    for seat in Seat::BOTH {
        let (mut limited, mut asked, mut stopped, mut stepped_in) = (0, 0, 0, 0);
        let mut promises = BTreeSet::new();
        for number in 0..scenarios {
            let scenario = source.scenario(2 * number);
            let scale = scenario.public.status_quo_price().unwrap();
            let (mandate, principal) = (&scenario.mandates[seat.index()], &scenario.principals[seat.index()]);
            let least = mandate.least_gain.unwrap();
            assert!((0.0..=0.01 * scale).contains(&least));
            limited += u32::from(mandate.price_limit.is_some());
            asked += u32::from(!mandate.approval.is_empty());
            stopped += u32::from(!mandate.stop.is_empty());
            stepped_in += u32::from(!principal.interventions.is_empty());
            promises.insert(format!("{:?}", mandate.promises));
            assert!(matches!(principal.approver, Approver::ByGain(gain) if gain >= 0.005 * scale));
            assert!(principal.interventions.is_sorted_by_key(|said| said.round));
            for said in &principal.interventions {
                assert!(said.round < scenario.public.rounds && !said.words.contains(['{', '}']), "{}", said.words);
                assert_eq!(said.tightening.price_limit.is_some(), said.words.contains('$'), "{}", said.words);
            }
        }
        let close = |count: u32, chance: f64| {
            let deviation = (chance * (1.0 - chance) / scenarios as f64).sqrt();
            assert!(
                (f64::from(count) / scenarios as f64 - chance).abs() < 4.5 * deviation,
                "{seat}: {count} at {chance}"
            );
        };
        close(limited, 0.5);
        close(asked, 1.0 - 0.6 * 0.7 * 0.7);
        close(stopped, 1.0 - 0.8 * 0.85);
        close(stepped_in, 1.0 - 0.7 * 0.85 * 0.8);
        assert_eq!(promises.len(), 3);
    }
}

#[test]
fn all_contenders_and_both_seats_have_the_same_mandates_whoever_sits_opposite() {
    let source = source();
    for number in 0..100 {
        let [one, other] = [0, 1].map(|seat| source.scenario(2 * number + seat));
        assert_eq!(authority(&one), authority(&other));
    }
    let opponent = Opponent::Agent("nash".into());
    let against = suite().source(&SourceOptions { opponent, ..SourceOptions::default() }).unwrap();
    assert_eq!(authority(&against.scenario(6)), authority(&source.scenario(6)));
}

#[test]
fn a_mandate_is_gone_with_the_next_scenario_and_other_suites_keep_the_default() {
    let source = source();
    let mut scenario = source.scenario(0);
    for index in [5, 9, 2] {
        source.refill(index, &mut scenario);
        assert_eq!(authority(&scenario), authority(&source.scenario(index)));
    }
    let plain = Arc::new(Suite::open("procurement-v1").unwrap()).source(&SourceOptions::default()).unwrap();
    plain.refill(0, &mut scenario);
    assert_eq!(scenario.mandates, [Mandate::default(), Mandate::default()]);
    assert_eq!(scenario.principals, [zopa_envs::Principal::default(), zopa_envs::Principal::default()]);
}

#[test]
fn permitted_values_are_those_that_the_file_lists() {
    let source = source();
    let mut met = BTreeSet::new();
    for number in 0..200 {
        let scenario = source.scenario(2 * number);
        for PermittedValues { issue, values } in &scenario.mandates[0].permitted {
            let issue = &scenario.public.space.issues()[*issue];
            let kept: Vec<String> =
                (0..issue.len()).filter(|&index| values[index as usize]).map(|index| issue.text(index)).collect();
            met.insert(format!("{}: {}", issue.name, kept.join(", ")));
        }
    }
    let met: Vec<String> = met.into_iter().collect();
    assert_eq!(met, ["payment: 30 days, 45 days, 60 days, 75 days, 90 days", "service: standard, premium"]);
}

#[test]
fn a_person_reads_what_is_authorised() {
    let source = source();
    let (index, scenario) = (0..400)
        .map(|index| (index, source.scenario(index)))
        .find(|(_, scenario)| {
            let (mandate, principal) =
                (&scenario.mandates[scenario.seat.index()], &scenario.principals[scenario.seat.index()]);
            mandate.price_limit.is_some()
                && mandate.approval.len() > 1
                && mandate.stop.len() > 1
                && principal.interventions.len() > 1
        })
        .unwrap();
    let text = render(&scenario, scenario.seat, false);
    let authority = text.split_once("\nAuthority\n").unwrap().1.split("\n\n").next().unwrap();
    insta::assert_snapshot!(format!("episode {index}\n{authority}"));
}

#[test]
fn every_mistake_in_a_mandate_is_told_with_its_field_and_what_to_do() {
    let text = suite().text().to_owned();
    let check = |from: &str, to: &str, said: &str| {
        assert!(text.contains(from), "the suite has no \"{from}\"");
        let error = Suite::parse("mine.toml", &text.replacen(from, to, 1)).expect_err(to).to_string();
        assert!(error.contains(said), "{to}:\n{error}");
    };
    check(
        "price_limit = { chance = 0.5",
        "price_limit = { chance = 1.5",
        "mandates.buyer.price_limit.chance: 1.5 is out of",
    );
    check(
        "least_gain = { uniform = { low = 0.0, high",
        "least_gain = { uniform = { low = -0.1, high",
        "mandates.buyer.least_gain: uniform from -0.1 to 0.01 is out of range; keep it from 0 to 1",
    );
    check(
        "values = [30, 45, 60, 75, 90]",
        "values = [30, 40]",
        "mandates.buyer.permitted[0].values[1]: 40 is no value",
    );
    check("values = [30, 45, 60, 75, 90]", "values = []", "no value is left");
    check("issue = \"payment\"\nvalues", "issue = \"payments\"\nvalues", "did you mean \"payment\"?");
    check(
        "from_round = { uniform = { low = 8.0, high = 14.0 } }",
        "from_round = { constant = 20 }",
        "keep it from 0 to 19",
    );
    check("no more than {price_limit}.", "less.", "mandates.buyer.interventions[0].words: words and fields differ");
    check("quantity_above = 110", "quantity_abov = 110", "did you mean `quantity_above`?");
}
