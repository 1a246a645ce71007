//! Every built-in agent by its id.

use crate::agent::{Agent, Ceiling, Player};
use crate::bayes_best_response::BayesBestResponse;
use crate::best_response::BestResponse;
use crate::human::HumanAgent;
use crate::learn::shipped::Shipped;
use crate::model::{DialogueAgent, Equipment, LlmAgent, LlmRole, ModelSpeaker};
use crate::nash::NashAgent;
use crate::oracle::Oracle;
use crate::partner::Partner;
use crate::probes::{
    AcceptAnything, DoNothing, FLATTERY, FloorSpam, Patter, Remarking, RenegingProbe, StallThenAccept, TalkingProbe,
    TieBreaking, Waiting, WalkAway,
};
use crate::random::RandomAgent;
use crate::rule_tree::RuleTree;
use crate::solver::{Solver, Variant};
use crate::speaker::Speaker;
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

/// Why an agent cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BuildError {
    /// There is none of that id.
    #[error(transparent)]
    Unknown(#[from] UnknownAgent),
    /// It asks a model, and there is none to ask.
    #[error("agent \"{0}\" asks a model: name its server with --model-base-url or OPENAI_BASE_URL")]
    NoModel(&'static str),
    /// A person decides, and nobody is there.
    #[error("agent \"{0}\" is a person at a terminal: `zopa play` seats one")]
    NoPerson(&'static str),
    /// What is to decide for it asks a model itself, or sees what is hidden.
    #[error("strategy \"{0}\" cannot decide for another agent: name one that is software and no ceiling")]
    Strategy(String),
}

type Entry = (AgentCard, fn(&'static str) -> Player);

/// An agent that may ask a model.
type ModelEntry = (AgentCard, fn(&'static str, &Equipment) -> Result<Player, BuildError>);

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

const OTHERS: [Entry; 9] = [
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
    (card("ppo", Kind::Contender, "a policy learned by PPO against training families and itself"), |id| {
        agent(Shipped::Ppo.agent(id))
    }),
    (card("dqn", Kind::Contender, "a policy learned by Double DQN, which went on from PPO's"), |id| {
        agent(Shipped::Dqn.agent(id))
    }),
    (card("oracle", Kind::Ceiling, "knows type and tactic: takes the best package that the schedule accepts"), |_| {
        ceiling(Oracle::default())
    }),
    (
        card("best-response", Kind::Ceiling, "knows type and policy: plans against it, in expectation over its noise"),
        |_| ceiling(BestResponse::default()),
    ),
    (
        card(
            "bayes-best-response",
            Kind::Ceiling,
            "knows family and prior, not the type: an estimate by a large search",
        ),
        |_| ceiling(BayesBestResponse::default()),
    ),
];

const SOLVERS: [Entry; 5] = [
    (
        card(
            "solver",
            Kind::Contender,
            "plans against what it believes of the other side, from its offers, refusals and words",
        ),
        |_| agent(Solver::new(Variant::Full)),
    ),
    (card("solver-generic", Kind::Contender, "the solver without a library of counterpart families"), |_| {
        agent(Solver::new(Variant::Generic))
    }),
    (card("solver-myopic", Kind::Contender, "the solver looking no further than the next reply"), |_| {
        agent(Solver::new(Variant::Myopic))
    }),
    (card("solver-no-model", Kind::Contender, "the solver that never learns: plans against the prior"), |_| {
        agent(Solver::new(Variant::NoModel))
    }),
    (
        card("solver-price-only", Kind::Contender, "the solver that trades no issues: the status quo's other terms"),
        |_| agent(Solver::new(Variant::PriceOnly)),
    ),
];

const PROBES: [Entry; 16] = [
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
    (card("flatter", Kind::Probe, "concedes evenly, with the same courtesies and stock reasons in every turn"), |id| {
        let linear = TacticAgent::new(id, TacticKind::TimeDependent(TimeDependent::LINEAR), true);
        agent(Remarking::new(id, Box::new(linear), FLATTERY))
    }),
    (card("renege", Kind::Probe, "declares offers final and goes back to its first demand"), |_| {
        agent(RenegingProbe::default())
    }),
    (card("tie-break", Kind::Probe, "hands offers back a grid step better for itself"), |_| agent(TieBreaking)),
];

/// The agent of that id, which is software and no ceiling.
fn strategist(id: &str) -> Result<Box<dyn Agent>, BuildError> {
    let none = || BuildError::Strategy(id.to_owned());
    match entry(id) {
        Some((card, build)) => match build(card.id) {
            Player::Agent(agent) => Ok(agent),
            Player::Ceiling(_) => Err(none()),
        },
        None if model_entry(id).is_some() || id == HUMAN.id => Err(none()),
        None => Err(unknown(id).into()),
    }
}

fn prompted(id: &'static str, role: LlmRole, equipment: &Equipment) -> Result<Player, BuildError> {
    let client = equipment.client.clone().ok_or(BuildError::NoModel(id))?;
    let advisor = if role == LlmRole::Advised { Some(strategist(equipment.strategy())?) } else { None };
    Ok(agent(LlmAgent::new(id, role, client, advisor)))
}

const MODELS: [ModelEntry; 6] = [
    (
        card(
            "dialogue",
            Kind::Contender,
            "a strategy decides (--strategy), a model puts it into words, or the template",
        ),
        |_, equipment| {
            let client = equipment.client.clone();
            Ok(agent(DialogueAgent::new(strategist(equipment.strategy())?, client, equipment.interpreting)))
        },
    ),
    (card("llm", Kind::Contender, "a prompted model decides and speaks"), |id, equipment| {
        prompted(id, LlmRole::Plain, equipment)
    }),
    (
        card("llm-tools", Kind::Contender, "as llm, with tools: a package's value, permitted terms, a draft's check"),
        |id, equipment| prompted(id, LlmRole::Tools, equipment),
    ),
    (card("llm-solver", Kind::Contender, "as llm, and may ask an engine (--strategy) for advice"), |id, equipment| {
        prompted(id, LlmRole::Advised, equipment)
    }),
    (
        card("llm-single", Kind::Baseline, "a prompted model proposes once on public information and stays with it"),
        |id, equipment| prompted(id, LlmRole::Single, equipment),
    ),
    (card("llm-mute", Kind::Contender, "a prompted model decides; the template speaks"), |id, equipment| {
        prompted(id, LlmRole::Mute, equipment)
    }),
];

const HUMAN: AgentCard = card("human", Kind::Baseline, "a person at a terminal, with a draft (--assist) or without");

fn human(equipment: &Equipment) -> Result<Player, BuildError> {
    let person = equipment.person.clone().ok_or(BuildError::NoPerson(HUMAN.id))?;
    let assistant = match equipment.assistant.as_deref() {
        None => None,
        Some(id) if asks_model(id) => match build_with(id, equipment)? {
            Player::Agent(agent) => Some(agent),
            Player::Ceiling(_) => return Err(BuildError::Strategy(id.to_owned())),
        },
        Some(id) => Some(strategist(id)?),
    };
    Ok(agent(HumanAgent::new(person, assistant)))
}

fn entries() -> impl Iterator<Item = &'static Entry> {
    let [baselines, rest] = [&OTHERS[..2], &OTHERS[2..]];
    let [planned, learned_and_ceilings] = [&rest[..2], &rest[2..]];
    baselines
        .iter()
        .chain(TACTICS.as_flattened())
        .chain(planned)
        .chain(&SOLVERS)
        .chain(learned_and_ceilings)
        .chain(&PROBES)
}

/// All agents, in the order that lists show them.
pub fn agents() -> impl Iterator<Item = AgentCard> {
    entries().map(|(card, _)| *card).chain(MODELS.iter().map(|(card, _)| *card)).chain([HUMAN])
}

/// The card of an agent.
///
/// # Errors
/// Where there is no agent of that id.
pub fn find(id: &str) -> Result<AgentCard, UnknownAgent> {
    agents().find(|card| card.id == id).ok_or_else(|| unknown(id))
}

/// Whether the agent asks a model, where it has one to ask.
#[must_use]
pub fn asks_model(id: &str) -> bool {
    model_entry(id).is_some()
}

/// Builds an agent without a model, ready to [`Player::begin`].
///
/// # Errors
/// Where there is no agent of that id, or it cannot do without a model.
pub fn build(id: &str) -> Result<Player, BuildError> {
    build_with(id, &Equipment::default())
}

/// Builds an agent, ready to [`Player::begin`].
///
/// # Errors
/// Where there is no agent of that id, it needs what `equipment` does not have, or its strategy is none.
pub fn build_with(id: &str, equipment: &Equipment) -> Result<Player, BuildError> {
    if let Some((card, build)) = model_entry(id) {
        return build(card.id, equipment);
    }
    if id == HUMAN.id {
        return human(equipment);
    }
    entry(id).map(|(card, build)| build(card.id)).ok_or_else(|| unknown(id).into())
}

/// Who speaks for an agent: a model, where there is one and the agent is spoken for by it. `None` for everybody else, for whom
/// the template speaks.
#[must_use]
pub fn speaker(id: &str, equipment: &Equipment) -> Option<Box<dyn Speaker>> {
    let spoken_for = asks_model(id) && id != "llm-mute";
    let client = equipment.client.clone().filter(|_| spoken_for)?;
    Some(Box::new(ModelSpeaker::new(client)))
}

fn entry(id: &str) -> Option<&'static Entry> {
    entries().find(|(card, _)| card.id == id)
}

fn model_entry(id: &str) -> Option<&'static ModelEntry> {
    MODELS.iter().find(|(card, _)| card.id == id)
}

fn unknown(id: &str) -> UnknownAgent {
    let likeness = |card: &AgentCard| strsim::jaro_winkler(card.id, id);
    let nearest = agents().max_by(|a, b| likeness(a).total_cmp(&likeness(b)).then(b.id.cmp(a.id)));
    UnknownAgent { id: id.to_owned(), nearest: nearest.filter(|card| likeness(card) >= 0.7).map(|card| card.id) }
}
