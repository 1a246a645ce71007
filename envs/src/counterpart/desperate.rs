//! A counterpart that needs a deal soon.

use crate::view::PartyView;

/// Takes less now rather than more later: it accepts what is worth at least `impatience` times its own next offer, less what
/// the public discount takes from that by the next round. Its families have early private deadlines.
#[derive(Clone, Debug, PartialEq)]
pub struct Desperate {
    /// What its own next offer is worth to it now, as a share, in `(0, 1]`.
    pub impatience: f64,
}

impl Desperate {
    /// The own gain from which it accepts.
    pub(super) fn threshold(&self, view: &PartyView<'_>, ask: f64) -> f64 {
        let round = 1.0 / f64::from(view.public.rounds.saturating_sub(1).max(1));
        ask * self.impatience * view.public.discount_at(view.seat, round)
    }
}
