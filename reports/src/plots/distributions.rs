use super::drawing::{Anchor, Colour, Drawing};
use super::font::{shortened, text_width};

const WIDTH: f64 = 980.0;
const MARGIN: f64 = 24.0;
const EM: f64 = 12.0;
const ROW: f64 = 24.0;
const HEADER: f64 = 96.0;
const FOOTER: f64 = 44.0;
const GAP: f64 = 22.0;
const MOST_LABEL: f64 = 160.0;

/// One measure, a panel of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct DistributionPanel {
    /// What is measured.
    pub title: String,
    /// Its unit, in a line.
    pub unit: String,
    /// Whether values are shares, drawn as percentages.
    pub shares: bool,
}

/// One kind of thing that was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct DistributionRow {
    /// Its name.
    pub name: String,
    /// Quantiles at 5, 25, 50, 75 and 95 % for each panel; `None` where nothing was observed.
    pub quantiles: Vec<Option<[f64; 5]>>,
}

/// Distributions side by side: a box from quartile to quartile with the median, whiskers to 5 % and 95 %. The first row is what
/// the others are compared with, and its quartiles are shaded through its panel.
#[derive(Debug, Clone, PartialEq)]
pub struct DistributionPlot {
    /// What is shown.
    pub title: String,
    /// Where it was measured.
    pub subtitle: String,
    /// The measures.
    pub panels: Vec<DistributionPanel>,
    /// The rows, the reference first.
    pub rows: Vec<DistributionRow>,
}

impl DistributionPlot {
    /// Lays the plot out.
    pub fn draw(&self) -> Drawing {
        let names: Vec<String> = self.rows.iter().map(|row| shortened(&row.name, EM, MOST_LABEL)).collect();
        let widest = names.iter().map(|name| text_width(name, EM)).fold(0.0, f64::max);
        let left = MARGIN + widest + 14.0;
        let panels = self.panels.len().max(1) as f64;
        let panel_width = (WIDTH - MARGIN - left - GAP * (panels - 1.0)) / panels;
        let bottom = HEADER + ROW * self.rows.len() as f64;
        let mut drawing = Drawing {
            width: WIDTH as u32,
            height: (bottom + FOOTER) as u32,
            description: self.description(),
            marks: Vec::new(),
        };
        let room = WIDTH - 2.0 * MARGIN;
        drawing.text(&shortened(&self.title, 17.0, room), (MARGIN, 30.0), 17.0, Anchor::Start, Colour::Ink);
        drawing.text(&shortened(&self.subtitle, 11.0, room), (MARGIN, 49.0), 11.0, Anchor::Start, Colour::Muted);
        for (index, name) in names.iter().enumerate() {
            let ink = if index == 0 { Colour::Ink } else { Colour::Muted };
            let middle = HEADER + ROW * (index as f64 + 0.5);
            drawing.text(name, (left - 10.0, middle + 0.34 * EM), EM, Anchor::End, ink);
        }
        for (position, panel) in self.panels.iter().enumerate() {
            let from = left + position as f64 * (panel_width + GAP);
            self.draw_panel(&mut drawing, position, panel, (from, from + panel_width), bottom);
        }
        drawing
    }

