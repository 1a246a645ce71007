//! How long a decision of the solver takes.
//!
//! The suites' own spaces have 190,000 outcomes (`payment-terms-v1`) and 7.4 million; in `counterparts-v1` and `talk-v1` both sides
//! talk. `tables` are spaces of 10,000 packages without a price, whose frontier is walked through anew in nearly every turn. Every own
//! turn of some negotiations counts, the first of each included. A decision is timed alone, since what is wanted is a quantile
//! (p95 under 1 ms), which a harness that reports means does not give.

use std::sync::Arc;
use std::time::{Duration, Instant};
use zopa_agents::agent::Agent;
use zopa_agents::solver::{Solver, Variant};
use zopa_envs::random::StreamKey;
use zopa_envs::tactic::{Selection, TimeDependent};
use zopa_envs::{
    CommonPrior, Counterpart, Grid, Issue, IssueRole, Mandate, Negotiation, OutcomeSpace, PartyType, PhaseBounds,
    PublicScenario, Reply, Scenario, ScenarioSource, Seat, Tactic, Utility,
};
use zopa_scenarios::{SourceOptions, Suite};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn suite(name: &str, count: u64) -> Vec<Scenario> {
    let suite = Arc::new(Suite::open(name).expect("the suite is built in"));
    let source = suite.source(&SourceOptions::default()).expect("the default split exists");
    (0..count).map(|index| source.scenario(index)).collect()
}

/// Four issues of ten values each, both sides' weights and values drawn.
fn tables(count: u64) -> Vec<Scenario> {
    (0..count).map(table).collect()
}

fn table(index: u64) -> Scenario {
    let labels: Vec<Arc<str>> = (0..10).map(|value| format!("v{value}").into()).collect();
    let issues = (0..4).map(|issue| Issue {
        name: format!("issue{issue}").into(),
        role: IssueRole::Other,
        unit: "".into(),
        grid: Grid::Labels(labels.clone().into()),
    });
    let space = OutcomeSpace::new(issues.collect()).expect("the issues differ");
    let mut stream = StreamKey::new("bench", &[]).stream(index);
    let mut party = || {
        let mut utility = Utility::zero(&space);
        for issue in 0..4 {
            utility.table_mut(issue).iter_mut().for_each(|worth| *worth = 0.25 * stream.uniform());
        }
        PartyType::of_tables(&space, utility, 0.3)
    };
    let types = [party(), party()];
    let tactic = TimeDependent { exponent: 1.0, initial: 1.0, last: 0.1, selection: Selection::TakeOver };
    let counterpart =
        Counterpart::new("linear".into(), Tactic::TimeDependent(tactic), StreamKey::new("bench", &[]).lazy(1_000_000));
    let public = PublicScenario {
        name: "tables".into(),
        space: space.clone(),
        status_quo: None,
        rounds: 20,
        opener: Seat::Buyer,
        phases: PhaseBounds::default(),
        guardrails: None,
        hazard: 0.01,
        discount: [1.0; 2],
        prior: CommonPrior::Unknown,
        families: [].into(),
        speech: false,
    };
    Scenario {
        public,
        types,
        mandates: [Mandate::default(), Mandate::default()],
        principals: Default::default(),
        seat: Seat::Buyer,
        counterpart: Some(counterpart),
        break_off: None,
    }
}

/// The games before each own turn, as the solver's own play reaches them, with the solver as it stands there.
fn turns(scenarios: Vec<Scenario>) -> Vec<(Negotiation, Solver)> {
    let mut turns = Vec::new();
    for scenario in scenarios {
        let seat = scenario.seat;
        let mut bound = [false; 2];
        bound[seat.index()] = true;
        let mut game = Negotiation::new(Scenario { break_off: None, ..scenario }, bound);
        let mut solver = Solver::new(Variant::Full);
        solver.begin(StreamKey::new("bench", &[]).lazy(1_000_001));
        while game.outcome().is_none() {
            if game.turn() == seat {
                turns.push((game.clone(), solver.clone()));
                let decision = solver.decide(&game.view(seat));
                game.submit_decision(decision);
            } else if let Some((counterpart, view)) = game.counterpart() {
                let Reply { action, message } = counterpart.act(&view);
                game.submit(action, None, message);
            }
        }
    }
    turns
}

/// Decides in every turn, `rounds` times over, and prints how long that took.
fn measure(name: &str, scenarios: Vec<Scenario>, rounds: u32) {
    let turns = turns(scenarios);
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..rounds {
        for (game, solver) in &turns {
            let (mut solver, seat) = (solver.clone(), game.turn());
            let view = game.view(seat);
            let entered = Instant::now();
            let decision = solver.decide(&view);
            times.push(entered.elapsed());
            drop(std::hint::black_box(decision));
        }
    }
    times.sort_unstable();
    let at = |share: f64| 1000.0 * times[((share * times.len() as f64) as usize).min(times.len() - 1)].as_secs_f64();
    println!(
        "{name:<20} {:>5} {:>9} {:>8.2} {:>8.2} {:>8.2} {:>8.2}",
        turns.len(),
        times.len(),
        at(0.0),
        at(0.5),
        at(0.95),
        at(1.0)
    );
}

fn main() {
    // Under `cargo test` each turn once: it runs, no figure.
    let rounds = if std::env::args().any(|argument| argument == "--bench") { 20 } else { 1 };
    println!(
        "{:<20} {:>5} {:>9} {:>8} {:>8} {:>8} {:>8}",
        "ms", "turns", "decisions", "fastest", "median", "p95", "slowest"
    );
    measure("payment-terms-v1", suite("payment-terms-v1", 24), rounds);
    measure("procurement-v1", suite("procurement-v1", 24), rounds);
    measure("counterparts-v1", suite("counterparts-v1", 24), rounds);
    measure("talk-v1", suite("talk-v1", 24), rounds);
    measure("tables of 10,000", tables(8), rounds);
}
