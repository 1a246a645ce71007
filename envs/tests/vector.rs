//! Many environments at once: the same games as one at a time, and Gymnasium's autoreset modes.

mod drawn;
mod plain;

use drawn::Drawn;
use plain::{Loop, observed};
use zopa_envs::environment::{
    AutoresetMode, Buffers, Environment, EnvironmentConfig, Reward, StepError, VectorEnvironment,
};
use zopa_envs::{Intent, ScenarioSource, StreamKey};

/// The caller's side of a vector.
#[derive(Clone, PartialEq, Debug)]
struct Arrays {
    observations: Vec<f32>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    masks: Vec<bool>,
    finals: Vec<f32>,
    d: usize,
}

impl Arrays {
    fn of(vector: &VectorEnvironment<Drawn>) -> Self {
        let (n, d, m) = (vector.len(), vector.observation_spec().width(), vector.action_space().mask_width());
        Self {
            observations: vec![f32::NAN; n * d],
            rewards: vec![f64::NAN; n],
            terminated: vec![false; n],
            truncated: vec![false; n],
            masks: vec![false; n * m],
            finals: vec![-7.0; n * d],
            d,
        }
    }

    fn buffers(&mut self) -> Buffers<'_> {
        Buffers {
            observations: &mut self.observations,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            masks: &mut self.masks,
            final_observations: &mut self.finals,
        }
    }

    fn observation(&self, k: usize) -> &[f32] {
        &self.observations[k * self.d..][..self.d]
    }

    fn last_observation(&self, k: usize) -> &[f32] {
        &self.finals[k * self.d..][..self.d]
    }

    fn mask(&self, k: usize) -> &[bool] {
        &self.masks[k * 7..][..7]
    }

    fn ended(&self, k: usize) -> bool {
        self.terminated[k] || self.truncated[k]
    }
}

fn shaped(truncate_after: Option<u32>) -> EnvironmentConfig {
    EnvironmentConfig { reward: Reward::Shaped, truncate_after, ..EnvironmentConfig::default() }
}

fn vector(n: usize, mode: AutoresetMode, config: EnvironmentConfig) -> (VectorEnvironment<Drawn>, Arrays) {
    let mut vector = VectorEnvironment::new(Drawn::new(3, 4), config, n, mode).unwrap();
    let mut arrays = Arrays::of(&vector);
    vector.reset(Some(0), &mut arrays.buffers()).unwrap();
    (vector, arrays)
}

fn single(config: EnvironmentConfig) -> Environment<Drawn> {
    Environment::new(Drawn::new(3, 4), config).unwrap()
}

/// Random intents, few of which end a game.
fn intents(stream: &mut zopa_envs::Stream, n: usize) -> Vec<i64> {
    (0..n).map(|_| stream.weighted([0.1, 0.4, 0.2, 0.2, 0.04, 0.05, 0.01].into_iter()) as i64).collect()
}

#[test]
fn the_vector_and_the_full_path_agree_step_by_step_on_ten_thousand_random_games() {
    let n = 50;
    let (mut vector, mut arrays) = vector(n, AutoresetMode::SameStep, EnvironmentConfig::default());
    let source = Drawn::new(3, 4);
    let spec = vector.observation_spec().clone();
    let mut loops: Vec<_> = (0..n).map(|k| Loop::start(source.scenario(k as u64))).collect();
    let mut stream = StreamKey::new("test", &[]).stream(0);
    let mut games = 0;
    while games < 10_000 {
        let actions = intents(&mut stream, n);
        vector.step(&actions, &mut arrays.buffers()).unwrap();
        for (k, plain) in loops.iter_mut().enumerate() {
            plain.step(&Intent::ALL[actions[k] as usize].into());
            let terminated = plain.game.outcome().is_some();
            assert_eq!((arrays.terminated[k], arrays.truncated[k]), (terminated, false));
            if terminated {
                games += 1;
                assert_eq!(arrays.rewards[k], plain.surplus());
                assert_eq!(arrays.last_observation(k), observed(&spec, &plain.game, plain.seat));
                *plain = Loop::start(source.scenario(vector.episode(k).unwrap()));
            } else {
                assert_eq!(arrays.rewards[k], 0.0);
            }
            let game = vector.negotiation(k).unwrap();
            assert_eq!(game.history(), plain.game.history());
            assert_eq!(game.conduct(plain.seat), plain.game.conduct(plain.seat));
            assert_eq!(arrays.observation(k), observed(&spec, &plain.game, plain.seat));
            let standing = plain.game.view(plain.seat).standing().is_some();
            assert_eq!(arrays.mask(k), [true, true, true, true, true, standing, true]);
        }
    }
}

