//! Tactics with distributions in place of parameters.

use serde::Deserialize;
use zopa_envs::tactic::TimeDependent;
use zopa_envs::{Distribution, Stream, Tactic};

/// A scripted tactic whose parameters are drawn.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TacticTemplate {
    /// Concedes by the clock; see [`TimeDependent`].
    TimeDependent {
        /// Concession exponent in GENIUS's convention: below 1 boulware, above 1 conceder.
        exponent: Distribution,
        /// First aspiration in shares of the yardstick.
        initial: Distribution,
        /// Last aspiration in shares of the yardstick.
        last: Distribution,
    },
}

/// What a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Domain {
    /// Above 0.
    Positive,
    /// An aspiration: above 0, so that waiting for the end never yields everything, and below 1.
    Aspiration,
}

impl Domain {
    /// Why values between `low` and `high` do not lie in this domain.
    pub(super) fn fault(self, (low, high): (f64, f64)) -> Option<&'static str> {
        match self {
            Self::Positive if low <= 0.0 => Some("must be above 0"),
            Self::Aspiration if low <= 0.0 => {
                Some("must end above 0: a counterpart concedes no further than its reservation")
            }
            Self::Aspiration if high >= 1.0 => Some("must lie below 1, the whole yardstick"),
            _ => None,
        }
    }
}

impl TacticTemplate {
    /// The tactic's name in suite files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::TimeDependent { .. } => "time_dependent",
        }
    }

    /// The parameters by name, in the order in which they are drawn.
    #[must_use]
    pub fn parameters(&self) -> Vec<(&'static str, &Distribution)> {
        match self {
            Self::TimeDependent { exponent, initial, last } => {
                vec![("exponent", exponent), ("initial", initial), ("last", last)]
            }
        }
    }

    /// The tactic with parameters drawn from `stream`, one uniform each.
    pub fn draw(&self, stream: &mut Stream) -> Tactic {
        match self {
            Self::TimeDependent { exponent, initial, last } => Tactic::TimeDependent(TimeDependent {
                exponent: exponent.draw(stream),
                initial: initial.draw(stream),
                last: last.draw(stream),
            }),
        }
    }

    /// The domain of each parameter, in the order of [`Self::parameters`].
    pub(super) fn domains(&self) -> &'static [Domain] {
        match self {
            Self::TimeDependent { .. } => &[Domain::Positive, Domain::Aspiration, Domain::Aspiration],
        }
    }

    /// What the parameters together must hold, where they do not: the parameter, the problem and the remedy.
    pub(super) fn fault(&self) -> Option<(&'static str, &'static str, &'static str)> {
        match self {
            Self::TimeDependent { initial, last, .. } => (last.support().1 > initial.support().0).then_some((
                "last",
                "can exceed the first aspiration",
                "keep last's high at or below initial's low",
            )),
        }
    }
}
