//! What a model is told of a negotiation: the words that people read, and the moves so far.

use std::fmt::Write as _;
use zopa_envs::{Act, Money, Move, Offer, PartyView};
use zopa_scenarios::render::{render_families, render_side};

/// Moves that are told; older ones are left out.
const MOST_MOVES: usize = 24;

/// Characters of a message that are told.
const MOST_WORDS: usize = 400;

/// What is the same in every negotiation of a suite: the training families. It stands first, so that servers which keep the
/// prefixes of prompts need not read it again.
pub(crate) fn families(view: &PartyView<'_>) -> String {
    render_families(view.public)
}

/// The negotiation before its first move, as this side knows it.
pub(crate) fn side(view: &PartyView<'_>) -> String {
    render_side(view)
}

/// An amount of own utility: money to the unit, points to four decimals, with its sign.
pub(crate) fn worth(view: &PartyView<'_>, gain: f64) -> String {
    if view.own.utility.price_issue().is_none() {
        return format!("{gain:+.4}");
    }
    let text = Money::major(gain.round() as i64).to_string();
    if gain >= 0.5 { format!("+{text}") } else { text }
}

/// A package in words: `price $98,250, payment 30 days`.
pub(crate) fn package(view: &PartyView<'_>, offer: &Offer) -> String {
    let issues = view.public.space.issues();
    let terms: Vec<String> = issues
        .iter()
        .zip(offer.indices())
        .map(|(issue, &index)| format!("{} {}", issue.name, issue.text(index)))
        .collect();
    terms.join(", ")
}

/// A text of the other side in quotes, on one line and in short.
pub(crate) fn quoted(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let short: String = words.join(" ").chars().take(MOST_WORDS).collect();
    format!("\"{}\"", short.replace('"', "'"))
}

/// A move in words.
pub(crate) fn told(view: &PartyView<'_>, made: &Move) -> String {
    let who = if made.seat == view.seat { "you" } else { "they" };
    let what = match &made.act {
        Act::Offer { offer, is_final } => format!(
            "{} {} (gains you {})",
            if *is_final { "best and final offer" } else { "offer" },
            package(view, offer),
            worth(view, view.gain(offer))
        ),
        Act::Accept => "accept".to_owned(),
        Act::Pass => "no new offer".to_owned(),
        Act::WalkAway => "leave".to_owned(),
    };
    let said = made.message.as_ref().map_or(String::new(), |message| format!("; said {}", quoted(message.text())));
    format!("round {}, {who}: {what}{said}", made.round + 1)
}

/// The moves so far, a line each.
pub(crate) fn history(view: &PartyView<'_>) -> String {
    if view.history.is_empty() {
        return "Moves so far: none\n".to_owned();
    }
    let left_out = view.history.len().saturating_sub(MOST_MOVES);
    let mut text = String::from("Moves so far\n");
    if left_out > 0 {
        let _ = writeln!(text, "  ({left_out} earlier moves are left out)");
    }
    for made in &view.history[left_out..] {
        let _ = writeln!(text, "  {}", told(view, made));
    }
    text
}

/// The turn: round, phase, what stands, what guardrails leave, what the principal said, why the last attempt was refused.
pub(crate) fn turn(view: &PartyView<'_>) -> String {
    let mut text = String::new();
    let phase = format!("{:?}", view.phase()).to_lowercase();
    let _ = writeln!(
        text,
        "Now: round {} of {}, phase {phase}; you stay for {} more rounds, this one included",
        view.round + 1,
        view.public.rounds,
        view.rounds_left()
    );
    match view.standing() {
        Some(offer) => {
            let kind = if view.standing_is_final() { "best and final offer" } else { "offer" };
            let _ = writeln!(
                text,
                "Their standing {kind}: {} (accepting gains you {})",
                package(view, offer),
                worth(view, view.gain(offer))
            );
        }
        None => text.push_str("They have no offer on the table: there is nothing to accept\n"),
    }
    match view.own_last() {
        Some(offer) => {
            let _ = writeln!(
                text,
                "Your last offer: {} (gains you {})",
                package(view, offer),
                worth(view, view.gain(offer))
            );
        }
        None => text.push_str("You have made no offer yet\n"),
    }
    let least = view.least_gain();
    if least.is_finite() {
        let _ = writeln!(
            text,
            "Your authority leaves room for offers that gain you at least {}",
            worth(view, least.max(0.0))
        );
    }
    for notice in view.notices {
        let _ = writeln!(text, "Your principal said in round {}: {}", notice.round + 1, notice.words);
    }
    if let Some(refusal) = view.refusal {
        let _ = writeln!(text, "Your last attempt in this turn was refused: {refusal}");
    }
    text
}
