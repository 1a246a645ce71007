//! What the parameters of a family may be.

use zopa_envs::Distribution;
use zopa_envs::counterpart::Listening;

/// A parameter of a template: its name in suite files and descriptions, how it is drawn, and what it may be.
pub(super) type Parameter<'a> = (&'static str, &'a Distribution, Domain);

/// What the parameters of a template together must hold, where they do not: the parameter, the problem and the remedy.
pub(super) type Fault = (&'static str, &'static str, &'static str);

/// What a parameter may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Domain {
    /// Above 0.
    Positive,
    /// A gain in shares of the yardstick: above 0, so that waiting for the end never yields everything, and below 1, which in
    /// money would be a price of nothing; in a domain's tables 1 is the best outcome.
    Aspiration,
    /// A number of offers, from 1.
    Count,
    /// From 0 to 1.
    Share,
    /// From 0 to below 1.
    ShareBelowOne,
    /// Above 0, up to 1.
    PositiveShare,
    /// A listener's highest speed.
    Fastest,
    /// A listener's lowest speed.
    Slowest,
    /// A listener's largest shift of what it accepts.
    Shift,
}

impl Domain {
    /// Why values between `low` and `high` do not lie in this domain. `tables` says that utilities are a domain's.
    pub(super) fn fault(self, (low, high): (f64, f64), tables: bool) -> Option<String> {
        let text = match self {
            Self::Positive if low <= 0.0 => "must be above 0",
            Self::Aspiration if low <= 0.0 => {
                "must stay above 0: a counterpart that ends at its reservation makes waiting a strategy"
            }
            Self::Aspiration if high > 1.0 || high == 1.0 && !tables => "must stay below 1, the whole yardstick",
            Self::Count if low < 1.0 || high > 1000.0 => "must be a number of offers from 1 to 1000",
            Self::Share if low < 0.0 || high > 1.0 => "must lie from 0 to 1",
            Self::ShareBelowOne if low < 0.0 || high >= 1.0 => "must lie from 0 to below 1",
            Self::PositiveShare if low <= 0.0 || high > 1.0 => "must lie above 0, at most at 1",
            Self::Fastest if low < 1.0 || high > Listening::FASTEST => {
                return Some(format!(
                    "must lie from 1 to {}: what is said moves a counterpart within bounds",
                    Listening::FASTEST
                ));
            }
            Self::Slowest if low < Listening::SLOWEST || high > 1.0 => {
                return Some(format!(
                    "must lie from {} to 1: what is said moves a counterpart within bounds",
                    Listening::SLOWEST
                ));
            }
            Self::Shift if low < 0.0 || high > Listening::LARGEST_SHIFT => {
                return Some(format!(
                    "must lie from 0 to {} of the yardstick: what is said moves a counterpart within bounds",
                    Listening::LARGEST_SHIFT
                ));
            }
            _ => return None,
        };
        Some(text.to_owned())
    }
}

/// A drawn number of offers.
pub(super) fn count(drawn: f64) -> usize {
    (drawn + 0.5) as usize
}
