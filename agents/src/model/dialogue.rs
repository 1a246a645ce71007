//! The dialogue agent: a strategy decides, a speaker words it, and what the other side writes is read as evidence.

use super::equipment::Interpreting;
use super::interpreter::{Interpretation, Interpreter};
use super::prompt::{INTERPRET, SPEAK};
use super::{Client, Reading, Usage};
use crate::agent::Agent;
use std::sync::Arc;
use zopa_envs::random::LazyStream;
use zopa_envs::{Action, Decision, PartyView};

/// Decides as its strategy does, on typed moves alone. It never speaks itself: beside it sits a [`super::ModelSpeaker`], or the
/// template where there is no server. What the other side writes is interpreted; where it would accept while text and move, or
/// parser and model, differ on what is on the table, it asks its principal first.
pub struct DialogueAgent {
    strategist: Box<dyn Agent>,
    interpreter: Interpreter,
    interpreting: Interpreting,
    client: Option<Arc<Client>>,
    /// The last message read, by its place in the history, and what it said.
    read: Option<(usize, Interpretation)>,
}

impl DialogueAgent {
    /// A dialogue agent on `strategist`. The model of `client` speaks elsewhere; here it reads, where `interpreting` says so.
    #[must_use]
    pub fn new(strategist: Box<dyn Agent>, client: Option<Arc<Client>>, interpreting: Interpreting) -> Self {
        let reader = client.clone().filter(|_| interpreting == Interpreting::Model);
        Self { strategist, interpreter: Interpreter::new(reader), interpreting, client, read: None }
    }

    /// What the other side last said; `None` where it said nothing.
    #[must_use]
    pub fn interpretation(&self) -> Option<&Interpretation> {
        self.read.as_ref().map(|(_, interpretation)| interpretation)
    }

    /// Reads the message of the other side's latest move, once.
    fn interpret(&mut self, view: &PartyView<'_>) {
        let latest = view.history.iter().enumerate().rev().find(|(_, made)| made.seat != view.seat);
        let Some((place, made)) = latest else { return };
        if self.read.as_ref().is_some_and(|(known, _)| *known == place) {
            return;
        }
        self.read = self.interpreter.read(view, made).map(|interpretation| (place, interpretation));
    }
}

impl Agent for DialogueAgent {
    fn id(&self) -> &str {
        "dialogue"
    }

    fn version(&self) -> u32 {
        1
    }

    fn options(&self) -> String {
        let (strategist, reader) = (&self.strategist, self.interpreting.name());
        let own = strategist.options();
        let own = if own.is_empty() { own } else { format!(" ({own})") };
        let strategy = format!("strategy {}@{}{own}", strategist.id(), strategist.version());
        match &self.client {
            None => format!("{strategy}; template"),
            Some(client) if self.interpreting == Interpreting::Model => {
                format!(
                    "{strategy}; {}; prompts {} {}; interpreter {reader}",
                    client.sampling(),
                    SPEAK.name,
                    INTERPRET.name
                )
            }
            Some(client) => format!("{strategy}; {}; prompts {}; interpreter {reader}", client.sampling(), SPEAK.name),
        }
    }

    fn begin(&mut self, stream: LazyStream) {
        self.interpreter.begin(stream.beside("interpreter"));
        self.strategist.begin(stream);
        self.read = None;
    }

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        if view.public.speech {
            self.interpret(view);
        }
        let mut decision = self.strategist.decide(view);
        // Words are the speaker's.
        decision.message = None;
        if decision.action == Action::Accept && self.interpretation().is_some_and(Interpretation::matters) {
            decision.escalate = true;
        }
        decision
    }

    fn fault(&self) -> Option<Arc<str>> {
        self.strategist.fault()
    }

    fn readings(&self) -> &[Reading] {
        self.interpreter.readings()
    }

    fn usage(&self) -> Usage {
        let mut usage = self.strategist.usage();
        usage += self.interpreter.usage();
        usage
    }
}
