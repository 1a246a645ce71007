//! `answers.jsonl`: what a person wrote at the terminal, an episode a line, so that it can be played again without them.

use crate::failure::Failure;
use crate::run_directory::is_plain_file;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::fs::{File, OpenOptions};
use std::io::{BufReader, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use zopa_agents::human::{Console, Person};
use zopa_reports::record::{Line, read_line};

/// Its name in a run directory.
pub const FILE: &str = "answers.jsonl";

/// What a person wrote in an episode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answers {
    /// The episode.
    pub episode: u64,
    /// Line by line; null where the person had left.
    pub lines: Vec<Option<String>>,
}

/// Appends an episode's answers, in one write.
///
/// # Errors
/// Where it cannot be written.
pub fn append(path: &Path, answers: &Answers) -> Result<(), Failure> {
    let mut line = serde_json::to_vec(answers).map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
    line.push(b'\n');
    let file = OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(&line)).map_err(|fault| Failure::disk("write", path, &fault))
}

/// What a person wrote in each episode, an entry a question.
type ByEpisode = BTreeMap<u64, Vec<Option<String>>>;

/// The answers of a run by episode; `None` where it kept none. Of several lines of an episode, which a run leaves that was killed
/// between its answers and its record, the last counts.
///
/// # Errors
/// Where the file cannot be read, or a line before the last is wrong. A torn last line is passed over.
fn read(path: &Path) -> Result<Option<ByEpisode>, Failure> {
    let disk = |fault: std::io::Error| Failure::disk("read", path, &fault);
    if !is_plain_file(path)? {
        return Ok(None);
    }
    let (mut reader, mut text, mut number) = (BufReader::new(File::open(path).map_err(disk)?), Vec::new(), 0_u64);
    let mut found = BTreeMap::new();
    loop {
        number += 1;
        match read_line(&mut reader, &mut text).map_err(disk)? {
            Line::End | Line::Torn => return Ok(Some(found)),
            Line::TooLong => {
                return Err(Failure::Input(format!("{}: line {number} is longer than any answers", path.display())));
            }
            Line::Whole => {
                let Answers { episode, lines } = serde_json::from_slice(&text)
                    .map_err(|fault| Failure::Input(format!("{}: line {number}: {fault}", path.display())))?;
                found.insert(episode, lines);
            }
        }
    }
}

/// A person who writes again what was written, an episode at a time.
#[derive(Clone, Debug)]
pub struct Script {
    answers: Arc<ByEpisode>,
    left: Arc<Mutex<VecDeque<Option<String>>>>,
}

/// The script's side of a terminal.
struct Prompter(Arc<Mutex<VecDeque<Option<String>>>>);

impl Console for Prompter {
    fn show(&mut self, _: &str) {}

    fn ask(&mut self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front().flatten()
    }
}

impl Script {
    /// The script that a run kept; `None` where it kept none.
    ///
    /// # Errors
    /// As the file's reader.
    pub fn read(path: &Path) -> Result<Option<Self>, Failure> {
        Ok(read(path)?.map(|answers| Self { answers: Arc::new(answers), left: Arc::default() }))
    }

    /// The person whom agents are built with. Only one episode may be under way at a time.
    #[must_use]
    pub fn person(&self) -> Person {
        Person::new(Prompter(self.left.clone()))
    }

    /// Turns to an episode.
    ///
    /// # Errors
    /// Where nothing was kept of it.
    pub fn turn_to(&self, episode: u64) -> Result<(), Failure> {
        let Some(lines) = self.answers.get(&episode) else {
            return Err(Failure::Input(format!("{FILE} has no answers for episode {episode}")));
        };
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = lines.iter().cloned().collect();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_kept_is_written_again_and_a_torn_end_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE);
        assert!(Script::read(&path).unwrap().is_none());
        let lines = |lines: &[&str]| lines.iter().map(|&line| Some(line.to_owned())).collect::<Vec<_>>();
        append(&path, &Answers { episode: 3, lines: lines(&["pass"]) }).unwrap();
        append(&path, &Answers { episode: 3, lines: [lines(&["offer price=1 | \u{1b}[2J"]), vec![None]].concat() })
            .unwrap();
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, [&whole[..], b"{\"episode\":4,"].concat()).unwrap();
        let script = Script::read(&path).unwrap().expect("there is one");
        let mut prompter = Prompter(script.left.clone());
        script.turn_to(3).unwrap();
        assert_eq!(prompter.ask().as_deref(), Some("offer price=1 | \u{1b}[2J"));
        assert_eq!((prompter.ask(), prompter.ask()), (None, None));
        assert!(script.turn_to(4).unwrap_err().to_string().contains("no answers for episode 4"));
        std::fs::write(&path, b"{}\n").unwrap();
        assert!(Script::read(&path).unwrap_err().to_string().contains("line 1: "));
    }
}
