//! `zopa humans`

use super::{columns, print, print_json};
use crate::failure::Failure;
use crate::humans::{HumanRow, question};
use crate::validity::{self, ValidityRow};
use clap::Args;
use std::path::{Path, PathBuf};
use zopa_agents::roster;
use zopa_reports::plots::{DistributionPanel, DistributionPlot, DistributionRow, Theme};
use zopa_scenarios::casino::{Dialogue, Human, read_dialogues};

/// Prints what people made of the CaSiNo dialogues beside agents on the same preferences.
#[derive(Debug, Args)]
pub(super) struct Humans {
    /// Files of CaSiNo dialogues, casino_test.json for instance; several are taken together
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// An agent that plays both sides; may be repeated; all but the ceilings where none is named
    #[arg(long = "agent", value_name = "ID")]
    agents: Vec<String>,
    /// Compare how people and scripted counterparts negotiate instead, and write the picture and the table into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "agents")]
    validity: Option<PathBuf>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

impl Humans {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let mut dialogues = Vec::new();
        for file in &self.files {
            dialogues.append(&mut read_dialogues(file).map_err(Failure::input)?);
        }
        let mut ids: Vec<u64> = dialogues.iter().map(|dialogue| dialogue.id).collect();
        ids.sort_unstable();
        if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Failure::input(format!("dialogue {} is there twice: name each file once", pair[0])));
        }
        if let Some(folder) = &self.validity {
            return validity(&dialogues, folder, self.json);
        }
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

/// Writes `simulator-validity.svg`, `.png` and `.md` and prints the table.
fn validity(dialogues: &[Dialogue], folder: &Path, json: bool) -> Result<(), Failure> {
    let rows = validity::rows(dialogues)?;
    let plot = DistributionPlot {
        title: "How people and scripted counterparts divide camping supplies".to_owned(),
        subtitle: validity::caption(&rows).to_string(),
        panels: validity::MEASURES
            .iter()
            .enumerate()
            .map(|(position, (title, unit))| DistributionPanel {
                title: (*title).to_owned(),
                unit: (*unit).to_owned(),
                shares: position > 0,
            })
            .collect(),
        rows: rows
            .iter()
            .map(|row| DistributionRow {
                name: row.who.clone(),
                quantiles: row.measures.iter().map(|measured| measured.quantiles).collect(),
            })
            .collect(),
    };
    let drawing = plot.draw();
    std::fs::create_dir_all(folder).map_err(|fault| Failure::disk("create the folder", folder, &fault))?;
    let drawn = |fault: zopa_reports::plots::PlotError| Failure::Infrastructure(fault.to_string());
    let path = |end: &str| folder.join(format!("simulator-validity.{end}"));
    let write =
        |path: &Path, text: &str| std::fs::write(path, text).map_err(|fault| Failure::disk("write", path, &fault));
    write(&path("svg"), &drawing.to_svg(Theme::Light).map_err(drawn)?)?;
    drawing.save_png(Theme::Light, &path("png")).map_err(drawn)?;
    let cells = table(&rows);
    let lines = cells.iter().enumerate().map(|(at, row)| {
        let rule = if at == 0 { format!("{}|\n", "| --- ".repeat(row.len())) } else { String::new() };
        format!("| {} |\n{rule}", row.join(" | "))
    });
    write(&path("md"), &lines.collect::<String>())?;
    if json {
        return print_json(&rows);
    }
    print(&format!("{}\n{}\n", columns(&cells), path("svg").display()))
}

/// Median, quartiles and distance from people of every measure.
fn table(rows: &[ValidityRow]) -> Vec<Vec<String>> {
    let mut titles = vec!["who".to_owned(), "sides".to_owned(), "no deal".to_owned()];
    titles.extend(validity::MEASURES.iter().map(|(title, _)| format!("{title}: median (quartiles), distance")));
    let mut cells = vec![titles];
    for row in rows {
        let mut line = vec![row.who.clone(), row.sides.to_string(), format!("{:.1} %", 100.0 * row.no_deal)];
        for (position, measured) in row.measures.iter().enumerate() {
            let number = |value: f64| if position == 0 { format!("{value:.0}") } else { format!("{value:.2}") };
            line.push(match (measured.quantiles, measured.distance) {
                (Some([_, lower, median, upper, _]), distance) => format!(
                    "{} ({} to {}), {}",
                    number(median),
                    number(lower),
                    number(upper),
                    distance.map_or_else(|| "-".to_owned(), |distance| format!("{distance:.2}"))
                ),
                (None, _) => "none observed".to_owned(),
            });
        }
        cells.push(line);
    }
    cells
}
