//! Value of information: which terms to ask about, where the answer would change what is offered in the end.

use super::belief::Belief;
use super::menu::{Menu, permits_value};
use zopa_envs::tactic::Selection;
use zopa_envs::{Offer, PartyView};

/// The least worth of an answer, in units: below it nothing is asked.
const LEAST_WORTH: f64 = 4e-4;
/// A normal distribution in five points: deviations and weights.
const POINTS: [(f64, f64); 5] = [(-1.5, 0.12), (-0.7, 0.23), (0.0, 0.30), (0.7, 0.23), (1.5, 0.12)];

/// A question put as terms.
pub(super) struct Probe {
    /// The other terms to offer.
    pub(super) terms: Offer,
    /// What the answer is worth, in units.
    pub(super) worth: f64,
}

/// The terms about which an answer is worth most: the expected value of perfect information on one issue's weight (Raiffa
/// and Schlaifer 1961), the mean over what the weight may be of the best value's worth then, less the worth of what is best
/// now. Only sides that take over terms and price them answer.
pub(super) fn probe_terms(view: &PartyView<'_>, belief: &Belief, menu: &Menu) -> Option<Probe> {
    let Menu::Priced { terms, own, .. } = menu else { return None };
    let valuation = &belief.valuation;
    let answering: f64 = belief
        .hypotheses
        .iter()
        .filter(|hypothesis| hypothesis.seed.selection == Some(Selection::TakeOver))
        .map(|hypothesis| hypothesis.weight)
        .sum();
    let state = belief.mean();
    let exchange = (own.slope / valuation.price_slope(terms, &state)).abs();
    let issues = view.public.space.issues();
    let mut best: Option<Probe> = None;
    for issue in (0..issues.len()).filter(|&issue| Some(issue) != valuation.price) {
        let Some((index, steps)) = valuation.weight_of(issue) else { continue };
        let table = view.own.utility.table(issue);
        let (mean, (low, high)) = (state[index], belief.bounds[index]);
        let deviation = libm::sqrt(belief.variance(index, mean));
        let allowed =
            || (0..issues[issue].len()).filter(|&value| permits_value(view.mandate, &view.public.space, issue, value));
        let worth = |value: u32, weight: f64| {
            table.get(value as usize).copied().unwrap_or(0.0) / valuation.unit
                + exchange * weight * steps[value as usize]
        };
        let now = terms.get(issue);
        let mut answer = 0.0;
        // The value that would be best most often but is not the best now.
        let mut rival: Option<(f64, u32)> = None;
        for (away, share) in POINTS {
            let weight = (mean + away * deviation).clamp(low, high);
            let Some(top) = allowed().max_by(|&a, &b| worth(a, weight).total_cmp(&worth(b, weight))) else { continue };
            let gain = worth(top, weight) - worth(now, weight);
            answer += share * gain;
            if top != now && rival.is_none_or(|(most, _)| share * gain > most) {
                rival = Some((share * gain, top));
            }
        }
        let worth = answer * answering;
        if let Some((_, value)) = rival
            && worth > LEAST_WORTH
            && best.as_ref().is_none_or(|found| worth > found.worth)
        {
            best = Some(Probe { terms: terms.with(issue, value), worth });
        }
    }
    best
}
