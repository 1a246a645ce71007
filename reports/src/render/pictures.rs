use super::Report;
use crate::plots::{AgentPlot, AgentRow, FamilyPlot, FamilyRow, Panel};
use crate::score::Score;

/// Agents and families that a picture has room for; those beyond stand in the tables alone.
const MOST_DRAWN: usize = 40;

const PANELS: [Score; 2] = [Score::AgreementRate, Score::SurplusEfficiency];

/// Surplus efficiency by agent.
pub(super) fn agents(report: &Report<'_>) -> AgentPlot {
    let rows = report.ranked().into_iter().take(MOST_DRAWN).map(|(name, agent, standing)| AgentRow {
        name: name.to_owned(),
        standing,
        estimate: agent.scores.get(&Score::SurplusEfficiency).copied(),
    });
    AgentPlot {
        title: "Surplus efficiency by agent".to_owned(),
        subtitle: subtitle(report),
        axis: "own gain realised, as a share of the best attainable".to_owned(),
        rows: rows.collect(),
    }
}

/// Agreement and surplus efficiency by counterpart family.
pub(super) fn families(report: &Report<'_>) -> FamilyPlot {
    let mut ranked = report.ranked();
    ranked.truncate(MOST_DRAWN);
    let row = |family: &str| {
        let of_panel = |score: Score| {
            ranked.iter().map(|(_, agent, _)| agent.families.get(family)?.get(&score).copied()).collect()
        };
        FamilyRow { name: family.to_owned(), estimates: PANELS.map(of_panel).into() }
    };
    FamilyPlot {
        title: "Agreement and surplus efficiency by counterpart family".to_owned(),
        subtitle: subtitle(report),
        agents: ranked.iter().map(|(name, ..)| (*name).to_owned()).collect(),
        panels: PANELS.map(|score| Panel { title: score.label().to_owned() }).into(),
        rows: report.summary.families().into_iter().take(MOST_DRAWN).map(row).collect(),
    }
}

fn subtitle(report: &Report<'_>) -> String {
    format!("{}; whiskers are 95 % intervals", report.caption())
}
