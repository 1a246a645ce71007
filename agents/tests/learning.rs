//! Trainings as a whole: what fixes their weights, and what they hand on.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod suite_games;

use std::ops::ControlFlow;
use suite_games::{finish, scenarios};
use zopa_agents::Player;
use zopa_agents::learn::config::{
    Algorithm, Budget, EvaluationConfig, OpponentsConfig, PolicyConfig, Stage, SuiteShare, TrainConfig,
};
use zopa_agents::learn::dqn::DqnConfig;
use zopa_agents::learn::moves::Moves;
use zopa_agents::learn::negotiation::Table;
use zopa_agents::learn::ppo::PpoConfig;
use zopa_agents::learn::{
    Device, EvaluatedEpisode, Evaluation, LearnedAgent, Policy, Progress, TrainError, Trained, train,
};
use zopa_envs::environment::Reward;

fn suite(split: &str) -> SuiteShare {
    SuiteShare { suite: "payment-terms-v1".to_owned(), split: split.to_owned(), share: 1.0 }
}

/// A recipe of a second: PPO, then DQN from its head, against everyone that there can be.
fn recipe() -> TrainConfig {
    let ppo = PpoConfig { episodes_per_update: 16, epochs: 2, minibatch: 64, ..PpoConfig::default() };
    let dqn =
        DqnConfig { episodes_per_round: 8, learning_starts: 100, memory: 300, minibatch: 16, ..DqnConfig::default() };
    TrainConfig {
        name: "test".to_owned(),
        seed: 3,
        reward: Reward::Surplus,
        reward_scale: 20.0,
        truncate_after: Some(9),
        policy: PolicyConfig { moves: Moves::Packages, beliefs: true, hidden: vec![16], ..PolicyConfig::default() },
        suites: vec![suite("train")],
        opponents: OpponentsConfig {
            scripted: 0.5,
            self_play: 0.3,
            agents_share: 0.2,
            agents: vec!["linear".to_owned()],
            snapshot_every: 40,
            pool: 2,
            league: true,
        },
        stages: vec![
            Stage {
                name: "first".to_owned(),
                budget: Budget::Episodes(120),
                algorithm: Algorithm::Ppo(ppo),
                opponents: None,
            },
            Stage {
                name: "second".to_owned(),
                budget: Budget::Steps(900),
                algorithm: Algorithm::Dqn(dqn),
                opponents: None,
            },
        ],
        evaluation: EvaluationConfig { suites: vec![suite("public")], episodes: 20, opponent: None },
    }
}

fn tables() -> Vec<Table> {
    let options = zopa_scenarios::SourceOptions { split: Some("train".to_owned()), ..Default::default() };
    let source =
        std::sync::Arc::new(zopa_scenarios::Suite::open("payment-terms-v1").unwrap()).source(&options).unwrap();
    vec![Table { source: Box::new(source), share: 1.0 }]
}

fn trained(config: &TrainConfig, threads: usize) -> Trained {
    train(config, &tables(), Device::Cpu, threads, None, &mut |_| ControlFlow::Continue(())).unwrap()
}

#[test]
fn weights_do_not_depend_on_the_thread_count_but_on_the_seed() {
    let one = trained(&recipe(), 1);
    assert_eq!(one, trained(&recipe(), 3));
    assert_ne!(one.policies, trained(&TrainConfig { seed: 4, ..recipe() }, 1).policies);
}

