use std::io::{BufRead, Read};

use super::{EpisodeRecord, RecordError};

/// More bytes than a record can have: messages are cut, rounds and tries are bounded. A longer line is never held in memory.
pub const MAX_LINE_BYTES: usize = 64 << 20;

/// What stood where a line was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// A line that had its end, which is left out.
    Whole,
    /// The journal's last line, without an end.
    Torn,
    /// More than [`MAX_LINE_BYTES`] without a line's end.
    TooLong,
    /// Nothing: the journal is over.
    End,
}

/// Reads the next line into `text`, which is emptied first.
///
/// # Errors
/// What the system says.
pub fn read_line(journal: &mut impl BufRead, text: &mut Vec<u8>) -> std::io::Result<Line> {
    text.clear();
    journal.take(MAX_LINE_BYTES as u64 + 1).read_until(b'\n', text)?;
    Ok(match text.last() {
        None => Line::End,
        Some(b'\n') => {
            text.pop();
            Line::Whole
        }
        Some(_) if text.len() > MAX_LINE_BYTES => Line::TooLong,
        Some(_) => Line::Torn,
    })
}

/// The records of a journal, one a line; blank lines are passed over. A line that cannot be read is the last item: a
/// directory or a failing disk would give the same error for ever.
pub fn read_records(mut journal: impl BufRead) -> impl Iterator<Item = Result<EpisodeRecord, RecordError>> {
    let (mut line, mut text, mut over) = (0, Vec::new(), false);
    std::iter::from_fn(move || {
        while !over {
            line += 1;
            let read = read_line(&mut journal, &mut text);
            over = !matches!(read, Ok(Line::Whole));
            match read {
                Ok(Line::Whole | Line::Torn) if text.trim_ascii().is_empty() => {}
                Ok(Line::Whole) => return Some(EpisodeRecord::from_bytes(&text, line)),
                Ok(Line::Torn) => {
                    return Some(EpisodeRecord::from_bytes(&text, line).map_err(|fault| match fault {
                        RecordError::Json { .. } => RecordError::Torn { line },
                        other => other,
                    }));
                }
                Ok(Line::TooLong) => return Some(Err(RecordError::TooLong { line })),
                Ok(Line::End) => {}
                Err(source) => return Some(Err(RecordError::Read { line, source })),
            }
        }
        None
    })
}
