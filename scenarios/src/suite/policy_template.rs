//! What counterparts do, with distributions in place of parameters.

use super::parameter::{Domain, Fault, Parameter, count};
use super::tactic_template::TacticTemplate;
use serde::Deserialize;
use zopa_envs::counterpart::{
    Behaviour, Course, Desperate, Ear, Listening, Patient, Policy, Reneging, Stochastic, Strategic,
};
use zopa_envs::tactic::Selection;
use zopa_envs::{Distribution, Stream};

/// A policy whose parameters are drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum PolicyTemplate {
    /// A scripted tactic as it is.
    Tactic(TacticTemplate),
    /// A course that a behaviour steers.
    Conceding {
        /// The course.
        course: CourseTemplate,
        /// The behaviour.
        behaviour: BehaviourTemplate,
    },
}

/// A course of concessions whose parameters are drawn; see [`Course`]. Aspirations are shares of the party's yardstick.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CourseTemplate {
    /// Concession exponent in GENIUS's convention: below 1 boulware, above 1 conceder.
    pub exponent: Distribution,
    /// First aspiration.
    pub initial: Distribution,
    /// Last aspiration.
    pub last: Distribution,
    /// How fast its clock runs while the other side does not move.
    pub standstill: Distribution,
    /// The step by the other side at which its clock runs at full speed, as a share of the yardstick.
    pub pace: Distribution,
    /// Which package of the wanted gain is offered.
    #[serde(default)]
    pub selection: Selection,
}

impl CourseTemplate {
    fn described(&self) -> [Parameter<'_>; 5] {
        [
            ("exponent", &self.exponent, Domain::Positive),
            ("initial", &self.initial, Domain::Aspiration),
            ("last", &self.last, Domain::Aspiration),
            ("standstill", &self.standstill, Domain::Share),
            ("pace", &self.pace, Domain::Positive),
        ]
    }

    fn draw(&self, stream: &mut Stream) -> Course {
        let exponent = self.exponent.draw(stream);
        let aspirations = [self.initial.draw(stream), self.last.draw(stream)];
        let (standstill, pace) = (self.standstill.draw(stream), self.pace.draw(stream));
        Course::new(exponent, aspirations, standstill, pace, self.selection)
    }
}

/// A behaviour whose parameters are drawn; see [`Behaviour`].
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum BehaviourTemplate {
    /// By the clock.
    #[default]
    Steady,
    /// Holds back before who concedes fast; see [`Strategic`].
    Strategic {
        /// The step a turn that it expects, as a share of the yardstick.
        expected: Distribution,
        /// How strongly its clock answers.
        sensitivity: Distribution,
        /// Turns without a real step that pass for firmness, rounded.
        tolerance: Distribution,
    },
    /// Accepts and refuses by chance; see [`Stochastic`].
    Stochastic {
        /// Chance of accepting what it should accept.
        take: Distribution,
        /// Chance of accepting what falls a little short.
        stray: Distribution,
        /// How little, as a share of the yardstick.
        slack: Distribution,
    },
    /// Takes back what it offered; see [`Reneging`].
    Reneging {
        /// Chance of a retreat in a turn.
        chance: Distribution,
        /// How far it goes, as a share of the whole course's time.
        retreat: Distribution,
    },
    /// Waits first; see [`Patient`].
    Patient {
        /// The share of its rounds that it waits.
        hold: Distribution,
    },
    /// Takes less now rather than more later; see [`Desperate`].
    Desperate {
        /// What its own next offer is worth to it now, as a share.
        impatience: Distribution,
    },
    /// Listens for reasons; see [`Ear::Reasoned`].
    Reasoned(ListeningTemplate),
    /// Listens for tone; see [`Ear::Reciprocal`].
    Reciprocal(ListeningTemplate),
    /// Listens for contradictions and unsupported claims; see [`Ear::Suspicious`].
    Suspicious(ListeningTemplate),
}

/// How what is said moves a listener; see [`Listening`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListeningTemplate {
    /// The clock's speed in the best mood.
    pub fastest: Distribution,
    /// The clock's speed in the worst mood.
    pub slowest: Distribution,
    /// Largest shift of what it accepts, as a share of the yardstick.
    pub shift: Distribution,
    /// The weight of what was said before.
    pub memory: Distribution,
}

impl ListeningTemplate {
    fn described(&self) -> Vec<Parameter<'_>> {
        vec![
            ("fastest", &self.fastest, Domain::Fastest),
            ("slowest", &self.slowest, Domain::Slowest),
            ("shift", &self.shift, Domain::Shift),
            ("memory", &self.memory, Domain::ShareBelowOne),
        ]
    }

    fn draw(&self, ear: Ear, stream: &mut Stream) -> Behaviour {
        let (fastest, slowest) = (self.fastest.draw(stream), self.slowest.draw(stream));
        let (shift, memory) = (self.shift.draw(stream), self.memory.draw(stream));
        Behaviour::Listening(Listening::new(ear, [slowest, fastest], shift, memory))
    }
}

