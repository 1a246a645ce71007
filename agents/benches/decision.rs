//! How long a decision of the solver takes.
//!
//! `procurement` and `payment` decide in the suites' own spaces (7.4 million and 190,000 outcomes); `tables` in a space of
//! 10,000 packages without a price, where the frontier is walked through. Each sample is one decision at some turn of a
//! negotiation against a conceding counterpart, the first one of a negotiation included.

use std::sync::Arc;
use zopa_agents::agent::Agent;
use zopa_agents::solver::{Solver, Variant};
use zopa_envs::random::StreamKey;
use zopa_envs::tactic::{Selection, TimeDependent};
use zopa_envs::{
    CommonPrior, Counterpart, Grid, Issue, IssueRole, Mandate, Negotiation, OutcomeSpace, PartyType, PhaseBounds,
    PublicScenario, Reply, Scenario, ScenarioSource, Seat, Tactic, Utility,
};
use zopa_scenarios::{SourceOptions, Suite};

fn main() {
    divan::main();
}

fn suite(name: &str) -> Vec<Scenario> {
    let suite = Arc::new(Suite::open(name).expect("the suite is built in"));
    let source = suite.source(&SourceOptions::default()).expect("the default split exists");
    (0..8).map(|index| source.scenario(index)).collect()
}

/// Four issues of ten values each, both sides' weights and values drawn.
fn tables() -> Vec<Scenario> {
    let labels: Vec<Arc<str>> = (0..10).map(|value| format!("v{value}").into()).collect();
    let issues = (0..4).map(|issue| Issue {
        name: format!("issue{issue}").into(),
        role: IssueRole::Other,
        unit: "".into(),
        grid: Grid::Labels(labels.clone().into()),
    });
    let space = OutcomeSpace::new(issues.collect()).expect("the issues differ");
    let mut stream = StreamKey::new("bench", &[]).stream(0);
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
        Counterpart::new("linear".into(), Tactic::TimeDependent(tactic), StreamKey::new("bench", &[]).lazy(1));
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
    vec![Scenario {
        public,
        types,
        mandates: [Mandate::default(), Mandate::default()],
        principals: Default::default(),
        seat: Seat::Buyer,
        counterpart: Some(counterpart),
        break_off: None,
    }]
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
        solver.begin(StreamKey::new("bench", &[]).lazy(2));
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

fn decide(bencher: divan::Bencher<'_, '_>, scenarios: Vec<Scenario>) {
    let turns = turns(scenarios);
    let mut next = 0;
    bencher
        .with_inputs(|| {
            next = (next + 1) % turns.len();
            turns[next].clone()
        })
        .bench_local_values(|(game, mut solver)| {
            let seat = game.turn();
            solver.decide(&game.view(seat))
        });
}

#[divan::bench(sample_count = 1000, sample_size = 1)]
fn procurement(bencher: divan::Bencher<'_, '_>) {
    decide(bencher, suite("procurement-v1"));
}

#[divan::bench(sample_count = 1000, sample_size = 1)]
fn payment(bencher: divan::Bencher<'_, '_>) {
    decide(bencher, suite("payment-terms-v1"));
}

#[divan::bench(sample_count = 1000, sample_size = 1)]
fn tables_of_10000(bencher: divan::Bencher<'_, '_>) {
    decide(bencher, tables());
}
