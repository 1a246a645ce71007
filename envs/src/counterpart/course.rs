//! A course of concessions on a clock that runs with the other side's.

use crate::tactic::{Selection, conceded};
use crate::view::PartyView;

/// Concedes from an initial to a last aspiration along the polynomial curve of [`crate::tactic::TimeDependent`], but on a
/// clock of its own: `aspiration(c) = last + (initial - last) * (1 - c^(1/exponent))`, in shares of the yardstick.
///
/// The clock c starts at 0 with the first own turn and advances at every later one by `speed * engagement / (R - 1)`, where R
/// counts the rounds that this side stays for and the speed is the behaviour's (1 where it is steady). *Engagement* is
/// `standstill + (1 - standstill) * min(1, s / pace)`: s is how far the other side's offer has passed its best before, in this side's own gain as a
/// share of the yardstick (a first offer engages fully). So who waits or repeats itself to the end finds only the
/// standstill's share of the time conceded. Source of the curve: Faratin, Sierra and Jennings 1998.
#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    /// Concession exponent in GENIUS's convention; positive.
    pub exponent: f64,
    /// First aspiration as a share of the yardstick.
    pub initial: f64,
    /// Last aspiration as a share of the yardstick; nothing below it is ever accepted where a package above it exists.
    pub last: f64,
    /// How fast the clock runs while the other side does not move, in `[0, 1]`.
    pub standstill: f64,
    /// The step by the other side, as a share of the own yardstick, at which the clock runs at full speed; positive.
    pub pace: f64,
    /// Which package of the wanted gain is offered.
    pub selection: Selection,
    clock: f64,
    started: bool,
    best: f64,
}

impl Course {
    /// A course that has not begun.
    #[must_use]
    pub fn new(exponent: f64, [initial, last]: [f64; 2], standstill: f64, pace: f64, selection: Selection) -> Self {
        let (clock, started, best) = (0.0, false, f64::NEG_INFINITY);
        Self { exponent, initial, last, standstill, pace, selection, clock, started, best }
    }

    /// How much of the course's time has run, in `[0, 1]`.
    #[must_use]
    pub fn clock(&self) -> f64 {
        self.clock
    }

    /// The own gain aspired to now, in units of utility.
    #[must_use]
    pub fn aspiration(&self, yardstick: f64) -> f64 {
        let conceded = conceded(self.clock, 1.0 / self.exponent);
        yardstick * (self.last + (self.initial - self.last) * (1.0 - conceded))
    }

    /// How far the other side's offer has passed its best before, as a share of the yardstick: infinite for a first offer,
    /// 0 without progress. Asked once a turn.
    pub(super) fn step_heard(&mut self, view: &PartyView<'_>) -> f64 {
        let Some(standing) = view.standing_gain().filter(|&standing| standing > self.best) else { return 0.0 };
        let step = (standing - self.best) / view.own.yardstick;
        self.best = standing;
        step
    }

    /// The engagement that a step of the other side shows.
    pub(super) fn engagement(&self, step: f64) -> f64 {
        self.standstill + (1.0 - self.standstill) * (step / self.pace).min(1.0)
    }

    /// Lets the clock run for one own turn at `speed` times its usual pace.
    pub(super) fn advance(&mut self, view: &PartyView<'_>, speed: f64) {
        let turns = view.own_rounds().saturating_sub(1);
        if turns == 0 {
            self.clock = 1.0;
        } else if self.started {
            self.clock = (self.clock + speed / f64::from(turns)).min(1.0);
        }
        self.started = true;
    }

    /// Turns the clock back by a share of the whole course; false where it has not run so far.
    pub(super) fn turn_back(&mut self, share: f64) -> bool {
        let back = self.clock >= share;
        if back {
            self.clock -= share;
        }
        back
    }
}
