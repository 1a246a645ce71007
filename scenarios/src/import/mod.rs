//! Readers of other projects' domains: a folder with one domain and two or more profiles becomes a [`Domain`].
//!
//! The format is told by content, never by a file's name: GENIUS XML, GeniusWeb JSON, and NegMAS YAML or JSON. A file that
//! is none of these is passed over with a notice; one that is and is broken is an error with file, line and field. Files
//! are untrusted: see [`limits`].
//!
//! Issues keep [`zopa_envs::IssueRole::Other`] whatever their names say: a label such as "$4.37" is no price until a
//! person says so, and nothing imported is turned into money.

mod analysis;
mod axis;
mod document;
mod documents;
mod domain;
mod error;
mod file;
mod frontier_search;
mod genius;
mod geniusweb;
pub mod limits;
mod negmas;
mod preferences;
mod selection;
mod suite_file;
mod table;
mod text;

pub use analysis::{Analysis, MOST_ENUMERATED, OutcomeCount};
pub use axis::REAL_STEPS;
pub use domain::{Domain, Profile};
pub use error::ImportError;
pub use file::DomainFile;
pub use suite_file::{DEFAULT_ROUNDS, DomainGame};

use file::Candidate;
use std::path::Path;

/// Reads the domain in `folder`. `profiles` names the two profile files (extension optional) that negotiate, the first as
/// buyer; without it they are the first two in byte order of their names.
///
/// # Errors
/// Whatever [`ImportError`] lists: no domain or too few profiles, files that are broken, belong to another domain, hold
/// numbers that are none, or ask for more than the [`limits`].
pub fn read_domain(folder: &Path, profiles: Option<[&str; 2]>) -> Result<Domain, ImportError> {
    // `..` and `.` have no name of their own.
    let named = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = named.file_name().map_or_else(|| "domain".to_owned(), |name| name.to_string_lossy().into_owned());
    read(&name, &folder.display().to_string(), &file::candidates(folder)?, profiles)
}

/// Reads a domain from files in memory, such as those that a run keeps.
///
/// # Errors
/// As [`read_domain`].
pub fn read_domain_files(name: &str, files: &[DomainFile], profiles: Option<[&str; 2]>) -> Result<Domain, ImportError> {
    let mut candidates: Vec<Candidate> = files.iter().map(|file| Candidate::in_memory(file.clone())).collect();
    candidates.sort_by(|a, b| a.file.name.cmp(&b.file.name));
    read(name, name, &candidates, profiles)
}

fn read(name: &str, folder: &str, files: &[Candidate], profiles: Option<[&str; 2]>) -> Result<Domain, ImportError> {
    let (markup, rest): (Vec<&Candidate>, Vec<&Candidate>) =
        files.iter().partition(|candidate| candidate.first_character() == Some(b'<'));
    for candidate in &markup {
        candidate.within_limit()?;
    }
    let markup: Vec<&DomainFile> = markup.iter().map(|candidate| &candidate.file).collect();
    if let Some(read) = genius::read(folder, &markup, profiles)? {
        let strays = rest.iter().map(|candidate| stray(&candidate.file));
        let notices = strays.chain(read.notices).collect();
        let files = read.files.map(|at| markup[at].clone());
        return Ok(Domain::of(name, read.space, files, read.preferences, notices));
    }
    let read = documents::read(folder, &rest, profiles)?;
    let notices = markup.into_iter().map(stray).chain(read.notices).collect();
    let files = read.files.map(|at| rest[at].file.clone());
    Ok(Domain::of(name, read.space, files, read.preferences, notices))
}

fn stray(file: &DomainFile) -> String {
    format!("passed over stray file {}", file.name)
}
