//! A review as text.

use super::{Attempt, Audit, Turn};
use serde::Serialize;
use std::fmt::Write as _;
use zopa_envs::message::{accuracy, one_line};
use zopa_envs::{Act, Action, Ending, Event, Outcome, Ruling, Scenario, SpeechFault, Terms};

/// Alternatives shown of a decision; more are counted only.
const MOST_SHOWN: usize = 8;

pub(super) fn ending(scenario: &Scenario, outcome: &Outcome) -> String {
    let round = outcome.round + 1;
    match &outcome.ending {
        Ending::Agreement { offer, by } => {
            format!("a deal in round {round}, accepted by the {by}: {}", scenario.public.space.text(offer))
        }
        Ending::WalkedAway { by } => format!("the {by} left in round {round}"),
        Ending::Deadline => format!("time ran out after round {round}"),
        Ending::BrokenOff => format!("it broke off by chance after round {round}"),
    }
}

pub(super) fn heard(scenario: &Scenario, event: &Event) -> String {
    let Some(made) = &event.made else { return format!("{}: {}", event.seat, ruling(&event.ruling)) };
    let act = match &made.act {
        Act::Offer { offer, is_final } => {
            let last = if *is_final { " (best and final)" } else { "" };
            format!("offers {}{last}", scenario.public.space.text(offer))
        }
        Act::Accept => "accepts".to_owned(),
        Act::Pass => "passes".to_owned(),
        Act::WalkAway => "leaves".to_owned(),
    };
    let said = made.message.as_ref().map(|message| format!(", saying \"{}\"", one_line(message.text())));
    format!("the {} {act}{}", event.seat, said.unwrap_or_default())
}

pub(super) fn asked(scenario: &Scenario, action: &Action) -> String {
    match action {
        Action::Offer { terms: Terms::Offer(offer), is_final } => {
            let last = if *is_final { " as best and final" } else { "" };
            format!("offer {}{last}", scenario.public.space.text(offer))
        }
        Action::Offer { terms: terms @ Terms::Stated(_), .. } => match super::resolved(scenario, terms) {
            Some(offer) => format!("offer {}", scenario.public.space.text(&offer)),
            None => "offer terms that are incomplete or off the grid".to_owned(),
        },
        Action::Accept => "accept".to_owned(),
        Action::Pass => "pass".to_owned(),
        Action::WalkAway => "walk away".to_owned(),
        Action::Forfeit => "nothing valid".to_owned(),
    }
}

pub(super) fn ruling(ruling: &Ruling) -> String {
    match ruling {
        Ruling::Applied => "applied as it was".to_owned(),
        Ruling::Corrected => "corrected by a guardrail".to_owned(),
        Ruling::Refused(refusal) => format!("refused: {refusal}"),
        Ruling::FellBack(refusal) => format!("refused for the last time, software acted: {refusal}"),
        Ruling::Held(hold) => format!("held for a person: {hold}"),
        Ruling::Approved(hold) => format!("approved by a person: {hold}"),
        Ruling::Denied(hold) => format!("denied by a person: {hold}"),
        Ruling::Mismatch => "words withheld, others asked for".to_owned(),
        Ruling::Forfeited => "forfeited".to_owned(),
    }
}

pub(super) fn speech_fault(fault: &SpeechFault) -> String {
    format!("{} ({})", name(&fault.kind), name(&fault.claim))
}

/// A name as records have it, in words.
fn name(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name.replace('_', " "),
        _ => String::new(),
    }
}

impl Audit {
    /// The review as text: all turns, or the one of that number.
    #[must_use]
    pub fn text(&self, turn: Option<usize>) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, turn);
        text
    }

    fn write(&self, text: &mut String, only: Option<usize>) -> std::fmt::Result {
        let Self { agent, version, index, repeat, seat, family, .. } = self;
        let options = if self.options.is_empty() { String::new() } else { format!(", {}", self.options) };
        writeln!(
            text,
            "{agent} (version {version}{options}), episode {index}, repeat {repeat}: the {seat} against {family}"
        )?;
        let best = self.best_gain.map_or_else(|| "not known".to_owned(), |best| format!("{best:.2}"));
        writeln!(text, "{}; own gain {:.2}, best attainable {best}", self.ending, self.gain)?;
        match (&self.note, self.replayed) {
            (Some(note), _) => writeln!(text, "note: {note}")?,
            (None, _) => writeln!(text, "played again with equal digests")?,
        }
        for turn in self.turns.iter().filter(|turn| only.is_none_or(|only| only == turn.number)) {
            write_turn(text, turn)?;
        }
        self.write_review(text)?;
        if self.spoken {
            writeln!(text, "\n{}", accuracy::stated())?;
        }
        Ok(())
    }

    fn write_review(&self, text: &mut String) -> std::fmt::Result {
        let review = &self.review;
        if review.bad.is_empty() {
            return writeln!(text, "\nNothing bad about the outcome was found.");
        }
        writeln!(text, "\nBad about the outcome")?;
        for bad in &review.bad {
            writeln!(text, "  {bad}")?;
        }
        match review.kind {
            Some(kind) => writeln!(text, "\nKind of failure: {}", kind.name())?,
            None => {
                writeln!(text, "\nKind of failure: none that the record shows; chance or the other side decided it")?
            }
        }
        for found in &review.evidence {
            let place = found.turn.map_or_else(|| "overall".to_owned(), |turn| format!("turn {turn}"));
            writeln!(text, "  {} ({place}): {}", found.kind.name(), found.finding)?;
        }
        Ok(())
    }
}

