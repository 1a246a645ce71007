use super::axis::ShareAxis;
use super::drawing::{Anchor, Colour, Drawing, Shape};
use super::font::{shortened, text_width};
use super::percent::percent_interval;
use crate::manifest::Standing;
use crate::statistics::Estimate;

const WIDTH: f64 = 860.0;
const MARGIN: f64 = 24.0;
const EM: f64 = 13.0;
const ROW: f64 = 28.0;
const HEADER: f64 = 70.0;
const FOOTER: f64 = 58.0;
const MOST_LABEL: f64 = 280.0;

/// One agent of the plot.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentRow {
    /// Its id.
    pub name: String,
    /// What part it plays; a ceiling is a hollow point below a rule.
    pub standing: Standing,
    /// Its score; `None` where it has none.
    pub estimate: Option<Estimate>,
}

/// One score by agent: horizontal points with 95 % whiskers, the best on top, ceilings apart.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentPlot {
    /// What is shown.
    pub title: String,
    /// Where it was measured, and what a whisker is.
    pub subtitle: String,
    /// Name and unit of the axis.
    pub axis: String,
    /// The agents, in any order.
    pub rows: Vec<AgentRow>,
}

impl AgentPlot {
    /// Lays the plot out.
    pub fn draw(&self) -> Drawing {
        let mut rows: Vec<&AgentRow> = self.rows.iter().collect();
        let value = |row: &AgentRow| row.estimate.map_or(f64::NEG_INFINITY, |estimate| estimate.value);
        rows.sort_by(|a, b| {
            let ceiling = |row: &AgentRow| row.standing == Standing::Ceiling;
            ceiling(a).cmp(&ceiling(b)).then(value(b).total_cmp(&value(a))).then_with(|| a.name.cmp(&b.name))
        });
        let names: Vec<String> = rows.iter().map(|row| shortened(&row.name, EM, MOST_LABEL)).collect();
        let figures: Vec<String> =
            rows.iter().map(|row| row.estimate.as_ref().map_or("no value".to_owned(), percent_interval)).collect();
        let widest = |texts: &[String]| texts.iter().map(|text| text_width(text, EM)).fold(0.0, f64::max);

        let left = MARGIN + widest(&names) + 16.0;
        let right = WIDTH - MARGIN - widest(&figures) - 24.0;
        let bottom = HEADER + ROW * rows.len() as f64;
        let height = bottom + FOOTER;
        let mut drawing = Drawing {
            width: WIDTH as u32,
            height: height as u32,
            description: self.description(&rows, &figures),
            marks: Vec::new(),
        };
        let title = shortened(&self.title, 17.0, WIDTH - 2.0 * MARGIN);
        let subtitle = shortened(&self.subtitle, 12.0, WIDTH - 2.0 * MARGIN);
        drawing.text(&title, (MARGIN, 30.0), 17.0, Anchor::Start, Colour::Ink);
        drawing.text(&subtitle, (MARGIN, 50.0), 12.0, Anchor::Start, Colour::Muted);

        let axis = ShareAxis::new(rows.iter().filter_map(|row| row.estimate.as_ref()), left + 8.0, right);
        for index in (0..rows.len()).step_by(2) {
            let top = HEADER + ROW * index as f64;
            drawing.rectangle((MARGIN - 8.0, top), (WIDTH - MARGIN + 8.0, top + ROW), Colour::Band);
        }
        axis.draw(&mut drawing, HEADER, bottom);
        drawing.text(&self.axis, (f64::midpoint(left, right), bottom + 40.0), 12.0, Anchor::Middle, Colour::Muted);
        let first_ceiling = rows.iter().position(|row| row.standing == Standing::Ceiling);
        if let Some(index) = first_ceiling.filter(|&index| index > 0) {
            let y = HEADER + ROW * index as f64;
            drawing.line((MARGIN - 8.0, y), (WIDTH - MARGIN + 8.0, y), 1, Colour::Muted);
        }
        for (index, row) in rows.iter().enumerate() {
            let middle = HEADER + ROW * (index as f64 + 0.5);
            let ranked = row.standing.is_ranked();
            let ink = if ranked { Colour::Ink } else { Colour::Muted };
            drawing.text(&names[index], (left - 10.0, middle + 0.34 * EM), EM, Anchor::End, ink);
            drawing.text(&figures[index], (WIDTH - MARGIN, middle + 0.34 * EM), EM, Anchor::End, ink);
            if let Some(estimate) = &row.estimate {
                let colour = if ranked { Colour::Series(0) } else { Colour::Muted };
                whisker(&mut drawing, &axis, estimate, middle, 5.0, 2, (Shape::Circle, colour, ranked));
            }
        }
        drawing
    }

