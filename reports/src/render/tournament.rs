//! A tournament's tables, for each medium.

use super::headline::figure;
use super::html::page;
use super::table::{Cell, Table, Tone, escape_html, escape_markdown};
use crate::score::Unit;
use crate::tournament::TournamentTable;

/// What the empirical game's figures mean.
const GAME: &str = "Agents are read as the strategies of a symmetric game: both sides choose one before they know their seat. \
    A best response earns the most against the agent of its line; its stability is the share of resampled scenarios in which it \
    stays the best; regret is what it earns more than that agent does against itself. In an equilibrium no agent of the field \
    would earn more than those who are in it; agents outside of the field may.";

impl TournamentTable {
    /// The tables for a terminal, ending in a line's end.
    #[must_use]
    pub fn terminal(&self) -> String {
        let mut text = format!("{}\n", self.caption());
        self.sections(|title, table| text.push_str(&format!("\n{title}\n\n{}", table.terminal())));
        for line in self.equilibria() {
            text.push_str(&format!("\n{line}\n"));
        }
        text
    }

    /// The tables as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n", escape_markdown(&self.suite), escape_markdown(&self.caption()));
        self.sections(|title, table| text.push_str(&format!("\n## {title}\n\n{}", table.markdown())));
        text.push_str(&format!("\n{GAME}\n\n"));
        for line in self.equilibria() {
            text.push_str(&format!("- {}\n", escape_markdown(&line)));
        }
        text
    }

    /// The tables as one HTML page that needs nothing else.
    #[must_use]
    pub fn html(&self) -> String {
        let mut body = format!("<p class=\"caption\">{}</p>\n", escape_html(&self.caption()));
        self.sections(|title, table| {
            body.push_str(&format!("<section>\n<h2>{title}</h2>\n{}</section>\n", table.html()));
        });
        body.push_str(&format!("<section>\n<p>{}</p>\n<ul>\n", escape_html(GAME)));
        for line in self.equilibria() {
            body.push_str(&format!("<li>{}</li>\n", escape_html(&line)));
        }
        body.push_str("</ul>\n</section>\n");
        page(&format!("{}: tournament", self.suite), &body)
    }

    fn caption(&self) -> String {
        let Self { suite, version, split, seed, episodes, .. } = self;
        format!(
            "{suite} (version {version}), split {split}, seed {seed}, {episodes} episodes a pairing, both seats; surplus \
             efficiency in per cent with 95 % intervals"
        )
    }

    fn sections(&self, mut section: impl FnMut(&str, &Table)) {
        section("Standings", &self.standings());
        section("Payoffs of the line's agent against the column's", &self.payoffs());
        section("Best responses", &self.responses());
    }

    fn standings(&self) -> Table {
        let header = ["Agent", "Against the others", "Against all, itself among them", "Against itself"];
        let rows = self.standings.iter().map(|standing| {
            let figures = [standing.without_self_play, standing.with_self_play, standing.self_play];
            let cells = figures.iter().map(|estimate| Cell::from(figure(Unit::Share, estimate)));
            std::iter::once(Cell::from(standing.agent.clone())).chain(cells).collect()
        });
        Table::new(header.map(str::to_owned).to_vec(), rows.collect())
    }

    fn payoffs(&self) -> Table {
        let mut header = vec!["Agent".to_owned()];
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        for cell in &self.cells {
            if rows.last().is_none_or(|row| row[0].text != cell.agent) {
                rows.push(vec![cell.agent.clone().into()]);
            }
            if rows.len() == 1 {
                header.push(cell.opponent.clone());
            }
            let tone = if cell.agent == cell.opponent { Tone::Aside } else { Tone::Plain };
            if let Some(row) = rows.last_mut() {
                row.push(Cell::new(figure(Unit::Share, &cell.payoff), tone));
            }
        }
        Table::new(header, rows)
    }

    fn responses(&self) -> Table {
        let header = ["Against", "Best response", "Stability", "Regret of self-play"];
        let rows = self.game.responses.iter().map(|response| {
            let tone = if response.best == response.against { Tone::Good } else { Tone::Plain };
            vec![
                response.against.clone().into(),
                Cell::new(response.best.clone(), tone),
                format!("{:.0} %", 100.0 * response.stability).into(),
                figure(Unit::Share, &response.regret).into(),
            ]
        });
        Table::new(header.map(str::to_owned).to_vec(), rows.collect())
    }

    /// The equilibria, a line each.
    fn equilibria(&self) -> Vec<String> {
        if self.game.equilibria.is_empty() {
            return vec!["No equilibrium was found: there are too many agents, or payoffs tie.".to_owned()];
        }
        let line = |equilibrium: &crate::tournament::Equilibrium| {
            let shares: Vec<String> =
                equilibrium.shares.iter().map(|(agent, share)| format!("{agent} {:.1} %", 100.0 * share)).collect();
            format!("Symmetric equilibrium: {}; everybody earns {:.1} %", shares.join(", "), 100.0 * equilibrium.payoff)
        };
        self.game.equilibria.iter().map(line).collect()
    }
}
