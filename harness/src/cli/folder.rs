//! The folder that a run is played into: claimed, or gone on with.

use crate::crew::Ended;
use crate::failure::Failure;
use crate::journal::Reopened;
use crate::results;
use crate::run_directory::RunDirectory;
use crate::sitting::Sat;
use crate::terminal::tell;
use std::path::Path;
use zopa_reports::{Difference, Manifest};

/// The folder `out`, or the numbered one of `name` and `seed`: a new one, or that of the run to go on with.
pub(super) fn claim(out: Option<&Path>, resume: bool, name: &str, seed: u64) -> Result<RunDirectory, Failure> {
    match (out, resume) {
        (Some(path), true) => RunDirectory::resume(path),
        (None, true) => RunDirectory::resume(&RunDirectory::last_numbered(name, seed)?),
        (Some(path), false) => RunDirectory::create(path),
        (None, false) => RunDirectory::create_numbered(name, seed),
    }
}

/// Writes the run's header and inputs, or tests that this command is the one that began the run.
pub(super) fn begin(
    directory: &RunDirectory,
    manifest: Manifest,
    inputs: Vec<(String, Vec<u8>)>,
) -> Result<Manifest, Failure> {
    let found = directory.path().join("manifest.json").is_file();
    let manifest = if found {
        let begun = results::read_header(directory)?;
        let part = |manifest: &Manifest| manifest.part().to_string();
        let parts = (part(&begun) != part(&manifest)).then(|| Difference {
            field: "part",
            own: part(&begun),
            other: part(&manifest),
        });
        if let Some(difference) = begun.difference(&manifest).or(parts) {
            return Err(Failure::Input(format!(
                "{} cannot be resumed: its {} is {}, but this command has {}; give the arguments that it was begun with, or \
                 begin another run",
                directory.path().display(),
                difference.field,
                difference.own,
                difference.other
            )));
        }
        begun
    } else {
        results::write_json(directory, "manifest.json", &manifest)?;
        manifest
    };
    for (name, bytes) in inputs {
        directory.write(&format!("inputs/{name}"), &bytes)?;
    }
    Ok(manifest)
}

/// Tells what an interrupted run had already.
pub(super) fn say_what_was_there(found: Reopened) {
    let Reopened { records, cut } = found;
    if cut > 0 {
        tell(format_args!("zopa: note: the journal's last {cut} bytes were no whole record and were cut off"));
    }
    if records > 0 {
        let one = if records == 1 { "record was" } else { "records were" };
        tell(format_args!("zopa: note: {records} {one} there already"));
    }
}

/// What was played before something failed is kept: says how to go on.
pub(super) fn with_way_on(failure: Failure, directory: &RunDirectory) -> Failure {
    match failure {
        Failure::Infrastructure(message) => Failure::Infrastructure(format!(
            "{message}\nwhat was played is kept; once that is mended, go on with\n  {}",
            resume_command(std::env::args().skip(1), directory.path())
        )),
        other => other,
    }
}

/// The command that goes on with the run that these arguments began.
fn resume_command(arguments: impl Iterator<Item = String>, out: &Path) -> String {
    let mut arguments: Vec<String> = arguments.filter(|argument| argument != "--resume").collect();
    if !arguments.iter().any(|argument| argument == "--out" || argument.starts_with("--out=")) {
        arguments.extend(["--out".to_owned(), out.display().to_string()]);
    }
    arguments.push("--resume".to_owned());
    command_line(arguments)
}

/// The command of these arguments, as a shell takes it.
pub(super) fn command_line<T: AsRef<str>>(arguments: impl IntoIterator<Item = T>) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    let mut line = "zopa".to_owned();
    for argument in arguments {
        let argument = argument.as_ref();
        line.push(' ');
        if !argument.is_empty() && argument.chars().all(plain) {
            line.push_str(argument);
        } else {
            line.push_str(&format!("'{}'", argument.replace('\'', "'\\''")));
        }
    }
    line
}

/// Fails where a sitting was stopped before everything was played, and says how to go on.
///
/// # Errors
/// With exit code 130.
pub(super) fn require_ended(sat: &Sat, manifest: &Manifest, directory: &RunDirectory) -> Result<(), Failure> {
    if sat.ended == Ended::Done { Ok(()) } else { Err(stopped(sat.finished, manifest.records(), directory)) }
}

/// A run that was asked to stop, with how to go on.
pub(super) fn stopped(finished: u64, all: u64, directory: &RunDirectory) -> Failure {
    Failure::Interrupted(format!(
        "stopped after {finished} of {all} episodes, which are kept; go on with\n  {}",
        resume_command(std::env::args().skip(1), directory.path())
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_to_go_on_with_can_be_pasted_into_a_shell() {
        let check = |arguments: &[&str], expected: &str| {
            let arguments = arguments.iter().map(|&argument| argument.to_owned());
            assert_eq!(resume_command(arguments, Path::new("runs/a b")), expected);
        };
        check(&["run", "procurement-v1"], "zopa run procurement-v1 --out 'runs/a b' --resume");
        check(&["run", "--resume", "s", "--out=here"], "zopa run s --out=here --resume");
        check(&["run", "it's.toml", "--out", "$HOME"], "zopa run 'it'\\''s.toml' --out '$HOME' --resume");
    }
}
