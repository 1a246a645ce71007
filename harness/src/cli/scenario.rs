//! `zopa scenario`

use super::print;
use crate::arena::{Arena, Draw};
use crate::failure::Failure;
use clap::Args;
use zopa_envs::PublicRelationship;
use zopa_scenarios::{render, render_relationship};

/// Shows one scenario as a person at the agent's seat would read it.
#[derive(Debug, Args)]
pub(super) struct Scenario {
    /// The suite, or a path to a suite file
    suite: String,
    /// The seed; the split's own where it is left out
    #[arg(long)]
    seed: Option<u64>,
    /// The split; the suite's default where it is left out
    #[arg(long)]
    split: Option<String>,
    /// Episode: scenario INDEX / 2 at seat INDEX mod 2
    #[arg(long, default_value_t = 0)]
    index: u64,
    /// Who plays the other side: mix, a family, or an agent
    #[arg(long, default_value = "mix")]
    opponent: String,
    /// Show also what is hidden: the other side's type and tactic
    #[arg(long)]
    reveal: bool,
}

impl Scenario {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let arena = Arena::suite(&self.suite)?;
        let opponent = arena.opponent(&self.opponent)?;
        let draw = Draw { split: self.split.clone(), seed: self.seed, salt: None, opponent };
        let source = arena.draw(&draw)?.source;
        let scenario = source.scenario(self.index);
        let mut text = render(&scenario, scenario.seat, self.reveal);
        if let Some(plan) = source.series(self.index) {
            let (rules, contracts) = (plan.rules, plan.contracts);
            let known = PublicRelationship { rules, contracts, contract: 0, past: Vec::new() };
            text += &render_relationship(&known, &scenario.public.space);
        }
        print(&text)
    }
}
