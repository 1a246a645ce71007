//! One decision for a stated negotiation: the strategy engine as others would embed it.
//!
//! JSON in, JSON out; `docs/recommend.schema.json` states both. Nothing outside of the document enters the decision, so the same
//! document always gets the same answer.

mod authority;
mod families;
mod field;
mod input;
mod parts;

pub use authority::{Limits, Permitted};
pub use input::Stated;

use crate::failure::Failure;
use authority::{own_best, permitted, without_asking};
use input::declared_final;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;
use zopa_agents::Agent;
use zopa_agents::solver::Solver;
use zopa_envs::{Action, Belief, Decision, Digest, Intent, Offer, PartyView, Rationale, StreamKey, Terms, Value};

/// The schema of input and output.
pub const SCHEMA: &str = include_str!("../../../docs/recommend.schema.json");

/// What is recommended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Recommendation {
    /// `offer`, `accept`, `pass` or `walk_away`.
    pub action: &'static str,
    /// The terms to offer or to accept.
    pub terms: Option<Map<String, Json>>,
    /// Whether the offer is to be declared final.
    pub r#final: bool,
    /// What is meant by it.
    pub intent: Option<Intent>,
    /// What to say, where the sides talk.
    pub message: Option<String>,
    /// Own gain of the terms.
    pub own_gain: Option<f64>,
    /// Chance that the other side accepts.
    pub acceptance: Option<f64>,
    /// Expected gain of the action, with what follows where it is refused.
    pub expected: Option<f64>,
    /// What authority permits in this turn.
    pub permitted: Permitted,
    /// What the reader should know before following this.
    pub warnings: Vec<String>,
    /// The best packages that were weighed, best first.
    pub alternatives: Vec<Weighed>,
    /// Intervals of what the other side keeps to itself.
    pub beliefs: Vec<Belief>,
    /// The audit record.
    pub audit: Audit,
}

/// A package that was weighed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Weighed {
    /// Its terms.
    pub terms: Map<String, Json>,
    /// Own gain of it.
    pub own_gain: f64,
    /// Chance that it is accepted.
    pub acceptance: Option<f64>,
    /// What is expected of it.
    pub expected: Option<f64>,
}

/// What an auditor needs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Audit {
    /// SHA-256 of the document that was answered.
    pub input: String,
    /// The solver's id.
    pub solver: Arc<str>,
    /// Why.
    pub rationale: Option<Box<Rationale>>,
}

/// The recommendation for the document `text`.
///
/// # Errors
/// The first field that is wrong.
pub fn recommend(text: &str) -> Result<Recommendation, Failure> {
    let stated = Stated::read(text)?;
    let Stated { public, own, mandate, seat, round, history, objective, variant, seed } = &stated;
    let view = PartyView::new(public, own, mandate, *seat, *round, history, None);
    let mut solver = Solver::new(*variant).aiming_at(*objective);
    solver.begin(StreamKey::new("recommend", &[&seed.to_le_bytes()]).lazy(0));
    let mut decision = solver.decide(&view);
    let kept = declared_final(history, *seat).map(|(place, own)| keep_to(own, place, &view, &mut decision));
    let (action, offer, is_final) = match &decision.action {
        Action::Offer { terms: Terms::Offer(offer), is_final } => ("offer", Some(offer.clone()), *is_final),
        Action::Accept => ("accept", view.standing().cloned(), false),
        Action::WalkAway => ("walk_away", None, false),
        Action::Offer { .. } | Action::Pass | Action::Forfeit => ("pass", None, false),
    };
    let chosen = decision.alternatives.iter().find(|alternative| Some(&alternative.offer) == offer.as_ref());
    let alternatives = decision.alternatives.iter().map(|alternative| Weighed {
        terms: terms(&view, &alternative.offer),
        own_gain: alternative.value,
        acceptance: alternative.acceptance,
        expected: alternative.expected,
    });
    Ok(Recommendation {
        action,
        terms: offer.as_ref().map(|offer| terms(&view, offer)),
        r#final: is_final,
        intent: decision.intent,
        message: decision.message.as_ref().map(|message| message.text().to_owned()),
        own_gain: offer.as_ref().map(|offer| view.gain(offer)),
        acceptance: chosen.and_then(|chosen| chosen.acceptance),
        expected: chosen.and_then(|chosen| chosen.expected),
        permitted: permitted(&view, offer.as_ref()),
        warnings: kept.into_iter().chain(nothing_is_free(&view)).collect(),
        alternatives: alternatives.collect(),
        beliefs: decision.beliefs.clone(),
        audit: Audit {
            input: Digest::of_bytes(text.as_bytes()).to_string(),
            solver: solver.id().into(),
            rationale: decision.rationale.clone(),
        },
    })
}

/// Leaves of a decision what keeps to the own final offer `own`, made in move `place`: to repeat it, to let it stand, to take what
/// stands or to leave. Returns the warning that says so.
fn keep_to(own: &Offer, place: usize, view: &PartyView<'_>, decision: &mut Decision) -> String {
    let standing = view.standing();
    decision.alternatives.retain(|one| &one.offer == own || Some(&one.offer) == standing);
    match &mut decision.action {
        Action::Offer { terms: Terms::Offer(offer), is_final } if offer == own => *is_final = true,
        Action::Offer { .. } => {
            let taken = decision.alternatives.iter().find(|one| Some(&one.offer) == standing);
            let waiting = decision.rationale.as_ref().map_or(0.0, |reasons| reasons.waiting).max(0.0);
            let takes = taken.and_then(|one| one.expected).is_some_and(|expected| expected > waiting);
            decision.action = if takes { Action::Accept } else { Action::Pass };
            decision.intent = takes.then_some(Intent::Accept);
            decision.message = None;
        }
        _ => {}
    }
    format!("history[{place}] was the own final offer: only repeating it, passing, accepting and leaving keep to it")
}

/// A warning where every package needs a person's approval.
fn nothing_is_free(view: &PartyView<'_>) -> Option<String> {
    let PartyView { public, own, mandate, seat, .. } = *view;
    let strict = without_asking(mandate, &public.space, seat);
    let best = own_best(&public.space, public.status_quo.as_ref(), own, &strict);
    let nothing = strict.test_valued(&public.space, seat, &best, own.gain(&best)).is_err();
    (!mandate.approval.is_empty() && nothing).then(|| {
        "every package that the mandate permits needs a person's approval: none is offered, see mandate.approval"
            .to_owned()
    })
}

/// A package in the issues' own terms.
fn terms(view: &PartyView<'_>, offer: &Offer) -> Map<String, Json> {
    let issues = view.public.space.issues().iter().zip(offer.indices());
    issues
        .map(|(issue, &index)| {
            let value = match issue.value(index) {
                Value::Label(label) => json!(&*label),
                Value::Integer(number) => json!(number),
                Value::Money(money) => json!(money.as_major()),
            };
            (issue.name.to_string(), value)
        })
        .collect()
}
