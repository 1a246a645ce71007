//! Phrase patterns: how they are written, compiled and matched.
//!
//! A pattern is words apart by spaces: `a|b` either, `x?` optional, `*` up to four words of any kind, `{m}` an amount,
//! `{t}` a time, `{c}` a count, `{q}` any quantity, `^` start of a sentence, `$` end of a clause, `$$` of a sentence, `{l}` a service level, a punctuation mark itself.
//! `@name` stands for a list of words. Colons, quotes and the like between two elements are skipped.

use super::lexicon::{Interner, WordId};
use super::number::{Item, ItemKind, Quantity, SCALE, Unit};
use super::phrases::{CLASSES, Effect, RULES};

/// One element of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Element {
    Words { ids: Vec<WordId>, optional: bool },
    Gap,
    Quantity { kind: QuantityKind, optional: bool },
    Mark(char),
    SentenceStart,
    ClauseEnd,
    SentenceEnd,
}

/// Which quantities an element takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum QuantityKind {
    Amount,
    Time,
    Count,
    Level,
    Any,
}

/// A pattern with what it states.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) effect: Effect,
    pub(super) pattern: Vec<Element>,
}

/// Longest run of words that `*` stands for.
const GAP: usize = 4;

pub(super) fn compile(interner: &mut Interner) -> Vec<Rule> {
    let mut rules = Vec::new();
    for (effect, patterns) in RULES {
        for pattern in patterns.split(';') {
            let pattern: Vec<Element> =
                pattern.split_whitespace().map(|element| element_of(element, interner)).collect();
            if !pattern.is_empty() {
                rules.push(Rule { effect: *effect, pattern });
            }
        }
    }
    rules
}

fn element_of(written: &str, interner: &mut Interner) -> Element {
    let quantity = |kind| Element::Quantity { kind, optional: written.ends_with('?') };
    match written.trim_end_matches('?') {
        "*" => Element::Gap,
        "^" => Element::SentenceStart,
        "$" => Element::ClauseEnd,
        "$$" => Element::SentenceEnd,
        "{l}" => quantity(QuantityKind::Level),
        "{m}" => quantity(QuantityKind::Amount),
        "{t}" => quantity(QuantityKind::Time),
        "{c}" => quantity(QuantityKind::Count),
        "{q}" => quantity(QuantityKind::Any),
        words => {
            let mut letters = words.chars();
            if let (Some(mark), None) = (letters.next(), letters.next())
                && !mark.is_alphanumeric()
            {
                return Element::Mark(mark);
            }
            let mut ids = Vec::new();
            for word in words.split('|') {
                match word.strip_prefix('@') {
                    Some(class) => {
                        let list = CLASSES.iter().find(|(name, _)| *name == class).map_or("", |(_, list)| *list);
                        ids.extend(list.split_whitespace().map(|word| interner.id(word)));
                    }
                    None => ids.push(interner.id(word)),
                }
            }
            Element::Words { ids, optional: written.ends_with('?') }
        }
    }
}

impl QuantityKind {
    fn takes(self, quantity: Quantity) -> bool {
        match self {
            Self::Amount => match quantity.unit {
                Unit::Money | Unit::Bare { large: true } => true,
                Unit::Bare { large: false } => quantity.high >= 20 * SCALE,
                _ => false,
            },
            Self::Time => {
                matches!(quantity.unit, Unit::Days | Unit::Months | Unit::Rounds | Unit::Date(_) | Unit::Hours)
            }
            Self::Count => match quantity.unit {
                Unit::Count => true,
                Unit::Bare { .. } => quantity.low >= SCALE,
                _ => false,
            },
            Self::Level => matches!(quantity.unit, Unit::Percent | Unit::Bare { large: false }),
            Self::Any => quantity.unit != Unit::Identifier,
        }
    }
}

/// Marks that end a sentence.
pub(super) fn ends_sentence(mark: char) -> bool {
    matches!(mark, '.' | '!' | '?' | ';' | '\n' | '。' | '…')
}

/// Marks that a pattern steps over.
fn is_soft(mark: char) -> bool {
    matches!(mark, ':' | '=' | '"' | '\'' | '(' | ')' | '“' | '”' | '[' | ']' | '{' | '}')
}

/// A match: items `start..end` and the first quantity inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Match {
    pub(super) end: usize,
    pub(super) quantity: Option<usize>,
}

