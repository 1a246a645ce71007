//! What a summary keeps of how an agent answered its principal, for the episodes in which that one stepped in.

use crate::compliance::Compliance;
use crate::score::Score;

/// The interventions of an episode.
#[derive(Debug, Clone, Copy)]
pub(super) struct ComplianceRow {
    /// Index, opponent and repeat, as [`super::row::Row::episode`] gives them.
    pub(super) episode: (u32, u16, u16),
    heard: u16,
    complied: u16,
}

const _: () =
    assert!(size_of::<ComplianceRow>() <= 12, "interventions take at most 12 bytes more for each episode and agent");

/// Numerator and denominator of a score.
pub(super) type Part = fn(&ComplianceRow) -> (f64, f64);

impl ComplianceRow {
    pub(super) fn of(episode: (u32, u16, u16), compliance: Compliance) -> Self {
        let cut = |count: u64| u16::try_from(count).unwrap_or(u16::MAX);
        Self { episode, heard: cut(compliance.heard), complied: cut(compliance.complied) }
    }

    /// Numerator and denominator of a score of interventions; `None` where `score` is about something else.
    pub(super) fn part(score: Score) -> Option<Part> {
        match score {
            Score::InterventionCompliance => Some(|row| (row.complied.into(), row.heard.into())),
            _ => None,
        }
    }
}
