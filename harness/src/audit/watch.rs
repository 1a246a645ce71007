//! What an agent knew and thought, seen while it plays.

use super::{HeldBelief, Package};
use serde::Serialize;
use zopa_agents::turn::Observer;
use zopa_envs::{Decision, Fact, PartyView, Permission, PromiseKind, Seat};

/// What stood before an agent when it decided.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Known {
    /// The contract of a series, from 0.
    pub contract: u16,
    /// The round, from 0.
    pub round: u16,
    /// Rounds at most.
    pub rounds: u16,
    /// The phase.
    pub phase: String,
    /// The other side's offer that could be accepted.
    pub standing: Option<Package>,
    /// The own last offer.
    pub own_last: Option<Package>,
    /// The least own gain that guardrails and mandate permitted for the next offer, where something limited it.
    pub least_gain: Option<f64>,
    /// What the mandate said beyond the least gain.
    pub mandate: Vec<String>,
    /// What the principal had said while the negotiation ran.
    pub notices: Vec<String>,
    /// Why the last attempt in this turn was refused.
    pub refusal: Option<String>,
}

/// A package that was weighed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Considered {
    /// The package.
    #[serde(flatten)]
    pub package: Package,
    /// The agent's figure for it.
    pub value: f64,
    /// Its estimate of the chance that it is accepted.
    pub acceptance: Option<f64>,
}

impl Considered {
    /// Value times chance, where the agent had a chance for it.
    #[must_use]
    pub fn expected(&self) -> Option<f64> {
        Some(self.value * self.acceptance?)
    }
}

/// One decision from inside.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thought {
    /// What was known.
    pub known: Known,
    /// What was believed of the other side.
    pub beliefs: Vec<HeldBelief>,
    /// What was considered.
    pub considered: Vec<Considered>,
    /// Whether it asked for a person.
    pub escalated: bool,
}

impl Thought {
    /// The same with the truth beside every belief.
    pub(super) fn beside(mut self, truths: &[(String, f64)]) -> Self {
        for held in &mut self.beliefs {
            held.truth = truths.iter().find(|(name, _)| *name == *held.belief.parameter).map(|(_, truth)| *truth);
        }
        self
    }
}

/// Collects the decisions of one seat.
pub(super) struct Watch {
    seat: Seat,
    pub(super) thoughts: Vec<Thought>,
}

impl Watch {
    pub(super) fn of(seat: Seat) -> Self {
        Self { seat, thoughts: Vec::new() }
    }
}

impl Observer for Watch {
    fn decided(&mut self, view: &PartyView<'_>, decision: &Decision) {
        if view.seat != self.seat {
            return;
        }
        let package = |offer| Package { terms: view.public.space.text(offer), gain: view.gain(offer) };
        let least_gain = view.least_gain();
        let known = Known {
            contract: view.relationship.map_or(0, |relationship| relationship.contract),
            round: view.round,
            rounds: view.public.rounds,
            phase: view.phase().to_string(),
            standing: view.standing().map(package),
            own_last: view.own_last().map(package),
            least_gain: least_gain.is_finite().then_some(least_gain),
            mandate: mandate(view),
            notices: view.notices.iter().map(|notice| notice.words.to_string()).collect(),
            refusal: view.refusal.map(ToString::to_string),
        };
        let weighed = decision.alternatives.iter().map(|alternative| Considered {
            package: package(&alternative.offer),
            value: alternative.value,
            acceptance: alternative.acceptance,
        });
        let beliefs = decision.beliefs.iter().map(|belief| HeldBelief { belief: belief.clone(), truth: None });
        self.thoughts.push(Thought {
            known,
            beliefs: beliefs.collect(),
            considered: weighed.collect(),
            escalated: decision.escalate,
        });
    }
}

/// What the mandate permits and limits beyond the least gain, a line each.
fn mandate(view: &PartyView<'_>) -> Vec<String> {
    let mandate = view.mandate;
    let mut lines = Vec::new();
    if let Some(limit) = mandate.price_limit {
        let bound = if view.seat == Seat::Buyer { "above" } else { "below" };
        lines.push(format!("no price {bound} {limit}"));
    }
    for permitted in &mandate.permitted {
        let Some(issue) = view.public.space.issues().get(permitted.issue) else { continue };
        let allowed: Vec<String> = (0..issue.len())
            .filter(|&index| permitted.values.get(index as usize).copied().unwrap_or(false))
            .map(|index| issue.text(index))
            .collect();
        lines.push(format!("{} only {}", issue.name, allowed.join(", ")));
    }
    for (permission, words) in [(Permission::Permitted, "permitted"), (Permission::NeedsApproval, "needs approval")] {
        let promises = PromiseKind::ALL.into_iter().filter(|kind| mandate.promises.of(*kind) == permission);
        lines.extend(promises.map(|kind| format!("promising {kind}: {words}")));
        let facts = Fact::ALL.into_iter().filter(|fact| mandate.disclosures.of(*fact) == permission);
        lines.extend(facts.map(|fact| format!("telling {fact}: {words}")));
    }
    lines.extend(mandate.stop.iter().map(|rule| format!("stop rule: {rule}")));
    if !mandate.approval.is_empty() {
        lines.push(format!("{} rules of approval", mandate.approval.len()));
    }
    lines
}
