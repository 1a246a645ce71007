//! Time-dependent concession (Faratin, Sierra and Jennings 1998).

use crate::action::Action;
use crate::package::Packages;
use crate::view::PartyView;

/// Concedes from an initial to a last aspiration by the clock:
/// `aspiration(t) = last + (initial - last) * (1 - t^(1/exponent))`, in shares of the party's yardstick.
///
/// The exponent follows GENIUS: below 1 *boulware* (holds, then concedes late), 1 linear, above 1 *conceder*. NegMAS writes
/// the inverse. It accepts what is worth at least its own next offer (AC-next, Baarslag et al. 2013).
#[derive(Clone, Debug, PartialEq)]
pub struct TimeDependent {
    /// Concession exponent in GENIUS's convention; positive.
    pub exponent: f64,
    /// First aspiration as a share of the yardstick.
    pub initial: f64,
    /// Last aspiration as a share of the yardstick.
    pub last: f64,
}

impl TimeDependent {
    /// The own gain aspired to at progress `t` in `[0, 1]`, in units of utility.
    #[must_use]
    pub fn aspiration(&self, t: f64, yardstick: f64) -> f64 {
        let conceded = libm::pow(t, 1.0 / self.exponent);
        yardstick * (self.last + (self.initial - self.last) * (1.0 - conceded))
    }

    pub(super) fn act(&self, view: &PartyView<'_>) -> Action {
        let target = self.aspiration(view.progress(), view.own.yardstick);
        let packages = Packages { space: &view.public.space, party: view.own, mandate: view.mandate, seat: view.seat };
        let like = view.standing().or(view.own_last()).or(view.public.status_quo.as_ref());
        let offer = match like {
            Some(like) => packages.at_gain(target, like),
            None => packages.best().and_then(|like| packages.at_gain(target, &like)),
        }
        .or_else(|| packages.best());
        let Some(offer) = offer else { return Action::Pass };
        match view.standing_gain() {
            Some(standing) if standing >= view.gain(&offer).min(target) => Action::Accept,
            _ => Action::offer(offer),
        }
    }
}
