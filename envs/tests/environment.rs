//! Reset and step: the same rules as a plain loop, observations within their ranges, nothing of the other side's type.

mod drawn;
mod plain;

use drawn::Drawn;
use plain::{Loop, observed};
use proptest::prelude::*;
use zopa_envs::environment::{ActionLevel, Choice, Environment, EnvironmentConfig, Reward, Step, StepError};
use zopa_envs::{Action, Ending, Intent, Negotiation, Offer, Scenario, ScenarioSource, StreamKey, intent};

fn config(level: ActionLevel, reward: Reward) -> EnvironmentConfig {
    EnvironmentConfig { level, reward, truncate_after: None }
}

/// Plays `games` games of `policy` in the environment and in a plain loop, comparing them at every step.
fn check(issues: usize, level: ActionLevel, games: u64, mut policy: impl FnMut(&Loop) -> Choice) {
    let source = Drawn::new(issues as u64, issues);
    let mut environment = Environment::new(source.clone(), config(level, Reward::Surplus)).unwrap();
    let spec = environment.observation_spec().clone();
    for episode in 0..games {
        let (observation, info) = environment.reset(Some(episode)).unwrap();
        let mut plain = Loop::start(source.scenario(episode));
        assert_eq!(observation, observed(&spec, &plain.game, plain.seat));
        assert_eq!(info.ruling, None);
        loop {
            let choice = policy(&plain);
            let step = environment.step(choice.clone()).unwrap();
            let ruling = plain.step(&choice);
            assert_eq!(step.info.ruling, ruling, "episode {episode}");
            assert_eq!(environment.negotiation().history(), plain.game.history());
            assert_eq!(environment.negotiation().outcome(), plain.game.outcome());
            assert_eq!(environment.negotiation().conduct(plain.seat), plain.game.conduct(plain.seat));
            assert_eq!(step.observation, observed(&spec, &plain.game, plain.seat));
            assert_eq!(step.terminated, plain.game.outcome().is_some());
            assert!(!step.truncated);
            if step.terminated {
                assert_eq!(step.reward, plain.surplus());
                break;
            }
            assert_eq!(step.reward, 0.0);
        }
    }
}

#[test]
fn intents_play_the_same_game_as_a_plain_loop() {
    let mut stream = StreamKey::new("test", &[]).stream(0);
    check(5, ActionLevel::Intents, 1_000, |_| {
        Intent::ALL[stream.weighted([0.1, 0.4, 0.2, 0.2, 0.05, 0.04, 0.01].into_iter())].into()
    });
}

#[test]
fn offers_and_dialogue_acts_play_the_same_game_as_a_plain_loop() {
    let mut stream = StreamKey::new("test", &[]).stream(1);
    let mut random = |play: &Loop| {
        let issues = play.game.scenario().public.space.issues();
        let indices: Vec<u32> = issues.iter().map(|issue| stream.below(u64::from(issue.len())) as u32).collect();
        let roll = stream.uniform();
        let offer = Offer::new(&indices);
        if roll < 0.9 {
            Action::offer(offer)
        } else if roll < 0.97 {
            Action::Accept
        } else {
            Action::WalkAway
        }
    };
    check(3, ActionLevel::Offers, 300, |play| random(play).into());
    check(4, ActionLevel::DialogueActs, 300, |play| match random(play) {
        Action::WalkAway => Action::Pass.into(),
        action => action.into(),
    });
}

#[test]
fn numbers_mean_the_choices_that_the_space_names() {
    let source = Drawn::new(1, 2);
    let steps = |level, numbers: &[i64], choice: Choice| {
        let mut environment = Environment::new(source.clone(), config(level, Reward::Shaped)).unwrap();
        environment.reset(Some(3)).unwrap();
        let by_numbers = environment.step_numbers(numbers).unwrap();
        environment.reset(Some(3)).unwrap();
        assert_eq!(by_numbers, environment.step(choice).unwrap());
    };
    steps(ActionLevel::Intents, &[0], Intent::OpenAnchor.into());
    steps(ActionLevel::Intents, &[6], Intent::Reject.into());
    steps(ActionLevel::Offers, &[0, 7_000, 4], Action::offer(Offer::new(&[7_000, 4])).into());
    steps(ActionLevel::Offers, &[1, 0, 0], Action::Accept.into());
    steps(ActionLevel::Offers, &[2, 0, 0], Action::WalkAway.into());
    // After the issues: message, six promises, escalate.
    let act = |act, price, days| [act, price, days, 0, 0, 0, 0, 0, 0, 0, 0];
    steps(ActionLevel::DialogueActs, &act(1, 7_000, 4), Action::final_offer(Offer::new(&[7_000, 4])).into());
    steps(ActionLevel::DialogueActs, &act(3, 0, 0), Action::Pass.into());
    steps(ActionLevel::DialogueActs, &act(4, 0, 0), Action::WalkAway.into());
}