#[test]
fn next_step_resets_on_the_step_after_the_last_and_ignores_its_action() {
    let n = 8;
    let (mut vector, mut arrays) = vector(n, AutoresetMode::NextStep, shaped(Some(9)));
    let mut singles: Vec<_> = (0..n).map(|_| single(shaped(Some(9)))).collect();
    for (k, environment) in singles.iter_mut().enumerate() {
        environment.reset(Some(k as u64)).unwrap();
    }
    let mut stream = StreamKey::new("test", &[]).stream(1);
    let mut over = vec![false; n];
    let mut resets = 0;
    for _ in 0..200 {
        // Rejecting would end a running game, and 99 is no action: on a resetting step neither must be looked at.
        let mut actions = intents(&mut stream, n);
        (0..n).filter(|&k| over[k]).for_each(|k| actions[k] = if k % 2 == 0 { 6 } else { 99 });
        vector.step(&actions, &mut arrays.buffers()).unwrap();
        for (k, environment) in singles.iter_mut().enumerate() {
            if over[k] {
                let (observation, info) = environment.reset(Some(environment.episode() + n as u64)).unwrap();
                assert_eq!(arrays.observation(k), observation);
                assert_eq!(arrays.mask(k), info.mask);
                assert_eq!((arrays.rewards[k], arrays.ended(k)), (0.0, false));
                resets += 1;
            } else {
                let step = environment.step(Intent::ALL[actions[k] as usize]).unwrap();
                // The last step shows the ended game itself, not the next one.
                assert_eq!(arrays.observation(k), step.observation);
                assert_eq!(arrays.rewards[k], step.reward);
                assert_eq!((arrays.terminated[k], arrays.truncated[k]), (step.terminated, step.truncated));
            }
            over[k] = arrays.ended(k);
        }
    }
    assert!(resets > 100);
    assert!(arrays.finals.iter().all(|&entry| entry == -7.0));
}

#[test]
fn same_step_returns_the_next_games_first_observation_and_keeps_the_last() {
    let (mut vector, mut arrays) = vector(2, AutoresetMode::SameStep, shaped(None));
    let mut environment = single(shaped(None));
    environment.reset(Some(0)).unwrap();
    vector.step(&[6, 0], &mut arrays.buffers()).unwrap();
    let last = environment.step(Intent::Reject).unwrap();
    assert!(arrays.terminated[0] && !arrays.truncated[0]);
    assert_eq!(arrays.rewards[0], last.reward);
    assert_eq!(arrays.last_observation(0), last.observation);
    assert_eq!(arrays.observation(0), environment.reset(Some(2)).unwrap().0);
    // The other environment's row was not touched.
    assert!(arrays.last_observation(1).iter().all(|&entry| entry == -7.0));
}

#[test]
fn same_step_keeps_the_last_observation_of_a_truncated_game_too() {
    let (mut vector, mut arrays) = vector(1, AutoresetMode::SameStep, shaped(Some(2)));
    let mut environment = single(shaped(Some(2)));
    environment.reset(Some(0)).unwrap();
    vector.step(&[0], &mut arrays.buffers()).unwrap();
    environment.step(Intent::OpenAnchor).unwrap();
    vector.step(&[2], &mut arrays.buffers()).unwrap();
    let last = environment.step(Intent::HoldFirm).unwrap();
    assert_eq!((arrays.terminated[0], arrays.truncated[0]), (false, true));
    assert_eq!((arrays.rewards[0], arrays.last_observation(0)), (last.reward, &last.observation[..]));
    assert_eq!(arrays.observation(0), environment.reset(Some(1)).unwrap().0);
}

