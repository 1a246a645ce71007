//! Beliefs against the hidden type, over drawn scenarios.

#[path = "drawn/mod.rs"]
mod drawn;

use drawn::Drawn;
use zopa_envs::score::BeliefScores;
use zopa_envs::{Belief, CommonPrior, Scenario, ScenarioSource};

const LEVEL: f64 = 0.8;

/// Intervals about each hidden parameter, given its name, its prior quantiles at the level, and its truth.
fn beliefs(scenario: &Scenario, interval: impl Fn(f64, f64, f64) -> [f64; 2]) -> Vec<Belief> {
    let CommonPrior::Parties(priors) = &scenario.public.prior else { panic!("drawn scenarios publish their prior") };
    let other = scenario.seat.other();
    let prior = &priors[other.index()];
    let truths = &scenario.types[other.index()].parameters;
    let names = prior.parameter_names(&scenario.public.space);
    let quantiles = prior.distributions().map(|distribution| [0.1, 0.9].map(|p| distribution.quantile(p)));
    let stated = names.iter().zip(quantiles).zip(truths);
    stated
        .map(|((name, [below, above]), &truth)| {
            let [low, high] = interval(below, above, truth);
            Belief { parameter: name.as_str().into(), low, high, level: LEVEL }
        })
        .collect()
}

/// The scores over many scenarios, averaged.
fn mean(interval: impl Fn(f64, f64, f64) -> [f64; 2]) -> [f64; 4] {
    let source = Drawn::new(5, 4);
    let mut sums = [0.0; 4];
    for index in 0..2_000 {
        let scenario = source.scenario(index);
        let scores = BeliefScores::of(&scenario, &beliefs(&scenario, &interval)).unwrap();
        assert_eq!((scores.invalid, scores.level), (0, LEVEL));
        let parts = [scores.interval_score, scores.prior_interval_score, scores.width, scores.coverage];
        sums.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part / 2_000.0);
    }
    sums
}

#[test]
fn who_states_the_prior_scores_as_the_prior_and_covers_at_its_level() {
    let [score, prior, width, coverage] = mean(|below, above, _| [below, above]);
    assert_eq!(score, prior);
    assert!((width - 1.0).abs() < 1e-9 && (coverage - LEVEL).abs() < 0.02, "width {width}, coverage {coverage}");
}

#[test]
fn who_knows_more_scores_better_and_who_only_claims_to_scores_worse() {
    let [prior, ..] = mean(|below, above, _| [below, above]);
    let [informed, _, width, coverage] = mean(|below, above, truth| {
        let half = 0.2 * (above - below);
        [truth - half, truth + half]
    });
    assert!(informed < 0.5 * prior && width < 0.5 && coverage > 1.0 - 1e-9, "{informed} of {prior}");
    let [overconfident, _, _, coverage] = mean(|below, above, _| {
        let middle = f64::midpoint(below, above);
        [middle, middle]
    });
    assert!(overconfident > prior && coverage < 0.01, "{overconfident} of {prior}");
}

#[test]
fn what_is_no_belief_is_counted_and_not_scored() {
    let scenario = Drawn::new(5, 3).scenario(0);
    let good = beliefs(&scenario, |below, above, _| [below, above]);
    let check = |change: &dyn Fn(&mut Belief)| {
        let mut stated = vec![good[0].clone(), good[1].clone()];
        change(&mut stated[0]);
        let scores = BeliefScores::of(&scenario, &stated).unwrap();
        assert_eq!((scores.stated, scores.invalid), (1, 1), "{stated:?}");
        assert!(scores.interval_score.is_finite());
    };
    check(&|belief| belief.low = f64::NAN);
    check(&|belief| belief.high = f64::INFINITY);
    check(&|belief| std::mem::swap(&mut belief.low, &mut belief.high));
    check(&|belief| belief.level = 1.0);
    check(&|belief| belief.level = 0.0);
    check(&|belief| belief.parameter = "mood".into());
    check(&|belief| belief.parameter = good[1].parameter.clone());
    assert_eq!(BeliefScores::of(&scenario, &[]), None);
}

#[test]
fn families_are_believed_in_like_parameters() {
    use zopa_envs::FamilyNotice;
    let mut scenario = Drawn::new(5, 3).scenario(0);
    let name = scenario.counterpart.as_ref().unwrap().family.clone();
    let notice = |name: &str, share| FamilyNotice {
        name: name.into(),
        share,
        description: "".into(),
        numbers: Default::default(),
    };
    scenario.public.families = [notice(&name, 0.25), notice("other", 0.75)].into();
    let check = |family: &str, [low, high]: [f64; 2], score: f64, covered: f64| {
        let belief = Belief { parameter: format!("family:{family}").into(), low, high, level: 0.8 };
        let scores = BeliefScores::of(&scenario, &[belief]).unwrap();
        assert_eq!((scores.stated, scores.invalid), (1, 0));
        assert!((scores.interval_score - score).abs() < 1e-9, "{family} in {low} to {high}: {scores:?}");
        assert_eq!((scores.coverage, scores.width), (covered, high - low));
        scores
    };
    // Undecided, rightly sure, wrongly sure (2 / alpha times the miss), and half sure.
    let undecided = check(&name, [0.0, 1.0], 1.0, 1.0);
    assert_eq!(undecided.prior_interval_score, 1.0);
    check(&name, [1.0, 1.0], 0.0, 1.0);
    check("other", [0.0, 0.0], 0.0, 1.0);
    check("other", [1.0, 1.0], 10.0, 0.0);
    check(&name, [0.5, 0.5], 5.0, 0.0);
    let unknown = Belief { parameter: "family:nobody".into(), low: 0.0, high: 1.0, level: 0.8 };
    assert_eq!(BeliefScores::of(&scenario, &[unknown]).unwrap().invalid, 1);
}

#[test]
fn beliefs_over_several_contracts_count_each_interval_once() {
    let scenario = Drawn::new(5, 3).scenario(0);
    let all = beliefs(&scenario, |below, above, _| [below, above]);
    let one = BeliefScores::of(&scenario, &all[..1]).unwrap();
    let rest = BeliefScores::of(&scenario, &all[1..]).unwrap();
    let whole = BeliefScores::of(&scenario, &all).unwrap();
    let over = BeliefScores::over(&[one, rest]).unwrap();
    assert_eq!((over.stated, over.invalid), (whole.stated, whole.invalid));
    assert!((over.interval_score - whole.interval_score).abs() < 1e-9);
    assert!((over.coverage - whole.coverage).abs() < 1e-12 && (over.width - whole.width).abs() < 1e-9);
    assert_eq!(BeliefScores::over(&[]), None);
}
