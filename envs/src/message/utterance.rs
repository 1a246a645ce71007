//! Text that one side said, read once.

use super::{MAX_MESSAGE_BYTES, Parsed, parse};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What was said with a move: the text, and what the parser reads in it. Cheap to clone; equal where the text is.
///
/// Text comes from models and strangers: control characters other than line breaks are dropped and what is beyond
/// [`MAX_MESSAGE_BYTES`] is cut off, so that no record, terminal or page ever holds them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Message(Arc<Said>);

/// Behind one pointer: nearly every move has room for a message, and nearly none has one.
#[derive(Debug)]
struct Said {
    text: Box<str>,
    parsed: Parsed,
}

impl Message {
    /// Takes `text` in, cleaned and cut.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let kept = &text[..text.floor_char_boundary(MAX_MESSAGE_BYTES)];
        let clean: String = kept.chars().filter(|&c| c == '\n' || !steers(c)).collect();
        let mut parsed = parse(&clean);
        parsed.truncated |= kept.len() < text.len();
        Self(Arc::new(Said { text: clean.into(), parsed }))
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// What the parser reads in it.
    #[must_use]
    pub fn parsed(&self) -> &Parsed {
        &self.0.parsed
    }
}

/// Whether a character ends a line, steers a terminal or reorders what a person sees, instead of being text.
#[must_use]
pub fn steers(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// `text` on one line, without what steers a terminal: nothing in it can pass for a line of what stands around it.
#[must_use]
pub fn one_line(text: &str) -> String {
    text.chars().map(|c| if steers(c) { ' ' } else { c }).collect()
}

impl PartialEq for Message {
    fn eq(&self, other: &Self) -> bool {
        self.0.text == other.0.text
    }
}

impl Eq for Message {}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Self::new(&text)
    }
}

impl From<Message> for String {
    fn from(message: Message) -> Self {
        message.0.text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_MESSAGE_BYTES, Message};

    #[test]
    fn a_message_holds_no_control_characters_and_has_an_end() {
        let check = |text: &str, kept: &str| assert_eq!(Message::new(text).text(), kept);
        check("net 30\u{1b}[2J, ok\u{7}?\nyes", "net 30[2J, ok?\nyes");
        check("abc\u{202e}fed", "abcfed");
        let long = Message::new(&"é".repeat(MAX_MESSAGE_BYTES));
        assert!(long.text().len() <= MAX_MESSAGE_BYTES && long.parsed().truncated);
    }

    #[test]
    fn a_message_survives_its_json_as_plain_text() {
        let message = Message::new("I can do $95,000.");
        let json = serde_json::to_string(&message).unwrap();
        assert_eq!(json, "\"I can do $95,000.\"");
        assert_eq!(serde_json::from_str::<Message>(&json).unwrap(), message);
        assert_eq!(message.parsed().claims.len(), 1);
    }
}
