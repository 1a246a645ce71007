//! The message cut into sentences and clauses: finds phrases, settles their overlaps, reads polarity and subject from around.

use super::claim::{Polarity, Subject, TextSpan};
use super::lexicon::Lexicon;
use super::number::{Item, ItemKind};
use super::phrases::Effect;
use super::rule::{ends_sentence, match_at};
use super::stated_value::{Stance, Tone};

/// Items as a negation, a subject or a captured amount may lie apart.
pub(super) const NEGATION_REACH: usize = 5;
pub(super) const SUBJECT_REACH: usize = 24;

/// A phrase found: its rule's effect, its items and the first quantity inside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) effect: Effect,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) quantity: Option<usize>,
}

/// The message cut into sentences and clauses, with everything found in it.
pub(super) struct Reading<'a> {
    pub(super) lexicon: &'a Lexicon,
    pub(super) items: &'a [Item],
    pub(super) sentence_start: Vec<u32>,
    pub(super) clause: Vec<u32>,
    pub(super) segment: Vec<u32>,
    conditional: Vec<bool>,
    question: Vec<bool>,
    neutral: Vec<bool>,
    denies_before: Vec<bool>,
    denies_after: Vec<bool>,
    rejects: Vec<bool>,
    asks_whether: Vec<bool>,
    /// By the first item of a sentence: whether it supposes rather than states.
    supposing: Vec<bool>,
    pub(super) found: Vec<Found>,
    pub(super) consistency_hooks: u32,
}

/// Effects that compete for the same words; two of different families can share them.
fn family(effect: Effect) -> u16 {
    match effect {
        Effect::Limit
        | Effect::Outside
        | Effect::NoOutside
        | Effect::Final
        | Effect::Accept
        | Effect::Accepting
        | Effect::NoAccept
        | Effect::Reject
        | Effect::Approval
        | Effect::Stance(_)
        | Effect::Deadline
        | Effect::Difference
        | Effect::Ignore => 1,
        Effect::Guarantee
        | Effect::Warranty
        | Effect::VolumePromise
        | Effect::Exclusivity
        | Effect::ServiceLevel
        | Effect::ServiceTier(_)
        | Effect::PayAtOnce
        | Effect::NetDays
        | Effect::Delivery(_) => 2,
        Effect::AskPromise | Effect::AskException | Effect::Instruction => 4,
        Effect::Tone(Tone::Polite) => 8,
        Effect::Tone(Tone::Hostile) => 16,
        Effect::Tone(Tone::Acknowledging) => 32,
        Effect::Tone(Tone::Pressing) => 64,
        Effect::Reason(_) | Effect::Topic(_) => 128,
        Effect::Condition | Effect::Trade | Effect::AsksWhether => 256,
        Effect::DeniesBefore | Effect::DeniesAfter => 512,
        Effect::Consistent => 1024,
    }
}

/// Families that a found effect keeps others of out of its words.
fn covers(effect: Effect) -> u16 {
    match effect {
        Effect::Ignore => 1 | 128,
        // "No hurry" is not haste.
        Effect::Stance(Stance::Patient) => 1 | 64,
        other => family(other),
    }
}

/// A "not" inside these belongs to the phrase and denies nothing around it.
fn is_neutral(effect: Effect) -> bool {
    matches!(
        effect,
        Effect::Ignore
            | Effect::Limit
            | Effect::Stance(_)
            | Effect::NoOutside
            | Effect::Tone(_)
            | Effect::Deadline
            | Effect::Final
            | Effect::AskException
            | Effect::DeniesBefore
    )
}

impl<'a> Reading<'a> {
    pub(super) fn new(items: &'a [Item], lexicon: &'a Lexicon) -> Self {
        let mut reading = Self {
            lexicon,
            items,
            sentence_start: Vec::with_capacity(items.len()),
            clause: Vec::with_capacity(items.len()),
            segment: Vec::with_capacity(items.len()),
            conditional: vec![false; items.len() + 1],
            question: vec![false; items.len()],
            neutral: vec![false; items.len()],
            denies_before: vec![false; items.len()],
            denies_after: vec![false; items.len()],
            rejects: vec![false; items.len()],
            asks_whether: vec![false; items.len()],
            supposing: vec![false; items.len()],
            found: Vec::new(),
            consistency_hooks: 0,
        };
        reading.cut();
        reading.find();
        reading.mark_conditions();
        reading.mark_questions();
        reading
    }

