//! Prints, as JSON, what the vectorised environment returns in each autoreset mode, and the same episodes as single environments play
//! them: `tests/peers/autoreset.py` has Gymnasium's own vector play those and compares.
//!
//! Actions depend on the episode and its step alone, so that an episode goes the same way wherever it is played.

use serde_json::{Value, json};
use std::sync::Arc;
use zopa_envs::environment::{AutoresetMode, Environment, EnvironmentConfig, VectorEnvironment};
use zopa_envs::{Intent, StreamKey};
use zopa_scenarios::{SourceOptions, Suite, SuiteSource};

/// Environments in the vector.
const N: usize = 3;
/// Steps of the vector.
const STEPS: usize = 200;
/// Longer episodes are truncated.
const LIMIT: u32 = 12;

fn config() -> EnvironmentConfig {
    EnvironmentConfig { truncate_after: Some(LIMIT), ..EnvironmentConfig::default() }
}

/// The intent of step `step` of an episode.
fn action(episode: u64, step: usize) -> usize {
    let mut stream = StreamKey::new("autoreset trace", &[&episode.to_le_bytes()]).stream(step as u64);
    stream.weighted([0.1, 0.5, 0.2, 0.1, 0.02, 0.06, 0.02].into_iter())
}

/// One episode: its first observation, and each step's observation, reward and flags.
fn single(environment: &mut Environment<SuiteSource>, episode: u64) -> Value {
    let (first, _) = environment.reset(Some(episode)).expect("the suite has counterparts");
    let mut steps = Vec::new();
    loop {
        let intent = Intent::ALL[action(episode, steps.len())];
        let step = environment.step(intent).expect("an episode runs");
        let over = step.terminated || step.truncated;
        steps.push(json!([step.observation, step.reward, step.terminated, step.truncated]));
        if over {
            return json!({ "first": first, "steps": steps });
        }
    }
}

/// What the vector returns, step by step. Where nothing resets by itself, environments that ended are reset by mask after the step.
fn vector(source: SuiteSource, mode: AutoresetMode) -> Value {
    let mut vector = VectorEnvironment::new(source, config(), N, mode).expect("the suite has counterparts");
    let d = vector.observation_spec().width();
    let mut arrays = vector.arrays();
    let mut at = [0; N];
    let mut told = Vec::new();
    for step in 0..=STEPS {
        let mut buffers = arrays.buffers();
        if step == 0 {
            vector.reset(Some(0), &mut buffers).expect("the suite has counterparts");
        } else {
            let episode = |k: usize| vector.episode(k).unwrap_or_default();
            let actions: Vec<i64> = (0..N).map(|k| action(episode(k), at[k]) as i64).collect();
            vector.step(&actions, &mut buffers).expect("every environment runs, or resets");
        }
        let rows = |numbers: &[f32]| numbers.chunks(d).map(<[f32]>::to_vec).collect::<Vec<_>>();
        let over: Vec<bool> =
            arrays.terminated.iter().zip(&arrays.truncated).map(|(&ended, &cut)| ended || cut).collect();
        told.push(json!({
            "observations": rows(&arrays.observations), "rewards": arrays.rewards, "terminated": arrays.terminated,
            "truncated": arrays.truncated, "final": rows(&arrays.final_observations),
        }));
        for k in 0..N {
            // An episode begins with the step that reports its predecessor's end (same step), or with the one after it.
            let begins = match mode {
                AutoresetMode::SameStep | AutoresetMode::Disabled => over[k],
                AutoresetMode::NextStep => step == 0 || told.len() > 1 && told[told.len() - 2]["over"][k] == true,
            };
            at[k] = if step == 0 || begins { 0 } else { at[k] + 1 };
        }
        if let Some(last) = told.last_mut() {
            last["over"] = json!(over);
        }
        if mode == AutoresetMode::Disabled && over.contains(&true) {
            vector.as_slice_mut().reset(None, Some(&over), &mut arrays.buffers()).expect("the suite has counterparts");
            if let Some(last) = told.last_mut() {
                last["reset"] = json!(rows(&arrays.observations));
            }
        }
    }
    json!(told)
}

fn main() {
    let suite = Arc::new(Suite::open("payment-terms-v1").expect("the suite is built in"));
    let source = || suite.source(&SourceOptions::default()).expect("the default split exists");
    let mut environment = Environment::new(source(), config()).expect("the suite has counterparts");
    let episodes: Vec<Value> = (0..(N * STEPS) as u64).map(|episode| single(&mut environment, episode)).collect();
    let traces = json!({
        "n": N,
        "episodes": episodes,
        "next_step": vector(source(), AutoresetMode::NextStep),
        "same_step": vector(source(), AutoresetMode::SameStep),
        "disabled": vector(source(), AutoresetMode::Disabled),
    });
    println!("{traces}");
}
