//! The progress bar: on standard error, and silent where that is no terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// A bar over `length` episodes, hidden where standard error is no terminal.
#[must_use]
pub fn bar(length: u64) -> ProgressBar {
    let target =
        if std::io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    let style = "{msg:<18} [{bar:36}] {pos}/{len} episodes  {per_sec}  {eta} left";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

/// A bar over `length` parts of a training, hidden where standard error is no terminal; its message says how it goes.
#[must_use]
pub fn training_bar(length: u64) -> ProgressBar {
    let bar = bar(length);
    if let Ok(style) = ProgressStyle::with_template("[{bar:36}] {percent} %  {eta} left  {msg}") {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}
