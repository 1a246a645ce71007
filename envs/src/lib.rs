//! The game itself: issues, offers, utilities, protocols, authority, counterparts and scores.
//!
//! Nothing here reads a file, a clock or a global random number generator, spawns a thread or knows a neural network.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod action;
pub mod attainable;
mod chacha8;
pub mod conduct;
pub mod counterpart;
pub mod decision;
pub mod difficulty;
pub mod digest;
pub mod division;
pub mod environment;
pub mod event;
pub mod guardrail;
pub mod hyper_rectangle;
pub mod intent;
pub mod issue;
pub mod key;
pub mod ledger;
pub mod mandate;
pub mod message;
pub mod money;
pub mod negotiation;
mod offer;
pub mod outcome;
pub mod package;
pub mod party;
pub mod phase;
pub mod principal;
pub mod prior;
mod proposal;
pub mod random;
pub mod relationship;
pub mod scenario;
pub mod score;
pub mod sealed_bid;
pub mod solution;
pub mod source;
pub mod speech_check;
pub mod tactic;
pub mod theory;
pub mod utility;
pub mod view;

pub use action::{Act, Action, Intent, Move};
pub use attainable::Attainable;
pub use conduct::Conduct;
pub use counterpart::{Counterpart, Policy, Reply, Voice};
pub use decision::{Alternative, Belief, Decision, HeldBeliefs, Rationale};
pub use difficulty::{Difficulty, Grade};
pub use digest::{Canonical, Digest, Hasher};
pub use division::{Division, DivisionGame, DivisionMove, DivisionRules};
pub use environment::{Environment, EnvironmentConfig, VectorEnvironment};
pub use event::{Ending, Event, Outcome, Ruling};
pub use guardrail::{Caps, Faults};
pub use hyper_rectangle::{HyperRectangle, HyperRectangles, Span};
pub use issue::{Grid, Issue, IssueRole, Value};
pub use key::EpisodeKey;
pub use ledger::{Entry, Ledger, Standing};
pub use mandate::{
    ApprovalRule, Disclosures, Fact, Hold, Mandate, Permission, PermittedValues, PromiseKind, Promises, Refusal,
    StopResponse, StopRule, Tightening,
};
pub use message::Message;
pub use money::Money;
pub use negotiation::{Assessment, Negotiation};
pub use outcome::{Offer, OutcomeSpace, SpaceError, Terms};
pub use package::Packages;
pub use party::{OutcomeOrder, PartyType, Seat};
pub use phase::{Phase, PhaseBounds};
pub use principal::{Approver, Intervention, Principal};
pub use prior::{CommonPrior, Distribution, PartyPrior, Sampler, Valuation, ValuationPrior};
pub use random::{LazyStream, Stream, StreamKey};
pub use relationship::{Delivery, PublicRelationship, RelationshipRules, Series, SeriesPlan};
pub use scenario::{FamilyNotice, FamilyNumbers, PublicScenario, Scenario};
pub use score::EpisodeScores;
pub use sealed_bid::{BidView, SealedBid, SealedOutcome, ValueDraws};
pub use source::ScenarioSource;
pub use speech_check::{SpeechCheck, SpeechFault, SpeechFaultKind};
pub use tactic::{Selection, Tactic};
pub use utility::{Financing, RateFinancing, Utility};
pub use view::PartyView;
