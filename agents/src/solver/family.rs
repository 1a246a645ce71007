//! The families that contenders are told of, as hypotheses; and the generic one that needs no library.

use super::mind::{Manner, Steer};
use zopa_envs::counterpart::Ear;
use zopa_envs::tactic::Selection;
use zopa_envs::{Distribution, FamilyNotice, Stream};

/// Hypotheses over all published families together.
const LIBRARY: f64 = 112.0;
/// Hypotheses at least a family.
const LEAST: usize = 3;
/// Private deadlines that a family's hypotheses are spread over, at most.
const DEADLINES: usize = 7;
/// Steps of a Kronecker sequence that fills a box of seven sides evenly: powers of the positive root of `x^8 = x + 1`.
const EVEN: [f64; 7] = [0.911_592, 0.831_001, 0.757_534, 0.690_562, 0.629_511, 0.573_857, 0.523_124];
/// Hypotheses of the generic model beside a library, and alone.
const GENERIC: [usize; 2] = [24, 96];
/// The weight of the generic model beside a library: that a family is new.
const NOVEL: f64 = 0.15;
/// How exactly library families offer what their formula says, in units: grids round.
const EXACT: f64 = 5.2e-4;
/// The same for families some of whose numbers are drawn and not learnt: what steers a course.
const DRAWN: f64 = 2.1e-3;
/// The same for courses that react: a clock that was driven a little differently stays apart.
const REACTING: f64 = 4.3e-3;
/// How loosely the generic model describes a counterpart, in units.
const LOOSE: f64 = 5.2e-3;

/// The chance that a counterpart of the generic model leaves after a deadline of its own, where the negotiation cannot break off and
/// where it can.
const LEAVING: [f64; 2] = [0.15, 0.5];

/// What hypotheses depend on besides the families.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) rounds: u16,
    /// Whether there is a price.
    pub(super) money: bool,
    /// Whether a hazard was published.
    pub(super) breaks_off: bool,
}

/// The name that beliefs and words give to the generic model.
pub(super) const GENERIC_NAME: &str = "other";

/// A normal prior of one number of behaviour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    pub(super) mean: f64,
    pub(super) variance: f64,
}

impl Moments {
    fn of(distribution: &Distribution) -> Self {
        Self::over(distribution, 0.0, 1.0, |value| value)
    }

    /// Mean and variance of `map` of what is drawn between two of its quantiles.
    fn over(distribution: &Distribution, from: f64, to: f64, map: impl Fn(f64) -> f64) -> Self {
        const POINTS: u32 = 16;
        let points = (0..POINTS).map(|point| {
            let place = (f64::from(point) + 0.5) / f64::from(POINTS);
            map(distribution.quantile(from + (to - from) * place))
        });
        let (sum, squares) = points.fold((0.0, 0.0), |(sum, squares), x| (sum + x, squares + x * x));
        let mean = sum / f64::from(POINTS);
        Self { mean, variance: (squares / f64::from(POINTS) - mean * mean).max(1e-10) }
    }
}

/// How a speaker's words are to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Candour {
    /// Says nothing but its terms.
    Silent,
    /// Says what is true.
    True,
    /// Says what is false.
    False,
    /// Says truly how far apart the sides are, and shows feeling.
    Feeling,
    /// Nobody knows.
    Unknown,
}

/// A hypothesis before anything was seen.
#[derive(Clone, Debug)]
pub(super) struct Seed {
    /// Position among the published families; `None` for the generic model.
    pub(super) family: Option<usize>,
    pub(super) weight: f64,
    pub(super) manner: Manner,
    pub(super) selection: Option<Selection>,
    pub(super) deadline: Option<u16>,
    pub(super) candour: Candour,
    pub(super) initial: Moments,
    pub(super) last: Moments,
    pub(super) log_exponent: Moments,
    /// Standard deviation of its offers around its formula, in units.
    pub(super) noise: f64,
    /// Standard deviation of its first aspiration's drift a turn.
    pub(super) drift: f64,
}

