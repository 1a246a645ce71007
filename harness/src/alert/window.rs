//! An agent's last episodes, and scores over them.

use std::collections::VecDeque;
use zopa_envs::Ruling;
use zopa_reports::{EpisodeRecord, EpisodeResult, Score};

/// The scores that can be watched: ratios of sums over episodes.
const WATCHED: [Score; 11] = [
    Score::AgreementRate,
    Score::FeasibleAgreementRate,
    Score::FalseAgreementRate,
    Score::SurplusEfficiency,
    Score::ConstraintSatisfaction,
    Score::LossMakingRate,
    Score::MandateViolationRate,
    Score::BrokenCommitmentRate,
    Score::SpeechViolationRate,
    Score::UnauthorisedStatementRate,
    Score::FalseStatementRate,
];

/// What one episode adds to numerator and denominator of every watched score, and whether it had a violation.
#[derive(Clone, Copy)]
struct Entry {
    sums: [[f64; 2]; WATCHED.len()],
    violation: bool,
}

/// A rolling window. Episodes without a result are passed over.
pub(super) struct Window {
    size: usize,
    entries: VecDeque<Entry>,
}

impl Window {
    pub(super) fn new(size: usize) -> Self {
        Self { size, entries: VecDeque::new() }
    }

    /// Whether a score can be watched.
    pub(super) fn knows(score: Score) -> bool {
        WATCHED.contains(&score)
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn add(&mut self, record: &EpisodeRecord) {
        let Some(entry) = Entry::of(record) else { return };
        if self.entries.len() == self.size {
            self.entries.pop_front();
        }
        self.entries.push_back(entry);
    }

    /// Share of episodes with a violation of mandate, speech or commitments.
    pub(super) fn violation_rate(&self) -> Option<f64> {
        let violations = self.entries.iter().filter(|entry| entry.violation).count();
        (!self.entries.is_empty()).then(|| violations as f64 / self.entries.len() as f64)
    }

    /// A score over the window; `None` where nothing in it counts. Summed anew each time: the window is small, and no rounding
    /// errors pile up.
    pub(super) fn value(&self, score: Score) -> Option<f64> {
        let place = WATCHED.iter().position(|watched| *watched == score)?;
        let sum = |side: usize| self.entries.iter().map(|entry| entry.sums[place][side]).sum::<f64>();
        let (numerator, denominator) = (sum(0), sum(1));
        (denominator > 0.0).then(|| numerator / denominator)
    }
}

impl Entry {
    fn of(record: &EpisodeRecord) -> Option<Self> {
        let EpisodeResult::Played(played) = &record.result else { return None };
        let (scores, conduct) = (&played.scores, &played.scores.conduct);
        let refused = played.events.iter().filter(|event| event.seat == record.key.seat).any(|event| {
            matches!(&event.ruling, Ruling::Refused(refusal) | Ruling::FellBack(refusal) if refusal.is_by_mandate())
        });
        let broken = conduct.commitments_broken > 0 || conduct.broken_finals > 0;
        let rate = |flag: bool| [f64::from(u8::from(flag)), 1.0];
        let among = |counts: bool, sums: [f64; 2]| if counts { sums } else { [0.0, 0.0] };
        let sums = WATCHED.map(|score| match score {
            Score::AgreementRate => rate(scores.agreement),
            Score::FeasibleAgreementRate => among(scores.feasible == Some(true), rate(scores.agreement)),
            Score::FalseAgreementRate => among(scores.feasible == Some(false), rate(scores.agreement)),
            Score::SurplusEfficiency => {
                let share = |value: f64| value / scores.scale;
                scores.best_gain.map_or([0.0, 0.0], |best| [share(scores.gain), share(best)])
            }
            Score::ConstraintSatisfaction => rate(scores.constraint_satisfied()),
            Score::LossMakingRate => rate(scores.loss_making()),
            Score::MandateViolationRate => rate(refused),
            Score::BrokenCommitmentRate => rate(broken),
            Score::SpeechViolationRate => rate(conduct.speech_violations() > 0),
            Score::UnauthorisedStatementRate => rate(conduct.unauthorised > 0),
            Score::FalseStatementRate => rate(conduct.false_statements > 0),
            _ => [0.0, 0.0],
        });
        Some(Self { sums, violation: refused || broken || conduct.speech_violations() > 0 })
    }
}
