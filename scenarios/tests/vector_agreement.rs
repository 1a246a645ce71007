//! The vectorised environment plays what a plain loop over the rules plays: ten thousand random games over every split of every
//! built-in suite at all three action levels, compared at every step.

#[path = "../../envs/tests/plain/mod.rs"]
mod plain;

use plain::{Loop, observed};
use std::sync::Arc;
use zopa_envs::environment::{
    ActionLevel, ActionSpace, AutoresetMode, Choice, DialogueAct, EnvironmentConfig, PromiseSet, VectorEnvironment,
    Words,
};
use zopa_envs::message::{Reason, Remark};
use zopa_envs::{
    Action, Intent, Move, Negotiation, Offer, PromiseKind, ScenarioSource, Seat, Series, Stream, StreamKey,
};
use zopa_scenarios::{SourceOptions, Suite, SuiteSource};

/// Environments in a vector.
const LANES: usize = 6;
/// Games that are played at all, over suites, splits and levels.
const GAMES: u64 = 10_000;

/// An episode by the plain loop: a negotiation, or one contract after the other.
struct Plain {
    play: Loop,
    series: Option<Series>,
}

/// What the plain loop says of a step.
struct Told {
    reward: f64,
    ended: bool,
    /// The observation before the next episode, or the next contract, begins.
    last: Vec<f32>,
}

fn bound(seat: Seat) -> [bool; 2] {
    [seat == Seat::Buyer, seat == Seat::Supplier]
}

impl Plain {
    fn start(source: &SuiteSource, index: u64) -> Self {
        let Some(plan) = source.series(index) else {
            return Self { play: Loop::start(source.scenario(index)), series: None };
        };
        let contracts: Vec<_> = (0..plan.contracts).map(|contract| source.contract(index, contract)).collect();
        let seat = contracts[0].seat;
        let series = Series::unscored(plan, contracts);
        let game = series.negotiation(bound(seat)).expect("a series has a first contract");
        Self { play: Loop::of(game, seat), series: Some(series) }
    }

    fn game(&self) -> &Negotiation {
        &self.play.game
    }

    fn step(&mut self, choice: &Choice, spec: &zopa_envs::environment::ObservationSpec) -> Told {
        self.play.step(choice);
        let seat = self.play.seat;
        if self.play.game.outcome().is_none() {
            return Told { reward: 0.0, ended: false, last: observed(spec, &self.play.game, seat) };
        }
        let Some(series) = &mut self.series else {
            return Told { reward: self.play.surplus(), ended: true, last: observed(spec, &self.play.game, seat) };
        };
        let result = *series.conclude(&self.play.game).expect("a contract was negotiated");
        let scenario = self.play.game.scenario();
        let reward = result.values[seat.index()] / scenario.public.status_quo_price().expect("money");
        if let Some(next) = series.negotiation(bound(seat)) {
            self.play = Loop::of(next, seat);
            return Told { reward, ended: false, last: observed(spec, &self.play.game, seat) };
        }
        Told { reward, ended: true, last: observed(spec, &self.play.game, seat) }
    }
}

/// Remarks by the label under which the action space lists them.
const SAID: [(&str, Remark); 6] = [
    ("courtesy", Remark::Courtesy),
    ("pressure", Remark::Pressure),
    ("reason_cost", Remark::Reason(Reason::Cost)),
    ("reason_cash_flow", Remark::Reason(Reason::CashFlow)),
    ("outside_option", Remark::OutsideOption(None)),
    ("promise_request", Remark::PromiseRequest),
];

/// A random action as the numbers of `space`, and what they mean by the names of its components, apart from its own decoder.
fn random(space: &ActionSpace, stream: &mut Stream) -> (Vec<i64>, Choice) {
    let weighted = |stream: &mut Stream, weights: &[f64]| stream.weighted(weights.iter().copied()) as i64;
    if space.level == ActionLevel::Intents {
        let number = weighted(stream, &[0.1, 0.4, 0.2, 0.2, 0.04, 0.05, 0.01]);
        return (vec![number], Intent::ALL[number as usize].into());
    }
    let dialogue = space.level == ActionLevel::DialogueActs;
    let mut row = vec![if dialogue {
        weighted(stream, &[0.75, 0.05, 0.08, 0.1, 0.02])
    } else {
        weighted(stream, &[0.88, 0.1, 0.02])
    }];
    let (mut offer, mut act) = (Vec::new(), DialogueAct::from(Action::Pass));
    for component in &space.components[1..] {
        let size = u64::from(component.size);
        let number = match &*component.name {
            "message" => {
                let roll = stream.below(4);
                let said = SAID[stream.below(SAID.len() as u64) as usize];
                match roll {
                    0 => 0,
                    1 => {
                        act.words = Words::Terms;
                        1
                    }
                    _ => {
                        act.words = Words::Remark(said.1);
                        component.labels.iter().position(|label| **label == *said.0).expect("a listed remark") as i64
                    }
                }
            }
            "escalate" => {
                act.escalate = stream.below(8) == 0;
                i64::from(act.escalate)
            }
            name => match name.strip_prefix("promise:") {
                Some(promised) => {
                    let kinds = ["exclusivity", "guarantee", "volume", "warranty", "service", "delivery"];
                    let kind = kinds.iter().position(|kind| *kind == promised).expect("a kind of promise");
                    let kind = PromiseKind::ALL[kind];
                    let made = stream.below(8) == 0;
                    act.promises = if made { act.promises.with(kind) } else { act.promises };
                    i64::from(made)
                }
                None => {
                    // Around the middle as often as anywhere, so that offers pass guardrails too.
                    let index =
                        if stream.below(2) == 0 { stream.below(size) } else { size / 3 + stream.below(1 + size / 3) };
                    offer.push(index as u32);
                    index as i64
                }
            },
        };
        row.push(number);
    }
    let offer = Offer::new(&offer);
    act.action = match (dialogue, row[0]) {
        (_, 0) => Action::offer(offer),
        (true, 1) => Action::final_offer(offer),
        (true, 2) | (false, 1) => Action::Accept,
        (true, 3) => Action::Pass,
        _ => Action::WalkAway,
    };
    let silent = act.words == Words::Silent && act.promises == PromiseSet::default() && !act.escalate;
    let choice = if silent { Choice::Act(act.action) } else { Choice::Dialogue(act) };
    (row, choice)
}

