//! YAML, by the events of a parser: nothing is built before its cost is known.

use super::{Content, Node, Spending};
use crate::import::error::ImportError;
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError};
use std::collections::BTreeMap;

/// Parses the first document of `text`, the content of `file`. Aliases are expanded; tags are not obeyed, so nothing that a
/// file names is ever run.
pub(in crate::import) fn parse(file: &str, text: &str) -> Result<Node, ImportError> {
    let mut parser = Parser::new_from_str(text);
    let mut spending = Spending::of(file);
    let mut anchors: BTreeMap<usize, Node> = BTreeMap::new();
    let mut open: Vec<Open> = Vec::new();
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| syntax(file, &error))?;
        let line = u32::try_from(span.start.line()).unwrap_or(u32::MAX);
        let depth = open.len() as u32;
        let (anchor, node) = match event {
            Event::Scalar(text, style, anchor, _) => {
                spending.take(1, depth)?;
                let plain = style == ScalarStyle::Plain;
                let content = match &*text {
                    "" | "~" | "null" | "Null" | "NULL" if plain => Content::Null,
                    _ => Content::Scalar { number: if plain { number(&text) } else { None }, text: text.into_owned() },
                };
                (anchor, Node { line, content })
            }
            Event::Alias(anchor) => {
                let Some(node) = anchors.get(&anchor) else {
                    let reason = "no well-formed YAML: an alias stands inside what it names".to_owned();
                    let column = span.start.col() as u32 + 1;
                    return Err(ImportError::Syntax { file: file.to_owned(), line, column, reason });
                };
                spending.take(node.size(), depth + node.depth())?;
                (0, node.clone())
            }
            Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) => {
                spending.take(1, depth + 1)?;
                open.push(Open { anchor, line, map: matches!(event, Event::MappingStart(..)), nodes: Vec::new() });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(closed) = open.pop() else { continue };
                (closed.anchor, closed.node(file)?)
            }
            Event::DocumentEnd | Event::StreamEnd => break,
            Event::Nothing | Event::StreamStart | Event::DocumentStart(_) => continue,
        };
        if anchor > 0 {
            spending.take(node.size(), 0)?;
            anchors.insert(anchor, node.clone());
        }
        match open.last_mut() {
            Some(parent) => parent.nodes.push(node),
            None => return Ok(node),
        }
    }
    Ok(Node { line: 1, content: Content::Null })
}

fn syntax(file: &str, error: &ScanError) -> ImportError {
    let place = error.marker();
    let at = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let reason = format!("no well-formed YAML: {}", error.info());
    ImportError::Syntax {
        file: file.to_owned(),
        line: at(place.line()),
        column: at(place.col()).saturating_add(1),
        reason,
    }
}

/// A list or map that is not complete yet; keys and values of a map alternate.
struct Open {
    anchor: usize,
    line: u32,
    map: bool,
    nodes: Vec<Node>,
}

impl Open {
    fn node(self, file: &str) -> Result<Node, ImportError> {
        let line = self.line;
        if !self.map {
            return Ok(Node { line, content: Content::List(self.nodes) });
        }
        let mut entries = Vec::with_capacity(self.nodes.len() / 2);
        let mut names = std::collections::BTreeSet::new();
        let mut nodes = self.nodes.into_iter();
        while let (Some(key), Some(value)) = (nodes.next(), nodes.next()) {
            if let Some(name) = key.text()
                && !names.insert(name.to_owned())
            {
                let reason = format!("no well-formed YAML: \"{name}\" is there twice in one map");
                return Err(ImportError::Syntax { file: file.to_owned(), line: key.line, column: 1, reason });
            }
            entries.push((key, value));
        }
        Ok(Node { line, content: Content::Map(entries) })
    }
}

/// The number that a plain scalar is, by YAML's core schema.
fn number(text: &str) -> Option<f64> {
    match text {
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => return Some(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return Some(f64::NEG_INFINITY),
        ".nan" | ".NaN" | ".NAN" => return Some(f64::NAN),
        _ => {}
    }
    // Rust also reads "inf", "nan" and "infinity", which are text here.
    let digits = text.trim_start_matches(['+', '-']);
    if digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::import::document::{Content, Place};

    #[test]
    fn what_pyyaml_writes_is_read() {
        let text = "a: &id001\n- 1\n- -.inf\nb: *id001\nc: {10: '10', x: ~}\nd: \"\\xE9\"\n? - p\n  - q\n: 0.5\n";
        let node = parse("a.yml", text).unwrap();
        let top = Place::top("a.yml", &node);
        assert_eq!(top.get("b").unwrap().node.content, top.get("a").unwrap().node.content);
        assert_eq!(
            top.get("a").unwrap().list().unwrap()[1].number().unwrap_err().to_string(),
            "a.yml:3: a.[1]: \"-.inf\" is no finite number: write one such as 0.25"
        );
        assert_eq!(top.get("c").unwrap().entries().unwrap()[0].0, "10");
        assert!(top.get("c").unwrap().get("x").is_none());
        assert_eq!(top.get("d").unwrap().text().unwrap(), "é");
        let Content::Map(entries) = &node.content else { panic!("a map") };
        assert!(matches!(entries[4].0.content, Content::List(_)));
    }

    #[test]
    fn faults_are_told_with_their_place() {
        let check = |text: &str, expected: &str| {
            let found = parse("a.yml", text).unwrap_err().to_string();
            assert!(found.starts_with(expected), "{found}");
        };
        check("a: 1\na: 2\n", "a.yml:2:1: no well-formed YAML: \"a\" is there twice in one map");
        check("a: [1, 2\n", "a.yml:");
        check("a: &b [*b]\n", "a.yml:1:8: no well-formed YAML");
        check(&"- ".repeat(5_000), "a.yml: the nesting of lists and maps is more than the reader's limit of 64");
        check(&"[".repeat(50_000), "a.yml:1:");
    }

    #[test]
    fn aliases_cannot_multiply_without_end() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let inside = vec![format!("*a{}", level - 1); 10].join(", ");
            text.push_str(&format!("a{level}: &a{level} [{inside}]\n"));
        }
        assert_eq!(
            parse("a.yml", &text).unwrap_err().to_string(),
            "a.yml: the number of nodes is more than the reader's limit of 2000000"
        );
    }
}
