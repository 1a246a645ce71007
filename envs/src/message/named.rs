//! Issues written as `name: "value"`, and template slots left unfilled.

use super::claim::TextSpan;

/// Longest name or value read as one, in bytes.
pub(super) const MAX_NAMED_BYTES: usize = 512;

/// A `name: "value"` pair and its bytes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NamedTerm {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) span: TextSpan,
}

/// Field names that carry prose, speech or control in structured replies, and terms that the ordinary reader knows.
const NOT_ISSUES: &[&str] = &[
    "action",
    "kind",
    "intent",
    "message",
    "type",
    "role",
    "content",
    "reasoning",
    "reason",
    "thought",
    "thoughts",
    "text",
    "response",
    "reply",
    "said",
    "say",
    "says",
    "wrote",
    "subject",
    "note",
    "status",
    "decision",
    "price",
    "payment",
    "payment_days",
    "payment days",
    "delivery",
    "delivery_days",
    "delivery days",
    "quantity",
    "warranty",
    "warranty_months",
    "total",
    "amount",
    "offer",
    "discount",
    "deadline",
    "terms",
    "payment terms",
    "service level",
    "service_level",
    "service",
    "quality",
];

/// Doubles of `"` and `\` as a quoted name or value holds them.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}

fn unquote(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        plain.push(if c == '\\' { chars.next().unwrap_or('\\') } else { c });
    }
    plain
}

/// The byte after the quote that closes the one at `open`, if it closes within [`MAX_NAMED_BYTES`].
fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    let end = bytes.len().min(open + 2 * MAX_NAMED_BYTES + 2);
    while at < end {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// Every `name: "value"` of `text`, in order; names are quoted or one to three plain words before the colon.
pub(super) fn named_terms(text: &str) -> Vec<NamedTerm> {
    let bytes = text.as_bytes();
    let mut terms = Vec::new();
    let mut previous: Option<(usize, usize)> = None;
    let mut at = 0;
    while let Some(offset) = bytes[at..].iter().position(|&byte| byte == b'"') {
        let open = at + offset;
        let Some(end) = closing(bytes, open) else {
            at = open + 1;
            continue;
        };
        at = end;
        let start = name_before(text, open, previous);
        match start {
            Some((start, name)) if !NOT_ISSUES.contains(&name.to_lowercase().as_str()) => {
                let span = TextSpan { start: start as u32, end: end as u32 };
                terms.push(NamedTerm { name, value: unquote(&text[open + 1..end - 1]), span });
                previous = None;
            }
            Some(_) => {
                // Prose in a field: read it as ordinary text.
                at = open + 1;
                previous = None;
            }
            None => previous = Some((open, end)),
        }
    }
    terms
}

/// The name that a colon or equals sign ties to the quote at `open`, with its first byte.
fn name_before(text: &str, open: usize, previous: Option<(usize, usize)>) -> Option<(usize, String)> {
    let before = text[..open].trim_end_matches([' ', '\t']);
    let before = before.strip_suffix([':', '='])?.trim_end_matches([' ', '\t', '*']);
    if let Some((start, end)) = previous
        && end == before.len()
    {
        return Some((start, unquote(&text[start + 1..end - 1])));
    }
    let mut start = before.len();
    let mut words = 1;
    for (at, c) in before.char_indices().rev().take(64) {
        match c {
            ' ' if words == 3 => break,
            ' ' => words += 1,
            c if c.is_alphanumeric() || matches!(c, '_' | '-') => {}
            _ => break,
        }
        start = at;
    }
    let name = before[start..].trim_start();
    let start = before.len() - name.len();
    (!name.is_empty() && name.chars().any(char::is_alphabetic)).then(|| (start, name.to_owned()))
}

const SLOT_WORDS: &[&str] = &[
    "your",
    "name",
    "supplier",
    "buyer",
    "seller",
    "company",
    "amount",
    "x",
    "y",
    "insert",
    "date",
    "number",
    "price",
    "title",
    "contact",
    "position",
    "recipient",
    "client",
    "vendor",
    "product",
    "percentage",
    "quantity",
    "address",
    "phone",
    "email",
    "signature",
    "my",
];

/// Unfilled slots such as `[Your Name]` or `{amount}`.
pub(super) fn placeholders(text: &str) -> Vec<TextSpan> {
    let mut found = Vec::new();
    let mut open: Option<(usize, char)> = None;
    for (at, c) in text.char_indices() {
        match c {
            '[' | '{' | '<' => open = Some((at, c)),
            ']' | '}' | '>' => {
                if let Some((start, bracket)) = open.take()
                    && matches!((bracket, c), ('[', ']') | ('{', '}') | ('<', '>'))
                    && at - start <= 40
                {
                    let mut words = text[start + 1..at]
                        .split([' ', '_', '-', '/', '\''])
                        .filter(|word| !word.is_empty())
                        .peekable();
                    let first = words.peek().is_some_and(|word| SLOT_WORDS.contains(&word.to_lowercase().as_str()));
                    if first && words.count() <= 4 {
                        found.push(TextSpan { start: start as u32, end: (at + 1) as u32 });
                    }
                }
            }
            '\n' => open = None,
            _ => {}
        }
    }
    found
}
