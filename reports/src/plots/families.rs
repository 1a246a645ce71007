use super::agents::whisker;
use super::axis::ShareAxis;
use super::drawing::{Anchor, Colour, Drawing, Shape};
use super::font::{shortened, text_width};
use super::legend::Legend;
use crate::statistics::Estimate;

const WIDTH: f64 = 860.0;
const MARGIN: f64 = 24.0;
const EM: f64 = 13.0;
const LANE: f64 = 11.0;
const ROW_PADDING: f64 = 14.0;
const MOST_LABEL: f64 = 200.0;
const PANEL_GAP: f64 = 36.0;
const FOOTER: f64 = 34.0;

/// One score, drawn side by side with the others.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// The score's name.
    pub title: String,
}

/// One counterpart family: for each panel, an estimate of each agent.
#[derive(Debug, Clone, PartialEq)]
pub struct FamilyRow {
    /// The family's name.
    pub name: String,
    /// `estimates[panel][agent]`; `None`, or a missing entry, is left blank.
    pub estimates: Vec<Vec<Option<Estimate>>>,
}

/// Scores by counterpart family: a row for each family, a panel for each score, a lane for each agent.
#[derive(Debug, Clone, PartialEq)]
pub struct FamilyPlot {
    /// What is shown.
    pub title: String,
    /// Where it was measured, and what a whisker is.
    pub subtitle: String,
    /// Names of the agents, in the order of every row's estimates.
    pub agents: Vec<String>,
    /// The scores; at least one.
    pub panels: Vec<Panel>,
    /// The families, top to bottom.
    pub rows: Vec<FamilyRow>,
}

impl FamilyPlot {
    /// Lays the plot out.
    pub fn draw(&self) -> Drawing {
        let names: Vec<String> = self.rows.iter().map(|row| shortened(&row.name, EM, MOST_LABEL)).collect();
        let label = names.iter().map(|name| text_width(name, EM)).fold(0.0, f64::max);
        let legend = Legend::new(&self.agents, MARGIN, WIDTH - MARGIN);
        let row_height = LANE * self.agents.len().max(1) as f64 + ROW_PADDING;
        let panels_top = 68.0 + legend.height;
        let top = panels_top + 26.0;
        let bottom = top + row_height * self.rows.len() as f64;
        let mut drawing = Drawing {
            width: WIDTH as u32,
            height: (bottom + FOOTER) as u32,
            description: self.description(),
            marks: Vec::new(),
        };
        let title = shortened(&self.title, 17.0, WIDTH - 2.0 * MARGIN);
        let subtitle = shortened(&self.subtitle, 12.0, WIDTH - 2.0 * MARGIN);
        drawing.text(&title, (MARGIN, 30.0), 17.0, Anchor::Start, Colour::Ink);
        drawing.text(&subtitle, (MARGIN, 50.0), 12.0, Anchor::Start, Colour::Muted);
        legend.draw(&mut drawing, 60.0);

        for (index, name) in names.iter().enumerate() {
            let row_top = top + row_height * index as f64;
            if index % 2 == 0 {
                drawing.rectangle((MARGIN - 8.0, row_top), (WIDTH - MARGIN + 8.0, row_top + row_height), Colour::Band);
            }
            let baseline = row_top + row_height / 2.0 + 0.34 * EM;
            drawing.text(name, (MARGIN + label, baseline), EM, Anchor::End, Colour::Ink);
        }
        let plots_left = MARGIN + label + 28.0;
        let count = self.panels.len().max(1) as f64;
        let panel_width = (WIDTH - MARGIN - 8.0 - plots_left - PANEL_GAP * (count - 1.0)) / count;
        for (panel, Panel { title }) in self.panels.iter().enumerate() {
            let left = plots_left + (panel_width + PANEL_GAP) * panel as f64;
            let title = shortened(title, EM, panel_width);
            let centre = (left + panel_width / 2.0, panels_top + 14.0);
            drawing.text(&title, centre, EM, Anchor::Middle, Colour::Ink);
            self.draw_panel(&mut drawing, panel, (left, left + panel_width), (top, row_height));
        }
        drawing
    }

    fn estimates(&self, panel: usize) -> impl Iterator<Item = &Estimate> {
        self.rows.iter().filter_map(move |row| row.estimates.get(panel)).flatten().flatten()
    }

    fn draw_panel(
        &self,
        drawing: &mut Drawing,
        panel: usize,
        (left, right): (f64, f64),
        (top, row_height): (f64, f64),
    ) {
        let axis = ShareAxis::new(self.estimates(panel), left, right);
        axis.draw(drawing, top, top + row_height * self.rows.len() as f64);
        for (index, row) in self.rows.iter().enumerate() {
            let first_lane = top + row_height * index as f64 + ROW_PADDING / 2.0 + LANE / 2.0;
            for (agent, estimate) in row.estimates.get(panel).into_iter().flatten().enumerate() {
                if let Some(estimate) = estimate {
                    let y = first_lane + LANE * agent as f64;
                    let look = (Shape::of_series(agent), Colour::Series(agent), true);
                    whisker(drawing, &axis, estimate, y, 4.0, 1, look);
                }
            }
        }
    }

    fn description(&self) -> String {
        let panels: Vec<&str> = self.panels.iter().map(|panel| panel.title.as_str()).collect();
        let families: Vec<&str> = self.rows.iter().map(|row| row.name.as_str()).collect();
        format!(
            "{}. {} of {} against {}; the table beside this picture holds the figures.",
            self.title,
            panels.join(" and "),
            self.agents.join(", "),
            families.join(", ")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawing::assert_texts_stand_apart;
    use super::*;

    #[test]
    fn texts_stand_apart_with_many_agents_and_long_names() {
        let estimate = Some(Estimate { value: -0.4, low: -0.9, high: 1.2, n: 40 });
        let row = |name: String| FamilyRow { name, estimates: vec![vec![estimate; 12], vec![None; 12]] };
        let plot = FamilyPlot {
            title: "Agreement and surplus efficiency by counterpart family".into(),
            subtitle: "procurement-v1".into(),
            agents: (0..12).map(|i| format!("agent-{i}-{}", "long".repeat(i * 4))).collect(),
            panels: ["Agreement", "Surplus efficiency"].map(|title| Panel { title: title.into() }).into(),
            rows: (0..9).map(|i| row("family ".repeat(1 + 3 * i))).collect(),
        };
        assert_texts_stand_apart(&plot.draw());
    }
}
