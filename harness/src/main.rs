//! The `zopa` command.
fn main() {}
