//! JSON as Python and Java write it.
//!
//! serde_json keeps no line for a value and refuses `NaN` and `-Infinity`, which Python's encoder writes for the default
//! reservation value; this reader keeps the one and takes the other.

use super::{Content, Node, Spending};
use crate::import::error::ImportError;

/// Parses `text`, the content of `file`.
pub(in crate::import) fn parse(file: &str, text: &str) -> Result<Node, ImportError> {
    let mut reader = Reader { file, text, position: 0, line: 1, line_start: 0, spending: Spending::of(file) };
    reader.blank();
    let node = reader.value(0)?;
    reader.blank();
    match reader.rest().chars().next() {
        None => Ok(node),
        Some(other) => Err(reader.fault(format!("unexpected '{other}' after the end of the document"))),
    }
}

struct Reader<'a> {
    file: &'a str,
    text: &'a str,
    position: usize,
    line: u32,
    /// Where the current line starts.
    line_start: usize,
    spending: Spending<'a>,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn fault(&self, reason: impl Into<String>) -> ImportError {
        let column = self.text[self.line_start..self.position].chars().count() as u32 + 1;
        let reason = format!("no well-formed JSON: {}", reason.into());
        ImportError::Syntax { file: self.file.to_owned(), line: self.line, column, reason }
    }

    /// An error at the next character.
    fn unexpected(&self, wanted: &str) -> ImportError {
        match self.rest().chars().next() {
            Some(other) => self.fault(format!("unexpected '{}', {wanted} is missing", other.escape_debug())),
            None => self.fault(format!("the file ends, {wanted} is missing")),
        }
    }

    fn blank(&mut self) {
        for byte in self.rest().bytes() {
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.line_start = self.position + 1;
                }
                b' ' | b'\t' | b'\r' => {}
                _ => return,
            }
            self.position += 1;
        }
    }

    fn taken(&mut self, wanted: &str) -> bool {
        let there = self.rest().starts_with(wanted);
        if there {
            self.position += wanted.len();
        }
        there
    }

    fn value(&mut self, depth: u32) -> Result<Node, ImportError> {
        self.spending.take(1, depth)?;
        let line = self.line;
        let content = match self.rest().bytes().next() {
            Some(b'{') => self.map(depth)?,
            Some(b'[') => self.list(depth)?,
            Some(b'"') => Content::Scalar { text: self.string()?, number: None },
            Some(b'-' | b'0'..=b'9' | b'N' | b'I') => self.number()?,
            _ if self.taken("null") => Content::Null,
            _ if self.taken("true") => Content::Scalar { text: "true".to_owned(), number: None },
            _ if self.taken("false") => Content::Scalar { text: "false".to_owned(), number: None },
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Node { line, content })
    }

    fn list(&mut self, depth: u32) -> Result<Content, ImportError> {
        self.position += 1;
        let mut entries = Vec::new();
        self.blank();
        if self.taken("]") {
            return Ok(Content::List(entries));
        }
        loop {
            entries.push(self.value(depth + 1)?);
            self.blank();
            if self.taken("]") {
                return Ok(Content::List(entries));
            }
            if !self.taken(",") {
                return Err(self.unexpected("',' or ']'"));
            }
            self.blank();
        }
    }

    fn map(&mut self, depth: u32) -> Result<Content, ImportError> {
        self.position += 1;
        let mut entries: Vec<(Node, Node)> = Vec::new();
        let mut names = std::collections::BTreeSet::new();
        self.blank();
        if self.taken("}") {
            return Ok(Content::Map(entries));
        }
        loop {
            self.spending.take(1, depth + 1)?;
            if !self.rest().starts_with('"') {
                return Err(self.unexpected("a name in quotation marks"));
            }
            let (line, name) = (self.line, self.string()?);
            if !names.insert(name.clone()) {
                return Err(self.fault(format!("\"{name}\" is there twice in one map")));
            }
            self.blank();
            if !self.taken(":") {
                return Err(self.unexpected("':'"));
            }
            self.blank();
            let value = self.value(depth + 1)?;
            entries.push((Node { line, content: Content::Scalar { text: name, number: None } }, value));
            self.blank();
            if self.taken("}") {
                return Ok(Content::Map(entries));
            }
            if !self.taken(",") {
                return Err(self.unexpected("',' or '}'"));
            }
            self.blank();
        }
    }

    fn number(&mut self) -> Result<Content, ImportError> {
        for (written, number) in [("NaN", f64::NAN), ("Infinity", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY)] {
            if self.taken(written) {
                return Ok(Content::Scalar { text: written.to_owned(), number: Some(number) });
            }
        }
        let length =
            self.rest().bytes().take_while(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
        let text = &self.rest()[..length.count()];
        let number = text.parse::<f64>().map_err(|_| self.fault(format!("\"{text}\" is no number")))?;
        self.position += text.len();
        Ok(Content::Scalar { text: text.to_owned(), number: Some(number) })
    }

    fn string(&mut self) -> Result<String, ImportError> {
        self.position += 1;
        let mut text = String::new();
        loop {
            let Some(next) = self.rest().chars().next() else {
                return Err(self.unexpected("'\"'"));
            };
            match next {
                '"' => {
                    self.position += 1;
                    return Ok(text);
                }
                '\\' => {
                    self.position += 1;
                    text.push(self.escape()?);
                }
                control if control < ' ' => return Err(self.unexpected("'\"'")),
                _ => {
                    self.position += next.len_utf8();
                    text.push(next);
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, ImportError> {
        let Some(letter) = self.rest().chars().next() else { return Err(self.unexpected("an escape")) };
        let plain = match letter {
            '"' | '\\' | '/' => letter,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                self.position += 1;
                return self.unicode();
            }
            _ => return Err(self.fault(format!("\\{letter} is no escape"))),
        };
        self.position += 1;
        Ok(plain)
    }

    /// Four hexadecimal digits, or twice four where the character takes two UTF-16 units.
    fn unicode(&mut self) -> Result<char, ImportError> {
        let first = self.unit()?;
        let units = if (0xD800..0xDC00).contains(&first) && self.taken("\\u") {
            vec![first, self.unit()?]
        } else {
            vec![first]
        };
        match char::decode_utf16(units).collect::<Result<Vec<char>, _>>().as_deref() {
            Ok([character]) => Ok(*character),
            _ => Err(self.fault("half a character: \\ud800 to \\udfff come in pairs")),
        }
    }

    fn unit(&mut self) -> Result<u16, ImportError> {
        let digits = self.rest().get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let unit = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let unit = unit.ok_or_else(|| self.fault("\\u needs four hexadecimal digits"))?;
        self.position += 4;
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::import::document::{Content, Node};
    use proptest::prelude::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(parse("a.json", text).unwrap_err().to_string(), expected);
    }

    #[test]
    fn faults_are_told_with_their_place() {
        check("{\"a\": 1,\n \"b\" 2}", "a.json:2:6: no well-formed JSON: unexpected '2', ':' is missing");
        check("{\"a\": [1, 2", "a.json:1:12: no well-formed JSON: the file ends, ',' or ']' is missing");
        check("{\"a\": 1, \"a\": 2}", "a.json:1:13: no well-formed JSON: \"a\" is there twice in one map");
        check("{\"a\": 1-2}", "a.json:1:7: no well-formed JSON: \"1-2\" is no number");
        check("{} x", "a.json:1:4: no well-formed JSON: unexpected 'x' after the end of the document");
        check(
            r#"{"a": "\ud83d"}"#,
            "a.json:1:14: no well-formed JSON: half a character: \\ud800 to \\udfff come in pairs",
        );
        check(&"[".repeat(100_000), "a.json: the nesting of lists and maps is more than the reader's limit of 64");
    }

    #[test]
    fn infinities_are_read_as_python_writes_them() {
        let node = parse("a", "[-Infinity, NaN]").unwrap();
        let Content::List(entries) = node.content else { panic!("a list") };
        assert!(
            matches!(entries[0].content, Content::Scalar { number: Some(number), .. } if number == f64::NEG_INFINITY)
        );
        assert!(matches!(entries[1].content, Content::Scalar { number: Some(number), .. } if number.is_nan()));
    }

    fn document() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i32>().prop_map(Into::into),
            (-1e9..1e9).prop_map(|number: f64| number.into()),
            ".*".prop_map(serde_json::Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(serde_json::Value::from),
                proptest::collection::btree_map(".*", inner, 0..6)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    fn same(node: &Node, value: &serde_json::Value) -> bool {
        match (&node.content, value) {
            (Content::Null, serde_json::Value::Null) => true,
            (Content::Scalar { text, .. }, serde_json::Value::Bool(flag)) => *text == flag.to_string(),
            (Content::Scalar { number, .. }, serde_json::Value::Number(value)) => *number == value.as_f64(),
            (Content::Scalar { text, number: None }, serde_json::Value::String(value)) => text == value,
            (Content::List(nodes), serde_json::Value::Array(values)) => {
                nodes.len() == values.len() && nodes.iter().zip(values).all(|(node, value)| same(node, value))
            }
            (Content::Map(nodes), serde_json::Value::Object(values)) => {
                nodes.len() == values.len()
                    && nodes.iter().all(|(key, node)| {
                        key.text().and_then(|key| values.get(key)).is_some_and(|value| same(node, value))
                    })
            }
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn whatever_serde_json_writes_is_read_alike(value in document(), pretty: bool) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            prop_assert!(same(&parse("a", &text).unwrap(), &value), "{}", text);
        }

        #[test]
        fn what_serde_json_refuses_is_refused(text in "[\\[\\]{},:\"0-9a-z \\\\.-]{0,24}") {
            if parse("a", &text).is_ok() && !text.contains("\\u") {
                let strict: Result<serde_json::Value, _> = serde_json::from_str(&text);
                // Leading zeros and points are the one leniency: Rust's number parser is used.
                let number = text.contains(|character: char| character.is_ascii_digit());
                prop_assert!(strict.is_ok() || number, "{}", text);
            }
        }
    }
}
