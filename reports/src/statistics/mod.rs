//! Intervals, paired comparisons and quantiles over the scenarios of a run.
//!
//! A **cluster** is one scenario with all episodes played on it: both seats, all repeats, all agents. Episodes of a
//! scenario share its types and its counterpart, so they are not independent; resampling whole scenarios keeps that
//! dependence inside each draw (Davison and Hinkley 1997, section 3.8). Suites sample the counterpart's family for each
//! seat, so the mix of families is part of what is uncertain and scenarios are drawn from **one stratum**. Only where a
//! run fixes the mix - both seats of every scenario meet the same family - and no family has fewer than ten scenarios
//! is each family drawn from apart.
//!
//! Every result is a pure function of its input and of a fixed seed. Replicates run in parallel, each on a ChaCha
//! stream of its own and with a fixed order of summation, so neither the thread count nor the host changes a bit.

mod beta;
mod bootstrap;
mod clopper_pearson;
mod estimate;
mod holm;
mod improvement;
mod latency;
mod misreading;
mod paired;
mod power;
mod quantile;
mod ratio;
mod strata;
mod unpaired;

pub use bootstrap::{Bootstrap, percentile_interval};
pub use clopper_pearson::clopper_pearson;
pub use estimate::Estimate;
pub use holm::holm;
pub use improvement::{improvement_column, won};
pub use latency::{LatencyHistogram, LatencyQuantiles};
pub use paired::PairedDifference;
pub use power::{PowerNote, standard_normal_quantile};
pub use quantile::{WeightedSample, nearest_rank};
pub use ratio::{ColumnKind, RatioColumn, StatisticsError};
pub use strata::Strata;
pub use unpaired::unpaired_difference;

/// The confidence level of every reported interval.
pub const CONFIDENCE: f64 = 0.95;
/// Bootstrap replicates of a reported interval.
pub const REPLICATES: u32 = 2_000;
