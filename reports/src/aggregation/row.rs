use std::sync::Arc;

use zopa_envs::{Digest, EpisodeKey, Event, Ruling, Seat};

use super::AggregationError;
use crate::record::Played;

/// A number with the range of an `f64` and 36 of its 52 bits of fraction, in six bytes: eleven digits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wide([u16; 3]);

impl Wide {
    pub(super) fn of(value: f64) -> Self {
        let bits = value.to_bits() >> 16;
        Self([(bits >> 32) as u16, (bits >> 16) as u16, bits as u16])
    }

    pub(super) fn value(self) -> f64 {
        let [high, middle, low] = self.0.map(u64::from);
        f64::from_bits((high << 48) | (middle << 32) | (low << 16))
    }
}

/// The part of an episode's game digest that a summary keeps: 128 bits tell any two episodes apart.
pub(super) type ShortDigest = [u8; 16];

/// What a summary keeps of one episode. Gains and savings are in shares of the scenario's scale; NaN stands for "none".
///
/// Own gains are summed over many episodes and keep their precision. Joint gains are shares of the own scale too; where the
/// parties' scales differ by more than 38 orders of magnitude they are beyond an `f32`. Packed to four bytes because the
/// padding of eight would cost memory.
#[derive(Debug, Clone, Copy)]
#[repr(Rust, packed(4))]
pub(super) struct Row {
    pub(super) gain: f64,
    pub(super) best_gain: f64,
    pub(super) joint: Wide,
    pub(super) best_joint: Wide,
    pub(super) digest: ShortDigest,
    pub(super) index: u32,
    pub(super) nash_product: f32,
    pub(super) nash_distance: f32,
    pub(super) savings_against_status_quo: f32,
    pub(super) savings_against_opening: f32,
    pub(super) repeat: u16,
    pub(super) opponent: u16,
    pub(super) family: u16,
    pub(super) corrected: u16,
    pub(super) refused: u16,
    pub(super) forfeits: u8,
    /// At most 255.
    pub(super) human_workload: u8,
    pub(super) rounds: u16,
    /// Facts, and from bit [`QUINTILE`] on the quintile of difficulty, 0 where there is none.
    pub(super) flags: u16,
}

/// The first of the three bits that hold the quintile.
const QUINTILE: u32 = 13;

// The rest of the 100 bytes that an episode and agent may take is what making the summary needs beside the rows.
const _: () = assert!(size_of::<Row>() <= 80, "a summary holds at most 80 bytes for each episode and agent");

/// Facts of an episode that are true or false.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum Fact {
    Agreement = 1,
    FeasibilityKnown = 1 << 1,
    Feasible = 1 << 2,
    ConstraintSatisfied = 1 << 3,
    LossMaking = 1 << 4,
    MandateViolated = 1 << 5,
    CommitmentBroken = 1 << 6,
    Degraded = 1 << 7,
    Supplier = 1 << 8,
    Unauthorised = 1 << 9,
    FalseStatement = 1 << 10,
    SpeechViolated = 1 << 11,
    Series = 1 << 12,
}

