//! The Bayesian best response: a ceiling that knows the other side's family and the prior, not its type.

use crate::agent::{Agent, Ceiling};
use crate::solver::{Budget, Solver, VERSION, Variant};
use zopa_envs::random::LazyStream;
use zopa_envs::{Decision, PartyView, Scenario};

/// Plays what brings most in expectation against a counterpart of this family whose type and parameters are drawn from the
/// published distributions.
///
/// It is an **estimate**, from below: the solver's own search over the true family's hypotheses alone, with thirteen times its
/// budget. The belief is a Gaussian-sum filter and the plan an optimal stopping rule by regression, neither of which is
/// exact. Where the family is not published (held-out ones) it knows no more than the solver does.
#[derive(Clone, Debug, Default)]
pub struct BayesBestResponse {
    stream: Option<LazyStream>,
    solver: Option<Solver>,
}

impl Ceiling for BayesBestResponse {
    fn id(&self) -> &str {
        "bayes-best-response"
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn begin(&mut self, stream: LazyStream) {
        self.stream = Some(stream);
        self.solver = None;
    }

    fn decide(&mut self, view: &PartyView<'_>, scenario: &Scenario) -> Decision {
        let stream = &self.stream;
        let solver = self.solver.get_or_insert_with(|| {
            let met = scenario.counterpart.as_ref().map(|counterpart| counterpart.family.clone());
            let known = met.and_then(|met| view.public.families.iter().position(|notice| notice.name == met));
            let solver = Solver::new(Variant::Full).with_budget(Budget::LARGE);
            let mut solver = known.map_or(solver.clone(), |family| solver.knowing(family));
            if let Some(stream) = stream {
                solver.begin(stream.clone());
            }
            solver
        });
        solver.decide(view)
    }
}