    fn description(&self, rows: &[&AgentRow], figures: &[String]) -> String {
        let list: Vec<String> =
            rows.iter().zip(figures).map(|(row, figure)| format!("{} {figure}", row.name)).collect();
        format!("{}. {}: {}.", self.title, self.axis, list.join("; "))
    }
}

/// A point with its interval at height `y`; off the axis it becomes an arrow at the edge.
pub(super) fn whisker(
    drawing: &mut Drawing,
    axis: &ShareAxis,
    estimate: &Estimate,
    y: f64,
    radius: f64,
    width: u32,
    (shape, colour, filled): (Shape, Colour, bool),
) {
    let ((low, low_side), (high, high_side)) = (axis.position(estimate.low), axis.position(estimate.high));
    drawing.line((low, y), (high, y), width, colour);
    for (x, side) in [(low, low_side), (high, high_side)] {
        if side == 0 {
            drawing.line((x, y - radius * 1.2), (x, y + radius * 1.2), width, colour);
        }
    }
    let (x, side) = axis.position(estimate.value);
    let shape = match side {
        0 => shape,
        -1 => Shape::Leftwards,
        _ => Shape::Rightwards,
    };
    drawing.point((x, y), radius, shape, colour, filled);
}

#[cfg(test)]
mod tests {
    use super::super::drawing::{Mark, assert_texts_stand_apart};
    use super::*;

    fn row(name: &str, standing: Standing, value: f64) -> AgentRow {
        let estimate = Some(Estimate { value, low: value - 0.03, high: value + 0.03, n: 500 });
        AgentRow { name: name.to_owned(), standing, estimate }
    }

    fn plot(rows: Vec<AgentRow>) -> AgentPlot {
        AgentPlot {
            title: "Surplus efficiency by agent".into(),
            subtitle: "procurement-v1, split public, seed 7; whiskers are 95 % intervals".into(),
            axis: "own surplus realised, share of the best attainable".into(),
            rows,
        }
    }

    #[test]
    fn texts_stand_apart_even_with_very_long_names() {
        let long = "prompted:".to_owned() + &"some-organisation/".repeat(12) + "model";
        let rows = vec![
            row(&long, Standing::Contender, 0.4),
            row("nash", Standing::Contender, -5.0),
            AgentRow { name: "idle".into(), standing: Standing::Contender, estimate: None },
        ];
        assert_texts_stand_apart(&plot(rows).draw());
        assert_texts_stand_apart(&plot(Vec::new()).draw());
    }

    #[test]
    fn the_best_ranked_agent_is_on_top_and_ceilings_are_last() {
        let drawing = plot(vec![
            row("oracle", Standing::Ceiling, 0.99),
            row("linear", Standing::Contender, 0.3),
            row("nash", Standing::Contender, 0.6),
        ])
        .draw();
        let names: Vec<&str> = drawing
            .marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Text { text, anchor: Anchor::End, .. } if !text.contains('%') => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(names, ["nash", "linear", "oracle"]);
        assert!(drawing.description.starts_with("Surplus efficiency by agent. "), "{}", drawing.description);
    }
}
