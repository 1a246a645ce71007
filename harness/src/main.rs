//! The `zopa` command.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

use clap::Parser;
use std::process::ExitCode;
use zopa_harness::cli::Command;
use zopa_harness::terminal::tell;

/// Several times faster than the system's allocator for the learners' large batches.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let command = match Command::try_parse() {
        Ok(command) => command,
        Err(fault) => {
            // Help and version print to standard output and are no fault.
            if fault.use_stderr() {
                tell(fault.render().to_string().trim_end());
                return ExitCode::from(2);
            }
            return if fault.print().is_ok() { ExitCode::SUCCESS } else { ExitCode::from(3) };
        }
    };
    match command.execute() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            tell(format_args!("zopa: {failure}"));
            failure.exit_code()
        }
    }
}
