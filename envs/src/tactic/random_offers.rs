//! Offers at random.

use super::selection::accept_or_offer;
use crate::action::Action;
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
    pub(super) fn act(&self, view: &PartyView<'_>, stream: &mut LazyStream, least: f64) -> Action {
        let least = least.max(self.least * view.own.yardstick).max(0.0);
        let packages = view.packages();
        let Some(best) = packages.best() else { return Action::Pass };
        let stream = stream.open();
        let mut drawn = best.clone();
        for _ in 0..DRAWS {
            for (position, issue) in view.public.space.issues().iter().enumerate() {
                drawn.set(position, stream.below(u64::from(issue.len())) as u32);
            }
            if view.mandate.test(&view.public.space, view.own, view.seat, &drawn).is_ok() && view.gain(&drawn) >= least
            {
                return accept_or_offer(view, Some((drawn.clone(), view.gain(&drawn))));
            }
        }
        let gain = view.gain(&best);
        accept_or_offer(view, Some((best, gain)))
    }
}
