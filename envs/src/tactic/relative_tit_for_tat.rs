//! Relative tit-for-tat (Faratin, Sierra and Jennings 1998).

use super::imitation::{Imitation, Scale};
use super::selection::Selection;
use crate::view::PartyView;

/// Answers a concession by the same percentage: with x the own and y the other side's positions,
/// `x_next = x_last * y[n - lag] / y[n - lag + 1]`, kept between the last and the initial aspiration.
///
/// Source: Faratin, Sierra and Jennings 1998, relative tit-for-tat with lag delta. They apply it to each issue; here it
/// applies to whole packages: in money to the price that is worth the package with the status quo's other terms, in tables to
/// own utility above the worst outcome. It opens with the initial aspiration and repeats it until the other side has made
/// `lag + 1` offers; a retreat is answered by a retreat. Acceptance is AC-next. No exponent.
#[derive(Clone, Debug, PartialEq)]
pub struct RelativeTitForTat {
    /// First and highest aspiration as a share of the yardstick.
    pub initial: f64,
    /// Lowest aspiration as a share of the yardstick.
    pub last: f64,
    /// How many of the other side's steps ago the answered step was made: 1 is the latest; 0 counts as 1.
    pub lag: usize,
    /// Which package of the wanted gain is offered.
    pub selection: Selection,
    imitation: Imitation,
}

impl RelativeTitForTat {
    /// A tactic that has seen nothing yet.
    #[must_use]
    pub fn new(initial: f64, last: f64, lag: usize, selection: Selection) -> Self {
        Self { initial, last, lag, selection, imitation: Imitation::default() }
    }

    /// The own gain aspired to now, in units of utility.
    pub fn aspiration(&mut self, view: &PartyView<'_>) -> f64 {
        let (initial, last) = (self.initial * view.own.yardstick, self.last * view.own.yardstick);
        let lag = self.lag.max(1);
        self.imitation.aspiration(view, initial, last, |before| {
            let mut gains = view.gains_heard();
            let newer = gains.nth(lag - 1)?;
            let older = gains.next()?;
            Scale::of(view).moved(before, older, newer, 1.0)
        })
    }
}
