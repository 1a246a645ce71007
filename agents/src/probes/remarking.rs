//! Plays as another agent does and says more with it.

use crate::agent::Agent;
use zopa_envs::message::{Reason, Remark, template};
use zopa_envs::random::LazyStream;
use zopa_envs::{Act, Action, Decision, Message, PartyView};

/// Stock words that please every counterpart that listens and need no authority: two courtesies, two points taken up, three
/// reasons and two references to what was said before, whether or not any of it means something.
pub const FLATTERY: &[Remark] = &[
    Remark::Courtesy,
    Remark::Courtesy,
    Remark::Acknowledgement,
    Remark::Acknowledgement,
    Remark::Reason(Reason::Relationship),
    Remark::Reason(Reason::Market),
    Remark::Reason(Reason::Fairness),
    Remark::Consistency,
    Remark::Consistency,
];

/// Decides as another agent, states the terms of every offer, and makes the same remarks with it in every turn: what it gains beside
/// that agent in silence is what stock words bring. It speaks where the scenario is a spoken one.
pub struct Remarking {
    id: &'static str,
    agent: Box<dyn Agent>,
    remarks: &'static [Remark],
}

impl Remarking {
    /// Plays as `agent`, answers to `id` and makes these remarks; with none it states its terms only.
    #[must_use]
    pub fn new(id: &'static str, agent: Box<dyn Agent>, remarks: &'static [Remark]) -> Self {
        Self { id, agent, remarks }
    }

    fn words(&self, view: &PartyView<'_>, decision: &Decision) -> Option<Message> {
        let Action::Offer { terms, is_final } = &decision.action else { return None };
        let act = Act::Offer { offer: view.public.space.resolve(terms)?, is_final: *is_final };
        template(view, &act, decision.intent, self.remarks)
    }
}

impl Agent for Remarking {
    fn id(&self) -> &str {
        self.id
    }

    fn begin(&mut self, stream: LazyStream) {
        self.agent.begin(stream);
    }

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        let decision = self.agent.decide(view);
        // Where its words were refused, the same terms go out without remarks.
        let speaks = view.public.speech && view.refusal.is_none();
        let message = if speaks { self.words(view, &decision) } else { None };
        Decision { message, ..decision }
    }
}
