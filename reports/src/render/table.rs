//! Tables of text, laid out for each medium.

use crate::plain_text::plain;
use zopa_envs::message::accuracy;

/// How a cell is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    /// Does not take part in the ranking.
    Aside,
    Good,
    Bad,
}

#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) text: String,
    pub(super) tone: Tone,
}

impl Cell {
    pub(super) fn new(text: impl Into<String>, tone: Tone) -> Self {
        Self { text: text.into(), tone }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::new(text, Tone::Plain)
    }
}

/// A header and rows of as many cells; the first column names the row.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<Cell>>,
    /// Whether some figure in it rests on what the parser reads in messages: how rightly it reads then stands beside the table.
    of_speech: bool,
}

impl Table {
    pub(super) fn new(header: Vec<String>, rows: Vec<Vec<Cell>>) -> Self {
        Self { header, rows, of_speech: false }
    }

    /// The table, with a figure of speech in it or none.
    pub(super) fn with_speech(self, of_speech: bool) -> Self {
        Self { of_speech, ..self }
    }

    pub(super) fn is_of_speech(&self) -> bool {
        self.of_speech
    }

    /// Aligned columns under a header that is wrapped to the columns' width. A terminal shows several tables in one go: what has
    /// to stand beside tables of speech follows all of them, once.
    pub(super) fn terminal(&self) -> String {
        const LEAST: usize = 9;
        const MOST_OF_A_NAME: usize = 36;
        let texts: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| {
                let name = row.first().map(|cell| shortened(&cell.text, MOST_OF_A_NAME));
                name.into_iter().chain(row.iter().skip(1).map(|cell| cell.text.clone())).collect()
            })
            .collect();
        let widths: Vec<usize> = (0..self.header.len())
            .map(|column| {
                let cells = texts.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
                let words = self.header[column].split(' ').map(|word| word.chars().count()).max().unwrap_or(0);
                cells.max(words).max(LEAST)
            })
            .collect();
        let headers: Vec<Vec<String>> =
            self.header.iter().zip(&widths).map(|(title, &width)| wrapped(title, width)).collect();
        let height = headers.iter().map(Vec::len).max().unwrap_or(0);
        let mut text = String::new();
        let mut line = |cells: Vec<&str>| {
            let mut line = String::new();
            for (column, (cell, width)) in cells.iter().zip(&widths).enumerate() {
                let gap = " ".repeat(width - cell.chars().count());
                let (before, after) = if column == 0 { ("", gap.as_str()) } else { (gap.as_str(), "") };
                line.push_str(if column == 0 { "" } else { "  " });
                line.extend([before, cell, after]);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        };
        for row in 0..height {
            // Short headers sit at the bottom, next to their column.
            let part = |words: &Vec<String>| (row + words.len()).checked_sub(height).map(|index| words[index].clone());
            let parts: Vec<String> = headers.iter().map(|words| part(words).unwrap_or_default()).collect();
            line(parts.iter().map(String::as_str).collect());
        }
        let rules: Vec<String> = widths.iter().map(|&width| "\u{2500}".repeat(width)).collect();
        line(rules.iter().map(String::as_str).collect());
        for row in &texts {
            line(row.iter().map(String::as_str).collect());
        }
        text
    }

    /// A pipe table, and what has to stand beside it.
    pub(super) fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = line(self.header.iter().map(|title| escape_markdown(title)).collect());
        let rules = (0..self.header.len()).map(|column| if column == 0 { "---" } else { "---:" }.to_owned());
        text.push_str(&line(rules.collect()));
        for row in &self.rows {
            text.push_str(&line(row.iter().map(|cell| escape_markdown(&cell.text)).collect()));
        }
        if self.of_speech {
            text.push_str(&format!("\n{}\n", escape_markdown(&accuracy::stated())));
        }
        text
    }

    /// An HTML table in a box that scrolls sideways, and what has to stand beside it.
    pub(super) fn html(&self) -> String {
        let mut text = String::from("<div class=\"scroll\"><table>\n<thead><tr>");
        for title in &self.header {
            text.push_str(&format!("<th scope=\"col\">{}</th>", escape_html(title)));
        }
        text.push_str("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            text.push_str("<tr>");
            for (column, cell) in row.iter().enumerate() {
                let class = match cell.tone {
                    Tone::Plain => "",
                    Tone::Aside => " class=\"aside\"",
                    Tone::Good => " class=\"good\"",
                    Tone::Bad => " class=\"bad\"",
                };
                let content = escape_html(&cell.text);
                text.push_str(&match column {
                    0 => format!("<th scope=\"row\"{class}>{content}</th>"),
                    _ => format!("<td{class}>{content}</td>"),
                });
            }
            text.push_str("</tr>\n");
        }
        text.push_str("</tbody></table></div>\n");
        if self.of_speech {
            text.push_str(&format!("<p>{}</p>\n", escape_html(&accuracy::stated())));
        }
        text
    }
}

/// `text`, or its two ends around an ellipsis where it has more than `most` characters.
fn shortened(text: &str, most: usize) -> String {
    let characters: Vec<char> = text.chars().collect();
    if characters.len() <= most {
        return text.to_owned();
    }
    let (head, tail) = (most / 2, most - most / 2 - 1);
    let end = &characters[characters.len() - tail..];
    characters[..head].iter().chain(&['\u{2026}']).chain(end).collect()
}

/// The words of `text` in lines of at most `width` characters.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Text for Markdown, within tables and without.
pub(super) fn escape_markdown(text: &str) -> String {
    plain(text).replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;")
}

/// Text for HTML content and quoted attributes.
pub(super) fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in plain(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}
