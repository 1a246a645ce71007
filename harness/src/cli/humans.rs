//! `zopa humans`

use super::{columns, print, print_json};
use crate::failure::Failure;
use crate::humans::{HumanRow, question};
use clap::Args;
use std::path::PathBuf;
use zopa_agents::roster;
use zopa_scenarios::casino::{Human, read_dialogues};

/// Prints what people made of the CaSiNo dialogues beside agents on the same preferences.
#[derive(Debug, Args)]
pub(super) struct Humans {
    /// A file of CaSiNo dialogues, casino_test.json for instance
    file: PathBuf,
    /// An agent that plays both sides; may be repeated; all but the ceilings where none is named
    #[arg(long = "agent", value_name = "ID")]
    agents: Vec<String>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

impl Humans {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let dialogues = read_dialogues(&self.file).map_err(Failure::input)?;
        let human = Human::of(&dialogues).ok_or_else(|| Failure::input("no dialogue in the file came to an end"))?;
        let agents = if self.agents.is_empty() {
            let fair =
                roster::agents().filter(|card| matches!(card.kind, roster::Kind::Baseline | roster::Kind::Contender));
            fair.map(|card| card.id.to_owned()).collect()
        } else {
            self.agents.clone()
        };
        let mut rows = vec![HumanRow::from(human), HumanRow::published()];
        for agent in &agents {
            rows.push(HumanRow::of_agent(agent, &dialogues)?);
        }
        if self.json {
            return print_json(&rows);
        }
        let mut cells = vec![
            ["who", "divisions", "points each", "joint points", "no deal", "on the frontier"]
                .map(str::to_owned)
                .to_vec(),
        ];
        for row in rows {
            cells.push(vec![
                row.who,
                row.dialogues.to_string(),
                format!("{:.2}", row.points),
                format!("{:.2}", row.joint),
                format!("{:.1} %", 100.0 * row.walk_aways),
                row.pareto.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", 100.0 * share)),
            ]);
        }
        print(&format!("{}\n\n{}", question(), columns(&cells)))
    }
}
