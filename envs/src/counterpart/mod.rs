//! The scripted other side, its parameters drawn: what it does, whom it listens to, and what it says.
//!
//! A family is a [`Policy`] with a [`Voice`]. The policy decides the action, from the public history and its own type alone;
//! the voice only puts words to it, and only where the scenario is a spoken one ([`crate::PublicScenario::speech`]), so that a
//! negotiation goes the same way whether its counterpart is heard or not. To add a family, start in `behaviour.rs` (what it
//! does) or `voice.rs` (what it says).

mod behaviour;
mod course;
mod desperate;
mod listening;
mod patient;
mod policy;
mod reneging;
mod situation;
mod statement;
mod stochastic;
mod strategic;
mod voice;

pub use behaviour::Behaviour;
pub use course::Course;
pub use desperate::Desperate;
pub use listening::{Ear, Listening};
pub use patient::Patient;
pub use policy::Policy;
pub use reneging::Reneging;
pub use situation::{CLOSE_GAP, FIRM_ROOM};
pub use statement::{Said, Truth};
pub use stochastic::Stochastic;
pub use strategic::Strategic;
pub use voice::Voice;

use crate::action::Action;
use crate::message::Message;
use crate::proposal::Proposal;
use crate::random::{LazyStream, Stream, StreamKey};
use crate::tactic::Lists;
use crate::view::PartyView;
use situation::Situation;
use std::fmt;
use std::sync::Arc;

/// What a counterpart does in its turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// Its action.
    pub action: Action,
    /// What it says with it; nothing where the scenario is a silent one.
    pub message: Option<Message>,
}

/// A counterpart: a family's policy and voice with drawn parameters, and its own random stream. A clone plays on from where
/// the original stands, with the same random numbers.
#[derive(Clone, Debug)]
pub struct Counterpart {
    /// The family it was drawn from.
    pub family: Arc<str>,
    /// What it does.
    pub policy: Policy,
    /// What it says.
    pub voice: Voice,
    /// The random numbers of its actions: the same for every contender that meets it.
    pub stream: LazyStream,
    /// The random numbers of its words, opened with the first; apart, since most counterparts never speak.
    wording: Option<Box<Stream>>,
    said: Vec<Said>,
    /// Memory for the lists of the next policy that keeps some.
    spare: Lists,
    before: FamiliesBefore,
}

/// Families that a counterpart was before it was redrawn, each once: to count a reference anew at each redraw would have threads that
/// play one suite wait for each other. Memory and nothing else, so that counterparts that differ in it alone read alike.
#[derive(Clone, Default)]
struct FamiliesBefore(Vec<Arc<str>>);

impl FamiliesBefore {
    /// The most that are kept: as many as a suite has. Memory for them is taken at once, so that no later redraw takes any.
    const MOST: usize = 24;

    /// Makes `family` another one, `next`.
    fn change(&mut self, family: &mut Arc<str>, next: &Arc<str>) {
        if let Some(known) = self.0.iter_mut().find(|known| Arc::ptr_eq(known, next)) {
            std::mem::swap(known, family);
            return;
        }
        let last = std::mem::replace(family, next.clone());
        if self.0.len() < Self::MOST {
            self.0.reserve_exact(Self::MOST - self.0.len());
            self.0.push(last);
        }
    }
}

impl fmt::Debug for FamiliesBefore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

impl Counterpart {
    /// A counterpart that has seen nothing yet and says its terms only.
    #[must_use]
    pub fn new(family: Arc<str>, policy: impl Into<Policy>, stream: LazyStream) -> Self {
        let (voice, policy) = (Voice::Taciturn, policy.into());
        Self {
            family,
            policy,
            voice,
            stream,
            wording: None,
            said: Vec::new(),
            spare: Default::default(),
            before: FamiliesBefore::default(),
        }
    }

    /// Becomes another counterpart that has seen nothing yet, in the memory of this one, with stream `number` of `key`.
    pub fn redraw(&mut self, family: &Arc<str>, policy: Policy, voice: Voice, key: &StreamKey, number: u64) {
        if !Arc::ptr_eq(&self.family, family) {
            self.before.change(&mut self.family, family);
        }
        if let Some(lists) = self.policy.take_lists() {
            self.spare = lists;
        }
        self.policy = policy;
        self.policy.give_lists(&mut self.spare);
        self.voice = voice;
        self.stream.restart(key, number);
        self.wording = None;
        self.said.clear();
    }

    /// The same with this voice.
    #[must_use]
    pub fn speaking(self, voice: Voice) -> Self {
        Self { voice, ..self }
    }

    /// Its action, and in a spoken scenario its words.
    pub fn act(&mut self, view: &PartyView<'_>) -> Reply {
        let action = self.policy.act(view, &mut self.stream);
        let message = view.public.speech.then(|| self.say(view, &action));
        Reply { action, message }
    }

    /// Its action in a silent scenario, told as shortly as it can be.
    #[inline]
    pub(crate) fn propose(&mut self, view: &PartyView<'_>) -> Proposal {
        self.policy.propose(view, &mut self.stream)
    }

    /// Everything it has stated so far with what was true of it, oldest first: for scorers only.
    #[must_use]
    pub fn said(&self) -> &[Said] {
        &self.said
    }

    fn say(&mut self, view: &PartyView<'_>, action: &Action) -> Message {
        let wording = self.wording.get_or_insert_with(|| Box::new(self.stream.beside("wording").open().clone()));
        let situation = Situation::of(view, &self.policy, action);
        let (message, said) = situation.say(&self.voice, wording);
        self.said.push(said);
        message
    }
}
