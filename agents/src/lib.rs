//! Who plays: agents, the turn graph that they play through, and the roster that builds them by name.
//!
//! An agent sees a [`zopa_envs::PartyView`] and has its own random stream, nothing else. Ceilings see the hidden scenario too;
//! they implement another trait and stand outside every ranking.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod agent;
pub mod aspiration;
pub mod bayes_best_response;
pub mod bayes_bound;
pub mod best_response;
pub mod bidder;
pub mod estimate;
pub mod human;
pub mod joint;
pub mod learn;
pub mod model;
pub mod nash;
pub mod oracle;
pub mod partner;
pub mod probes;
pub mod random;
pub mod roster;
pub mod rule_tree;
pub mod solver;
pub mod speaker;
pub mod strict_json;
pub mod tactic;
pub mod turn;

pub use agent::{Agent, Ceiling, Player};
pub use bidder::{Bidder, UnknownBidder};
pub use joint::JointPackages;
pub use model::Equipment;
pub use roster::{AgentCard, BuildError, Kind, UnknownAgent, agents, asks_model, build, build_with, find, speaker};
pub use speaker::{Speaker, TemplateSpeaker, Utterance};
pub use turn::{EDGES, Node, Observer, REWORDINGS, Seated, TurnError, play, play_spoken};
