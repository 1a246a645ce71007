//! A run as data to train language models on: chat examples, preference pairs, and rollouts with a reward for every turn.
//!
//! Every episode is played again, so that what its agent saw in each turn is known; the records are not enough for that. Failed
//! and refused negotiations are among the examples, labelled: a model that has only seen success learns nothing of its price.

use serde::Serialize;
use std::collections::BTreeMap;
use zopa_agents::Observer;
use zopa_agents::model::{ChatMessage, lesson};
use zopa_envs::{Action, Decision, Event, Intent, PartyView, Ruling, Seat};
use zopa_reports::{EpisodeRecord, EpisodeResult};

/// What each guardrail failed, refusal, withheld wording and forfeit takes from its turn's reward: a twentieth of the status quo's
/// price, more than any single step of a negotiation is worth. A choice of ours.
pub const VIOLATION: f64 = -0.05;

/// The least difference of two results, in shares of the status quo's price, that makes one of two first moves the better.
pub const MARGIN: f64 = 0.01;

/// Which episode an example is of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Origin {
    /// Suite.
    pub suite: String,
    /// Split.
    pub split: String,
    /// Seed.
    pub seed: u64,
    /// Episode.
    pub index: u64,
    /// Agent.
    pub agent: String,
    /// Repeat.
    pub repeat: u32,
}

/// What came of an example.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Label {
    /// Whether the negotiation ended in a deal.
    pub agreement: bool,
    /// Own gain as a share of the status quo's price.
    pub gain: f64,
    /// Whether the action was refused.
    pub refused: bool,
    /// Whether guardrails corrected it.
    pub corrected: bool,
    /// Whether words of it were withheld.
    pub withheld: bool,
    /// Whether it was no valid decision.
    pub forfeited: bool,
}

/// A chat in the common messages format, with what it is about and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Example {
    /// The chat: system, user, assistant.
    pub messages: Vec<ChatMessage>,
    /// "decision" or "words".
    pub kind: &'static str,
    /// What the strategy meant, where it said so.
    pub intent: Option<Intent>,
    /// What came of it.
    pub label: Label,
    /// Whose it is.
    pub origin: Origin,
}

/// Two answers to one prompt, one better.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Preference {
    /// The chat before the answer.
    pub prompt: Vec<ChatMessage>,
    /// The better answer.
    pub chosen: [ChatMessage; 1],
    /// The worse one.
    pub rejected: [ChatMessage; 1],
    /// Why: "refused", "withheld" or "result".
    pub reason: &'static str,
    /// Whose the better one is.
    pub origin: Origin,
}

/// One turn of a rollout.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Turn {
    /// The chat before the answer.
    pub prompt: Vec<ChatMessage>,
    /// The answer.
    pub completion: [ChatMessage; 1],
    /// Its reward: [`VIOLATION`]s, and in the last turn the gain.
    pub reward: f64,
}

/// One episode, to be compared with the others of its group: the same scenario and seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rollout {
    /// Suite, split, seed and episode.
    pub group: String,
    /// Its turns.
    pub turns: Vec<Turn>,
    /// The sum of their rewards.
    pub total: f64,
    /// The total less the group's mean: the advantage of group-relative methods, not divided by a deviation.
    pub advantage: f64,
    /// Whose it is.
    pub origin: Origin,
}

/// One decision as it was made.
#[derive(Clone, Debug)]
struct Decided {
    round: u16,
    prompt: Vec<ChatMessage>,
    words_prompt: Option<Vec<ChatMessage>>,
    answer: String,
    intent: Option<Intent>,
}

/// Notes what the agent at one seat saw and answered.
#[derive(Clone, Debug)]
pub struct Notes {
    seat: Seat,
    decided: Vec<Decided>,
}

impl Notes {
    /// Notes of the agent at `seat`.
    #[must_use]
    pub fn of(seat: Seat) -> Self {
        Self { seat, decided: Vec::new() }
    }
}

impl Observer for Notes {
    fn decided(&mut self, view: &PartyView<'_>, decision: &Decision) {
        if view.seat == self.seat {
            let words = decision.message.as_ref().map(|message| message.text());
            self.decided.push(Decided {
                round: view.round,
                prompt: lesson::decision_prompt(view),
                words_prompt: lesson::words_prompt(view, decision).filter(|_| view.public.speech),
                answer: lesson::decision_answer(view, decision, words),
                intent: decision.intent,
            });
        }
    }
}

/// What an event settles about the decision that it is of.
#[derive(Clone, Debug, Default)]
struct Settled {
    refused: bool,
    corrected: bool,
    forfeited: bool,
    faults: u32,
    withheld: Vec<String>,
    said: Option<String>,
}

/// The events of a seat, gathered by decision: refusals and moves end one, withheld words and questions to a person do not.
fn settle(events: &[Event], seat: Seat) -> Vec<Settled> {
    let (mut settled, mut open) = (Vec::new(), Settled::default());
    for event in events.iter().filter(|event| event.seat == seat) {
        if let Some(message) = &event.withheld {
            open.withheld.push(message.text().to_owned());
        }
        if matches!(event.ruling, Ruling::Held(_) | Ruling::Approved(_) | Ruling::Denied(_) | Ruling::Mismatch) {
            continue;
        }
        open.refused = matches!(event.ruling, Ruling::Refused(_) | Ruling::FellBack(_));
        open.corrected = event.ruling == Ruling::Corrected;
        open.forfeited = event.action == Action::Forfeit;
        open.faults = event.faults.count();
        open.said = event.made.as_ref().and_then(|made| Some(made.message.as_ref()?.text().to_owned()));
        settled.push(std::mem::take(&mut open));
    }
    settled
}