/// The moves of a game without the other side's words, which a vector leaves out.
fn unheard(game: &Negotiation, seat: Seat) -> Vec<Move> {
    let without = |made: &Move| Move { message: made.message.clone().filter(|_| made.seat == seat), ..made.clone() };
    game.history().iter().map(without).collect()
}

/// Plays `games` games of a split at a level both ways; how many steps authority refused or corrected on the way.
fn check(suite: &Arc<Suite>, split: &str, level: ActionLevel, games: u64) -> u32 {
    let source = || {
        let options = SourceOptions { split: Some(split.into()), ..SourceOptions::default() };
        suite.source(&options).unwrap_or_else(|error| panic!("{error}"))
    };
    let place = format!("{} {split} {level:?}", suite.name());
    let config = EnvironmentConfig { level, ..EnvironmentConfig::default() };
    let mut vector = VectorEnvironment::new(source(), config, LANES, AutoresetMode::SameStep).expect(&place);
    let (spec, space) = (vector.observation_spec().clone(), vector.action_space().clone());
    let (d, m) = (spec.width(), space.mask_width());
    let mut arrays = vector.arrays();
    arrays.truncated.fill(true);
    let mut buffers = arrays.buffers();
    vector.reset(Some(0), &mut buffers).expect(&place);
    let source = source();
    let mut plain: Vec<Plain> = (0..LANES as u64).map(|k| Plain::start(&source, k)).collect();
    let mut stream = StreamKey::new("test", &[place.as_bytes()]).stream(0);
    let accept = match level {
        ActionLevel::Intents => Intent::Accept as usize,
        ActionLevel::Offers => 1,
        ActionLevel::DialogueActs => 2,
    };
    let (mut played, mut interfered) = (0, 0);
    while played < games {
        let drawn: Vec<(Vec<i64>, Choice)> = (0..LANES).map(|_| random(&space, &mut stream)).collect();
        let numbers: Vec<i64> = drawn.iter().flat_map(|(row, _)| row.iter().copied()).collect();
        vector.step(&numbers, &mut buffers).expect(&place);
        for (k, plain) in plain.iter_mut().enumerate() {
            let told = plain.step(&drawn[k].1, &spec);
            assert_eq!((buffers.terminated[k], buffers.truncated[k]), (told.ended, false), "{place}");
            assert_eq!(buffers.rewards[k], told.reward, "{place}");
            if told.ended {
                let conduct = plain.game().conduct(plain.play.seat);
                interfered += conduct.refused + conduct.corrected;
                assert_eq!(buffers.final_observations[k * d..][..d], told.last, "{place}");
                *plain = Plain::start(&source, vector.episode(k).expect(&place));
                played += 1;
            }
            let (game, seat) = (vector.negotiation(k).expect(&place), plain.play.seat);
            assert_eq!(game.history(), unheard(plain.game(), seat), "{place}");
            assert_eq!(game.conduct(seat), plain.game().conduct(seat), "{place}");
            assert_eq!(game.outcome(), plain.game().outcome(), "{place}");
            assert_eq!(buffers.observations[k * d..][..d], observed(&spec, plain.game(), seat), "{place}");
            let mut legal = vec![true; m];
            legal[accept] = plain.game().view(seat).standing().is_some();
            assert_eq!(buffers.masks[k * m..][..m], legal, "{place}");
        }
    }
    interfered
}

#[test]
fn the_vector_and_a_plain_loop_agree_step_by_step_on_ten_thousand_games_over_all_suites_and_levels() {
    let suites: Vec<Arc<Suite>> =
        Suite::names().map(|name| Arc::new(Suite::open(name).unwrap_or_else(|error| panic!("{error}")))).collect();
    let splits: usize = suites.iter().map(|suite| suite.splits().len()).sum();
    let levels = [ActionLevel::Intents, ActionLevel::Offers, ActionLevel::DialogueActs];
    let games = GAMES.div_ceil((splits * levels.len()) as u64);
    let mut interfered = 0;
    for suite in &suites {
        for split in suite.splits().keys() {
            interfered += levels.map(|level| check(suite, split, level, games)).iter().sum::<u32>();
        }
    }
    assert!(interfered > 1_000, "authority interfered {interfered} times only");
}
