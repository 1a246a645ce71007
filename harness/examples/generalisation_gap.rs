//! How much of an agent's surplus efficiency goes where other counterparts or types are met, paired: both runs have the same scenarios, or
//! their scenario i comes from the same random numbers.
//!
//! `cargo run --release -p zopa-harness --example generalisation_gap -- REFERENCE_RUN OTHER_RUN..`, each a run directory. The other
//! runs are of another counterpart family (`zopa run SUITE --split NAME --opponent FAMILY`), or of a split that is shifted from the
//! reference's (`zopa run generalisation-v1 --split NAME`). Prints for every agent of the first run its surplus efficiency, and its
//! gap to each other run in percentage points, with a 95 % bootstrap interval over scenarios: a scenario counts in both runs or
//! in neither, with both its seats.

use std::path::Path;
use std::process::ExitCode;
use zopa_harness::Failure;
use zopa_harness::results::read_manifest;
use zopa_harness::run_directory::RunDirectory;
use zopa_harness::run_records::each_once;
use zopa_harness::terminal::tell;
use zopa_reports::statistics::{Bootstrap, Estimate, PairedDifference, RatioColumn, Strata};
use zopa_reports::{EpisodeResult, Manifest};
use zopa_scenarios::Suite;

/// A run's sums of own gains and of best own gains, in shares of the scale, by agent and scenario.
struct Run {
    manifest: Manifest,
    columns: Vec<RatioColumn>,
    /// The best own gains by scenario, which agents and counterparts do not move.
    bests: Vec<f64>,
}

impl Run {
    fn read(path: &Path) -> Result<Self, Failure> {
        let directory = RunDirectory::open(path)?;
        let manifest = read_manifest(&directory)?;
        let scenarios = manifest.episodes.div_ceil(2) as usize;
        let mut sums = vec![(vec![0.0; scenarios], vec![0.0; scenarios], 0); manifest.agents.len()];
        for record in each_once(&directory, &manifest)? {
            let record = record?;
            let EpisodeResult::Played(played) = &record.result else { continue };
            let Some(agent) = manifest.agents.iter().position(|entry| *entry.id == *record.key.agent) else { continue };
            let (scores, scenario) = (&played.scores, (record.key.index / 2) as usize);
            if let Some(best) = scores.best_gain {
                let (gains, bests, episodes) = &mut sums[agent];
                gains[scenario] += scores.gain / scores.scale;
                bests[scenario] += best / scores.scale;
                *episodes += 1;
            }
        }
        if let Some(agent) = sums.iter().position(|(_, _, episodes)| *episodes != manifest.episodes) {
            let id = &manifest.agents[agent].id;
            return Err(Failure::Input(format!("{}: {id} has not one result of every episode", path.display())));
        }
        let bests = sums.first().map(|(_, bests, _)| bests.clone()).unwrap_or_default();
        let columns = sums.into_iter().map(|(gains, bests, episodes)| RatioColumn::ratio(0, gains, bests, episodes));
        Ok(Self { columns: columns.collect::<Result<_, _>>().map_err(Failure::input)?, manifest, bests })
    }

    fn column(&self, id: &str) -> Option<&RatioColumn> {
        self.manifest.agents.iter().position(|entry| entry.id == id).map(|agent| &self.columns[agent])
    }
}

/// Refuses two runs whose scenarios do not share their random numbers, or that other programs played.
fn require_paired(reference: &Run, other: &Run) -> Result<(), Failure> {
    let same_scenarios = reference.bests == other.bests;
    let (reference, other) = (&reference.manifest, &other.manifest);
    let of = |run: &Manifest| {
        let Manifest { zopa, suite, suite_digest, seed, episodes, .. } = run;
        format!("{suite} {suite_digest:?}, seed {seed}, {episodes} episodes, zopa {zopa}")
    };
    if of(reference) != of(other) {
        return Err(Failure::Input(format!("not paired: {} and {}", of(reference), of(other))));
    }
    if reference.split == other.split && same_scenarios {
        return Ok(());
    }
    let suite = Suite::open(&other.suite).map_err(Failure::input)?;
    let drawn_as = suite.splits().get(&other.split).and_then(|split| split.reference.as_deref());
    if drawn_as != Some(reference.split.as_str()) || reference.opponent != other.opponent {
        let said = format!("{} does not draw from the random numbers of {}", name(other), name(reference));
        return Err(Failure::Input(said));
    }
    Ok(())
}

fn name(run: &Manifest) -> String {
    match run.opponent.as_str() {
        "mix" => run.split.clone(),
        opponent => format!("{}, {opponent}", run.split),
    }
}

fn share(column: &RatioColumn) -> String {
    format!("{:.1}", 100.0 * column.value().unwrap_or(f64::NAN))
}

fn percent(Estimate { value, low, high, .. }: Estimate) -> String {
    format!("{:.1} [{:.1}, {:.1}]", 100.0 * value, 100.0 * low, 100.0 * high)
}

fn main() -> ExitCode {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    match print(&paths) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            tell(format_args!("{failure}"));
            failure.exit_code()
        }
    }
}

fn print(paths: &[String]) -> Result<(), Failure> {
    let runs = paths.iter().map(|path| Run::read(Path::new(path))).collect::<Result<Vec<_>, _>>()?;
    let [reference, others @ ..] = &runs[..] else {
        return Err(Failure::input("name a reference run and the runs to compare with it"));
    };
    others.iter().try_for_each(|run| require_paired(reference, run))?;
    let (bootstrap, scenarios) = (Bootstrap::default(), reference.manifest.episodes.div_ceil(2) as usize);
    let strata = Strata::unstratified(scenarios);
    println!("{scenarios} scenarios, both seats; gap: the first less the other");
    let titles = others.iter().map(|run| format!(" {} | gap |", name(&run.manifest)));
    println!("| agent | {} |{}", name(&reference.manifest), titles.collect::<String>());
    for entry in &reference.manifest.agents {
        let Some(own) = reference.column(&entry.id) else { continue };
        let mut line = format!("| {} | {} |", entry.id, share(own));
        for run in others {
            let Some(other) = run.column(&entry.id) else { continue };
            let gap = PairedDifference::compute(&bootstrap, &strata, own, other).map_err(Failure::input)?;
            let gap = gap.map_or_else(|| "-".to_owned(), |gap| percent(gap.difference));
            line += &format!(" {} | {gap} |", share(other));
        }
        println!("{line}");
    }
    Ok(())
}
