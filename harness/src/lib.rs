//! Runs, gates, compares and replays negotiations; the `zopa` command is built on it.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod alert;
pub mod answers;
pub mod arena;
pub mod audit;
pub mod cli;
pub mod comparison;
pub mod crew;
pub mod export;
pub mod failure;
pub mod gates;
pub mod humans;
pub mod interrupt;
pub mod journal;
pub mod latency;
pub mod merge;
pub mod named_file;
pub mod nearest;
pub mod progress;
pub mod recommend;
pub mod replies;
pub mod results;
pub mod run_directory;
pub mod run_records;
pub mod runner;
pub mod serving;
pub mod sitting;
pub mod terminal;
pub mod tournament;
pub mod trace;
pub mod trade;
pub mod training;
pub mod validity;
pub mod watching;
pub mod witness;

pub use failure::Failure;
