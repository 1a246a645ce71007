//! From records to a run's results: summary, timing, gates and report.

use crate::failure::Failure;
use crate::run_directory::RunDirectory;
use crate::run_records;
use serde::Serialize;
use std::path::PathBuf;
use zopa_reports::aggregation::SummaryOptions;
use zopa_reports::statistics::Bootstrap;
use zopa_reports::{Aggregation, Gate, GateResult, Manifest, Report, Summary, Timing, gate};
use zopa_scenarios::bilateral_trade;

/// Where a run directory holds its page.
pub const PAGE: &str = "report/report.html";

/// Bytes that every record has at least.
const LEAST_RECORD: u64 = 400;

/// What a run came to.
pub struct Results {
    /// The run's header.
    pub manifest: Manifest,
    /// Scores and gates.
    pub summary: Summary,
    /// Wall-clock figures, where they are known.
    pub timing: Option<Timing>,
}

/// Writes `value` as indented JSON into the run directory.
///
/// # Errors
/// Where the file cannot be written.
pub fn write_json(directory: &RunDirectory, name: &str, value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
    directory.write(name, (text + "\n").as_bytes())
}

/// Reads a JSON file of a run directory.
///
/// # Errors
/// Where it is missing, or not what this version writes.
pub fn read_json<T: serde::de::DeserializeOwned>(directory: &RunDirectory, name: &str) -> Result<T, Failure> {
    let bytes = directory.read(name)?;
    serde_json::from_slice(&bytes)
        .map_err(|fault| Failure::Input(format!("{}: {fault}", directory.path().join(name).display())))
}

/// Reads the header of a run of agents that is no tournament.
///
/// # Errors
/// As [`read_header`], or where it is a tournament, whose records are of many opponents, or a run of bidders.
pub fn read_manifest(directory: &RunDirectory) -> Result<Manifest, Failure> {
    let manifest = read_header(directory)?;
    if manifest.is_tournament() {
        return Err(Failure::Input(format!(
            "{} is a tournament: `zopa report` draws its tables again, `zopa replay` plays its records again, and one pairing \
             is `zopa run {} --agent ID --opponent agent:ID`",
            directory.path().display(),
            manifest.suite
        )));
    }
    if manifest.suite == bilateral_trade::NAME {
        return Err(Failure::Input(format!(
            "{} is a run of bidders: `zopa score`, `report` and `replay` read it, nothing else does",
            directory.path().display()
        )));
    }
    Ok(manifest)
}

/// Reads the header of a run or a tournament.
///
/// # Errors
/// Where it is missing, not what this version writes, or absurd.
pub fn read_header(directory: &RunDirectory) -> Result<Manifest, Failure> {
    let manifest: Manifest = read_json(directory, "manifest.json")?;
    let located = |fault| Failure::Input(format!("{}: {fault}", directory.path().join("manifest.json").display()));
    manifest.check().map_err(located)?;
    Ok(manifest)
}

/// Summarises what was aggregated, evaluates `gates`, and writes `summary.json`, `timing.json` and `report/`.
///
/// # Errors
/// Where records contradict each other or something cannot be written.
pub fn conclude(
    directory: &RunDirectory,
    manifest: &Manifest,
    gates: &[Gate],
    aggregation: Aggregation,
    timing: Option<Timing>,
) -> Result<Results, Failure> {
    let results = Results::of(manifest, gates, aggregation, timing)?;
    write_json(directory, "summary.json", &results.summary)?;
    if let Some(timing) = &results.timing {
        write_json(directory, "timing.json", timing)?;
    }
    results.write_report(directory)?;
    Ok(results)
}

/// Boils down all records of a run.
///
/// # Errors
/// Where a line is no record, was changed after the run, is of another run, or is there twice.
pub fn aggregate(directory: &RunDirectory, manifest: &Manifest) -> Result<Aggregation, Failure> {
    let (path, file) = directory.journal()?;
    // The header may be anybody's, but a journal has no more records than its size allows.
    let most = file.metadata().map_err(|fault| Failure::disk("read", &path, &fault))?.len() / LEAST_RECORD;
    let expected = manifest.part().count(manifest.episodes).saturating_mul(manifest.repeats.into());
    let mut aggregation = Aggregation::expecting(expected.min(most));
    let located = |fault: &dyn std::fmt::Display| Failure::Input(format!("{}: {fault}", path.display()));
    for record in run_records::belonging(directory, manifest)? {
        aggregation.add(&record?).map_err(|fault| located(&fault))?;
    }
    match aggregation.duplicates() {
        0 => Ok(aggregation),
        1 => Err(located(&"one result is there twice: the journal was pasted together or written twice")),
        more => {
            Err(located(&format!("{more} results are there twice: the journal was pasted together or written twice")))
        }
    }
}

/// Fails where a run did not finish.
///
/// # Errors
/// With how many results are missing.
pub fn require_complete(directory: &RunDirectory, manifest: &Manifest, found: u64) -> Result<(), Failure> {
    let missing = manifest.records().saturating_sub(found);
    if missing == 0 {
        return Ok(());
    }
    Err(Failure::Input(format!(
        "{} is not complete: {missing} of {} episodes have no record; go on with it by `zopa run ... --resume`",
        directory.path().display(),
        manifest.records()
    )))
}

