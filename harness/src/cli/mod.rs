//! The command line: one file a subcommand.

mod agents;
mod analyze;
mod audit;
mod compare;
mod counterparts;
mod distil;
mod export;
mod folder;
mod gate;
mod header;
mod humans;
mod import;
mod merge;
mod play;
mod recommend;
mod replay;
mod report;
mod rerun;
mod run;
mod scenario;
mod score;
mod suites;
mod tournament;
mod trade;
mod train;

use crate::failure::Failure;
use clap::{Parser, Subcommand};
use std::io::Write;
use zopa_reports::plain_text::{plain, plain_json};

/// Benchmarks and trains negotiation agents on seeded procurement deals.
#[derive(Debug, Parser)]
#[command(
    name = "zopa",
    version,
    about = "Benchmarks negotiation agents on seeded procurement deals",
    after_help = "Exit codes: 0 done, 1 a gate failed or a record did not replay, 2 wrong usage or bad input, \
                  3 infrastructure failed, 130 interrupted."
)]
pub struct Command {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Play episodes, score them, write a run directory and its report
    Run(Box<run::Run>),
    /// Let every agent meet every agent, in both seats
    Tournament(Box<tournament::Tournament>),
    /// Draw a run's report again
    Report(report::Report),
    /// Score a run's records again and print its table
    Score(score::Score),
    /// Hold a run against gates; exit code 1 if a gated agent misses one
    Gate(gate::Gate),
    /// Put the parts of a run together that `run --shard` played
    Merge(merge::Merge),
    /// Play a run's records again and compare digests
    Replay(replay::Replay),
    /// Show an episode's decisions as a reviewer needs them
    Audit(audit::Audit),
    /// Compare the agents of several runs on their common scenarios
    Compare(compare::Compare),
    /// Make a suite of the scenarios in which something was observed
    Distil(distil::Distil),
    /// Negotiate as a person in the terminal
    Play(Box<play::Play>),
    /// Write a run as examples to train language models on
    Export(export::Export),
    /// List the suites
    Suites(suites::Suites),
    /// List the agents
    Agents(agents::Agents),
    /// List a suite's counterpart families
    Counterparts(counterparts::Counterparts),
    /// Show one scenario as a person would read it
    Scenario(scenario::Scenario),
    /// Print the solution points of a domain folder
    Analyze(analyze::Analyze),
    /// Make a suite file of a domain folder
    Import(import::Import),
    /// Print what people made of the CaSiNo dialogues beside agents on the same preferences
    Humans(humans::Humans),
    /// Recommend one decision for a stated negotiation, JSON in, JSON out
    Recommend(recommend::Recommend),
    /// Train a policy by a recipe
    Train(train::Train),
}

impl Command {
    /// Does what was asked.
    ///
    /// # Errors
    /// With the exit code that says what kind of failure it was.
    pub fn execute(&self) -> Result<(), Failure> {
        match &self.verb {
            Verb::Run(verb) => verb.execute(),
            Verb::Tournament(verb) => verb.execute(),
            Verb::Report(verb) => verb.execute(),
            Verb::Score(verb) => verb.execute(),
            Verb::Gate(verb) => verb.execute(),
            Verb::Merge(verb) => verb.execute(),
            Verb::Replay(verb) => verb.execute(),
            Verb::Audit(verb) => verb.execute(),
            Verb::Compare(verb) => verb.execute(),
            Verb::Distil(verb) => verb.execute(),
            Verb::Play(verb) => verb.execute(),
            Verb::Export(verb) => verb.execute(),
            Verb::Suites(verb) => verb.execute(),
            Verb::Agents(verb) => verb.execute(),
            Verb::Counterparts(verb) => verb.execute(),
            Verb::Scenario(verb) => verb.execute(),
            Verb::Analyze(verb) => verb.execute(),
            Verb::Import(verb) => verb.execute(),
            Verb::Humans(verb) => verb.execute(),
            Verb::Recommend(verb) => verb.execute(),
            Verb::Train(verb) => verb.execute(),
        }
    }
}

/// Writes results to standard output, without what would steer the terminal. A reader that closed the pipe has read all it
/// wanted.
fn print(text: &str) -> Result<(), Failure> {
    write(&plain(text))
}

fn write(text: &str) -> Result<(), Failure> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(fault) if fault.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::Infrastructure(format!("cannot write to standard output: {fault}")))
        }
        _ => Ok(()),
    }
}

/// Writes one JSON document to standard output.
fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
    write(&plain_json(&(text + "\n")))
}

/// Aligns rows of cells, the last of each as long as it likes.
fn columns(rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for row in rows {
        for (position, (cell, &width)) in row.iter().zip(&widths).enumerate() {
            text.push_str(cell);
            if position + 1 < row.len() {
                text.extend(std::iter::repeat_n(' ', width - cell.chars().count() + 2));
            }
        }
        text.push('\n');
    }
    text
}
