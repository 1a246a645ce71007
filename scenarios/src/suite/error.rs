//! What can be wrong with a suite or with what is asked of it, in the words of whoever has to mend it.

use std::path::PathBuf;
use thiserror::Error;

/// Why a suite could not be had.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// The file could not be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is no TOML, or not a suite's.
    #[error("{file}:{line}:{column}: {field}{message}")]
    Syntax {
        /// The file as it was named.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// The field and a colon, or nothing where the text does not parse at all.
        field: String,
        /// What was wrong and, for a misspelt name, the nearest known one.
        message: String,
    },
    /// The file parses but a value makes no sense.
    #[error("{file}:{line}: {field}: {problem}; {remedy}")]
    Field {
        /// The file as it was named.
        file: String,
        /// Line, from 1.
        line: usize,
        /// The field's path, `counterparts[2].share`.
        field: String,
        /// What is wrong.
        problem: String,
        /// What to do.
        remedy: String,
    },
    /// No suite has this name.
    #[error("there is no suite \"{name}\"{}; `zopa suites` lists them, and a path to a .toml file works too", nearest_text(nearest.as_deref()))]
    UnknownSuite {
        /// What was asked for.
        name: String,
        /// The nearest name, where one is near.
        nearest: Option<String>,
    },
    /// The suite has no such split.
    #[error("suite {suite} has no split \"{name}\"; it has {known}")]
    UnknownSplit {
        /// The suite.
        suite: String,
        /// What was asked for.
        name: String,
        /// The splits that it has.
        known: String,
    },
    /// The suite has no such counterpart family.
    #[error("suite {suite} has no counterpart family \"{name}\"{}; it has {known}", nearest_text(nearest.as_deref()))]
    UnknownFamily {
        /// The suite.
        suite: String,
        /// What was asked for.
        name: String,
        /// The nearest name, where one is near.
        nearest: Option<String>,
        /// The families that it has.
        known: String,
    },
    /// A held-out family asked for in a split of training families.
    #[error("family \"{family}\" is held out and never met in split \"{split}\"; meet it in: {splits}")]
    HeldOut {
        /// The family.
        family: String,
        /// The split.
        split: String,
        /// The splits that meet held-out families.
        splits: String,
    },
    /// Another seed than the one whose failures were kept.
    #[error("{suite} is distilled from a run of seed {kept} and has no scenarios of seed {seed}: leave the seed out")]
    DistilledSeed {
        /// The suite.
        suite: String,
        /// The run's seed.
        kept: u64,
        /// What was asked for.
        seed: u64,
    },
    /// A seed that JSON readers would round.
    #[error("seed {seed} is too large: seeds lie below 2^53, so that every JSON reader keeps them exactly")]
    SeedTooLarge {
        /// The seed.
        seed: u64,
    },
}

fn nearest_text(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(" (did you mean \"{name}\"?)")).unwrap_or_default()
}

/// The known name that is nearest to `name`, where it is near enough to be a slip.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    known
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4)
        .min()
        .map(|(_, candidate)| candidate.to_owned())
}
