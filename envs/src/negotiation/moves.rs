//! The moves on the record, in memory that is kept from one negotiation to the next.

use crate::action::{Act, Move};
use crate::outcome::Offer;
use crate::party::Seat;

/// Moves, oldest first.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    /// This negotiation's, and behind them moves of one before, to be written over.
    kept: Vec<Move>,
    /// How many are this negotiation's.
    made: usize,
}

impl Moves {
    /// None, with memory for `moves`.
    pub(super) fn with_capacity(moves: usize) -> Self {
        Self { kept: Vec::with_capacity(moves), made: 0 }
    }

    /// All of this negotiation.
    #[inline]
    pub(super) fn made(&self) -> &[Move] {
        &self.kept[..self.made]
    }

    /// Starts over.
    pub(super) fn clear(&mut self) {
        self.made = 0;
    }

    /// Adds a move.
    pub(super) fn push(&mut self, made: Move) {
        match self.kept.get_mut(self.made) {
            Some(place) => *place = made,
            None => self.kept.push(made),
        }
        self.made += 1;
    }

    /// Adds an offer made in silence. Nearly always one lay in its place before, and nothing but numbers is copied.
    #[inline]
    pub(super) fn push_offer(&mut self, seat: Seat, round: u16, offer: &Offer, is_final: bool) {
        if let Some(place) = self.kept.get_mut(self.made)
            && place.message.is_none()
            && let Act::Offer { offer: kept, is_final: was_final } = &mut place.act
        {
            kept.clone_from(offer);
            *was_final = is_final;
            (place.seat, place.round) = (seat, round);
            self.made += 1;
            return;
        }
        self.push_first(seat, round, offer, is_final);
    }

    #[inline(never)]
    fn push_first(&mut self, seat: Seat, round: u16, offer: &Offer, is_final: bool) {
        self.push(Move { seat, round, act: Act::Offer { offer: offer.clone(), is_final }, message: None });
    }
}
