//! What offers on the table are worth to both sides, computed once each.

use super::Negotiation;
use crate::outcome::Offer;
use crate::party::Seat;
use crate::utility::Line;
use crate::view::Latest;

/// What an offer is worth to buyer and supplier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Valued {
    /// Gains.
    pub(super) gains: [f64; 2],
    /// Lines over the price with its other terms.
    pub(super) lines: [Line; 2],
}

impl Valued {
    /// Of no offer.
    pub(super) const NOTHING: Self = Self { gains: [0.0; 2], lines: [Line::NONE; 2] };
}

/// A side's latest offer.
#[derive(Clone, Debug)]
pub(crate) struct LatestOffer {
    pub(super) offer: Offer,
    pub(super) valued: Valued,
    /// How many it made; where there is none, the rest means nothing.
    pub(super) count: u32,
    pub(super) is_final: bool,
}

impl LatestOffer {
    pub(super) const NONE: Self = Self { offer: Offer::NOTHING, valued: Valued::NOTHING, count: 0, is_final: false };

    #[inline]
    pub(super) fn offer(&self) -> Option<&Offer> {
        (self.count > 0).then_some(&self.offer)
    }

    /// Becomes the next one.
    #[inline]
    pub(super) fn replace(&mut self, offer: &Offer, valued: Valued, is_final: bool) {
        self.offer.clone_from(offer);
        self.count_next(valued, is_final);
    }

    /// Becomes the next one, whose terms it has already.
    #[inline]
    pub(super) fn count_next(&mut self, valued: Valued, is_final: bool) {
        (self.valued, self.is_final) = (valued, is_final);
        self.count += 1;
    }

    #[inline]
    fn seen_by(&self, seat: Seat) -> Latest<'_> {
        Latest {
            offer: self.offer(),
            gain: self.valued.gains[seat.index()],
            line: self.valued.lines[seat.index()],
            count: self.count,
            is_final: self.is_final,
        }
    }
}

/// What lies on the table, and what every offer so far was worth.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Both sides' latest offers, buyer first.
    pub(super) latest: [LatestOffer; 2],
    /// What the move at each place of the history gains buyer and supplier; 0 where it is no offer.
    pub(super) gains: Vec<[f64; 2]>,
}

impl Table {
    /// Nothing yet, with memory for `moves`.
    pub(super) fn with_capacity(moves: usize) -> Self {
        Self { latest: [LatestOffer::NONE; 2], gains: Vec::with_capacity(moves) }
    }

    /// Starts over.
    pub(super) fn clear(&mut self) {
        self.latest = [LatestOffer::NONE; 2];
        self.gains.clear();
    }

    /// The latest offer of the side at `seat` as the one at `looking` sees it.
    #[inline]
    pub(crate) fn latest(&self, seat: Seat, looking: Seat) -> Latest<'_> {
        self.latest[seat.index()].seen_by(looking)
    }

    /// What the offer at place `at` of the history gains `seat`.
    #[inline]
    pub(crate) fn gain_at(&self, seat: Seat, at: usize) -> f64 {
        self.gains[at][seat.index()]
    }
}

impl Negotiation {
    /// What an offer on the grid is worth. Most offers move the price alone, and their other terms have been valued before.
    #[inline]
    pub(super) fn value(&self, offer: &Offer) -> Valued {
        let [buyer, supplier] = &self.scenario.types;
        let (Some(pays), Some(receives)) = (buyer.utility.price_term(), supplier.utility.price_term()) else {
            return Valued { gains: [buyer.gain(offer), supplier.gain(offer)], ..Valued::NOTHING };
        };
        let [one, other] = &self.table.latest;
        let lines = if one.offer.same_but(offer, pays.issue()) && one.count > 0 {
            one.valued.lines
        } else if other.offer.same_but(offer, pays.issue()) && other.count > 0 {
            other.valued.lines
        } else {
            [buyer.utility.line_of(offer), supplier.utility.line_of(offer)]
        };
        let price = pays.price(offer.get(pays.issue()));
        let same = self.routine.prices.is_some();
        let other_price = if same { price } else { receives.price(offer.get(receives.issue())) };
        self.value_on(lines, [price, other_price])
    }

    /// What an offer with these lines over the price is worth at `prices`, as either side sees the price.
    #[inline]
    pub(super) fn value_on(&self, lines: [Line; 2], prices: [f64; 2]) -> Valued {
        let disagreement = &self.routine.disagreement;
        let gain = |side: usize| lines[side].rest + lines[side].slope * prices[side] - disagreement[side];
        Valued { gains: [gain(0), gain(1)], lines }
    }
}
