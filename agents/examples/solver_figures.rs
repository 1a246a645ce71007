//! Figures of the solver that no run's report holds: paired differences by family, belief calibration by progress, latencies.
//!
//! `solver_figures SUITE [--split NAME] [--episodes N] [--seed S] [--family NAME] [--beliefs] AGENT..` plays the same episodes
//! with every agent, two threads at a time, and prints for each its surplus efficiency (sum of own gains over sum of best
//! gains, both in shares of the status quo's price), the paired difference to the first agent with a 95 % bootstrap interval
//! over scenarios, agreement where the joint gain exceeds the median, losses attempted, guardrail violations and latencies; then
//! surplus efficiency by counterpart family. `--beliefs` adds coverage, width and score of the first agent's 90 % intervals by
//! tenth of the negotiation's progress. `--domain FOLDER` plays a domain folder in place of a suite.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use zopa_agents::{Node, Observer, Seated, build, play};
use zopa_envs::score::BeliefScores;
use zopa_envs::{
    Attainable, Belief, Decision, EpisodeScores, Negotiation, PartyView, ScenarioSource, Seat, Stream, StreamKey,
};
use zopa_scenarios::{DomainGame, Opponent, SourceOptions, Suite, read_domain};

/// Resamples of the bootstrap.
const RESAMPLES: usize = 2_000;

/// One episode's figures.
#[derive(Clone, Debug)]
struct Played {
    family: Arc<str>,
    gain: f64,
    best: f64,
    agreed: bool,
    joint: f64,
    loss: bool,
    violations: u32,
    rounds: u16,
    /// Beliefs with the progress at which they were held, scored.
    beliefs: Vec<(f64, BeliefScores)>,
    nanoseconds: Vec<u64>,
}

/// Times decisions and keeps their beliefs.
struct Watch {
    seat: Seat,
    entered: Option<Instant>,
    nanoseconds: Vec<u64>,
    beliefs: Vec<(f64, Vec<Belief>)>,
    keeps: bool,
}

impl Observer for Watch {
    fn enter(&mut self, node: Node, seat: Seat) {
        if node == Node::Strategise && seat == self.seat {
            self.entered = Some(Instant::now());
        }
    }

    fn leave(&mut self, node: Node, _next: Node, seat: Seat) {
        if node == Node::Strategise
            && seat == self.seat
            && let Some(entered) = self.entered.take()
        {
            self.nanoseconds.push(entered.elapsed().as_nanos() as u64);
        }
    }

    fn decided(&mut self, view: &PartyView<'_>, decision: &Decision) {
        if self.keeps && view.seat == self.seat {
            self.beliefs.push((view.progress(), decision.beliefs.clone()));
        }
    }
}

fn episode(
    source: &dyn ScenarioSource,
    agent: &str,
    index: u64,
    keeps: bool,
) -> Result<Played, Box<dyn Error + Send + Sync>> {
    let scenario = source.scenario(index);
    let seat = scenario.seat;
    let attainable = Attainable::of(&scenario);
    let family =
        scenario.counterpart.as_ref().map_or_else(|| Arc::from("none"), |counterpart| counterpart.family.clone());
    let mut player = build(agent)?;
    let mut bound = [false; 2];
    bound[seat.index()] = true;
    let key = StreamKey::new("figures", &[agent.as_bytes(), &index.to_le_bytes()]);
    let mut watch = Watch { seat, entered: None, nanoseconds: Vec::new(), beliefs: Vec::new(), keeps };
    let mut game = Negotiation::new(scenario, bound).logged();
    play(&mut game, Seated { player: &mut player, stream: key.lazy(0) }, None, &mut watch)?;
    let outcome = game.outcome().ok_or("a negotiation never ended")?;
    let scores = EpisodeScores::of(game.scenario(), attainable.as_ref(), game.log(), outcome);
    let scored = watch.beliefs.iter().filter_map(|(t, held)| Some((*t, BeliefScores::of(game.scenario(), held)?)));
    Ok(Played {
        family,
        gain: scores.gain / scores.scale,
        best: scores.best_gain.unwrap_or(0.0) / scores.scale,
        agreed: scores.agreement,
        joint: scores.best_joint.unwrap_or(0.0) / scores.scale,
        loss: scores.loss_making(),
        violations: scores.conduct.guardrail_violations(),
        rounds: scores.rounds,
        beliefs: scored.collect(),
        nanoseconds: watch.nanoseconds,
    })
}

