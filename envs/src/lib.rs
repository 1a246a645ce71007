//! The game itself: issues, offers, utilities, protocols, authority, counterparts and scores.
//!
//! Nothing here reads a file, a clock or a global random number generator, spawns a thread or knows a neural network.

pub mod message;
pub mod money;

pub use money::Money;
