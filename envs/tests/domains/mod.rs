//! Domains of both kinds, money and tables, in which laws that hold in any are tested.

use crate::drawn::Drawn;
use zopa_envs::{
    CommonPrior, Grid, Issue, IssueRole, OutcomeSpace, PartyType, Scenario, ScenarioSource, StreamKey, Utility,
};

/// A domain, whose scenarios are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    /// A price and so many other terms.
    Money { others: usize },
    /// Three issues with tables of worth, without a price.
    Tables,
}

/// A price scene of two issues, one of five, and tables.
pub(crate) const DOMAINS: [Domain; 3] = [Domain::Money { others: 1 }, Domain::Money { others: 4 }, Domain::Tables];

impl Domain {
    /// Its scenario `number`, under guardrails: who opens, the rounds and both types are drawn, and nobody breaks off.
    pub(crate) fn scenario(self, number: u64) -> Scenario {
        let others = if let Self::Money { others } = self { others } else { 1 };
        let mut scenario = Drawn::new(7, 1 + others).scenario(number);
        (scenario.break_off, scenario.counterpart) = (None, None);
        if self == Self::Tables {
            let space = outcomes();
            let mut stream = StreamKey::new("test", &[b"tables"]).stream(number);
            scenario.types = [(); 2].map(|()| {
                let mut utility = Utility::zero(&space);
                for issue in 0..space.issues().len() {
                    utility.table_mut(issue).iter_mut().for_each(|worth| *worth = stream.uniform_in(0.0, 0.3));
                }
                PartyType::of_tables(&space, utility, stream.uniform_in(0.1, 0.4))
            });
            (scenario.public.space, scenario.public.status_quo) = (space, None);
            scenario.public.prior = CommonPrior::Unknown;
        }
        scenario
    }
}

/// 120 outcomes.
fn outcomes() -> OutcomeSpace {
    let issue = |(name, count): (&str, u32)| Issue {
        name: name.into(),
        role: IssueRole::Other,
        unit: "".into(),
        grid: Grid::Labels((0..count).map(|value| format!("{name} {value}").into()).collect()),
    };
    OutcomeSpace::new([("colour", 6), ("size", 5), ("finish", 4)].map(issue).into()).expect("three named issues")
}
