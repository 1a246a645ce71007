//! Plays pairs of the field's scripted tactics over 100 rounds in domain folders, for comparison with other platforms.
//!
//! `scripted_pairs --tables FOLDER..` prints each domain's issues, values and additive tables, for another platform to play the
//! same utilities. `scripted_pairs [--seconds S] FOLDER..` prints one JSON object a folder and pair. Tactics aspire to all there is at first and
//! to their reservation value at last; exponents are NegMAS's 4, 1 and 1/4 in GENIUS's convention. With `--seconds` each
//! pair is also played over and over for S seconds on one thread, twice: `ready` with the outcomes sorted once for the
//! domain, as every arena of zopa does it, and `anew` with the domain made ready anew for every negotiation, as a
//! platform does that builds its parties for each. Rates are negotiations a second, by the clock and by this process's processor
//! time.

mod processor;

use processor::processor_time;
use serde::Serialize;
use std::convert::Infallible;
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};
use zopa_envs::tactic::{Micro, Selection, TimeDependent};
use zopa_envs::{LazyStream, Negotiation, OutcomeOrder, StreamKey, Tactic};
use zopa_scenarios::import::DEFAULT_ROUNDS;
use zopa_scenarios::{Domain, read_domain};

const PAIRS: [[&str; 2]; 7] = [
    ["boulware", "boulware"],
    ["linear", "linear"],
    ["conceder", "conceder"],
    ["boulware", "conceder"],
    ["conceder", "boulware"],
    ["boulware", "linear"],
    ["micro", "micro"],
];

#[derive(Serialize)]
struct Played {
    domain: String,
    profiles: [String; 2],
    pair: String,
    /// Values of the agreed package in the domain's order of issues; nothing without a deal.
    agreement: Option<Vec<String>>,
    /// Utilities, reservation values without a deal.
    utilities: [f64; 2],
    /// The round of the last move, from 0.
    step: u16,
    /// Outcomes that leave each side at least its reservation value.
    rational: [usize; 2],
    /// With the domain made ready once.
    #[serde(skip_serializing_if = "Option::is_none")]
    ready: Option<Rate>,
    /// With the domain made ready for every negotiation.
    #[serde(skip_serializing_if = "Option::is_none")]
    anew: Option<Rate>,
}

/// Negotiations a second.
#[derive(Serialize)]
struct Rate {
    /// By the clock.
    second: f64,
    /// By this process's processor time, where the system tells it.
    processor_second: Option<f64>,
}

/// A domain as another platform can rebuild it.
#[derive(Serialize)]
struct Tables {
    domain: String,
    issues: Vec<String>,
    values: Vec<Vec<String>>,
    /// Worth of each value of each issue, to the first profile and the second.
    tables: [Vec<Vec<f64>>; 2],
    reservation: [f64; 2],
    discount: [f64; 2],
    /// Utilities of all outcomes, the last issue's value varying fastest; left out where there are more than [`MOST_LISTED`].
    #[serde(skip_serializing_if = "Option::is_none")]
    utilities: Option<Vec<[f64; 2]>>,
}

/// Outcomes whose utilities are listed.
const MOST_LISTED: u128 = 10_000;

impl Tables {
    fn of(domain: &Domain) -> Self {
        let issues = domain.space.issues();
        let tables = domain
            .profiles
            .each_ref()
            .map(|profile| (0..issues.len()).map(|issue| profile.utility.table(issue).to_vec()).collect());
        Self {
            domain: domain.name.to_string(),
            issues: issues.iter().map(|issue| issue.name.to_string()).collect(),
            values: issues.iter().map(|issue| (0..issue.len()).map(|value| issue.text(value)).collect()).collect(),
            tables,
            reservation: domain.profiles.each_ref().map(|profile| profile.reservation),
            discount: domain.profiles.each_ref().map(|profile| profile.discount),
            utilities: (domain.space.size() <= MOST_LISTED).then(|| {
                let pair = |offer| domain.profiles.each_ref().map(|profile| profile.utility.of(&offer));
                domain.space.outcomes().map(pair).collect()
            }),
        }
    }
}

