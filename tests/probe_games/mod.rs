//! The games that exploit probes, tactics and ceilings are compared in: a split's episodes from one seat or both, series included.

use rayon::prelude::*;
use std::sync::Arc;
use zopa_agents::probes::{StallThenAccept, Waiting};
use zopa_agents::{Kind, Player, Seated, agents, build, play};
use zopa_envs::relationship::Horizon;
use zopa_envs::{Attainable, Negotiation, Outcome, Scenario, ScenarioSource, Seat, Series, StreamKey, phase};
use zopa_reports::statistics::{Bootstrap, Estimate, PairedDifference, RatioColumn, Strata};
use zopa_scenarios::{SourceOptions, Suite, SuiteSource};

/// The suites in which scores must not be gamed.
pub(crate) const SUITES: [&str; 7] = [
    "payment-terms-v1",
    "procurement-v1",
    "mandate-v1",
    "counterparts-v1",
    "talk-v1",
    "repeated-v1",
    "generalisation-v1",
];

/// Added to a split's official seed for the episodes on which the best scripted tactic is chosen: none of them is tested on.
pub(crate) const CHOICE: u64 = 1_000_000;

/// The scripted tactics that a suite's best is chosen among.
pub(crate) fn tactics() -> impl Iterator<Item = &'static str> {
    const TACTICS: [&str; 8] = [
        "boulware",
        "linear",
        "conceder",
        "hardliner",
        "relative-tit-for-tat",
        "absolute-tit-for-tat",
        "averaged-tit-for-tat",
        "micro",
    ];
    agents().map(|card| card.id).filter(|id| TACTICS.contains(&id.trim_end_matches("-aware")))
}

/// The probes that ship as agents.
pub(crate) fn probes() -> impl Iterator<Item = &'static str> {
    agents().filter(|card| card.kind == Kind::Probe).map(|card| card.id)
}

/// The tactic that a talking probe concedes as, in silence: the difference is what its words bring.
pub(crate) fn in_silence(probe: &str) -> Option<&'static str> {
    match probe {
        "promise-everything" | "inject-instructions" | "flatter" => Some("linear-aware"),
        "promise-everything-late" | "inject-instructions-late" => Some("boulware-aware"),
        _ => None,
    }
}

/// Waits so, until so much of its time has passed, for so large a share of its first aspiration.
pub(crate) type Stall = (Waiting, f64, f64);

/// The stalling policies that the best is sought among. From 0.6 on there is one for about every round of a negotiation: private
/// deadlines lie there, and who waits a round too long has nothing.
pub(crate) fn stalls() -> impl Iterator<Item = Stall> {
    const FROM: [f64; 12] = [0.0, 0.3, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0];
    [Waiting::Silent, Waiting::Repeating]
        .into_iter()
        .flat_map(|waiting| FROM.into_iter().flat_map(move |from| [0.0, 0.25, 0.5].map(|least| (waiting, from, least))))
}

/// The agent that stalls so.
pub(crate) fn stalling((waiting, from, least): Stall) -> Player {
    Player::Agent(Box::new(StallThenAccept::new("stall", waiting, from, least)))
}

/// An episode from one seat.
struct Game {
    index: u64,
    seat: Seat,
    /// What gains are shares of: the status quo's price, once a contract.
    scale: f64,
    /// The best own gain, in shares of the scale.
    best: f64,
    /// `None` for a series.
    scenario: Option<Scenario>,
}

impl Game {
    fn of(source: &SuiteSource, number: u64, seat: Seat) -> Self {
        let index = 2 * number + seat.index() as u64;
        let scenario = source.scenario(index);
        assert_eq!(scenario.seat, seat);
        let price = scenario.public.status_quo_price().unwrap();
        let Some(plan) = source.series(index) else {
            let best = Attainable::of(&scenario).unwrap().best_gain[seat.index()] / price;
            return Self { index, seat, scale: price, best, scenario: Some(scenario) };
        };
        let contracts: Vec<_> = (0..plan.contracts).map(|contract| source.contract(index, contract)).collect();
        let scale = price * f64::from(plan.contracts);
        let best = Horizon::of(&plan.rules, &contracts).unwrap().own / scale;
        Self { index, seat, scale, best, scenario: None }
    }

    fn bound(&self) -> [bool; 2] {
        let mut bound = [false; 2];
        bound[self.seat.index()] = true;
        bound
    }

