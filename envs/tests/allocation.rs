//! A step of the vectorised environment, resets included, allocates nothing.

#![expect(unsafe_code, reason = "a global allocator that counts can only be written so")]

mod drawn;

use drawn::Drawn;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use zopa_envs::StreamKey;
use zopa_envs::environment::{AutoresetMode, EnvironmentConfig, VectorEnvironment};

struct Counting;

thread_local! {
    /// Of this thread: the test runner's own allocates when it likes.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // A thread that ends has no counter any more, and nobody reads it.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as the caller promised.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn stepping_and_resetting_allocate_nothing() {
    for mode in [AutoresetMode::SameStep, AutoresetMode::NextStep] {
        let n = 64;
        let mut source = Drawn::new(2, 5);
        source.rounds = [20, 20];
        let mut vector = VectorEnvironment::new(source, EnvironmentConfig::default(), n, mode).unwrap();
        let mut arrays = vector.arrays();
        let mut buffers = arrays.buffers();
        vector.reset(Some(0), &mut buffers).unwrap();
        let mut stream = StreamKey::new("test", &[]).stream(0);
        let weights = [0.1, 0.4, 0.2, 0.2, 0.03, 0.05, 0.02];
        let actions: Vec<Vec<i64>> =
            (0..400).map(|_| (0..n).map(|_| stream.weighted(weights.into_iter()) as i64).collect()).collect();
        let before = ALLOCATIONS.get();
        let mut ended = 0;
        for row in &actions {
            vector.step(row, &mut buffers).unwrap();
            ended += buffers.terminated.iter().filter(|&&ended| ended).count();
        }
        assert!(ended > 1_000, "{ended} games ended");
        assert_eq!(ALLOCATIONS.get(), before);
    }
}
