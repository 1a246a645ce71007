//! `zopa recommend`

use super::{print, print_json};
use crate::failure::Failure;
use crate::named_file;
use crate::recommend;
use clap::Args;
use std::io::Read;
use std::path::PathBuf;

/// Recommends one decision for a stated negotiation: JSON in, JSON out.
#[derive(Debug, Args)]
pub(super) struct Recommend {
    /// The stated negotiation; standard input where it is left out
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Print the JSON schema of input and output
    #[arg(long, conflicts_with = "input")]
    schema: bool,
}

impl Recommend {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        if self.schema {
            return print(recommend::SCHEMA);
        }
        let mut text = String::new();
        match &self.input {
            Some(path) => {
                text = named_file::read_text("--input", path)?;
            }
            None => {
                std::io::stdin()
                    .read_to_string(&mut text)
                    .map_err(|fault| Failure::Input(format!("standard input: {fault}")))?;
            }
        }
        print_json(&recommend::recommend(&text)?)
    }
}
