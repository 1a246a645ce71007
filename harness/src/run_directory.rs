//! The folder that a run leaves behind.
//!
//! It may come from someone else, so nothing in it is followed or trusted: links, devices and pipes are refused, sizes are
//! bounded, and what is written replaces a file and never writes through it.

use crate::failure::Failure;
use std::fs;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};
use zopa_reports::{EpisodeRecord, read_records};

/// The most bytes of a file that is read whole; the journal is read line by line instead.
const MOST_BYTES: u64 = 256 << 20;

/// The most files of a folder that is read whole.
const MOST_FILES: usize = 10_000;

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
                    if path.join("manifest.json").is_file() && !path.join("summary.json").exists() {
                        return Err(Failure::input(format!(
                            "output folder {} holds a run that did not finish: go on with it by --resume, or name another",
                            path.display()
                        )));
                    }
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

    /// The last of `runs/NAME-seedSEED-1`, `-2`, ..., which is where a run without a named folder was interrupted.
    ///
    /// # Errors
    /// Where there is none.
    pub fn last_numbered(name: &str, seed: u64) -> Result<PathBuf, Failure> {
        let place = |number: u32| Path::new("runs").join(format!("{name}-seed{seed}-{number}"));
        (1..).map(place).take_while(|path| path.exists()).last().ok_or_else(|| {
            Failure::Input(format!("there is no {} to go on with: name the run by --out", place(1).display()))
        })
    }

    /// Opens the folder of a run to go on with: one that was interrupted before it had its manifest is claimed anew.
    ///
    /// # Errors
    /// Where it holds something else, is no folder, or cannot be made.
    pub fn resume(path: &Path) -> Result<Self, Failure> {
        if path.join("manifest.json").is_file() {
            return Self::open(path);
        }
        let draft = path.join("manifest.json.part");
        if draft.is_file() {
            fs::remove_file(&draft).map_err(|fault| Failure::disk("remove", &draft, &fault))?;
        }
        Self::create(path)
    }

    /// Opens the folder of an earlier run.
    ///
    /// # Errors
    /// Where it has no manifest.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        if !is_plain_file(&path.join("manifest.json"))? {
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

    /// The journal, opened to be read, with its path.
    ///
    /// # Errors
    /// Where there is none, or it is no plain file or cannot be opened.
    pub fn journal(&self) -> Result<(PathBuf, fs::File), Failure> {
        let path = self.regular_file("episodes.jsonl")?;
        let file = fs::File::open(&path).map_err(|fault| Failure::disk("open", &path, &fault))?;
        Ok((path, file))
    }

    /// The run's records in the journal's order, one in memory at a time.
    ///
    /// # Errors
    /// As [`Self::journal`]; an item is an error where its line is no record.
    pub fn records(&self) -> Result<impl Iterator<Item = Result<EpisodeRecord, Failure>> + use<>, Failure> {
        let (path, file) = self.journal()?;
        let located = move |fault| Failure::Input(format!("{}: {fault}", path.display()));
        Ok(read_records(BufReader::new(file)).map(move |record| record.map_err(&located)))
    }

    /// The path of a file of the run, which must be a plain file.
    ///
    /// # Errors
    /// Where it is missing, or a link, a folder or a device.
    pub fn regular_file(&self, name: &str) -> Result<PathBuf, Failure> {
        let path = self.path.join(name);
        if is_plain_file(&path)? {
            return Ok(path);
        }
        Err(Failure::Input(format!("{} is missing: the run did not finish or was changed", path.display())))
    }

    /// The path of a folder of the run, which must be a plain folder where it is there.
    ///
    /// # Errors
    /// Where it is a link or no folder.
    pub fn folder(&self, name: &str) -> Result<PathBuf, Failure> {
        let path = self.path.join(name);
        match fs::symlink_metadata(&path) {
            Ok(found) if !found.is_dir() => Err(not_plain(&path, "folder")),
            _ => Ok(path),
        }
    }

    /// Reads a file of the run.
    ///
    /// # Errors
    /// Where it cannot be read, is no plain file, or is larger than such a file can be.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, Failure> {
        let path = self.regular_file(name)?;
        let disk = |fault: std::io::Error| Failure::disk("read", &path, &fault);
        let bytes = fs::metadata(&path).map_err(disk)?.len();
        if bytes > MOST_BYTES {
            return Err(Failure::Input(format!(
                "{} has {bytes} bytes, more than the {MOST_BYTES} that a run writes",
                path.display()
            )));
        }
        fs::read(&path).map_err(disk)
    }

    /// Writes a file whole: beside its place first, then renamed, so that nobody ever reads half of it.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.path.join(name);
        let inner = Path::new(name).parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = inner {
            let folder = self.folder(&folder.to_string_lossy())?;
            fs::create_dir_all(&folder).map_err(|fault| Failure::disk("create the folder", &folder, &fault))?;
        }
        let mut draft = path.clone().into_os_string();
        draft.push(".part");
        let draft = PathBuf::from(draft);
        let written = match fs::remove_file(&draft) {
            Err(fault) if fault.kind() != std::io::ErrorKind::NotFound => Err(fault),
            _ => fs::File::create_new(&draft)
                .and_then(|mut file| file.write_all(bytes))
                .and_then(|()| fs::rename(&draft, &path)),
        };
        written.map_err(|fault| {
            // Half a draft is of no use to anybody; a full disk has room for other things without it.
            let _ = fs::remove_file(&draft);
            Failure::disk("write", &path, &fault)
        })
    }

    /// The plain files of a folder of the run in byte order of their names, with their bytes; folders in it are passed over.
    ///
    /// # Errors
    /// Where the folder or a file cannot be read, is a link or no plain file, or there are too many.
    pub fn files(&self, folder: &str) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        let path = self.folder(folder)?;
        let disk = |fault: std::io::Error| match fault.kind() {
            std::io::ErrorKind::NotFound => {
                Failure::Input(format!("{} is missing: the run was changed after it was played", path.display()))
            }
            _ => Failure::disk("read the folder", &path, &fault),
        };
        let mut names = Vec::new();
        for entry in fs::read_dir(&path).map_err(disk)? {
            let entry = entry.map_err(disk)?;
            if !entry.file_type().map_err(disk)?.is_dir() {
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
            if names.len() > MOST_FILES {
                return Err(Failure::Input(format!("{} has more than {MOST_FILES} files", path.display())));
            }
        }
        names.sort();
        let (mut files, mut total) = (Vec::new(), 0);
        for name in names {
            let bytes = self.read(&format!("{folder}/{name}"))?;
            total += bytes.len() as u64;
            if total > MOST_BYTES {
                return Err(Failure::Input(format!("{} has more than {MOST_BYTES} bytes", path.display())));
            }
            files.push((name, bytes));
        }
        Ok(files)
    }
}

/// Whether a file of a run is there. It is looked at before anybody opens it: through a link a file elsewhere would be read, cut
/// or written, and to open a pipe would wait for ever.
///
/// # Errors
/// Where it is a link, a folder, a pipe or a device, or cannot be looked at.
pub fn is_plain_file(path: &Path) -> Result<bool, Failure> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Ok(true),
        Ok(_) => Err(not_plain(path, "file")),
        Err(fault) if matches!(fault.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            Ok(false)
        }
        Err(fault) => Err(Failure::disk("read", path, &fault)),
    }
}

fn not_plain(path: &Path, what: &str) -> Failure {
    Failure::Input(format!("{} is a link or no plain {what}: nothing in a run directory is", path.display()))
}
