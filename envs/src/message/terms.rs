//! Decides which term of the contract a quantity states, from its unit and the words around it.

use super::number::{ItemKind, Quantity, SCALE, Unit};
use super::reading::Reading;
use super::stated_value::{Due, Interval, ServiceLevel};
use super::statement::Statement;
use super::vocabulary::Cue;
use crate::Money;

/// Items to either side that can say what a quantity measures.
const CUE_REACH: usize = 10;
/// Cost of crossing a comma, in items.
const CLAUSE_COST: usize = 4;

/// Ten-thousandths as money; saturates.
fn minor_units(ten_thousandths: u64) -> Money {
    Money(i64::try_from(ten_thousandths / 100).unwrap_or(i64::MAX))
}

pub(super) fn money(quantity: Quantity) -> Interval<Money> {
    Interval { low: minor_units(quantity.low), high: minor_units(quantity.high) }
}

/// Whole units times `factor`; saturates.
pub(super) fn whole(quantity: Quantity, factor: u64) -> Interval<u32> {
    let value = |x: u64| u32::try_from(x.saturating_mul(factor) / SCALE).unwrap_or(u32::MAX);
    Interval { low: value(quantity.low), high: value(quantity.high) }
}

fn basis_points(quantity: Quantity) -> Interval<u32> {
    whole(quantity, 100)
}

pub(super) fn service(quantity: Quantity) -> ServiceLevel {
    match quantity.unit {
        Unit::Percent => ServiceLevel::Share(basis_points(quantity).low),
        _ => ServiceLevel::Level(whole(quantity, 1).low),
    }
}

/// The nearest word that names a term, and its distance; a word before the quantity wins over one after it.
fn nearest_cue(reading: &Reading<'_>, at: usize, wanted: impl Fn(Cue) -> bool) -> Option<(Cue, usize)> {
    let mut best: Option<(Cue, usize)> = None;
    let from = at.saturating_sub(CUE_REACH);
    let to = reading.items.len().min(at + CUE_REACH + 1);
    for other in from..to {
        if other == at || !reading.same_sentence(at, other) {
            continue;
        }
        let ItemKind::Word(word) = reading.items[other].kind else { continue };
        let Some(cue) = reading.lexicon.cue(word).filter(|&cue| wanted(cue)) else { continue };
        if reading.gives_cause(other) {
            continue;
        }
        let crossing = if reading.same_clause(at, other) { 0 } else { CLAUSE_COST };
        let between = other.min(at) + 1..other.max(at);
        let quantities = between.filter(|&i| reading.items[i].quantity().is_some()).count();
        // "30 days of payment": the preposition ties the two together.
        let tied = other == at + 2 && reading.is_of(at + 1);
        let apart = if tied { 1 } else { at.abs_diff(other) };
        let distance = 2 * (apart + crossing + 2 * quantities) + usize::from(other > at);
        if best.is_none_or(|(_, least)| distance < least) {
            best = Some((cue, distance));
        }
    }
    best
}

/// What the quantity at item `at` states, if it is a term.
pub(super) fn statement(reading: &Reading<'_>, at: usize, quantity: Quantity) -> Option<Statement> {
    match quantity.unit {
        Unit::Money => Some(Statement::Price(money(quantity))),
        Unit::Bare { large } => bare(reading, at, quantity, large),
        Unit::Days => {
            let cue = nearest_cue(reading, at, |cue| {
                matches!(cue, Cue::Payment | Cue::Delivery | Cue::Warranty | Cue::Deadline | Cue::Elsewhere)
            });
            match cue {
                Some((Cue::Elsewhere, distance)) if distance <= 6 => None,
                Some((Cue::Delivery, _)) => Some(Statement::Delivery(Due::Days(whole(quantity, 1)))),
                // A warranty counted in days is none that the contract's months can hold.
                Some((Cue::Warranty, distance)) if distance <= 8 => None,
                Some((Cue::Deadline, distance)) if distance <= 6 => {
                    Some(Statement::Deadline(Some(Due::Days(whole(quantity, 1)))))
                }
                _ => Some(Statement::PaymentDays(whole(quantity, 1))),
            }
        }
        Unit::Months => match nearest_cue(reading, at, |cue| {
            matches!(cue, Cue::Payment | Cue::Delivery | Cue::Warranty | Cue::Elsewhere)
        })? {
            (Cue::Warranty, _) => Some(Statement::Warranty(whole(quantity, 1))),
            (Cue::Payment, distance) if distance <= 10 => Some(Statement::PaymentDays(whole(quantity, 30))),
            (Cue::Delivery, distance) if distance <= 12 => Some(Statement::Delivery(Due::Days(whole(quantity, 30)))),
            _ => None,
        },
        Unit::Percent => {
            match nearest_cue(reading, at, |cue| matches!(cue, Cue::Discount | Cue::Service | Cue::Elsewhere))? {
                (Cue::Discount, _) => Some(Statement::Discount(basis_points(quantity))),
                (Cue::Service, _) => Some(Statement::Service(service(quantity))),
                _ => None,
            }
        }
        Unit::Count => Some(Statement::Quantity(whole(quantity, 1))),
        Unit::Date(day) => match nearest_cue(reading, at, |cue| matches!(cue, Cue::Delivery | Cue::Deadline))? {
            (Cue::Delivery, _) => Some(Statement::Delivery(Due::Date(day))),
            _ => Some(Statement::Deadline(Some(Due::Date(day)))),
        },
        Unit::Rounds | Unit::Hours | Unit::Identifier => None,
    }
}

