use super::drawing::{Anchor, Colour, Drawing};
use super::font::{shortened, text_width};
use super::legend::Legend;

const WIDTH: f64 = 860.0;
const MARGIN: f64 = 24.0;
const EM: f64 = 13.0;
const PANEL_HEIGHT: f64 = 150.0;
const PANEL_GAP: f64 = 34.0;
const FOOTER: f64 = 40.0;
const LABEL: f64 = 56.0;
/// Horizontal grid lines of a panel.
const LINES: u32 = 4;

/// A quantity that several series follow.
#[derive(Debug, Clone, PartialEq)]
pub struct CurvePanel {
    /// The quantity, with its unit.
    pub title: String,
    /// For each series, in the plot's order, its points: x ascending, then the quantity. A series may have none.
    pub series: Vec<Vec<(f64, f64)>>,
}

/// Learning curves: panels above each other over one horizontal axis.
#[derive(Debug, Clone, PartialEq)]
pub struct CurvePlot {
    /// What is shown.
    pub title: String,
    /// Where it was measured.
    pub subtitle: String,
    /// What the horizontal axis counts.
    pub across: String,
    /// Names of the series.
    pub series: Vec<String>,
    /// The quantities, top to bottom.
    pub panels: Vec<CurvePanel>,
}

/// Lowest and highest of the numbers, widened where they are equal; 0 to 1 where there is none.
fn span(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = numbers
        .filter(|number| number.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| (low.min(number), high.max(number)));
    match () {
        () if low > high => (0.0, 1.0),
        () if low == high => (low - 0.5, high + 0.5),
        () => (low, high),
    }
}

/// A count in few letters: 12, 3.4 k, 10 M.
fn short_count(count: f64) -> String {
    let (scaled, unit) = match count {
        count if count >= 1e6 => (count / 1e6, " M"),
        count if count >= 1e3 => (count / 1e3, " k"),
        count => (count, ""),
    };
    let digits = usize::from(scaled < 10.0 && scaled.fract() >= 0.05);
    format!("{scaled:.digits$}{unit}")
}

impl CurvePlot {
    /// Lays the plot out.
    pub fn draw(&self) -> Drawing {
        let legend = Legend::new(&self.series, MARGIN, WIDTH - MARGIN);
        let top = 76.0 + legend.height;
        let height = top + (PANEL_HEIGHT + PANEL_GAP) * self.panels.len() as f64 + FOOTER;
        let mut drawing =
            Drawing { width: WIDTH as u32, height: height as u32, description: self.description(), marks: Vec::new() };
        let title = shortened(&self.title, 17.0, WIDTH - 2.0 * MARGIN);
        let subtitle = shortened(&self.subtitle, 12.0, WIDTH - 2.0 * MARGIN);
        drawing.text(&title, (MARGIN, 30.0), 17.0, Anchor::Start, Colour::Ink);
        drawing.text(&subtitle, (MARGIN, 50.0), 12.0, Anchor::Start, Colour::Muted);
        legend.draw(&mut drawing, 60.0);
        let points = || self.panels.iter().flat_map(|panel| panel.series.iter().flatten());
        let across = span(points().map(|point| point.0).chain([0.0]));
        let (left, right) = (MARGIN + LABEL, WIDTH - MARGIN);
        let mut panel_top = top;
        for panel in &self.panels {
            let title = shortened(&panel.title, EM, right - left);
            drawing.text(&title, (left, panel_top + 12.0), EM, Anchor::Start, Colour::Ink);
            panel.draw(&mut drawing, (left, right), (panel_top + 22.0, panel_top + PANEL_HEIGHT), across);
            panel_top += PANEL_HEIGHT + PANEL_GAP;
        }
        let baseline = panel_top - PANEL_GAP + 18.0;
        for (place, anchor) in [(0.0, Anchor::Start), (0.5, Anchor::Middle), (1.0, Anchor::End)] {
            let label = short_count(across.0 + place * (across.1 - across.0));
            drawing.text(&label, (left + place * (right - left), baseline), 11.0, anchor, Colour::Muted);
        }
        let axis = shortened(&self.across, 12.0, right - left);
        drawing.text(&axis, ((left + right) / 2.0, baseline + 18.0), 12.0, Anchor::Middle, Colour::Muted);
        drawing
    }

