//! Where games come from: suite files, seeded generation, and readers of other projects' domains.
//!
//! A [`Suite`] is read from a TOML file, checked once, and then makes [`SuiteSource`]s: seeded sequences of scenarios.
//! A [`Domain`] is read from a folder of another project's files and becomes a suite file. Nothing here knows an agent.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod bilateral_trade;
pub mod casino;
pub mod import;
pub mod relationship_text;
pub mod render;
pub mod suite;
pub mod survey;

pub use import::{Analysis, Domain, DomainGame, ImportError, read_domain};
pub use relationship_text::render_relationship;
pub use render::render;
pub use suite::error::SuiteError;
pub use suite::source::{Opponent, SourceOptions, SuiteSource};
pub use suite::{Family, Suite};
pub use survey::{Spread, Survey, Zone, difficulty_cutoffs};