/// A number without unit: a price where it looks like one or the words before it say so, another term where they name one.
fn bare(reading: &Reading<'_>, at: usize, quantity: Quantity, large: bool) -> Option<Statement> {
    let left =
        |back: usize| at.checked_sub(back).filter(|&i| reading.same_sentence(i, at)).map(|i| reading.items[i].kind);
    // The nearest words before it, over punctuation that ties name and value.
    let mut words = [None, None, None];
    let (mut back, mut seen) = (1, 0);
    while seen < words.len() {
        match left(back) {
            Some(ItemKind::Word(word)) => {
                words[seen] = Some(word);
                seen += 1;
            }
            Some(ItemKind::Punctuation(':' | '=' | '"' | '(' | '@' | '-')) => {}
            _ => break,
        }
        back += 1;
    }
    let opens = words[0].is_none();
    let named = words.iter().flatten().find_map(|&word| reading.lexicon.cue(word));
    let is_unit_before =
        |cue| matches!(cue, Cue::Payment | Cue::Delivery | Cue::Warranty | Cue::Quantity | Cue::Service);
    let value = quantity.high;
    match named {
        Some(Cue::Elsewhere) => return None,
        Some(Cue::Payment) if value <= 365 * SCALE => return Some(Statement::PaymentDays(whole(quantity, 1))),
        Some(Cue::Delivery) if value <= 730 * SCALE => return Some(Statement::Delivery(Due::Days(whole(quantity, 1)))),
        Some(Cue::Warranty) if value <= 240 * SCALE => return Some(Statement::Warranty(whole(quantity, 1))),
        Some(Cue::Quantity)
            if words[0].is_some_and(|word| reading.lexicon.cue(word) == Some(Cue::Quantity)) && !large =>
        {
            return Some(Statement::Quantity(whole(quantity, 1)));
        }
        _ => {}
    }
    if large && value >= 1_000 * SCALE {
        return Some(Statement::Price(money(quantity)));
    }
    let year = (1_990 * SCALE..=2_100 * SCALE).contains(&value) && quantity.low.is_multiple_of(SCALE);
    // Behind an unknown word ("ISO 9001") nothing further left counts.
    let near = if words[0] == Some(0) { 0 } else { 2 };
    let points_to_price = words.iter().take(near).flatten().any(|&word| reading.lexicon.introduces_price(word));
    let next = reading.items.get(at + 1).map(|item| item.kind);
    let slash = matches!(left(1), Some(ItemKind::Punctuation('/')));
    if year && named != Some(Cue::Price) || slash || named.is_some_and(is_unit_before) && !points_to_price {
        return None;
    }
    if value >= 1_000 * SCALE {
        return (points_to_price || opens || named == Some(Cue::Price)).then(|| Statement::Price(money(quantity)));
    }
    let direct = words[0].is_some_and(|word| reading.lexicon.introduces_price(word)) || named == Some(Cue::Price);
    // Small figures are prices only where nothing else can be meant.
    let followed_by_noun = matches!(next, Some(ItemKind::Word(word)) if !reading.lexicon.may_follow_price(word));
    let opens_message = opens && (quantity.low != quantity.low / SCALE * SCALE || value >= 20 * SCALE) && at == 0;
    ((direct || opens_message) && !followed_by_noun).then(|| Statement::Price(money(quantity)))
}
