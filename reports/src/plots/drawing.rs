use super::font::text_width;
use crate::plain_text::plain;

/// What a mark's colour means; the theme decides how it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// The page.
    Background,
    /// Titles and labels.
    Ink,
    /// Axis labels and notes.
    Muted,
    /// Grid lines.
    Grid,
    /// Every second row's background.
    Band,
    /// A series, by position; colours repeat after [`super::Theme::SERIES`].
    Series(usize),
}

/// Where a text stands from its x coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins there.
    Start,
    /// The text's middle is there.
    Middle,
    /// The text ends there.
    End,
}

/// Outline of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A circle.
    Circle,
    /// A square.
    Square,
    /// A square on its corner.
    Diamond,
    /// A triangle that points up.
    Triangle,
    /// A triangle that points left: the value lies off the axis to the left.
    Leftwards,
    /// A triangle that points right: the value lies off the axis to the right.
    Rightwards,
}

impl Shape {
    /// The shape of series `index`: it changes when the colours have run out, so that the pair stays unique, and
    /// within them too, so that colour is never the only difference between neighbours.
    pub(super) fn of_series(index: usize) -> Self {
        [Self::Circle, Self::Square, Self::Diamond, Self::Triangle][index % 4]
    }
}

/// One thing to draw, in logical pixels from the top left.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A straight line.
    Line {
        /// Its ends.
        points: [(f64, f64); 2],
        /// Its width.
        width: u32,
        /// Its colour.
        colour: Colour,
    },
    /// A filled rectangle.
    Rectangle {
        /// Top left and bottom right.
        corners: [(f64, f64); 2],
        /// Its colour.
        colour: Colour,
    },
    /// A point.
    Point {
        /// Its middle.
        centre: (f64, f64),
        /// Half its width.
        radius: f64,
        /// Its outline.
        shape: Shape,
        /// Its colour.
        colour: Colour,
        /// Filled, or an outline on the page's colour.
        filled: bool,
    },
    /// A line of text.
    Text {
        /// The text.
        text: String,
        /// Anchor point on the baseline.
        baseline: (f64, f64),
        /// Height of the em.
        em: f64,
        /// Where the text stands from the anchor point.
        anchor: Anchor,
        /// Its colour.
        colour: Colour,
    },
}

impl Mark {
    /// Left, top, right and bottom of a text; `None` of other marks.
    pub fn text_box(&self) -> Option<[f64; 4]> {
        let Self::Text { text, baseline: (x, y), em, anchor, .. } = self else {
            return None;
        };
        let width = text_width(text, *em);
        let left = match anchor {
            Anchor::Start => *x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        Some([left, y - 0.78 * em, left + width, y + 0.22 * em])
    }
}

/// A plot laid out: its size in logical pixels and its marks, later ones on top.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// Width in logical pixels.
    pub width: u32,
    /// Height in logical pixels.
    pub height: u32,
    /// What the picture shows, in a sentence, for those who cannot see it.
    pub description: String,
    /// The marks.
    pub marks: Vec<Mark>,
}

impl Drawing {
    pub(super) fn text(&mut self, text: &str, baseline: (f64, f64), em: f64, anchor: Anchor, colour: Colour) {
        self.marks.push(Mark::Text { text: plain(text).into_owned(), baseline, em, anchor, colour });
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), width: u32, colour: Colour) {
        self.marks.push(Mark::Line { points: [from, to], width, colour });
    }

    pub(super) fn rectangle(&mut self, from: (f64, f64), to: (f64, f64), colour: Colour) {
        self.marks.push(Mark::Rectangle { corners: [from, to], colour });
    }

    pub(super) fn point(&mut self, centre: (f64, f64), radius: f64, shape: Shape, colour: Colour, filled: bool) {
        self.marks.push(Mark::Point { centre, radius, shape, colour, filled });
    }
}

#[cfg(test)]
pub(super) fn assert_texts_stand_apart(drawing: &Drawing) {
    let texts: Vec<_> = drawing.marks.iter().filter_map(|mark| Some((mark, mark.text_box()?))).collect();
    for (index, (mark, [left, top, right, bottom])) in texts.iter().enumerate() {
        let (width, height) = (f64::from(drawing.width), f64::from(drawing.height));
        assert!(*left >= 0.0 && *top >= 0.0 && *right <= width && *bottom <= height, "off the page: {mark:?}");
        for (other, [other_left, other_top, other_right, other_bottom]) in &texts[..index] {
            let apart = right < other_left || other_right < left || bottom < other_top || other_bottom < top;
            assert!(apart, "{mark:?} overlaps {other:?}");
        }
    }
}
