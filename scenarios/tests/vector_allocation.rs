//! Playing shipped suites allocates nothing: steps of the vectorised environment once every environment has met every family,
//! and moves of the division game once every pool has been met; starting over included.

#![expect(unsafe_code, reason = "a global allocator that counts can only be written so")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;
use zopa_envs::environment::{ActionLevel, AutoresetMode, EnvironmentConfig, VectorEnvironment};
use zopa_envs::{DivisionGame, DivisionRules, Stream, StreamKey};
use zopa_scenarios::{SourceOptions, Suite};

struct Counting;

thread_local! {
    /// Of this thread, so that tests do not count each other's.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn allocations() -> u64 {
    ALLOCATIONS.with(Cell::get)
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that ends has no counter any more, and nobody reads it.
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn random_play_of_the_division_game_allocates_nothing() {
    let suite = Suite::open("deal-or-no-deal-v1").expect("the suite is built in");
    let instances = suite.instances().expect("it divides pools");
    let mut stream = StreamKey::new("test", &[]).stream(0);
    let mut game = DivisionGame::new(&instances.draw(&mut stream), DivisionRules::default()).expect("a good instance");
    let mut before = 0;
    for index in 0..4_000 {
        if index == 2_000 {
            before = allocations();
        }
        let (pool, values) = instances.draw_numbers(&mut stream);
        game.restart(pool, values).expect("a good instance");
        while !game.is_over() {
            game.make_legal(stream.below(game.legal_count())).expect("a legal move");
        }
    }
    assert_eq!(allocations(), before);
}

/// Plays a split until every environment has met every family, and on: the allocations of the second part and its ended games.
fn play_on(suite: &Arc<Suite>, split: &str, level: ActionLevel) -> (u64, usize) {
    const N: usize = 8;
    let options = SourceOptions { split: Some(split.into()), ..SourceOptions::default() };
    let source = suite.source(&options).expect("the split exists");
    let config = EnvironmentConfig { level, ..EnvironmentConfig::default() };
    let mut vector = VectorEnvironment::new(source, config, N, AutoresetMode::SameStep)
        .expect("the suite's scenarios have counterparts");
    let mut arrays = vector.arrays();
    let mut buffers = arrays.buffers();
    vector.reset(Some(0), &mut buffers).expect("the suite's scenarios have counterparts");
    let mut stream = StreamKey::new("test", &[]).stream(0);
    let weights: &[f64] = match level {
        ActionLevel::Intents => &[0.05, 0.5, 0.2, 0.2, 0.02, 0.02, 0.01],
        _ => &[0.93, 0.05, 0.02],
    };
    let sizes: Vec<u64> = vector.action_space().components[1..].iter().map(|part| u64::from(part.size)).collect();
    let mut draw = || {
        let row = |stream: &mut Stream| {
            let first = stream.weighted(weights.iter().copied()) as i64;
            std::iter::once(first).chain(sizes.iter().map(|&size| stream.below(size) as i64)).collect::<Vec<_>>()
        };
        (0..N).flat_map(|_| row(&mut stream)).collect::<Vec<_>>()
    };
    let actions: Vec<Vec<i64>> = (0..4_000).map(|_| draw()).collect();
    let (mut before, mut ended) = (0, 0);
    for (step, row) in actions.iter().enumerate() {
        if step == 2_500 {
            before = allocations();
        }
        vector.step(row, &mut buffers).expect("the suite's scenarios have counterparts");
        ended += usize::from(step >= 2_500) * buffers.terminated.iter().filter(|&&ended| ended).count();
    }
    (allocations() - before, ended)
}

#[test]
fn steps_over_shipped_suites_allocate_nothing_where_no_mandate_is_drawn_and_no_contract_follows() {
    for name in ["payment-terms-v1", "procurement-v1", "generalisation-v1", "counterparts-v1", "talk-v1"] {
        let suite = Arc::new(Suite::open(name).expect("the suite is built in"));
        for split in suite.splits().keys() {
            for level in [ActionLevel::Intents, ActionLevel::Offers] {
                let (allocated, ended) = play_on(&suite, split, level);
                assert_eq!(allocated, 0, "{name} {split} {level:?}: {ended} games ended");
                assert!(ended > 300, "{name} {split} {level:?}: {ended} games ended");
            }
        }
    }
}
