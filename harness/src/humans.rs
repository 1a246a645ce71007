//! People and agents in front of the same divisions.

use crate::failure::Failure;
use serde::Serialize;
use zopa_agents::roster;
use zopa_agents::turn::{Seated, play};
use zopa_envs::{Counterpart, Negotiation, Seat, StreamKey};
use zopa_scenarios::casino::{Dialogue, EACH, Human, ITEMS};

/// Rounds that agents have. A choice of ours: people have no fixed number of turns.
pub const ROUNDS: u16 = 10;

/// Who divided, and what they made of it; sides without a deal have 5 points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HumanRow {
    /// "human", or the agent that sat at both sides.
    pub who: String,
    /// Divisions played.
    pub dialogues: usize,
    /// Mean points of a side.
    pub points: f64,
    /// Mean points of both sides together.
    pub joint: f64,
    /// Share without a deal.
    pub walk_aways: f64,
    /// Share of all with a deal on the Pareto frontier; not published for the full set.
    pub pareto: Option<f64>,
}

impl From<Human> for HumanRow {
    fn from(human: Human) -> Self {
        let Human { dialogues, points, joint, walk_aways, pareto } = human;
        Self { who: "human".to_owned(), dialogues, points, joint, walk_aways, pareto: Some(pareto) }
    }
}

impl HumanRow {
    /// The published figures over all dialogues of the collection.
    #[must_use]
    pub fn published() -> Self {
        let [(_, points), (_, joint), (_, walk_aways)] = Human::PUBLISHED;
        Self { who: "human (published, all)".to_owned(), dialogues: 1030, points, joint, walk_aways, pareto: None }
    }

    /// Lets `agent` play both sides of every dialogue's division.
    ///
    /// # Errors
    /// An unknown agent, or no dialogues.
    pub fn of_agent(agent: &str, dialogues: &[Dialogue]) -> Result<Self, Failure> {
        let mut outcomes = Vec::with_capacity(dialogues.len());
        for dialogue in dialogues {
            let division = dialogue.division().map_err(Failure::input)?;
            let key = StreamKey::new("human divisions", &[agent.as_bytes(), &dialogue.id.to_le_bytes()]);
            let [mut first, mut second] =
                [roster::build(agent).map_err(Failure::input)?, roster::build(agent).map_err(Failure::input)?];
            let mut scenario = division.scenario("casino", ROUNDS);
            scenario.counterpart = None::<Counterpart>;
            let mut negotiation = Negotiation::new(scenario, [true; 2]);
            let seated = Seated { player: &mut first, stream: key.lazy(0) };
            let opponent = Seated { player: &mut second, stream: key.lazy(1) };
            play(&mut negotiation, seated, Some(opponent), &mut ()).map_err(Failure::input)?;
            let deal = negotiation.outcome().and_then(|outcome| outcome.agreement());
            outcomes.push((dialogue, deal.map(|offer| division.kept(Seat::Buyer, offer))));
        }
        let human = Human::of_outcomes(&outcomes).ok_or_else(|| Failure::input("there are no dialogues"))?;
        Ok(Self { who: agent.to_owned(), ..human.into() })
    }
}

/// What is divided, in a line.
#[must_use]
pub fn question() -> String {
    format!("{EACH} packages each of {}: 5, 4 and 3 points by own priority, 5 points without a deal", ITEMS.join(", "))
}
