//! JSON and YAML documents as one tree that knows its lines.

pub(super) mod json;
pub(super) mod yaml;

use super::error::ImportError;
use super::limits::{DEEPEST, MOST_NODES};
use std::fmt;

/// A value somewhere in a document.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// Line, from 1.
    pub(super) line: u32,
    pub(super) content: Content,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Content {
    Null,
    /// A scalar: its text, and its number where it is written as one.
    Scalar {
        text: String,
        number: Option<f64>,
    },
    List(Vec<Node>),
    /// Keys in the order of the file; YAML allows lists as keys.
    Map(Vec<(Node, Node)>),
}

/// Counts what a document costs while it is read.
pub(super) struct Spending<'a> {
    file: &'a str,
    nodes: u32,
}

impl<'a> Spending<'a> {
    pub(super) fn of(file: &'a str) -> Self {
        Self { file, nodes: 0 }
    }

    /// # Errors
    /// Where the document has more nodes or is deeper than a domain may be.
    pub(super) fn take(&mut self, nodes: u32, depth: u32) -> Result<(), ImportError> {
        self.nodes = self.nodes.saturating_add(nodes);
        let limit = |what: &str, limit: u32| {
            Err(ImportError::Limit { file: self.file.to_owned(), what: what.to_owned(), limit: limit.into() })
        };
        if depth > DEEPEST {
            return limit("the nesting of lists and maps", DEEPEST);
        }
        if self.nodes > MOST_NODES { limit("the number of nodes", MOST_NODES) } else { Ok(()) }
    }
}

/// A node, the file that it is in and the way to it, for messages.
#[derive(Clone)]
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    pub(super) node: &'a Node,
    path: String,
}

impl<'a> Place<'a> {
    /// The top of a document.
    pub(super) fn top(file: &'a str, node: &'a Node) -> Self {
        Self { file, node, path: String::new() }
    }

    /// An error about this node.
    pub(super) fn fault(&self, reason: impl fmt::Display) -> ImportError {
        let field = if self.path.is_empty() { "document".to_owned() } else { self.path.clone() };
        ImportError::Content { file: self.file.to_owned(), line: self.node.line, field, reason: reason.to_string() }
    }

    fn at(&self, name: &str, node: &'a Node) -> Self {
        let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        Self { file: self.file, node, path }
    }

    /// The value under `key`; `None` where it is missing or null, or this is no map.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        let Content::Map(entries) = &self.node.content else { return None };
        let (_, node) = entries.iter().find(|(name, _)| name.text() == Some(key))?;
        (node.content != Content::Null).then(|| self.at(key, node))
    }

    /// The value under `key`, which must be there.
    pub(super) fn required(&self, key: &str) -> Result<Self, ImportError> {
        self.get(key).ok_or_else(|| self.fault(format!("has no \"{key}\": it is needed here")))
    }

    /// The entries of a map by the text of their keys.
    pub(super) fn entries(&self) -> Result<Vec<(&'a str, Self)>, ImportError> {
        let Content::Map(entries) = &self.node.content else { return Err(self.fault("is no map of names to values")) };
        let entry = |(key, node): &'a (Node, Node)| {
            let key = key.text().ok_or_else(|| self.at("key", key).fault("is no plain name"))?;
            Ok((key, self.at(&format!("\"{key}\""), node)))
        };
        entries.iter().map(entry).collect()
    }

    /// The entries of a list.
    pub(super) fn list(&self) -> Result<Vec<Self>, ImportError> {
        let Content::List(entries) = &self.node.content else { return Err(self.fault("is no list")) };
        Ok(entries.iter().enumerate().map(|(at, node)| self.at(&format!("[{at}]"), node)).collect())
    }

    /// The text of a scalar, numbers as written.
    pub(super) fn text(&self) -> Result<&'a str, ImportError> {
        self.node.text().ok_or_else(|| self.fault("is no text"))
    }

    /// A finite number; GeniusWeb also writes numbers as text.
    pub(super) fn number(&self) -> Result<f64, ImportError> {
        let Content::Scalar { text, number } = &self.node.content else { return Err(self.fault("is no number")) };
        let number = number.or_else(|| text.trim().parse().ok());
        number
            .filter(|number| number.is_finite())
            .ok_or_else(|| self.fault(format!("\"{text}\" is no finite number: write one such as 0.25")))
    }

    /// The number under `key`, or `default` where there is none.
    pub(super) fn number_or(&self, key: &str, default: f64) -> Result<f64, ImportError> {
        self.get(key).map_or(Ok(default), |place| place.number())
    }

    /// An integer.
    pub(super) fn integer(&self) -> Result<i64, ImportError> {
        let number = self.number()?;
        // Beyond 2^53 a double no longer tells neighbours apart.
        if number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0 {
            Ok(number as i64)
        } else {
            Err(self.fault(format!("{number} is no integer")))
        }
    }
}

impl Node {
    /// The text of a scalar.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// How many nodes this is, itself included.
    pub(super) fn size(&self) -> u32 {
        match &self.content {
            Content::Null | Content::Scalar { .. } => 1,
            Content::List(entries) => 1 + entries.iter().map(Self::size).sum::<u32>(),
            Content::Map(entries) => 1 + entries.iter().map(|(key, value)| key.size() + value.size()).sum::<u32>(),
        }
    }

    /// How deep it nests; 0 for a scalar.
    pub(super) fn depth(&self) -> u32 {
        match &self.content {
            Content::Null | Content::Scalar { .. } => 0,
            Content::List(entries) => 1 + entries.iter().map(Self::depth).max().unwrap_or(0),
            Content::Map(entries) => {
                1 + entries.iter().map(|(key, value)| key.depth().max(value.depth())).max().unwrap_or(0)
            }
        }
    }
}
