//! What words may mean where a side bound by authority says them, read more broadly than other sides' words.

use super::claim::{Claim, Polarity, Subject, TextSpan};
use super::digits::digit;
use super::lexicon::Lexicon;
use super::number::{Quantity, SCALE, Unit};
use super::offer_terms;
use super::phrases::Effect;
use super::reading::{Found, Reading};
use super::stated_value::{Due, Interval, ServiceLevel};
use super::statement::Statement;
use super::token::tokenise;
use super::{number, terms};

/// English words that nearly every English sentence has one of and that other European languages in Latin script seldom have.
const FUNCTION_WORDS: &str = "the our your you and for with that this they them from have has had but can would my im its by us are be been to at \
    it if not we is of please thank thanks i";

/// Letters after digits that say what those count.
const AFTER_DIGITS: &str = "x h s am pm";

/// Everything that the text may promise, take back, accept or hide, all about the speaker.
pub(super) fn read_warily(text: &str) -> Vec<Claim> {
    let lexicon = Lexicon::wary();
    let tokens = tokenise(text, &[], lexicon);
    let items = number::read_quantities(&tokens, lexicon);
    let reading = Reading::new(&items, lexicon);
    let mut claims: Vec<Claim> = reading.found.iter().filter_map(|found| claim(&reading, found, text)).collect();
    claims.extend(unreadable(text, lexicon).into_iter().map(|span| plain(Statement::Unreadable, span)));
    claims.sort_by(|a, b| (a.span, &a.statement).cmp(&(b.span, &b.statement)));
    claims
}

fn plain(statement: Statement, span: TextSpan) -> Claim {
    Claim { statement, polarity: Polarity::Asserted, subject: Subject::Own, span }
}

fn claim(reading: &Reading<'_>, found: &Found, text: &str) -> Option<Claim> {
    let span = reading.span(found.start, found.end);
    let words = &text[span.start as usize..span.end as usize];
    let quantity = found.quantity.and_then(|at| reading.items[at].quantity());
    let term = |name: &str| Statement::Term { name: name.to_owned(), value: words.to_owned() };
    let statement = match found.effect {
        Effect::Accept => Statement::Acceptance,
        Effect::Leave => Statement::Rejection,
        Effect::Final => Statement::FinalOffer,
        Effect::Approval => Statement::Approval,
        Effect::Exclusivity => Statement::Exclusivity,
        Effect::VolumePromise => Statement::VolumePromise(None),
        Effect::Guarantee => Statement::Guarantee,
        Effect::Extra => term("extra"),
        Effect::Retract => term("retraction"),
        Effect::Unreadable => Statement::Unreadable,
        Effect::Deadline => Statement::Deadline(rounds(quantity, words)),
        Effect::Outside => Statement::OutsideOption(quantity.map(terms::money)),
        Effect::Tier => {
            let last = |word: &&str| offer_terms::tier(word).is_some();
            let named = words.split(|c: char| !c.is_alphabetic()).rev().find(last)?;
            Statement::Service(ServiceLevel::Tier(offer_terms::tier(named)?))
        }
        Effect::Share => Statement::Quantity(terms::whole(quantity?, 1)),
        Effect::PayIn => Statement::PaymentDays(days(quantity?)?),
        Effect::PayAfter(days) => Statement::PaymentDays(Interval::exact(days.into())),
        Effect::DeliverIn => Statement::Delivery(Due::Days(days(quantity?)?)),
        Effect::DeliverAfter(days) => Statement::Delivery(Due::Days(Interval::exact(days.into()))),
        _ => return None,
    };
    let mut polarity = reading.polarity(found.start, found.end);
    // A "not" that a gap stepped over denies as one before the phrase does; these hold their own.
    let own_negation =
        matches!(found.effect, Effect::Retract | Effect::Final | Effect::Outside | Effect::Leave | Effect::Exclusivity);
    let negates = |at: usize| reading.word_at(at).is_some_and(|word| reading.lexicon.role(word).negates);
    if polarity == Polarity::Asserted && !own_negation && (found.start + 1..found.end).any(negates) {
        polarity = Polarity::Negated;
    }
    if matches!(found.effect, Effect::Unreadable) {
        polarity = Polarity::Asserted;
    }
    Some(Claim { statement, polarity, subject: Subject::Own, span })
}