fn all(source: &(dyn ScenarioSource + Sync), agent: &str, episodes: u64, keeps: bool) -> Result<Vec<Played>, String> {
    let halves = std::thread::scope(|scope| {
        let half = |parity: u64| {
            let indices = (0..episodes).filter(move |index| index / 2 % 2 == parity);
            let played = indices.map(|index| episode(source, agent, index, keeps).map(|played| (index, played)));
            played.collect::<Result<Vec<_>, _>>().map_err(|fault| fault.to_string())
        };
        let other = scope.spawn(move || half(1));
        let own = half(0);
        [own, other.join().unwrap_or_else(|_| Err("a thread failed".to_owned()))]
    });
    let mut numbered: Vec<(u64, Played)> = Vec::new();
    for half in halves {
        numbered.extend(half?);
    }
    numbered.sort_by_key(|(index, _)| *index);
    Ok(numbered.into_iter().map(|(_, played)| played).collect())
}

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
        "agent                surplus eff.  first minus it (95 %)      agreed  above median  losses  violations  rounds    p50 us    p95 us"
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
            "{agent:<20} {:>10.2} %  {:>6.2} ({:>6.2} to {:>6.2})  {:>6.1} %  {:>10.1} %  {:>6}  {:>10}  {:>6.1}  {:>8.1}  {:>8.1}",
            100.0 * efficiency(played.iter()),
            100.0 * gap,
            100.0 * low,
            100.0 * high,
            100.0 * share(&|one| one.agreed) / count,
            100.0 * share(&|one| one.agreed && one.joint > median) / above,
            share(&|one| one.loss),
            played.iter().map(|one| one.violations).sum::<u32>(),
            played.iter().map(|one| f64::from(one.rounds)).sum::<f64>() / count,
            time(0.5),
            time(0.95),
        );
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
}

fn print_beliefs(played: &[Played]) {
    println!(
        "\n90 % intervals by progress: n, coverage, width and score in widths of the prior's interval, the prior's score"
    );
    for tenth in 0..10 {
        let held: Vec<&BeliefScores> = played
            .iter()
            .flat_map(|one| &one.beliefs)
            .filter(|(t, scores)| ((10.0 * t) as usize).min(9) == tenth && scores.stated > 0)
            .map(|(_, scores)| scores)
            .collect();
        let count = held.len().max(1) as f64;
        let mean = |of: &dyn Fn(&BeliefScores) -> f64| held.iter().map(|scores| of(scores)).sum::<f64>() / count;
        println!(
            "{:>4.1} {:>7} {:>8.3} {:>8.3} {:>8.3} {:>8.3}",
            tenth as f64 / 10.0,
            held.len(),
            mean(&|scores| scores.coverage),
            mean(&|scores| scores.width),
            mean(&|scores| scores.interval_score),
            mean(&|scores| scores.prior_interval_score),
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut suite, mut agents, mut options, mut episodes, mut beliefs) =
        (None, Vec::new(), SourceOptions::default(), 500, false);
    let mut domain = None;
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
            _ if suite.is_none() && domain.is_none() => suite = Some(argument),
            _ => agents.push(argument),
        }
    }
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
    let mut results = Vec::new();
    for agent in &agents {
        results.push(all(source.as_ref(), agent, episodes, beliefs)?);
    }
    print(&agents, &results);
    if beliefs {
        print_beliefs(&results[0]);
    }
    Ok(())
}
