//! What kind of failure a bad outcome was, by a stated rule.

use super::{Turn, ends_attempt, resolved};
use serde::Serialize;
use zopa_envs::{Action, Ending, Ruling, Scenario, Seat, SpeechFaultKind};
use zopa_reports::Played;

/// Less than this share of the best own gain makes a deal a bad outcome.
pub const WASTED_SHARE: f64 = 0.5;

/// Kinds of failure.
///
/// The rule, in this order; the first kind with evidence is the failure's:
///
/// 1. **Objective**: it wanted what its principal does not. It tried an offer or acceptance of own loss or outside its mandate,
///    promised or disclosed what it may not, told a private fact wrongly, broke a commitment, preferred a package that its own
///    figures rate below another that it considered, or left or let its time run out while an offer of own gain stood.
/// 2. **Implementation**: what was done or said was not what was decided. An invalid reply, a turn that software took over, words
///    that did not fit the move or contradicted earlier ones, speech that was replaced, its last proposal corrected, or at least
///    half of them.
/// 3. **Information**: it decided by what it believed, and that was wrong or missing. A belief whose interval misses the truth,
///    or no beliefs at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// It wanted the wrong thing.
    Objective,
    /// It did not do what it wanted.
    Implementation,
    /// It knew the wrong thing.
    Information,
}

impl FailureKind {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Objective => "objective",
            Self::Implementation => "implementation",
            Self::Information => "information",
        }
    }
}

/// One finding that speaks for a kind of failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// The kind.
    pub kind: FailureKind,
    /// The turn, where it belongs to one.
    pub turn: Option<usize>,
    /// What was found.
    pub finding: String,
}

/// What was bad about an outcome, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Review {
    /// What was bad; empty where nothing was.
    pub bad: Vec<String>,
    /// The kind of failure; `None` where nothing was bad, or nothing in the record explains it.
    pub kind: Option<FailureKind>,
    /// All findings, by kind and turn.
    pub evidence: Vec<Evidence>,
}

impl Review {
    pub(super) fn of(scenario: &Scenario, seat: Seat, played: &Played, turns: &[Turn]) -> Self {
        let bad = bad(played);
        if bad.is_empty() {
            return Self::default();
        }
        let mut evidence = objective(scenario, seat, played, turns);
        evidence.extend(implementation(played, seat, turns));
        evidence.extend(information(turns));
        evidence.sort_by_key(|found| (found.kind, found.turn));
        evidence.dedup();
        Self { bad, kind: evidence.first().map(|found| found.kind), evidence }
    }
}