    fn draw_panel(
        &self,
        drawing: &mut Drawing,
        position: usize,
        panel: &DistributionPanel,
        (from, to): (f64, f64),
        bottom: f64,
    ) {
        let room = to - from;
        drawing.text(&shortened(&panel.title, 12.0, room), (from, HEADER - 22.0), 12.0, Anchor::Start, Colour::Ink);
        drawing.text(&shortened(&panel.unit, 9.0, room), (from, HEADER - 8.0), 9.0, Anchor::Start, Colour::Muted);
        let of = |row: &DistributionRow| row.quantiles.get(position).copied().flatten();
        let all: Vec<[f64; 5]> = self.rows.iter().filter_map(of).collect();
        let least = all.iter().map(|quantiles| quantiles[0]).fold(0.0, f64::min);
        let most = all.iter().map(|quantiles| quantiles[4]).fold(f64::MIN_POSITIVE, f64::max);
        let (least, most) =
            if panel.shares { (floor_to(least, 0.25), floor_to(most, -0.25)) } else { (least, most.ceil()) };
        let at = |value: f64| from + 6.0 + (value - least) / (most - least) * (room - 12.0);
        if let Some(reference) = self.rows.first().and_then(of) {
            drawing.rectangle((at(reference[1]), HEADER), (at(reference[3]), bottom), Colour::Band);
        }
        for end in [least, most] {
            drawing.line((at(end), HEADER), (at(end), bottom), 1, Colour::Grid);
            let label = if panel.shares { format!("{:.0} %", 100.0 * end) } else { format!("{end:.0}") };
            let anchor = if end == least { Anchor::Start } else { Anchor::End };
            let x = if end == least { from } else { to };
            drawing.text(&label.replace('-', "\u{2212}"), (x, bottom + 16.0), 10.0, anchor, Colour::Muted);
        }
        for (index, row) in self.rows.iter().enumerate() {
            let Some([lowest, lower, median, upper, highest]) = of(row).map(|quantiles| quantiles.map(at)) else {
                continue;
            };
            let middle = HEADER + ROW * (index as f64 + 0.5);
            let colour = Colour::Series(usize::from(index > 0));
            drawing.line((lowest, middle), (highest, middle), 1, colour);
            drawing.rectangle((lower, middle - 6.0), (upper.max(lower + 1.0), middle + 6.0), colour);
            drawing.line((median, middle - 9.0), (median, middle + 9.0), 2, Colour::Ink);
        }
    }

    fn description(&self) -> String {
        let medians = self.rows.iter().map(|row| {
            let each = row.quantiles.iter().zip(&self.panels).filter_map(|(quantiles, panel)| {
                quantiles.map(|quantiles| format!("{} {:.2}", panel.title, quantiles[2]))
            });
            format!("{}: {}", row.name, each.collect::<Vec<_>>().join(", "))
        });
        format!("{}. Medians: {}.", self.title, medians.collect::<Vec<_>>().join("; "))
    }
}

/// The multiple of `step` at or below `value`; at or above it where `step` is negative.
fn floor_to(value: f64, step: f64) -> f64 {
    (value / step).floor() * step
}

#[cfg(test)]
mod tests {
    use super::super::drawing::{Mark, assert_texts_stand_apart};
    use super::*;

    fn plot() -> DistributionPlot {
        let panel = |title: &str, shares| DistributionPanel { title: title.into(), unit: "a unit".into(), shares };
        let row = |name: &str, shift: f64| DistributionRow {
            name: name.into(),
            quantiles: vec![
                Some([5.0, 5.0, 6.0, 7.0, 9.0 + shift]),
                Some([-0.2 + shift, 0.0, 0.0, 0.1, 0.3 + shift]),
                None,
                Some([0.4, 0.5, 0.5, 0.6, 0.7]),
            ],
        };
        DistributionPlot {
            title: "How people and counterparts negotiate".into(),
            subtitle: "200 sides; box: quartiles".into(),
            panels: vec![panel("rounds", false), panel("concession", true), panel("empty", true), panel("split", true)],
            rows: vec![row("people", 0.0), row(&"a-very-long-family-name".repeat(4), 0.1)],
        }
    }

    #[test]
    fn texts_stand_apart_and_nothing_leaves_the_page() {
        let drawing = plot().draw();
        assert_texts_stand_apart(&drawing);
        for mark in &drawing.marks {
            let ends = match mark {
                Mark::Line { points, .. } => points,
                Mark::Rectangle { corners, .. } => corners,
                _ => continue,
            };
            for (x, y) in ends {
                assert!((0.0..=f64::from(drawing.width)).contains(x) && (0.0..=f64::from(drawing.height)).contains(y));
            }
        }
    }

    #[test]
    fn a_row_without_observations_leaves_its_panel_empty_and_the_description_tells_medians() {
        let drawing = plot().draw();
        assert!(
            drawing.description.contains("people: rounds 6.00, concession 0.00, split 0.50"),
            "{}",
            drawing.description
        );
        let boxes = |mark: &&Mark| matches!(mark, Mark::Rectangle { colour: Colour::Series(_), .. });
        assert_eq!(drawing.marks.iter().filter(boxes).count(), 6);
    }
}
