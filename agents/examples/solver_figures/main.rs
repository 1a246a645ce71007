//! Figures of the solver that no run's report holds: paired differences by family, belief calibration by progress, latencies.
//!
//! `solver_figures SUITE [--split NAME] [--episodes N] [--seed S] [--family NAME] [--beliefs] AGENT..` plays the same episodes
//! with every agent, two threads at a time, and prints for each its surplus efficiency (sum of own gains over sum of best
//! gains, both in shares of the status quo's price), the paired difference to the first agent with a 95 % bootstrap interval
//! over scenarios, agreement and surplus efficiency where the joint gain exceeds the median and elsewhere, losses attempted,
//! episodes without any violation, and latencies; then how negotiations above the median ended without a deal, and surplus
//! efficiency by counterpart family, and where the other side concedes by the clock the share of a bound on the Bayesian best
//! response; then the tactic that has most in one half of the scenarios beside the solvers in the other. `--beliefs` adds coverage, width and score of the first agent's 90 % intervals by
//! tenth of the negotiation's progress, stated chances of acceptance beside what was accepted, and the next offers foreseen;
//! `--plot FILE` draws that. `--exploit` plays every agent against a grid of counterpart policies instead, and prints the one that
//! takes most. `--domain FOLDER` plays a domain folder in place of a suite.

mod calibration;
mod episode;
mod exploit;

use episode::{Played, all};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use zopa_envs::{ScenarioSource, Stream, StreamKey};
use zopa_scenarios::{DomainGame, Opponent, SourceOptions, Suite, read_domain};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Resamples of the bootstrap.
const RESAMPLES: usize = 2_000;

fn efficiency<'a>(played: impl Iterator<Item = &'a Played>) -> f64 {
    let (gain, best) = played.fold((0.0, 0.0), |(gain, best), one| (gain + one.gain, best + one.best));
    if best > 0.0 { gain / best } else { 0.0 }
}

/// The paired difference of surplus efficiencies, with its 95 % interval over scenarios: both seats of one are drawn together.
fn difference(one: &[Played], other: &[Played], stream: &mut Stream) -> [f64; 3] {
    let scenarios = one.len().div_ceil(2) as u64;
    let mut drawn: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let (mut gap, mut best) = (0.0, 0.0);
            for _ in 0..scenarios {
                let number = stream.below(scenarios) as usize;
                for index in (2 * number..2 * number + 2).filter(|&index| index < one.len()) {
                    gap += one[index].gain - other[index].gain;
                    best += one[index].best;
                }
            }
            gap / f64::max(best, 1e-12)
        })
        .collect();
    drawn.sort_by(f64::total_cmp);
    let at = |share: f64| drawn[((share * RESAMPLES as f64) as usize).min(RESAMPLES - 1)];
    [efficiency(one.iter()) - efficiency(other.iter()), at(0.025), at(0.975)]
}

