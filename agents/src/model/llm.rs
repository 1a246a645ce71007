//! The prompted agents: a model decides.

use super::answer::{Answered, Decided, Form};
use super::client::{Client, Deadline, Purpose};
use super::prompt::{ADVICE, DECIDE, Prompt, SINGLE, SPEAK, TOOLS};
use super::reply::Finish;
use super::request::{ChatMessage, ChatRequest, Role as Says, SEEDS};
use super::tools::{self, Tool};
use super::usage::Usage;
use super::{brief, fault::Fault};
use crate::agent::Agent;
use crate::estimate::prior_beliefs;
use std::sync::Arc;
use zopa_envs::random::LazyStream;
use zopa_envs::{Action, Alternative, Decision, Offer, PartyView, Terms};

/// Tools that may be used in one turn.
const MOST_TOOLS: usize = 3;

/// Characters of an invalid reply that the model is shown again.
const MOST_SHOWN: usize = 600;

/// What a prompted agent is given beside its view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Decides and speaks.
    Plain,
    /// May use tools first.
    Tools,
    /// May ask the engine for its advice.
    Advised,
    /// Proposes once on public information and its own type.
    Single,
    /// Decides; the template speaks.
    Mute,
}

/// A model that decides, under the same authority as everybody.
///
/// In its turn it is told the rules, the training families, its own side and mandate, the prior, the moves so far and its own
/// notes, and answers with one JSON object under a schema: notes, a belief about the other side's disagreement value, an action
/// with its terms, and words where the sides talk. An invalid answer is asked for once more; then, or where the reply ends at its
/// token limit, it forfeits the turn. Where no reply comes at all it has a fault and the negotiation no result.
pub struct LlmAgent {
    id: &'static str,
    role: Role,
    client: Arc<Client>,
    advisor: Option<Box<dyn Agent>>,
    stream: LazyStream,
    notes: String,
    usage: Usage,
    fault: Option<Arc<str>>,
}

impl LlmAgent {
    /// The agent of that id. `advisor` is the engine that [`Role::Advised`] may ask.
    #[must_use]
    pub fn new(id: &'static str, role: Role, client: Arc<Client>, advisor: Option<Box<dyn Agent>>) -> Self {
        let stream = zopa_envs::StreamKey::new("idle", &[]).lazy(0);
        let (notes, usage) = (String::new(), Usage::default());
        Self { id, role, client, advisor, stream, notes, usage, fault: None }
    }

    fn prompts(&self) -> Vec<Prompt> {
        let extra = match self.role {
            Role::Plain | Role::Mute => None,
            Role::Tools => Some(TOOLS),
            Role::Advised => Some(ADVICE),
            Role::Single => Some(SINGLE),
        };
        [DECIDE].into_iter().chain(extra).collect()
    }

    fn messages(&self, view: &PartyView<'_>) -> Vec<ChatMessage> {
        let prompts: Vec<String> =
            self.prompts().iter().map(|prompt| prompt.text.replace("{tools}", &MOST_TOOLS.to_string())).collect();
        let system = format!("{}{}", prompts.join("\n"), brief::families(view));
        let mut user = brief::side(view);
        user.push('\n');
        if self.role != Role::Single {
            user.push_str(&brief::history(view));
            if !self.notes.is_empty() {
                user.push_str(&format!("Your notes from your last turn: {}\n", brief::quoted(&self.notes)));
            }
            user.push_str(&brief::turn(view));
        }
        user.push_str("Decide.");
        vec![ChatMessage::new(Says::System, system), ChatMessage::new(Says::User, user)]
    }

    /// Asks until there is a decision, `None` where the turn is forfeited.
    fn ask(&mut self, view: &PartyView<'_>) -> Result<Option<Decided>, Fault> {
        let deadline = self.client.deadline();
        let mut messages = self.messages(view);
        let (mut repaired, mut used) = (false, 0);
        loop {
            let all: &[Tool] = match self.role {
                Role::Tools if used < MOST_TOOLS => &[Tool::Value, Tool::Permitted, Tool::Check],
                Role::Advised if used == 0 => &[Tool::Advice],
                _ => &[],
            };
            let form = Form { speech: view.public.speech && self.role != Role::Mute, tools: all };
            let (content, finish) = self.reply(&messages, form.schema(view), deadline)?;
            if finish == Finish::Length {
                return Ok(None);
            }
            let shown: String = content.chars().take(MOST_SHOWN).collect();
            match form.read(view, &content) {
                Ok(Answered::Decision(decided)) => return Ok(Some(*decided)),
                Ok(Answered::Tool(tool, terms)) => {
                    used += 1;
                    self.usage.tool_calls += 1;
                    let result = self.use_tool(view, tool, terms.as_ref());
                    let left = if used < MOST_TOOLS && self.role == Role::Tools { "" } else { " Now decide." };
                    messages.push(ChatMessage::new(Says::Assistant, shown));
                    messages.push(ChatMessage::new(Says::User, format!("{result}{left}")));
                }
                Err(_) if repaired => return Ok(None),
                Err(why) => {
                    repaired = true;
                    self.usage.repairs += 1;
                    messages.push(ChatMessage::new(Says::Assistant, shown));
                    let repair = format!("Your reply cannot be used: {why}. Reply with the JSON object alone.");
                    messages.push(ChatMessage::new(Says::User, repair));
                }
            }
        }
    }

