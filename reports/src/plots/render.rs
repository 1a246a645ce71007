use std::path::{Path, PathBuf};

use plotters::backend::{BitMapBackend, SVGBackend};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Polygon, Rectangle, Text};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, ShapeStyle, TextStyle};

use super::drawing::{Anchor, Colour, Drawing, Mark, Shape};
use super::font::{BITMAP_SIZE, FAMILY, register};
use super::theme::Theme;

/// Device pixels of a PNG for each logical pixel.
const PNG_SCALE: f64 = 2.0;

/// A picture that could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// The drawing library refused a mark.
    #[error("the plot could not be drawn: {0}")]
    Draw(String),
    /// The file could not be written.
    #[error("{}: the plot could not be written: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// The file's name does not end in `.png`.
    #[error("{}: a PNG file's name must end in .png", path.display())]
    NotPng {
        /// The file.
        path: PathBuf,
    },
}

/// How a medium sizes and places text; the two differ in plotters.
#[derive(Debug, Clone, Copy)]
struct Medium {
    /// Device pixels for each logical pixel.
    scale: f64,
    /// plotters' font size for an em of one.
    font_size: f64,
    /// Distance from the top of a text to its baseline, in font sizes.
    baseline: f64,
}

/// The SVG backend writes an em of size / 1.24 and puts the baseline 0.76 em below a text's top.
const SVG: Medium = Medium { scale: 1.0, font_size: 1.24, baseline: 0.76 / 1.24 };
/// The bitmap backend puts the baseline half a size below a text's top.
const BITMAP: Medium = Medium { scale: PNG_SCALE, font_size: BITMAP_SIZE, baseline: 0.5 };

impl Drawing {
    /// The drawing as an SVG document. Text is text, in the viewer's sans-serif face.
    ///
    /// # Errors
    /// Where plotters refuses a mark.
    pub fn to_svg(&self, theme: Theme) -> Result<String, PlotError> {
        let mut document = String::new();
        {
            let area = SVGBackend::with_string(&mut document, (self.width, self.height)).into_drawing_area();
            self.render(&area, SVG, theme)?;
            area.present().map_err(|error| PlotError::Draw(error.to_string()))?;
        }
        Ok(document)
    }

    /// Writes the drawing as a PNG file with two device pixels for each logical pixel.
    ///
    /// # Errors
    /// Where the name does not end in `.png`, the file cannot be written, or plotters refuses a mark.
    pub fn save_png(&self, theme: Theme, path: &Path) -> Result<(), PlotError> {
        if path.extension().is_none_or(|extension| extension != "png") {
            return Err(PlotError::NotPng { path: path.to_owned() });
        }
        let size = [self.width, self.height].map(|side| (f64::from(side) * PNG_SCALE) as u32);
        let area = BitMapBackend::new(path, (size[0], size[1])).into_drawing_area();
        self.render(&area, BITMAP, theme)?;
        area.present().map_err(|error| PlotError::Write { path: path.to_owned(), reason: error.to_string() })
    }

    fn render<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        medium: Medium,
        theme: Theme,
    ) -> Result<(), PlotError> {
        register();
        area.fill(&theme.colour(Colour::Background)).map_err(|error| PlotError::Draw(error.to_string()))?;
        for mark in &self.marks {
            render_mark(mark, area, medium, theme).map_err(|error| PlotError::Draw(error.to_string()))?;
        }
        Ok(())
    }
}

