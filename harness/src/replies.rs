//! `replies.jsonl`: the replies of models in a run, as they came, so that it can be played again without a server.

use crate::failure::Failure;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use zopa_agents::model::{RecordedReply, Recorder, Recording};

/// Its name in a run directory.
pub const FILE: &str = "replies.jsonl";

/// Appends replies to a file, a line each in one write.
struct ReplyFile(Mutex<File>);

impl Recorder for ReplyFile {
    fn record(&self, recorded: &RecordedReply) -> Result<(), String> {
        let fault = |fault: &dyn std::fmt::Display| format!("the reply could not be recorded: {fault}");
        let mut line = serde_json::to_vec(recorded).map_err(|error| fault(&error))?;
        line.push(b'\n');
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line).map_err(|error| fault(&error))
    }
}

/// The replies of a run; none where it asked no model.
///
/// # Errors
/// Where the file cannot be read, or a line before the last is no reply. A torn last line is passed over.
pub fn read(path: &Path) -> Result<Vec<RecordedReply>, Failure> {
    Ok(read_whole(path)?.0)
}

/// The replies and the bytes of their lines.
fn read_whole(path: &Path) -> Result<(Vec<RecordedReply>, u64), Failure> {
    let disk = |fault: std::io::Error| Failure::disk("read", path, &fault);
    let file = match File::open(path) {
        Err(fault) if fault.kind() == ErrorKind::NotFound => return Ok((Vec::new(), 0)),
        other => other.map_err(disk)?,
    };
    let (mut reader, mut line, mut number, mut whole) = (BufReader::new(file), Vec::new(), 0_u64, 0_u64);
    let mut replies = Vec::new();
    loop {
        line.clear();
        number += 1;
        let length = reader.read_until(b'\n', &mut line).map_err(disk)?;
        if length == 0 || line.last() != Some(&b'\n') {
            return Ok((replies, whole));
        }
        let read = serde_json::from_slice(&line)
            .map_err(|fault| Failure::Input(format!("{}: line {number}: {fault}", path.display())))?;
        replies.push(read);
        whole += length as u64;
    }
}

/// The recording of a run: what `path` holds already, and new replies appended to it behind its last whole line.
///
/// # Errors
/// As [`read`], or where it cannot be written.
pub fn resume(path: &Path) -> Result<Recording, Failure> {
    let (known, whole) = read_whole(path)?;
    let disk = |fault: std::io::Error| Failure::disk("write", path, &fault);
    let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(disk)?;
    file.set_len(whole).and_then(|()| file.seek(SeekFrom::End(0))).map_err(disk)?;
    Ok(Recording::new(known, Some(Box::new(ReplyFile(Mutex::new(file))))))
}

#[cfg(test)]
mod tests {
    use super::{read, resume};
    use zopa_agents::model::{Finish, Reply, Tokens};
    use zopa_envs::Digest;

    #[test]
    fn a_recording_goes_on_behind_its_last_whole_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("replies.jsonl");
        assert!(read(&path).unwrap().is_empty());
        let reply = |content: &str| Reply {
            content: content.to_owned(),
            finish: Finish::Stop,
            tokens: Tokens { prompt: 3, completion: 1 },
        };
        let (first, second) = (Digest::of_bytes(b"1"), Digest::of_bytes(b"2"));
        resume(&path).unwrap().record(first, &reply("a\nb")).unwrap();
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, [&whole[..], b"{\"request\":\"ab"].concat()).unwrap();
        let recording = resume(&path).unwrap();
        assert_eq!((recording.find(&first), recording.len()), (Some(reply("a\nb")), 1));
        recording.record(second, &reply("c")).unwrap();
        let found: Vec<_> =
            read(&path).unwrap().into_iter().map(|recorded| (recorded.request, recorded.reply)).collect();
        assert_eq!(found, [(first, reply("a\nb")), (second, reply("c"))]);
        std::fs::write(&path, b"{}\n").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("line 1: "));
    }
}
