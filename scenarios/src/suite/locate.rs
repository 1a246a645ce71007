//! From a field's path to its line in the file, and back.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Line and column, both from 1, of a byte offset.
pub(super) fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..floor_char_boundary(text, offset)];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

fn floor_char_boundary(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// The byte offset of the field at `path` (`counterparts[2].share`), or of the deepest part of it that is there.
pub(super) fn offset_of(text: &str, path: &str) -> usize {
    let Ok(document) = DeTable::parse(text) else { return 0 };
    let mut offset = 0;
    let mut table: Option<&DeTable<'_>> = Some(document.get_ref());
    for part in path.split('.') {
        let (name, positions) = part.split_once('[').map_or((part, None), |(name, rest)| (name, Some(rest)));
        let Some((key, value)) = table.and_then(|table| table.iter().find(|(key, _)| key.get_ref() == name)) else {
            break;
        };
        offset = key.span().start;
        let mut value = value;
        for position in positions.into_iter().flat_map(|rest| rest.split('[')) {
            let position = position.trim_end_matches(']').parse::<usize>().ok();
            match position.and_then(|position| value.get_ref().as_array()?.get(position)) {
                Some(element) => {
                    value = element;
                    offset = element.span().start;
                }
                None => return offset,
            }
        }
        table = value.get_ref().as_table();
    }
    offset
}

/// The path of the field whose key or value is the last to start at or before the byte `offset`; empty at the top.
pub(super) fn path_at(text: &str, offset: usize) -> String {
    let Ok(document) = DeTable::parse(text) else { return String::new() };
    let mut nearest = (0, String::new());
    walk(document.get_ref(), "", &mut |start, path| {
        if start <= offset && start >= nearest.0 {
            nearest = (start, path.to_owned());
        }
    });
    nearest.1
}

fn walk(table: &DeTable<'_>, path: &str, visit: &mut impl FnMut(usize, &str)) {
    for (key, value) in table {
        let path = if path.is_empty() { key.get_ref().to_string() } else { format!("{path}.{}", key.get_ref()) };
        visit(key.span().start, &path);
        walk_value(value, &path, visit);
    }
}

fn walk_value(value: &Spanned<DeValue<'_>>, path: &str, visit: &mut impl FnMut(usize, &str)) {
    visit(value.span().start, path);
    match value.get_ref() {
        DeValue::Table(table) => walk(table, path, visit),
        DeValue::Array(elements) => {
            for (position, element) in elements.iter().enumerate() {
                walk_value(element, &format!("{path}[{position}]"), visit);
            }
        }
        _ => {}
    }
}
