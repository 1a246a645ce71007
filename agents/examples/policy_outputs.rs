//! Prints what the plain forward pass makes of random observations, for other implementations to compare with.
//!
//! `policy_outputs WEIGHTS COUNT`: a JSON line each of `{"observation": [..], "advantages": [..], "value": v}`.

use std::io::Write;
use std::process::ExitCode;
use zopa_agents::learn::Policy;
use zopa_agents::learn::plain::Scratch;
use zopa_envs::StreamKey;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, count] = &arguments[..] else {
        eprintln!("usage: policy_outputs WEIGHTS COUNT");
        return ExitCode::from(2);
    };
    let read = std::fs::read(path).map_err(|fault| fault.to_string());
    let policy = read.and_then(|bytes| Policy::from_bytes(&bytes).map_err(|fault| fault.to_string()));
    let (policy, count) = match (policy, count.parse::<u32>()) {
        (Ok(policy), Ok(count)) => (policy, count),
        (Err(fault), _) => {
            eprintln!("{path}: {fault}");
            return ExitCode::from(2);
        }
        (_, Err(fault)) => {
            eprintln!("{count}: {fault}");
            return ExitCode::from(2);
        }
    };
    let shape = policy.network.shape();
    let mut stream = StreamKey::new("policy outputs", &[]).stream(0);
    let (mut scratch, mut advantages) = (Scratch::default(), vec![0.0; shape.actions]);
    let mut out = std::io::stdout().lock();
    for _ in 0..count {
        let observation: Vec<f32> = (0..shape.inputs).map(|_| stream.normal() as f32).collect();
        let value = policy.network.forward(&observation, &mut scratch, &mut advantages);
        let line = serde_json::json!({ "observation": observation, "advantages": advantages, "value": value });
        if writeln!(out, "{line}").is_err() {
            break;
        }
    }
    ExitCode::SUCCESS
}
