//! The commitment ledger: everything that both sides said, and what became of it.
//!
//! A commitment is a best and final offer, an own limit with its amount, a deadline in rounds, or a promise. It is open until
//! it is broken or, at the end, kept. Promises that the agreed terms neither hold nor contradict stay open after signing:
//! what happens then decides.

mod commitment;

use crate::Money;
use crate::action::{Act, Move};
use crate::event::Outcome;
use crate::mandate::PromiseKind;
use crate::message::{Claim, Interval, Polarity, Statement, Subject};
use crate::outcome::{Offer, OutcomeSpace};
use crate::party::Seat;
use crate::view::PartyView;

/// What became of a commitment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// Not decided yet.
    Open,
    /// Kept.
    Kept,
    /// Broken.
    Broken,
}

/// One thing said.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Who said it.
    pub seat: Seat,
    /// In which round, from 0.
    pub round: u16,
    /// What.
    pub claim: Claim,
    /// What became of it, where it commits the speaker.
    pub standing: Option<Standing>,
}

/// Everything said in a negotiation, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ledger {
    entries: Vec<Entry>,
}

impl Ledger {
    /// All entries, oldest first.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Promises of `seat` that were not taken back: what it owes after signing.
    pub fn promises(&self, seat: Seat) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| {
            entry.seat == seat
                && PromiseKind::of(entry.claim.kind()).is_some()
                && entry.standing.is_some_and(|standing| standing != Standing::Broken)
        })
    }

    /// Commitments of `seat` that stand so.
    #[must_use]
    pub fn count(&self, seat: Seat, standing: Standing) -> u32 {
        self.entries.iter().filter(|entry| entry.seat == seat && entry.standing == Some(standing)).count() as u32
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Enters a move as made: `own` and `standing` are the latest offers of its maker and of the other side before it.
    pub fn enter(&mut self, space: &OutcomeSpace, made: &Move, own: Option<&Offer>, standing: Option<&Offer>) {
        let said = made.message.as_ref().map_or(&[][..], |message| &message.parsed().claims);
        if self.entries.is_empty() && said.is_empty() {
            return;
        }
        for entry in self.entries.iter_mut().filter(|entry| entry.seat == made.seat) {
            if entry.standing == Some(Standing::Open) && commitment::is_broken(space, entry, made, own, standing) {
                entry.standing = Some(Standing::Broken);
            }
        }
        for claim in said {
            let commits = commitment::commits(claim, &made.act);
            let standing = commits.then_some(Standing::Open);
            // Said twice is promised once.
            let again = |entry: &Entry| {
                entry.seat == made.seat
                    && entry.standing == Some(Standing::Open)
                    && entry.claim.statement == claim.statement
            };
            let standing = standing.filter(|_| !self.entries.iter().any(again));
            self.entries.push(Entry { seat: made.seat, round: made.round, claim: claim.clone(), standing });
        }
    }

    /// Decides what can be decided at the end.
    pub fn settle(&mut self, space: &OutcomeSpace, outcome: &Outcome) {
        for entry in self.entries.iter_mut().filter(|entry| entry.standing == Some(Standing::Open)) {
            entry.standing = Some(commitment::at_signing(space, &entry.claim, outcome.agreement()));
        }
    }

    /// Whether `seat` said the opposite of `claim`, or another figure, before. Figures within `tolerance`, in major units,
    /// count as equal.
    #[must_use]
    pub fn contradicts(&self, seat: Seat, claim: &Claim, tolerance: f64) -> bool {
        if claim.subject != Subject::Own || matches!(claim.polarity, Polarity::Question | Polarity::Conditional) {
            return false;
        }
        self.entries
            .iter()
            .filter(|entry| entry.seat == seat && entry.claim.subject == Subject::Own)
            .any(|entry| opposes(&entry.claim, claim, tolerance))
    }

    /// Whether the viewer has declared an offer best and final, by act or in words.
    #[must_use]
    pub fn final_declared(&self, view: &PartyView<'_>) -> bool {
        let by_act = |made: &Move| made.seat == view.seat && matches!(made.act, Act::Offer { is_final: true, .. });
        view.history.iter().any(by_act) || self.has_final(view.seat)
    }

    /// Whether `seat` committed itself to a best and final offer in words.
    #[must_use]
    pub fn has_final(&self, seat: Seat) -> bool {
        self.entries.iter().any(|entry| {
            entry.seat == seat && entry.claim.statement == Statement::FinalOffer && entry.standing.is_some()
        })
    }
}

fn opposes(before: &Claim, now: &Claim, tolerance: f64) -> bool {
    let differ = |a: &Interval<Money>, b: &Interval<Money>| {
        a.low.as_major() - b.high.as_major() > tolerance || b.low.as_major() - a.high.as_major() > tolerance
    };
    let opposite = matches!(
        (before.polarity, now.polarity),
        (Polarity::Asserted, Polarity::Negated) | (Polarity::Negated, Polarity::Asserted)
    );
    let both_asserted = before.polarity == Polarity::Asserted && now.polarity == Polarity::Asserted;
    match (&before.statement, &now.statement) {
        (Statement::Limit(Some(a)), Statement::Limit(Some(b))) => both_asserted && differ(a, b),
        (Statement::OutsideOption(a), Statement::OutsideOption(b)) => {
            opposite || both_asserted && matches!((a, b), (Some(a), Some(b)) if differ(a, b))
        }
        // What was denied may be conceded later; what was promised may not be taken back.
        (
            Statement::Exclusivity | Statement::Guarantee | Statement::VolumePromise(_),
            Statement::Exclusivity | Statement::Guarantee | Statement::VolumePromise(_),
        ) => before.kind() == now.kind() && before.polarity == Polarity::Asserted && now.polarity == Polarity::Negated,
        _ => false,
    }
}
