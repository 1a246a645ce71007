//! What an agent asks for before it knows anything of the other side but what is public.

use crate::estimate::most_flexible_other;
use crate::joint::JointPackages;
use zopa_envs::PartyView;

/// Where money has no published prior: the opening price, this share of the status quo's better than the status quo.
const OPENING_SHARE: f64 = 0.10;
/// The least first aspiration as a share of the yardstick: an agent that can hope for nothing still asks for something.
const LEAST_SHARE: f64 = 0.01;

/// The first aspiration as a share of the yardstick.
///
/// Tables: 1, the own best outcome. Money: the highest own gain of any package that the other side could take at all if it
/// were of its most flexible type, with the prior's mean valuations and the lowest disagreement value of the prior: to ask
/// for more is to ask for what is known to be refused. Without a prior: the gain at a price 10 % better than the status
/// quo's, its other terms unchanged. At least 1 % of the yardstick.
#[must_use]
pub fn first_share(view: &PartyView<'_>) -> f64 {
    if view.own.utility.price_issue().is_none() {
        return 1.0;
    }
    let hoped = match most_flexible_other(view) {
        Some(other) => JointPackages::new(view.public, view.seat, view.own, &other, view.mandate)
            .best_leaving(0.0)
            .map_or(0.0, |offer| view.gain(&offer)),
        None => {
            let status_quo = view.public.status_quo.as_ref().map_or(0.0, |offer| view.gain(offer));
            status_quo.max(0.0) + OPENING_SHARE * view.public.status_quo_price().unwrap_or(view.own.yardstick)
        }
    };
    (hoped / view.own.yardstick).max(LEAST_SHARE)
}

/// The last aspiration as a share of the yardstick: 0, the reservation value itself, as in Faratin et al. and GENIUS.
pub const LAST_SHARE: f64 = 0.0;