fn tactic(name: &str) -> Tactic {
    let exponent = match name {
        "boulware" => 0.25,
        "conceder" => 4.0,
        "linear" => TimeDependent::LINEAR,
        _ => return Tactic::Micro(Micro::new(1.0, 0.0, 0.01, Selection::OwnBest)),
    };
    Tactic::TimeDependent(TimeDependent { exponent, initial: 1.0, last: 0.0, selection: Selection::OwnBest })
}

/// The first profile opens, as the first party does elsewhere.
fn negotiation(domain: &Domain) -> Negotiation {
    Negotiation::new(domain.scenario(DEFAULT_ROUNDS), [false; 2])
}

fn play(negotiation: &mut Negotiation, pair: [&str; 2], streams: &mut [LazyStream; 2]) {
    let mut tactics = pair.map(tactic);
    while negotiation.outcome().is_none() {
        let seat = negotiation.turn();
        let action = tactics[seat.index()].act(&negotiation.view(seat), &mut streams[seat.index()]);
        negotiation.submit(action, None, None);
    }
}

/// Calls of `once` a second.
fn rate(time: Duration, mut once: impl FnMut()) -> Rate {
    let (mut calls, started, busy) = (0_u32, Instant::now(), processor_time());
    while started.elapsed() < time {
        once();
        calls += 1;
    }
    let (elapsed, busy) = (started.elapsed(), busy.zip(processor_time()).map(|(before, now)| now - before));
    let per = |time: Duration| f64::from(calls) / time.as_secs_f64();
    Rate { second: per(elapsed), processor_second: busy.filter(|busy| !busy.is_zero()).map(per) }
}

fn played(domain: &Domain, pair: [&str; 2], time: Option<Duration>) -> Played {
    let key = StreamKey::new("scripted pairs", &[]);
    let mut streams = [key.lazy(0), key.lazy(1)];
    let mut game = negotiation(domain);
    play(&mut game, pair, &mut streams);
    let agreed = game.outcome().and_then(|outcome| outcome.agreement());
    let types = game.scenario().types.clone();
    let rational = types.each_ref().map(|party| {
        let utilities = |order: &OutcomeOrder| order.utilities.partition_point(|&utility| utility < party.disagreement);
        party.order.as_deref().map_or(0, |order| order.utilities.len() - utilities(order))
    });
    let issues = || domain.space.issues().iter();
    Played {
        domain: domain.name.to_string(),
        profiles: domain.profiles.each_ref().map(|profile| profile.name.to_string()),
        pair: pair.join("/"),
        agreement: agreed.map(|offer| issues().zip(offer.indices()).map(|(issue, &value)| issue.text(value)).collect()),
        utilities: types.each_ref().map(|party| agreed.map_or(party.disagreement, |offer| party.utility.of(offer))),
        step: game.outcome().map_or(0, |outcome| outcome.round),
        rational,
        ready: time.map(|time| {
            rate(time, || {
                let Ok(()) = game.restart(|_| Ok::<(), Infallible>(()));
                play(&mut game, pair, &mut streams);
            })
        }),
        anew: time.map(|time| rate(time, || play(&mut negotiation(domain), pair, &mut streams))),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut time = None;
    if arguments.first().is_some_and(|first| first == "--seconds") {
        let seconds = arguments.get(1).ok_or("--seconds needs a number")?.parse()?;
        time = Some(Duration::try_from_secs_f64(seconds)?);
        arguments.drain(..2);
    }
    let only_tables = arguments.first().is_some_and(|first| first == "--tables");
    arguments.drain(..usize::from(only_tables));
    if arguments.is_empty() {
        return Err("usage: scripted_pairs [--tables | --seconds S] FOLDER..".into());
    }
    for folder in arguments {
        let domain = read_domain(Path::new(&folder), None)?;
        if only_tables {
            println!("{}", serde_json::to_string(&Tables::of(&domain))?);
            continue;
        }
        for pair in PAIRS {
            println!("{}", serde_json::to_string(&played(&domain, pair, time))?);
        }
    }
    Ok(())
}
