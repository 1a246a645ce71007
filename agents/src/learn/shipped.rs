//! The policies that ship: weights inside the crate, made by the recipe that each one's card names.

use super::agent::LearnedAgent;
use super::weights::Policy;
use std::sync::{Arc, OnceLock};

/// A policy that ships.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shipped {
    /// The policy of the first stage of `agents/configs/strong.toml`, seed 1.
    Ppo,
    /// The policy of its second stage.
    Dqn,
}

impl Shipped {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Ppo, Self::Dqn];

    fn bytes(self) -> &'static [u8] {
        match self {
            Self::Ppo => include_bytes!("../../weights/ppo.safetensors"),
            Self::Dqn => include_bytes!("../../weights/dqn.safetensors"),
        }
    }

    /// The policy, read once.
    #[must_use]
    pub fn policy(self) -> Arc<Policy> {
        static READ: [OnceLock<Arc<Policy>>; 2] = [OnceLock::new(), OnceLock::new()];
        let read = || Arc::new(Policy::from_bytes(self.bytes()).expect("a test reads every policy that ships"));
        READ[self as usize].get_or_init(read).clone()
    }

    /// The agent that plays it and answers to `id`.
    #[must_use]
    pub fn agent(self, id: &'static str) -> LearnedAgent {
        LearnedAgent::new(id, self.policy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_that_ships_can_be_read_and_is_small() {
        for shipped in Shipped::ALL {
            assert_eq!(shipped.policy().card.recipe, "strong");
            assert!(shipped.bytes().len() < 64 * 1024, "{shipped:?}");
        }
    }
}
