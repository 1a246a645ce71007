//! What is possible in a domain: its solution points.

use super::domain::Domain;
use super::frontier_search::{METHOD, search};
use serde::Serialize;
use std::fmt;
use zopa_envs::solution::{SolutionError, SolutionPoint, SolutionPoints};
use zopa_envs::{OutcomeSpace, Utility};

/// The most outcomes that are all looked at; beyond, the points are searched for and labelled as estimates.
pub const MOST_ENUMERATED: u128 = 1_000_000;

/// How many outcomes there are: JSON has no exact number for 10^50.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum OutcomeCount {
    /// Exactly so many.
    Exact(u64),
    /// About so many, beyond 2^53.
    About(f64),
}

impl OutcomeCount {
    /// The number of outcomes of `space`.
    #[must_use]
    pub fn of(space: &OutcomeSpace) -> Self {
        match u64::try_from(space.size()) {
            Ok(count) if count <= 1 << 53 => Self::Exact(count),
            _ => Self::About(space.issues().iter().map(|issue| f64::from(issue.len())).product()),
        }
    }
}

impl fmt::Display for OutcomeCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(count) => write!(f, "{count}"),
            Self::About(count) => write!(f, "about {count:.1e}"),
        }
    }
}

/// The solution points of two utilities over one space, as `[u1, u2]`. They are chosen among rational frontier outcomes;
/// of several, the one with the larger u1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// How many outcomes there are.
    pub outcomes: OutcomeCount,
    /// Distinct utility pairs on the Pareto frontier.
    pub pareto: usize,
    /// Largest product of gains; `None` where no outcome leaves both sides better off.
    pub nash: Option<[f64; 2]>,
    /// All outcomes with the largest product of gains.
    pub nash_set: Vec<[f64; 2]>,
    /// Largest smaller gain as a share of each side's best rational gain.
    pub kalai_smorodinsky: Option<[f64; 2]>,
    /// Largest smaller gain.
    pub egalitarian: Option<[f64; 2]>,
    /// Largest sum of utilities.
    pub welfare: Option<f64>,
    /// Each side's highest utility.
    pub max: [f64; 2],
    /// Each side's utility of no deal.
    pub reservation: [f64; 2],
    /// The profiles' names, first party first.
    pub profiles: [String; 2],
    /// How the points were searched for where the space is too large to enumerate: then all but `outcomes` and
    /// `reservation` are estimates (of additive utilities, `max` is exact too). `None` where every outcome was looked at.
    pub estimate: Option<&'static str>,
}

impl Analysis {
    /// The solution points of a domain.
    ///
    /// # Errors
    /// Where a utility is not finite.
    pub fn of_domain(domain: &Domain) -> Result<Self, SolutionError> {
        let [first, second] = &domain.profiles;
        Self::of(
            &domain.space,
            [&first.utility, &second.utility],
            [first.reservation, second.reservation],
            [first.name.to_string(), second.name.to_string()],
        )
    }

    /// The solution points of `utilities` over `space`.
    ///
    /// # Errors
    /// Where a utility or a reservation value is not finite.
    pub fn of(
        space: &OutcomeSpace,
        utilities: [&Utility; 2],
        reservation: [f64; 2],
        profiles: [String; 2],
    ) -> Result<Self, SolutionError> {
        let enumerated = space.size() <= MOST_ENUMERATED;
        let pairs = if enumerated {
            space.outcomes().map(|offer| utilities.map(|utility| utility.of(&offer))).collect()
        } else {
            search(space, utilities)?
        };
        let points = SolutionPoints::of(&pairs, reservation)?;
        let pair = |point: Option<SolutionPoint>| point.map(|point| point.utilities);
        Ok(Self {
            outcomes: OutcomeCount::of(space),
            pareto: points.frontier.len(),
            nash: pair(points.nash),
            nash_set: points.nash_set.iter().map(|point| point.utilities).collect(),
            kalai_smorodinsky: pair(points.kalai_smorodinsky),
            egalitarian: pair(points.egalitarian),
            welfare: points.welfare(),
            max: points.max,
            reservation,
            profiles,
            estimate: (!enumerated).then_some(METHOD),
        })
    }
}
