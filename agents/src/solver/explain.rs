//! The decision as an auditor reads it: alternatives, belief, limits.

use super::belief::{Belief, Hypothesis};
use super::choice::{Candidate, Choice, Weighed};
use super::family::GENERIC_NAME;
use super::gaussian::{NormalTable, normal_below};
use super::mind::Manner;
use super::particle::Particle;
use std::fmt::Write as _;
use std::sync::Arc;
use zopa_envs::score::FAMILY;
use zopa_envs::{Alternative, Belief as Stated, CommonPrior, Offer, PartyView, Rationale};

/// Alternatives that a decision shows.
pub(super) const SHOWN: usize = 10;
/// The probability of belief intervals.
pub(super) const LEVEL: f64 = 0.9;
/// The probability on either side of them.
const TAIL: f64 = 0.5 * (1.0 - LEVEL);
/// The share of the filter's deviations that stated intervals take: normals reach further than the flat distributions they stand
/// for. Found on training splits.
const SHARPER: f64 = 0.95;
/// The same for courses: what steers them is drawn and not learnt, so that their offers are taken as noisier than they are.
const SHARPER_COURSES: f64 = 0.86;
/// Hypotheses below this share do not enter an interval.
const SMALL: f64 = 2e-3;

/// The package of an action; `None` where it has none.
fn package<'a>(view: &PartyView<'a>, weighed: &'a Weighed) -> Option<&'a Offer> {
    match &weighed.option {
        Candidate::Accept => view.standing(),
        Candidate::Offer(offer) => Some(offer),
        Candidate::Pass | Candidate::Leave => None,
    }
}

/// The packages of actions in their order, each once: to take what stands and to offer the same is one.
pub(super) fn packages<'a>(
    view: &PartyView<'a>,
    weighed: impl Iterator<Item = &'a Weighed>,
) -> Vec<(&'a Offer, &'a Weighed)> {
    let mut packages: Vec<(&Offer, &Weighed)> = Vec::with_capacity(2 * SHOWN);
    for weighed in weighed {
        if let Some(offer) = package(view, weighed).filter(|offer| packages.iter().all(|(known, _)| known != offer)) {
            packages.push((offer, weighed));
        }
    }
    packages
}

/// The best alternatives that are packages, in units of utility: those that were weighed as actions, best first, then those that are
/// shown besides, best first.
pub(super) fn alternatives(view: &PartyView<'_>, choice: &Choice, unit: f64) -> Vec<Alternative> {
    let shown = |(offer, weighed): (&Offer, &Weighed)| {
        let (value, expected) = (view.gain(offer), Some(weighed.value * unit));
        Alternative { offer: offer.clone(), value, acceptance: Some(weighed.acceptance.clamp(0.0, 1.0)), expected }
    };
    packages(view, choice.weighed.iter().chain(&choice.further)).into_iter().map(shown).take(SHOWN).collect()
}

/// Central intervals of 90 % of every hidden parameter that the prior names; empty without a published prior.
pub(super) fn intervals(view: &PartyView<'_>, belief: &Belief) -> Vec<Stated> {
    let CommonPrior::Parties(priors) = &view.public.prior else { return Vec::new() };
    let prior = &priors[view.seat.other().index()];
    let names = prior.parameter_names(&view.public.space);
    let parts = names.into_iter().zip(prior.distributions()).zip(belief.valued());
    parts
        .map(|((name, distribution), index)| {
            let (low, high) = if belief.is_fresh() {
                (distribution.quantile(TAIL), distribution.quantile(1.0 - TAIL))
            } else {
                (quantile(belief, index, TAIL), quantile(belief, index, 1.0 - TAIL))
            };
            Stated { parameter: Arc::from(name), low: low.min(high), high: high.max(low), level: LEVEL }
        })
        .collect()
}

/// Whether the other side is of each published family, 1 or 0, as the central interval of 90 % at the family's share of the belief.
/// Families without a hypothesis are left out: nothing is believed of them.
pub(super) fn family_intervals(view: &PartyView<'_>, belief: &Belief) -> Vec<Stated> {
    let families = &view.public.families;
    let shares = belief.families(families.len());
    let held = families.iter().zip(shares).enumerate().filter(|(index, _)| belief.considers(*index));
    held.map(|(_, (notice, share))| {
        let [low, high] = [TAIL, 1.0 - TAIL].map(|p| f64::from(u8::from(p > 1.0 - share)));
        Stated { parameter: format!("{FAMILY}{}", notice.name).into(), low, high, level: LEVEL }
    })
    .collect()
}

