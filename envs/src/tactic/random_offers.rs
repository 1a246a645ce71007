//! Offers at random.

use super::selection::accept_or_offer;
use crate::action::Action;
use crate::proposal::Proposal;
use crate::random::LazyStream;
use crate::view::PartyView;

/// Draws after which the own best package is offered instead.
const DRAWS: u32 = 100;

/// Offers a package drawn uniformly from those worth at least `least` of the yardstick, and accepts what is worth at least
/// the package that it has just drawn.
///
/// Source: the random party of GENIUS (Lin et al. 2014), with a least utility. Packages are drawn from the whole space, each
/// issue by itself, until one is good enough; after 100 draws the own best one is taken. No exponent.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomOffers {
    /// Least gain of an offer as a share of the yardstick; losses are never offered.
    pub least: f64,
}

impl RandomOffers {
    /// Its next action; it offers no gain below `least`, in units of utility.
    pub(super) fn propose(&self, view: &PartyView<'_>, stream: &mut LazyStream, least: f64) -> Proposal {
        let least = least.max(self.least * view.own.yardstick).max(0.0);
        let packages = view.packages();
        let Some((best, best_gain)) = packages.valued_best() else { return Proposal::Other(Action::Pass) };
        let stream = stream.open();
        let mut drawn = best.clone();
        for _ in 0..DRAWS {
            for (position, &len) in view.public.space.lens().iter().enumerate() {
                drawn.set(position, stream.below(u64::from(len)) as u32);
            }
            let gain = view.gain(&drawn);
            if gain >= least && view.mandate.test_valued(&view.public.space, view.seat, &drawn, gain).is_ok() {
                return accept_or_offer(view, Some((drawn, gain).into()));
            }
        }
        accept_or_offer(view, Some((best, best_gain).into()))
    }
}
