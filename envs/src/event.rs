//! The event log and how a negotiation ended.

use crate::action::{Act, Action, Intent, Move};
use crate::guardrail::Faults;
use crate::issue::Value;
use crate::mandate::{Hold, Refusal};
use crate::message::Message;
use crate::outcome::{Offer, Terms};
use crate::party::Seat;
use crate::speech_check::SpeechFault;
use serde::{Deserialize, Serialize};

/// What authority did with an action.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruling {
    /// Taken as it was.
    #[default]
    Applied,
    /// A guardrail found fault; the nearest offer that passes was made instead.
    Corrected,
    /// Refused: the same side may try again.
    Refused(Refusal),
    /// The turn's last refusal: the last own offer was repeated where it is still permitted, else the turn passed, or the
    /// negotiation was left where a stop rule asks for it.
    FellBack(Refusal),
    /// Put to a person: an answer follows.
    Held(Hold),
    /// The person said yes: the action follows.
    Approved(Hold),
    /// The person said no.
    Denied(Hold),
    /// The words did not fit and were withheld; the action waits for others.
    Mismatch,
    /// There was no valid action: the last own offer was repeated, the turn passed, or the third ended the negotiation.
    Forfeited,
}

/// One action submitted, and what came of it.
///
/// In JSON an event is one flat object that leaves out what is empty, follows from the rest, or is as usual: a run of a
/// million episodes is a large file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "EventLine", into = "EventLine")]
pub struct Event {
    /// Who acted.
    pub seat: Seat,
    /// In which contract of a series, from 0; 0 in a single negotiation.
    pub contract: u16,
    /// In which round, from 0.
    pub round: u16,
    /// What the strategy meant, where it said so.
    pub intent: Option<Intent>,
    /// The action as attempted.
    pub action: Action,
    /// The guardrails that it failed.
    pub faults: Faults,
    /// What authority did.
    pub ruling: Ruling,
    /// The public move that came of it; `None` where there was none.
    pub made: Option<Move>,
    /// Whether the agent asked for a person.
    pub escalated: bool,
    /// Interventions of the side's principal at the start of this turn, on the turn's first event.
    pub intervened: u16,
    /// What was wrong with the words, delivered or withheld; with those of a refused or forfeited action, false statements alone.
    pub speech: Vec<SpeechFault>,
    /// Words that were withheld; of a refused or forfeited action, where a statement in them is false.
    pub withheld: Option<Message>,
}

/// The kinds of [`Action`] and [`Act`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Verb {
    Offer,
    Accept,
    Pass,
    WalkAway,
    Forfeit,
}

/// An event as its JSON object.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EventLine {
    seat: Seat,
    #[serde(default, skip_serializing_if = "is_default")]
    contract: u16,
    round: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    intent: Option<Intent>,
    act: Verb,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    offer: Option<Offer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stated: Option<Box<[Option<Value>]>>,
    #[serde(default, rename = "final", skip_serializing_if = "is_default")]
    is_final: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    faults: Faults,
    #[serde(default, skip_serializing_if = "is_default")]
    ruling: Ruling,
    /// Only where it is not the action itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    made: Option<Act>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
    #[serde(default, skip_serializing_if = "is_default")]
    escalated: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    intervened: u16,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    speech: Vec<SpeechFault>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    withheld: Option<Message>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl From<Event> for EventLine {
    fn from(event: Event) -> Self {
        let Event {
            seat,
            contract,
            round,
            intent,
            action,
            faults,
            ruling,
            made,
            escalated,
            intervened,
            speech,
            withheld,
        } = event;
        let (made, message) = made.map_or((None, None), |made| (Some(made.act), made.message));
        let follows = ruling == Ruling::Applied && made == plain_act(&action);
        let (act, offer, stated, is_final) = match action {
            Action::Offer { terms: Terms::Offer(offer), is_final } => (Verb::Offer, Some(offer), None, is_final),
            Action::Offer { terms: Terms::Stated(values), is_final } => (Verb::Offer, None, Some(values), is_final),
            Action::Accept => (Verb::Accept, None, None, false),
            Action::Pass => (Verb::Pass, None, None, false),
            Action::WalkAway => (Verb::WalkAway, None, None, false),
            Action::Forfeit => (Verb::Forfeit, None, None, false),
        };
        let made = made.filter(|_| !follows);
        Self {
            seat,
            contract,
            round,
            intent,
            act,
            offer,
            stated,
            is_final,
            faults,
            ruling,
            made,
            message,
            escalated,
            intervened,
            speech,
            withheld,
        }
    }
}

impl From<EventLine> for Event {
    fn from(line: EventLine) -> Self {
        let EventLine {
            seat,
            contract,
            round,
            intent,
            act,
            offer,
            stated,
            is_final,
            faults,
            ruling,
            made,
            message,
            escalated,
            intervened,
            speech,
            withheld,
        } = line;
        let action = match act {
            Verb::Offer => {
                let terms = match (offer, stated) {
                    (Some(offer), _) => Terms::Offer(offer),
                    (None, stated) => Terms::Stated(stated.unwrap_or_default()),
                };
                Action::Offer { terms, is_final }
            }
            Verb::Accept => Action::Accept,
            Verb::Pass => Action::Pass,
            Verb::WalkAway => Action::WalkAway,
            Verb::Forfeit => Action::Forfeit,
        };
        let made = match (&ruling, made) {
            (_, Some(act)) => Some(act),
            (Ruling::Applied, None) => plain_act(&action),
            (_, None) => None,
        };
        let made = made.map(|act| Move { seat, round, act, message });
        Self { seat, contract, round, intent, action, faults, ruling, made, escalated, intervened, speech, withheld }
    }
}

/// The act that an action is where nothing had to be read or corrected.
fn plain_act(action: &Action) -> Option<Act> {
    match action {
        Action::Offer { terms: Terms::Offer(offer), is_final } => {
            Some(Act::Offer { offer: offer.clone(), is_final: *is_final })
        }
        Action::Offer { terms: Terms::Stated(_), .. } | Action::Forfeit => None,
        Action::Accept => Some(Act::Accept),
        Action::Pass => Some(Act::Pass),
        Action::WalkAway => Some(Act::WalkAway),
    }
}

/// How a negotiation ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// A deal on `offer`, accepted by `by`.
    Agreement {
        /// The package.
        offer: Offer,
        /// Who accepted.
        by: Seat,
    },
    /// One side left.
    WalkedAway {
        /// Who left.
        by: Seat,
    },
    /// Time ran out.
    Deadline,
    /// The hazard struck.
    BrokenOff,
}

/// How and when a negotiation ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// How.
    pub ending: Ending,
    /// The round of the last move, from 0.
    pub round: u16,
}

impl Outcome {
    /// The agreed package.
    #[must_use]
    pub fn agreement(&self) -> Option<&Offer> {
        match &self.ending {
            Ending::Agreement { offer, .. } => Some(offer),
            Ending::WalkedAway { .. } | Ending::Deadline | Ending::BrokenOff => None,
        }
    }
}
