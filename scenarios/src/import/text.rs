//! From a file's bytes to its text.

use std::borrow::Cow;

/// Text of a file and whether it had to be taken for Latin-1 without saying so.
pub(super) struct Decoded<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) assumed_latin_1: bool,
}

const UTF_8_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The text of `bytes`: UTF-8 with or without a byte-order mark, Latin-1 where an XML declaration says so or where the
/// bytes are no UTF-8. Latin-1 has a character for every byte, so this always succeeds.
pub(super) fn decode(bytes: &[u8]) -> Decoded<'_> {
    if let Some(marked) = bytes.strip_prefix(UTF_8_MARK)
        && let Ok(text) = std::str::from_utf8(marked)
    {
        return Decoded { text: Cow::Borrowed(text), assumed_latin_1: false };
    }
    let declared = declares_latin_1(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) if !declared => Decoded { text: Cow::Borrowed(text), assumed_latin_1: false },
        _ => Decoded { text: Cow::Owned(bytes.iter().copied().map(char::from).collect()), assumed_latin_1: !declared },
    }
}

/// Whether the XML declaration at the start names Latin-1 or Windows' superset of it.
fn declares_latin_1(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(200)];
    let Some(end) = head.windows(2).position(|pair| pair == b"?>") else { return false };
    let declaration = String::from_utf8_lossy(&head[..end]).to_ascii_lowercase();
    declaration.trim_start().starts_with("<?xml")
        && ["iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "windows-1252", "cp1252"]
            .iter()
            .any(|name| declaration.contains(name))
}

/// The first character that is no white space, past a byte-order mark.
pub(super) fn first_character(bytes: &[u8]) -> Option<u8> {
    bytes.strip_prefix(UTF_8_MARK).unwrap_or(bytes).iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::{decode, first_character};

    #[test]
    fn bytes_are_utf_8_unless_declared_or_impossible() {
        let check = |bytes: &[u8], text: &str, assumed: bool| {
            let decoded = decode(bytes);
            assert_eq!((decoded.text.as_ref(), decoded.assumed_latin_1), (text, assumed));
        };
        check("café".as_bytes(), "café", false);
        check(b"\xEF\xBB\xBFcaf\xC3\xA9", "café", false);
        check(b"caf\xE9", "café", true);
        check(
            b"<?xml version='1.0' encoding='ISO-8859-1'?>caf\xE9",
            "<?xml version='1.0' encoding='ISO-8859-1'?>café",
            false,
        );
    }

    #[test]
    fn the_first_character_is_found_past_marks_and_white_space() {
        assert_eq!(first_character(b"\xEF\xBB\xBF \n<a/>"), Some(b'<'));
        assert_eq!(first_character(b" \t"), None);
    }
}
