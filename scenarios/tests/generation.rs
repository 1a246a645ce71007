//! Laws of seeded generation.

use proptest::prelude::*;
use std::sync::Arc;
use zopa_envs::{Distribution, Grid, Money, Scenario, ScenarioSource, Seat};
use zopa_scenarios::suite::file::FamilyRole;
use zopa_scenarios::{Opponent, SourceOptions, Suite, SuiteSource, Survey, difficulty_cutoffs};

fn open(name: &str) -> Arc<Suite> {
    Arc::new(Suite::open(name).unwrap_or_else(|error| panic!("{error}")))
}

fn source(name: &str) -> SuiteSource {
    open(name).source(&SourceOptions::default()).expect("every suite has its default split")
}

fn with(name: &str, change: impl FnOnce(&mut SourceOptions)) -> SuiteSource {
    let mut options = SourceOptions::default();
    change(&mut options);
    open(name).source(&options).expect("the options name what the suite has")
}

/// Everything of a scenario, as one text to compare.
fn all(scenario: &Scenario) -> String {
    format!("{scenario:?}")
}

/// What both seats of a scenario share; a counterpart's own deadline is left out.
fn shared(scenario: &Scenario) -> String {
    let mut types = scenario.types.clone();
    types.iter_mut().for_each(|party| party.deadline = None);
    format!("{:?} {types:?} {:?} {:?}", scenario.public, scenario.mandates, scenario.break_off)
}

fn counterpart(scenario: &Scenario) -> String {
    format!("{:?}", scenario.counterpart)
}

