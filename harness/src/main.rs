//! The `zopa` command.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

use clap::Parser;
use std::process::ExitCode;
use zopa_harness::cli::Command;
use zopa_reports::plain_text::plain;

/// Several times faster than the system's allocator for the learners' large batches.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let command = match Command::try_parse() {
        Ok(command) => command,
        Err(fault) => {
            // Help and version print to standard output and are no fault.
            let code = if fault.use_stderr() { 2 } else { 0 };
            return match fault.print() {
                Ok(()) => ExitCode::from(code),
                Err(_) => ExitCode::from(3),
            };
        }
    };
    match command.execute() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("zopa: {}", plain(&failure.to_string()));
            failure.exit_code()
        }
    }
}