#[test]
fn disabled_waits_for_the_callers_reset_by_mask() {
    let (mut vector, mut arrays) = vector(3, AutoresetMode::Disabled, shaped(None));
    vector.step(&[0, 6, 0], &mut arrays.buffers()).unwrap();
    assert_eq!(arrays.terminated, [false, true, false]);
    let before = arrays.clone();
    assert_eq!(vector.step(&[0, 0, 0], &mut arrays.buffers()), Err(StepError::NeedsReset { environment: 1 }));
    assert_eq!(arrays, before, "a step that fails changes nothing");
    vector.as_slice_mut().reset(None, Some(&[false, true, false]), &mut arrays.buffers()).unwrap();
    assert_eq!(vector.episode(1), Some(4));
    assert_eq!(arrays.observation(0), before.observation(0));
    assert_eq!(arrays.observation(1), single(shaped(None)).reset(Some(4)).unwrap().0);
    assert_eq!(arrays.terminated, [false; 3]);
    vector.step(&[0, 0, 0], &mut arrays.buffers()).unwrap();
}

#[test]
fn the_first_reset_is_the_callers_in_every_mode() {
    for mode in [AutoresetMode::NextStep, AutoresetMode::SameStep, AutoresetMode::Disabled] {
        let mut vector = VectorEnvironment::new(Drawn::new(3, 4), shaped(None), 2, mode).unwrap();
        let mut arrays = Arrays::of(&vector);
        assert_eq!(vector.step(&[0, 0], &mut arrays.buffers()), Err(StepError::NeedsReset { environment: 0 }));
    }
}

#[test]
fn truncation_is_never_reported_as_termination() {
    let n = 16;
    let (mut vector, mut arrays) = vector(n, AutoresetMode::SameStep, shaped(Some(4)));
    let mut stream = StreamKey::new("test", &[]).stream(2);
    let (mut truncated, mut terminated) = (0, 0);
    for _ in 0..200 {
        vector.step(&intents(&mut stream, n), &mut arrays.buffers()).unwrap();
        for k in 0..n {
            assert!(!(arrays.terminated[k] && arrays.truncated[k]));
            truncated += u32::from(arrays.truncated[k]);
            terminated += u32::from(arrays.terminated[k]);
        }
    }
    assert!(truncated > 100 && terminated > 20);
}

#[test]
fn slices_stepped_apart_play_what_the_whole_vector_plays() {
    let n = 10;
    let (mut whole, mut expected) = vector(n, AutoresetMode::SameStep, shaped(None));
    let (mut cut, mut arrays) = vector(n, AutoresetMode::SameStep, shaped(None));
    let mut stream = StreamKey::new("test", &[]).stream(3);
    for _ in 0..60 {
        let actions = intents(&mut stream, n);
        whole.step(&actions, &mut expected.buffers()).unwrap();
        let (mut left, mut right) = cut.as_slice_mut().split_at_mut(4);
        let (mut left_buffers, mut right_buffers) = arrays.buffers().split_at_mut(4, n);
        std::thread::scope(|scope| {
            scope.spawn(|| left.step(&actions[..4], &mut left_buffers).unwrap());
            right.step(&actions[4..], &mut right_buffers).unwrap();
        });
        assert_eq!(arrays, expected);
    }
}

#[test]
fn every_episode_is_played_by_exactly_one_environment() {
    let n = 7;
    let (mut vector, mut arrays) = vector(n, AutoresetMode::SameStep, shaped(None));
    let mut seen: Vec<u64> = (0..n as u64).collect();
    for _ in 0..5 {
        vector.step(&[6; 7], &mut arrays.buffers()).unwrap();
        seen.extend((0..n).map(|k| vector.episode(k).unwrap()));
    }
    seen.sort_unstable();
    assert_eq!(seen, (0..6 * n as u64).collect::<Vec<_>>());
    vector.reset(Some(1_000), &mut arrays.buffers()).unwrap();
    assert_eq!((0..n).map(|k| vector.episode(k).unwrap()).collect::<Vec<_>>(), (1_000..1_007).collect::<Vec<_>>());
}

#[test]
fn buffers_of_the_wrong_length_and_numbers_that_are_no_action_are_named() {
    let (mut vector, mut arrays) = vector(2, AutoresetMode::SameStep, shaped(None));
    assert_eq!(
        vector.step(&[0], &mut arrays.buffers()),
        Err(StepError::Shape { buffer: "actions", found: 1, expected: 2 })
    );
    assert_eq!(
        vector.step(&[0, 7], &mut arrays.buffers()),
        Err(StepError::OutOfRange { environment: 1, component: "intent".into(), value: 7, size: 7 })
    );
    arrays.rewards.pop();
    assert_eq!(
        vector.step(&[0, 0], &mut arrays.buffers()),
        Err(StepError::Shape { buffer: "rewards", found: 1, expected: 2 })
    );
}
