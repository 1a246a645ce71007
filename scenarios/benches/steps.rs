//! Steps a second of the vectorised environment over shipped suites: every rule on, observation, mask and reward written, and a
//! newly drawn scenario at every reset. Choosing the actions is not counted; everything that `step` does is.
//!
//! `cargo bench -p zopa-scenarios --bench steps` plays all combinations. To choose:
//! `... --bench steps -- [suite=procurement-v1] [n=64] [policy=random|script] [threads=2] [steps=1000000] [windows=20]`.

#![expect(unsafe_code, reason = "a global allocator that counts bytes can only be written so")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use zopa_envs::environment::{Arrays, AutoresetMode, EnvironmentConfig, VectorEnvironment, VectorSlice};
use zopa_envs::{Intent, StreamKey};
use zopa_scenarios::{SourceOptions, Suite, SuiteSource};

struct Counting;

static BYTES: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// The suites of negotiations against counterparts.
const SUITES: [&str; 7] = [
    "payment-terms-v1",
    "procurement-v1",
    "generalisation-v1",
    "counterparts-v1",
    "talk-v1",
    "mandate-v1",
    "repeated-v1",
];

/// How actions are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Policy {
    /// Each legal intent with the same chance.
    Random,
    /// Opens high, concedes and probes in turn, and accepts what is worth the own last offer.
    Script,
}

/// The caller's arrays for some environments, and its numbers of the actions to take.
struct Caller {
    arrays: Arrays,
    actions: Vec<i64>,
    d: usize,
    /// Numbers drawn beforehand.
    drawn: Vec<u8>,
    at: usize,
}

/// Where the observation holds what the script looks at.
struct Places {
    own_made: usize,
    own: usize,
    standing_made: usize,
    standing: usize,
}

impl Places {
    fn of(environments: &VectorEnvironment<SuiteSource>) -> Self {
        let entries = &environments.observation_spec().entries;
        let place = |name: &str| entries.iter().position(|entry| &*entry.name == name).expect("the entry exists");
        Self {
            own_made: place("own offer made"),
            own: place("own last gain"),
            standing_made: place("standing offer"),
            standing: place("standing gain"),
        }
    }
}

impl Caller {
    fn new(environments: &VectorEnvironment<SuiteSource>, n: usize) -> Self {
        let (d, m) = (environments.observation_spec().width(), environments.action_space().mask_width());
        let mut stream = StreamKey::new("bench", &[]).stream(n as u64);
        Self {
            arrays: Arrays::zeros(n, d, m),
            actions: vec![0; n],
            d,
            drawn: (0..65_521).map(|_| stream.below(210) as u8).collect(),
            at: 0,
        }
    }

    fn choose(&mut self, policy: Policy, places: &Places) {
        let (d, m) = (self.d, Intent::ALL.len());
        for (k, action) in self.actions.iter_mut().enumerate() {
            self.at = if self.at + 1 == self.drawn.len() { 0 } else { self.at + 1 };
            let drawn = usize::from(self.drawn[self.at]);
            let observation = &self.arrays.observations[k * d..][..d];
            let chosen = match policy {
                Policy::Random => {
                    let mask = &self.arrays.masks[k * m..][..m];
                    let mut left = drawn % mask.iter().filter(|&&legal| legal).count();
                    let legal = (0..m).filter(|&intent| mask[intent]);
                    let mut chosen = 0;
                    for intent in legal {
                        chosen = intent;
                        if left == 0 {
                            break;
                        }
                        left -= 1;
                    }
                    Intent::ALL[chosen]
                }
                Policy::Script if observation[places.own_made] == 0.0 => Intent::OpenAnchor,
                Policy::Script
                    if observation[places.standing_made] > 0.0
                        && observation[places.standing] >= observation[places.own] =>
                {
                    Intent::Accept
                }
                Policy::Script => {
                    [Intent::ConcedeSmall, Intent::ExploreZopa, Intent::ConcedeSmall, Intent::HoldFirm][drawn % 4]
                }
            };
            *action = chosen as i64;
        }
    }
}

/// Steps `slice` until `steps` were made; tells the time spent in `step` and the episodes ended.
fn play(
    slice: &mut VectorSlice<'_, SuiteSource>,
    caller: &mut Caller,
    policy: Policy,
    places: &Places,
    steps: usize,
) -> (Duration, usize) {
    let (mut spent, mut ended) = (Duration::ZERO, 0);
    for _ in 0..steps.div_ceil(slice.len()) {
        caller.choose(policy, places);
        let actions = std::mem::take(&mut caller.actions);
        let start = Instant::now();
        slice.step(&actions, &mut caller.arrays.buffers()).expect("the suite's scenarios have counterparts");
        spent += start.elapsed();
        caller.actions = actions;
        ended += caller.arrays.terminated.iter().filter(|&&ended| ended).count();
    }
    (spent, ended)
}

