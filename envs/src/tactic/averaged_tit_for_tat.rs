//! Averaged tit-for-tat (Faratin, Sierra and Jennings 1998).

use super::imitation::{Imitation, Scale};
use super::selection::Selection;
use crate::view::PartyView;

/// Answers by the average percentage that the other side moved an offer over its last offers: with x the own and y the other
/// side's positions, `x_next = x_last * (y[n - w] / y[n])^(1/w)` for a window of w steps, kept between the last and the
/// initial aspiration.
///
/// Source: Faratin, Sierra and Jennings 1998, averaged tit-for-tat with window gamma: the average of percentage changes over
/// a window of the other side's history. The root makes the average geometric, so that a steady concession is answered by
/// the same pace whatever the window (a window of one step is relative tit-for-tat). Positions are those of
/// [`super::RelativeTitForTat`]. A history shorter than the window is averaged over the steps that there are. It opens with
/// the initial aspiration. Acceptance is AC-next. No exponent.
#[derive(Clone, Debug, PartialEq)]
pub struct AveragedTitForTat {
    /// First and highest aspiration as a share of the yardstick.
    pub initial: f64,
    /// Lowest aspiration as a share of the yardstick.
    pub last: f64,
    /// Steps of the other side that are averaged; 0 counts as 1.
    pub window: usize,
    /// Which package of the wanted gain is offered.
    pub selection: Selection,
    imitation: Imitation,
}

impl AveragedTitForTat {
    /// A tactic that has seen nothing yet.
    #[must_use]
    pub fn new(initial: f64, last: f64, window: usize, selection: Selection) -> Self {
        Self { initial, last, window, selection, imitation: Imitation::default() }
    }

    /// The own gain aspired to now, in units of utility.
    pub fn aspiration(&mut self, view: &PartyView<'_>) -> f64 {
        let (initial, last) = (self.initial * view.own.yardstick, self.last * view.own.yardstick);
        let window = self.window.max(1);
        self.imitation.aspiration(view, initial, last, |before| {
            let mut gains = view.gains_heard();
            let newer = gains.next()?;
            let (steps, older) = gains.take(window).enumerate().last()?;
            Scale::of(view).moved(before, older, newer, 1.0 / (steps + 1) as f64)
        })
    }
}
