//! The journal of a run, `episodes.jsonl`: append-only, one record a line.
//!
//! Every line is handed to the system as soon as its episode is taken, in one write that nothing buffers: a process that is
//! killed leaves whole lines behind and at most one that is torn, which is cut when the journal is opened again.

use crate::failure::Failure;
use crate::run_directory::is_plain_file;
use std::fmt::Display;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use zopa_reports::EpisodeRecord;
use zopa_reports::record::{Line, read_line};

/// A journal that is being written. It is locked against a second writer as long as it is open.
pub struct Journal {
    file: Box<dyn Write + Send>,
    synchronise: Option<File>,
    path: PathBuf,
    lines: String,
}

impl Journal {
    /// Begins a journal.
    ///
    /// # Errors
    /// Where the file exists already or cannot be written.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        Self::locked(file.map_err(|fault| Failure::disk("create", path, &fault))?, path)
    }

    /// Opens the journal of an interrupted run, or begins one where there is none: cuts a torn last line and hands every
    /// record to `take`.
    ///
    /// # Errors
    /// Where another process writes it, a line before the last is no record or was changed, `take` fails, or the disk does.
    pub fn reopen(
        path: &Path,
        take: impl FnMut(EpisodeRecord) -> Result<(), Failure>,
    ) -> Result<(Self, Reopened), Failure> {
        Self::reopen_with(path, EpisodeRecord::from_bytes, take)
    }

    /// The same for a journal of other records: `parse` reads one from a line of that number, from 1.
    ///
    /// # Errors
    /// As [`Self::reopen`].
    pub fn reopen_with<T, E: Display>(
        path: &Path,
        parse: impl Fn(&[u8], u64) -> Result<T, E>,
        mut take: impl FnMut(T) -> Result<(), Failure>,
    ) -> Result<(Self, Reopened), Failure> {
        let disk = |fault: std::io::Error| Failure::disk("read", path, &fault);
        if !is_plain_file(path)? {
            return Ok((Self::create(path)?, Reopened::default()));
        }
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .map_err(|fault| Failure::disk("open", path, &fault))?;
        lock(&file, path)?;
        let (mut reader, mut whole, mut number, mut records) = (BufReader::new(&file), 0_u64, 0_u64, 0_u64);
        let mut text = Vec::new();
        loop {
            number += 1;
            let read = match read_line(&mut reader, &mut text).map_err(disk)? {
                Line::End | Line::Torn => break,
                Line::TooLong => Err(format!("line {number} is longer than any record")),
                Line::Whole if text.trim_ascii().is_empty() => {
                    whole += text.len() as u64 + 1;
                    continue;
                }
                Line::Whole => parse(&text, number).map_err(|fault| fault.to_string()),
            };
            match read {
                Ok(record) => {
                    take(record)?;
                    records += 1;
                    whole += text.len() as u64 + 1;
                }
                // What a failing machine left at the very end is torn as well, line's end or not.
                Err(_) if reader.fill_buf().map_err(disk)?.is_empty() => break,
                Err(fault) => {
                    return Err(Failure::Input(format!("{}: {fault}; it cannot be resumed", path.display())));
                }
            }
        }
        drop(reader);
        let end = file.seek(SeekFrom::End(0)).map_err(disk)?;
        if whole < end {
            file.set_len(whole).map_err(|fault| Failure::disk("cut the torn last line of", path, &fault))?;
            file.seek(SeekFrom::Start(whole)).map_err(disk)?;
        }
        let reopened = Reopened { records, cut: end - whole };
        Ok((Self::of(file, path)?, reopened))
    }

    fn locked(file: File, path: &Path) -> Result<Self, Failure> {
        lock(&file, path)?;
        Self::of(file, path)
    }

    fn of(file: File, path: &Path) -> Result<Self, Failure> {
        let synchronise = file.try_clone().map_err(|fault| Failure::disk("open", path, &fault))?;
        Ok(Self { file: Box::new(file), synchronise: Some(synchronise), path: path.to_owned(), lines: String::new() })
    }

    /// Appends records, a line each without its end, in one write.
    ///
    /// # Errors
    /// Where the disk is full or fails: what was written before stays, and the torn end is cut on resume.
    pub fn append<'a>(&mut self, lines: impl IntoIterator<Item = &'a str>) -> Result<(), Failure> {
        self.lines.clear();
        for line in lines {
            self.lines.push_str(line);
            self.lines.push('\n');
        }
        self.file.write_all(self.lines.as_bytes()).map_err(|fault| Failure::disk("write", &self.path, &fault))
    }

    /// Has the system put all that was written on its disk.
    ///
    /// # Errors
    /// Where the disk fails.
    pub fn synchronise(&mut self) -> Result<(), Failure> {
        match &self.synchronise {
            Some(file) => file.sync_data().map_err(|fault| Failure::disk("write", &self.path, &fault)),
            None => Ok(()),
        }
    }
}

/// What was found in a journal that was opened again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reopened {
    /// Records that stay.
    pub records: u64,
    /// Bytes of a torn last line that were cut.
    pub cut: u64,
}

