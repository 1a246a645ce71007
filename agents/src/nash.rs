//! The Nash agent: a bargaining solution under an estimate of the other side.

use crate::agent::Agent;
use crate::aspiration::first_share;
use crate::estimate::{expected_other, prior_beliefs};
use crate::joint::JointPackages;
use zopa_envs::random::LazyStream;
use zopa_envs::{Action, Alternative, Belief, Decision, Offer, PartyView};

/// The probability of its belief intervals.
const LEVEL: f64 = 0.9;

/// Aims at the symmetric Nash solution between its own type and the other side's expected one ([`expected_other`]).
///
/// It concedes in a straight line from [`first_share`] to the Nash gain at its deadline, with the Nash package's other terms,
/// and accepts whatever is worth at least the Nash gain; in a last turn that nobody answers, anything better than no deal.
/// Where its estimate leaves both sides no gain, it aims at the terms of largest joint gain and at the least gain that is
/// better than no deal. It keeps to guardrails and mandate by itself and never updates its estimate: what it believes is the
/// prior. The Nash solution is a rule for choosing an agreement, no equilibrium of the negotiation that is played.
#[derive(Clone, Debug, Default)]
pub struct NashAgent {
    plan: Option<Plan>,
}

#[derive(Clone, Debug)]
struct Plan {
    package: Offer,
    nash_gain: f64,
    first_gain: f64,
    beliefs: Vec<Belief>,
}

impl Plan {
    /// `None` where the mandate permits no package.
    fn of(view: &PartyView<'_>) -> Option<Self> {
        let other = expected_other(view);
        let joint = JointPackages::new(view.public, view.seat, view.own, &other, view.mandate);
        let package = match joint.nash() {
            Some(package) => package,
            None => {
                let terms = joint.utilitarian().or_else(|| view.packages().best())?;
                view.packages().at_gain(view.own.smallest_step, &terms)?
            }
        };
        let nash_gain = view.gain(&package);
        let first_gain = (first_share(view) * view.own.yardstick).max(nash_gain);
        Some(Self { package, nash_gain, first_gain, beliefs: prior_beliefs(view, LEVEL) })
    }
}

impl Agent for NashAgent {
    fn id(&self) -> &str {
        "nash"
    }

    fn begin(&mut self, _stream: LazyStream) {
        self.plan = None;
    }

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        if self.plan.is_none() {
            self.plan = Plan::of(view);
        }
        let Some(plan) = &self.plan else { return Action::WalkAway.into() };
        let target = plan.nash_gain + (plan.first_gain - plan.nash_gain) * (1.0 - view.own_progress());
        let packages = view.packages();
        let next = packages.at_gain(target.max(view.least_gain()), &plan.package).or_else(|| packages.best());
        let unanswered = view.is_last_turn() && view.seat != view.public.opener;
        let standing = view.standing().filter(|standing| {
            view.refusal.is_none() && view.mandate.test(&view.public.space, view.own, view.seat, standing).is_ok()
        });
        let accepts = |offer: &&Offer| {
            let gain = view.gain(offer);
            gain >= plan.nash_gain || (unanswered && gain > 0.0)
        };
        let action = match (standing.filter(accepts), &next) {
            (Some(_), _) => Action::Accept,
            (None, Some(next)) => Action::offer(next.clone()),
            (None, None) => Action::Pass,
        };
        let weighed = |offer: &Offer, acceptance| Alternative {
            offer: offer.clone(),
            value: view.gain(offer),
            acceptance,
            expected: None,
        };
        let alternatives = standing.map(|offer| weighed(offer, Some(1.0)));
        let alternatives = alternatives.into_iter().chain(next.as_ref().map(|offer| weighed(offer, None))).collect();
        Decision { alternatives, beliefs: plan.beliefs.clone(), ..action.into() }
    }
}