    fn cut(&mut self) {
        let (mut start, mut clause, mut segment) = (0u32, 0u32, 0u32);
        for (at, item) in self.items.iter().enumerate() {
            if let ItemKind::Word(word) = item.kind {
                let role = self.lexicon.role(word);
                if role.contrasts {
                    clause += 1;
                    segment += 1;
                }
                self.supposing[start as usize] |= role.supposes;
            }
            self.sentence_start.push(start);
            self.clause.push(clause);
            self.segment.push(segment);
            if let ItemKind::Punctuation(mark) = item.kind {
                if ends_sentence(mark) {
                    start = at as u32 + 1;
                    segment += 1;
                    clause += 1;
                } else if matches!(mark, ',' | '–' | '—' | '(' | ')' | '|' | '/') {
                    clause += 1;
                }
            }
        }
    }

    fn find(&mut self) {
        let mut candidates: Vec<Found> = Vec::new();
        for start in 0..self.items.len() {
            let by_word: &[u16] = match self.items[start].kind {
                ItemKind::Word(word) => &self.lexicon.by_first_word[usize::from(word)],
                _ => &[],
            };
            let first_here = candidates.len();
            for &index in by_word.iter().chain(&self.lexicon.by_other_start) {
                let rule = &self.lexicon.rules[usize::from(index)];
                let Some(found) = match_at(&rule.pattern, self.items, start) else { continue };
                if found.end == start {
                    continue;
                }
                let found = Found { effect: rule.effect, start, end: found.end, quantity: found.quantity };
                // Of one family only the longest at a position can win.
                match candidates[first_here..].iter_mut().find(|other| family(other.effect) == family(found.effect)) {
                    Some(other) if other.end < found.end => *other = found,
                    Some(_) => {}
                    None => candidates.push(found),
                }
            }
        }
        candidates.sort_by_key(|found| (std::cmp::Reverse(found.end - found.start), found.start));
        let mut covered = vec![0u16; self.items.len()];
        for found in candidates {
            let own = found.start..found.end;
            if covered[own.clone()].iter().any(|mask| mask & family(found.effect) != 0) {
                continue;
            }
            covered[own.clone()].iter_mut().for_each(|mask| *mask |= covers(found.effect));
            if is_neutral(found.effect) {
                self.neutral[own.clone()].iter_mut().for_each(|neutral| *neutral = true);
            }
            match found.effect {
                Effect::Condition => self.conditional[self.segment[found.start] as usize] = true,
                Effect::Trade if self.supposing[self.sentence_start[found.start] as usize] => {
                    self.conditional[self.segment[found.start] as usize] = true;
                }
                Effect::AsksWhether => self.asks_whether[found.start] = true,
                Effect::DeniesBefore => self.denies_before[found.start] = true,
                Effect::DeniesAfter => self.denies_after[found.end - 1] = true,
                Effect::Consistent => self.consistency_hooks += 1,
                Effect::Ignore | Effect::Trade => {}
                Effect::Reject => {
                    self.rejects[found.end - 1] = true;
                    self.found.push(found);
                }
                _ => self.found.push(found),
            }
        }
        self.found.sort_by_key(|found| (found.start, found.end));
    }

    fn mark_conditions(&mut self) {
        for (at, item) in self.items.iter().enumerate() {
            if let ItemKind::Word(word) = item.kind
                && self.lexicon.role(word).conditions
                && !self.neutral[at]
                && !(at > 0 && self.asks_whether[at - 1])
            {
                self.conditional[self.segment[at] as usize] = true;
            }
        }
    }