fn print(agents: &[String], results: &[Vec<Played>]) {
    let mut stream = StreamKey::new("bootstrap", &[]).stream(0);
    let mut joints: Vec<f64> = results[0].iter().map(|one| one.joint).collect();
    joints.sort_by(f64::total_cmp);
    let median = joints[joints.len() / 2];
    println!(
        "agent                surplus eff.  first minus it (95 %)     agreed | above the median: agreed, eff. | elsewhere: agreed, eff. | losses  clean  rounds    p50 us    p95 us"
    );
    for (agent, played) in agents.iter().zip(results) {
        let count = played.len() as f64;
        let [gap, low, high] = difference(&results[0], played, &mut stream);
        let share = |wanted: &dyn Fn(&&Played) -> bool| played.iter().filter(wanted).count() as f64;
        let above = share(&|one| one.joint > median).max(1.0);
        let mut times: Vec<u64> = played.iter().flat_map(|one| one.nanoseconds.iter().copied()).collect();
        times.sort_unstable();
        let time = |at: f64| times.get((at * times.len() as f64) as usize).map_or(0.0, |&ns| ns as f64 / 1000.0);
        println!(
            "{agent:<20} {:>10.2} %  {:>6.2} ({:>6.2} to {:>6.2})  {:>6.1} % | {:>19.1} % {:>6.1} % | {:>12.1} % {:>6.1} % | {:>6} {:>5.1} % {:>5.1}  {:>8.1}  {:>8.1}",
            100.0 * efficiency(played.iter()),
            100.0 * gap,
            100.0 * low,
            100.0 * high,
            100.0 * share(&|one| one.agreed) / count,
            100.0 * share(&|one| one.agreed && one.joint > median) / above,
            100.0 * efficiency(played.iter().filter(|one| one.joint > median)),
            100.0 * share(&|one| one.agreed && one.joint <= median) / (count - above).max(1.0),
            100.0 * efficiency(played.iter().filter(|one| one.joint <= median)),
            share(&|one| one.loss),
            100.0 * share(&|one| !one.unruly) / count,
            played.iter().map(|one| f64::from(one.rounds)).sum::<f64>() / count,
            time(0.5),
            time(0.95),
        );
    }
    println!("{}", zopa_envs::message::accuracy::stated());
    println!("\nof the negotiations above the median, %: ended");
    for (agent, played) in agents.iter().zip(results) {
        let above: Vec<&Played> = played.iter().filter(|one| one.joint > median).collect();
        let ended = ["agreement", "broken off", "was left", "left", "deadline"].map(|ending| {
            let count = above.iter().filter(|one| one.ending == ending).count() as f64;
            format!("{ending} {:.1}", 100.0 * count / above.len().max(1) as f64)
        });
        let violations: u32 = played.iter().map(|one| one.violations).sum();
        println!("{agent:<20} {}; guardrail violations {violations}", ended.join(", "));
    }
    let mut families: BTreeMap<Arc<str>, usize> = BTreeMap::new();
    results[0].iter().for_each(|one| *families.entry(one.family.clone()).or_default() += 1);
    println!("\nsurplus efficiency by family, %");
    println!("{:<22} {:>5} {}", "family", "n", agents.iter().map(|agent| format!("{agent:>19}")).collect::<String>());
    for (family, count) in families {
        let cells = results
            .iter()
            .map(|played| format!("{:>19.1}", 100.0 * efficiency(played.iter().filter(|one| one.family == family))));
        println!("{family:<22} {count:>5} {}", cells.collect::<String>());
    }
    print_bounds(agents, results, &mut stream);
    print_best_tactic(agents, results, &mut stream);
}

/// The tactic that has most in every other scenario, and what the solvers have more than it in the rest: the best of so many means
/// would overstate its own.
fn print_best_tactic(agents: &[String], results: &[Vec<Played>], stream: &mut Stream) {
    let half = |played: &[Played], parity: usize| -> Vec<Played> {
        let within = played.iter().enumerate().filter(|(index, _)| index / 2 % 2 == parity);
        within.map(|(_, one)| one.clone()).collect()
    };
    let is_solver = |agent: &str| agent.starts_with("solver");
    let is_tactic = |agent: &str| !is_solver(agent) && !agent.ends_with("best-response") && agent != "oracle";
    let looked_up = agents.iter().zip(results).filter(|(agent, _)| is_tactic(agent));
    let looked_up = looked_up.map(|(agent, played)| (agent, played, efficiency(half(played, 0).iter())));
    let Some((tactic, played, _)) = looked_up.max_by(|a, b| a.2.total_cmp(&b.2)) else { return };
    let played = half(played, 1);
    println!("\nbest tactic of one half of the scenarios: {tactic}; in the other half, %");
    println!("{tactic:<20} {:>6.2}", 100.0 * efficiency(played.iter()));
    for (agent, solver) in agents.iter().zip(results).filter(|(agent, _)| is_solver(agent)) {
        let solver = half(solver, 1);
        let [gap, low, high] = difference(&solver, &played, stream).map(|share| 100.0 * share);
        println!("{agent:<20} {:>6.2}, minus it {gap:.2} ({low:.2} to {high:.2})", 100.0 * efficiency(solver.iter()));
    }
}