impl Row {
    pub(super) fn of(
        key: &EpisodeKey,
        played: &Played,
        index: u32,
        repeat: u16,
        opponent: u16,
        family: u16,
    ) -> Result<Self, AggregationError> {
        let scores = &played.scores;
        let agent = &key.agent;
        if !(scores.scale.is_finite() && scores.scale > 0.0) {
            return Err(AggregationError::Scale { agent: agent.clone(), index: key.index, scale: scores.scale });
        }
        let count = |field, value: u32| {
            u16::try_from(value).map_err(|_| AggregationError::TooLarge {
                agent: agent.clone(),
                index: key.index,
                field,
                value: value.into(),
                most: u16::MAX.into(),
            })
        };
        let share = |value: Option<f64>| value.map_or(f64::NAN, |value| value / scores.scale);
        let plain = |value: Option<f64>| value.map_or(f32::NAN, |value| value as f32);
        let facts = [
            (Fact::Agreement, scores.agreement),
            (Fact::FeasibilityKnown, scores.feasible.is_some()),
            (Fact::Feasible, scores.feasible == Some(true)),
            (Fact::ConstraintSatisfied, scores.constraint_satisfied()),
            (Fact::LossMaking, scores.loss_making()),
            (Fact::MandateViolated, mandate_violated(key.seat, &played.events)),
            (Fact::CommitmentBroken, scores.conduct.commitments_broken > 0 || scores.conduct.broken_finals > 0),
            (Fact::Unauthorised, scores.conduct.unauthorised > 0),
            (Fact::FalseStatement, scores.conduct.false_statements > 0),
            (Fact::SpeechViolated, scores.conduct.speech_violations() > 0),
            (Fact::Degraded, played.degraded),
            (Fact::Supplier, key.seat == Seat::Supplier),
            (Fact::Series, scores.total_value.is_some()),
        ];
        let quintile = played.grade.map_or(0, |grade| u16::from(grade.quintile & 7) << QUINTILE);
        Ok(Self {
            gain: share(Some(scores.gain)),
            best_gain: share(scores.best_gain),
            joint: Wide::of(share(Some(scores.joint_gain))),
            best_joint: Wide::of(share(scores.best_joint)),
            digest: short(&played.digest),
            index,
            nash_product: plain(scores.nash_product),
            nash_distance: plain(scores.nash_distance),
            savings_against_status_quo: share(scores.savings_against_status_quo) as f32,
            savings_against_opening: share(scores.savings_against_opening) as f32,
            repeat,
            opponent,
            family,
            corrected: count("corrections", scores.conduct.corrected)?,
            refused: count("refusals", scores.conduct.refused)?,
            // The third forfeit ends a negotiation; more questions than this are not told apart.
            forfeits: u8::try_from(played.forfeits).unwrap_or(u8::MAX),
            human_workload: u8::try_from(scores.conduct.human_workload()).unwrap_or(u8::MAX),
            rounds: scores.rounds,
            flags: facts.into_iter().filter(|(_, holds)| *holds).fold(quintile, |flags, (fact, _)| flags | fact as u16),
        })
    }

    pub(super) fn is(&self, fact: Fact) -> bool {
        self.flags & fact as u16 != 0
    }

    /// Total customer value of a series, in shares of the scale: the buyer's payoff, which is the agent's own gain or what the
    /// joint gain leaves beside it.
    pub(super) fn total_value(&self) -> Option<f64> {
        let other = || self.joint.value() - self.gain;
        self.is(Fact::Series).then(|| if self.is(Fact::Supplier) { other() } else { self.gain })
    }

    /// The quintile of difficulty, from 1 to 5; 0 where the scenario has no grade.
    pub(super) fn quintile(&self) -> u8 {
        (self.flags >> QUINTILE) as u8
    }

    pub(super) fn scenario(&self) -> u32 {
        self.index / 2
    }

    /// What tells an episode from all others of its agent.
    pub(super) fn episode(&self) -> (u32, u16, u16) {
        (self.index, self.opponent, self.repeat)
    }

    /// The episode's place in key order.
    pub(super) fn position<'a>(&self, names: &'a [Arc<str>]) -> (u32, &'a str, u16) {
        (self.index, &names[usize::from(self.opponent)], self.repeat)
    }
}

/// The episodes that two agents both played; both slices are in key order.
pub(super) fn pairs<'a>(own: &'a [Row], other: &'a [Row]) -> impl Iterator<Item = (&'a Row, &'a Row)> {
    let mut others = other.iter().peekable();
    own.iter().filter_map(move |row| {
        while others.next_if(|other| other.index < row.index).is_some() {}
        // Opponents and repeats of one episode are few.
        let mut of_episode = others.clone().take_while(|other| other.index == row.index);
        of_episode.find(|other| other.episode() == row.episode()).map(|other| (row, other))
    })
}

/// The first half of a digest.
pub(super) fn short(digest: &Digest) -> ShortDigest {
    std::array::from_fn(|index| digest.bytes()[index])
}

/// Whether the mandate refused an action of `seat`. An acceptance without an offer on the table, or a proposal that
/// no correction could save, is refused too, but not by the mandate.
fn mandate_violated(seat: Seat, events: &[Event]) -> bool {
    events.iter().filter(|event| event.seat == seat).any(|event| match &event.ruling {
        Ruling::Refused(refusal) | Ruling::FellBack(refusal) => refusal.is_by_mandate(),
        Ruling::Applied
        | Ruling::Corrected
        | Ruling::Held(_)
        | Ruling::Approved(_)
        | Ruling::Denied(_)
        | Ruling::Mismatch
        | Ruling::Forfeited => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wide_number_has_eleven_digits_and_every_size() {
        for value in [0.0, 0.25, 1.0 / 3.0, -2.0 / 7.0, 1e300, -1e-300, f64::MAX] {
            assert!((Wide::of(value).value() - value).abs() <= 1.5e-11 * value.abs(), "{value}");
        }
        assert!(Wide::of(f64::NAN).value().is_nan() && Wide::of(-f64::NAN).value().is_nan());
    }
}