/// All that a run gives.
#[derive(Debug, Default)]
pub struct Export {
    /// Chat examples.
    pub examples: Vec<Example>,
    /// Preference pairs.
    pub preferences: Vec<Preference>,
    /// Rollouts.
    pub rollouts: Vec<Rollout>,
    /// First moves by prompt: the answer, the result and whose it is.
    first: BTreeMap<String, Vec<FirstMove>>,
}

/// Prompt, answer, result and whose it is.
type FirstMove = (Vec<ChatMessage>, String, f64, Origin);

fn says(content: &str) -> ChatMessage {
    ChatMessage::new(zopa_agents::model::Role::Assistant, content)
}

fn chat(prompt: &[ChatMessage], answer: &str) -> Vec<ChatMessage> {
    prompt.iter().cloned().chain([says(answer)]).collect()
}

impl Export {
    /// Takes an episode in, as its record and the notes of playing it again hold it. An episode without a result gives nothing.
    pub fn add(&mut self, record: &EpisodeRecord, notes: &Notes) {
        let EpisodeResult::Played(played) = &record.result else { return };
        let key = &record.key;
        let origin = Origin {
            suite: key.suite.to_string(),
            split: key.split.to_string(),
            seed: key.seed,
            index: key.index,
            agent: key.agent.to_string(),
            repeat: key.repeat,
        };
        let scores = &played.scores;
        let gain = if scores.scale > 0.0 { scores.gain / scores.scale } else { scores.gain };
        let settled = settle(&played.events, key.seat);
        let mut turns: Vec<Turn> = Vec::new();
        let mut refused: Option<(u16, Vec<ChatMessage>, String)> = None;
        for (decided, settled) in notes.decided.iter().zip(&settled) {
            let Settled { refused: was_refused, corrected, forfeited, faults, withheld, said } = settled;
            let label = Label {
                agreement: scores.agreement,
                gain,
                refused: *was_refused,
                corrected: *corrected,
                withheld: !withheld.is_empty(),
                forfeited: *forfeited,
            };
            let example = |kind, messages| Example {
                messages,
                kind,
                intent: decided.intent,
                label: label.clone(),
                origin: origin.clone(),
            };
            self.examples.push(example("decision", chat(&decided.prompt, &decided.answer)));
            if let (Some(prompt), Some(said), false) = (&decided.words_prompt, said, *corrected) {
                self.examples.push(example("words", chat(prompt, &lesson::words_answer(said))));
                for wording in withheld {
                    self.preferences.push(Preference {
                        prompt: prompt.clone(),
                        chosen: [says(&lesson::words_answer(said))],
                        rejected: [says(&lesson::words_answer(wording))],
                        reason: "withheld",
                        origin: origin.clone(),
                    });
                }
            }
            match refused.take().filter(|(round, ..)| *round == decided.round && !was_refused && !forfeited) {
                Some((_, prompt, rejected)) => self.preferences.push(Preference {
                    prompt,
                    chosen: [says(&decided.answer)],
                    rejected: [says(&rejected)],
                    reason: "refused",
                    origin: origin.clone(),
                }),
                None if *was_refused => refused = Some((decided.round, decided.prompt.clone(), decided.answer.clone())),
                None => {}
            }
            let violations = faults.max(&u32::from(*was_refused)) + u32::from(*forfeited) + withheld.len() as u32;
            turns.push(Turn {
                prompt: decided.prompt.clone(),
                completion: [says(&decided.answer)],
                reward: VIOLATION * f64::from(violations),
            });
        }
        if let Some(last) = turns.last_mut() {
            last.reward += gain;
        }
        if let Some(first) = notes.decided.first() {
            let prompt = serde_json::to_string(&first.prompt).unwrap_or_default();
            let entry = (first.prompt.clone(), first.answer.clone(), gain, origin.clone());
            self.first.entry(prompt).or_default().push(entry);
        }
        let total = turns.iter().map(|turn| turn.reward).sum();
        let group = format!("{}/{}/{}/{}", origin.suite, origin.split, origin.seed, origin.index);
        self.rollouts.push(Rollout { group, turns, total, advantage: 0.0, origin });
    }

    /// Compares what was taken in: advantages within groups, and first moves on the same prompt by what came of them.
    pub fn finish(&mut self) {
        let mut groups: BTreeMap<String, (f64, f64)> = BTreeMap::new();
        for rollout in &self.rollouts {
            let (sum, count) = groups.entry(rollout.group.clone()).or_default();
            *sum += rollout.total;
            *count += 1.0;
        }
        for rollout in &mut self.rollouts {
            let (sum, count) = groups[&rollout.group];
            rollout.advantage = rollout.total - sum / count;
        }
        for moves in std::mem::take(&mut self.first).into_values() {
            let better = moves.iter().max_by(|a, b| a.2.total_cmp(&b.2));
            let worse = moves.iter().min_by(|a, b| a.2.total_cmp(&b.2));
            let (Some((prompt, chosen, most, origin)), Some((_, rejected, least, _))) = (better, worse) else {
                continue;
            };
            if most - least >= MARGIN && chosen != rejected {
                self.preferences.push(Preference {
                    prompt: prompt.clone(),
                    chosen: [says(chosen)],
                    rejected: [says(rejected)],
                    reason: "result",
                    origin: origin.clone(),
                });
            }
        }
    }
}