/// What is bad about the outcome.
fn bad(played: &Played) -> Vec<String> {
    let (scores, conduct) = (&played.scores, &played.scores.conduct);
    let mut bad = Vec::new();
    if scores.gain < 0.0 {
        bad.push(format!("a deal at an own loss of {:.2}", -scores.gain));
    }
    if !scores.agreement && scores.feasible == Some(true) && played.outcome.ending != Ending::BrokenOff {
        bad.push("no deal, although one that leaves both sides better off was there".to_owned());
    }
    if let Some(best) = scores.best_gain.filter(|best| *best > 0.0)
        && scores.agreement
        && (0.0..WASTED_SHARE * best).contains(&scores.gain)
    {
        bad.push(format!("a deal at {:.0} % of the best own gain", 100.0 * scores.gain / best));
    }
    let counts = [
        (conduct.loss_attempted, "attempts at an own loss"),
        (conduct.unauthorised, "promises or disclosures without authority"),
        (conduct.false_statements, "false statements about itself"),
        (conduct.mismatches + conduct.contradictions, "claims that did not fit the move or earlier ones"),
        (conduct.commitments_broken.max(conduct.broken_finals), "broken commitments"),
        (played.forfeits, "invalid replies"),
    ];
    bad.extend(counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
    bad
}

/// The number of the turn that an event belongs to.
fn turn_of(turns: &[Turn], contract: u16, round: u16) -> Option<usize> {
    turns.iter().find(|turn| (turn.contract, turn.round) == (contract, round)).map(|turn| turn.number)
}

fn objective(scenario: &Scenario, seat: Seat, played: &Played, turns: &[Turn]) -> Vec<Evidence> {
    let mut found = Vec::new();
    let mut add = |turn, finding: String| found.push(Evidence { kind: FailureKind::Objective, turn, finding });
    let own = &scenario.types[seat.index()];
    let mut standing = None;
    for event in &played.events {
        if event.seat != seat {
            standing = event.made.as_ref().and_then(|made| made.offer()).or(standing);
            continue;
        }
        let turn = turn_of(turns, event.contract, event.round);
        let attempted = match &event.action {
            Action::Offer { terms, .. } => resolved(scenario, terms),
            Action::Accept => standing.cloned(),
            _ => None,
        };
        // Types change along a series; its refusals below still tell.
        let gain =
            attempted.filter(|_| ends_attempt(&event.ruling) && event.contract == 0).map(|offer| own.gain(&offer));
        if let Some(gain) = gain.filter(|gain| *gain < 0.0) {
            add(turn, format!("tried an offer or acceptance of own gain {gain:.2}"));
        }
        if let Ruling::Refused(refusal) | Ruling::FellBack(refusal) = &event.ruling
            && refusal.is_by_mandate()
        {
            add(turn, format!("outside its mandate: {refusal}"));
        }
        for fault in &event.speech {
            match fault.kind {
                SpeechFaultKind::Unauthorised => add(turn, "promised or disclosed what it may not".to_owned()),
                SpeechFaultKind::FalseStatement => add(turn, "told a private fact wrongly".to_owned()),
                SpeechFaultKind::Mismatch | SpeechFaultKind::Contradiction => {}
            }
        }
    }
    let conduct = &played.scores.conduct;
    if conduct.commitments_broken > 0 || conduct.broken_finals > 0 {
        add(None, "broke a commitment of its own".to_owned());
    }
    for turn in turns {
        for attempt in &turn.attempts {
            let (Some(thought), Some(chosen)) = (&attempt.thought, &attempt.package) else { continue };
            let expected = |terms: &str| {
                let of_terms = thought.considered.iter().filter(|other| other.package.terms == terms);
                of_terms.filter_map(|other| other.expected()).next()
            };
            let best = thought.considered.iter().filter_map(|other| Some((other.expected()?, &other.package.terms)));
            let best = best.max_by(|a, b| a.0.total_cmp(&b.0));
            if let (Some(own), Some((best, terms))) = (expected(&chosen.terms), best)
                && best > own + 1e-9
            {
                add(
                    Some(turn.number),
                    format!("offered what its own figures rate at {own:.2}, below {terms} at {best:.2}"),
                );
            }
        }
    }
    if let Some(finding) = walked_past(seat, played, turns) {
        add(turns.last().map(|turn| turn.number), finding);
    }
    found
}

/// Whether it left, or let its time run out, while an offer of own gain stood.
fn walked_past(seat: Seat, played: &Played, turns: &[Turn]) -> Option<String> {
    let how = match played.outcome.ending {
        Ending::WalkedAway { by } if by == seat => "left",
        Ending::Deadline => "let its time run out",
        _ => return None,
    };
    let last = turns.last()?.attempts.last()?.thought.as_ref()?;
    let standing = last.known.standing.as_ref().filter(|package| package.gain > 0.0)?;
    let permitted = last.known.least_gain.is_none_or(|least| standing.gain >= least);
    permitted.then(|| format!("{how} while {} stood, own gain {:.2}", standing.terms, standing.gain))
}

fn implementation(played: &Played, seat: Seat, turns: &[Turn]) -> Vec<Evidence> {
    let mut found = Vec::new();
    let mut add = |turn, finding: &str| {
        found.push(Evidence { kind: FailureKind::Implementation, turn, finding: finding.to_owned() });
    };
    for event in played.events.iter().filter(|event| event.seat == seat) {
        let turn = turn_of(turns, event.contract, event.round);
        match &event.ruling {
            Ruling::Forfeited => add(turn, "its reply held no valid action"),
            Ruling::FellBack(_) => add(turn, "software acted after its third refused attempt"),
            _ => {}
        }
        for fault in &event.speech {
            match fault.kind {
                SpeechFaultKind::Mismatch => add(turn, "its words did not fit its move"),
                SpeechFaultKind::Contradiction => add(turn, "its words contradicted earlier ones"),
                SpeechFaultKind::Unauthorised | SpeechFaultKind::FalseStatement => {}
            }
        }
    }
    if played.degraded {
        add(None, "its speech was replaced by the template");
    }
    let conduct = &played.scores.conduct;
    let last = played.events.iter().rev().find(|event| {
        event.seat == seat && ends_attempt(&event.ruling) && matches!(event.action, Action::Offer { .. })
    });
    if let Some(event) = last.filter(|event| event.ruling == Ruling::Corrected) {
        add(turn_of(turns, event.contract, event.round), "software corrected its last proposal");
    }
    if conduct.corrected > 0 && 2 * conduct.corrected >= conduct.offers {
        add(None, "software corrected at least half of its proposals");
    }
    found
}

fn information(turns: &[Turn]) -> Vec<Evidence> {
    let kind = FailureKind::Information;
    let thoughts = || {
        turns.iter().flat_map(|turn| {
            turn.attempts.iter().filter_map(move |attempt| Some((turn.number, attempt.thought.as_ref()?)))
        })
    };
    let Some((number, last)) = thoughts().rfind(|(_, thought)| !thought.beliefs.is_empty()) else {
        let silent = thoughts().next().is_some();
        let finding = "it held no beliefs about the other side".to_owned();
        return if silent { vec![Evidence { kind, turn: None, finding }] } else { Vec::new() };
    };
    let wrong = last.beliefs.iter().filter(|held| held.is_wrong());
    wrong
        .map(|held| Evidence {
            kind,
            turn: Some(number),
            finding: format!(
                "its last belief about {}, {:.4} to {:.4}, misses the truth {:.4}",
                held.belief.parameter,
                held.belief.low,
                held.belief.high,
                held.truth.unwrap_or(f64::NAN)
            ),
        })
        .collect()
}
