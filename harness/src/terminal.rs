//! What people are told on standard error.

use std::fmt::Display;
use zopa_reports::plain_text::plain;

/// Tells `text` on a line of standard error, without what would steer the terminal: names and paths in it may come from command
/// lines, servers and other people's files. Nothing else writes there, but for the progress bar.
pub fn tell(text: impl Display) {
    eprintln!("{}", plain(&text.to_string()));
}
