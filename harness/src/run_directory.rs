//! The folder that a run leaves behind.

use crate::failure::Failure;
use std::fs;
use std::path::{Path, PathBuf};

/// A run's folder: `manifest.json`, `inputs/`, `episodes.jsonl`, `summary.json`, `timing.json` and `report/`.
#[derive(Clone, Debug)]
pub struct RunDirectory {
    path: PathBuf,
}

impl RunDirectory {
    /// Claims `path` for a new run. It may exist but must be empty: nothing is ever overwritten.
    ///
    /// # Errors
    /// Where it holds anything, is no folder, or cannot be made.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        match fs::read_dir(path) {
            Ok(mut entries) => {
                if entries.next().is_some() {
                    return Err(Failure::input(format!(
                        "output folder {} is not empty: name another with --out, or remove it",
                        path.display()
                    )));
                }
            }
            Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => {
                fs::create_dir_all(path).map_err(|fault| Failure::disk("create the output folder", path, &fault))?;
            }
            Err(fault) if fault.kind() == std::io::ErrorKind::NotADirectory => {
                return Err(Failure::input(format!("--out {} is a file: name a folder", path.display())));
            }
            Err(fault) => return Err(Failure::disk("read the output folder", path, &fault)),
        }
        Ok(Self { path: path.to_owned() })
    }

    /// Claims the first free one of `runs/NAME-seedSEED-1`, `-2`, ...
    ///
    /// # Errors
    /// Where the folder cannot be made.
    pub fn create_numbered(name: &str, seed: u64) -> Result<Self, Failure> {
        let root = Path::new("runs");
        fs::create_dir_all(root).map_err(|fault| Failure::disk("create the folder", root, &fault))?;
        for number in 1_u32.. {
            let path = root.join(format!("{name}-seed{seed}-{number}"));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self { path }),
                Err(fault) if fault.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(fault) => return Err(Failure::disk("create the output folder", &path, &fault)),
            }
        }
        Err(Failure::Infrastructure("every numbered run folder exists already: name one with --out".to_owned()))
    }

    /// Opens the folder of an earlier run.
    ///
    /// # Errors
    /// Where it has no manifest.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        if !path.join("manifest.json").is_file() {
            return Err(Failure::input(format!(
                "{} is no run directory: it has no manifest.json; `zopa run` makes one",
                path.display()
            )));
        }
        Ok(Self { path: path.to_owned() })
    }

    /// A folder of another kind that is there already, such as a training's.
    #[must_use]
    pub fn existing(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// The folder itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the records are.
    #[must_use]
    pub fn episodes(&self) -> PathBuf {
        self.path.join("episodes.jsonl")
    }

    /// Reads a file of the run.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, Failure> {
        let path = self.path.join(name);
        fs::read(&path).map_err(|fault| match fault.kind() {
            std::io::ErrorKind::NotFound => {
                Failure::input(format!("{} is missing: the run did not finish or was changed", path.display()))
            }
            _ => Failure::disk("read", &path, &fault),
        })
    }

    /// Writes a file whole: beside its place first, then renamed, so that nobody ever reads half of it.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.path.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|fault| Failure::disk("create the folder", folder, &fault))?;
        }
        let mut draft = path.clone().into_os_string();
        draft.push(".part");
        let draft = PathBuf::from(draft);
        fs::write(&draft, bytes)
            .and_then(|()| fs::rename(&draft, &path))
            .map_err(|fault| Failure::disk("write", &path, &fault))
    }

    /// The files of a folder of the run in byte order of their names, with their bytes.
    ///
    /// # Errors
    /// Where the folder or a file cannot be read.
    pub fn files(&self, folder: &str) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        let path = self.path.join(folder);
        let entries = fs::read_dir(&path).map_err(|fault| Failure::disk("read the folder", &path, &fault))?;
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|fault| Failure::disk("read the folder", &path, &fault))?;
            if entry.path().is_file() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        names.sort();
        names.into_iter().map(|name| Ok((name.clone(), self.read(&format!("{folder}/{name}"))?))).collect()
    }
}