fn sharper(hypothesis: &Hypothesis) -> f64 {
    if matches!(hypothesis.seed.manner, Manner::Course { .. }) { SHARPER_COURSES } else { SHARPER }
}

/// The quantile of one component of the state, `p` from 0.05 to 0.95, by bisection between its bounds. The mixture's normals are not cut off there: they
/// stand for flat distributions of the same variance, whose outer parts would get too little.
pub(super) fn quantile(belief: &Belief, index: usize, p: f64) -> f64 {
    let (low, high) = belief.bounds[index];
    if high - low < 1e-12 {
        return low;
    }
    let parts: Vec<[f64; 3]> = belief
        .hypotheses
        .iter()
        .filter(|hypothesis| hypothesis.weight > SMALL)
        .map(|hypothesis| {
            let deviation = (sharper(hypothesis) * libm::sqrt(hypothesis.state.variance(index))).max(1e-9);
            [hypothesis.weight, hypothesis.state.mean[index], deviation]
        })
        .collect();
    let total: f64 = parts.iter().map(|part| part[0]).sum();
    let below = |x: f64| {
        let sum = parts.iter().map(|[weight, mean, deviation]| {
            let z = (x - mean) / deviation;
            weight * if z.abs() > NormalTable::REACH { f64::from(u8::from(z > 0.0)) } else { normal_below(z) }
        });
        sum.sum::<f64>() / total.max(1e-300)
    };
    // The table tells on which side of `p` nearly every point lies, at a tenth of the cost; the others are worked out.
    let table = NormalTable::get();
    let is_below = |x: f64| {
        let sum = parts.iter().map(|[weight, mean, deviation]| weight * table.below((x - mean) / deviation));
        let near = sum.sum::<f64>() / total.max(1e-300);
        if (near - p).abs() > NormalTable::ERROR { near < p } else { below(x) < p }
    };
    let (sum, squares) = parts.iter().fold((0.0, 0.0), |(sum, squares), [weight, mean, deviation]| {
        (sum + weight * mean, squares + weight * (mean * mean + deviation * deviation))
    });
    let mean = sum / total.max(1e-300);
    // No more than a twentieth lies further out on one side (Cantelli), and nobody asks for less.
    let reach = 4.4 * libm::sqrt((squares / total.max(1e-300) - mean * mean).max(0.0));
    let (mut least, mut most) = ((mean - reach).clamp(low, high), (mean + reach).clamp(low, high));
    for _ in 0..12 {
        let middle = f64::midpoint(least, most);
        if is_below(middle) { least = middle } else { most = middle }
    }
    f64::midpoint(least, most)
}

/// What the other side's next offer would gain the own side: a central interval over the particles, in units of utility.
/// `offered`: the own gain of the offer that it answers, in units.
pub(super) fn next_offer(
    particles: &[Particle],
    unit: f64,
    now: super::mind::Turn,
    offered: Option<f64>,
) -> Option<[f64; 3]> {
    let mut gains: Vec<f64> = particles
        .iter()
        .filter(|particle| !(particle.leaves && now.round >= particle.rounds))
        .map(|particle| {
            let mut mind = particle.mind.clone();
            if let Some(own) = offered {
                mind.hear(particle.exchange.theirs(own), true);
            }
            let now = super::mind::Turn { rounds: particle.rounds, ..now };
            let asked = mind.turn(&particle.manner, &particle.traits, now);
            particle.offers(asked.ask) * unit
        })
        .collect();
    gains.sort_by(f64::total_cmp);
    let at = |p: f64| gains[((p * gains.len() as f64) as usize).min(gains.len() - 1)];
    (!gains.is_empty()).then(|| [at(0.05), at(0.5), at(0.95)])
}

