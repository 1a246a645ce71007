//! An agent that thinks of the next contract: it leaves the other side a margin on purpose.

use crate::agent::Agent;
use crate::aspiration::first_share;
use crate::estimate::{expected_other, least_disagreement};
use crate::joint::JointPackages;
use zopa_envs::random::LazyStream;
use zopa_envs::relationship::{PublicRelationship, RelationshipRules};
use zopa_envs::{Action, Decision, Offer, PartyType, PartyView, Seat};

/// Margins that are weighed, from none to a healthy one.
const STEPS: u32 = 40;

/// Concedes in a straight line, and never asks for what would leave the other side less than a margin.
///
/// The margin, a share of the status quo's price, is the one that pays best by the published rules of the relationship
/// ([`margin_to_leave`]). In a single negotiation, and where no rules are published, it is 0. Where an offer stands that leaves
/// less by the agent's estimate, it answers with the package that leaves the margin instead of taking it: the other side will
/// not refuse more than it asked for. The other side is estimated by its prior's means; its disagreement value by what is left
/// possible of the prior, since nobody offers or signs what is worse than no deal. In a last turn that nobody answers it takes
/// anything better than no deal.
#[derive(Clone, Debug, Default)]
pub struct Partner {
    first_gain: Option<f64>,
}

impl Agent for Partner {
    fn id(&self) -> &str {
        "partner"
    }

    fn begin(&mut self, _stream: LazyStream) {
        self.first_gain = None;
    }

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        let other = estimate(view);
        let joint = JointPackages::new(view.public, view.seat, view.own, &other, view.mandate);
        let scale = view.public.status_quo_price().unwrap_or(view.own.yardstick);
        let most = joint.best_leaving(0.0).map_or(0.0, |offer| view.gain(&offer));
        let margin = view.relationship.map_or(0.0, |known| margin_to_leave(known, view.seat, most / scale));
        // Who leaves the other side more than half of what there is does it no favour that lasts.
        let margin = (margin * scale).min(0.5 * most).max(0.0);
        let generous = joint.best_leaving(margin).filter(|offer| view.gain(offer) > 0.0);
        let cap = generous.as_ref().map_or(f64::INFINITY, |offer| view.gain(offer));
        let first = *self.first_gain.get_or_insert_with(|| first_share(view) * view.own.yardstick);
        let target = (first * (1.0 - view.own_progress())).min(cap).max(0.0);
        let packages = view.packages();
        let like = generous.as_ref().or(view.standing());
        let next =
            like.and_then(|like| packages.at_gain(target.max(view.least_gain()), like)).or_else(|| packages.best());
        let standing = view.standing().filter(|standing| {
            view.refusal.is_none() && view.mandate.test(&view.public.space, view.own, view.seat, standing).is_ok()
        });
        let unanswered = view.is_last_turn() && view.seat != view.public.opener;
        let Some(next) = next else { return Action::Pass.into() };
        match standing {
            Some(offer) if unanswered && view.gain(offer) > 0.0 => Action::Accept.into(),
            Some(offer) if view.gain(offer) >= view.gain(&next) => {
                let squeezed = other.gain(offer) < margin && !view.is_last_turn();
                match generous.filter(|_| squeezed).filter(|gift| is_better_for(&other, gift, offer)) {
                    Some(gift) if view.gain(&gift) >= view.least_gain() => Action::offer(gift).into(),
                    _ => Action::Accept.into(),
                }
            }
            _ => Action::offer(next).into(),
        }
    }
}

fn is_better_for(other: &PartyType, gift: &Offer, standing: &Offer) -> bool {
    other.gain(gift) > other.gain(standing)
}

/// The other side by its prior's means, with a disagreement value in the middle of what its offers and past deals leave of the
/// prior.
fn estimate(view: &PartyView<'_>) -> PartyType {
    let mut other = expected_other(view);
    let Some(low) = least_disagreement(view) else { return other };
    let past = view.relationship.iter().flat_map(|known| &known.past).filter_map(|past| past.outcome.agreement());
    let shown = view.offers_of(view.seat.other()).chain(past);
    let known = shown.map(|offer| other.utility.of(offer)).fold(f64::INFINITY, f64::min);
    let high = known.min(2.0 * other.disagreement - low);
    if high.is_finite() && high > low {
        other.disagreement = f64::midpoint(low, high);
    }
    other
}

/// The margin to leave the other side in the contract that `known` is at, as a share of the status quo's price, where a contract
/// can be worth `worth` to the side at `seat` (a share of it, too): the largest value of what is kept, what lateness, wanting
/// quality and failure cost by the published functions, and what trust is worth in the contracts that follow. A failure loses
/// those as well. Trust of full evidence lowers the other side's aspirations, taken to be a fair margin, by the published
/// factors, and fades at the rate at which it moves.
#[must_use]
pub fn margin_to_leave(known: &PublicRelationship, seat: Seat, worth: f64) -> f64 {
    let RelationshipRules { delivery, regard } = *known.rules;
    let following = f64::from(known.contracts.saturating_sub(known.contract + 1));
    let lasting: f64 = (0..known.contracts.saturating_sub(known.contract + 1))
        .map(|number| libm::pow(1.0 - regard.trust_rate, f64::from(number)))
        .sum();
    let trust = 2.0 * regard.demand_spread * regard.trust_rate * regard.fair_margin * lasting;
    let most = delivery.healthy_margin.max(regard.fair_margin);
    let kept = |margin: f64| {
        let costs = if seat == Seat::Buyer {
            let fails = delivery.failure_chance(margin);
            fails * (delivery.failure_cost + worth * (1.0 + following))
                + (1.0 - fails) * delivery.late_chance(margin) * delivery.late_cost
                + delivery.quality_loss(margin)
        } else {
            0.0
        };
        trust * regard.evidence(margin, None) - costs - margin
    };
    let margins = (0..=STEPS).map(|step| most * f64::from(step) / f64::from(STEPS));
    margins
        .map(|margin| (kept(margin), margin))
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)))
        .map_or(0.0, |best| best.1)
}

#[cfg(test)]
mod tests {
    use super::margin_to_leave;
    use std::sync::Arc;
    use zopa_envs::relationship::PublicRelationship;
    use zopa_envs::{ScenarioSource, Seat};
    use zopa_scenarios::{SourceOptions, Suite};

    fn margin(contracts: u16, seat: Seat) -> f64 {
        let source = Arc::new(Suite::open("repeated-v1").unwrap()).source(&SourceOptions::default()).unwrap();
        let rules = source.series(0).unwrap().rules;
        margin_to_leave(&PublicRelationship { rules, contracts, contract: 0, past: Vec::new() }, seat, 0.08)
    }

    #[test]
    fn the_more_contracts_follow_the_more_is_left() {
        for seat in Seat::BOTH {
            let left: Vec<f64> = (1..=10).map(|contracts| margin(contracts, seat)).collect();
            assert!(left.windows(2).all(|pair| pair[0] <= pair[1]), "{seat}: {left:?}");
        }
        assert!(margin(10, Seat::Buyer) > 0.03);
    }

    #[test]
    fn a_last_contract_leaves_a_supplier_something_and_a_buyer_nothing() {
        assert!(margin(1, Seat::Buyer) > 0.0);
        assert_eq!(margin(1, Seat::Supplier), 0.0);
    }
}