    /// A question reaches from the first clause that opens like one to its mark; without such a clause, all of it asks.
    fn mark_questions(&mut self) {
        let mut asking = false;
        for at in 0..self.items.len() {
            asking = asking && self.sentence_start[at] as usize != at || self.asks_whether[at];
            self.question[at] = asking;
        }
        for end in 0..self.items.len() {
            if !self.items[end].is('?') {
                continue;
            }
            let start = self.sentence_start[end] as usize;
            let opens = |at: usize| match self.items[at].kind {
                ItemKind::Word(word) => self.lexicon.role(word).asks,
                _ => false,
            };
            let clause_starts = (start..end).filter(|&at| at == start || self.clause[at] != self.clause[at - 1]);
            let mut from = start;
            for clause_start in clause_starts {
                let joined =
                    self.word_at(clause_start).is_some_and(|word| word == self.lexicon.and || word == self.lexicon.so);
                if opens(clause_start) || joined && clause_start + 1 < end && opens(clause_start + 1) {
                    from = clause_start;
                    break;
                }
            }
            self.question[from..end].iter_mut().for_each(|question| *question = true);
        }
    }

    pub(super) fn word_at(&self, at: usize) -> Option<u16> {
        match self.items.get(at)?.kind {
            ItemKind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// How items `start..end` are put.
    pub(super) fn polarity(&self, start: usize, end: usize) -> Polarity {
        if self.question[start] {
            return Polarity::Question;
        }
        if self.conditional[self.segment[start] as usize] {
            return Polarity::Conditional;
        }
        let clause = self.clause[start];
        let before = (start.saturating_sub(NEGATION_REACH)..start).rev().take_while(|&at| self.clause[at] == clause);
        let denied = before.into_iter().any(|at| {
            self.denies_after[at]
                || !self.neutral[at] && self.word_at(at).is_some_and(|word| self.lexicon.role(word).negates)
        });
        let after = (end..self.items.len().min(end + NEGATION_REACH)).take_while(|&at| self.clause[at] == clause);
        if denied || after.into_iter().any(|at| self.denies_before[at]) {
            Polarity::Negated
        } else {
            Polarity::Asserted
        }
    }

    /// Whether the item at `at` is what its clause rejects: "rejecting your price of 99,999", but not "we decline and offer 96,000".
    pub(super) fn is_rejected(&self, at: usize) -> bool {
        let before = (0..at).rev().take_while(|&before| self.clause[before] == self.clause[at]);
        for before in before {
            if self.rejects[before] {
                return true;
            }
            let resumes = |word| word == self.lexicon.and || self.lexicon.role(word).first_person;
            if self.word_at(before).is_some_and(resumes) || self.items[before].quantity().is_some() {
                return false;
            }
        }
        false
    }

    /// Whom the item at `at` is about: the last person named before it in its sentence.
    pub(super) fn subject(&self, at: usize) -> Subject {
        let start = (self.sentence_start[at] as usize).max(at.saturating_sub(SUBJECT_REACH));
        for before in (start..at).rev() {
            let Some(word) = self.word_at(before) else { continue };
            let role = self.lexicon.role(word);
            if role.first_person {
                return Subject::Own;
            }
            if role.second_person && !self.is_object(before) {
                return Subject::Other;
            }
        }
        Subject::Own
    }

    /// "thank you", "to you", "give you": the person spoken to, but not spoken about.
    fn is_object(&self, at: usize) -> bool {
        self.word_at(at).is_some_and(|word| self.lexicon.is_bare_you(word))
            && at > 0
            && self.word_at(at - 1).is_some_and(|word| self.lexicon.takes_object(word))
    }

    pub(super) fn is_of(&self, at: usize) -> bool {
        self.word_at(at) == Some(self.lexicon.of)
    }

    /// "due to": a cause, no day on which something is due.
    pub(super) fn gives_cause(&self, at: usize) -> bool {
        self.word_at(at) == Some(self.lexicon.due) && self.word_at(at + 1) == Some(self.lexicon.to)
    }

    pub(super) fn same_sentence(&self, a: usize, b: usize) -> bool {
        self.sentence_start[a] == self.sentence_start[b]
    }

    pub(super) fn same_clause(&self, a: usize, b: usize) -> bool {
        self.clause[a] == self.clause[b]
    }

    pub(super) fn span(&self, start: usize, end: usize) -> TextSpan {
        TextSpan { start: self.items[start].start, end: self.items[end - 1].end }
    }
}
