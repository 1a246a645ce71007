//! What one party can see.

use crate::action::{Act, Move};
use crate::mandate::{Mandate, Refusal};
use crate::negotiation::Table;
use crate::outcome::Offer;
use crate::package::Packages;
use crate::party::{PartyType, Seat};
use crate::phase::{Phase, progress};
use crate::principal::Intervention;
use crate::relationship::PublicRelationship;
use crate::scenario::PublicScenario;
use crate::utility::Line;

/// The information boundary: all that an agent ever receives. The public scenario, its own type and mandate, and the
/// public history; never a seed, an index, or anything of the other side's type.
#[derive(Clone, Copy, Debug)]
pub struct PartyView<'a> {
    /// What everybody knows.
    pub public: &'a PublicScenario,
    /// Own private type.
    pub own: &'a PartyType,
    /// What the principal authorised.
    pub mandate: &'a Mandate,
    /// Own seat.
    pub seat: Seat,
    /// The current round, from 0.
    pub round: u16,
    /// All moves so far, oldest first.
    pub history: &'a [Move],
    /// Why the last attempt in this turn was refused.
    pub refusal: Option<&'a Refusal>,
    /// What the own principal has said so far while the negotiation runs, oldest first; the mandate holds it already.
    pub notices: &'a [Intervention],
    /// The relationship that this contract belongs to; `None` in a single negotiation.
    pub relationship: Option<&'a PublicRelationship>,
    /// The offers on the table with what they are worth; `None` where nobody kept them, and the history has to be searched.
    pub(crate) table: Option<&'a Table>,
}

/// A side's latest offer as the party that looks sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Latest<'a> {
    /// It; `None` before the first.
    pub(crate) offer: Option<&'a Offer>,
    /// Own gain of it.
    pub(crate) gain: f64,
    /// The own line over the price with its other terms.
    pub(crate) line: Line,
    /// Offers made, it included.
    pub(crate) count: u32,
    /// Whether it was declared final.
    pub(crate) is_final: bool,
}

impl PartialEq for PartyView<'_> {
    /// What lies on the table follows from the history.
    fn eq(&self, other: &Self) -> bool {
        let Self { public, own, mandate, seat, round, history, refusal, notices, relationship, table: _ } = *self;
        (public, own, mandate, seat, round, history)
            == (other.public, other.own, other.mandate, other.seat, other.round, other.history)
            && (refusal, notices, relationship) == (other.refusal, other.notices, other.relationship)
    }
}

impl Latest<'_> {
    fn known_gain(self) -> Option<f64> {
        self.offer.map(|_| self.gain)
    }
}

impl<'a> PartyView<'a> {
    /// The view of a stated negotiation: what the side at `seat` sees in round `round` after the moves of `history`.
    #[must_use]
    pub fn new(
        public: &'a PublicScenario,
        own: &'a PartyType,
        mandate: &'a Mandate,
        seat: Seat,
        round: u16,
        history: &'a [Move],
        refusal: Option<&'a Refusal>,
    ) -> Self {
        let (notices, relationship, table) = (&[], None, None);
        Self { public, own, mandate, seat, round, history, refusal, notices, relationship, table }
    }