    fn reply(
        &mut self,
        messages: &[ChatMessage],
        schema: String,
        deadline: Deadline,
    ) -> Result<(String, Finish), Fault> {
        let seed = self.stream.open().below(SEEDS);
        let request = ChatRequest { messages: messages.to_vec(), schema: ("decision", schema), seed };
        let answer = self.client.complete(&request, Purpose::Decide, deadline)?;
        self.usage.count(&answer);
        Ok((answer.reply.content, answer.reply.finish))
    }

    fn use_tool(&mut self, view: &PartyView<'_>, tool: Tool, terms: Option<&Terms>) -> String {
        match (tool, &mut self.advisor) {
            (Tool::Advice, Some(advisor)) => tools::advice(view, &advisor.decide(view)),
            (Tool::Advice, None) => "There is no engine to ask.".to_owned(),
            (tool, _) => tool.answer(view, terms),
        }
    }

    fn decided(&mut self, view: &PartyView<'_>, decided: Decided) -> Decision {
        let Decided { action, escalate, message, notes, belief } = decided;
        self.notes = notes;
        let weighed = |offer: &Offer| Alternative { offer: offer.clone(), value: view.gain(offer), acceptance: None };
        let proposed = match &action {
            Action::Offer { terms, .. } => view.public.space.resolve(terms),
            _ => None,
        };
        let alternatives = view.standing().into_iter().chain(&proposed).map(weighed).collect();
        // What it was not asked for it believes as the prior does.
        let mut beliefs = prior_beliefs(view, super::answer::LEVEL);
        if let Some(belief) = belief {
            match beliefs.iter_mut().find(|prior| prior.parameter == belief.parameter) {
                Some(prior) => *prior = belief,
                None => beliefs.push(belief),
            }
        }
        Decision { action, intent: None, escalate, message, alternatives, beliefs }
    }

    /// What the agent of one proposal does after it: nothing that needs a model.
    fn stay(view: &PartyView<'_>) -> Option<Action> {
        let (own, gain) = (view.own_last()?, view.own_last_gain()?);
        let good = view.refusal.is_none() && view.standing_gain().is_some_and(|standing| standing >= gain);
        Some(if good { Action::Accept } else { Action::offer(own.clone()) })
    }
}

impl Agent for LlmAgent {
    fn id(&self) -> &str {
        self.id
    }

    fn options(&self) -> String {
        let mut names: Vec<&str> = self.prompts().iter().map(|prompt| prompt.name).collect();
        if self.role != Role::Mute {
            names.push(SPEAK.name);
        }
        let advisor = self
            .advisor
            .as_ref()
            .map_or(String::new(), |advisor| format!("; advice {}@{}", advisor.id(), advisor.version()));
        format!("{}; prompts {}{advisor}", self.client.sampling(), names.join(" "))
    }

    fn begin(&mut self, stream: LazyStream) {
        if let Some(advisor) = &mut self.advisor {
            advisor.begin(stream.beside("advisor"));
        }
        self.stream = stream.beside("model");
        self.notes.clear();
        self.usage = Usage::default();
        self.fault = None;
    }

    fn decide(&mut self, view: &PartyView<'_>) -> Decision {
        self.fault = None;
        if self.role == Role::Single
            && let Some(action) = Self::stay(view)
        {
            return action.into();
        }
        match self.ask(view) {
            Ok(Some(decided)) => self.decided(view, decided),
            Ok(None) => Action::Forfeit.into(),
            Err(fault) => {
                self.fault = Some(fault.to_string().into());
                Action::Forfeit.into()
            }
        }
    }

    fn fault(&self) -> Option<Arc<str>> {
        self.fault.clone()
    }

    fn usage(&self) -> Usage {
        self.usage
    }
}
