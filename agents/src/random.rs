//! The random agent.

use crate::agent::Agent;
use zopa_envs::random::{LazyStream, StreamKey};
use zopa_envs::{Action, Decision, PartyView};

/// Acts at random, silly offers included: of its turns it walks away from 1 in 100, passes 4, accepts 10 where an offer
/// stands, and otherwise offers a package drawn uniformly from the whole space. A floor that any strategy should clear.
#[derive(Clone, Debug)]
pub struct RandomAgent {
    stream: LazyStream,
}

impl Default for RandomAgent {
    fn default() -> Self {
        Self { stream: StreamKey::new("agent", &[]).lazy(0) }
    }
}

impl Agent for RandomAgent {
    fn id(&self) -> &str {
        "random"
    }

    fn begin(&mut self, stream: LazyStream) {
        self.stream = stream;
    }

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        let stream = self.stream.open();
        match stream.below(100) {
            0 => Action::WalkAway,
            1..=4 => Action::Pass,
            5..=14 if view.standing().is_some() => Action::Accept,
            _ => {
                let mut offer = view.public.space.outcome(0);
                for (position, issue) in view.public.space.issues().iter().enumerate() {
                    offer.set(position, stream.below(u64::from(issue.len())) as u32);
                }
                Action::offer(offer)
            }
        }
        .into()
    }
}
