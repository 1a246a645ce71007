//! `zopa gate`

use super::{columns, print, print_json};
use crate::arena::Arena;
use crate::failure::Failure;
use crate::gates;
use crate::results::{Results, aggregate, read_json, read_timing};
use crate::run_directory::RunDirectory;
use clap::Args;
use std::path::PathBuf;
use zopa_reports::{GateResult, Manifest};

/// Holds a run against the suite's gates, or those of a file; exit code 1 where a gated agent misses one.
#[derive(Debug, Args)]
pub(super) struct Gate {
    /// The run directory
    run: PathBuf,
    /// A TOML file with gates, instead of the suite's
    #[arg(long, value_name = "FILE")]
    gates: Option<PathBuf>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

impl Gate {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let directory = RunDirectory::open(&self.run)?;
        if super::trade::is_trade(&directory)? {
            return Err(Failure::input(
                "a run of bidders has no gates: read its shares and what they could be exploited by",
            ));
        }
        let mut manifest: Manifest = read_json(&directory, "manifest.json")?;
        let gates = match &self.gates {
            Some(path) => {
                let file = gates::read(path)?;
                if let Some(gated) = file.gated {
                    manifest.gated = gated;
                }
                file.gates
            }
            None => Arena::of_inputs(&manifest, directory.files("inputs")?)?.gates(),
        };
        if gates.is_empty() {
            return Err(Failure::input(format!("{} has no gates: name a file of them with --gates", manifest.suite)));
        }
        let results = Results::of(&manifest, &gates, aggregate(&directory)?, read_timing(&directory)?)?;
        if self.json {
            print_json(&results.gates().collect::<Vec<_>>())?;
        } else {
            print(&columns(&results.gates().map(row).collect::<Vec<_>>()))?;
        }
        results.require_gates()
    }
}

fn row(gate: &GateResult) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), |value| format!("{value:.4}"));
    let verdict = match (gate.passed, gate.gated) {
        (true, _) => "passed",
        (false, true) => "MISSED",
        (false, false) => "missed (not gated)",
    };
    vec![
        gate.agent.clone(),
        gate.score.name().to_owned(),
        number(gate.value),
        gate.direction.sign().to_owned(),
        number(gate.threshold),
        verdict.to_owned(),
        gate.note.clone().unwrap_or_default(),
    ]
}
