//! Steps a second of the vectorised environment on one core, scenario generation included, and of a logged match beside it.
//!
//! `cargo bench -p zopa-envs --bench steps`

#[path = "../tests/drawn/mod.rs"]
mod drawn;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use drawn::Drawn;
use zopa_envs::environment::{Arrays, AutoresetMode};
use zopa_envs::{
    EnvironmentConfig, Intent, Negotiation, Reply, ScenarioSource, Seat, StreamKey, VectorEnvironment, intent,
};

fn main() {
    divan::main();
}

/// Vectors of actions that are played in turn.
const ROWS: usize = 61;

/// How often a policy takes each intent, in the order of [`Intent::ALL`].
const BARGAINING: [f64; 7] = [0.02, 0.45, 0.25, 0.22, 0.02, 0.03, 0.01];
const UNIFORM: [f64; 7] = [1.0; 7];

struct Play {
    environments: VectorEnvironment<Drawn>,
    arrays: Arrays,
    actions: Vec<Vec<i64>>,
    row: usize,
}

impl Play {
    fn new(n: usize, issues: usize, weights: [f64; 7]) -> Self {
        let source = Drawn::new(7, issues);
        let environments = VectorEnvironment::new(source, EnvironmentConfig::default(), n, AutoresetMode::SameStep)
            .expect("the drawn source fits");
        let arrays = environments.arrays();
        let mut stream = StreamKey::new("bench", &[]).stream(0);
        let actions =
            (0..ROWS).map(|_| (0..n).map(|_| stream.weighted(weights.into_iter()) as i64).collect()).collect();
        let mut play = Self { environments, arrays, actions, row: 0 };
        play.run(None);
        play
    }

    fn run(&mut self, steps: Option<usize>) -> usize {
        let mut buffers = self.arrays.buffers();
        let Some(steps) = steps else {
            self.environments.reset(Some(0), &mut buffers).expect("the drawn source fits");
            return 0;
        };
        let mut ended = 0;
        for _ in 0..steps {
            self.environments.step(&self.actions[self.row], &mut buffers).expect("the drawn source fits");
            self.row = (self.row + 1) % ROWS;
            ended += buffers.terminated.iter().filter(|&&ended| ended).count();
        }
        ended
    }
}

fn steps(bencher: Bencher<'_, '_>, n: usize, issues: usize, weights: [f64; 7]) {
    let mut play = Play::new(n, issues, weights);
    let steps = (65_536 / n).max(1);
    let ended = play.run(Some(steps));
    println!("  {n} environments: {:.1} steps an episode", (n * steps) as f64 / ended as f64);
    bencher.counter(ItemsCount::new(n * steps)).bench_local(|| black_box(play.run(Some(steps))));
}

#[divan::bench(args = [1, 64, 4096], sample_count = 50)]
fn bargaining_policy_two_issues(bencher: Bencher<'_, '_>, n: usize) {
    steps(bencher, n, 2, BARGAINING);
}

#[divan::bench(args = [1, 64, 4096], sample_count = 50)]
fn bargaining_policy_five_issues(bencher: Bencher<'_, '_>, n: usize) {
    steps(bencher, n, 5, BARGAINING);
}

#[divan::bench(args = [64], sample_count = 50)]
fn uniform_policy_five_issues(bencher: Bencher<'_, '_>, n: usize) {
    steps(bencher, n, 5, UNIFORM);
}

/// Scenarios generated in place a second.
#[divan::bench(args = [2, 5])]
fn scenario(bencher: Bencher<'_, '_>, issues: usize) {
    let source = Drawn::new(7, issues);
    let mut scenario = source.scenario(0);
    let mut index = 0;
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| {
        index += 1;
        source.refill(index, &mut scenario);
        black_box(&scenario);
    });
}

/// A whole match with its event log kept: the agent's turns a second, to be set beside the vector's steps.
#[divan::bench(args = [2, 5])]
fn logged_match(bencher: Bencher<'_, '_>, issues: usize) {
    let source = Drawn::new(7, issues);
    let mut stream = StreamKey::new("bench", &[]).stream(0);
    let intents: Vec<usize> = (0..4_096).map(|_| stream.weighted(BARGAINING.into_iter())).collect();
    let (matches, mut turns) = (1_000_u64, 0_usize);
    let mut play = || {
        turns = 0;
        for index in 0..matches {
            let scenario = source.scenario(index);
            let seat = scenario.seat;
            let mut game = Negotiation::new(scenario, [seat == Seat::Buyer, seat == Seat::Supplier]).logged();
            while game.outcome().is_none() {
                if game.turn() == seat {
                    let intent = Intent::ALL[intents[turns % intents.len()]];
                    let action = intent::realise(intent, &game.view(seat));
                    game.submit(action, Some(intent), None);
                    turns += 1;
                } else if let Some((counterpart, view)) = game.counterpart() {
                    let Reply { action, message } = counterpart.act(&view);
                    game.submit(action, None, message);
                }
            }
            black_box(game.log());
        }
        turns
    };
    let turns = play();
    bencher.counter(ItemsCount::new(turns)).bench_local(|| black_box(play()));
}
