//! What can be said of the other side from public information alone.

use std::sync::Arc;
use zopa_envs::{Belief, CommonPrior, Offer, PartyPrior, PartyType, PartyView, Seat, Utility};

/// The other side as its prior's means describe it.
///
/// In domains without a published prior (imported ones) the other side is assumed to want the reverse of what this side
/// wants on every issue, all issues weighing the same, and to have a disagreement value of 0.
#[must_use]
pub fn expected_other(view: &PartyView<'_>) -> PartyType {
    match other_prior(view) {
        Some((prior, status_quo)) => {
            let means: Vec<f64> = prior.distributions().map(|distribution| distribution.mean()).collect();
            described(view, prior, &means, status_quo)
        }
        None => reversed(view),
    }
}

/// The other side at its most flexible: as [`expected_other`], but its disagreement value at the low end of the prior.
/// `None` where no prior is published.
#[must_use]
pub fn most_flexible_other(view: &PartyView<'_>) -> Option<PartyType> {
    let (prior, status_quo) = other_prior(view)?;
    let mut parameters: Vec<f64> = prior.distributions().map(|distribution| distribution.mean()).collect();
    parameters[0] = prior.disagreement.support().0;
    Some(described(view, prior, &parameters, status_quo))
}

/// The least that the other side can have without a deal by its published prior, in units of its utility; `None` where no prior
/// is published.
#[must_use]
pub fn least_disagreement(view: &PartyView<'_>) -> Option<f64> {
    let (prior, _) = other_prior(view)?;
    Some(prior.disagreement.support().0 * view.public.status_quo_price()?)
}

/// The prior as beliefs: central intervals that hold `level` of each parameter's probability.
#[must_use]
pub fn prior_beliefs(view: &PartyView<'_>, level: f64) -> Vec<Belief> {
    let Some((prior, _)) = other_prior(view) else { return Vec::new() };
    let tail = (1.0 - level) / 2.0;
    prior
        .parameter_names(&view.public.space)
        .into_iter()
        .zip(prior.distributions())
        .map(|(parameter, distribution)| Belief {
            parameter: Arc::from(parameter),
            low: distribution.quantile(tail),
            high: distribution.quantile(1.0 - tail),
            level,
        })
        .collect()
}

fn other_prior<'a>(view: &PartyView<'a>) -> Option<(&'a PartyPrior, &'a Offer)> {
    match &view.public.prior {
        CommonPrior::Unknown => None,
        CommonPrior::Parties(priors) => Some((&priors[view.seat.other().index()], view.public.status_quo.as_ref()?)),
    }
}

fn described(view: &PartyView<'_>, prior: &PartyPrior, parameters: &[f64], status_quo: &Offer) -> PartyType {
    let space = &view.public.space;
    let mut other = PartyType::of_money(Utility::zero(space), 0.0, status_quo);
    prior.describe(parameters, view.seat.other(), space, status_quo, &mut other);
    other
}

fn reversed(view: &PartyView<'_>) -> PartyType {
    let space = &view.public.space;
    let mut utility = Utility::zero(space);
    let weight = 1.0 / space.issues().len() as f64;
    for position in 0..space.issues().len() {
        let own = view.own.utility.table(position);
        let low = own.iter().copied().fold(f64::INFINITY, f64::min);
        let high = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for (entry, worth) in utility.table_mut(position).iter_mut().zip(own) {
            // Where this side does not care, nothing says what the other one wants.
            *entry = if high > low { weight * (high - worth) / (high - low) } else { 0.0 };
        }
    }
    if let Some(price) = view.own.utility.price_issue() {
        // Money without a prior: the other side is on the other end of the price, and the rest of what it wants is unknown.
        let mut other = Utility::zero(space);
        other.set_price(space, price, view.seat == Seat::Buyer, None);
        let status_quo = view.public.status_quo.clone().unwrap_or_else(|| middle(view));
        other.add_constant(-other.of(&status_quo));
        return PartyType::of_money(other, 0.0, &status_quo);
    }
    // Not `of_tables`: nobody looks the estimate's outcomes up in order, and sorting a million of them takes long.
    PartyType { order: None, disagreement: 0.0, utility, ..view.own.clone() }
}

/// The package in the middle of every grid.
fn middle(view: &PartyView<'_>) -> Offer {
    let indices: Vec<u32> = view.public.space.issues().iter().map(|issue| (issue.len() - 1) / 2).collect();
    Offer::new(&indices)
}
