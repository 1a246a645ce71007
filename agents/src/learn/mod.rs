//! Learned agents: PPO by self-play and Double DQN, how they are trained, and how their weights play.
//!
//! - [`ppo`] and [`dqn`] are the algorithms, each to be read from top to bottom; [`network`], [`adam`], [`rollout`], [`replay`]
//!   and [`sum_tree`] are what they stand on, [`backend`] is the only place that names a burn backend.
//! - A [`game::Game`] plays whole episodes. [`negotiation`] is the one that matters; the tests have small ones whose answer is
//!   known. An episode is a [`game::Trajectory`] of its own, so no transition can cross a reset.
//! - A policy sees [`perception`], numbers that mean the same in every domain, and chooses among [`moves`]. What ships runs
//!   through [`plain`], one forward pass with a fixed order of summation, without burn.
//! - [`pipeline`] runs the stages of a [`config::TrainConfig`] and makes checkpoints; [`agent`] plays what it learned, and
//!   [`shipped`] holds the weights inside the crate.
//!
//! Nothing here reads a file or a clock. Random numbers come from keyed streams, never from burn's global generator, and
//! work that is spread over threads is put together in order: equal seeds give equal weights, whatever the thread count.

pub mod adam;
pub mod agent;
pub mod backend;
pub mod checkpoint;
pub mod config;
pub mod dqn;
pub mod evaluation;
pub mod game;
pub mod gradient_steps;
pub mod moves;
pub mod negotiation;
pub mod network;
pub mod opponents;
pub mod perception;
pub mod pipeline;
pub mod plain;
pub mod ppo;
pub mod replay;
pub mod rollout;
pub mod shipped;
pub mod sum_tree;
pub mod weights;

#[cfg(test)]
mod known_games;

pub use agent::LearnedAgent;
pub use backend::{Device, DeviceError};
pub use config::{ConfigError, TrainConfig};
pub use evaluation::{EvaluatedEpisode, Evaluation};
pub use pipeline::{CurvePoint, Progress, TrainError, Trained, train};
pub use weights::{Policy, WeightsError};
