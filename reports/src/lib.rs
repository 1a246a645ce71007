//! What a run leaves behind: the statistics of its scores, and the pictures and pages that show them.
//!
//! This crate runs no negotiation. It reads what was recorded, so a report can be drawn again from a run directory
//! at any time, and the same records give the same bytes whatever the number of threads.

pub mod plots;
pub mod statistics;
