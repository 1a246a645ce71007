//! The files of a domain folder.

use super::error::ImportError;
use super::limits::{MOST_BYTES, MOST_FILES};
use super::text::first_character;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use zopa_envs::digest::Digest;

/// A file that a domain was read from, kept so that a run can be replayed when the folder is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainFile {
    /// Its name in the folder.
    pub name: String,
    /// What it held.
    pub bytes: Arc<[u8]>,
}

impl DomainFile {
    /// SHA-256 of the bytes, as `sha256sum` prints it.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of_bytes(&self.bytes)
    }
}

/// How much of a file is looked at before deciding whether to read it at all.
const HEAD: u64 = 4096;

/// A file that may belong to a domain.
pub(super) struct Candidate {
    pub(super) file: DomainFile,
    /// Its size, where only its head was read because it is larger than any domain file may be.
    pub(super) oversized: Option<u64>,
}

impl Candidate {
    /// A file whose bytes are there already.
    pub(super) fn in_memory(file: DomainFile) -> Self {
        let size = file.bytes.len() as u64;
        Self { file, oversized: (size > MOST_BYTES).then_some(size) }
    }

    /// The first character that is no white space.
    pub(super) fn first_character(&self) -> Option<u8> {
        first_character(&self.file.bytes)
    }

    /// # Errors
    /// Where the file is too large to be read.
    pub(super) fn within_limit(&self) -> Result<(), ImportError> {
        self.oversized.map_or(Ok(()), |size| {
            Err(ImportError::Limit { file: self.file.name.clone(), what: format!("{size} bytes"), limit: MOST_BYTES })
        })
    }
}

/// The regular files of `folder` in byte order of their names; hidden ones are left out.
pub(super) fn candidates(folder: &Path) -> Result<Vec<Candidate>, ImportError> {
    let shown = folder.display().to_string();
    let unlisted = |source| ImportError::Folder { folder: shown.clone(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unlisted)? {
        let path = entry.map_err(unlisted)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_file() && !name.starts_with('.') {
            paths.push((name, path));
        }
        if paths.len() > MOST_FILES {
            let what = format!("more than {MOST_FILES} files");
            return Err(ImportError::Limit { file: shown, what, limit: MOST_FILES as u64 });
        }
    }
    paths.sort();
    paths.into_iter().map(|(name, path)| candidate(name, &path)).collect()
}

fn candidate(name: String, path: &Path) -> Result<Candidate, ImportError> {
    let unreadable = |source| ImportError::Unreadable { file: name.clone(), source };
    let file = File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    let oversized = (size > MOST_BYTES).then_some(size);
    let mut bytes = Vec::new();
    // The file may grow while it is read; what is beyond the limit is never taken in.
    let most = if oversized.is_some() { HEAD } else { MOST_BYTES };
    file.take(most).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(Candidate { file: DomainFile { name, bytes: bytes.into() }, oversized })
}
