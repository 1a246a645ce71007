//! What a counterpart says beside its terms.

use super::situation::Situation;
use super::statement::Truth;
use crate::message::{Remark, Stance};
use crate::random::Stream;

/// How a counterpart speaks. Terms said are always those of its offer; voices differ in the cues that they add. `frequency` is
/// the chance, each turn, of each cue that the voice could give then. Nothing said changes what is done.
#[derive(Clone, Debug, PartialEq)]
pub enum Voice {
    /// Its terms and nothing else.
    Taciturn,
    /// True cues: how far apart the sides are, whether it means to move, whether it is in a hurry, whether its offers last;
    /// and now and then its true limit.
    Candid {
        /// Chance of each true cue.
        frequency: f64,
        /// Chance of stating its true reservation price.
        disclosure: f64,
    },
    /// Feeling: thanks and takes up points after a concession, presses after none, insults after a retreat; and a true word
    /// on how far apart the sides are.
    Expressive {
        /// Chance of each cue.
        frequency: f64,
    },
    /// False cues: the opposite of what a candid one would say, and a limit that is none.
    Adversarial {
        /// Chance of each false cue.
        frequency: f64,
        /// Chance of stating a false limit.
        disclosure: f64,
        /// How much better than its true one, as a share of it.
        inflation: f64,
    },
    /// Invented alternatives with amounts, and deadlines that are none.
    Bluffing {
        /// Chance of each bluff.
        frequency: f64,
        /// How much better than its true alternative the invented one is, as a share of it.
        inflation: f64,
    },
    /// Asks for promises and exceptions, claims that the other's own management has approved, hides instructions in its
    /// text, presses.
    Pressuring {
        /// Chance of each.
        frequency: f64,
    },
}

impl Voice {
    /// The voice's name in suite files and cards.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Taciturn => "taciturn",
            Self::Candid { .. } => "candid",
            Self::Expressive { .. } => "expressive",
            Self::Adversarial { .. } => "adversarial",
            Self::Bluffing { .. } => "bluffing",
            Self::Pressuring { .. } => "pressuring",
        }
    }

    /// The remarks of this turn, with what is true of each. One uniform for each remark that it could make.
    pub(super) fn remarks(&self, situation: &Situation<'_>, wording: &mut Stream) -> Vec<(Remark, Truth)> {
        let mut remarks = Remarks { made: Vec::new(), wording };
        if !situation.goes_on() {
            return remarks.made;
        }
        match *self {
            Self::Taciturn => {}
            Self::Candid { frequency, disclosure } => {
                for stance in situation.cues(Truth::True) {
                    remarks.with_chance(frequency, Remark::Stance(stance), Truth::True);
                }
                if let Some(limit) = situation.reservation_price() {
                    remarks.with_chance(disclosure, Remark::Limit(Some(limit)), Truth::True);
                }
            }
            Self::Expressive { frequency } => expressive(&mut remarks, situation, frequency),
            Self::Adversarial { frequency, disclosure, inflation } => {
                for stance in situation.cues(Truth::False) {
                    remarks.with_chance(frequency, Remark::Stance(stance), Truth::False);
                }
                if let Some(limit) = situation.reservation_price() {
                    let stated = situation.improved(limit, inflation);
                    remarks.with_chance(disclosure, Remark::Limit(Some(stated)), (stated == limit).into());
                }
            }
            Self::Bluffing { frequency, inflation } => {
                if let Some(alternative) = situation.alternative() {
                    let stated = situation.improved(alternative, inflation);
                    remarks.with_chance(frequency, Remark::OutsideOption(Some(stated)), (stated == alternative).into());
                }
                let rounds = 1 + remarks.wording.below(3) as u32;
                let leaves = situation.leaves_in(rounds);
                remarks.with_chance(frequency, Remark::DeadlineInRounds(rounds), leaves.into());
                remarks.with_chance(frequency, Remark::Stance(Stance::Firm), situation.holds(Stance::Firm));
            }
            Self::Pressuring { frequency } => {
                for remark in
                    [Remark::PromiseRequest, Remark::ExceptionRequest, Remark::HiddenInstruction, Remark::Pressure]
                {
                    remarks.with_chance(frequency, remark, Truth::Unverifiable);
                }
                remarks.with_chance(frequency, Remark::ApprovalClaim, Truth::False);
            }
        }
        remarks.made
    }
}

fn expressive(remarks: &mut Remarks<'_>, situation: &Situation<'_>, frequency: f64) {
    let feeling: &[Remark] = match situation.received() {
        step if step > 0.0 => &[Remark::Courtesy, Remark::Acknowledgement],
        step if step < 0.0 => &[Remark::Hostility],
        _ => &[Remark::Pressure],
    };
    for remark in feeling {
        remarks.with_chance(frequency, *remark, Truth::Unverifiable);
    }
    for stance in [Stance::Close, Stance::Far] {
        if situation.holds(stance) == Truth::True {
            remarks.with_chance(frequency, Remark::Stance(stance), Truth::True);
        }
    }
}

/// Remarks as they are drawn.
struct Remarks<'a> {
    made: Vec<(Remark, Truth)>,
    wording: &'a mut Stream,
}

impl Remarks<'_> {
    fn with_chance(&mut self, chance: f64, remark: Remark, truth: Truth) {
        if self.wording.uniform() < chance {
            self.made.push((remark, truth));
        }
    }
}
