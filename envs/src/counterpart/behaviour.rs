//! What steers a course of concessions, and what is taken instead.

use super::course::Course;
use super::desperate::Desperate;
use super::listening::Listening;
use super::patient::Patient;
use super::reneging::Reneging;
use super::stochastic::Stochastic;
use super::strategic::Strategic;
use crate::random::LazyStream;
use crate::view::PartyView;

/// How a counterpart goes along its course, and when it accepts. Unless a behaviour says otherwise, it accepts what is worth
/// at least its own next offer (AC-next, Baarslag, Hindriks and Jonker 2013).
#[derive(Clone, Debug, PartialEq)]
pub enum Behaviour {
    /// By the clock.
    Steady,
    /// Holds back before who concedes fast, gives to who is firm.
    Strategic(Strategic),
    /// Accepts and refuses by chance.
    Stochastic(Stochastic),
    /// Takes back what it offered.
    Reneging(Reneging),
    /// Waits first.
    Patient(Patient),
    /// Takes less now rather than more later.
    Desperate(Desperate),
    /// Moves with what it is told.
    Listening(Listening),
}

impl Behaviour {
    /// Its drawn parameters by name.
    pub(super) fn parameters(&self) -> Vec<(&'static str, f64)> {
        match self {
            Self::Steady => Vec::new(),
            Self::Strategic(strategic) => vec![
                ("expected", strategic.expected),
                ("sensitivity", strategic.sensitivity),
                ("tolerance", f64::from(strategic.tolerance)),
            ],
            Self::Stochastic(Stochastic { take, stray, slack }) => {
                vec![("take", *take), ("stray", *stray), ("slack", *slack)]
            }
            Self::Reneging(Reneging { chance, retreat }) => vec![("chance", *chance), ("retreat", *retreat)],
            Self::Patient(Patient { hold }) => vec![("hold", *hold)],
            Self::Desperate(Desperate { impatience }) => vec![("impatience", *impatience)],
            Self::Listening(listening) => vec![
                ("fastest", listening.fastest),
                ("slowest", listening.slowest),
                ("shift", listening.shift),
                ("memory", listening.memory),
            ],
        }
    }

    /// Lets the course run for one own turn.
    pub(super) fn advance(&mut self, course: &mut Course, view: &PartyView<'_>, stream: &mut LazyStream) {
        let step = course.step_heard(view);
        let engagement = course.engagement(step);
        match self {
            Self::Steady | Self::Stochastic(_) | Self::Desperate(_) => course.advance(view, engagement),
            Self::Strategic(strategic) => {
                let speed = strategic.speed(course, view, step);
                course.advance(view, speed);
            }
            Self::Reneging(reneging) => {
                if !reneging.retreats(course, view, stream) {
                    course.advance(view, engagement);
                }
            }
            Self::Patient(patient) => course.advance(view, engagement * patient.speed(view)),
            Self::Listening(listening) => course.advance(view, engagement * listening.speed(view)),
        }
    }

    /// Whether a standing offer of own gain `standing` is taken by who would next ask for `ask`.
    pub(super) fn takes(&self, view: &PartyView<'_>, standing: f64, ask: f64, stream: &mut LazyStream) -> bool {
        match self {
            Self::Steady | Self::Strategic(_) | Self::Reneging(_) | Self::Patient(_) => standing >= ask,
            Self::Stochastic(stochastic) => stochastic.takes(view, standing, ask, stream),
            Self::Desperate(desperate) => standing >= desperate.threshold(view, ask),
            Self::Listening(listening) => standing >= ask - listening.leniency(view),
        }
    }
}
