//! What a model may use before it decides. Tools tell; they change nothing.

use super::brief;
use zopa_envs::{Action, Decision, IssueRole, Offer, PartyView, Terms};

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    /// What a package is worth.
    Value,
    /// Which values the mandate permits.
    Permitted,
    /// Whether a package passes guardrails and mandate.
    Check,
    /// What the engine would do.
    Advice,
}

impl Tool {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Permitted => "permitted",
            Self::Check => "check",
            Self::Advice => "advice",
        }
    }

    /// The tool's answer, except the engine's.
    pub(super) fn answer(self, view: &PartyView<'_>, terms: Option<&Terms>) -> String {
        match (self, terms) {
            (Self::Permitted, _) => permitted(view),
            (_, None) => format!("The tool \"{}\" needs \"terms\".", self.name()),
            (tool, Some(terms)) => match view.public.space.resolve(terms) {
                None => "Not every value is one that the issue has.".to_owned(),
                Some(offer) if tool == Self::Check => check(view, &offer),
                Some(offer) => {
                    format!("{} gains you {}.", brief::package(view, &offer), brief::worth(view, view.gain(&offer)))
                }
            },
        }
    }
}

fn permitted(view: &PartyView<'_>) -> String {
    let mut lines = Vec::new();
    for (position, issue) in view.public.space.issues().iter().enumerate() {
        let is_price = issue.role == IssueRole::Price;
        if is_price || view.mandate.permitted.iter().all(|permitted| permitted.issue != position) {
            let limit = view.mandate.price_limit.filter(|_| is_price);
            let limit = limit.map_or(String::new(), |limit| format!(", not beyond {limit}"));
            lines.push(format!("{}: {}{limit}", issue.name, issue.range_text()));
        } else {
            let free = (0..issue.len()).filter(|&index| view.mandate.permits_value(position, index));
            let free: Vec<String> = free.map(|index| issue.text(index)).collect();
            lines.push(format!("{}: only {}", issue.name, free.join(", ")));
        }
    }
    let least = view.least_gain();
    if least.is_finite() {
        lines.push(format!("an offer must gain you at least {}", brief::worth(view, least)));
    }
    lines.join("\n")
}

fn check(view: &PartyView<'_>, offer: &Offer) -> String {
    let (gain, least) = (view.gain(offer), view.least_gain());
    let mut faults = Vec::new();
    if let Err(refusal) = view.mandate.test(&view.public.space, view.own, view.seat, offer) {
        faults.push(format!("the mandate refuses it: {refusal}"));
    }
    if gain < least {
        faults.push(format!("the guardrails ask for a gain of at least {}", brief::worth(view, least)));
    }
    if let Some(hold) = view.mandate.hold(&view.public.space, view.seat, offer, gain) {
        faults.push(format!("your principal would be asked first: {hold}"));
    }
    let verdict = if faults.is_empty() { "It passes".to_owned() } else { faults.join("; ") };
    format!("{verdict}. It gains you {}.", brief::worth(view, gain))
}

/// An engine's decision in words.
pub(super) fn advice(view: &PartyView<'_>, decision: &Decision) -> String {
    let would = match &decision.action {
        Action::Offer { terms, is_final } => match view.public.space.resolve(terms) {
            Some(offer) => format!(
                "{} {} (gains you {})",
                if *is_final { "make the best and final offer" } else { "offer" },
                brief::package(view, &offer),
                brief::worth(view, view.gain(&offer))
            ),
            None => "make an offer that it cannot state".to_owned(),
        },
        Action::Accept => "accept the standing offer".to_owned(),
        Action::Pass | Action::Forfeit => "make no new offer".to_owned(),
        Action::WalkAway => "leave without a deal".to_owned(),
    };
    format!("The engine would {would}.")
}
