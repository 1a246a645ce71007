//! Text for terminals and pages: names and words may come from models, from counterparts or from someone else's run directory.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character steers a terminal or changes the order in which a person sees the text; lines and tabs are text.
pub fn steers(c: char) -> bool {
    zopa_envs::message::steers(c) && c != '\n' && c != '\t'
}

/// `text` without what steers a terminal.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.contains(steers) { text.chars().filter(|&c| !steers(c)).collect::<String>().into() } else { text.into() }
}

/// JSON that means the same and in which all that steers a terminal is escaped.
#[must_use]
pub fn plain_json(json: &str) -> Cow<'_, str> {
    if !json.contains(steers) {
        return json.into();
    }
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        if steers(c) {
            // All of them are in the basic plane, and JSON has them within strings only.
            let _ = write!(escaped, "\\u{:04x}", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    escaped.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "a\u{1b}[2J\u{9b}31mb\u{7}\r\u{202e}c\u{8}\u{7f}\nd\te\u{2066}";

    #[test]
    fn what_steers_a_terminal_is_dropped_and_text_stays() {
        assert_eq!(plain(HOSTILE), "a[2J31mbc\nd\te");
        assert!(matches!(plain("Zürich – 98 %\n"), Cow::Borrowed(_)));
    }

    #[test]
    fn escaped_json_means_the_same() {
        let json = serde_json::to_string(HOSTILE).expect("JSON");
        let escaped = plain_json(&json);
        assert!(!escaped.contains(steers));
        assert_eq!(serde_json::from_str::<String>(&escaped).expect("JSON"), HOSTILE);
    }
}
