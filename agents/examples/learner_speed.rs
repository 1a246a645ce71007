//! What learning costs, beside PyTorch (`tests/peers/torch_speed.py` runs both).
//!
//! - `learner_speed steps [--device cuda]`: microseconds a gradient step, by width and batch size, as JSON lines;
//! - `learner_speed loop STEPS THREADS`: steps of the environment a second of a whole PPO loop;
//! - `learner_speed forward`: microseconds of one decision's forward pass;
//! - `learner_speed serve N`: N environments over standard input and output, for a loop that runs elsewhere: each line in holds N
//!   actions, little-endian u8; each answer N times observation f32, reward f32, done u8 and mask u8.

use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;
use zopa_agents::learn::config::{
    Algorithm, Budget, EvaluationConfig, OpponentsConfig, PolicyConfig, Stage, SuiteShare, TrainConfig,
};
use zopa_agents::learn::gradient_steps::GradientSteps;
use zopa_agents::learn::negotiation::Table;
use zopa_agents::learn::network::Shape;
use zopa_agents::learn::plain::{PlainNetwork, Scratch};
use zopa_agents::learn::ppo::PpoConfig;
use zopa_agents::learn::{Device, train};
use zopa_envs::StreamKey;
use zopa_envs::environment::{AutoresetMode, Buffers, EnvironmentConfig, Reward, VectorEnvironment};
use zopa_scenarios::{SourceOptions, Suite, SuiteSource};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SUITE: &str = "payment-terms-v1";

fn source() -> SuiteSource {
    let options = SourceOptions { split: Some("train".to_owned()), ..SourceOptions::default() };
    Arc::new(Suite::open(SUITE).expect("a built-in suite")).source(&options).expect("its train split")
}

/// Microseconds a call: the best of five rounds of at least a tenth of a second each.
fn microseconds(mut call: impl FnMut()) -> f64 {
    let mut count = 1_u32;
    let mut best = f64::INFINITY;
    let mut rounds = 0;
    while rounds < 5 {
        let began = Instant::now();
        (0..count).for_each(|_| call());
        let seconds = began.elapsed().as_secs_f64();
        if seconds < 0.1 {
            count *= 2;
            continue;
        }
        rounds += 1;
        best = best.min(seconds / f64::from(count));
    }
    best * 1e6
}

fn steps(device: Device) {
    for width in [64, 128] {
        for batch in [64, 128, 256, 512, 1024, 2048] {
            let shape = Shape { inputs: 38, hidden: vec![width, width], actions: 24 };
            match GradientSteps::new(&shape, batch, device) {
                Ok(mut steps) => {
                    let time = microseconds(|| {
                        steps.step();
                    });
                    println!("{{\"width\": {width}, \"batch\": {batch}, \"microseconds\": {time:.1}}}");
                }
                Err(fault) => {
                    eprintln!("{fault}");
                    return;
                }
            }
        }
    }
}

fn whole_loop(steps: u64, threads: usize) {
    let suite = |split: &str| SuiteShare { suite: SUITE.to_owned(), split: split.to_owned(), share: 1.0 };
    // About 2,048 steps an update, 4 epochs of 4 minibatches, as the other loop has.
    let ppo = PpoConfig { episodes_per_update: 200, minibatch: 512, ..PpoConfig::default() };
    let config = TrainConfig {
        name: "speed".to_owned(),
        seed: 1,
        reward: Reward::Surplus,
        reward_scale: 20.0,
        truncate_after: None,
        policy: PolicyConfig::default(),
        suites: vec![suite("train")],
        opponents: OpponentsConfig::default(),
        stages: vec![Stage {
            name: "ppo".to_owned(),
            budget: Budget::Steps(steps),
            algorithm: Algorithm::Ppo(ppo),
            opponents: None,
        }],
        evaluation: EvaluationConfig { suites: vec![suite("public")], episodes: 1, opponent: None },
    };
    let tables = [Table { source: Box::new(source()), share: 1.0 }];
    let began = Instant::now();
    let trained = train(&config, &tables, Device::Cpu, threads, None, &mut |_| ControlFlow::Continue(()));
    let seconds = began.elapsed().as_secs_f64();
    let made = trained.map_or(0, |trained| trained.curve.last().map_or(0, |point| point.steps));
    println!("{{\"steps\": {made}, \"seconds\": {seconds:.3}, \"steps_per_second\": {:.0}}}", made as f64 / seconds);
}

fn forward() {
    for width in [64, 128] {
        let shape = Shape { inputs: 38, hidden: vec![width, width], actions: 24 };
        let mut stream = StreamKey::new("forward", &[]).stream(0);
        let network = PlainNetwork::orthogonal(&shape, 1.0, &mut stream);
        let observation: Vec<f32> = (0..shape.inputs).map(|_| stream.normal() as f32).collect();
        let (mut scratch, mut values) = (Scratch::default(), vec![0.0; shape.actions]);
        let time = microseconds(|| {
            network.action_values(std::hint::black_box(&observation), &mut scratch, &mut values);
            std::hint::black_box(&values);
        });
        println!("{{\"width\": {width}, \"microseconds\": {time:.2}}}");
    }
}

fn serve(n: usize) -> std::io::Result<()> {
    let config = EnvironmentConfig { reward: Reward::Surplus, ..EnvironmentConfig::default() };
    let mut vector =
        VectorEnvironment::new(source(), config, n, AutoresetMode::SameStep).expect("the suite has counterparts");
    let (d, m) = (vector.observation_spec().width(), vector.action_space().mask_width());
    let (mut observations, mut finals) = (vec![0.0_f32; n * d], vec![0.0_f32; n * d]);
    let (mut rewards, mut terminated, mut truncated) = (vec![0.0_f64; n], vec![false; n], vec![false; n]);
    let (mut masks, mut actions, mut numbers) = (vec![false; n * m], vec![0_u8; n], vec![0_i64; n]);
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    output.write_all(format!("{d} {m}\n").as_bytes())?;
    let mut first = true;
    loop {
        let mut buffers = Buffers {
            observations: &mut observations,
            rewards: &mut rewards,
            terminated: &mut terminated,
            truncated: &mut truncated,
            masks: &mut masks,
            final_observations: &mut finals,
        };
        let stepped = if first { vector.reset(Some(0), &mut buffers) } else { vector.step(&numbers, &mut buffers) };
        stepped.map_err(std::io::Error::other)?;
        first = false;
        let mut bytes = Vec::with_capacity(n * (4 * d + 5 + m));
        observations.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        rewards.iter().for_each(|x| bytes.extend((*x as f32).to_le_bytes()));
        bytes.extend(terminated.iter().zip(&truncated).map(|(&a, &b)| u8::from(a || b)));
        bytes.extend(masks.iter().map(|&legal| u8::from(legal)));
        output.write_all(&bytes)?;
        output.flush()?;
        if input.read_exact(&mut actions).is_err() {
            return Ok(());
        }
        numbers.iter_mut().zip(&actions).for_each(|(number, &action)| *number = i64::from(action));
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<u64>().unwrap_or(1);
    match &words[..] {
        ["steps"] => steps(Device::Cpu),
        ["steps", "--device", "cuda"] => steps(Device::Cuda),
        ["loop", count, threads] => whole_loop(number(count), number(threads) as usize),
        ["forward"] => forward(),
        ["serve", n] => {
            if let Err(fault) = serve(number(n) as usize) {
                eprintln!("{fault}");
            }
        }
        _ => eprintln!("usage: learner_speed steps | loop STEPS THREADS | forward | serve N"),
    }
}
