//! Playing shipped suites allocates nothing: steps of the vectorised environment once every environment has met every family,
//! and moves of the division game once every pool has been met; starting over included.

#![expect(unsafe_code, reason = "a global allocator that counts can only be written so")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;
use zopa_envs::environment::{AutoresetMode, Buffers, EnvironmentConfig, VectorEnvironment};
use zopa_envs::{DivisionGame, DivisionRules, StreamKey};
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

#[test]
fn steps_over_a_shipped_suite_allocate_nothing() {
    let suite = Arc::new(Suite::open("procurement-v1").expect("the suite is built in"));
    let source = suite.source(&SourceOptions::default()).expect("the default split exists");
    let n = 8;
    let mut vector = VectorEnvironment::new(source, EnvironmentConfig::default(), n, AutoresetMode::SameStep)
        .expect("the suite's scenarios have counterparts");
    let (d, m) = (vector.observation_spec().width(), vector.action_space().mask_width());
    let (mut observations, mut finals) = (vec![0.0; n * d], vec![0.0; n * d]);
    let (mut rewards, mut terminated, mut truncated) = (vec![0.0; n], vec![false; n], vec![false; n]);
    let mut masks = vec![false; n * m];
    let mut buffers = Buffers {
        observations: &mut observations,
        rewards: &mut rewards,
        terminated: &mut terminated,
        truncated: &mut truncated,
        masks: &mut masks,
        final_observations: &mut finals,
    };
    vector.reset(Some(0), &mut buffers).expect("the suite's scenarios have counterparts");
    let mut stream = StreamKey::new("test", &[]).stream(0);
    let weights = [0.05, 0.5, 0.2, 0.2, 0.02, 0.02, 0.01];
    let actions: Vec<Vec<i64>> =
        (0..4_000).map(|_| (0..n).map(|_| stream.weighted(weights.into_iter()) as i64).collect()).collect();
    let mut before = 0;
    let mut ended = 0;
    for (step, row) in actions.iter().enumerate() {
        if step == 2_500 {
            before = allocations();
        }
        vector.step(row, &mut buffers).expect("the suite's scenarios have counterparts");
        ended += usize::from(step >= 2_500) * buffers.terminated.iter().filter(|&&ended| ended).count();
    }
    assert_eq!(allocations(), before);
    assert!(ended > 300, "{ended} games ended");
}
