//! Reads named days: "15 March", "March 15th", "2026-03-15".

use super::number::{Reader, SCALE};
use super::stated_value::CalendarDay;
use super::token::TokenKind;
use super::vocabulary::UnitWord;

impl Reader<'_> {
    fn day_number(&self, at: usize) -> Option<u8> {
        match self.tokens.get(at)?.kind {
            TokenKind::Number(Some(digits)) if (1..=2).contains(&digits.plain_length) => {
                let day = digits.value / SCALE;
                (1..=31).contains(&day).then_some(day as u8)
            }
            _ => None,
        }
    }

    fn month(&self, at: usize) -> Option<u8> {
        match self.unit_word(at) {
            Some(UnitWord::Month(month)) => Some(month),
            _ => None,
        }
    }

    fn after_ordinal(&self, at: usize) -> usize {
        if self.unit_word(at) == Some(UnitWord::Ordinal) && self.touches(at - 1) { at + 1 } else { at }
    }

    /// The day that is named from token `start` on, and the token after it.
    pub(super) fn date(&self, start: usize) -> Option<(CalendarDay, usize)> {
        if let Some(month) = self.month(start)
            && let Some(day) = self.day_number(start + 1)
        {
            return Some((CalendarDay { month, day }, self.after_ordinal(start + 2)));
        }
        if let Some(day) = self.day_number(start) {
            let mut at = self.after_ordinal(start + 1);
            if self.tokens.get(at).and_then(|t| t.word()) == Some(self.lexicon.of) {
                at += 1;
            }
            if let Some(month) = self.month(at) {
                return Some((CalendarDay { month, day }, at + 1));
            }
        }
        let plain = |at: usize, length: u8| match self.tokens.get(at)?.kind {
            TokenKind::Number(Some(digits)) if digits.plain_length == length => Some(digits.value / SCALE),
            _ => None,
        };
        if plain(start, 4).is_some()
            && self.mark(start + 1) == Some('-')
            && self.mark(start + 3) == Some('-')
            && let (Some(month), Some(day)) = (plain(start + 2, 2), plain(start + 4, 2))
            && (1..=12).contains(&month)
            && (1..=31).contains(&day)
        {
            return Some((CalendarDay { month: month as u8, day: day as u8 }, start + 5));
        }
        None
    }
}