/// All hypotheses: the library's and the generic model's, or the latter's alone. `only` keeps to one family.
pub(super) fn seeds(
    families: &[FamilyNotice],
    library: bool,
    only: Option<usize>,
    setting: Setting,
    stream: &mut Stream,
) -> Vec<Seed> {
    let mut seeds = Vec::new();
    let known = |index: &usize| only.is_none_or(|only| only == *index);
    if library {
        let total: f64 = (0..families.len()).filter(known).map(|index| families[index].share).sum();
        for index in (0..families.len()).filter(known) {
            let share = families[index].share / total.max(1e-12);
            let mut count = ((share * LIBRARY + 0.5) as usize).max(LEAST);
            if count > DEADLINES && families[index].numbers.parameter("deadline").is_some() {
                count -= count % DEADLINES;
            }
            let shifts = std::array::from_fn(|_| stream.uniform());
            for place in 0..count {
                if let Some(seed) = of_family(index, &families[index], place, count, &shifts) {
                    seeds.push(Seed { weight: share / count as f64, ..seed });
                }
            }
        }
    }
    let beside = !seeds.is_empty();
    if only.is_some() && beside {
        return seeds;
    }
    let (count, weight) = if beside { (GENERIC[0], NOVEL) } else { (GENERIC[1], 1.0) };
    for seed in &mut seeds {
        seed.weight *= 1.0 - weight;
    }
    for place in 0..count {
        let seed = generic(place, count, setting, stream);
        seeds.push(Seed { weight: weight / count as f64, ..seed });
    }
    seeds
}

/// Hypothesis `place` of `count` of a family: its concession exponent within one of equal parts of the probability, its private
/// deadline one of as many as there are, and other numbers that the state does not hold spread evenly over what is
/// published.
fn of_family(
    index: usize,
    notice: &FamilyNotice,
    place: usize,
    count: usize,
    shifts: &[f64; EVEN.len()],
) -> Option<Seed> {
    let numbers = &notice.numbers;
    let mut side = 0;
    let mut within = |name: &str| {
        let at = shifts[side % EVEN.len()] + (place + 1) as f64 * EVEN[side % EVEN.len()];
        side += 1;
        numbers.parameter(name).map(|distribution| distribution.quantile(at - libm::floor(at)))
    };
    let private = numbers.parameter("deadline").map(|deadline| (deadline, count.min(DEADLINES)));
    let (part, parts) = private.map_or((place, count), |(_, some)| (place / some, count.div_ceil(some)));
    let range = [part as f64 / parts as f64, (part + 1) as f64 / parts as f64];
    let whole = |number: f64| (number + 0.5) as usize;
    let manner = match &*numbers.does {
        "time_dependent" => Manner::Clock,
        "hardliner" => Manner::Firm,
        "relative_tit_for_tat" => Manner::Relative(whole(within("lag")?)),
        "absolute_tit_for_tat" => Manner::Absolute(whole(within("lag")?)),
        "averaged_tit_for_tat" => Manner::Averaged(whole(within("window")?)),
        "micro" => Manner::Rungs,
        "random" => Manner::Random(within("least")?),
        does => {
            let (standstill, pace) = (within("standstill")?, within("pace")?);
            let mut listening = |ear| {
                Some(Steer::Listening {
                    ear,
                    fastest: within("fastest")?,
                    slowest: within("slowest")?,
                    shift: within("shift")?,
                    memory: within("memory")?,
                })
            };
            let steer = match does {
                "steady" => Steer::Steady,
                "reasoned" => listening(Ear::Reasoned)?,
                "reciprocal" => listening(Ear::Reciprocal)?,
                "suspicious" => listening(Ear::Suspicious)?,
                "strategic" => Steer::Strategic {
                    expected: within("expected")?,
                    sensitivity: within("sensitivity")?,
                    tolerance: whole(within("tolerance")?) as u16,
                },
                "stochastic" => Steer::Stochastic { take: within("take")? },
                "patient" => Steer::Patient { hold: within("hold")? },
                "reneging" => Steer::Reneging { chance: within("chance")?, retreat: within("retreat")? },
                "desperate" => Steer::Desperate { impatience: within("impatience")? },
                _ => return None,
            };
            Manner::Course { standstill, pace, steer }
        }
    };
    let moments = |name: &str| numbers.parameter(name).map(Moments::of);
    let initial = moments("initial").or_else(|| moments("demand")).unwrap_or(Moments { mean: 0.05, variance: 1e-4 });
    let log_exponent = numbers
        .parameter("exponent")
        .map_or(Moments { mean: 0.0, variance: 1e-10 }, |drawn| Moments::over(drawn, range[0], range[1], libm::log));
    // A ladder has no exponent: its rung stands in its place.
    let log_exponent = match (&manner, numbers.parameter("rung")) {
        (Manner::Rungs, Some(rung)) => Moments::over(rung, range[0], range[1], |rung| rung),
        _ => log_exponent,
    };
    let candour = match &*numbers.says {
        "taciturn" => Candour::Silent,
        "candid" => Candour::True,
        "adversarial" | "bluffing" => Candour::False,
        "expressive" => Candour::Feeling,
        _ => Candour::Unknown,
    };
    let deadline = private.map(|(deadline, some)| {
        let at = ((place % some) as f64 + 0.5) / some as f64;
        whole(deadline.quantile(at)) as u16
    });
    let noise = match &manner {
        Manner::Course { steer: Steer::Steady | Steer::Stochastic { .. } | Steer::Desperate { .. }, .. } => DRAWN,
        Manner::Course { .. } => REACTING,
        _ => EXACT,
    };
    Some(Seed {
        family: Some(index),
        weight: 0.0,
        manner,
        selection: numbers.selection,
        deadline,
        candour,
        initial,
        last: moments("last").unwrap_or(initial),
        log_exponent,
        noise,
        drift: if noise > EXACT { 0.23 * noise } else { 0.0 },
    })
}