    fn gain(&self, scenario: Scenario, player: &mut Player, streams: StreamKey) -> f64 {
        let mut game = Negotiation::new(scenario, self.bound());
        play(&mut game, Seated { player, stream: streams.lazy(0) }, None, &mut ()).unwrap();
        let Outcome { ending: _, round } = *game.outcome().unwrap();
        let deal = game.outcome().unwrap().agreement();
        let scenario = game.scenario();
        let gain = deal.map_or(0.0, |deal| scenario.types[self.seat.index()].gain(deal));
        gain * scenario.public.discount_at(self.seat, phase::progress(round, scenario.public.rounds))
    }

    fn series_gain(&self, source: &SuiteSource, player: &mut Player, streams: StreamKey) -> f64 {
        let plan = source.series(self.index).unwrap();
        let contracts = (0..plan.contracts).map(|contract| source.contract(self.index, contract)).collect();
        let mut series = Series::unscored(plan, contracts);
        while let Some(mut game) = series.negotiation(self.bound()) {
            let stream = streams.lazy(u64::from(series.public().contract));
            play(&mut game, Seated { player, stream }, None, &mut ()).unwrap();
            series.conclude(&game).unwrap();
        }
        series.results().iter().map(|result| result.values[self.seat.index()]).sum()
    }
}

/// What a player gained in each scenario, both seats of one together, in shares of the scale.
pub(crate) type Gains = Vec<f64>;

/// The first scenarios of a split, each from the seats that are compared.
pub(crate) struct Games {
    source: SuiteSource,
    /// Scenario after scenario.
    games: Vec<Game>,
    seats: usize,
}

impl Games {
    /// The first `count` scenarios of a split, the suite's default where it is `None`, at its official seed plus `shift`.
    pub(crate) fn of(suite: &str, split: Option<&str>, seats: &[Seat], count: u64, shift: u64) -> Self {
        let suite = Arc::new(Suite::open(suite).unwrap());
        let split = split.unwrap_or(suite.default_split()).to_owned();
        let seed = suite.split(&split).unwrap().seed + shift;
        let options = SourceOptions { seed: Some(seed), split: Some(split), ..SourceOptions::default() };
        let source = suite.source(&options).unwrap();
        let of = |number: u64| seats.iter().map(move |&seat| (number, seat));
        let wanted: Vec<(u64, Seat)> = (0..count).flat_map(of).collect();
        let games = wanted.into_par_iter().map(|(number, seat)| Game::of(&source, number, seat)).collect();
        Self { source, games, seats: seats.len() }
    }

    /// What the player gains.
    pub(crate) fn gains(&self, player: impl Fn() -> Player + Sync) -> Gains {
        let gains = self.games.par_iter().map(|game| {
            let mut player = player();
            let streams = StreamKey::new("probes", &[player.id().as_bytes(), &game.index.to_le_bytes()]);
            let gain = match &game.scenario {
                Some(scenario) => game.gain(scenario.clone(), &mut player, streams),
                None => game.series_gain(&self.source, &mut player, streams),
            };
            gain / game.scale
        });
        let gains: Vec<f64> = gains.collect();
        gains.chunks(self.seats).map(|both| both.iter().sum()).collect()
    }

    fn column(&self, gains: Gains) -> RatioColumn {
        let best = self.games.chunks(self.seats).map(|both| both.iter().map(|game| game.best).sum()).collect();
        RatioColumn::ratio(0, gains, best, self.games.len() as u64).unwrap()
    }

    /// The surplus efficiency of who gained so much; not a number where nobody could gain anything.
    pub(crate) fn efficiency(&self, gains: &[f64]) -> f64 {
        self.column(gains.to_vec()).value().unwrap_or(f64::NAN)
    }

    /// The surplus efficiency of who gained `first`, less `factor` times that of who gained `second`, paired by scenario. Families are
    /// drawn with the scenarios, so their shares vary too: scenarios are drawn from all of them alike.
    pub(crate) fn difference(&self, bootstrap: &Bootstrap, first: &[f64], factor: f64, second: &[f64]) -> Estimate {
        let strata = Strata::unstratified(first.len());
        let second = second.iter().map(|gain| factor * gain).collect();
        let (first, second) = (self.column(first.to_vec()), self.column(second));
        PairedDifference::compute(bootstrap, &strata, &first, &second).unwrap().unwrap().difference
    }
}

/// The scripted tactics of a suite, the best first, by surplus efficiency over both seats of `count` scenarios that nothing is
/// tested on.
pub(crate) fn ranked_tactics(suite: &str, count: u64) -> Vec<(&'static str, f64)> {
    let games = Games::of(suite, None, &Seat::BOTH, count, CHOICE);
    let of = |id: &'static str| (id, games.efficiency(&games.gains(|| build(id).unwrap())));
    let mut ranked: Vec<(&'static str, f64)> = tactics().map(of).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked
}
