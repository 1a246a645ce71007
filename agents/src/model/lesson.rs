//! Decisions and words as chats that a model can be trained on: the prompts of the prompted agents, with any agent's answers.

use super::brief;
use super::prompt::{DECIDE, SPEAK};
use super::request::{ChatMessage, Role};
use super::speaker;
use crate::speaker::Utterance;
use serde_json::{Map, Value as Json, json};
use zopa_envs::{Act, Action, Decision, Offer, PartyView, Terms, Value};

/// What a model would be told before this decision.
#[must_use]
pub fn decision_prompt(view: &PartyView<'_>) -> Vec<ChatMessage> {
    let user = format!("{}\n{}{}Decide.", brief::side(view), brief::history(view), brief::turn(view));
    vec![
        ChatMessage::new(Role::System, format!("{}{}", DECIDE.text, brief::families(view))),
        ChatMessage::new(Role::User, user),
    ]
}

fn value(value: &Value) -> Json {
    match value {
        Value::Label(label) => json!(&**label),
        Value::Integer(number) => json!(number),
        Value::Money(money) => json!(money.as_major()),
    }
}

fn terms(view: &PartyView<'_>, offer: &Offer) -> Json {
    let issues = view.public.space.issues();
    let named =
        issues.iter().zip(offer.indices()).map(|(issue, &index)| (issue.name.to_string(), value(&issue.value(index))));
    Json::Object(named.collect::<Map<_, _>>())
}

/// The decision as a model would have answered; what it had said with it is `words`.
#[must_use]
pub fn decision_answer(view: &PartyView<'_>, decision: &Decision, words: Option<&str>) -> String {
    let (action, offer) = match &decision.action {
        Action::Offer { terms, is_final } => {
            (if *is_final { "final_offer" } else { "offer" }, view.public.space.resolve(terms))
        }
        Action::Accept => ("accept", None),
        Action::Pass | Action::Forfeit => ("pass", None),
        Action::WalkAway => ("walk_away", None),
    };
    let belief = decision.beliefs.iter().find(|belief| &*belief.parameter == "disagreement");
    let mut members = vec!["\"notes\":\"\"".to_owned()];
    if let Some(belief) = belief {
        members.push(format!("\"no_deal_low\":{:.1}", belief.low * 100.0));
        members.push(format!("\"no_deal_high\":{:.1}", belief.high * 100.0));
    }
    members.push(format!("\"action\":\"{action}\""));
    members.push(format!("\"terms\":{}", offer.map_or(Json::Null, |offer| terms(view, &offer))));
    members.push(format!("\"escalate\":{}", decision.escalate));
    if let Some(words) = words {
        members.push(format!("\"message\":{}", Json::from(words)));
    }
    format!("{{{}}}", members.join(","))
}

/// What a model would be told before it words this decision; `None` where the decision has no permitted form to word.
#[must_use]
pub fn words_prompt(view: &PartyView<'_>, decision: &Decision) -> Option<Vec<ChatMessage>> {
    let act = match &decision.action {
        Action::Offer { terms: Terms::Offer(offer), is_final } => {
            Act::Offer { offer: offer.clone(), is_final: *is_final }
        }
        Action::Offer { terms, is_final } => {
            Act::Offer { offer: view.public.space.resolve(terms)?, is_final: *is_final }
        }
        Action::Accept => Act::Accept,
        Action::Pass => Act::Pass,
        Action::WalkAway => Act::WalkAway,
        Action::Forfeit => return None,
    };
    let task = speaker::task(&Utterance { view, act: &act, decision, withheld: None });
    Some(vec![ChatMessage::new(Role::System, SPEAK.text), ChatMessage::new(Role::User, task)])
}

/// The answer that says these words.
#[must_use]
pub fn words_answer(words: &str) -> String {
    format!("{{\"message\":{}}}", Json::from(words))
}
