//! What a run leaves behind: records, scores with their intervals, gates, and the pages and pictures that show them.
//!
//! This crate runs no negotiation. It reads what was recorded, so a report can be drawn again from a run directory
//! at any time, and the same records give the same bytes whatever their order and the number of threads. Wall-clock
//! figures live in [`Timing`] alone.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod aggregation;
pub mod assignment;
pub mod compare;
mod compliance;
pub mod filter;
#[cfg(test)]
mod fixture;
pub mod gate;
pub mod manifest;
pub mod plain_text;
pub mod plots;
pub mod record;
pub mod render;
pub mod score;
pub mod statistics;
pub mod summary;
pub mod timing;
pub mod tournament;
pub mod trade_record;

pub use aggregation::{Aggregation, AggregationError, Change};
pub use assignment::Assignment;
pub use filter::{Filter, FilterError};
pub use gate::{Bound, Direction, Gate, GateResult, GateScore, Threshold};
pub use manifest::{AgentEntry, Difference, Host, InputFile, Manifest, Shard, Standing};
pub use record::{EpisodeRecord, EpisodeResult, Played, RecordError, read_records};
pub use render::{Report, ReportError};
pub use score::{Score, Unit};
pub use summary::{AgentSummary, AttainableShare, Breakdown, Comparison, Summary};
pub use timing::{AgentTiming, Timing, TimingRecorder};
pub use trade_record::{TradeRecord, TradeRecordError, read_trade_records};
