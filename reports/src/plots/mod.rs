//! Pictures of a run's scores, as SVG text and PNG files.
//!
//! A plot is first laid out as a [`Drawing`], a list of marks in logical pixels with colours named by their role, and
//! then rendered by plotters onto either medium in either [`Theme`]. Text is measured and drawn with a font that is
//! compiled in, so no system font library is needed and every host lays a plot out alike.

mod agents;
mod axis;
mod curves;
mod distributions;
mod drawing;
mod families;
mod font;
mod legend;
mod percent;
mod render;
mod theme;

pub use agents::{AgentPlot, AgentRow};
pub use curves::{CurvePanel, CurvePlot};
pub use distributions::{DistributionPanel, DistributionPlot, DistributionRow};
pub use drawing::{Anchor, Colour, Drawing, Mark, Shape};
pub use families::{FamilyPlot, FamilyRow, Panel};
pub use percent::{percent, percent_interval};
pub use render::PlotError;
pub use theme::Theme;
