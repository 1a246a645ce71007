//! What the tit-for-tat tactics share: memory of their own aspiration, and offers measured as positions.

use crate::party::Seat;
use crate::view::PartyView;

/// The own aspiration so far, in units of utility. Remembered apart from the offers made, which lie on a grid: small
/// concessions would be lost to rounding otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Imitation {
    aspiration: Option<f64>,
    answered: usize,
}

impl Imitation {
    /// The next aspiration. The first is `initial`; later ones are what `imitate` makes of the last one, whenever the other
    /// side has made an offer that was not answered yet, kept between `last` and `initial`.
    pub(super) fn aspiration(
        &mut self,
        view: &PartyView<'_>,
        initial: f64,
        last: f64,
        imitate: impl FnOnce(f64) -> Option<f64>,
    ) -> f64 {
        let heard = view.offers_heard();
        let next = match self.aspiration {
            None => initial,
            Some(before) if heard == self.answered => before,
            Some(before) => imitate(before).map_or(before, |wanted| wanted.clamp(last, initial.max(last))),
        };
        self.aspiration = Some(next);
        self.answered = heard;
        next
    }
}

/// Own gains as positions on a positive scale, on which ratios mean something.
///
/// Money: the price that would be worth the gain with the status quo's other terms, as Faratin et al. apply their ratios to
/// prices. Tables: utility above the worst outcome.
pub(super) struct Scale {
    origin: f64,
    sign: f64,
}

impl Scale {
    pub(super) fn of(view: &PartyView<'_>) -> Self {
        if view.own.utility.price_issue().is_some() {
            let sign = if view.seat == Seat::Supplier { 1.0 } else { -1.0 };
            return Self { origin: view.own.yardstick, sign };
        }
        let worst = view.own.utility.worst(&view.public.space).map_or(0.0, |offer| view.gain(&offer));
        Self { origin: -worst, sign: 1.0 }
    }

    pub(super) fn position(&self, gain: f64) -> f64 {
        self.origin + self.sign * gain
    }

    pub(super) fn gain(&self, position: f64) -> f64 {
        (position - self.origin) * self.sign
    }

    /// The aspiration `before` moved by the ratio of the other side's `older` to its `newer` offer, both in own gain, taken
    /// to the power `share`. `None` where a position is not positive, so that no ratio exists.
    pub(super) fn moved(&self, before: f64, older: f64, newer: f64, share: f64) -> Option<f64> {
        let (older, newer) = (self.position(older), self.position(newer));
        if older <= 0.0 || newer <= 0.0 {
            return None;
        }
        let ratio = if share == 1.0 { older / newer } else { libm::pow(older / newer, share) };
        Some(self.gain(self.position(before) * ratio))
    }
}
