//! What one party can see.

use crate::action::{Act, Move};
use crate::mandate::{Mandate, Refusal};
use crate::outcome::Offer;
use crate::package::Packages;
use crate::party::{PartyType, Seat};
use crate::phase::{Phase, progress};
use crate::principal::Intervention;
use crate::relationship::PublicRelationship;
use crate::scenario::PublicScenario;

/// The information boundary: all that an agent ever receives. The public scenario, its own type and mandate, and the
/// public history; never a seed, an index, or anything of the other side's type.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// The own last offer and the other side's, kept with their gains so that nobody searches or values them again.
    pub(crate) latest: [Latest; 2],
}

/// A side's latest offer as the party that looks sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Latest {
    /// Its move's position in the history; [`Latest::NONE`]'s is beyond any.
    pub(crate) at: u32,
    /// Own gain of it.
    pub(crate) gain: f64,
}

impl Latest {
    /// No offer yet.
    pub(crate) const NONE: Self = Self { at: u32::MAX, gain: 0.0 };

    fn known_gain(self) -> Option<f64> {
        (self.at != u32::MAX).then_some(self.gain)
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
        let latest = [seat, seat.other()].map(|side| {
            let last = history.iter().enumerate().rev().filter(|(_, made)| made.seat == side);
            last.filter_map(|(at, made)| Some(Latest { at: at as u32, gain: own.gain(made.offer()?) }))
                .next()
                .unwrap_or(Latest::NONE)
        });
        Self { public, own, mandate, seat, round, history, refusal, notices: &[], relationship: None, latest }
    }

    /// Progress towards the public deadline, in `[0, 1]`.
    #[must_use]
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
    pub fn own_progress(&self) -> f64 {
        progress(self.round, self.own_rounds()).min(1.0)
    }

    /// Rounds that this side stays for.
    pub(crate) fn own_rounds(&self) -> u16 {
        self.own.deadline.unwrap_or(self.public.rounds).min(self.public.rounds)
    }

    /// Rounds until this side's own deadline, the current one included; at least 1.
    #[must_use]
    pub fn rounds_left(&self) -> u16 {
        self.own_rounds().saturating_sub(self.round).max(1)
    }

    /// Whether no own turn follows this one.
    #[must_use]
    pub fn is_last_turn(&self) -> bool {
        self.rounds_left() == 1
    }

    /// Own packages, to be searched by own gain.
    #[must_use]
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
    pub fn gain(&self, offer: &Offer) -> f64 {
        self.own.gain(offer)
    }

    /// A seat's offers, newest first.
    pub fn offers_of(&self, seat: Seat) -> impl Iterator<Item = &'a Offer> + use<'a> {
        self.history.iter().rev().filter(move |made| made.seat == seat).filter_map(Move::offer)
    }

    fn offer_at(&self, latest: Latest) -> Option<&'a Offer> {
        self.history.get(latest.at as usize)?.offer()
    }

    /// Own last offer.
    #[must_use]
    pub fn own_last(&self) -> Option<&'a Offer> {
        self.offer_at(self.latest[0])
    }

    /// Own gain of the own last offer.
    #[must_use]
    pub fn own_last_gain(&self) -> Option<f64> {
        self.latest[0].known_gain()
    }

    /// The other side's offer that could be accepted now: its latest.
    #[must_use]
    pub fn standing(&self) -> Option<&'a Offer> {
        self.offer_at(self.latest[1])
    }

    /// Own gain of the standing offer.
    #[must_use]
    pub fn standing_gain(&self) -> Option<f64> {
        self.latest[1].known_gain()
    }

    /// Own gain of the offer that move `at` of the history made, where it made one.
    pub(crate) fn gain_at(&self, at: usize) -> Option<f64> {
        for latest in self.latest {
            if latest.at as usize == at {
                return Some(latest.gain);
            }
        }
        self.history[at].offer().map(|offer| self.gain(offer))
    }

    /// Whether the other side declared its standing offer final.
    #[must_use]
    pub fn standing_is_final(&self) -> bool {
        let made = self.history.get(self.latest[1].at as usize);
        made.is_some_and(|made| matches!(made.act, Act::Offer { is_final: true, .. }))
    }
}