fn lock(file: &File, path: &Path) -> Result<(), Failure> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            Err(Failure::Input(format!("another process is writing {}: let it end first", path.display())))
        }
        // Some network file systems have no locks; a run is worth more than the guard.
        Err(TryLockError::Error(_)) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zopa_envs::{Digest, EpisodeKey, Seat};

    fn record(index: u64) -> EpisodeRecord {
        let key = EpisodeKey {
            suite: "made-up".into(),
            version: 1,
            suite_digest: Digest::of_bytes(b"made-up"),
            split: "public".into(),
            seed: 7,
            index,
            seat: Seat::BOTH[(index % 2) as usize],
            opponent: "mix".into(),
            agent: "nash".into(),
            agent_version: 1,
            agent_options: "".into(),
            agent_seed: 7,
            repeat: 0,
            reward: "surplus".into(),
            authority: "default".into(),
        };
        EpisodeRecord::infra_error(key, "boulware".into(), "the server was away")
    }

    fn line(index: u64) -> String {
        record(index).to_line().unwrap() + "\n"
    }

    /// Opens a journal of these bytes: what was found, the indices of its records, and the bytes after one more was appended.
    fn reopened(bytes: &[u8]) -> Result<(Reopened, Vec<u64>, Vec<u8>), Failure> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("episodes.jsonl");
        std::fs::write(&path, bytes).unwrap();
        let mut found = Vec::new();
        let (mut journal, reopened) = Journal::reopen(&path, |record| {
            found.push(record.key.index);
            Ok(())
        })?;
        journal.append([line(9).trim_end()])?;
        Ok((reopened, found, std::fs::read(&path).unwrap()))
    }

    #[test]
    fn a_journal_cut_at_any_byte_keeps_its_whole_lines_and_goes_on_after_them() {
        let bytes = [line(0), line(1), line(2)].concat().into_bytes();
        for end in 0..=bytes.len() {
            let (whole, kept) = bytes[..end]
                .iter()
                .enumerate()
                .filter(|(_, byte)| **byte == b'\n')
                .fold((0, 0), |(_, lines), (position, _)| (position + 1, lines + 1));
            let (reopened, found, after) = reopened(&bytes[..end]).unwrap();
            assert_eq!((reopened.records, reopened.cut), (kept, (end - whole) as u64), "cut at {end}");
            assert_eq!(found, (0..kept).collect::<Vec<_>>());
            assert_eq!(after, [&bytes[..whole], line(9).as_bytes()].concat(), "cut at {end}");
        }
    }

    #[test]
    fn what_a_failing_machine_left_at_the_end_is_cut_with_its_line_end() {
        for tail in ["\0\0\0\0\n", "{\"schema\":1,\n", "\0\0\0"] {
            let (reopened, found, _) = reopened(format!("{}{tail}", line(0)).as_bytes()).unwrap();
            assert_eq!((reopened.cut, found), (tail.len() as u64, vec![0]), "{tail:?}");
        }
    }

    #[test]
    fn a_line_before_the_last_that_is_no_record_is_refused_by_its_number() {
        let fault = reopened(format!("{}torn\n{}", line(0), line(1)).as_bytes()).unwrap_err().to_string();
        assert!(fault.contains("line 2: ") && fault.ends_with("it cannot be resumed"), "{fault}");
    }

    #[test]
    fn a_journal_has_one_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("episodes.jsonl");
        let journal = Journal::create(&path).unwrap();
        let refused = Journal::reopen(&path, |_| Ok(())).err().map(|fault| fault.to_string()).unwrap_or_default();
        assert!(refused.contains("another process is writing"), "{refused}");
        drop(journal);
        assert!(Journal::reopen(&path, |_| Ok(())).is_ok());
        assert!(Journal::create(&path).is_err());
    }

    /// A disk with room for so many bytes.
    struct SmallDisk(usize);

    impl Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let written = bytes.len().min(self.0);
            self.0 -= written;
            if written == 0 && !bytes.is_empty() { Err(std::io::ErrorKind::StorageFull.into()) } else { Ok(written) }
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_an_infrastructure_failure_that_names_the_file() {
        let mut journal = Journal {
            file: Box::new(SmallDisk(40)),
            synchronise: None,
            path: "run/episodes.jsonl".into(),
            lines: String::new(),
        };
        journal.append(["0123456789"]).unwrap();
        let fault = journal.append(["0123456789", "0123456789", "0123456789"]).unwrap_err();
        assert!(matches!(fault, Failure::Infrastructure(_)));
        assert!(fault.to_string().starts_with("cannot write run/episodes.jsonl: "), "{fault}");
    }

    #[cfg(unix)]
    #[test]
    fn a_journal_that_is_a_link_is_refused_and_what_it_points_at_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (outside, path) = (folder.path().join("notes"), folder.path().join("episodes.jsonl"));
        for text in ["no line's end", "a line\n"] {
            std::fs::write(&outside, text).unwrap();
            let _ = std::fs::remove_file(&path);
            std::os::unix::fs::symlink(&outside, &path).unwrap();
            assert!(matches!(Journal::reopen(&path, |_| Ok(())), Err(Failure::Input(_))));
            assert_eq!(std::fs::read_to_string(&outside).unwrap(), text);
        }
    }
}