/// Days of a time, months at 30 days, or a bare number of up to a year's days.
fn days(quantity: Quantity) -> Option<Interval<u32>> {
    match quantity.unit {
        Unit::Days => Some(terms::whole(quantity, 1)),
        Unit::Months => Some(terms::whole(quantity, 30)),
        Unit::Bare { large: false } if quantity.high <= 365 * SCALE => Some(terms::whole(quantity, 1)),
        _ => None,
    }
}

/// When a deadline in rounds falls: the parser takes a lone "two" for no figure.
fn rounds(quantity: Option<Quantity>, words: &str) -> Option<Due> {
    if let Some(quantity) = quantity {
        return (quantity.unit == Unit::Rounds).then(|| Due::Rounds(terms::whole(quantity, 1).low));
    }
    let spelled = |word: &str| match word.to_ascii_lowercase().as_str() {
        "one" => Some(1),
        "two" => Some(2),
        "three" => Some(3),
        _ => None,
    };
    words.split_whitespace().find_map(spelled).map(Due::Rounds)
}

/// A letter of the scripts that English is written in, accents included.
fn is_latin(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | 'ª' | 'º')
}

/// Marks that show nothing and can split a word or a figure from the eyes of a reader of text.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// Sentences and figures that cannot be read: letters of another script or another language, letters of two scripts in one word,
/// numerals that are no decimal digits, figures with unknown letters, invisible marks inside a word, and words spaced letter by letter.
fn unreadable(text: &str, lexicon: &Lexicon) -> Vec<TextSpan> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|&(_, c)| c);
        let ends = match c {
            '!' | '?' | ';' | '\n' | '。' | '…' | '！' | '？' => true,
            '.' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        let end = at + c.len_utf8();
        if (ends || next.is_none()) && cannot_be_read(&text[start..end], lexicon) {
            found.push(TextSpan { start: start as u32, end: end as u32 });
        }
        if ends {
            start = end;
        }
    }
    found
}

fn cannot_be_read(sentence: &str, lexicon: &Lexicon) -> bool {
    let (mut latin, mut other, mut single, mut longest_single) = (0, 0, 0, 0);
    let (mut known, mut unknown, mut english) = (0, 0, false);
    let mut first = true;
    let mut before = ' ';
    let mut chars = sentence.char_indices().peekable();
    let mut word = String::new();
    while let Some(&(start, c)) = chars.peek() {
        if is_invisible(c) {
            chars.next();
            if before.is_alphanumeric() && chars.peek().is_some_and(|&(_, c)| c.is_alphanumeric()) {
                return true;
            }
            continue;
        }
        if c.is_numeric() && digit(c).is_none() {
            return true;
        }
        if !c.is_alphabetic() {
            before = c;
            chars.next();
            continue;
        }
        word.clear();
        let (mut of_latin, mut of_other) = (0, 0);
        while let Some(&(_, c)) = chars.peek() {
            if c.is_alphabetic() {
                if c.is_numeric() {
                    return true;
                }
                word.extend(c.to_lowercase());
                if is_latin(c) { of_latin += 1 } else { of_other += 1 }
            } else if !matches!(c, '\'' | '\u{2019}') {
                break;
            }
            before = c;
            chars.next();
        }
        // "n\u{456}nety": letters that only look like those of the word.
        if of_latin > 0 && of_other > 0 {
            return true;
        }
        latin += of_latin;
        other += of_other;
        // "882e3", but not "B2B".
        let figure = sentence[..start].trim_end_matches(|c: char| digit(c).is_some() || matches!(c, ',' | '.'));
        let after_digit = sentence[..start].chars().next_back().and_then(digit).is_some()
            && !figure.chars().next_back().is_some_and(char::is_alphabetic);
        if after_digit {
            let meant = lexicon.unit(lexicon.look_up(&word)).is_some() && lexicon.knows(&word)
                || AFTER_DIGITS.split(' ').any(|letters| letters == word);
            if !meant {
                return true;
            }
            continue;
        }
        single = if of_latin == 1 { single + 1 } else { 0 };
        longest_single = longest_single.max(single);
        english |= FUNCTION_WORDS.split_whitespace().any(|function| function == word);
        let name = !first && c.is_uppercase();
        first = false;
        if lexicon.knows(&word) {
            known += 1;
        } else if of_latin > 1 && !name {
            unknown += 1;
        }
    }
    other > 1 && other >= latin || longest_single >= 4 || !english && unknown >= 2 && unknown >= known
}
