//! How each published family asks and accepts, in gains alone.
//!
//! The formulas are those of `zopa_envs::tactic` and `zopa_envs::counterpart`; a test holds them to that code. They are
//! written over [`Number`], so that a rollout runs them on plain numbers and the filter sees how what is asked
//! depends on what is hidden. All gains are the other side's, in units of [`super::valuation::Valuation::unit`].

use super::number::{Dual, Number};
use zopa_envs::counterpart::Ear;

/// Offers that a mind remembers, newest first.
const MEMORY: usize = 8;

/// What a hypothesis says of how the other side concedes, apart from what the hidden state holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Manner {
    /// By the clock.
    Clock,
    /// Never.
    Firm,
    /// By the same percentage, so many offers later.
    Relative(usize),
    /// By the same amount, so many offers later.
    Absolute(usize),
    /// By the average percentage of so many steps.
    Averaged(usize),
    /// MiCRO; the hidden state holds its rung, a share of the yardstick, in place of an exponent's logarithm.
    Rungs,
    /// At random above a least gain, a share of the yardstick.
    Random(f64),
    /// A course on a clock of its own.
    Course {
        /// How fast the clock runs against who does not move.
        standstill: f64,
        /// The step at which it runs in full.
        pace: f64,
        /// What steers it.
        steer: Steer,
    },
    /// No family: some concession that never goes back, partly by the clock, partly by what it is given.
    Generic {
        /// How fast its clock runs against who does not move.
        standstill: f64,
        /// The step at which it runs in full.
        pace: f64,
        /// The share of a step towards it that it gives back at once.
        imitation: f64,
        /// What it accepts, as a share of what it asks.
        leniency: f64,
    },
}

/// What steers a course.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Steer {
    Steady,
    Strategic { expected: f64, sensitivity: f64, tolerance: u16 },
    Stochastic { take: f64 },
    Reneging { chance: f64, retreat: f64 },
    Patient { hold: f64 },
    Desperate { impatience: f64 },
    Listening { ear: Ear, fastest: f64, slowest: f64, shift: f64, memory: f64 },
}

/// The hidden numbers that manners share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits<N> {
    /// First aspiration, a share of the yardstick.
    pub(super) initial: N,
    /// Last aspiration, a share of the yardstick.
    pub(super) last: N,
    /// Logarithm of the concession exponent; a ladder's rung.
    pub(super) log_exponent: N,
    /// The yardstick.
    pub(super) yardstick: N,
    /// Where positions, on which ratios mean something, have gain 0: the reservation price in money.
    pub(super) origin: N,
    /// +1 where a higher position gains more.
    pub(super) sign: f64,
}

impl<N: Number> Traits<N> {
    /// The aspiration `before` moved by the ratio of the other side's `older` to its `newer` offer, taken to the power `share`.
    fn moved(&self, before: N, older: N, newer: N, share: f64) -> N {
        let position = |gain: N| self.origin + gain.scaled(self.sign);
        let (older, newer) = (position(older), position(newer));
        if older.value() <= 0.0 || newer.value() <= 0.0 {
            return before;
        }
        let ratio = older / newer;
        let ratio = if share == 1.0 {
            ratio
        } else {
            // The root by its tangent: ratios are near 1.
            let root = libm::pow(ratio.value(), share);
            N::constant(root) + (ratio - N::constant(ratio.value())).scaled(share * root / ratio.value())
        };
        (position(before) * ratio - self.origin).scaled(self.sign)
    }
}

/// When and to what a mind answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// The round, from 0.
    pub(super) round: u16,
    /// Rounds that it stays for.
    pub(super) rounds: u16,
    /// What its gains count for a round later.
    pub(super) discount: f64,
    /// How what it was told sounds to each ear: reasoned, reciprocal, suspicious.
    pub(super) signals: [f64; 3],
}