fn write_turn(text: &mut String, turn: &Turn) -> std::fmt::Result {
    let contract = if turn.contract > 0 { format!(", contract {}", turn.contract + 1) } else { String::new() };
    writeln!(text, "\nTurn {}: round {}{contract}", turn.number, turn.round + 1)?;
    for heard in &turn.heard {
        writeln!(text, "  heard       {heard}")?;
    }
    for attempt in &turn.attempts {
        write_attempt(text, attempt)?;
    }
    Ok(())
}

fn write_attempt(text: &mut String, attempt: &Attempt) -> std::fmt::Result {
    if let Some(thought) = &attempt.thought {
        let known = &thought.known;
        let gain = |package: &super::Package| format!("{} (own gain {:.2})", package.terms, package.gain);
        writeln!(text, "  known       round {} of {}, {} phase", known.round + 1, known.rounds, known.phase)?;
        let standing = known.standing.as_ref().map_or_else(|| "no offer".to_owned(), gain);
        writeln!(text, "              on the table: {standing}")?;
        if let Some(own) = &known.own_last {
            writeln!(text, "              own last offer: {}", gain(own))?;
        }
        if let Some(least) = known.least_gain {
            writeln!(text, "              guardrails and mandate permit an own gain of {least:.2} or more")?;
        }
        for line in known.mandate.iter().chain(&known.notices) {
            writeln!(text, "              mandate: {}", one_line(line))?;
        }
        if let Some(refusal) = &known.refusal {
            writeln!(text, "              last attempt refused: {refusal}")?;
        }
        if thought.beliefs.is_empty() {
            writeln!(text, "  believed    nothing stated")?;
        }
        for (position, held) in thought.beliefs.iter().enumerate() {
            let belief = &held.belief;
            let truth =
                held.truth.map(|truth| format!("; truth {truth:.4}{}", if held.is_wrong() { ", MISSED" } else { "" }));
            writeln!(
                text,
                "  {:11} {}: {:.4} to {:.4} with {:.0} %{}",
                if position == 0 { "believed" } else { "" },
                belief.parameter,
                belief.low,
                belief.high,
                100.0 * belief.level,
                truth.unwrap_or_default()
            )?;
        }
        if thought.considered.is_empty() {
            writeln!(text, "  considered  nothing stated")?;
        }
        for (position, other) in thought.considered.iter().take(MOST_SHOWN).enumerate() {
            let chance = other.acceptance.map(|chance| format!(", accepted with {:.0} %", 100.0 * chance));
            writeln!(
                text,
                "  {:11} {}: value {:.2}{}",
                if position == 0 { "considered" } else { "" },
                other.package.terms,
                other.value,
                chance.unwrap_or_default()
            )?;
        }
        if thought.considered.len() > MOST_SHOWN {
            writeln!(text, "              and {} more", thought.considered.len() - MOST_SHOWN)?;
        }
    }
    let intent = attempt.intent.as_ref().map(|intent| format!(" ({intent})"));
    let gain = attempt.package.as_ref().map(|package| format!(", own gain {:.2}", package.gain));
    writeln!(text, "  decided     {}{}{}", attempt.asked, intent.unwrap_or_default(), gain.unwrap_or_default())?;
    if !attempt.guardrails.is_empty() {
        writeln!(text, "  constrained failed guardrails: {}", attempt.guardrails.join(", "))?;
    }
    writeln!(text, "  ruling      {}", attempt.ruling)?;
    if let Some(made) = &attempt.corrected {
        writeln!(text, "  corrected   to {} (own gain {:.2})", made.terms, made.gain)?;
    }
    if let Some(withheld) = &attempt.withheld {
        writeln!(text, "  withheld    \"{withheld}\"")?;
    }
    if let Some(said) = &attempt.said {
        writeln!(text, "  said        \"{said}\"")?;
    }
    for fault in &attempt.speech {
        writeln!(text, "  wrong words {fault}")?;
    }
    Ok(())
}
