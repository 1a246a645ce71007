//! The best response: a ceiling that knows the other side's type and policy and plans against it.

mod approach;
mod frontier;
mod plan;
mod rehearsal;
mod stopping;

use crate::agent::Ceiling;
use crate::oracle::{idle, without_script};
use frontier::Frontiers;
use plan::Plan;
use stopping::Stopping;
use zopa_envs::random::LazyStream;
use zopa_envs::{Decision, PartyView, Policy, Scenario, Tactic};

/// Plays what brings most against this very counterpart: its type, its policy with all parameters and its memory are known,
/// its future random numbers, the drawn break-off and what else nobody could know are not.
///
/// It rehearses the negotiation on copies, from where it stands, along own *approaches*: waiting, and ladders of offers from a
/// first demand down by equal steps with the terms that suit both sides, within its guardrails and its mandate, as its
/// principal will have tightened it by then. In every turn of
/// an approach it asks what would end the negotiation there best: taking the standing offer, the approach's own offer, or the least package that
/// the counterpart would take, found by bisection along the frontier. A pattern search (Hooke and Jeeves 1961) refines the best ladder. Gains count
/// discounted and times the chance that the published hazard has not struck. It plans again when the counterpart
/// does something else than in the rehearsal.
///
/// * Against tactics that concede by the clock and hardliners it is exact up to the price grid.
/// * Against those that react it is the best over these approaches: an **estimate** from below of the true best response.
/// * Against chance, expectations are means over eight rehearsals with random numbers of its own, an
///   **estimate**; against random offers it is the optimal stopping rule for draws that do not depend on the history.
///
/// Budgets are counted in rehearsed turns, 4,000 a plan. Where no script plays the other side it does as the oracle.
#[derive(Clone, Debug, Default)]
pub struct BestResponse {
    known: Option<Known>,
}

/// What it found out at the start of a negotiation.
#[derive(Clone, Debug)]
struct Known {
    frontiers: Frontiers,
    stopping: Option<Stopping>,
    plan: Option<Plan>,
}

impl Ceiling for BestResponse {
    fn id(&self) -> &str {
        "best-response"
    }

    fn begin(&mut self, _stream: LazyStream) {
        self.known = None;
    }

    fn decide(&mut self, view: &PartyView<'_>, scenario: &Scenario) -> Decision {
        let Some(counterpart) = &scenario.counterpart else { return without_script(view, scenario) };
        if view.refusal.is_some() {
            return idle(view).into();
        }
        let known = self.known.get_or_insert_with(|| {
            let frontiers = Frontiers::of(view, scenario);
            let random = matches!(counterpart.policy, Policy::Tactic(Tactic::Random(_)));
            let stopping = random.then(|| Stopping::of(view, scenario, frontiers.under(view.mandate)));
            Known { frontiers, stopping, plan: None }
        });
        if known.frontiers.most() <= 0.0 {
            return idle(view).into();
        }
        if let Some(stopping) = &known.stopping {
            return stopping.action(view).into();
        }
        if known.plan.as_ref().is_none_or(|plan| !plan.foresaw(view)) {
            known.plan = Some(Plan::of(view, scenario, &known.frontiers));
        }
        known.plan.as_ref().map_or_else(|| idle(view).into(), |plan| plan.decision(view))
    }
}