/// What a mind wants in its turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<N> {
    /// The gain of its next offer.
    pub(super) ask: N,
    /// The gain from which it accepts.
    pub(super) threshold: N,
    /// The chance that it accepts from there.
    pub(super) take: f64,
    /// How much of a step towards it lowers the threshold at once.
    pub(super) answers: f64,
    /// Whether its next offer is worth what it asks; else it is one of its earlier ones, or any.
    pub(super) shows: bool,
}

/// A hypothesis' memory of the negotiation.
#[derive(Clone, Debug)]
pub(super) struct Mind<N> {
    aspiration: Option<N>,
    heard: [N; MEMORY],
    offers: u16,
    answered: u16,
    distinct: u16,
    made: u16,
    best: Option<N>,
    first: Option<N>,
    clock: N,
    started: bool,
    idle: u16,
    owed: f64,
    mood: f64,
}

impl<N: Number> Mind<N> {
    pub(super) fn new() -> Self {
        let zero = N::constant(0.0);
        Self {
            aspiration: None,
            heard: [zero; MEMORY],
            offers: 0,
            answered: 0,
            distinct: 0,
            made: 0,
            best: None,
            first: None,
            clock: zero,
            started: false,
            idle: 0,
            owed: 0.0,
            mood: 0.0,
        }
    }

    /// Takes in an offer that gains it `gain`; `novel` where it never saw the package before.
    pub(super) fn hear(&mut self, gain: N, novel: bool) {
        self.heard.copy_within(0..MEMORY - 1, 1);
        self.heard[0] = gain;
        self.offers = self.offers.saturating_add(1);
        self.distinct += u16::from(novel);
        self.first.get_or_insert(gain);
    }

    /// How many offers it has heard.
    #[cfg(test)]
    pub(super) fn heard(&self) -> u16 {
        self.offers
    }

    /// What it was offered last.
    pub(super) fn standing(&self) -> Option<N> {
        (self.offers > 0).then_some(self.heard[0])
    }

    /// The clock of the curve that it followed in its latest turn, which was `turn`; `None` for who follows none.
    pub(super) fn clock(&self, manner: &Manner, turn: Turn) -> Option<f64> {
        match manner {
            Manner::Clock => Some(progress(turn.round, turn.rounds)),
            Manner::Course { .. } | Manner::Generic { .. } => Some(self.clock.value()),
            _ => None,
        }
    }

    /// Its turn: moves its memory on.
    pub(super) fn turn(&mut self, manner: &Manner, traits: &Traits<N>, turn: Turn) -> Asked<N> {
        self.turn_along(manner, traits, turn, |clock| clock.conceded(traits.log_exponent))
    }

