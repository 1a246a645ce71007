//! GENIUS files as XML trees, with what is needed to say where a fault is.

use crate::import::error::ImportError;
use crate::import::limits::{DEEPEST, MOST_ATTRIBUTES, MOST_NODES};
use roxmltree::{Document, Error, Node, ParsingOptions};

/// Parses `text`, the content of `file`.
pub(in crate::import) fn parse<'a>(file: &str, text: &'a str) -> Result<Document<'a>, ImportError> {
    let limit = |what: &str, limit: u32| ImportError::Limit {
        file: file.to_owned(),
        what: what.to_owned(),
        limit: limit.into(),
    };
    match scan(text) {
        Some(Excess::Depth) => return Err(limit("the nesting of elements", DEEPEST)),
        Some(Excess::Attributes) => return Err(limit("the number of attributes of an element", MOST_ATTRIBUTES)),
        None => {}
    }
    let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| match error {
        Error::NodesLimitReached => limit("the number of nodes", MOST_NODES),
        error => {
            let place = error.pos();
            let mut reason = error.to_string();
            if let Some(at) = reason.rfind(" at ") {
                reason.truncate(at);
            }
            let (line, column) = match error {
                // Where a file is cut off, what is missing is missing at its end.
                Error::UnclosedRootNode | Error::UnexpectedEndOfStream | Error::NoRootNode => end_of(text),
                _ => (place.row, place.col),
            };
            if matches!(error, Error::DtdDetected) {
                reason.push_str(" (entity declarations are not read: write the values out)");
            }
            ImportError::Syntax { file: file.to_owned(), line, column, reason: format!("no well-formed XML: {reason}") }
        }
    })
}

fn end_of(text: &str) -> (u32, u32) {
    let line = text.bytes().filter(|&byte| byte == b'\n').count() as u32 + 1;
    let column = text.rsplit('\n').next().map_or(0, |last| last.chars().count()) as u32 + 1;
    (line, column)
}

enum Excess {
    Depth,
    Attributes,
}

/// Looks for nesting or attributes that would cost the parser more than a domain is worth. What is malformed may be
/// misjudged here, which only means that it is refused for another reason.
fn scan(text: &str) -> Option<Excess> {
    let mut rest = text;
    let mut depth = 0_u32;
    while let Some(start) = rest.find('<') {
        rest = &rest[start..];
        let skip =
            [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")].into_iter().find(|(open, _)| rest.starts_with(open));
        if let Some((open, close)) = skip {
            let inside = &rest[open.len()..];
            rest = inside.find(close).map_or("", |end| &inside[end + close.len()..]);
            continue;
        }
        let (length, attributes) = tag(rest);
        if attributes > MOST_ATTRIBUTES {
            return Some(Excess::Attributes);
        }
        if rest.starts_with("</") {
            depth = depth.saturating_sub(1);
        } else if !rest[..length].ends_with("/>") {
            depth += 1;
        }
        if depth > DEEPEST {
            return Some(Excess::Depth);
        }
        rest = &rest[length..];
    }
    None
}

/// The length in bytes and the number of attributes of the tag at the start of `text`.
fn tag(text: &str) -> (usize, u32) {
    let (mut quote, mut attributes) = (None, 0);
    for (position, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'=') => attributes += 1,
            (None, b'>') => return (position + 1, attributes),
            _ => {}
        }
    }
    (text.len(), attributes)
}

/// An element of a file.
#[derive(Clone, Copy)]
pub(in crate::import) struct Element<'a> {
    pub(in crate::import) file: &'a str,
    pub(in crate::import) node: Node<'a, 'a>,
}

impl<'a> Element<'a> {
    pub(in crate::import) fn name(&self) -> &'a str {
        self.node.tag_name().name()
    }

    /// The elements inside that have this name.
    pub(in crate::import) fn children(self, name: &'a str) -> impl Iterator<Item = Self> {
        let file = self.file;
        self.node.children().filter(move |node| node.has_tag_name(name)).map(move |node| Self { file, node })
    }

    pub(in crate::import) fn child(self, name: &'a str) -> Option<Self> {
        self.children(name).next()
    }

    /// The elements of this name at any depth below, in the order of the file.
    pub(in crate::import) fn descendants(self, name: &'a str) -> impl Iterator<Item = Self> {
        let file = self.file;
        self.node.descendants().filter(move |node| node.has_tag_name(name)).map(move |node| Self { file, node })
    }

    pub(in crate::import) fn attribute(&self, name: &str) -> Option<&'a str> {
        self.node.attribute(name)
    }

    /// An error about `field`, at this element's line.
    pub(in crate::import) fn fault(&self, field: impl Into<String>, reason: impl Into<String>) -> ImportError {
        let line = self.node.document().text_pos_at(self.node.range().start).row;
        ImportError::Content { file: self.file.to_owned(), line, field: field.into(), reason: reason.into() }
    }

    /// The attribute `name`, which must be there; `of` says what it belongs to.
    pub(in crate::import) fn required(&self, name: &str, of: &str) -> Result<&'a str, ImportError> {
        self.attribute(name)
            .ok_or_else(|| self.fault(of, format!("<{}> has no attribute \"{name}\": it is needed here", self.name())))
    }

    /// The attribute `name` as a finite number.
    pub(in crate::import) fn number(&self, name: &str, of: &str) -> Result<f64, ImportError> {
        let text = self.required(name, of)?;
        // Java writes doubles with an optional suffix, and Rust reads "inf" and "nan": only finite numbers are meant.
        text.trim().parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(|| {
            self.fault(format!("{of}, {name}"), format!("\"{text}\" is no finite number: write one such as 0.25"))
        })
    }

    /// The attribute `name` as an integer.
    pub(in crate::import) fn integer(&self, name: &str, of: &str) -> Result<i64, ImportError> {
        let text = self.required(name, of)?;
        text.trim()
            .parse::<i64>()
            .map_err(|_| self.fault(format!("{of}, {name}"), format!("\"{text}\" is no integer: write one such as 3")))
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    fn check(text: &str, expected: &str) {
        assert_eq!(parse("a.xml", text).unwrap_err().to_string(), expected);
    }

    #[test]
    fn a_cut_off_file_is_refused_at_its_end() {
        check("<a>\n  <b/>\n", "a.xml:3:1: no well-formed XML: the root node was opened but never closed");
        check("<a>\n  <b x='1", "a.xml:2:10: no well-formed XML: unexpected end of stream");
    }

    #[test]
    fn nesting_attributes_and_entities_are_limited() {
        let deep = "<a>".repeat(200_000) + &"</a>".repeat(200_000);
        check(&deep, "a.xml: the nesting of elements is more than the reader's limit of 64");
        let wide: String = (0..200).map(|index| format!(" a{index}='>'")).collect();
        check(
            &format!("<a{wide}/>"),
            "a.xml: the number of attributes of an element is more than the reader's limit of 64",
        );
        let entity = "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>";
        assert!(parse("a.xml", entity).unwrap_err().to_string().contains("entity declarations are not read"));
    }

    #[test]
    fn comments_and_quoted_brackets_do_not_count_as_nesting() {
        let text = format!(
            "<?xml version='1.0'?><!-- {} --><a b='{}'><![CDATA[{}]]></a>",
            "<a>".repeat(99),
            "&lt;>".repeat(99),
            "<a>".repeat(99)
        );
        assert!(parse("a.xml", &text).is_ok());
    }
}
