//! What was read in a message of the other side, and how that stands to what the other side knows that it stated.

use zopa_envs::OutcomeSpace;
use zopa_envs::message::{ClaimKind, SpokenTerms, Statement};
use zopa_envs::score::ReadingScores;

/// Promises: a model is asked whether there is one, not which.
pub(super) const PROMISES: [ClaimKind; 3] = [ClaimKind::Exclusivity, ClaimKind::Guarantee, ClaimKind::VolumePromise];

/// A message as an agent read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The round of the message, from 0.
    pub round: u16,
    /// What it states: all that the parser found, or what a model answered to what it was asked.
    pub found: Vec<Statement>,
    /// Whether a model read it.
    pub by_model: bool,
    /// Whether text and move, or parser and model, differed.
    pub unclear: bool,
}

impl Reading {
    /// Counts the reading against `truth`, all that the writer stated in that message. A model answers for terms, finality,
    /// acceptance, refusal and whether there is any promise, and only those are held against it.
    #[must_use]
    pub fn score(&self, space: &OutcomeSpace, truth: &[Statement]) -> ReadingScores {
        let asked: Vec<Statement>;
        let truth = if self.by_model {
            asked = asked_for(space, truth);
            &asked
        } else {
            truth
        };
        let mut left: Vec<&Statement> = truth.iter().collect();
        let mut scores = ReadingScores { messages: 1, unclear: u32::from(self.unclear), ..ReadingScores::default() };
        for statement in &self.found {
            match left.iter().position(|known| same(known, statement)) {
                Some(place) => {
                    left.swap_remove(place);
                    scores.hits += 1;
                }
                None => scores.false_alarms += 1,
            }
        }
        scores.misses = left.len() as u32;
        scores
    }
}

/// The part of `truth` that a model is asked for; promises of any kind as one.
fn asked_for(space: &OutcomeSpace, truth: &[Statement]) -> Vec<Statement> {
    let terms: Vec<ClaimKind> =
        SpokenTerms::of(space, &space.first()).statements().iter().map(Statement::kind).collect();
    let asked = |kind: ClaimKind| {
        terms.contains(&kind) || matches!(kind, ClaimKind::FinalOffer | ClaimKind::Acceptance | ClaimKind::Rejection)
    };
    let promised = truth.iter().any(|statement| PROMISES.contains(&statement.kind()));
    let kept = truth.iter().filter(|statement| asked(statement.kind())).cloned();
    kept.chain(promised.then_some(Statement::Guarantee)).collect()
}

/// Whether two statements say the same; labels whatever their case.
pub(super) fn same(expected: &Statement, said: &Statement) -> bool {
    match (expected, said) {
        (Statement::Term { name, value }, Statement::Term { name: said, value: worth }) => {
            name.eq_ignore_ascii_case(said) && value.eq_ignore_ascii_case(worth)
        }
        _ => expected == said,
    }
}

#[cfg(test)]
mod tests {
    use super::Reading;
    use zopa_envs::Money;
    use zopa_envs::message::{Interval, Stance, Statement, Tone};
    use zopa_envs::score::ReadingScores;
    use zopa_envs::{Grid, Issue, IssueRole, OutcomeSpace};

    fn price(amount: i64) -> Statement {
        Statement::Price(Interval::exact(Money::major(amount)))
    }

    fn space() -> OutcomeSpace {
        let grid = Grid::Money { floor: Money::major(10), tick: Money::major(1), count: 11 };
        let price = Issue { name: "price".into(), role: IssueRole::Price, unit: "USD".into(), grid };
        OutcomeSpace::new(vec![price]).unwrap()
    }

    fn check(by_model: bool, found: &[Statement], truth: &[Statement], counts: (u32, u32, u32)) {
        let reading = Reading { round: 0, found: found.to_vec(), by_model, unclear: false };
        let (hits, false_alarms, misses) = counts;
        let expected = ReadingScores { messages: 1, hits, false_alarms, misses, unclear: 0 };
        assert_eq!(reading.score(&space(), truth), expected, "{found:?} against {truth:?}");
    }

    #[test]
    fn a_statement_is_found_where_kind_and_value_agree() {
        check(false, &[price(12)], &[price(12)], (1, 0, 0));
        check(false, &[price(13)], &[price(12)], (0, 1, 1));
        check(false, &[price(12), price(12)], &[price(12)], (1, 1, 0));
        check(false, &[], &[price(12), Statement::Tone(Tone::Polite)], (0, 0, 2));
    }

    #[test]
    fn a_model_answers_only_for_what_it_is_asked() {
        let cue = Statement::Stance(Stance::Firm);
        check(true, &[price(12)], &[price(12), cue.clone()], (1, 0, 0));
        check(false, &[price(12)], &[price(12), cue], (1, 0, 1));
        check(true, &[Statement::Guarantee], &[Statement::Exclusivity, Statement::VolumePromise(None)], (1, 0, 0));
        check(true, &[Statement::Guarantee], &[price(12)], (0, 1, 1));
    }
}
