//! `replies.jsonl`: the replies of models in a run, as they came, so that it can be played again without a server.

use crate::failure::Failure;
use crate::run_directory::is_plain_file;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use zopa_agents::model::{RecordedReply, Recorder, Recording};
use zopa_envs::Digest;

/// Its name in a run directory.
pub const FILE: &str = "replies.jsonl";

/// Bytes of a line at most: a reply of the client's own limit, every byte of it escaped.
const MOST_BYTES: u64 = 32 << 20;

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
    if !is_plain_file(path)? {
        return Ok((Vec::new(), 0));
    }
    let file = File::open(path).map_err(disk)?;
    let (mut reader, mut line, mut number, mut whole) = (BufReader::new(file), Vec::new(), 0_u64, 0_u64);
    let mut replies = Vec::new();
    loop {
        line.clear();
        number += 1;
        let length = reader.by_ref().take(MOST_BYTES).read_until(b'\n', &mut line).map_err(disk)?;
        if length as u64 == MOST_BYTES {
            return Err(Failure::Input(format!("{}: line {number} is longer than any reply", path.display())));
        }
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

/// Joins the replies of a run's parts, in their order, into `out`, so that the whole run plays again without a server; writes
/// nothing where no part has any. A request that several parts asked has one reply, or the runs were not parts of one.
///
/// # Errors
/// As [`read`], where two parts have another reply to the same request, or where it cannot be written.
pub fn join(out: &Path, parts: &[PathBuf]) -> Result<(), Failure> {
    let disk = |fault: std::io::Error| Failure::disk("write", out, &fault);
    let (mut file, mut known) = (None, BTreeMap::<Digest, Digest>::new());
    for part in parts {
        for recorded in read(part)? {
            let line = serde_json::to_string(&recorded).map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
            let content = Digest::of_bytes(line.as_bytes());
            match known.insert(recorded.request, content) {
                Some(earlier) if earlier == content => continue,
                Some(_) => {
                    return Err(Failure::Input(format!(
                        "{}: the request {} has another reply in a part before it, so that not both can be played again",
                        part.display(),
                        recorded.request
                    )));
                }
                None => {}
            }
            let file = match &mut file {
                Some(file) => file,
                None => file.insert(BufWriter::new(File::create_new(out).map_err(disk)?)),
            };
            writeln!(file, "{line}").map_err(disk)?;
        }
    }
    file.map_or(Ok(()), |mut file| file.flush().map_err(disk))
}

#[cfg(test)]
mod tests {
    use super::{join, read, resume};
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
    #[test]
    fn parts_are_joined_in_order_and_a_request_keeps_one_reply() {
        let folder = tempfile::tempdir().unwrap();
        let place = |name: &str| folder.path().join(name);
        let reply = |content: &str| Reply {
            content: content.to_owned(),
            finish: Finish::Stop,
            tokens: Tokens { prompt: 3, completion: 1 },
        };
        let request = |name: &str| Digest::of_bytes(name.as_bytes());
        let part = |name: &str, replies: &[(&str, &str)]| {
            let recording = resume(&place(name)).unwrap();
            for (asked, said) in replies {
                recording.record(request(asked), &reply(said)).unwrap();
            }
            place(name)
        };
        let first = part("first", &[("1", "a"), ("2", "b")]);
        let second = part("second", &[("2", "b"), ("3", "c")]);
        join(&place("all"), &[first.clone(), place("none"), second]).unwrap();
        let found: Vec<_> = read(&place("all")).unwrap().into_iter().map(|recorded| recorded.reply.content).collect();
        assert_eq!(found, ["a", "b", "c"]);
        let other = part("other", &[("1", "z")]);
        let refused = join(&place("mixed"), &[first, other]).unwrap_err().to_string();
        assert!(refused.contains("has another reply in a part before it"), "{refused}");
        join(&place("empty"), &[place("none")]).unwrap();
        assert!(!place("empty").exists());
    }
}