/// The reasons of a decision. `solver`: who decides, with its version.
/// `stated`: the intervals of hidden parameters stated with it.
pub(super) fn rationale(
    view: &PartyView<'_>,
    belief: &Belief,
    stated: &[Stated],
    choice: &Choice,
    solver: &str,
) -> Rationale {
    let unit = belief.valuation.unit;
    let names = view.public.families.iter().map(|notice| notice.name.clone());
    let names = names.chain(std::iter::once(Arc::from(GENERIC_NAME)));
    let mut families: Vec<(Arc<str>, f64)> = names.zip(belief.families(view.public.families.len())).collect();
    families.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    families.retain(|(_, share)| *share >= 0.005);
    let reply = view.round + u16::from(view.public.opener != view.seat);
    let offered = choice.weighed.first().filter(|best| matches!(best.option, Candidate::Offer(_))).map(|best| best.own);
    let now = super::mind::Turn {
        round: reply,
        rounds: view.public.rounds,
        discount: belief.round_discount(view),
        signals: if offered.is_some() { super::words::signals(view) } else { [0.0; 3] },
    };
    let next_offer = (reply < view.public.rounds).then(|| next_offer(&choice.particles, unit, now, offered)).flatten();
    let waiting = choice.weighed.iter().find(|weighed| weighed.option == Candidate::Pass);
    Rationale {
        solver: solver.into(),
        belief: in_words(view, belief, stated, &families, next_offer),
        families,
        next_offer,
        constraints: constraints(view, choice, unit),
        waiting: waiting.map_or(0.0, |weighed| weighed.value * unit),
        nodes: choice.nodes,
    }
}

fn in_words(
    view: &PartyView<'_>,
    belief: &Belief,
    stated: &[Stated],
    families: &[(Arc<str>, f64)],
    next_offer: Option<[f64; 3]>,
) -> String {
    let mut text = String::new();
    match families.first() {
        Some((name, share)) if *share >= 0.5 => {
            let _ = write!(text, "It behaves most likely as {name} ({:.0} %).", 100.0 * share);
        }
        Some((name, share)) => {
            let others: Vec<&str> = families.iter().skip(1).take(2).map(|(name, _)| &**name).collect();
            let _ = write!(text, "How it behaves is open: {name} ({:.0} %)", 100.0 * share);
            let _ = write!(text, "{}{}.", if others.is_empty() { "" } else { ", then " }, others.join(", "));
        }
        None => {}
    }
    if let (true, Some(fallback)) = (belief.valuation.price.is_some(), stated.first()) {
        let [low, high] = [fallback.low, fallback.high].map(|share| 1.0 + belief.valuation.sign * share);
        let (low, high) = (low.min(high) * belief.valuation.unit, low.max(high) * belief.valuation.unit);
        let _ =
            write!(text, " Its reservation price at the reference terms lies between {low:.0} and {high:.0} (90 %).");
    }
    if let Some([low, middle, high]) = next_offer {
        let _ = write!(text, " Its next offer should gain {middle:.2} ({low:.2} to {high:.2}).");
    }
    if view.public.speech {
        let _ = write!(text, " Its cues have seemed true {:.0} % of the time.", 100.0 * belief.cues.truthfulness());
    }
    text
}

/// Limits of authority that the best actions stand at.
fn constraints(view: &PartyView<'_>, choice: &Choice, unit: f64) -> Vec<String> {
    let mut bound = Vec::new();
    let offered = choice.weighed.iter().find(|weighed| matches!(weighed.option, Candidate::Offer(_)));
    if let (Some(last), Some(caps), Some(offered)) = (view.own_last_gain(), &view.public.guardrails, offered) {
        let least = caps.least_gain(view.own, view.phase(), Some(last));
        if offered.own * unit <= least + 1.5 * view.own.smallest_step {
            bound.push(format!("guardrails: no more than {:.2} may be given up in this move", last - least));
        }
    }
    if let Some(least) = view.mandate.least_gain
        && offered.is_some_and(|offered| offered.own * unit <= least + 1.5 * view.own.smallest_step)
    {
        bound.push(format!("mandate: no gain below {least:.2}"));
    }
    if let Some(limit) = view.mandate.price_limit {
        bound.push(format!("mandate: no price beyond {limit}"));
    }
    for permitted in &view.mandate.permitted {
        bound.push(format!("mandate: only some values of {}", view.public.space.issues()[permitted.issue].name));
    }
    if !view.mandate.approval.is_empty() {
        bound.push("approval: packages that a person would have to approve were left out".to_owned());
    }
    if choice.weighed.first().is_some_and(|best| best.option == Candidate::Leave) {
        bound.push("no action is expected to gain anything".to_owned());
    }
    bound.extend(choice.probe.map(|probe| format!("probe: {probe}")));
    bound
}
