//! Tactics with distributions in place of parameters.

use super::parameter::{Domain, Fault, Parameter, count};
use serde::Deserialize;
use zopa_envs::tactic::{
    AbsoluteTitForTat, AveragedTitForTat, Hardliner, Micro, RandomOffers, RelativeTitForTat, Selection, TimeDependent,
};
use zopa_envs::{Distribution, Stream, Tactic};

/// A scripted tactic whose parameters are drawn. Aspirations are shares of the party's yardstick.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TacticTemplate {
    /// Concedes by the clock; see [`TimeDependent`].
    TimeDependent {
        /// Concession exponent in GENIUS's convention: below 1 boulware, above 1 conceder.
        exponent: Distribution,
        /// First aspiration.
        initial: Distribution,
        /// Last aspiration.
        last: Distribution,
        /// Which package of the wanted gain is offered.
        #[serde(default)]
        selection: Selection,
    },
    /// Never concedes; see [`Hardliner`].
    Hardliner {
        /// What it demands.
        demand: Distribution,
        /// Which package of the wanted gain is offered.
        #[serde(default)]
        selection: Selection,
    },
    /// Answers concessions by the same percentage; see [`RelativeTitForTat`].
    RelativeTitForTat {
        /// First aspiration.
        initial: Distribution,
        /// Last aspiration.
        last: Distribution,
        /// How many offers back the comparison reaches, rounded.
        lag: Distribution,
        /// Which package of the wanted gain is offered.
        #[serde(default)]
        selection: Selection,
    },
    /// Answers concessions by the same amount; see [`AbsoluteTitForTat`].
    AbsoluteTitForTat {
        /// First aspiration.
        initial: Distribution,
        /// Last aspiration.
        last: Distribution,
        /// How many offers back the comparison reaches, rounded.
        lag: Distribution,
        /// Which package of the wanted gain is offered.
        #[serde(default)]
        selection: Selection,
    },
    /// Answers concessions by their average percentage; see [`AveragedTitForTat`].
    AveragedTitForTat {
        /// First aspiration.
        initial: Distribution,
        /// Last aspiration.
        last: Distribution,
        /// Steps of the other side that are averaged, rounded.
        window: Distribution,
        /// Which package of the wanted gain is offered.
        #[serde(default)]
        selection: Selection,
    },
    /// Answers each new offer by its own next best; see [`Micro`].
    Micro {
        /// Gain of the first place.
        initial: Distribution,
        /// Least gain of a place.
        last: Distribution,
        /// Distance of the places.
        rung: Distribution,
        /// Which package of the wanted gain is offered.
        #[serde(default)]
        selection: Selection,
    },
    /// Offers at random; see [`RandomOffers`].
    Random {
        /// Least gain of an offer.
        least: Distribution,
    },
}

impl TacticTemplate {
    /// The tactic's name in suite files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::TimeDependent { .. } => "time_dependent",
            Self::Hardliner { .. } => "hardliner",
            Self::RelativeTitForTat { .. } => "relative_tit_for_tat",
            Self::AbsoluteTitForTat { .. } => "absolute_tit_for_tat",
            Self::AveragedTitForTat { .. } => "averaged_tit_for_tat",
            Self::Micro { .. } => "micro",
            Self::Random { .. } => "random",
        }
    }

    /// Which package of the wanted gain is offered; `None` where offers are drawn at random.
    #[must_use]
    pub fn selection(&self) -> Option<Selection> {
        match self {
            Self::TimeDependent { selection, .. }
            | Self::Hardliner { selection, .. }
            | Self::RelativeTitForTat { selection, .. }
            | Self::AbsoluteTitForTat { selection, .. }
            | Self::AveragedTitForTat { selection, .. }
            | Self::Micro { selection, .. } => Some(*selection),
            Self::Random { .. } => None,
        }
    }

    /// The parameters by name with their domains, in the order in which they are drawn.
    pub(super) fn described(&self) -> Vec<Parameter<'_>> {
        use Domain::{Aspiration, Count, Positive};
        match self {
            Self::TimeDependent { exponent, initial, last, .. } => {
                vec![("exponent", exponent, Positive), ("initial", initial, Aspiration), ("last", last, Aspiration)]
            }
            Self::Hardliner { demand, .. } => vec![("demand", demand, Aspiration)],
            Self::RelativeTitForTat { initial, last, lag, .. } | Self::AbsoluteTitForTat { initial, last, lag, .. } => {
                vec![("initial", initial, Aspiration), ("last", last, Aspiration), ("lag", lag, Count)]
            }
            Self::AveragedTitForTat { initial, last, window, .. } => {
                vec![("initial", initial, Aspiration), ("last", last, Aspiration), ("window", window, Count)]
            }
            Self::Micro { initial, last, rung, .. } => {
                vec![("initial", initial, Aspiration), ("last", last, Aspiration), ("rung", rung, Positive)]
            }
            Self::Random { least } => vec![("least", least, Aspiration)],
        }
    }

    /// The tactic with parameters drawn from `stream` in the order in which they are declared, a uniform each (none for a
    /// constant).
    pub fn draw(&self, stream: &mut Stream) -> Tactic {
        match self {
            Self::TimeDependent { exponent, initial, last, selection } => Tactic::TimeDependent(TimeDependent {
                exponent: exponent.draw(stream),
                initial: initial.draw(stream),
                last: last.draw(stream),
                selection: *selection,
            }),
            Self::Hardliner { demand, selection } => {
                Tactic::Hardliner(Hardliner { demand: demand.draw(stream), selection: *selection })
            }
            Self::RelativeTitForTat { initial, last, lag, selection } => {
                let (initial, last) = (initial.draw(stream), last.draw(stream));
                let lag = count(lag.draw(stream));
                Tactic::RelativeTitForTat(RelativeTitForTat::new(initial, last, lag, *selection))
            }
            Self::AbsoluteTitForTat { initial, last, lag, selection } => {
                let (initial, last) = (initial.draw(stream), last.draw(stream));
                let lag = count(lag.draw(stream));
                Tactic::AbsoluteTitForTat(AbsoluteTitForTat::new(initial, last, lag, *selection))
            }
            Self::AveragedTitForTat { initial, last, window, selection } => {
                let (initial, last) = (initial.draw(stream), last.draw(stream));
                let window = count(window.draw(stream));
                Tactic::AveragedTitForTat(AveragedTitForTat::new(initial, last, window, *selection))
            }
            Self::Micro { initial, last, rung, selection } => {
                let (initial, last) = (initial.draw(stream), last.draw(stream));
                let rung = rung.draw(stream);
                Tactic::Micro(Micro::new(initial, last, rung, *selection))
            }
            Self::Random { least } => Tactic::Random(RandomOffers { least: least.draw(stream) }),
        }
    }

    /// What the parameters together must hold, where they do not: the parameter, the problem and the remedy.
    pub(super) fn fault(&self) -> Option<Fault> {
        match self {
            Self::TimeDependent { initial, last, .. }
            | Self::RelativeTitForTat { initial, last, .. }
            | Self::AbsoluteTitForTat { initial, last, .. }
            | Self::AveragedTitForTat { initial, last, .. }
            | Self::Micro { initial, last, .. } => (last.support().1 > initial.support().0).then_some((
                "last",
                "it can exceed the first aspiration",
                "keep last's high at or below initial's low",
            )),
            Self::Hardliner { .. } | Self::Random { .. } => None,
        }
    }
}
