//! Agents that ask a language model, and everything that goes wrong with a server.
//!
//! [`Client`] speaks to one OpenAI-compatible server: `transport.rs` makes one attempt, `client.rs` decides what comes of it,
//! with `retry.rs`, `breaker.rs` and `concurrency.rs`; `fault.rs` names every way to have no reply. `dialogue.rs` is a strategy
//! that a model (or the template) speaks for; `llm.rs` are the prompted agents, which decide by themselves. What a model is told
//! is in `prompts/`, versioned files, and in `brief.rs`; what it answers is read in `answer.rs`.
//!
//! A reply is shaped by its request alone, and a request by the episode's key and the replies before it: whoever has the replies
//! ([`Recording`]) can play an episode again without the server.

mod answer;
mod breaker;
pub(crate) mod brief;
mod cache;
mod client;
mod concurrency;
mod dialogue;
mod equipment;
mod fault;
mod interpreter;
pub mod lesson;
mod llm;
mod prompt;
mod reading;
mod recording;
mod reply;
mod request;
mod retry;
mod settings;
mod speaker;
mod tools;
mod transport;
mod usage;

pub use cache::ReplyCache;
pub use client::{Answer, Client, Deadline, Origin, Purpose};
pub use dialogue::DialogueAgent;
pub use equipment::{Equipment, Interpreting};
pub use fault::Fault;
pub use interpreter::{Interpretation, Interpreter, Proposal};
pub use llm::{LlmAgent, Role as LlmRole};
pub use reading::Reading;
pub use recording::{RecordedReply, Recorder, Recording};
pub use reply::{Finish, Reply, Tokens, server_message};
pub use request::{ChatMessage, ChatRequest, Role, SEEDS};
pub use settings::{ApiKey, BreakerSettings, ClientSettings, Sampling};
pub use speaker::ModelSpeaker;
pub use usage::Usage;