    fn description(&self) -> String {
        let panels: Vec<&str> = self.panels.iter().map(|panel| panel.title.as_str()).collect();
        format!("{}. {} over {}, for {}.", self.title, panels.join(" and "), self.across, self.series.join(", "))
    }
}

impl CurvePanel {
    fn draw(&self, drawing: &mut Drawing, (left, right): (f64, f64), (top, bottom): (f64, f64), across: (f64, f64)) {
        let (low, high) = span(self.series.iter().flatten().map(|point| point.1));
        for line in 0..=LINES {
            let share = f64::from(line) / f64::from(LINES);
            let y = bottom - share * (bottom - top);
            drawing.line((left, y), (right, y), 1, Colour::Grid);
            let value = low + share * (high - low);
            let label = if high - low < 0.05 { format!("{value:.4}") } else { format!("{value:.2}") };
            debug_assert!(text_width(&label, 11.0) < 2.0 * LABEL);
            drawing.text(&label, (left - 8.0, y + 4.0), 11.0, Anchor::End, Colour::Muted);
        }
        let place = |&(x, y): &(f64, f64)| {
            let x = left + (x - across.0) / (across.1 - across.0) * (right - left);
            (x, bottom - (y - low) / (high - low) * (bottom - top))
        };
        for (index, series) in self.series.iter().enumerate() {
            let finite: Vec<_> = series.iter().filter(|point| point.1.is_finite()).map(place).collect();
            for ends in finite.windows(2) {
                drawing.line(ends[0], ends[1], 2, Colour::Series(index));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawing::{Mark, assert_texts_stand_apart};
    use super::*;

    fn plot() -> CurvePlot {
        let panel = |title: &str, scale: f64| CurvePanel {
            title: title.into(),
            series: vec![
                (1..=50).map(|x| (f64::from(x) * 2e5, scale * f64::from(x % 7))).collect(),
                vec![(1e7, f64::NAN)],
            ],
        };
        CurvePlot {
            title: "Learning".into(),
            subtitle: "strong, seed 1".into(),
            across: "steps of the environment".into(),
            series: vec!["ppo".into(), "dqn".into()],
            panels: vec![panel("Agreement, share of episodes", 0.1), panel("Surplus, share of the price", 1e-4)],
        }
    }

    #[test]
    fn texts_stand_apart_and_lines_stay_within_the_picture() {
        let drawing = plot().draw();
        assert_texts_stand_apart(&drawing);
        let (width, height) = (f64::from(drawing.width), f64::from(drawing.height));
        let mut lines = 0;
        for mark in &drawing.marks {
            if let Mark::Line { points, .. } = mark {
                lines += 1;
                assert!(
                    points.iter().all(|&(x, y)| (0.0..=width).contains(&x) && (0.0..=height).contains(&y)),
                    "{points:?}"
                );
            }
        }
        assert_eq!(lines, 2 * (LINES as usize + 1) + 2 * 49);
    }

    #[test]
    fn a_plot_without_points_is_a_frame() {
        let empty = CurvePanel { title: "nothing".into(), series: vec![Vec::new()] };
        assert_texts_stand_apart(&CurvePlot { panels: vec![empty], ..plot() }.draw());
    }

    #[test]
    fn counts_are_short() {
        for (count, expected) in [(0.0, "0"), (12.0, "12"), (3_400.0, "3.4 k"), (10e6, "10 M"), (2.5e6, "2.5 M")] {
            assert_eq!(short_count(count), expected);
        }
    }
}