    /// As [`Self::turn`] for who may know already how far its curve has `conceded` at a clock, from 0 to 1.
    pub(super) fn turn_along(
        &mut self,
        manner: &Manner,
        traits: &Traits<N>,
        turn: Turn,
        conceded: impl FnOnce(N) -> N,
    ) -> Asked<N> {
        let unit = traits.yardstick;
        let (initial, last) = (traits.initial * unit, traits.last * unit);
        let plain = |ask: N, answers: f64| Asked { ask, threshold: ask, take: 1.0, answers, shows: true };
        match *manner {
            Manner::Clock => {
                let t = progress(turn.round, turn.rounds);
                plain(curve(conceded(N::constant(t)), initial, last), 0.0)
            }
            Manner::Firm => plain(initial, 0.0),
            Manner::Relative(lag) => self.imitate(initial, last, at_once(lag), |mind, before| {
                let lag = lag.clamp(1, MEMORY - 1);
                (usize::from(mind.offers) > lag)
                    .then(|| traits.moved(before, mind.heard[lag], mind.heard[lag - 1], 1.0))
            }),
            Manner::Absolute(lag) => self.imitate(initial, last, at_once(lag), |mind, before| {
                let lag = lag.clamp(1, MEMORY - 1);
                (usize::from(mind.offers) > lag).then(|| before - (mind.heard[lag - 1] - mind.heard[lag]))
            }),
            Manner::Averaged(window) => self.imitate(initial, last, 1.0 / window.max(1) as f64, |mind, before| {
                let steps = window.clamp(1, MEMORY - 1).min(usize::from(mind.offers).saturating_sub(1));
                (steps > 0).then(|| traits.moved(before, mind.heard[steps], mind.heard[0], 1.0 / steps as f64))
            }),
            Manner::Rungs => self.rungs(traits.log_exponent, initial, last, unit),
            Manner::Random(least) => Asked { shows: false, ..plain(unit.scaled(least), 0.0) },
            Manner::Course { standstill, pace, ref steer } => {
                let speed = self.speed(standstill, pace, steer, unit.value(), turn);
                self.advance(speed, turn);
                let ask = curve(conceded(self.clock), initial, last);
                self.steered(steer, ask, last, unit, turn)
            }
            Manner::Generic { standstill, pace, imitation, leniency } => {
                let speed = self.engagement(standstill, pace, unit.value());
                self.advance(speed, turn);
                let given = match (self.first, self.best) {
                    (Some(first), Some(best)) => (best - first).scaled(imitation),
                    _ => N::constant(0.0),
                };
                let ask = (curve(conceded(self.clock), initial, last) - given).at_least(last);
                Asked { threshold: ask.scaled(leniency), ..plain(ask, imitation) }
            }
        }
    }

    fn steered(&self, steer: &Steer, ask: N, last: N, unit: N, turn: Turn) -> Asked<N> {
        let plain = Asked { ask, threshold: ask, take: 1.0, answers: 0.0, shows: true };
        match *steer {
            Steer::Stochastic { take } => Asked { take, ..plain },
            Steer::Desperate { impatience } => {
                Asked { threshold: ask.scaled(impatience * turn.discount).at_least(last.at_most(ask)), ..plain }
            }
            Steer::Listening { shift, .. } => {
                let threshold = (ask - unit.scaled(self.mood * shift)).at_least(last.at_most(ask));
                Asked { threshold, ..plain }
            }
            Steer::Steady | Steer::Strategic { .. } | Steer::Reneging { .. } | Steer::Patient { .. } => plain,
        }
    }

    fn imitate(&mut self, initial: N, last: N, answers: f64, answer: impl FnOnce(&Self, N) -> Option<N>) -> Asked<N> {
        let next = match self.aspiration {
            None => initial,
            Some(before) if self.offers == self.answered => before,
            Some(before) => {
                answer(self, before).map_or(before, |wanted| wanted.at_least(last).at_most(initial.at_least(last)))
            }
        };
        self.aspiration = Some(next);
        self.answered = self.offers;
        Asked { ask: next, threshold: next, take: 1.0, answers, shows: true }
    }

    fn rungs(&mut self, rung: N, initial: N, last: N, unit: N) -> Asked<N> {
        let height = ((initial - last) / unit).value() / rung.value();
        let places = if rung.value() > 0.0 { libm::ceil(height).max(0.0) } else { 0.0 };
        let willing = self.made <= self.distinct && f64::from(self.made) <= places;
        let place = if willing { self.made } else { self.made.saturating_sub(1) };
        let ask = (initial - (unit * rung).scaled(f64::from(place))).at_least(last);
        self.made += u16::from(willing);
        Asked { ask, threshold: ask, take: 1.0, answers: 0.0, shows: willing }
    }

    /// How far the standing offer has passed the best before, as a share of the yardstick.
    fn step_heard(&mut self, unit: f64) -> f64 {
        let Some(standing) = self.standing() else { return 0.0 };
        match self.best {
            None => {
                self.best = Some(standing);
                f64::INFINITY
            }
            Some(best) if standing.value() > best.value() => {
                self.best = Some(standing);
                (standing.value() - best.value()) / unit
            }
            Some(_) => 0.0,
        }
    }

