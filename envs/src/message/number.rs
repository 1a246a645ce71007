//! Reads quantities: digits and number words with their multipliers, currencies, units and ranges.

use super::digits::Digits;
use super::lexicon::{Lexicon, WordId};
use super::stated_value::CalendarDay;
use super::token::{Token, TokenKind};
use super::vocabulary::UnitWord;

/// Quantities are held in ten-thousandths, so that 98.25k, 99.95 % and 0.62 are exact.
pub(super) const SCALE: u64 = 10_000;

/// What a quantity counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unit {
    Money,
    Days,
    Months,
    Percent,
    Count,
    Rounds,
    Hours,
    Date(CalendarDay),
    /// No unit: `large` where a multiplier or set-apart thousands make it look like an amount.
    Bare {
        large: bool,
    },
    /// An order number, telephone number, time of day or version: never a term.
    Identifier,
}

/// A quantity and the bytes it was read from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quantity {
    pub(super) low: u64,
    pub(super) high: u64,
    pub(super) unit: Unit,
}

/// What the phrase matcher walks over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ItemKind {
    Word(WordId),
    Quantity(Quantity),
    Punctuation(char),
}

/// A word, quantity or punctuation mark with its bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Item {
    pub(super) kind: ItemKind,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Item {
    pub(super) fn quantity(&self) -> Option<Quantity> {
        match self.kind {
            ItemKind::Quantity(quantity) => Some(quantity),
            _ => None,
        }
    }

    pub(super) fn is(&self, mark: char) -> bool {
        self.kind == ItemKind::Punctuation(mark)
    }
}

/// Reads tokens one after another.
pub(super) struct Reader<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) lexicon: &'a Lexicon,
}

/// A number read, before its unit.
struct Number {
    value: u64,
    large: bool,
    money: bool,
    next: usize,
    digits: Option<Digits>,
    identifier: bool,
}

