//! What the solver says with its moves: its terms, and the courtesy and reasons that help with counterparts that listen.
//!
//! Nothing here is a claim about private facts, a promise or a limit. The reasons are given only where they hold of the
//! negotiation at hand.

use zopa_envs::counterpart::Ear;
use zopa_envs::message::{SpeechAct, SpokenTerms, speak, spoken_act};
use zopa_envs::{Act, Action, Decision, IssueRole, Message, PartyView, Terms};

const COURTESY: [&str; 2] = ["Thank you for the quick answer.", "We are glad to be at the table."];
const ACKNOWLEDGEMENT: [&str; 2] = ["We understand your position.", "We see your point."];
const CONSISTENCY: [&str; 2] = ["As we said before, we mean it.", "As stated, that is our view."];

/// Reasons that hold: of a contract that is renewed, of a negotiation that can break off, of payment days that cost money, of
/// an order larger than planned.
fn reasons(view: &PartyView<'_>, decision: &Decision) -> Vec<&'static str> {
    let mut reasons = Vec::with_capacity(3);
    if view.public.status_quo.is_some() {
        reasons.push("We are thinking of future business.");
    }
    if view.public.hazard > 0.0 {
        reasons.push("There is a risk of disruption.");
    }
    let larger = || {
        let issue = view.public.space.role(IssueRole::Quantity)?;
        let Action::Offer { terms: Terms::Offer(offer), .. } = &decision.action else { return None };
        Some(offer.get(issue) > view.public.status_quo.as_ref()?.get(issue))
    };
    if view.own.utility.financing().is_some() {
        reasons.push("Liquidity matters to us.");
    } else if larger() == Some(true) {
        reasons.push("A larger order justifies this.");
    }
    reasons
}

/// How the solver's words sound to each ear once it has spoken.
pub(super) fn signals(view: &PartyView<'_>) -> [f64; 3] {
    if !view.public.speech {
        return [0.0; 3];
    }
    let reasons = reasons(view, &Decision::from(Action::Pass)).len();
    let share = reasons as f64 / f64::from(zopa_envs::message::MessageFeatures::FULL_REASONS);
    let consistent = if said_before(view) { 0.5 } else { 0.0 };
    let mut signals = [0.0; 3];
    signals[Ear::Reasoned as usize] = share.min(1.0);
    signals[Ear::Reciprocal as usize] = 1.0;
    signals[Ear::Suspicious as usize] = consistent;
    signals
}

fn said_before(view: &PartyView<'_>) -> bool {
    view.history.iter().any(|made| made.seat == view.seat && made.message.is_some())
}

/// The words for a decision; `None` in silent scenarios, and where there is nothing to say.
pub(super) fn words(view: &PartyView<'_>, decision: &Decision) -> Option<Message> {
    if !view.public.speech {
        return None;
    }
    let (act, terms) = match &decision.action {
        Action::Offer { terms: Terms::Offer(offer), is_final } => {
            (spoken_act(view, offer, *is_final, decision.intent), SpokenTerms::of(&view.public.space, offer))
        }
        Action::Pass if view.own_last().is_some() => (SpeechAct::Hold, SpokenTerms::default()),
        // Accepting and leaving are said by the template.
        _ => return None,
    };
    let choice = u64::from(view.round);
    let consistency: &[&str] = if said_before(view) { &CONSISTENCY } else { &[] };
    let answered = view.history.iter().any(|made| made.seat != view.seat && !matches!(made.act, Act::Pass));
    let acknowledgement: &[&str] = if answered { &ACKNOWLEDGEMENT } else { &ACKNOWLEDGEMENT[..1] };
    let spoken = speak(act, &terms, &[], choice).text;
    let before = COURTESY.iter().chain(acknowledgement).copied();
    let after = reasons(view, decision);
    let sentences: Vec<&str> =
        before.chain(std::iter::once(spoken.as_str())).chain(after).chain(consistency.iter().copied()).collect();
    Some(Message::new(&sentences.join(" ")))
}
