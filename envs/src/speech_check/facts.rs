//! Whether what a side tells of itself is true.

use super::Speaker;
use crate::Money;
use crate::issue::{IssueRole, Value};
use crate::message::{Claim, Due, Interval, Polarity, Statement, Subject};

/// How far a stated limit or outside option may lie from the true one, as a share of the own yardstick: people round.
pub const FIGURE_TOLERANCE: f64 = 0.01;
/// Rounds that a stated deadline may differ from the true one.
pub const DEADLINE_TOLERANCE: u32 = 1;

/// Whether a claim about the speaker's own private facts is true; `None` where it is about something else or cannot be
/// decided from its type and mandate.
///
/// A *limit* is true near the own reservation price (at the status quo's other terms, or at the terms of the move) or the
/// mandate's price limit. An *outside option* is true near the own reservation price: the price at which failing is as good.
/// A *deadline* in rounds is true near the rounds that the side stays. An *approval* is true where a person approved
/// something in this negotiation. A limit or an outside option without an amount, and a deadline without rounds, cannot be decided.
pub(super) fn truth(speaker: &Speaker<'_>, claim: &Claim) -> Option<bool> {
    if claim.polarity != Polarity::Asserted {
        return None;
    }
    if claim.statement == Statement::Approval {
        return Some(speaker.approved);
    }
    if claim.subject != Subject::Own {
        return None;
    }
    match &claim.statement {
        Statement::Limit(Some(amount)) => {
            let limit = speaker.view.mandate.price_limit.map(Money::as_major);
            is_near(speaker, *amount, reservation_prices(speaker)?.into_iter().chain([limit]))
        }
        Statement::OutsideOption(Some(amount)) => is_near(speaker, *amount, reservation_prices(speaker)?),
        Statement::Deadline(Some(Due::Rounds(rounds))) => {
            Some(rounds.abs_diff(u32::from(speaker.view.rounds_left())) <= DEADLINE_TOLERANCE)
        }
        _ => None,
    }
}

fn is_near(
    speaker: &Speaker<'_>,
    amount: Interval<Money>,
    figures: impl IntoIterator<Item = Option<f64>>,
) -> Option<bool> {
    let slack = FIGURE_TOLERANCE * speaker.view.own.yardstick;
    let (low, high) = (amount.low.as_major() - slack, amount.high.as_major() + slack);
    Some(figures.into_iter().flatten().any(|figure| figure >= low && figure <= high))
}

/// Own reservation prices in major units: at reference terms, and at those of the move. `None` without a price.
fn reservation_prices(speaker: &Speaker<'_>) -> Option<[Option<f64>; 2]> {
    let own = speaker.view.own;
    let issue = own.utility.price_issue()?;
    debug_assert_eq!(speaker.view.public.space.role(IssueRole::Price), Some(issue));
    let at_terms = speaker.package().and_then(|package| {
        let index = own.utility.price_for(package, own.disagreement)?;
        match speaker.view.public.space.issues()[issue].value(index) {
            Value::Money(price) => Some(price.as_major()),
            Value::Integer(_) | Value::Label(_) => None,
        }
    });
    Some([Some(own.yardstick), at_terms])
}