/// The longest match of `pattern` at `start`.
pub(super) fn match_at(pattern: &[Element], items: &[Item], start: usize) -> Option<Match> {
    advance(pattern, items, start, None, true)
}

fn advance(pattern: &[Element], items: &[Item], mut at: usize, quantity: Option<usize>, first: bool) -> Option<Match> {
    let Some((element, rest)) = pattern.split_first() else {
        return Some(Match { end: at, quantity });
    };
    match element {
        Element::SentenceStart => {
            let opens = at == 0
                || matches!(items[at - 1].kind, ItemKind::Punctuation(mark) if ends_sentence(mark) || is_soft(mark) || mark == '-');
            return opens.then(|| advance(rest, items, at, quantity, true)).flatten();
        }
        Element::ClauseEnd => {
            let closes = items
                .get(at)
                .is_none_or(|item| matches!(item.kind, ItemKind::Punctuation(mark) if mark != ':' && mark != '='));
            return closes.then(|| advance(rest, items, at, quantity, true)).flatten();
        }
        Element::SentenceEnd => {
            let closes = items
                .get(at)
                .is_none_or(|item| matches!(item.kind, ItemKind::Punctuation(mark) if ends_sentence(mark)));
            return closes.then(|| advance(rest, items, at, quantity, true)).flatten();
        }
        Element::Mark(mark) => {
            let here = items.get(at).is_some_and(|item| item.is(*mark));
            return here.then(|| advance(rest, items, at + 1, quantity, true)).flatten();
        }
        _ => {}
    }
    if !first {
        while let Some(ItemKind::Punctuation(mark)) = items.get(at).map(|item| item.kind)
            && is_soft(mark)
            && !matches!(element, Element::Gap)
        {
            at += 1;
        }
    }
    match element {
        Element::Words { ids, optional } => {
            if let Some(ItemKind::Word(word)) = items.get(at).map(|item| item.kind)
                && ids.contains(&word)
                && let Some(found) = advance(rest, items, at + 1, quantity, false)
            {
                return Some(found);
            }
            if *optional { advance(rest, items, at, quantity, false) } else { None }
        }
        Element::Quantity { kind, optional } => {
            if let Some(here) = items.get(at).and_then(Item::quantity)
                && kind.takes(here)
                && let Some(found) = advance(rest, items, at + 1, quantity.or(Some(at)), false)
            {
                return Some(found);
            }
            if *optional { advance(rest, items, at, quantity, false) } else { None }
        }
        Element::Gap => {
            for skipped in 0..=GAP {
                if let Some(found) = advance(rest, items, at + skipped, quantity, false) {
                    return Some(found);
                }
                match items.get(at + skipped).map(|item| item.kind) {
                    Some(ItemKind::Word(_)) => {}
                    Some(ItemKind::Punctuation(mark)) if is_soft(mark) => {}
                    _ => return None,
                }
            }
            None
        }
        Element::SentenceStart | Element::ClauseEnd | Element::SentenceEnd | Element::Mark(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::lexicon::Lexicon;

    #[test]
    fn every_pattern_names_known_classes_and_needs_at_least_one_item() {
        for (effect, patterns) in RULES {
            for word in patterns.split(|c: char| c.is_whitespace() || matches!(c, '|' | ';' | '?')) {
                if let Some(class) = word.strip_prefix('@') {
                    assert!(
                        CLASSES.iter().any(|(name, _)| *name == class),
                        "{effect:?} names the unknown class @{class}"
                    );
                }
            }
        }
        for rule in &Lexicon::get().rules {
            let needed = rule.pattern.iter().filter(|element| match element {
                Element::Words { optional, .. } | Element::Quantity { optional, .. } => !optional,
                Element::Mark(_) => true,
                Element::Gap | Element::SentenceStart | Element::ClauseEnd | Element::SentenceEnd => false,
            });
            assert!(needed.count() > 0, "{:?} has a pattern that matches nothing: {:?}", rule.effect, rule.pattern);
            let first = rule.pattern.iter().find(|element| !matches!(element, Element::SentenceStart));
            assert!(
                !matches!(
                    first,
                    Some(
                        Element::Gap | Element::Words { optional: true, .. } | Element::Quantity { optional: true, .. }
                    )
                ),
                "{:?} has a pattern that begins with something optional: {:?}",
                rule.effect,
                rule.pattern
            );
        }
    }
}