/// Some concession from a first demand down to a last one, in no family's shape: what holds of any counterpart that wants a
/// deal, spread widely.
fn generic(place: usize, count: usize, setting: Setting, stream: &mut Stream) -> Seed {
    let Setting { rounds, money, breaks_off } = setting;
    let exponents = Distribution::LogUniform { low: 0.12, high: 6.0 };
    let range = [place as f64 / count as f64, (place + 1) as f64 / count as f64];
    let clocked = stream.bernoulli(0.5);
    let manner = Manner::Generic {
        standstill: if clocked { 1.0 } else { stream.uniform() },
        pace: Distribution::LogUniform { low: 0.0005, high: 0.02 }.quantile(stream.uniform()),
        imitation: if stream.bernoulli(0.35) { stream.uniform() } else { 0.0 },
        leniency: if stream.bernoulli(0.2) { stream.uniform_in(0.5, 1.0) } else { 1.0 },
    };
    let leaves = stream.bernoulli(if breaks_off { LEAVING[1] } else { LEAVING[0] });
    let earliest = 0.4 * f64::from(rounds);
    let deadline = stream.uniform_in(earliest, f64::from(rounds)).max(1.0) as u16;
    // In money: at most a quarter of a reservation price is demanded; tables: all there is.
    let (initial, last) = if money {
        (Distribution::Uniform { low: 0.01, high: 0.25 }, Distribution::Uniform { low: 0.0, high: 0.02 })
    } else {
        (Distribution::Uniform { low: 0.7, high: 1.1 }, Distribution::Uniform { low: 0.0, high: 0.4 })
    };
    Seed {
        family: None,
        weight: 0.0,
        manner,
        selection: Some(if stream.bernoulli(0.5) { Selection::TakeOver } else { Selection::OwnBest }),
        deadline: leaves.then_some(deadline),
        candour: Candour::Unknown,
        initial: Moments::of(&initial),
        last: Moments::of(&last),
        log_exponent: Moments::over(&exponents, range[0], range[1], libm::log),
        noise: if money { LOOSE } else { 5.0 * LOOSE },
        drift: 0.58 * LOOSE,
    }
}
