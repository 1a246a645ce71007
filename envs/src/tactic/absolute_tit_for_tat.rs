//! Absolute tit-for-tat (Faratin, Sierra and Jennings 1998).

use super::imitation::Imitation;
use super::selection::Selection;
use crate::view::PartyView;

/// Answers a concession by the same amount of own gain: with y the own gains of the other side's offers,
/// `aspiration_next = aspiration_last - (y[n - lag + 1] - y[n - lag])`, kept between the last and the initial aspiration.
///
/// Source: Faratin, Sierra and Jennings 1998, random absolute tit-for-tat with lag delta and without its random term. They
/// apply it to each issue; here it applies to whole packages by own gain. It opens with the initial aspiration and repeats it
/// until the other side has made `lag + 1` offers; a retreat is answered by a retreat. Acceptance is AC-next. No exponent.
#[derive(Clone, Debug, PartialEq)]
pub struct AbsoluteTitForTat {
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

impl AbsoluteTitForTat {
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
            Some(before - (newer - older))
        })
    }
}