#[test]
fn a_training_that_was_killed_at_any_checkpoint_resumes_to_the_same_weights_and_curve() {
    let whole = trained(&recipe(), 2);
    // One within the first stage, one within the second, whose replay memory has gone round by then.
    for stop in [3, whole.curve.len() - 4] {
        let (mut seen, mut checkpoint) = (0, Vec::new());
        let stopped = train(&recipe(), &tables(), Device::Cpu, 2, None, &mut |progress| {
            if let Progress::Checkpoint(bytes) = progress {
                (seen, checkpoint) = (seen + 1, bytes);
            }
            if seen == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(stopped, Err(TrainError::Stopped));
        let resume = |config: &TrainConfig, bytes: &[u8]| {
            train(config, &tables(), Device::Cpu, 1, Some(bytes), &mut |_| ControlFlow::Continue(()))
        };
        assert_eq!(resume(&recipe(), &checkpoint), Ok(whole.clone()), "stopped at checkpoint {stop}");
        let other = TrainConfig { seed: 9, ..recipe() };
        assert_eq!(resume(&other, &checkpoint), Err(TrainError::OtherTraining));
        assert!(matches!(resume(&recipe(), &checkpoint[..50]), Err(TrainError::Checkpoint(_))));
    }
}

#[test]
fn the_second_stage_starts_from_the_first_one_s_policy() {
    let mut config = recipe();
    let Algorithm::Dqn(dqn) = &mut config.stages[1].algorithm else { panic!("the second stage is a DQN") };
    dqn.learning_rate = 0.0;
    let trained = trained(&config, 2);
    let [(_, first), (_, second)] = &trained.policies[..] else { panic!("two stages, two policies") };
    assert_eq!(first.network.hidden, second.network.hidden);
    assert_eq!(first.network.value, second.network.value);
    for (logit, advantage) in first.network.advantage.weight.iter().zip(&second.network.advantage.weight) {
        assert_eq!(logit * DqnConfig::default().temperature, *advantage);
    }
}

#[test]
fn a_policy_reads_back_from_its_file_and_refuses_another() {
    let (_, policy) = trained(&recipe(), 2).policies.remove(1);
    let bytes = policy.to_bytes();
    assert_eq!(Policy::from_bytes(&bytes), Ok(policy));
    for broken in [&bytes[..bytes.len() - 1], &bytes[..20], b"not weights"] {
        assert!(Policy::from_bytes(broken).is_err());
    }
}

#[test]
fn a_policy_plays_every_suite_and_is_measured_on_what_it_never_saw() {
    let (_, policy) = trained(&recipe(), 2).policies.remove(0);
    let shared = std::sync::Arc::new(policy.clone());
    for suite in ["payment-terms-v1", "procurement-v1", "counterparts-v1", "talk-v1", "worked-example-v1"] {
        for scenario in scenarios(suite, 6) {
            let mut player = Player::Agent(Box::new(LearnedAgent::new("test", shared.clone())));
            let seat = scenario.seat;
            let game = finish(scenario, &mut player, 1, &mut ());
            // A policy over packages keeps to guardrails and mandate by itself.
            let conduct = game.conduct(seat);
            assert_eq!((conduct.guardrail_violations(), conduct.loss_attempted), (0, 0), "{suite}: {conduct:?}");
        }
    }
    let source = suite_games::source("payment-terms-v1");
    let evaluation = Evaluation::of(&policy, &source, None, 20, 2).unwrap();
    assert_eq!(evaluation, Evaluation::of(&policy, &source, None, 20, 1).unwrap());
    assert_eq!(evaluation.episodes.len(), 20);
    assert!(evaluation.episodes.iter().all(|episode| episode.constraint_satisfied && !episode.loss_making));
}

#[test]
fn against_an_agent_a_policy_is_measured_on_the_episodes_of_that_agent_s_own_mirror_match() {
    let (_, policy) = trained(&recipe(), 2).policies.remove(0);
    let source = suite_games::source("payment-terms-v1");
    let against = |opponent| Evaluation::of(&policy, &source, opponent, 20, 2).unwrap().episodes;
    let mirror = Evaluation::mirror("conceder", &source, 20, 2).unwrap().episodes;
    let best = |episodes: &[EvaluatedEpisode]| episodes.iter().map(|episode| episode.best).collect::<Vec<_>>();
    assert_eq!(best(&against(Some("conceder"))), best(&mirror));
    assert_ne!(against(Some("conceder")), against(Some("hardliner")), "who sits opposite makes no difference");
    assert!(Evaluation::of(&policy, &source, Some("concedr"), 2, 1).is_err());
}

#[test]
fn a_recipe_that_cannot_be_followed_is_refused_with_its_field() {
    let check = |change: &dyn Fn(&mut TrainConfig), field: &str| {
        let mut config = recipe();
        change(&mut config);
        let fault = config.check().unwrap_err();
        assert_eq!(fault.field, field, "{fault}");
    };
    recipe().check().unwrap();
    check(&|config| config.seed = 1 << 53, "seed");
    check(&|config| config.suites.clear(), "suites");
    check(&|config| config.suites[0].share = -1.0, "suites.share");
    check(&|config| config.evaluation.suites = config.suites.clone(), "evaluation.suites");
    check(&|config| config.opponents.agents.clear(), "opponents.agents");
    check(
        &|config| config.stages[1].opponents = Some(OpponentsConfig { pool: 0, ..OpponentsConfig::default() }),
        "opponents.pool",
    );
    check(&|config| config.opponents.snapshot_every = 0, "opponents.snapshot_every");
    check(&|config| config.stages[1].name = "first".to_owned(), "stages.name");
    check(&|config| config.stages[0].name = "../x".to_owned(), "stages.name");
    check(&|config| config.stages[0].budget = Budget::Steps(0), "stages");
    check(&|config| config.reward_scale = f32::NAN, "reward_scale");
    let mut unknown = recipe();
    unknown.opponents.agents = vec!["liner".to_owned()];
    let fault = train(&unknown, &tables(), Device::Cpu, 1, None, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(fault.to_string().contains("linear"), "{fault}");
    let mut unknown = recipe();
    unknown.evaluation.opponent = Some("bulware".to_owned());
    let fault = train(&unknown, &tables(), Device::Cpu, 1, None, &mut |_| ControlFlow::Continue(())).unwrap_err();
    assert!(fault.to_string().contains("boulware"), "{fault}");
}