/// Every suite's card as it stands, empty where there is none.
fn card(name: &str) -> String {
    let path = format!("{}/cards/{name}.md", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap_or_default()
}

#[test]
fn every_built_in_suite_opens_under_its_own_name_and_has_its_card() {
    for name in Suite::names() {
        let suite = open(name);
        assert_eq!(suite.name(), name);
        let card = card(name);
        assert!(card.contains(suite.question()), "{name}'s card asks what the suite asks");
        for part in ["What good looks like", "nown limits"] {
            assert!(card.contains(part), "{name}'s card has no \"{part}\"");
        }
        for (split, spec) in suite.splits() {
            let thousands = |number: u64| match number {
                1_000.. => format!("{},{:03}", number / 1_000, number % 1_000),
                _ => number.to_string(),
            };
            let row = format!("| {split} | {} | {} |", spec.seed, thousands(spec.episodes));
            let in_words = split == "only" && card.contains("One split, `only`, of two episodes");
            assert!(card.contains(&row) || in_words, "{name}'s card has no row \"{row}\"");
        }
    }
}

/// All that is missing is told at once, to be copied.
#[test]
fn cards_state_the_figures_that_are_measured() {
    let mut missing = Vec::new();
    for name in Suite::names() {
        let mut figures = vec![Survey::of(&source(name), 5_000).to_string()];
        figures.extend(open(name).difficulty_cutoffs().map(|[a, b, c, d]| format!("{a}, {b}, {c} and {d}")));
        let card = card(name);
        missing.extend(figures.into_iter().filter(|figure| !card.contains(figure)).map(|figure| (name, figure)));
    }
    let told: String = missing.iter().map(|(name, figure)| format!("\n{name}'s card needs:\n{figure}\n")).collect();
    assert!(missing.is_empty(), "{told}");
}

/// The cut-offs of a suite whose default split is shifted are those of its reference.
#[test]
fn difficulty_cut_offs_part_a_suites_scenarios_into_fifths() {
    let mut wrong = String::new();
    for name in Suite::names() {
        let suite = open(name);
        let Some(cutoffs) = suite.difficulty_cutoffs() else {
            assert!(name.starts_with("worked-example"), "{name} grades its scenarios");
            continue;
        };
        let split = suite.split(suite.default_split()).unwrap();
        let measured = split.reference.clone().or(Some(suite.default_split().to_owned()));
        let measured = difficulty_cutoffs(&with(name, |options| options.split = measured), 10_000).unwrap();
        if *cutoffs != measured {
            wrong += &format!("\n{name} needs: cutoffs = {measured:?}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_suite_loaded_from_its_path_is_the_built_in_one() {
    let path = format!("{}/suites/procurement-v1.toml", env!("CARGO_MANIFEST_DIR"));
    let (loaded, built_in) = (Suite::open(&path).unwrap(), Suite::open("procurement-v1").unwrap());
    assert_eq!(loaded.digest(), built_in.digest());
    assert_eq!(loaded.digest().len(), 64);
    assert_eq!(loaded.text(), built_in.text());
}

#[test]
fn types_lie_in_the_support_that_they_are_drawn_from() {
    for name in Suite::names() {
        let source = source(name);
        for number in 0..500 {
            let scenario = source.scenario(2 * number);
            for (party, prior) in scenario.types.iter().zip(source.drawn_prior()) {
                let distributions: Vec<&Distribution> = prior.distributions().collect();
                assert_eq!(party.parameters.len(), distributions.len());
                for (&parameter, distribution) in party.parameters.iter().zip(distributions) {
                    let (low, high) = distribution.support();
                    assert!((low..=high).contains(&parameter), "{name}: {parameter} outside of {distribution}");
                }
                assert!(party.yardstick > party.smallest_step && party.smallest_step > 0.0);
            }
        }
    }
}

#[test]
fn names_and_counts_never_change_and_the_tick_is_a_ten_thousandth_of_the_status_quo_price() {
    let source = source("procurement-v1");
    let names = |scenario: &Scenario| -> Vec<(String, u32)> {
        scenario.public.space.issues().iter().map(|issue| (issue.name.to_string(), issue.len())).collect()
    };
    let first = names(&source.scenario(0));
    for number in 0..500 {
        let scenario = source.scenario(2 * number);
        assert_eq!(names(&scenario), first);
        let Grid::Money { floor, tick, .. } = scenario.public.space.issues()[0].grid else { panic!("no price grid") };
        let status_quo = scenario.public.status_quo.as_ref().unwrap();
        let price = floor.0 + tick.0 * i64::from(status_quo.get(0));
        assert_eq!(tick.0 * 10_000, price);
        assert_eq!(price % Money::major(100).0, 0);
        assert!((20_000..=2_000_000).contains(&(price / 100)));
        assert!(scenario.public.space.contains(status_quo));
    }
}

#[test]
fn no_reservation_price_lies_outside_of_the_grid() {
    for name in ["payment-terms-v1", "procurement-v1"] {
        let source = source(name);
        for number in 0..20 {
            let scenario = source.scenario(2 * number);
            let space = &scenario.public.space;
            let price = &space.issues()[0];
            let (low, high) = (price.number(0).unwrap(), price.number(price.len() - 1).unwrap());
            let combinations = space.size() as u64 / u64::from(price.len());
            for terms in (0..combinations).map(|rank| space.outcome(rank)) {
                for party in &scenario.types {
                    let (rest, slope) = party.utility.line(&terms).unwrap();
                    let reservation = (party.disagreement - rest) / slope;
                    assert!((low..=high).contains(&reservation), "{name}: {reservation} outside of {low} to {high}");
                }
            }
        }
    }
}

#[test]
fn both_seats_of_a_scenario_see_one_public_scenario_and_the_same_types() {
    let source = source("procurement-v1");
    for number in 0..100 {
        let [buyer, supplier] = [source.scenario(2 * number), source.scenario(2 * number + 1)];
        assert_eq!((buyer.seat, supplier.seat), (Seat::Buyer, Seat::Supplier));
        assert_eq!(shared(&buyer), shared(&supplier));
        assert_ne!(counterpart(&buyer), counterpart(&supplier));
    }
}

#[test]
fn who_opens_is_balanced() {
    let source = source("procurement-v1");
    let mut scenario = source.scenario(0);
    let scenarios = 20_000_u32;
    let buyer = (0..u64::from(scenarios))
        .filter(|number| {
            source.refill(2 * number, &mut scenario);
            scenario.public.opener == Seat::Buyer
        })
        .count();
    // Four standard deviations of a fair coin.
    assert!((buyer as f64 / f64::from(scenarios) - 0.5).abs() < 4.0 * 0.5 / f64::from(scenarios).sqrt(), "{buyer}");
}

#[test]
fn break_offs_follow_the_published_hazard() {
    let source = source("procurement-v1");
    let (rounds, hazard) = (source.suite().file().rounds, source.suite().file().hazard);
    let mut scenario = source.scenario(0);
    let scenarios = 20_000_u32;
    let mut broken = vec![0_u32; usize::from(rounds)];
    for number in 0..u64::from(scenarios) {
        source.refill(2 * number, &mut scenario);
        if let Some(round) = scenario.break_off {
            broken[usize::from(round)] += 1;
        }
    }
    let mut survival = 1.0;
    for (round, count) in broken.into_iter().enumerate() {
        let expected = if round + 1 < usize::from(rounds) { survival * hazard } else { 0.0 };
        let deviation = (expected / f64::from(scenarios)).sqrt();
        assert!((f64::from(count) / f64::from(scenarios) - expected).abs() <= 4.5 * deviation, "{round}: {count}");
        survival *= 1.0 - hazard;
    }
}

#[test]
fn families_are_met_by_their_shares() {
    let source = source("procurement-v1");
    let mut scenario = source.scenario(0);
    let episodes = 20_000_u32;
    let mut met = vec![0_u32; source.suite().families().len()];
    for index in 0..u64::from(episodes) {
        source.refill(index, &mut scenario);
        let family = &scenario.counterpart.as_ref().unwrap().family;
        met[source.suite().families().iter().position(|known| known.name == *family).unwrap()] += 1;
    }
    for (count, family) in met.into_iter().zip(source.suite().families()) {
        let deviation = (family.share * (1.0 - family.share) / f64::from(episodes)).sqrt();
        assert!((f64::from(count) / f64::from(episodes) - family.share).abs() < 4.5 * deviation, "{}", family.name);
    }
}

#[test]
fn training_splits_never_meet_a_held_out_family() {
    let text = Suite::open("procurement-v1").unwrap().text().replace(
        "name = \"micro\"\nrole = \"training\"\nshare = 0.1",
        "name = \"micro\"\nrole = \"held_out\"\nshare = 1.0",
    );
    let text = text.replace(
        "name = \"boulware\"\nrole = \"training\"\nshare = 0.2",
        "name = \"boulware\"\nrole = \"training\"\nshare = 0.3",
    );
    let text = text.replace(
        "[splits.public]",
        "[splits.held-out]\npurpose = \"p\"\nseed = 3\nepisodes = 2\ncounterparts = \"held_out\"\n\n[splits.public]",
    );
    let suite = Arc::new(Suite::parse("test.toml", &text).unwrap_or_else(|error| panic!("{error}")));
    for (name, split) in suite.splits() {
        let source = suite.source(&SourceOptions { split: Some(name.clone()), ..SourceOptions::default() }).unwrap();
        for index in 0..2_000 {
            let scenario = source.scenario(index);
            let family = suite.family(&scenario.counterpart.as_ref().unwrap().family).unwrap();
            assert_eq!(family.role, split.counterparts, "{name}");
            assert!(
                scenario
                    .public
                    .families
                    .iter()
                    .all(|notice| suite.family(&notice.name).unwrap().role == FamilyRole::Training)
            );
        }
    }
}

#[test]
fn split_seed_and_salt_change_the_scenario_and_the_opponent_only_who_is_met() {
    let base = source("procurement-v1").scenario(6);
    let other = |change: fn(&mut SourceOptions)| with("procurement-v1", change).scenario(6);
    for different in [
        other(|options| options.split = Some("train".into())),
        other(|options| options.seed = Some(7)),
        other(|options| options.salt = Some(b"private".to_vec())),
    ] {
        assert_ne!(shared(&different), shared(&base));
        assert_ne!(counterpart(&different), counterpart(&base));
    }
    let family = other(|options| options.opponent = Opponent::Family("micro".into()));
    assert_eq!(shared(&family), shared(&base));
    assert_eq!(&*family.counterpart.as_ref().unwrap().family, "micro");
    let agent = other(|options| options.opponent = Opponent::Agent("nash".into()));
    assert_eq!(shared(&agent), shared(&base));
    assert!(agent.counterpart.is_none());
}

#[test]
fn a_counterparts_private_deadline_is_drawn_from_its_family_and_gone_with_the_next_scenario() {
    let text = Suite::open("worked-example-v1").unwrap().text().replace(
        "name = \"linear\"\nrole = \"training\"\nshare = 1.0\ndescription = \"",
        "name = \"linear\"\nrole = \"training\"\nshare = 1.0\ndeadline = { uniform = { low = 5, high = 9 } }\ndescription = \"Leaves after {deadline} rounds. ",
    );
    let suite = Arc::new(Suite::parse("test.toml", &text).unwrap_or_else(|error| panic!("{error}")));
    let source = suite.source(&SourceOptions::default()).unwrap();
    let mut scenario = source.scenario(0);
    for index in 0..100 {
        source.refill(index, &mut scenario);
        assert!((5..=9).contains(&scenario.types[scenario.seat.other().index()].deadline.unwrap()));
        assert_eq!(scenario.types[scenario.seat.index()].deadline, None);
    }
}

#[test]
fn threads_and_order_change_nothing() {
    let source = source("procurement-v1");
    let forward: Vec<String> = (0..64).map(|index| all(&source.scenario(index))).collect();
    let threads: Vec<_> = (0..4)
        .map(|thread| {
            let source = source.clone();
            std::thread::spawn(move || {
                (0..64)
                    .rev()
                    .filter(|index| index % 4 == thread)
                    .map(|index| (index, all(&source.scenario(index))))
                    .collect::<Vec<_>>()
            })
        })
        .collect();
    for (index, text) in threads.into_iter().flat_map(|thread| thread.join().unwrap()) {
        assert_eq!(text, forward[index as usize]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_refilled_scenario_is_a_fresh_one_whatever_stood_there(
        indices in proptest::collection::vec(0_u64..1 << 40, 1..8), seed in 0_u64..1 << 53, foreign: bool,
    ) {
        let source = with("procurement-v1", |options| options.seed = Some(seed));
        let mut scenario = if foreign { self::source("payment-terms-v1").scenario(0) } else { source.scenario(0) };
        for index in indices {
            scenario.mandates[0].least_gain = None;
            source.refill(index, &mut scenario);
            prop_assert_eq!(all(&scenario), all(&source.scenario(index)));
        }
    }
}
