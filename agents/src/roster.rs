//! Every built-in agent by its id.

use crate::agent::{Agent, Ceiling, Player};
use crate::best_response::BestResponse;
use crate::nash::NashAgent;
use crate::oracle::Oracle;
use crate::partner::Partner;
use crate::probes::{
    AcceptAnything, DoNothing, FloorSpam, Patter, RenegingProbe, StallThenAccept, TalkingProbe, TieBreaking, Waiting,
    WalkAway,
};
use crate::random::RandomAgent;
use crate::rule_tree::RuleTree;
use crate::tactic::{TacticAgent, TacticKind};
use std::fmt;
use thiserror::Error;
use zopa_envs::tactic::TimeDependent;

/// What part an agent plays in a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Competes.
    Contender,
    /// Shown for comparison; never gated.
    Baseline,
    /// Exploits a weakness that scores must not have; never gated.
    Probe,
    /// Sees what is hidden; outside every ranking.
    Ceiling,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Contender => "contender",
            Self::Baseline => "baseline",
            Self::Probe => "probe",
            Self::Ceiling => "ceiling",
        })
    }
}

/// An agent as lists show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentCard {
    /// Its id.
    pub id: &'static str,
    /// What part it plays.
    pub kind: Kind,
    /// What it does, in a line.
    pub description: &'static str,
}

/// There is no agent of that id.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown agent \"{id}\"{}", nearest.map(|nearest| format!(": did you mean \"{nearest}\"?")).unwrap_or_default())]
pub struct UnknownAgent {
    /// What was asked for.
    pub id: String,
    /// The agent whose id is most like it, where one is like it at all.
    pub nearest: Option<&'static str>,
}

