//! Drives the binary as a person would.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What a command did.
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Variables of the machine that would make a run speak to somebody.
const SPEAKING: [&str; 5] = [
    "LANGFUSE_PUBLIC_KEY",
    "LANGFUSE_SECRET_KEY",
    "LANGFUSE_HOST",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
];

/// Runs `zopa` with `arguments` in `folder`.
pub(crate) fn zopa(folder: &Path, arguments: &[&str]) -> Done {
    zopa_with(folder, arguments, &[])
}

/// As [`zopa`], with variables in its environment.
pub(crate) fn zopa_with(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Done {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zopa"));
    for name in SPEAKING {
        command.env_remove(name);
    }
    let output: Output = command
        .args(arguments)
        .envs(variables.iter().copied())
        .current_dir(folder)
        .output()
        .expect("the binary was built for this test");
    Done {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A domain of this project's own, in the format that most domains of the field have.
pub(crate) fn market() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios/tests/fixtures/import/market")
}

/// Copies the files of a folder, not the folders in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder for the copy");
    for entry in std::fs::read_dir(from).expect("the folder is there") {
        let path = entry.expect("its entries can be read").path();
        if path.is_dir() {
            continue;
        }
        std::fs::copy(&path, to.join(path.file_name().expect("a file has a name"))).expect("the file can be copied");
    }
}
