//! Files that a user names on the command line.

use crate::failure::Failure;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The most bytes of one: a device or a wrong file would fill the memory.
const MOST_BYTES: u64 = 64 << 20;

/// The bytes of the file that `flag` named.
///
/// # Errors
/// Where it cannot be read or has more bytes than such a file can have, with the flag and the path.
pub fn read(flag: &str, path: &Path) -> Result<Vec<u8>, Failure> {
    let fault = |problem: String| Failure::Input(format!("{flag} {}: {problem}", path.display()));
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|cause| fault(cause.to_string()))?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|cause| fault(cause.to_string()))?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(fault(format!("it has more than {MOST_BYTES} bytes, which no such file has")));
    }
    Ok(bytes)
}

/// The same as text.
///
/// # Errors
/// As [`read`], or where it is not UTF-8.
pub fn read_text(flag: &str, path: &Path) -> Result<String, Failure> {
    String::from_utf8(read(flag, path)?)
        .map_err(|_| Failure::Input(format!("{flag} {}: it is not UTF-8 text", path.display())))
}