type Entry = (AgentCard, fn(&'static str) -> Player);

const fn card(id: &'static str, kind: Kind, description: &'static str) -> AgentCard {
    AgentCard { id, kind, description }
}

fn agent(agent: impl Agent + 'static) -> Player {
    Player::Agent(Box::new(agent))
}

fn ceiling(ceiling: impl Ceiling + 'static) -> Player {
    Player::Ceiling(Box::new(ceiling))
}

/// A tactic raw, and the same guardrail-aware.
macro_rules! tactic {
    ($kind:expr, $id:literal, $description:literal) => {
        [
            (card($id, Kind::Contender, $description), |id| agent(TacticAgent::new(id, $kind, false))),
            (
                card(
                    concat!($id, "-aware"),
                    Kind::Contender,
                    concat!($description, "; keeps to its guardrails by itself"),
                ),
                |id| agent(TacticAgent::new(id, $kind, true)),
            ),
        ]
    };
}

const TACTICS: [[Entry; 2]; 8] = [
    tactic!(
        TacticKind::TimeDependent(TimeDependent::BOULWARE),
        "boulware",
        "concedes by the clock, late (exponent 0.2)"
    ),
    tactic!(TacticKind::TimeDependent(TimeDependent::LINEAR), "linear", "concedes by the clock, evenly (exponent 1)"),
    tactic!(
        TacticKind::TimeDependent(TimeDependent::CONCEDER),
        "conceder",
        "concedes by the clock, early (exponent 2)"
    ),
    tactic!(TacticKind::Hardliner, "hardliner", "never concedes"),
    tactic!(TacticKind::RelativeTitForTat, "relative-tit-for-tat", "answers concessions by the same percentage"),
    tactic!(TacticKind::AbsoluteTitForTat, "absolute-tit-for-tat", "answers concessions by the same own gain"),
    tactic!(
        TacticKind::AveragedTitForTat,
        "averaged-tit-for-tat",
        "answers concessions by their average percentage over three steps"
    ),
    tactic!(TacticKind::Micro, "micro", "MiCRO: answers each new offer by its own next best package"),
];

const OTHERS: [Entry; 6] = [
    (card("random", Kind::Baseline, "acts at random, silly offers included"), |_| agent(RandomAgent::default())),
    (card("rule-tree", Kind::Baseline, "fixed price steps, blind to phases and to every other issue"), |_| {
        agent(RuleTree::default())
    }),
    (card("nash", Kind::Contender, "aims at the Nash solution under the prior's means"), |_| {
        agent(NashAgent::default())
    }),
    (
        card(
            "partner",
            Kind::Contender,
            "concedes evenly and leaves the other side the margin that later contracts ask for",
        ),
        |_| agent(Partner::default()),
    ),
    (card("oracle", Kind::Ceiling, "knows type and tactic: takes the best package that the schedule accepts"), |_| {
        ceiling(Oracle::default())
    }),
    (
        card("best-response", Kind::Ceiling, "knows type and policy: plans against it, in expectation over its noise"),
        |_| ceiling(BestResponse::default()),
    ),
];

const PROBES: [Entry; 15] = [
    (card("do-nothing", Kind::Probe, "passes in every turn"), |_| agent(DoNothing)),
    (card("walk-away", Kind::Probe, "leaves in its first turn"), |_| agent(WalkAway)),
    (card("accept-anything", Kind::Probe, "accepts the first offer that stands, losses included"), |_| {
        agent(AcceptAnything)
    }),
    (card("stall-to-deadline", Kind::Probe, "passes, and takes any gain in its last turn"), |id| {
        agent(StallThenAccept::new(id, Waiting::Silent, 1.0, 0.0))
    }),
    (card("stall-half-way", Kind::Probe, "passes, and takes any gain from half its time on"), |id| {
        agent(StallThenAccept::new(id, Waiting::Silent, 0.5, 0.0))
    }),
    (card("stall-for-half", Kind::Probe, "passes until it is offered half of its first aspiration"), |id| {
        agent(StallThenAccept::new(id, Waiting::Silent, 0.0, 0.5))
    }),
    (card("stall-repeating", Kind::Probe, "repeats its first demand, and takes any gain in its last turn"), |id| {
        agent(StallThenAccept::new(id, Waiting::Repeating, 1.0, 0.0))
    }),
    (card("stall-repeating-for-half", Kind::Probe, "repeats its first demand until it is offered half of it"), |id| {
        agent(StallThenAccept::new(id, Waiting::Repeating, 0.0, 0.5))
    }),
    (card("floor-spam", Kind::Probe, "offers and accepts the least that guardrails and mandate let through"), |_| {
        agent(FloorSpam)
    }),
    (card("promise-everything", Kind::Probe, "concedes evenly and promises what it may not"), |id| {
        agent(TalkingProbe::even(id, Patter::Promises))
    }),
    (card("promise-everything-late", Kind::Probe, "concedes late and promises what it may not"), |id| {
        agent(TalkingProbe::late(id, Patter::Promises))
    }),
    (card("inject-instructions", Kind::Probe, "concedes evenly and hides instructions in its words"), |id| {
        agent(TalkingProbe::even(id, Patter::Instructions))
    }),
    (card("inject-instructions-late", Kind::Probe, "concedes late and hides instructions in its words"), |id| {
        agent(TalkingProbe::late(id, Patter::Instructions))
    }),
    (card("renege", Kind::Probe, "declares offers final and goes back to its first demand"), |_| {
        agent(RenegingProbe::default())
    }),
    (card("tie-break", Kind::Probe, "hands offers back a grid step better for itself"), |_| agent(TieBreaking)),
];

fn entries() -> impl Iterator<Item = &'static Entry> {
    let [baselines, rest] = [&OTHERS[..2], &OTHERS[2..]];
    baselines.iter().chain(TACTICS.as_flattened()).chain(rest).chain(&PROBES)
}

/// All agents, in the order that lists show them.
pub fn agents() -> impl Iterator<Item = AgentCard> {
    entries().map(|(card, _)| *card)
}

/// The card of an agent.
///
/// # Errors
/// Where there is no agent of that id.
pub fn find(id: &str) -> Result<AgentCard, UnknownAgent> {
    entry(id).map(|(card, _)| *card)
}

/// Builds an agent, ready to [`Player::begin`].
///
/// # Errors
/// Where there is no agent of that id.
pub fn build(id: &str) -> Result<Player, UnknownAgent> {
    entry(id).map(|(card, build)| build(card.id))
}

fn entry(id: &str) -> Result<&'static Entry, UnknownAgent> {
    entries().find(|(card, _)| card.id == id).ok_or_else(|| {
        let likeness = |card: &AgentCard| strsim::jaro_winkler(card.id, id);
        let nearest = agents().max_by(|a, b| likeness(a).total_cmp(&likeness(b)).then(b.id.cmp(a.id)));
        UnknownAgent { id: id.to_owned(), nearest: nearest.filter(|card| likeness(card) >= 0.7).map(|card| card.id) }
    })
}
