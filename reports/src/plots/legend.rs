use super::drawing::{Anchor, Colour, Drawing, Shape};
use super::font::{shortened, text_width};

const EM: f64 = 12.0;
const ROW: f64 = 20.0;
const SYMBOL: f64 = 16.0;
const GAP: f64 = 22.0;

/// Names of the series with their symbols, laid out in rows that fit a width.
pub(super) struct Legend {
    entries: Vec<(String, f64, f64)>,
    pub(super) height: f64,
}

impl Legend {
    pub(super) fn new(names: &[String], left: f64, right: f64) -> Self {
        let (mut x, mut y) = (left, 0.0);
        let mut entries = Vec::new();
        for name in names {
            let name = shortened(name, EM, right - left - SYMBOL);
            let width = SYMBOL + text_width(&name, EM);
            if x > left && x + width > right {
                (x, y) = (left, y + ROW);
            }
            entries.push((name, x, y));
            x += width + GAP;
        }
        Self { entries, height: y + ROW }
    }

    pub(super) fn draw(&self, drawing: &mut Drawing, top: f64) {
        for (index, (name, x, y)) in self.entries.iter().enumerate() {
            let middle = top + y + ROW / 2.0;
            drawing.point((x + 5.0, middle), 4.5, Shape::of_series(index), Colour::Series(index), true);
            drawing.text(name, (x + SYMBOL, middle + 0.34 * EM), EM, Anchor::Start, Colour::Ink);
        }
    }
}