    fn engagement(&mut self, standstill: f64, pace: f64, unit: f64) -> f64 {
        let step = self.step_heard(unit);
        standstill + (1.0 - standstill) * (step / pace).min(1.0)
    }

    fn speed(&mut self, standstill: f64, pace: f64, steer: &Steer, unit: f64, turn: Turn) -> f64 {
        let step = self.step_heard(unit);
        let engagement = standstill + (1.0 - standstill) * (step / pace).min(1.0);
        match *steer {
            Steer::Steady | Steer::Stochastic { .. } | Steer::Desperate { .. } => engagement,
            Steer::Strategic { expected, sensitivity, tolerance } => {
                if self.standing().is_none() {
                    return standstill;
                }
                self.owed += step;
                if self.owed >= pace {
                    (self.idle, self.owed) = (0, 0.0);
                } else {
                    self.idle = self.idle.saturating_add(1);
                }
                if self.idle > tolerance {
                    return standstill;
                }
                let share = if step.is_finite() { (step / expected).min(2.0) } else { 1.0 };
                1.0 + sensitivity * (1.0 - share)
            }
            // In expectation: a retreat replaces the step forward.
            Steer::Reneging { chance, retreat } => {
                let turns = f64::from(turn.rounds.saturating_sub(1).max(1));
                (1.0 - chance) * engagement - chance * retreat * turns
            }
            Steer::Patient { hold } => {
                let waits = progress(turn.round, turn.rounds) <= hold;
                if waits { 0.0 } else { engagement / (1.0 - hold) }
            }
            Steer::Listening { ear, fastest, slowest, memory, .. } => {
                let signal = turn.signals[ear as usize];
                self.mood = memory * self.mood + (1.0 - memory) * signal;
                let tempo =
                    if self.mood > 0.0 { 1.0 + self.mood * (fastest - 1.0) } else { 1.0 + self.mood * (1.0 - slowest) };
                engagement * tempo
            }
        }
    }

    fn advance(&mut self, speed: f64, turn: Turn) {
        let turns = turn.rounds.saturating_sub(1);
        if turns == 0 {
            self.clock = N::constant(1.0);
        } else if self.started {
            let clock = self.clock.value() + speed / f64::from(turns);
            self.clock = N::constant(clock.clamp(0.0, 1.0));
        }
        self.started = true;
    }
}

impl Mind<Dual> {
    /// The same memory after the state's mean has moved.
    pub(super) fn shift(&mut self, by: &[f64]) {
        let kept = self.aspiration.iter_mut().chain(&mut self.best).chain(&mut self.first);
        kept.chain(&mut self.heard).for_each(|number| number.moved(by));
    }

    /// The memory of who has the state `away` from the mean.
    pub(super) fn at(&self, away: &[f64]) -> Mind<f64> {
        let plain = |number: &Dual| {
            let mut there = *number;
            there.moved(away);
            there.value
        };
        Mind {
            aspiration: self.aspiration.as_ref().map(plain),
            heard: std::array::from_fn(|index| plain(&self.heard[index])),
            offers: self.offers,
            answered: self.answered,
            distinct: self.distinct,
            made: self.made,
            best: self.best.as_ref().map(plain),
            first: self.first.as_ref().map(plain),
            clock: self.clock.value,
            started: self.started,
            idle: self.idle,
            owed: self.owed,
            mood: self.mood,
        }
    }
}

/// How much of a step is answered in the same turn by who answers `lag` offers later.
fn at_once(lag: usize) -> f64 {
    if lag <= 1 { 1.0 } else { 0.0 }
}

/// The polynomial concession curve (Faratin, Sierra and Jennings 1998) where it has `conceded` this share of its way.
fn curve<N: Number>(conceded: N, initial: N, last: N) -> N {
    initial - (initial - last) * conceded
}

fn progress(round: u16, rounds: u16) -> f64 {
    zopa_envs::phase::progress(round, rounds).min(1.0)
}
