//! What is done in the turns before the one that closes.

use crate::oracle::idle;
use zopa_envs::{Action, Message, Offer, PartyView};

/// An open-loop way through the turns.
#[derive(Clone, Debug)]
pub(super) enum Approach {
    /// Passes.
    Wait,
    /// In own turn k offers the own gain `top - k * step`, with the other terms of `like`.
    Ladder {
        /// First own gain, in units of utility.
        top: f64,
        /// Own gain given up a turn, in units of utility.
        step: f64,
        /// The package whose other terms are kept.
        like: Offer,
    },
}

/// An approach with the words that go with its offers.
#[derive(Clone, Debug)]
pub(super) struct Spoken {
    pub(super) approach: Approach,
    pub(super) words: Option<Message>,
}

impl Approach {
    /// Its action in own turn `turn`, counted from 0 where it was taken up; within what guardrails and mandate permit.
    pub(super) fn action(&self, view: &PartyView<'_>, turn: u16) -> Action {
        let Self::Ladder { top, step, like } = self else { return idle(view) };
        let target = (top - f64::from(turn) * step).max(view.least_gain()).max(0.0);
        let packages = view.packages();
        let offer = match view.own.utility.price_issue() {
            // The end of the price grid where no price reaches the target.
            Some(price) => packages.at_gain_with_terms(target, like).or_else(|| {
                let last = view.public.space.issues()[price].len() - 1;
                Some(like.with(price, if view.seat == zopa_envs::Seat::Buyer { 0 } else { last }))
            }),
            None => packages.at_gain(target, view.own_last().unwrap_or(like)).or_else(|| packages.best()),
        };
        offer.filter(|offer| view.gain(offer) >= 0.0).map_or(Action::Pass, Action::offer)
    }
}