/// What is measured.
struct Setup {
    suite: String,
    n: usize,
    policy: Policy,
    threads: usize,
    steps: usize,
    windows: usize,
}

fn measure(setup: &Setup) {
    let Setup { suite, n, policy, threads, steps, windows } = setup;
    let suite = Arc::new(Suite::open(suite).expect("the suite is built in"));
    let options = SourceOptions { split: Some("train".into()), ..SourceOptions::default() };
    let before = BYTES.load(Ordering::Relaxed);
    let source = suite.source(&options).expect("the split exists");
    let mut environments = VectorEnvironment::new(source, EnvironmentConfig::default(), *n, AutoresetMode::SameStep)
        .expect("it has counterparts");
    let places = Places::of(&environments);
    let share = n / threads;
    let made_for = BYTES.load(Ordering::Relaxed);
    let mut callers: Vec<Caller> = (0..*threads).map(|_| Caller::new(&environments, share)).collect();
    let made_for_callers = BYTES.load(Ordering::Relaxed) - made_for;
    let mut results = vec![(Vec::new(), 0_usize, Duration::ZERO); *threads];
    {
        let mut rest = environments.as_slice_mut();
        let mut slices = Vec::new();
        for _ in 1..*threads {
            let (first, others) = rest.split_at_mut(share);
            slices.push(first);
            rest = others;
        }
        slices.push(rest);
        std::thread::scope(|scope| {
            for ((mut slice, caller), result) in slices.into_iter().zip(&mut callers).zip(&mut results) {
                let places = &places;
                scope.spawn(move || {
                    slice.reset(Some(0), None, &mut caller.arrays.buffers()).expect("it has counterparts");
                    // Once through every length of negotiation, so that memory has grown to its final size.
                    let warming = (40 * slice.len()).max(steps / 10);
                    play(&mut slice, caller, *policy, places, warming);
                    for _ in 0..*windows {
                        let (spent, ended) = play(&mut slice, caller, *policy, places, steps / windows);
                        let made = (steps / windows).div_ceil(slice.len()) * slice.len();
                        result.0.push(made as f64 / spent.as_secs_f64());
                        result.1 += ended;
                        result.2 += spent;
                    }
                });
            }
        });
    }
    let bytes = BYTES.load(Ordering::Relaxed).saturating_sub(before + made_for_callers) as f64 / *n as f64;
    let made = windows * (steps / windows).div_ceil(share) * share * threads;
    let ended: usize = results.iter().map(|(_, ended, _)| ended).sum();
    // Threads' best windows need not have been the same moment: of several, the whole run says what they did together.
    let slowest = results.iter().map(|(.., spent)| *spent).max().unwrap_or_default();
    let whole = made as f64 / slowest.as_secs_f64();
    let (mut best, mut median) = (0.0, 0.0);
    for (rates, ..) in &mut results {
        rates.sort_by(f64::total_cmp);
        best += rates[rates.len() - 1];
        median += rates[rates.len() / 2];
    }
    println!(
        "{:<17} {:?} n={n:<5} threads={threads} best {:>6.2} M/s, median {:>6.2} M/s, whole run {:>6.2} M/s, {:>5.2} steps an episode, {bytes:.0} bytes an environment",
        suite.name(),
        policy,
        best / 1e6,
        median / 1e6,
        whole / 1e6,
        made as f64 / ended as f64,
    );
}

fn main() {
    let chosen: Vec<(String, String)> = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned())))
        .collect();
    let of = |key: &str| chosen.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone());
    let number = |key: &str, usual: usize| of(key).map_or(usual, |value| value.parse().expect("a number"));
    let suites = of("suite").map_or_else(|| SUITES.map(str::to_owned).to_vec(), |suite| vec![suite]);
    let sizes = of("n").map_or_else(|| vec![64, 1_024, 4_096], |n| vec![n.parse().expect("a number")]);
    let policies = match of("policy").as_deref() {
        Some("random") => vec![Policy::Random],
        Some("script") => vec![Policy::Script],
        _ => vec![Policy::Random, Policy::Script],
    };
    for suite in &suites {
        for &policy in &policies {
            for &n in &sizes {
                let (threads, windows) = (number("threads", 1), number("windows", 20));
                measure(&Setup {
                    suite: suite.clone(),
                    n,
                    policy,
                    threads,
                    steps: number("steps", 2_000_000),
                    windows,
                });
            }
        }
    }
}
