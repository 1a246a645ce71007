//! Where scenarios come from, as the environment sees it.

use crate::relationship::SeriesPlan;
use crate::scenario::Scenario;

/// A seeded sequence of scenarios: suite, version, split, seed and opponent are fixed in it.
///
/// Episode `i` is scenario `i / 2` with the agent at seat `i mod 2`, generated without any scenario before it.
pub trait ScenarioSource: Send + Sync {
    /// The scenario of episode `index`.
    fn scenario(&self, index: u64) -> Scenario;

    /// Writes the scenario of episode `index` over one that this source made before, reusing its memory.
    fn refill(&self, index: u64, scenario: &mut Scenario) {
        *scenario = self.scenario(index);
    }

    /// The series of contracts that episode `index` is; `None` where it is a single negotiation.
    fn series(&self, index: u64) -> Option<SeriesPlan> {
        let _ = index;
        None
    }

    /// The scenario of contract `contract`, from 0, of episode `index`; contract 0 is [`Self::scenario`]'s.
    fn contract(&self, index: u64, contract: u16) -> Scenario {
        let _ = contract;
        self.scenario(index)
    }
}

impl<T: ScenarioSource + ?Sized> ScenarioSource for std::sync::Arc<T> {
    fn scenario(&self, index: u64) -> Scenario {
        (**self).scenario(index)
    }

    fn refill(&self, index: u64, scenario: &mut Scenario) {
        (**self).refill(index, scenario);
    }

    fn series(&self, index: u64) -> Option<SeriesPlan> {
        (**self).series(index)
    }

    fn contract(&self, index: u64, contract: u16) -> Scenario {
        (**self).contract(index, contract)
    }
}
