//! `zopa import`

use super::print;
use crate::arena::imported;
use crate::failure::Failure;
use crate::terminal::tell;
use clap::Args;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use zopa_scenarios::Suite;

/// Makes a suite file of a domain folder: `zopa run` plays it as it plays the folder itself.
#[derive(Debug, Args)]
pub(super) struct Import {
    /// The folder with the domain and its profiles
    folder: PathBuf,
    /// The suite file to write; it must not be there yet
    #[arg(long, value_name = "SUITE")]
    out: PathBuf,
    /// The two profiles that negotiate, by file name, the first as buyer
    #[arg(long, value_delimiter = ',', num_args = 1, value_name = "A,B")]
    profiles: Option<Vec<String>>,
    /// Hold agents to the default guardrails; off where it is left out, since their caps were chosen for money
    #[arg(long)]
    guardrails: bool,
}

impl Import {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let out = self.out.display();
        if self.out.extension().is_none_or(|extension| extension != "toml") {
            return Err(Failure::Input(format!("--out {out}: `zopa run` takes files that end in .toml")));
        }
        let profiles = super::run::profile_pair(self.profiles.as_deref())?;
        let made = imported(&self.folder, profiles, self.guardrails)?;
        // Whatever is written can be played: names that no suite can hold are refused here and not by the next command.
        Suite::parse(&out.to_string(), &made.suite).map_err(Failure::input)?;
        for notice in &made.notices {
            tell(format_args!("zopa: note: {notice}"));
        }
        let mut file =
            OpenOptions::new().write(true).create_new(true).open(&self.out).map_err(|fault| match fault.kind() {
                std::io::ErrorKind::AlreadyExists => {
                    Failure::Input(format!("--out {out} is there already: name another file, or remove it"))
                }
                _ => Failure::disk("write", &self.out, &fault),
            })?;
        file.write_all(made.suite.as_bytes()).map_err(|fault| Failure::disk("write", &self.out, &fault))?;
        print(&format!("{out}\n"))
    }
}
