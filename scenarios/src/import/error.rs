//! What can be wrong with a domain folder.

use std::fmt;
use thiserror::Error;

/// Why a folder could not be read as a domain. Files are named relative to the folder.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The folder cannot be listed.
    #[error("{folder}: cannot be read as a folder: {source}")]
    Folder {
        /// The folder as given.
        folder: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file in the folder cannot be read.
    #[error("{file}: cannot be read: {source}")]
    Unreadable {
        /// The file's name.
        file: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is not well-formed.
    #[error("{file}:{line}:{column}: {reason}")]
    Syntax {
        /// The file's name.
        file: String,
        /// Line, from 1.
        line: u32,
        /// Column in characters, from 1.
        column: u32,
        /// What is wrong and what to do.
        reason: String,
    },
    /// A well-formed file says something that has no meaning here.
    #[error("{file}:{line}: {field}: {reason}")]
    Content {
        /// The file's name.
        file: String,
        /// Line, from 1.
        line: u32,
        /// What the fault is in: `issue "Price", value "$4.37", evaluation`.
        field: String,
        /// What is wrong and what to do.
        reason: String,
    },
    /// A file asks for more than a reader spends on files that it does not trust.
    #[error("{file}: {what} is more than the reader's limit of {limit}")]
    Limit {
        /// The file's name.
        file: String,
        /// What there is too much of, with its amount.
        what: String,
        /// The most that is read.
        limit: u64,
    },
    /// No file describes a domain.
    #[error(
        "{folder}: no domain file: a GENIUS negotiation_template, a GeniusWeb profile or a NegMAS outcome space is needed\
         {}", Listed(.notices)
    )]
    NoDomain {
        /// The folder as given.
        folder: String,
        /// What was passed over.
        notices: Vec<String>,
    },
    /// Two files describe a domain.
    #[error("{folder}: \"{first}\" and \"{second}\" both describe a domain: keep one domain a folder")]
    TwoDomains {
        /// The folder as given.
        folder: String,
        /// The first in byte order.
        first: String,
        /// The second.
        second: String,
    },
    /// Fewer than two profiles.
    #[error("{folder}: {} of the two profiles that a negotiation needs{}{}", Count(.found), Listed(.found), Listed(.notices))]
    TooFewProfiles {
        /// The folder as given.
        folder: String,
        /// The profiles that are there.
        found: Vec<String>,
        /// What was passed over.
        notices: Vec<String>,
    },
    /// A profile that was asked for is not there.
    #[error("{folder}: no profile \"{wanted}\"{}; there are: {}", Nearest(.nearest), .there.join(", "))]
    NoSuchProfile {
        /// The folder as given.
        folder: String,
        /// The name as given.
        wanted: String,
        /// The profiles that are there.
        there: Vec<String>,
        /// The one whose name is most like it.
        nearest: Option<String>,
    },
    /// One profile was asked for twice.
    #[error("{folder}: profile \"{wanted}\" is asked for twice: name two different ones")]
    SameProfile {
        /// The folder as given.
        folder: String,
        /// The name as given.
        wanted: String,
    },
}

struct Count<'a>(&'a [String]);

impl fmt::Display for Count<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "none" } else { "only one" })
    }
}

struct Listed<'a>(&'a [String]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { Ok(()) } else { write!(f, " ({})", self.0.join("; ")) }
    }
}

struct Nearest<'a>(&'a Option<String>);

impl fmt::Display for Nearest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |nearest| write!(f, " (did you mean \"{nearest}\"?)"))
    }
}
