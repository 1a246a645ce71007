//! What commits a speaker, and when that is kept or broken.

use super::Entry;
use super::Standing;
use crate::Money;
use crate::action::{Act, Move};
use crate::issue::{IssueRole, Value};
use crate::message::{Claim, Due, Polarity, Statement, Subject};
use crate::outcome::{Offer, OutcomeSpace};
use crate::party::Seat;

/// Whether a claim, said with `act`, commits its speaker to something.
pub(super) fn commits(claim: &Claim, act: &Act) -> bool {
    if claim.polarity != Polarity::Asserted || claim.subject != Subject::Own {
        return false;
    }
    match &claim.statement {
        // Nobody declares an offer final by accepting another.
        Statement::FinalOffer => *act != Act::Accept,
        Statement::Limit(Some(_))
        | Statement::Deadline(Some(Due::Rounds(_)))
        | Statement::Exclusivity
        | Statement::Guarantee
        | Statement::VolumePromise(_) => true,
        _ => false,
    }
}

/// Whether `made` breaks an open commitment of its maker, whose latest offer before it is `own`.
pub(super) fn is_broken(
    space: &OutcomeSpace,
    entry: &Entry,
    made: &Move,
    own: Option<&Offer>,
    standing: Option<&Offer>,
) -> bool {
    let taken_back = made.message.as_ref().is_some_and(|message| {
        message.parsed().claims.iter().any(|claim| {
            claim.polarity == Polarity::Negated && claim.subject == Subject::Own && claim.kind() == entry.claim.kind()
        })
    });
    match &entry.claim.statement {
        // Only repeating it, accepting or leaving is honest.
        Statement::FinalOffer => match &made.act {
            Act::Offer { offer, .. } => own != Some(offer),
            Act::Pass => true,
            Act::Accept | Act::WalkAway => false,
        },
        Statement::Limit(Some(limit)) => {
            let package = match &made.act {
                Act::Offer { offer, .. } => Some(offer),
                Act::Accept => standing,
                Act::Pass | Act::WalkAway => None,
            };
            package.and_then(|offer| price(space, offer)).is_some_and(|price| match made.seat {
                Seat::Buyer => price > limit.high,
                Seat::Supplier => price < limit.low,
            })
        }
        Statement::Deadline(Some(Due::Rounds(rounds))) => {
            let over = u32::from(made.round) > u32::from(entry.round).saturating_add(*rounds);
            over && matches!(made.act, Act::Offer { .. } | Act::Pass)
        }
        Statement::Exclusivity | Statement::Guarantee | Statement::VolumePromise(_) => taken_back,
        _ => false,
    }
}

/// How an open commitment stands at the end. Without a deal a promise binds nobody and stays open.
pub(super) fn at_signing(space: &OutcomeSpace, claim: &Claim, deal: Option<&Offer>) -> Standing {
    let named = match &claim.statement {
        Statement::Exclusivity => "exclusivity",
        Statement::Guarantee => "guarantee",
        Statement::VolumePromise(_) => return Standing::Open,
        _ => return Standing::Kept,
    };
    let Some(deal) = deal else { return Standing::Open };
    let Some(position) = space.issues().iter().position(|issue| issue.name.eq_ignore_ascii_case(named)) else {
        return Standing::Open;
    };
    match space.issues()[position].value(deal.get(position)) {
        Value::Integer(number) if number <= 0 => Standing::Broken,
        Value::Label(label) if ["no", "none", "without"].iter().any(|no| label.eq_ignore_ascii_case(no)) => {
            Standing::Broken
        }
        _ => Standing::Kept,
    }
}

fn price(space: &OutcomeSpace, offer: &Offer) -> Option<Money> {
    let issue = space.role(IssueRole::Price)?;
    match space.issues()[issue].value(offer.get(issue)) {
        Value::Money(price) => Some(price),
        Value::Integer(_) | Value::Label(_) => None,
    }
}