/// What the agents have of the Bayesian bound, where it is known, with 95 % intervals over scenarios.
fn print_bounds(agents: &[String], results: &[Vec<Played>], stream: &mut Stream) {
    let mut families: BTreeMap<Arc<str>, usize> = BTreeMap::new();
    let known = results[0].iter().filter(|one| one.bound.is_some());
    known.for_each(|one| *families.entry(one.family.clone()).or_default() += 1);
    if families.is_empty() {
        return;
    }
    println!("\nown gain, % of what no plan can expect to exceed that does not know how long the other side stays");
    let share = |sums: &[[f64; 2]]| {
        let [gain, bound] = sums.iter().fold([0.0, 0.0], |[gain, bound], one| [gain + one[0], bound + one[1]]);
        100.0 * gain / f64::max(bound, 1e-12)
    };
    for (agent, played) in agents.iter().zip(results) {
        for family in std::iter::once(None).chain(families.keys().map(Some)) {
            let mut sums: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
            let mut count = 0;
            for (index, one) in played.iter().enumerate() {
                let Some(bound) = one.bound.filter(|_| family.is_none_or(|family| *family == one.family)) else {
                    continue;
                };
                let [gain, most] = sums.entry(index / 2).or_default();
                *gain += one.gain;
                *most += bound;
                count += 1;
            }
            let sums: Vec<[f64; 2]> = sums.into_values().collect();
            let mut drawn: Vec<f64> = (0..RESAMPLES)
                .map(|_| {
                    let again = (0..sums.len()).map(|_| sums[stream.below(sums.len() as u64) as usize]);
                    share(&again.collect::<Vec<_>>())
                })
                .collect();
            drawn.sort_by(f64::total_cmp);
            let at = |p: f64| drawn[((p * RESAMPLES as f64) as usize).min(RESAMPLES - 1)];
            let name = family.map_or("all of these", |family| &**family);
            let (low, high) = (at(0.025), at(0.975));
            println!("{agent:<20} {name:<14} n {count:>5}  {:>5.1} ({low:.1} to {high:.1})", share(&sums));
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut suite, mut agents, mut options, mut episodes) = (None, Vec::new(), SourceOptions::default(), 500);
    let (mut domain, mut beliefs, mut exploited, mut plot) = (None, false, false, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--split" => options.split = Some(value()?),
            "--episodes" => episodes = value()?.parse()?,
            "--seed" => options.seed = Some(value()?.parse()?),
            "--family" => options.opponent = Opponent::Family(value()?),
            "--domain" => domain = Some(value()?),
            "--beliefs" => beliefs = true,
            "--plot" => plot = Some(value()?),
            "--exploit" => exploited = true,
            _ if suite.is_none() && domain.is_none() => suite = Some(argument),
            _ => agents.push(argument),
        }
    }
    let title = suite.clone().or_else(|| domain.clone()).unwrap_or_default();
    let source: Box<dyn ScenarioSource + Sync> = match (domain, suite) {
        (Some(folder), _) => {
            let domain = read_domain(Path::new(&folder), None)?;
            let text = domain.suite_text(&DomainGame::default())?;
            Box::new(Arc::new(Suite::parse(&folder, &text)?).source(&options)?)
        }
        (None, Some(suite)) => Box::new(Arc::new(Suite::open(&suite)?).source(&options)?),
        (None, None) => return Err("name a suite, or a folder after --domain".into()),
    };
    if agents.is_empty() {
        return Err("name the agents to play".into());
    }
    if exploited {
        return exploit::print(source.as_ref(), &agents, episodes);
    }
    let beliefs = beliefs || plot.is_some();
    let mut results = Vec::new();
    for agent in &agents {
        results.push(all(source.as_ref(), agent, episodes, beliefs, &|scenario| scenario)?);
    }
    print(&agents, &results);
    if beliefs {
        calibration::print(&results[0]);
    }
    if let Some(file) = plot {
        let split = options.split.as_deref().unwrap_or("default split");
        let title = format!("{} in {title}, {split}, {episodes} episodes", agents[0]);
        std::fs::write(&file, calibration::plot(&title, &results[0])).map_err(|fault| format!("{file}: {fault}"))?;
    }
    Ok(())
}
