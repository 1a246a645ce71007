//! How both sides moved so far, in own gain: followed move by move, so that nobody walks the history every turn.

use crate::action::{Act, Move};
use crate::party::Seat;
use crate::view::{Latest, PartyView};

/// One side's offers, valued by the side that looks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trail {
    /// Offers made.
    pub offers: u32,
    /// Gain of the first.
    pub first: f64,
    /// Gain of the one before the last; the first where there is one only.
    pub previous: f64,
    /// Gain of the last.
    pub last: f64,
    /// Whether the last was declared final.
    pub is_final: bool,
    /// Whether any was.
    pub declared_final: bool,
}

impl Trail {
    /// Takes in the latest offer, where it is a new one: asked often enough that no more than one is.
    #[inline]
    pub(super) fn follow(&mut self, latest: &Latest<'_>) {
        debug_assert!(latest.count <= self.offers + 1, "an offer was missed");
        if latest.count > self.offers {
            self.extend(latest.gain, latest.is_final);
        }
    }

    #[inline]
    fn extend(&mut self, gain: f64, is_final: bool) {
        if self.offers == 0 {
            self.first = gain;
            self.last = gain;
        }
        self.previous = self.last;
        self.last = gain;
        self.offers += 1;
        self.is_final = is_final;
        self.declared_final |= is_final;
    }
}

/// Both sides' trails as one party sees them, and how it answered the other's concessions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trails {
    /// Own offers.
    pub own: Trail,
    /// The other side's offers.
    pub other: Trail,
    /// Own turns taken.
    pub turns: u32,
    /// Own turns that took something back: an offer better for oneself than the one before, a pass, or leaving.
    pub retreats: u32,
    /// Concessions by the other side that an own turn followed.
    pub favours: u32,
    /// Those that the own turn answered with a concession of its own or an acceptance.
    pub answered: u32,
    /// Whether this side took an offer.
    pub accepted: bool,
    /// Whether this side walked away.
    pub left: bool,
    seen: u32,
    owes: bool,
}

impl Trails {
    /// Starts over for what `view` shows of a new negotiation.
    pub fn restart(&mut self, view: &PartyView<'_>) {
        *self = Self::default();
        self.follow(view);
    }

    /// Takes in the moves of `view` that were not there before.
    pub fn follow(&mut self, view: &PartyView<'_>) {
        // A step smaller than any that the grid allows is rounding.
        let least = 0.5 * view.own.smallest_step;
        for (at, made) in view.history.iter().enumerate().skip(self.seen as usize) {
            self.take(view.seat, least, made, view.gain_at(at));
        }
        self.seen = view.history.len() as u32;
    }

    fn take(&mut self, seat: Seat, least: f64, made: &Move, gain: Option<f64>) {
        let own = made.seat == seat;
        match (&made.act, gain) {
            (&Act::Offer { is_final, .. }, Some(gain)) if own => {
                let step = if self.own.offers > 0 { self.own.last - gain } else { 0.0 };
                self.answer(step > least, step < -least);
                self.own.extend(gain, is_final);
            }
            (&Act::Offer { is_final, .. }, Some(gain)) => {
                self.owes = self.other.offers > 0 && gain - self.other.last > least;
                self.other.extend(gain, is_final);
            }
            (act, _) if own => {
                self.accepted |= *act == Act::Accept;
                self.left |= *act == Act::WalkAway;
                self.answer(*act == Act::Accept, matches!(act, Act::Pass | Act::WalkAway));
            }
            _ => {}
        }
    }

    /// Counts an own turn that gives something, or takes something back.
    fn answer(&mut self, gives: bool, takes: bool) {
        self.turns += 1;
        self.retreats += u32::from(takes);
        self.favours += u32::from(self.owes);
        self.answered += u32::from(self.owes & gives);
        self.owes = false;
    }

    /// How efficiently this side conceded, in `[0, 1]`: the other side's share of all concessions,
    /// `c_other / (c_own + c_other)`.
    ///
    /// Both are measured in own gain and end at `reached`: the agreement, or without one at each side's own last offer. The other
    /// side's begin at its first offer, or at no deal where it made none; the own ones begin at `best`, the gain of the own best
    /// package, and not at the own first offer: who opens with everything given away has conceded it all. Moves backwards count 0.
    /// So an agreement counts the share of the way from the other side's first offer to the own best package. 0 where nobody
    /// moved, where this side neither made nor took an offer, and where it walked away.
    #[must_use]
    pub fn concession_efficiency(&self, best: f64, reached: Option<f64>) -> f64 {
        if self.left || reached.is_none() && self.own.offers == 0 {
            return 0.0;
        }
        let (first, last) = if self.other.offers > 0 { (self.other.first, self.other.last) } else { (0.0, 0.0) };
        let own = (best - reached.unwrap_or(self.own.last)).max(0.0);
        let other = (reached.unwrap_or(last) - first).max(0.0);
        if own + other > 0.0 { other / (own + other) } else { 0.0 }
    }

    /// The rapport that this side's moves built, in `[0, 1]`: the mean of *reciprocity* (the share of the other side's
    /// concessions that the next own turn answered with a concession or an acceptance; 1 where there were none) and
    /// *constancy* (the share of own turns that took nothing back by a better offer for oneself or a pass). 0 for a side
    /// that neither made nor took an offer, and for one that walked away: doing nothing and leaving build none.
    #[must_use]
    pub fn rapport(&self) -> f64 {
        if self.turns == 0 || self.left || self.own.offers == 0 && !self.accepted {
            return 0.0;
        }
        let reciprocity = if self.favours == 0 { 1.0 } else { f64::from(self.answered) / f64::from(self.favours) };
        let constancy = 1.0 - f64::from(self.retreats) / f64::from(self.turns);
        f64::midpoint(reciprocity, constancy)
    }

    /// The trails of `seat` over a whole history that `view` shows.
    #[must_use]
    pub fn of(view: &PartyView<'_>) -> Self {
        let mut trails = Self::default();
        trails.follow(view);
        trails
    }
}
