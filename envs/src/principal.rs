//! Principals: the people behind both sides, as a scenario plays them.

use crate::digest::{Canonical, Hasher};
use crate::mandate::{Hold, Tightening};
use crate::random::StreamKey;
use std::sync::Arc;

/// The person behind one side. Nobody at the table sees it before it speaks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Principal {
    /// How it answers when it is asked.
    pub approver: Approver,
    /// What it says unasked, in order of their rounds.
    pub interventions: Vec<Intervention>,
}

/// Something that a principal says to its own side while the negotiation runs: at the start of its turn in the round.
#[derive(Clone, Debug, PartialEq)]
pub struct Intervention {
    /// In which round, from 0.
    pub round: u16,
    /// What is forbidden from then on.
    pub tightening: Tightening,
    /// Whether the own offer on the table is to be withdrawn: it may not be repeated, and another offer has to replace it.
    pub withdraw: bool,
    /// What it says, for agents that read.
    pub words: Arc<str>,
}

/// A stand-in for the person who approves: the same for every contender.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Approver {
    /// Denies everything.
    #[default]
    Denies,
    /// Approves everything.
    Approves,
    /// Approves what gains its side at least this much, in units of utility; words by the offer that they come with.
    ByGain(f64),
    /// Approves with this probability. One draw a round and kind of request, so that asking twice changes nothing.
    ByChance {
        /// In `[0, 1]`.
        probability: f64,
        /// The key of its draws.
        key: StreamKey,
    },
}

impl Approver {
    /// Its answer in `round` to `hold`, where what is on the table with it gains the side `gain`.
    #[must_use]
    pub fn approves(&self, hold: &Hold, round: u16, gain: f64) -> bool {
        match self {
            Self::Denies => false,
            Self::Approves => true,
            Self::ByGain(least) => gain >= *least,
            Self::ByChance { probability, key } => {
                let kind = match hold {
                    Hold::Promise(kind) => [hold.number(), *kind as u8],
                    Hold::Disclosure(fact) => [hold.number(), *fact as u8],
                    _ => [hold.number(), 0],
                };
                key.with("approval", &kind).stream(u64::from(round)).uniform() < *probability
            }
        }
    }
}

impl Canonical for Intervention {
    fn feed(&self, hasher: &mut Hasher) {
        self.round.feed(hasher);
        self.tightening.feed(hasher);
        self.withdraw.feed(hasher);
        self.words.feed(hasher);
    }
}

impl Canonical for Principal {
    /// The key of an approver's draws is fixed by the episode's key, which every digest holds as well.
    fn feed(&self, hasher: &mut Hasher) {
        match &self.approver {
            Approver::Denies => 0_u8.feed(hasher),
            Approver::Approves => 1_u8.feed(hasher),
            Approver::ByGain(least) => {
                2_u8.feed(hasher);
                least.feed(hasher);
            }
            Approver::ByChance { probability, .. } => {
                3_u8.feed(hasher);
                probability.feed(hasher);
            }
        }
        self.interventions.as_slice().feed(hasher);
    }
}
