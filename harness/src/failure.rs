//! How a command fails, and the exit codes of all of them.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

/// Why a command did not do what was asked.
///
/// Exit codes: 0 done, 1 a gate failed (`gate`, `run --gate`) or a replayed record differs, 2 wrong usage or bad input,
/// 3 infrastructure failed, 130 interrupted.
#[derive(Debug)]
pub enum Failure {
    /// The command line or an input is wrong: the message says what, where and what to do.
    Input(String),
    /// Everything was done, and a gate was missed or a record did not replay.
    Missed(String),
    /// A disk, a network or a server failed.
    Infrastructure(String),
    /// A person or the system asked it to stop: what was done is kept, and the message says how to go on.
    Interrupted(String),
}

impl Failure {
    /// A fault of the command line or an input.
    pub fn input(fault: impl fmt::Display) -> Self {
        Self::Input(fault.to_string())
    }

    /// A file or folder that could not be read or written.
    pub fn disk(what: &str, path: &Path, fault: &std::io::Error) -> Self {
        Self::Infrastructure(format!("cannot {what} {}: {fault}", path.display()))
    }

    /// The process's exit code.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Missed(_) => 1,
            Self::Input(_) => 2,
            Self::Infrastructure(_) => 3,
            Self::Interrupted(_) => crate::interrupt::EXIT_CODE,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(message)
            | Self::Missed(message)
            | Self::Infrastructure(message)
            | Self::Interrupted(message) => f.write_str(message),
        }
    }
}