    /// The latest offer of the side at `seat`.
    #[inline]
    pub(crate) fn latest(&self, seat: Seat) -> Latest<'a> {
        self.table.map_or_else(|| self.search_latest(seat), |table| table.latest(seat, self.seat))
    }

    /// As [`Self::latest`], where nobody kept it.
    #[cold]
    fn search_latest(&self, seat: Seat) -> Latest<'a> {
        let made = || self.history.iter().filter(|made| made.seat == seat && made.offer().is_some());
        let last = made().next_back();
        let offer = last.and_then(Move::offer);
        Latest {
            offer,
            gain: offer.map_or(0.0, |offer| self.own.gain(offer)),
            line: offer.map_or(Line::NONE, |offer| self.own.utility.line_of(offer)),
            count: made().count() as u32,
            is_final: last.is_some_and(|made| matches!(made.act, Act::Offer { is_final: true, .. })),
        }
    }

    /// The latest offer of the own side.
    #[inline]
    pub(crate) fn own_latest(&self) -> Latest<'a> {
        self.latest(self.seat)
    }

    /// The latest offer of the other side.
    #[inline]
    pub(crate) fn standing_latest(&self) -> Latest<'a> {
        self.latest(self.seat.other())
    }

    /// Progress towards the public deadline, in `[0, 1]`.
    #[must_use]
    #[inline]
    pub fn progress(&self) -> f64 {
        progress(self.round, self.public.rounds)
    }

    /// The phase.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.public.phases.at(self.progress())
    }

    /// Progress towards the deadline that this side keeps: its own where it has an earlier one, else the public one. Concession
    /// by the clock runs on this; phases do not.
    #[must_use]
    #[inline]
    pub fn own_progress(&self) -> f64 {
        progress(self.round, self.own_rounds()).min(1.0)
    }

    /// Rounds that this side stays for.
    #[inline]
    pub(crate) fn own_rounds(&self) -> u16 {
        self.own.stays_for(self.public.rounds)
    }

    /// Rounds until this side's own deadline, the current one included; at least 1.
    #[must_use]
    #[inline]
    pub fn rounds_left(&self) -> u16 {
        rounds_left(self.own, self.public.rounds, self.round)
    }

    /// Whether no own turn follows this one.
    #[must_use]
    pub fn is_last_turn(&self) -> bool {
        self.rounds_left() == 1
    }

    /// Own packages, to be searched by own gain.
    #[must_use]
    #[inline]
    pub fn packages(&self) -> Packages<'a> {
        Packages { space: &self.public.space, party: self.own, mandate: self.mandate, seat: self.seat }
    }

    /// The least own gain that the guardrails and the mandate permit for the next offer; minus infinity where nothing
    /// limits it.
    #[must_use]
    pub fn least_gain(&self) -> f64 {
        let guarded = self
            .public
            .guardrails
            .as_ref()
            .map_or(f64::NEG_INFINITY, |caps| caps.least_gain(self.own, self.phase(), self.own_last_gain()));
        guarded.max(self.mandate.least_gain.unwrap_or(f64::NEG_INFINITY))
    }

    /// Own gain of an offer, undiscounted.
    #[must_use]
    #[inline]
    pub fn gain(&self, offer: &Offer) -> f64 {
        self.own.gain(offer)
    }

    /// A seat's offers, newest first.
    pub fn offers_of(&self, seat: Seat) -> impl Iterator<Item = &'a Offer> + use<'a> {
        self.history.iter().rev().filter(move |made| made.seat == seat).filter_map(Move::offer)
    }

    /// Own last offer.
    #[must_use]
    #[inline]
    pub fn own_last(&self) -> Option<&'a Offer> {
        self.own_latest().offer
    }

    /// Own gain of the own last offer.
    #[must_use]
    #[inline]
    pub fn own_last_gain(&self) -> Option<f64> {
        self.own_latest().known_gain()
    }

    /// The other side's offer that could be accepted now: its latest.
    #[must_use]
    #[inline]
    pub fn standing(&self) -> Option<&'a Offer> {
        self.standing_latest().offer
    }

    /// Own gain of the standing offer.
    #[must_use]
    #[inline]
    pub fn standing_gain(&self) -> Option<f64> {
        self.standing_latest().known_gain()
    }

    /// Own gain of the offer that move `at` of the history made, where it made one.
    #[inline]
    pub(crate) fn gain_at(&self, at: usize) -> Option<f64> {
        let offer = self.history[at].offer()?;
        Some(self.table.map_or_else(|| self.gain(offer), |table| table.gain_at(self.seat, at)))
    }

    /// Own gains of the other side's offers, newest first.
    pub(crate) fn gains_heard(&self) -> impl Iterator<Item = f64> + '_ {
        let other = |at: &usize| self.history[*at].seat != self.seat;
        (0..self.history.len()).rev().filter(other).filter_map(|at| self.gain_at(at))
    }

    /// How many offers the other side has made.
    pub(crate) fn offers_heard(&self) -> usize {
        self.standing_latest().count as usize
    }

    /// Whether the other side declared its standing offer final.
    #[must_use]
    pub fn standing_is_final(&self) -> bool {
        self.standing_latest().is_final
    }
}

/// Rounds of `rounds` until the deadline that `party` keeps, round `round` included; at least 1.
#[inline]
pub(crate) fn rounds_left(party: &PartyType, rounds: u16, round: u16) -> u16 {
    party.stays_for(rounds).saturating_sub(round).max(1)
}