fn render_mark<DB: DrawingBackend>(
    mark: &Mark,
    area: &DrawingArea<DB, Shift>,
    medium: Medium,
    theme: Theme,
) -> Result<(), plotters::drawing::DrawingAreaErrorKind<DB::ErrorType>> {
    let pixel = |(x, y): (f64, f64)| ((x * medium.scale).round() as i32, (y * medium.scale).round() as i32);
    let stroke = |colour: Colour, width: u32| {
        ShapeStyle::from(theme.colour(colour)).stroke_width((f64::from(width) * medium.scale) as u32)
    };
    match mark {
        Mark::Line { points, width, colour } => {
            area.draw(&PathElement::new(points.map(pixel).to_vec(), stroke(*colour, *width)))
        }
        Mark::Rectangle { corners, colour } => {
            area.draw(&Rectangle::new(corners.map(pixel), theme.colour(*colour).filled()))
        }
        Mark::Point { centre, radius, shape, colour, filled } => {
            let fill = if *filled { *colour } else { Colour::Background };
            if *shape == Shape::Circle {
                // A ring is drawn as two discs: the bitmap backend smooths discs, but not outlines.
                let disc = |radius: f64, colour| {
                    Circle::new(pixel(*centre), radius * medium.scale, theme.colour(colour).filled())
                };
                area.draw(&disc(*radius, *colour))?;
                return if *filled { Ok(()) } else { area.draw(&disc(radius - 1.5, fill)) };
            }
            let mut outline: Vec<(i32, i32)> =
                corners(*shape).iter().map(|(x, y)| pixel((centre.0 + x * radius, centre.1 + y * radius))).collect();
            area.draw(&Polygon::new(outline.clone(), theme.colour(fill).filled()))?;
            outline.push(outline[0]);
            area.draw(&PathElement::new(outline, stroke(*colour, 1)))
        }
        Mark::Text { text, baseline: (x, y), em, anchor, colour } => {
            let size = em * medium.font_size * medium.scale;
            let h_pos = match anchor {
                Anchor::Start => HPos::Left,
                Anchor::Middle => HPos::Center,
                Anchor::End => HPos::Right,
            };
            let ink = theme.colour(*colour);
            let style = TextStyle::from(FontDesc::new(FontFamily::Name(FAMILY), size, FontStyle::Normal))
                .color(&ink)
                .pos(Pos::new(h_pos, VPos::Top));
            let top = y * medium.scale - size * medium.baseline;
            area.draw(&Text::new(text.as_str(), ((x * medium.scale).round() as i32, top.round() as i32), style))
        }
    }
}

/// Corners of a shape around its centre, in radii.
fn corners(shape: Shape) -> &'static [(f64, f64)] {
    match shape {
        Shape::Circle => &[],
        Shape::Square => &[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
        Shape::Diamond => &[(0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0)],
        Shape::Triangle => &[(0.0, -1.1), (1.1, 0.9), (-1.1, 0.9)],
        Shape::Leftwards => &[(-1.1, 0.0), (0.9, -1.1), (0.9, 1.1)],
        Shape::Rightwards => &[(1.1, 0.0), (-0.9, 1.1), (-0.9, -1.1)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawing() -> Drawing {
        let mut drawing = Drawing { width: 120, height: 60, description: "test".into(), marks: Vec::new() };
        drawing.text("<rule> & \"tree\"", (10.0, 20.0), 13.0, Anchor::Start, Colour::Ink);
        for (index, shape) in [Shape::Circle, Shape::Square, Shape::Diamond, Shape::Triangle].into_iter().enumerate() {
            drawing.point((20.0 + 20.0 * index as f64, 40.0), 5.0, shape, Colour::Series(index), index % 2 == 0);
        }
        drawing
    }

    #[test]
    fn an_svg_escapes_its_text_and_refers_to_nothing_outside() {
        let svg = drawing().to_svg(Theme::Light).expect("drawn");
        assert!(svg.contains("&lt;rule&gt; &amp; &quot;tree&quot;"), "{svg}");
        assert_eq!(svg.matches("http").count(), 1, "only the namespace: {svg}");
        assert_eq!(svg, drawing().to_svg(Theme::Light).expect("drawn"));
        assert_ne!(svg, drawing().to_svg(Theme::Dark).expect("drawn"));
    }

    #[test]
    fn a_png_has_two_pixels_for_each_logical_one_and_the_same_bytes_each_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let bytes = |name: &str| {
            let path = folder.path().join(name);
            drawing().save_png(Theme::Light, &path).expect("written");
            std::fs::read(path).expect("readable")
        };
        let first = bytes("a.png");
        assert_eq!(&first[1..4], b"PNG");
        assert_eq!(&first[16..24], [0, 0, 0, 240, 0, 0, 0, 120]);
        assert_eq!(first, bytes("b.png"));
    }

    #[test]
    fn a_png_that_cannot_be_written_names_its_path() {
        let message = |path: &str| drawing().save_png(Theme::Light, Path::new(path)).expect_err("refused").to_string();
        assert_eq!(message("plot.jpg"), "plot.jpg: a PNG file's name must end in .png");
        assert!(message("no-such-folder/plot.png").starts_with("no-such-folder/plot.png: the plot could not be"));
    }
}
