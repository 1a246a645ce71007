//! Splits text into words, numbers and punctuation, keeping byte positions.

use super::digits::{Digits, digit, parse_digits};
use super::lexicon::{Lexicon, WordId};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// A run of letters; apostrophes inside are dropped for look-up.
    Word(WordId),
    /// A run of digits with separators, in ten-thousandths; `None` for identifiers and version numbers.
    Number(Option<Digits>),
    /// Any other visible character, or a line break.
    Punctuation(char),
}

/// A token with its bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Token {
    pub(super) fn word(self) -> Option<WordId> {
        match self.kind {
            TokenKind::Word(id) => Some(id),
            _ => None,
        }
    }
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2018}' | '`')
}

/// Marks that only lay text out.
fn is_layout(c: char) -> bool {
    matches!(c, '*' | '`' | '~' | '_' | '\u{200b}' | '\u{feff}')
}

/// The mark that one of double width stands for.
fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from((u32::from(c) - 0xfee0) as u8),
        '\u{3001}' => ',',
        other => other,
    }
}

/// The mark that separates digits as `c` does: those of double width and of Arabic as the Latin ones.
fn separator(c: char) -> char {
    match c {
        '\u{ff0c}' | '\u{66c}' => ',',
        '\u{ff0e}' | '\u{66b}' => '.',
        other => other,
    }
}

/// Tokens of `text` outside `masked` (sorted, disjoint byte ranges).
pub(super) fn tokenise(text: &str, masked: &[(usize, usize)], lexicon: &Lexicon) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 4 + 4);
    let mut chars = text.char_indices().peekable();
    let mut mask = masked.iter().peekable();
    let mut buffer = String::new();
    while let Some(&(start, c)) = chars.peek() {
        if let Some(&&(from, to)) = mask.peek()
            && start >= from
        {
            while chars.next_if(|&(at, _)| at < to).is_some() {}
            tokens.push(Token { kind: TokenKind::Punctuation(','), start: from as u32, end: to as u32 });
            mask.next();
            continue;
        }
        if c.is_alphabetic() {
            buffer.clear();
            let mut end = start;
            while let Some(&(at, c)) = chars.peek() {
                if c.is_alphabetic() {
                    buffer.extend(c.to_lowercase());
                } else if !(is_apostrophe(c) && text[at + c.len_utf8()..].starts_with(char::is_alphabetic)) {
                    break;
                }
                end = at + c.len_utf8();
                chars.next();
            }
            let kind = TokenKind::Word(lexicon.look_up(&buffer));
            tokens.push(Token { kind, start: start as u32, end: end as u32 });
        } else if digit(c).is_some() {
            buffer.clear();
            let mut end = start;
            while let Some(&(at, c)) = chars.peek() {
                let after = at + c.len_utf8();
                match digit(c) {
                    Some(value) => buffer.push(char::from(b'0' + value)),
                    None => {
                        let mark = separator(c);
                        let inner = matches!(mark, ',' | '.') || is_apostrophe(mark);
                        if !(inner && text[after..].chars().next().and_then(digit).is_some()) {
                            break;
                        }
                        buffer.push(mark);
                    }
                }
                end = after;
                chars.next();
            }
            let digits = parse_digits(&buffer);
            tokens.push(Token { kind: TokenKind::Number(digits), start: start as u32, end: end as u32 });
        } else {
            chars.next();
            let end = start + c.len_utf8();
            if c == '\n' || !(c.is_whitespace() || c.is_control() || is_layout(c)) {
                // A hyphen between letters joins a compound; it is kept only beside digits, where it can mean a range.
                let before = text[..start].chars().next_back();
                let after = chars.peek().map(|&(_, c)| c);
                let joins = matches!(c, '-' | '\u{2010}' | '\u{2011}')
                    && before.is_some_and(char::is_alphanumeric)
                    && after.is_some_and(char::is_alphanumeric)
                    && (before.is_some_and(char::is_alphabetic) && !after.is_some_and(|c| c.is_ascii_digit())
                        || after.is_some_and(char::is_alphabetic));
                if !joins {
                    let mark = narrow(c);
                    tokens.push(Token { kind: TokenKind::Punctuation(mark), start: start as u32, end: end as u32 });
                }
            }
        }
    }
    tokens
}
