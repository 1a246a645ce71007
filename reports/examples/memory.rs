//! Sums up a made-up run of a given size and prints the most memory that it took, for BENCHMARKS.md.
//!
//! `cargo run --release -p zopa-reports --example memory -- 1000000 8` is a million episodes of eight agents; a third number is that of
//! the resamples, on which time depends in proportion and memory does not. Records are made one at
//! a time from a journal's first lines, which are given on standard input (a real run's `episodes.jsonl`), so that what is
//! measured is the summary's memory and not the records'. The system's figure is read from `/proc/self/status`.

use std::error::Error;
use std::time::Instant;
use zopa_reports::aggregation::SummaryOptions;
use zopa_reports::statistics::Bootstrap;
use zopa_reports::{Aggregation, EpisodeRecord, EpisodeResult, read_records};

/// The most memory that was resident so far, in bytes; `None` where the system does not tell.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(1024 * line.split_whitespace().nth(1)?.parse::<u64>().ok()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let numbers = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<Vec<u64>, _>>()?;
    let (episodes, agents, replicates) = match numbers[..] {
        [episodes, agents] => (episodes, agents, Bootstrap::default().replicates),
        [episodes, agents, replicates] => (episodes, agents, u32::try_from(replicates)?),
        _ => return Err("usage: memory EPISODES AGENTS [RESAMPLES] <episodes.jsonl".into()),
    };
    let templates: Vec<EpisodeRecord> = read_records(std::io::stdin().lock()).take(64).collect::<Result<_, _>>()?;
    if templates.is_empty() {
        return Err("no record on standard input".into());
    }
    let before = peak().ok_or("this system has no /proc/self/status")?;
    let mut aggregation = Aggregation::expecting(episodes);
    let began = Instant::now();
    for agent in 0..agents {
        let id: std::sync::Arc<str> = format!("agent-{agent}").into();
        for index in 0..episodes {
            let mut record = templates[(index % templates.len() as u64) as usize].clone();
            (record.key.agent, record.key.index, record.key.repeat) = (id.clone(), index, 0);
            if let EpisodeResult::Played(played) = &mut record.result {
                played.scores.gain *= 1.0 + (index % 101) as f64 / 1_000.0;
            }
            aggregation.add(&record)?;
        }
    }
    let (added, streamed) = (began.elapsed(), peak().unwrap_or(before));
    let first = "agent-0".to_owned();
    let bootstrap = Bootstrap { replicates, ..Bootstrap::default() };
    let options = SummaryOptions { baseline: Some(&first), bootstrap, ..SummaryOptions::default() };
    let summary = aggregation.finish(&options)?;
    let most = peak().unwrap_or(before);
    let each = |bytes: u64| (bytes - before) as f64 / (episodes * agents) as f64;
    println!(
        "{episodes} episodes of {agents} agents: {:.1} bytes an episode and agent while they stream, {:.1} at the most, with the \
         summary's intervals; {:.1} s to take in, {:.1} s in all with {replicates} resamples; {} agents in the summary",
        each(streamed),
        each(most),
        added.as_secs_f64(),
        began.elapsed().as_secs_f64(),
        summary.agents.len()
    );
    Ok(())
}
