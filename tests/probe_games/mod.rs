//! The games that exploit probes, tactics and ceilings are compared in: a suite's episodes from one seat, series included.

use rayon::prelude::*;
use std::sync::Arc;
use zopa_agents::probes::{StallThenAccept, Waiting};
use zopa_agents::{Kind, Player, Seated, agents, build, play};
use zopa_envs::relationship::Horizon;
use zopa_envs::{Attainable, Negotiation, Outcome, Scenario, ScenarioSource, Seat, Series, StreamKey, phase};
use zopa_reports::statistics::{Bootstrap, PairedDifference, RatioColumn, Strata};
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

/// Whom a probe is compared with: the suite's `best` tactic; a talking probe that concedes as a good tactic does, with that tactic in
/// silence, so that the difference is what its words bring.
pub(crate) fn rival(probe: &str, best: &'static str) -> &'static str {
    match probe {
        "promise-everything" | "inject-instructions" => "linear-aware",
        _ => best,
    }
}

/// Waits so, until so much of its time has passed, for so large a share of its first aspiration.
pub(crate) type Stall = (Waiting, f64, f64);

/// The stalling policies that the best is sought among.
pub(crate) fn stalls() -> impl Iterator<Item = Stall> {
    [Waiting::Silent, Waiting::Repeating].into_iter().flat_map(|waiting| {
        let from = [0.0, 0.3, 0.5, 0.6, 0.7, 0.85, 1.0].into_iter();
        from.flat_map(move |from| [0.0, 0.25, 0.5].map(|least| (waiting, from, least)))
    })
}

/// The agent that stalls so.
pub(crate) fn stalling((waiting, from, least): Stall) -> Player {
    Player::Agent(Box::new(StallThenAccept::new("stall", waiting, from, least)))
}

/// An episode from one seat.
struct Game {
    index: u64,
    family: Arc<str>,
    /// What gains are shares of: the status quo's price, once a contract.
    scale: f64,
    /// The best own gain, in shares of the scale.
    best: f64,
    /// `None` for a series.
    scenario: Option<Scenario>,
}

/// A suite's episodes from one seat, families together.
pub(crate) struct Games {
    source: SuiteSource,
    seat: Seat,
    games: Vec<Game>,
    strata: Strata,
}

impl Games {
    /// The first `count` scenarios of the suite's default split, at its official seed plus `shift`.
    pub(crate) fn of(suite: &str, seat: Seat, count: u64, shift: u64) -> Self {
        let suite = Arc::new(Suite::open(suite).unwrap());
        let seed = suite.split(suite.default_split()).unwrap().seed + shift;
        let source = suite.source(&SourceOptions { seed: Some(seed), ..SourceOptions::default() }).unwrap();
        let mut games: Vec<Game> = (0..count)
            .into_par_iter()
            .map(|number| {
                let index = 2 * number + seat.index() as u64;
                let scenario = source.scenario(index);
                assert_eq!(scenario.seat, seat);
                let family = scenario.counterpart.as_ref().unwrap().family.clone();
                let price = scenario.public.status_quo_price().unwrap();
                let Some(plan) = source.series(index) else {
                    let best = Attainable::of(&scenario).unwrap().best_gain[seat.index()] / price;
                    return Game { index, family, scale: price, best, scenario: Some(scenario) };
                };
                let contracts: Vec<_> = (0..plan.contracts).map(|contract| source.contract(index, contract)).collect();
                let scale = price * f64::from(plan.contracts);
                let best = Horizon::of(&plan.rules, &contracts).unwrap().own / scale;
                Game { index, family, scale, best, scenario: None }
            })
            .collect();
        games.sort_by_key(|game| (game.family.clone(), game.index));
        let labels: Vec<_> = games.iter().map(|game| game.family.clone()).collect();
        let strata = Strata::of_sorted_labels(&labels);
        Self { source, seat, games, strata }
    }

    /// The surplus efficiency of a player over these episodes, its gains multiplied by `factor`.
    pub(crate) fn efficiency(&self, factor: f64, player: impl Fn() -> Player + Sync) -> RatioColumn {
        let gains = self.games.par_iter().enumerate().map(|(number, game)| {
            let mut player = player();
            let streams = StreamKey::new("probes", &[player.id().as_bytes(), &(number as u64).to_le_bytes()]);
            let gain = match &game.scenario {
                Some(scenario) => self.gain(scenario.clone(), &mut player, streams),
                None => self.series_gain(game.index, &mut player, streams),
            };
            factor * gain / game.scale
        });
        let best = self.games.iter().map(|game| game.best).collect();
        RatioColumn::ratio(0, gains.collect(), best, self.games.len() as u64).unwrap()
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

    fn series_gain(&self, index: u64, player: &mut Player, streams: StreamKey) -> f64 {
        let plan = self.source.series(index).unwrap();
        let contracts = (0..plan.contracts).map(|contract| self.source.contract(index, contract)).collect();
        let mut series = Series::unscored(plan, contracts);
        while let Some(mut game) = series.negotiation(self.bound()) {
            let stream = streams.lazy(u64::from(series.public().contract));
            play(&mut game, Seated { player, stream }, None, &mut ()).unwrap();
            series.conclude(&game).unwrap();
        }
        series.results().iter().map(|result| result.values[self.seat.index()]).sum()
    }

    /// The paired difference of two players' efficiencies.
    pub(crate) fn difference(
        &self,
        bootstrap: &Bootstrap,
        first: &RatioColumn,
        second: &RatioColumn,
    ) -> PairedDifference {
        PairedDifference::compute(bootstrap, &self.strata, first, second).unwrap().unwrap()
    }
}

/// The scripted tactics of a suite, the best first, by surplus efficiency over both seats of `count` scenarios that nothing is
/// tested on.
pub(crate) fn ranked_tactics(suite: &str, count: u64) -> Vec<(&'static str, f64)> {
    let games = Seat::BOTH.map(|seat| Games::of(suite, seat, count, CHOICE));
    let pooled = |id: &'static str| {
        let sums = games.iter().map(|games| {
            let column = games.efficiency(1.0, || build(id).unwrap());
            let best: f64 = games.games.iter().map(|game| game.best).sum();
            (column.value().unwrap_or(0.0) * best, best)
        });
        let (gained, best) = sums.fold((0.0, 0.0), |(gained, best), (g, b)| (gained + g, best + b));
        (id, gained / best)
    };
    let mut ranked: Vec<(&'static str, f64)> = tactics().map(pooled).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked
}
