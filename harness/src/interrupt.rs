//! Ctrl-C and the request to end: the first asks a run to stop after the episodes in progress, and says so; the second abandons
//! them at once.

use crate::failure::Failure;
use crate::terminal::tell;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The exit code of an interrupted run: 128 and the number of the signal of Ctrl-C, as shells expect it.
pub const EXIT_CODE: u8 = 130;

/// How soon a request is answered with words.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// From now on sets the flag that it returns at the first Ctrl-C or request to end, and exits at once at a second.
///
/// # Errors
/// Where the system does not allow it.
pub fn listen() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: the flag is not yet set when the first signal asks whether to exit.
        flag::register_conditional_shutdown(signal, i32::from(EXIT_CODE), stop.clone())
            .and_then(|_| flag::register(signal, stop.clone()))
            .map_err(|fault| Failure::Infrastructure(format!("cannot listen for Ctrl-C: {fault}")))?;
    }
    let asked = stop.clone();
    let say = move || {
        while !asked.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK_EVERY);
        }
        tell(
            "zopa: stopping after the episodes in progress; once more abandons them. Either way the same command with --resume goes on",
        );
    };
    // A signal's handler may not print. The thread ends with the program.
    std::thread::Builder::new()
        .name("interrupt".to_owned())
        .spawn(say)
        .map_err(|fault| Failure::Infrastructure(format!("cannot listen for Ctrl-C: {fault}")))?;
    Ok(stop)
}
