//! One episode boiled down to what a comparison needs.

use zopa_envs::{EpisodeKey, Ruling};

use super::ComparisonError;
use crate::compliance::Compliance;
use crate::record::Played;

/// One result. Gains are in shares of the scale.
#[derive(Debug, Clone, Copy)]
pub(super) struct Case {
    pub(super) gain: f64,
    /// Not a number where it is not known.
    pub(super) best_gain: f64,
    /// Not a number where the episode is no series.
    pub(super) total_value: f64,
    pub(super) agreement: bool,
    pub(super) guardrail: bool,
    pub(super) mandate: bool,
    /// `None` where nobody stepped in.
    pub(super) compliance: Option<Compliance>,
    pub(super) speech: bool,
    pub(super) commitment: bool,
    pub(super) workload: u32,
    pub(super) forfeits: u32,
}

impl Case {
    pub(super) fn of(key: &EpisodeKey, played: &Played) -> Result<Self, ComparisonError> {
        let scores = &played.scores;
        if !(scores.scale.is_finite() && scores.scale > 0.0) {
            return Err(ComparisonError::Scale { agent: key.agent.clone(), index: key.index, scale: scores.scale });
        }
        let share = |value: Option<f64>| value.map_or(f64::NAN, |value| value / scores.scale);
        let conduct = &scores.conduct;
        let refused_by_mandate = played.events.iter().filter(|event| event.seat == key.seat).any(|event| {
            matches!(&event.ruling, Ruling::Refused(refusal) | Ruling::FellBack(refusal) if refusal.is_by_mandate())
        });
        Ok(Self {
            gain: share(Some(scores.gain)),
            best_gain: share(scores.best_gain),
            total_value: share(scores.total_value),
            agreement: scores.agreement,
            guardrail: conduct.guardrail_violations() > 0,
            mandate: refused_by_mandate,
            compliance: Compliance::of(key.seat, played),
            speech: conduct.speech_violations() > 0,
            commitment: conduct.commitments_broken > 0 || conduct.broken_finals > 0,
            workload: conduct.human_workload(),
            forfeits: played.forfeits,
        })
    }

    /// Whether both cases can be of the same scenario and seat: the best that could be gained is the same, bit for bit.
    pub(super) fn is_of_the_same_scenario(&self, other: &Self) -> bool {
        self.best_gain.to_bits() == other.best_gain.to_bits()
    }

    /// Whether anything that was not permitted was attempted, said or broken.
    pub(super) fn violates(&self) -> bool {
        self.guardrail || self.mandate || self.speech || self.commitment
    }
}
