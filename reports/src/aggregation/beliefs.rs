//! What a summary keeps of the beliefs of an episode, for the agents that state any.

use zopa_envs::score::BeliefScores;

use crate::score::Score;

/// The scores of an episode's beliefs; sums over its intervals.
#[derive(Debug, Clone, Copy)]
pub(super) struct BeliefRow {
    /// Index, opponent and repeat, as [`super::row::Row::episode`] gives them.
    pub(super) episode: (u32, u16, u16),
    stated: f32,
    interval_score: f32,
    prior_interval_score: f32,
    width: f32,
    coverage: f32,
    level: f32,
}

const _: () = assert!(size_of::<BeliefRow>() <= 32, "beliefs take at most 32 bytes more for each episode and agent");

/// Numerator and denominator of a score.
pub(super) type Part = fn(&BeliefRow) -> (f64, f64);

impl BeliefRow {
    /// `None` where nothing that was stated can be scored. Neither can what is beyond every number that a row holds: records may
    /// come from anywhere, and one agent's beliefs must not take the summary of all agents down.
    pub(super) fn of(episode: (u32, u16, u16), scores: &BeliefScores) -> Option<Self> {
        let sum = |mean: f64| (f64::from(scores.stated) * mean) as f32;
        let row = Self {
            episode,
            stated: scores.stated as f32,
            interval_score: sum(scores.interval_score),
            prior_interval_score: sum(scores.prior_interval_score),
            width: sum(scores.width),
            coverage: sum(scores.coverage),
            level: sum(scores.level),
        };
        let sums = [row.interval_score, row.prior_interval_score, row.width, row.coverage, row.level];
        let scored = sums.iter().all(|sum| sum.is_finite());
        (scores.stated > 0 && scored).then_some(row)
    }

    /// Numerator and denominator of a score of beliefs; `None` where `score` is about something else.
    pub(super) fn part(score: Score) -> Option<Part> {
        Some(match score {
            Score::BeliefIntervalScore => |row| (f64::from(row.interval_score), f64::from(row.prior_interval_score)),
            Score::BeliefWidth => |row| (f64::from(row.width), f64::from(row.stated)),
            Score::BeliefCoverage => |row| (f64::from(row.coverage), f64::from(row.stated)),
            Score::BeliefLevel => |row| (f64::from(row.level), f64::from(row.stated)),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::BeliefRow;
    use zopa_envs::score::BeliefScores;

    #[test]
    fn beliefs_beyond_every_number_are_left_out() {
        let row = |interval_score| {
            let scores = BeliefScores { stated: 2, interval_score, ..BeliefScores::default() };
            BeliefRow::of((0, 0, 0), &scores)
        };
        assert!(row(0.5).is_some());
        for score in [1e100, f64::INFINITY, f64::NAN] {
            assert!(row(score).is_none(), "{score}");
        }
    }
}