impl Results {
    /// Computes them.
    ///
    /// # Errors
    /// Where records contradict each other.
    pub fn of(
        manifest: &Manifest,
        gates: &[Gate],
        aggregation: Aggregation,
        timing: Option<Timing>,
    ) -> Result<Self, Failure> {
        let options = SummaryOptions {
            gates,
            gated: &manifest.gated,
            baseline: manifest.baseline.as_deref(),
            standings: manifest.agents.iter().map(|entry| (entry.id.clone(), entry.standing)).collect(),
            bootstrap: Bootstrap::default(),
        };
        let summary = aggregation.finish(&options).map_err(Failure::input)?;
        let mut results = Self { manifest: manifest.clone(), summary, timing };
        if let Some(timing) = &mut results.timing {
            timing.gates = gate::evaluate_latency(timing, gates, &manifest.gated, |agent| manifest.standing(agent));
        }
        Ok(results)
    }

    /// The results that a run wrote.
    ///
    /// # Errors
    /// Where a file is missing or not what this version writes.
    pub fn read(directory: &RunDirectory) -> Result<Self, Failure> {
        let summary: Summary = read_json(directory, "summary.json")?;
        let located = |fault| Failure::Input(format!("{}: {fault}", directory.path().join("summary.json").display()));
        summary.check().map_err(located)?;
        Ok(Self { manifest: read_manifest(directory)?, summary, timing: read_timing(directory)? })
    }

    fn report(&self) -> Report<'_> {
        Report { manifest: &self.manifest, summary: &self.summary, timing: self.timing.as_ref() }
    }

    /// The headline table and the gates, for a terminal.
    #[must_use]
    pub fn table(&self) -> String {
        self.report().terminal()
    }

    /// Draws the report anew into the run directory and returns its page.
    ///
    /// # Errors
    /// Where something cannot be drawn or written.
    pub fn write_report(&self, directory: &RunDirectory) -> Result<PathBuf, Failure> {
        self.report()
            .write(&directory.folder("report")?)
            .map_err(|fault| Failure::Infrastructure(format!("cannot write the report: {fault}")))
    }

    /// All gates, latency last.
    pub fn gates(&self) -> impl Iterator<Item = &GateResult> {
        self.summary.gates.iter().chain(self.timing.iter().flat_map(|timing| &timing.gates))
    }

    /// Fails where infrastructure left episodes without a result.
    ///
    /// # Errors
    /// With the numbers and exit code 3.
    pub fn require_results(&self) -> Result<(), Failure> {
        let lost: Vec<String> = self
            .summary
            .agents
            .iter()
            .filter(|(_, agent)| agent.infra_errors > 0)
            .map(|(id, agent)| format!("{id} {}", agent.infra_errors))
            .collect();
        if lost.is_empty() {
            return Ok(());
        }
        let found = lost.join(", ");
        Err(Failure::Infrastructure(format!("episodes without a result because infrastructure failed: {found}")))
    }

    /// Fails where a gated agent missed a gate, or where nobody was held to any: that passes nothing.
    ///
    /// # Errors
    /// With the missed gates and exit code 1, exit code 2 where no gated agent played, or exit code 3 where infrastructure failed too
    /// many of one's episodes.
    pub fn require_gates(&self) -> Result<(), Failure> {
        require_gated(&self.manifest.gated, self.manifest.agents.iter().map(|entry| entry.id.as_str()))?;
        // Whoever may leave out what went wrong keeps any gate.
        for id in &self.manifest.gated {
            if let Some(agent) = self.summary.agents.get(id).filter(|agent| !agent.comparable) {
                return Err(Failure::Infrastructure(format!(
                    "{id}: infrastructure failed {} of its episodes, more than 1 %: no gate can be held against the others",
                    agent.infra_errors
                )));
            }
        }
        if !self.gates().any(|gate| gate.gated) {
            return Err(Failure::input("no gate applies to a gated agent"));
        }
        let missed: Vec<String> = self
            .gates()
            .filter(|gate| gate.gated && !gate.passed)
            .map(|gate| format!("{} {}", gate.agent, gate.score.name()))
            .collect();
        if missed.is_empty() { Ok(()) } else { Err(Failure::Missed(format!("gates missed: {}", missed.join(", ")))) }
    }
}

/// Tests that somebody is gated and that all who are play.
///
/// # Errors
/// With what to add.
pub fn require_gated<'a>(gated: &[String], agents: impl Iterator<Item = &'a str> + Clone) -> Result<(), Failure> {
    if gated.is_empty() {
        return Err(Failure::input(
            "nobody is gated here: name agents under `gated` in a file for `zopa gate --gates`",
        ));
    }
    match gated.iter().find(|id| !agents.clone().any(|agent| agent == id.as_str())) {
        Some(missing) => Err(Failure::Input(format!("gated agent {missing} does not play: add --agent {missing}"))),
        None => Ok(()),
    }
}

/// The wall-clock figures of a run; `None` where it has none.
///
/// # Errors
/// Where the file is not what this version writes.
pub fn read_timing(directory: &RunDirectory) -> Result<Option<Timing>, Failure> {
    if directory.path().join("timing.json").exists() { read_json(directory, "timing.json").map(Some) } else { Ok(None) }
}
