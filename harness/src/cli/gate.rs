//! `zopa gate`

use super::{columns, print, print_json};
use crate::arena::Arena;
use crate::failure::Failure;
use crate::gates;
use crate::results::{Results, aggregate, read_manifest, read_timing, require_complete};
use crate::run_directory::RunDirectory;
use crate::terminal::tell;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use zopa_envs::message::accuracy;
use zopa_reports::statistics::Bootstrap;
use zopa_reports::{Change, GateResult, GateScore, Manifest, Score};

/// Holds a run against the suite's gates, or those of a file, and against an earlier run; exit code 1 where a gated agent
/// misses a gate or got significantly worse.
#[derive(Debug, Args)]
pub(super) struct Gate {
    /// The run directory
    run: PathBuf,
    /// A TOML file with gates, instead of the suite's
    #[arg(long, value_name = "FILE")]
    gates: Option<PathBuf>,
    /// An earlier run of the same scenarios: a score that a gated agent is held to must not be significantly worse
    #[arg(long, value_name = "RUN")]
    baseline: Option<PathBuf>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Verdict<'a> {
    passed: bool,
    /// The part of a run that was held against the gates, where it is no whole run.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<String>,
    gates: Vec<&'a GateResult>,
    changes: Vec<Change>,
}

impl Gate {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let directory = RunDirectory::open(&self.run)?;
        let mut manifest = read_manifest(&directory)?;
        let arena = Arena::of_inputs(&manifest, directory.files("inputs")?)?;
        let gates = match &self.gates {
            Some(path) => {
                let file = gates::read(path)?;
                if let Some(gated) = file.gated {
                    manifest.gated = gated;
                }
                gates::check_names(&file.gates, &manifest, &arena.families())?;
                file.gates
            }
            None => arena.gates(),
        };
        if gates.is_empty() && self.baseline.is_none() {
            return Err(Failure::input(format!("{} has no gates: name a file of them with --gates", manifest.suite)));
        }
        let mut aggregation = aggregate(&directory, &manifest)?;
        require_complete(&directory, &manifest, aggregation.episodes())?;
        note_part(&directory, &manifest);
        let results = Results::of(&manifest, &gates, aggregation, read_timing(&directory)?)?;
        let changes = self.changes(&directory, &manifest, &gates)?;
        let kept = if gates.is_empty() { Ok(()) } else { results.require_gates() };
        let regressed: Vec<String> = (changes.iter().filter(|change| change.regressed))
            .map(|change| format!("{} {}", change.agent, change.score.name()))
            .collect();
        if self.json {
            let passed = kept.is_ok() && regressed.is_empty();
            let part = manifest.shard.map(|shard| shard.to_string());
            print_json(&Verdict { passed, part, gates: results.gates().collect(), changes })?;
        } else {
            let rows: Vec<_> = results.gates().map(row).chain(changes.iter().map(change_row)).collect();
            let gated =
                results.gates().any(|gate| matches!(gate.score, GateScore::Score(score) if score.is_of_speech()));
            let of_speech = gated || changes.iter().any(|change| change.score.is_of_speech());
            let reading = if of_speech { format!("\n{}\n", accuracy::stated()) } else { String::new() };
            print(&(columns(&rows) + &reading))?;
        }
        match kept {
            Ok(()) if regressed.is_empty() => Ok(()),
            Ok(()) => Err(Failure::Missed(format!("worse than the baseline run: {}", regressed.join(", ")))),
            Err(Failure::Missed(message)) if !regressed.is_empty() => {
                Err(Failure::Missed(format!("{message}; worse than the baseline run: {}", regressed.join(", "))))
            }
            Err(failure) => Err(failure),
        }
    }

    /// What gated agents changed since the baseline run, in the scores that they are held to and in surplus efficiency.
    fn changes(
        &self,
        directory: &RunDirectory,
        manifest: &Manifest,
        gates: &[zopa_reports::Gate],
    ) -> Result<Vec<Change>, Failure> {
        let Some(path) = &self.baseline else { return Ok(Vec::new()) };
        let earlier = RunDirectory::open(path)?;
        let before = read_manifest(&earlier)?;
        let facts = [
            ("suite's digest", before.suite_digest.to_string(), manifest.suite_digest.to_string()),
            ("opponent", before.opponent.clone(), manifest.opponent.clone()),
            ("authority", before.authority.clone(), manifest.authority.clone()),
        ];
        if let Some((field, before, now)) = facts.into_iter().find(|(_, before, now)| before != now) {
            return Err(Failure::Input(format!(
                "{} is no baseline of this run: its {field} is {before}, not {now}",
                path.display()
            )));
        }
        if manifest.gated.is_empty() {
            return Err(Failure::input("nobody is gated here: name agents under `gated` in a file for --gates"));
        }
        let mut scores = vec![Score::SurplusEfficiency];
        for gate in gates {
            if let GateScore::Score(score) = gate.score
                && !scores.contains(&score)
            {
                scores.push(score);
            }
        }
        let (now, mut then) = (aggregate(directory, manifest)?, aggregate(&earlier, &before)?);
        require_complete(&earlier, &before, then.episodes())?;
        note_part(&earlier, &before);
        now.changes_since(then, &manifest.gated, &scores, &Bootstrap::default()).map_err(Failure::input)
    }
}

/// Says that a folder holds a part of a run: what holds of it need not hold of the whole.
fn note_part(directory: &RunDirectory, manifest: &Manifest) {
    if let Some(shard) = manifest.shard {
        tell(format_args!(
            "zopa: note: {} is part {shard} of a run, and that part alone is tested",
            directory.path().display()
        ));
    }
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| format!("{value:.4}"))
}

fn row(gate: &GateResult) -> Vec<String> {
    let verdict = match (gate.passed, gate.gated) {
        (true, _) => "passed",
        (false, true) => "MISSED",
        (false, false) => "missed (not gated)",
    };
    let family = gate.family.as_ref().map(|family| format!(" against {family}")).unwrap_or_default();
    vec![
        gate.agent.clone(),
        format!("{}{family}", gate.score.name()),
        number(gate.value),
        gate.direction.sign().to_owned(),
        number(gate.threshold),
        verdict.to_owned(),
        gate.note.clone().unwrap_or_default(),
    ]
}

fn change_row(change: &Change) -> Vec<String> {
    let difference = &change.difference;
    vec![
        change.agent.clone(),
        format!("{} since the baseline run", change.score.name()),
        format!("{:+.4}", difference.value),
        "in".to_owned(),
        format!("[{:+.4}, {:+.4}]", difference.low, difference.high),
        if change.regressed { "WORSE" } else { "passed" }.to_owned(),
        format!("p {:.4} after Holm, {} scenarios", change.p_value_holm, difference.n),
    ]
}