impl BehaviourTemplate {
    /// Its name in suite files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Steady => "steady",
            Self::Strategic { .. } => "strategic",
            Self::Stochastic { .. } => "stochastic",
            Self::Reneging { .. } => "reneging",
            Self::Patient { .. } => "patient",
            Self::Desperate { .. } => "desperate",
            Self::Reasoned(_) => "reasoned",
            Self::Reciprocal(_) => "reciprocal",
            Self::Suspicious(_) => "suspicious",
        }
    }

    fn described(&self) -> Vec<Parameter<'_>> {
        use Domain::{Aspiration, Count, PositiveShare, Share, ShareBelowOne};
        match self {
            Self::Steady => Vec::new(),
            Self::Strategic { expected, sensitivity, tolerance } => vec![
                ("expected", expected, Aspiration),
                ("sensitivity", sensitivity, Share),
                ("tolerance", tolerance, Count),
            ],
            Self::Stochastic { take, stray, slack } => {
                vec![("take", take, PositiveShare), ("stray", stray, Share), ("slack", slack, ShareBelowOne)]
            }
            Self::Reneging { chance, retreat } => vec![("chance", chance, Share), ("retreat", retreat, PositiveShare)],
            Self::Patient { hold } => vec![("hold", hold, ShareBelowOne)],
            Self::Desperate { impatience } => vec![("impatience", impatience, PositiveShare)],
            Self::Reasoned(listening) | Self::Reciprocal(listening) | Self::Suspicious(listening) => {
                listening.described()
            }
        }
    }

    fn draw(&self, stream: &mut Stream) -> Behaviour {
        match self {
            Self::Steady => Behaviour::Steady,
            Self::Strategic { expected, sensitivity, tolerance } => {
                let (expected, sensitivity) = (expected.draw(stream), sensitivity.draw(stream));
                let tolerance = count(tolerance.draw(stream)) as u16;
                Behaviour::Strategic(Strategic::new(expected, sensitivity, tolerance))
            }
            Self::Stochastic { take, stray, slack } => Behaviour::Stochastic(Stochastic {
                take: take.draw(stream),
                stray: stray.draw(stream),
                slack: slack.draw(stream),
            }),
            Self::Reneging { chance, retreat } => {
                Behaviour::Reneging(Reneging { chance: chance.draw(stream), retreat: retreat.draw(stream) })
            }
            Self::Patient { hold } => Behaviour::Patient(Patient { hold: hold.draw(stream) }),
            Self::Desperate { impatience } => Behaviour::Desperate(Desperate { impatience: impatience.draw(stream) }),
            Self::Reasoned(listening) => listening.draw(Ear::Reasoned, stream),
            Self::Reciprocal(listening) => listening.draw(Ear::Reciprocal, stream),
            Self::Suspicious(listening) => listening.draw(Ear::Suspicious, stream),
        }
    }
}

impl PolicyTemplate {
    /// The name of its structure: the tactic's or the behaviour's, whatever the parameters.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Tactic(tactic) => tactic.name(),
            Self::Conceding { behaviour, .. } => behaviour.name(),
        }
    }

    /// Which package of the wanted gain is offered; `None` where offers are drawn at random.
    #[must_use]
    pub fn selection(&self) -> Option<Selection> {
        match self {
            Self::Tactic(tactic) => tactic.selection(),
            Self::Conceding { course, .. } => Some(course.selection),
        }
    }

    /// The parameters with the place in the family's table where each is, in the order in which they are drawn.
    pub(super) fn described(&self) -> Vec<(String, Parameter<'_>)> {
        match self {
            Self::Tactic(tactic) => {
                let place = format!("tactic.{}", tactic.name());
                tactic.described().into_iter().map(|parameter| (place.clone(), parameter)).collect()
            }
            Self::Conceding { course, behaviour } => {
                let place = format!("behaviour.{}", behaviour.name());
                let course = course.described().into_iter().map(|parameter| ("course".to_owned(), parameter));
                course.chain(behaviour.described().into_iter().map(|parameter| (place.clone(), parameter))).collect()
            }
        }
    }

    /// What the parameters together must hold, where they do not, with the place of the first that is named.
    pub(super) fn fault(&self) -> Option<(String, Fault)> {
        match self {
            Self::Tactic(tactic) => tactic.fault().map(|fault| (format!("tactic.{}", tactic.name()), fault)),
            Self::Conceding { course, .. } => (course.last.support().1 > course.initial.support().0).then_some((
                "course".to_owned(),
                ("last", "it can exceed the first aspiration", "keep last's high at or below initial's low"),
            )),
        }
    }

    /// The policy with parameters drawn from `stream` in the order of the templates' fields, the course's first; a uniform
    /// each (none for a constant).
    pub fn draw(&self, stream: &mut Stream) -> Policy {
        match self {
            Self::Tactic(tactic) => Policy::Tactic(tactic.draw(stream)),
            Self::Conceding { course, behaviour } => {
                let course = course.draw(stream);
                Policy::Conceding { course, behaviour: behaviour.draw(stream) }
            }
        }
    }
}
