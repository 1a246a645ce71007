//! Where games come from: suite files, seeded generation, and readers of other projects' domains.

pub mod import;

pub use import::{Domain, DomainGame, DomainSource, ImportError, read_domain};