#[test]
fn the_observation_specification_reads_as_stated() {
    let environment = Environment::new(Drawn::new(1, 2), EnvironmentConfig::default()).unwrap();
    let text: Vec<String> = environment
        .observation_spec()
        .entries
        .iter()
        .map(|entry| format!("{} [{}] {}..{}", entry.name, entry.unit, entry.low, entry.high))
        .collect();
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn what_is_no_action_is_refused_before_anything_happens() {
    let mut environment = Environment::new(Drawn::new(1, 2), config(ActionLevel::Offers, Reward::Sparse)).unwrap();
    assert_eq!(environment.step(Action::Accept), Err(StepError::NeedsReset { environment: 0 }));
    environment.reset(Some(0)).unwrap();
    let history = environment.negotiation().history().len();
    let wrong = [
        environment.step_numbers(&[0, 0]).unwrap_err(),
        environment.step_numbers(&[0, 0, -1]).unwrap_err(),
        environment.step_numbers(&[3, 0, 0]).unwrap_err(),
        environment.step(Intent::Accept).unwrap_err(),
        environment.step(Action::Pass).unwrap_err(),
    ];
    insta::assert_snapshot!(wrong.map(|error| error.to_string()).join("\n"), @r#"
    buffer "actions" holds 2 entries, but 3 are needed
    environment 0: payment is -1, but must lie in 0..7
    environment 0: act is 3, but must lie in 0..3
    this choice does not belong to the action level Offers
    this choice does not belong to the action level Offers
    "#);
    assert_eq!(environment.negotiation().history().len(), history);
}

#[test]
fn the_same_episode_comes_back_whatever_was_played_before() {
    let mut environment = Environment::new(Drawn::new(1, 3), EnvironmentConfig::default()).unwrap();
    let play = |environment: &mut Environment<Drawn>| -> Vec<Step> {
        let mut steps = Vec::new();
        while steps.last().is_none_or(|step: &Step| !step.terminated) {
            steps.push(environment.step(Intent::ConcedeSmall).unwrap());
        }
        steps
    };
    let first = environment.reset(Some(17)).unwrap();
    let steps = play(&mut environment);
    let next = environment.reset(None).unwrap();
    assert_eq!(environment.episode(), 18);
    environment.reset(Some(4)).unwrap();
    play(&mut environment);
    assert_eq!(environment.reset(Some(17)).unwrap(), first);
    assert_eq!(play(&mut environment), steps);
    assert_eq!(environment.reset(None).unwrap(), next);
}

#[test]
fn the_step_limit_truncates_and_the_deadline_terminates() {
    let mut source = Drawn::new(1, 2);
    source.rounds = [12, 12];
    let limited = EnvironmentConfig { truncate_after: Some(5), ..EnvironmentConfig::default() };
    let mut environment = Environment::new(source.clone(), limited).unwrap();
    let mut truncated = 0;
    for episode in 0..50 {
        environment.reset(Some(episode)).unwrap();
        for steps in 1..=5 {
            let step = environment.step(Intent::HoldFirm).unwrap();
            assert!(!(step.terminated && step.truncated));
            assert_eq!(step.truncated, !step.terminated && steps == 5);
            truncated += u32::from(step.truncated);
            if step.terminated || step.truncated {
                assert_eq!(environment.step(Intent::HoldFirm), Err(StepError::NeedsReset { environment: 0 }));
                break;
            }
        }
    }
    assert!(truncated > 25);
    let mut environment = Environment::new(source, EnvironmentConfig::default()).unwrap();
    let mut deadlines = 0;
    for episode in 0..50 {
        environment.reset(Some(episode)).unwrap();
        let last = loop {
            let step = environment.step(Intent::OpenAnchor).unwrap();
            assert!(!step.truncated);
            if step.terminated {
                break step;
            }
        };
        if environment.negotiation().outcome().unwrap().ending == Ending::Deadline {
            deadlines += 1;
            assert_eq!(last.reward, 0.0);
            assert_eq!(last.observation[0], 1.0);
        }
    }
    assert!(deadlines > 0);
}

/// Scenarios whose counterpart's and agent's sides can be changed before they are played.
#[derive(Clone)]
struct Changed<F> {
    source: Drawn,
    change: F,
}

impl<F: Fn(&mut Scenario) + Send + Sync> ScenarioSource for Changed<F> {
    fn scenario(&self, index: u64) -> Scenario {
        let mut scenario = self.source.scenario(index);
        (self.change)(&mut scenario);
        scenario
    }
}

#[test]
fn masks_show_the_rules_and_never_guardrails_or_mandate() {
    // This mandate refuses every offer and every acceptance, and no step down passes these guardrails.
    let change = |scenario: &mut Scenario| {
        let seat = scenario.seat;
        scenario.mandates[seat.index()].least_gain = Some(f64::INFINITY);
        let caps = scenario.public.guardrails.as_mut().unwrap();
        (caps.concession_rate, caps.floor) = (0.0, 0.0);
    };
    let free = Drawn::new(1, 2);
    let mut bound = Environment::new(Changed { source: free.clone(), change }, EnvironmentConfig::default()).unwrap();
    let mut free = Environment::new(free, EnvironmentConfig::default()).unwrap();
    for episode in 0..20 {
        let (_, info) = bound.reset(Some(episode)).unwrap();
        assert_eq!(info.mask, free.reset(Some(episode)).unwrap().1.mask);
        let opened = bound.negotiation().history().is_empty();
        assert_eq!(info.mask, [true, true, true, true, true, !opened, true]);
        for _ in 0..3 {
            let step = bound.step(Intent::ConcedeSmall).unwrap();
            if step.terminated {
                break;
            }
            let standing = bound.view().standing().is_some();
            assert_eq!(step.info.mask, [true, true, true, true, true, standing, true]);
        }
    }
}

/// The other side's type as far as it can be changed without changing what it does.
fn hide(scenario: &mut Scenario) {
    let other = scenario.seat.other().index();
    scenario.types[other].parameters.iter_mut().for_each(|parameter| *parameter += 1.0);
    scenario.types[other].utility.add_constant(5_000.0);
    scenario.types[other].disagreement -= 5_000.0;
    scenario.mandates[other].least_gain = Some(-1.0);
}

#[test]
fn another_hidden_type_behind_the_same_history_leaves_the_observation_as_it_is() {
    let source = Drawn::new(9, 5);
    let spec = Environment::new(source.clone(), EnvironmentConfig::default()).unwrap().observation_spec().clone();
    let mut stream = StreamKey::new("test", &[]).stream(2);
    for episode in 0..100 {
        let scenario = source.scenario(episode);
        let seat = scenario.seat;
        let mut changed = scenario.clone();
        hide(&mut changed);
        assert_ne!(scenario.types[seat.other().index()], changed.types[seat.other().index()]);
        let mut plain = Loop::start(scenario);
        let mut twin = Negotiation::new(changed, [false, false]);
        while plain.game.outcome().is_none() {
            let action = intent::realise(Intent::ALL[stream.below(5) as usize], &plain.game.view(seat));
            plain.step(&action.into());
            // The twin is told the same moves; what it would have done itself does not matter.
            for made in &plain.game.history()[twin.history().len()..] {
                let action = match &made.act {
                    zopa_envs::Act::Offer { offer, is_final: false } => Action::offer(offer.clone()),
                    zopa_envs::Act::Offer { offer, is_final: true } => Action::final_offer(offer.clone()),
                    zopa_envs::Act::Accept => Action::Accept,
                    zopa_envs::Act::Pass => Action::Pass,
                    zopa_envs::Act::WalkAway => Action::WalkAway,
                };
                twin.submit(action, None, None);
            }
            assert_eq!(plain.game.history(), twin.history());
            if plain.game.view(seat).refusal.is_none() {
                let bytes =
                    |game| observed(&spec, game, seat).iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
                assert_eq!(bytes(&plain.game), bytes(&twin));
                assert_eq!(plain.game.view(seat), twin.view(seat));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn observations_stay_in_their_ranges(
        seed: u64, issues in 2_usize..6, episode in 0_u64..1_000_000,
        intents in prop::collection::vec(0_usize..6, 1..30),
    ) {
        let mut environment = Environment::new(Drawn::new(seed, issues), EnvironmentConfig::default()).unwrap();
        let entries = environment.observation_spec().entries.clone();
        let within = |observation: &[f32]| {
            assert_eq!(observation.len(), entries.len());
            for (value, entry) in observation.iter().zip(&entries) {
                assert!((entry.low..=entry.high).contains(value), "{}: {value}", entry.name);
            }
        };
        within(&environment.reset(Some(episode)).unwrap().0);
        for intent in intents {
            let step = environment.step(Intent::ALL[intent]).unwrap();
            within(&step.observation);
            if step.terminated {
                break;
            }
        }
    }
}
