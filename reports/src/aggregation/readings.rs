//! What a summary keeps of how an agent read messages, for the agents that read any.

use zopa_envs::score::ReadingScores;

use crate::score::Score;

/// The readings of an episode.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadingRow {
    /// Index, opponent and repeat, as [`super::row::Row::episode`] gives them.
    pub(super) episode: (u32, u16, u16),
    hits: u16,
    read: u16,
    stated: u16,
}

const _: () = assert!(size_of::<ReadingRow>() <= 16, "readings take at most 16 bytes more for each episode and agent");

/// Numerator and denominator of a score.
pub(super) type Part = fn(&ReadingRow) -> (f64, f64);

impl ReadingRow {
    pub(super) fn of(episode: (u32, u16, u16), scores: &ReadingScores) -> Self {
        let cut = |count: u32| u16::try_from(count).unwrap_or(u16::MAX);
        let ReadingScores { hits, false_alarms, misses, .. } = *scores;
        let all = |more: u32| cut(hits.saturating_add(more));
        Self { episode, hits: cut(hits), read: all(false_alarms), stated: all(misses) }
    }

    /// Numerator and denominator of a score of readings; `None` where `score` is about something else.
    pub(super) fn part(score: Score) -> Option<Part> {
        Some(match score {
            Score::ReadingPrecision => |row| (row.hits.into(), row.read.into()),
            Score::ReadingRecall => |row| (row.hits.into(), row.stated.into()),
            _ => return None,
        })
    }
}