impl Reader<'_> {
    pub(super) fn unit_word(&self, at: usize) -> Option<UnitWord> {
        self.tokens.get(at).and_then(|token| token.word()).and_then(|word| self.lexicon.unit(word))
    }

    pub(super) fn mark(&self, at: usize) -> Option<char> {
        match self.tokens.get(at)?.kind {
            TokenKind::Punctuation(c) => Some(c),
            _ => None,
        }
    }

    pub(super) fn touches(&self, left: usize) -> bool {
        match (self.tokens.get(left), self.tokens.get(left + 1)) {
            (Some(a), Some(b)) => a.end == b.start,
            _ => false,
        }
    }

    /// "ninety-eight thousand two hundred and fifty", "half a million", "hundred grand".
    fn number_words(&self, start: usize) -> Option<Number> {
        let (mut total, mut current, mut at) = (0u64, 0u64, start);
        let (mut seen, mut large, mut money, mut half) = (0, false, false, false);
        let mut last_value = None;
        while seen < 16 {
            match self.unit_word(at) {
                Some(UnitWord::Number(value)) => {
                    // Two figures side by side are two numbers ("five ten"), unless tens meet ones or hundreds tens.
                    if last_value.is_some_and(|last: u64| last < 20 || value >= 20 && last < 100) {
                        break;
                    }
                    current = current.saturating_add(value * SCALE);
                    last_value = Some(value);
                }
                Some(UnitWord::Half) if seen == 0 => half = true,
                Some(UnitWord::Article) if half && seen == 1 => {}
                Some(UnitWord::Times { factor, money: is_money }) => {
                    // A bare "thousand" is no figure, "a thousand" and "an even hundred thousand" are.
                    let introduced = start > 0
                        && (self.unit_word(start - 1) == Some(UnitWord::Article)
                            || self.tokens[start - 1].word() == Some(self.lexicon.even));
                    if seen == 0 && !introduced {
                        return None;
                    }
                    let base = if half && current == 0 {
                        SCALE / 2
                    } else if current == 0 && total == 0 {
                        SCALE
                    } else {
                        current
                    };
                    if base == 0 {
                        break;
                    }
                    if factor == 100 {
                        current = base.saturating_mul(100);
                        last_value = Some(100);
                    } else {
                        total = total.saturating_add(base.saturating_mul(factor));
                        current = 0;
                        last_value = None;
                        large = true;
                    }
                    money |= is_money;
                }
                _ => {
                    let joined = seen > 0
                        && (self.tokens[at.min(self.tokens.len() - 1)].word() == Some(self.lexicon.and)
                            || self.mark(at) == Some(',') && large)
                        && matches!(self.unit_word(at + 1), Some(UnitWord::Number(_)))
                        && (last_value == Some(100) || large && current == 0);
                    if !joined {
                        break;
                    }
                }
            }
            at += 1;
            seen += 1;
        }
        let value = total.saturating_add(current);
        (value > 0).then_some(Number { value, large, money, next: at, digits: None, identifier: false })
    }

    fn number(&self, start: usize) -> Option<Number> {
        let TokenKind::Number(digits) = self.tokens[start].kind else {
            return self.number_words(start);
        };
        let Some(digits) = digits else {
            return Some(Number {
                value: 0,
                large: false,
                money: false,
                next: start + 1,
                digits: None,
                identifier: true,
            });
        };
        let mut number = Number {
            value: digits.value,
            large: digits.grouped,
            money: false,
            next: start + 1,
            digits: Some(digits),
            identifier: digits.leading_zero,
        };
        // Thousands set apart by a space, or by a comma and a space, count only where a currency says that this is an amount.
        if (1..=3).contains(&digits.plain_length) {
            let (mut at, mut value) = (start + 1, digits.value);
            for _ in 0..3 {
                let comma = self.mark(at) == Some(',') && self.touches(at - 1);
                let group_at = at + usize::from(comma);
                let Some(Token { kind: TokenKind::Number(Some(group)), start: next_start, .. }) =
                    self.tokens.get(group_at)
                else {
                    break;
                };
                let gap = next_start - self.tokens[group_at - 1].end;
                // "$95, 100 units": what has a unit of its own is another figure.
                let own_unit = comma && self.has_unit(group_at + 1);
                if group.plain_length != 3 || gap == 0 || gap > 3 || own_unit {
                    break;
                }
                value = value.saturating_mul(1_000).saturating_add(group.value);
                at = group_at + 1;
            }
            let currency = self.is_currency(at) || start > 0 && self.is_currency(start - 1);
            if at > start + 1 && currency {
                (number.value, number.next, number.large) = (value, at, true);
            }
        }
        let attached =
            self.touches(number.next - 1) && self.tokens.get(number.next).is_some_and(|t| t.word().is_some());
        match self.unit_word(number.next) {
            Some(UnitWord::Times { factor, money }) if !(factor == 100 && attached) => {
                number.value = number.value.saturating_mul(factor);
                number.large |= factor > 100;
                number.money |= money;
                number.next += 1;
            }
            Some(UnitWord::Suffix(factor)) if attached || factor == 1_000 => {
                number.value = number.value.saturating_mul(factor);
                number.large = true;
                number.next += 1;
            }
            Some(UnitWord::Number(_) | UnitWord::Article | UnitWord::Half) | None if attached => {
                number.identifier = true;
                number.next += 1;
            }
            _ => {}
        }
        let spelled_before = start > 0 && self.tokens[start - 1].end == self.tokens[start].start;
        if spelled_before && let Some(word) = self.tokens[start - 1].word() {
            number.identifier |= !self.lexicon.may_touch_number(word);
        }
        let clock = |mark| mark == Some(':');
        if spelled_before
            && (clock(self.mark(start - 1)) && start > 1 && matches!(self.tokens[start - 2].kind, TokenKind::Number(_))
                || self.mark(start - 1) == Some('#'))
        {
            number.identifier = true;
        }
        if clock(self.mark(number.next))
            && self.touches(number.next)
            && self.touches(number.next - 1)
            && matches!(self.tokens.get(number.next + 1).map(|t| t.kind), Some(TokenKind::Number(_)))
        {
            number.identifier = true;
        }
        Some(number)
    }

    /// Whether the token at `at` says what a number before it counts, other than money.
    fn has_unit(&self, at: usize) -> bool {
        let measures = |unit| {
            matches!(
                unit,
                UnitWord::Time { .. } | UnitWord::Count | UnitWord::Rounds | UnitWord::Percent | UnitWord::Month(_)
            )
        };
        self.mark(at) == Some('%') || self.unit_word(at).is_some_and(measures)
    }

    fn is_currency(&self, at: usize) -> bool {
        matches!(self.mark(at), Some('$' | '€' | '£' | '¥')) || self.unit_word(at) == Some(UnitWord::Currency)
    }

    /// A currency that belongs to the number before it: "98000$ 15 days", but not "98,000 $95".
    fn currency_after(&self, at: usize) -> bool {
        let before_number = matches!(self.tokens.get(at + 1).map(|t| t.kind), Some(TokenKind::Number(_)));
        self.is_currency(at)
            && !(self.mark(at).is_some() && before_number && (self.touches(at) || !self.touches(at - 1)))
    }

    /// The quantity that starts at `start`, with the token after it.
    fn quantity(&self, start: usize) -> Option<(Quantity, usize)> {
        if let Some((day, next)) = self.date(start) {
            return Some((Quantity { low: 0, high: 0, unit: Unit::Date(day) }, next));
        }
        let mut at = start;
        let mut money = false;
        while at < start + 2 && self.is_currency(at) {
            money = true;
            at += 1;
        }
        // "a week", "an hour": one of a unit that measures time.
        if at == start && self.unit_word(at) == Some(UnitWord::Article) {
            return match self.unit_word(at + 1) {
                Some(UnitWord::Time { days, months }) if days + months > 0 => {
                    let (low, unit) = if months > 0 { (months, Unit::Months) } else { (days, Unit::Days) };
                    Some((Quantity { low: low * SCALE, high: low * SCALE, unit }, at + 2))
                }
                _ => None,
            };
        }
        let number = self.number_at(at)?;
        let (mut value, mut next) = (number.value, number.next);
        if number.identifier {
            return Some((Quantity { low: 0, high: 0, unit: Unit::Identifier }, next));
        }
        money |= number.money;
        if self.currency_after(next) {
            money = true;
            next += 1;
        }
        if money {
            if let Some(thousands) = number.digits.and_then(|digits| digits.dotted_thousands)
                && number.value == number.digits.map_or(0, |digits| digits.value)
            {
                value = thousands;
            }
            return Some((Quantity { low: value, high: value, unit: Unit::Money }, next));
        }
        let (unit, value, next) = match self.unit_word(next) {
            Some(UnitWord::Time { days: 0, months: 0 }) => (Unit::Hours, value, next + 1),
            Some(UnitWord::Time { days, months: 0 }) => (Unit::Days, value.saturating_mul(days), next + 1),
            Some(UnitWord::Time { months, .. }) => (Unit::Months, value.saturating_mul(months), next + 1),
            Some(UnitWord::Count) => (Unit::Count, value, next + 1),
            Some(UnitWord::Rounds) => (Unit::Rounds, value, next + 1),
            Some(UnitWord::Percent) => (Unit::Percent, value, next + 1),
            _ if self.mark(next) == Some('%') => (Unit::Percent, value, next + 1),
            _ => {
                // A lone "one" is a pronoun far more often than a figure.
                if number.digits.is_none() && next == at + 1 && value <= 3 * SCALE {
                    return None;
                }
                (Unit::Bare { large: number.large }, value, next)
            }
        };
        Some((Quantity { low: value, high: value, unit }, next))
    }

    fn number_at(&self, at: usize) -> Option<Number> {
        (at < self.tokens.len()).then(|| self.number(at)).flatten()
    }

    /// Joins "90k and 95k", "2-3 weeks", "96 to 98k" into one range; a first figure without unit takes the second's.
    fn range(&self, first: Quantity, first_start: usize, dash: usize) -> Option<(Quantity, usize)> {
        let word = self.tokens.get(dash)?.word();
        let left = |back: usize| first_start.checked_sub(back).and_then(|at| self.tokens[at].word());
        let joins = matches!(self.mark(dash), Some('-' | '–' | '—'))
            || word == Some(self.lexicon.to) && left(1) != Some(self.lexicon.from)
            || word == Some(self.lexicon.and)
                && (left(1) == Some(self.lexicon.between) || left(2) == Some(self.lexicon.between));
        if !joins || matches!(first.unit, Unit::Identifier | Unit::Date(_)) {
            return None;
        }
        let (second, next) = self.quantity(dash + 1)?;
        let mut low = first.low;
        let compatible = match (first.unit, second.unit) {
            (Unit::Bare { large: false }, Unit::Bare { large: true } | Unit::Money) if first.low < 1_000 * SCALE => {
                if second.high >= 1_000 * SCALE {
                    low = low.saturating_mul(1_000);
                }
                true
            }
            (Unit::Bare { .. }, Unit::Days) => {
                let number = self.number_at(dash + 1)?;
                low = low.saturating_mul((second.low / number.value.max(1)).max(1));
                true
            }
            (Unit::Bare { .. }, unit) => !matches!(unit, Unit::Identifier | Unit::Date(_)),
            (Unit::Money, Unit::Bare { .. }) => true,
            (a, b) => a == b,
        };
        let unit = if first.unit == Unit::Money { Unit::Money } else { second.unit };
        (compatible && low <= second.high).then_some((Quantity { low, high: second.high, unit }, next))
    }
}

/// Tokens with their quantities read.
pub(super) fn read_quantities(tokens: &[Token], lexicon: &Lexicon) -> Vec<Item> {
    let reader = Reader { tokens, lexicon };
    let mut items = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let token = tokens[at];
        let (kind, next) = match reader.quantity(at) {
            Some((first, next)) => {
                let (quantity, next) = reader.range(first, at, next).unwrap_or((first, next));
                (ItemKind::Quantity(quantity), next)
            }
            None => match token.kind {
                TokenKind::Word(word) => (ItemKind::Word(word), at + 1),
                TokenKind::Punctuation(mark) => (ItemKind::Punctuation(mark), at + 1),
                TokenKind::Number(_) => {
                    (ItemKind::Quantity(Quantity { low: 0, high: 0, unit: Unit::Identifier }), at + 1)
                }
            },
        };
        items.push(Item { kind, start: token.start, end: tokens[next - 1].end });
        at = next;
    }
    items
}
