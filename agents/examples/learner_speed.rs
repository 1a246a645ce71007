//! What learning costs, beside PyTorch (`tests/peers/torch_speed.py` runs both). Times are by the clock and, where the system tells
//! it, by this process's processor time, which neighbours on a shared machine do not lengthen as much.
//!
//! - `learner_speed steps [--device cuda]`: microseconds a gradient step, for all widths and batch sizes, as JSON lines;
//! - `learner_speed step WIDTH BATCH`: the same for one width and batch size;
//! - `learner_speed loop STEPS THREADS ENVIRONMENTS`: steps of the environment a second of a whole PPO loop whose updates are as large as
//!   those of a loop with so many environments;
//! - `learner_speed serve N`: N environments over standard input and output, for a loop that runs elsewhere: each line in holds N
//!   actions, little-endian u8; each answer N times observation f32, reward f32, done u8 and mask u8.

#[path = "../../scenarios/examples/processor/mod.rs"]
mod processor;

use processor::processor_time;
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
use zopa_agents::learn::ppo::PpoConfig;
use zopa_agents::learn::{Device, DeviceError, train};
use zopa_envs::environment::{AutoresetMode, EnvironmentConfig, Reward, VectorEnvironment};
use zopa_scenarios::{SourceOptions, Suite, SuiteSource};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SUITE: &str = "payment-terms-v1";

fn source() -> SuiteSource {
    let options = SourceOptions { split: Some("train".to_owned()), ..SourceOptions::default() };
    Arc::new(Suite::open(SUITE).expect("a built-in suite")).source(&options).expect("its train split")
}

/// Time of something by the clock, and by the processor where the system tells it, in seconds.
fn seconds(work: impl FnOnce()) -> (f64, Option<f64>) {
    let (began, busy) = (Instant::now(), processor_time());
    work();
    let busy = busy.zip(processor_time()).map(|(before, now)| (now - before).as_secs_f64());
    (began.elapsed().as_secs_f64(), busy)
}

/// One gradient step, after some to warm up: the mean over at least a quarter of a second, as a line of JSON.
fn step(width: usize, batch: usize, device: Device) -> Result<String, DeviceError> {
    let shape = Shape { inputs: 38, hidden: vec![width, width], actions: 24 };
    let mut steps = GradientSteps::new(&shape, batch, device)?;
    let mut run = |count: u32| {
        seconds(|| {
            for _ in 0..count {
                steps.step();
            }
        })
    };
    run(20);
    let mut count = 20;
    loop {
        let (clock, busy) = run(count);
        if clock < 0.25 {
            count *= 2;
            continue;
        }
        let each = |seconds: f64| seconds / f64::from(count) * 1e6;
        let line = serde_json::json!({
            "width": width,
            "batch": batch,
            "microseconds": each(clock),
            "processor_microseconds": busy.map(each),
        });
        return Ok(line.to_string());
    }
}

fn steps(device: Device) {
    for width in [64, 128] {
        for batch in [64, 128, 256, 512, 1024, 2048] {
            match step(width, batch, device) {
                Ok(line) => println!("{line}"),
                Err(fault) => {
                    eprintln!("{fault}");
                    return;
                }
            }
        }
    }
}

fn whole_loop(steps: u64, threads: usize, environments: usize) {
    let suite = |split: &str| SuiteShare { suite: SUITE.to_owned(), split: split.to_owned(), share: 1.0 };
    // About 128 steps of each environment an update, 4 epochs of 4 minibatches, as the other loop has; an episode has some ten steps.
    let (episodes_per_update, minibatch) = (25 * environments / 2, 32 * environments);
    let ppo = PpoConfig { episodes_per_update, minibatch, ..PpoConfig::default() };
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
    let mut made = 0;
    let (clock, busy) = seconds(|| {
        let trained = train(&config, &tables, Device::Cpu, threads, None, &mut |_| ControlFlow::Continue(()));
        made = trained.map_or(0, |trained| trained.curve.last().map_or(0, |point| point.steps));
    });
    // The main thread's processor time is all of it where it plays by itself.
    let busy = busy.filter(|_| threads == 1);
    let line = serde_json::json!({
        "steps": made,
        "steps_per_second": made as f64 / clock,
        "steps_per_processor_second": busy.map(|busy| made as f64 / busy),
    });
    println!("{line}");
}

fn serve(n: usize) -> std::io::Result<()> {
    let config = EnvironmentConfig { reward: Reward::Surplus, ..EnvironmentConfig::default() };
    let mut vector =
        VectorEnvironment::new(source(), config, n, AutoresetMode::SameStep).expect("the suite has counterparts");
    let (d, m) = (vector.observation_spec().width(), vector.action_space().mask_width());
    let mut arrays = vector.arrays();
    let (mut actions, mut numbers) = (vec![0_u8; n], vec![0_i64; n]);
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    output.write_all(format!("{d} {m}\n").as_bytes())?;
    let mut first = true;
    loop {
        let mut buffers = arrays.buffers();
        let stepped = if first { vector.reset(Some(0), &mut buffers) } else { vector.step(&numbers, &mut buffers) };
        stepped.map_err(std::io::Error::other)?;
        first = false;
        let mut bytes = Vec::with_capacity(n * (4 * d + 5 + m));
        arrays.observations.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        arrays.rewards.iter().for_each(|x| bytes.extend((*x as f32).to_le_bytes()));
        bytes.extend(arrays.terminated.iter().zip(&arrays.truncated).map(|(&a, &b)| u8::from(a || b)));
        bytes.extend(arrays.masks.iter().map(|&legal| u8::from(legal)));
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
        ["step", width, batch] => match step(number(width) as usize, number(batch) as usize, Device::Cpu) {
            Ok(line) => println!("{line}"),
            Err(fault) => eprintln!("{fault}"),
        },
        ["loop", count, threads, environments] => {
            whole_loop(number(count), number(threads) as usize, number(environments) as usize);
        }
        ["serve", n] => {
            if let Err(fault) = serve(number(n) as usize) {
                eprintln!("{fault}");
            }
        }
        _ => eprintln!("usage: learner_speed steps | step WIDTH BATCH | loop STEPS THREADS ENVIRONMENTS | serve N"),
    }
}
