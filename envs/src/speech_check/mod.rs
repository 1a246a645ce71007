//! Speech is checked too: what a message states is compared with the offer it comes with, the mandate, the ledger and the
//! speaker's own private facts.
//!
//! Four faults. *Mismatch*: terms stated that the offer does not hold. *Unauthorised*: a promise or a disclosure that the
//! mandate does not permit. *Contradiction*: the opposite of what the same side said before. *False statement*: an own
//! private fact told wrongly. The check reads what the parser reads: [`crate::message::accuracy`] says how often that is
//! right.

mod facts;
mod terms;

pub use facts::{DEADLINE_TOLERANCE, FIGURE_TOLERANCE};

use crate::action::Act;
use crate::digest::{Canonical, Hasher};
use crate::ledger::Ledger;
use crate::mandate::{Fact, Hold, Permission, PromiseKind};
use crate::message::{Claim, ClaimKind, Message, Polarity, Statement, Subject, TextSpan};
use crate::outcome::Offer;
use crate::view::PartyView;
use serde::{Deserialize, Serialize};
use terms::{Fit, Stated};

/// What is wrong with a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpeechFaultKind {
    /// It states what the move it comes with is not.
    Mismatch,
    /// A promise or a disclosure that is not authorised.
    Unauthorised,
    /// The opposite of what the same side said before.
    Contradiction,
    /// False about the own side.
    FalseStatement,
}

/// One claim that is wrong, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpeechFault {
    /// How.
    pub kind: SpeechFaultKind,
    /// What kind of claim.
    pub claim: ClaimKind,
    /// Where it stands in the text.
    pub span: TextSpan,
}

/// What came of a check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpeechCheck {
    /// Everything that is wrong, in the order of the text; a claim may be wrong in several ways.
    pub faults: Vec<SpeechFault>,
    /// What in it needs a person's approval.
    pub hold: Option<Hold>,
}

impl SpeechCheck {
    /// Whether the words may be said as they are.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.faults.is_empty() && self.hold.is_none()
    }
}

/// Which promises and disclosures a person was asked about, and what the answer was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordApprovals {
    granted: u16,
    denied: u16,
}

fn bit(hold: &Hold) -> u16 {
    match hold {
        Hold::Promise(kind) => 1 << *kind as u8,
        Hold::Disclosure(fact) => 1 << (8 + *fact as u8),
        _ => 0,
    }
}

impl WordApprovals {
    /// Notes the answer to `hold`. Yes holds for the rest of the negotiation.
    pub fn note(&mut self, hold: &Hold, granted: bool) {
        if granted {
            self.granted |= bit(hold);
        } else {
            self.denied |= bit(hold);
        }
    }

    /// Forgets refusals: with the next turn a person may be asked again.
    pub fn forget_refusals(&mut self) {
        self.denied = 0;
    }

    fn of(self, hold: &Hold, permission: Permission) -> Answer {
        match permission {
            Permission::Permitted => Answer::Yes,
            Permission::Forbidden => Answer::No,
            Permission::NeedsApproval if self.granted & bit(hold) != 0 => Answer::Yes,
            Permission::NeedsApproval if self.denied & bit(hold) != 0 => Answer::No,
            Permission::NeedsApproval => Answer::Ask,
        }
    }
}

enum Answer {
    Yes,
    No,
    Ask,
}

/// A move about to be made, with all that its words are compared with.
#[derive(Clone, Copy, Debug)]
pub struct Speaker<'a> {
    /// What the speaker sees.
    pub view: &'a PartyView<'a>,
    /// The act that the words come with.
    pub act: &'a Act,
    /// What was said before.
    pub ledger: &'a Ledger,
    /// What a person has answered on words.
    pub words: WordApprovals,
    /// Whether a person on either side has approved anything in this negotiation.
    pub approved: bool,
}

impl<'a> Speaker<'a> {
    /// The package that the act puts or leaves on the table, or takes.
    fn package(&self) -> Option<&'a Offer> {
        match self.act {
            Act::Offer { offer, .. } => Some(offer),
            Act::Accept => self.view.standing(),
            Act::Pass | Act::WalkAway => None,
        }
    }

    /// Checks the words of `message`.
    #[must_use]
    pub fn check(&self, message: &Message) -> SpeechCheck {
        let claims = &message.parsed().claims;
        let mut check = SpeechCheck::default();
        if claims.is_empty() {
            return check;
        }
        let stated = Stated::new(self.view, self.package(), claims);
        for claim in claims.iter().filter(|claim| claim.polarity != Polarity::Question) {
            self.check_claim(claim, &stated, &mut check);
        }
        check
    }

    fn check_claim(&self, claim: &Claim, stated: &Stated<'_>, check: &mut SpeechCheck) {
        let mut fault = |kind| check.faults.push(SpeechFault { kind, claim: claim.kind(), span: claim.span });
        let own = claim.subject == Subject::Own;
        let asserted = claim.polarity == Polarity::Asserted;
        let mut permission = None;
        match claim.kind() {
            ClaimKind::Price
            | ClaimKind::Discount
            | ClaimKind::PaymentDays
            | ClaimKind::Delivery
            | ClaimKind::DeliveryTerms
            | ClaimKind::Quantity
            | ClaimKind::Service
            | ClaimKind::Warranty
            | ClaimKind::Term
                if own =>
            {
                match (claim.polarity, stated.fit(&claim.statement)) {
                    (Polarity::Asserted, Fit::Differs) => fault(SpeechFaultKind::Mismatch),
                    (Polarity::Asserted | Polarity::Conditional, Fit::NoSuchTerm) => {
                        match PromiseKind::of(claim.kind()) {
                            Some(kind) => permission = Some(Hold::Promise(kind)),
                            None if asserted => fault(SpeechFaultKind::Mismatch),
                            None => {}
                        }
                    }
                    // "95,000 if you pay at once" is no offer, and no way round the price limit either.
                    (Polarity::Conditional, Fit::Differs) if self.beyond_limit(&claim.statement) => {
                        fault(SpeechFaultKind::Unauthorised);
                    }
                    _ => {}
                }
            }
            ClaimKind::Exclusivity | ClaimKind::Guarantee | ClaimKind::VolumePromise
                if own && claim.polarity != Polarity::Negated =>
            {
                permission = PromiseKind::of(claim.kind()).map(Hold::Promise);
            }
            ClaimKind::FinalOffer if own && asserted && !self.is_final() => fault(SpeechFaultKind::Mismatch),
            ClaimKind::Acceptance if own && asserted && *self.act != Act::Accept => fault(SpeechFaultKind::Mismatch),
            ClaimKind::Rejection if own && asserted && *self.act == Act::Accept => fault(SpeechFaultKind::Mismatch),
            ClaimKind::Instruction => fault(SpeechFaultKind::Unauthorised),
            ClaimKind::Limit | ClaimKind::OutsideOption | ClaimKind::Deadline if own => {
                permission = Fact::of(claim).map(Hold::Disclosure);
            }
            ClaimKind::Approval if asserted => permission = Fact::of(claim).map(Hold::Disclosure),
            _ => {}
        }
        if facts::truth(self, claim) == Some(false) {
            fault(SpeechFaultKind::FalseStatement);
        }
        if self.ledger.contradicts(self.view.seat, claim, FIGURE_TOLERANCE * self.view.own.yardstick) {
            fault(SpeechFaultKind::Contradiction);
        }
        if let Some(hold) = permission {
            let mandate = self.view.mandate;
            let permission = match &hold {
                Hold::Promise(kind) => mandate.promises.of(*kind),
                Hold::Disclosure(fact) => mandate.disclosures.of(*fact),
                _ => Permission::Forbidden,
            };
            match self.words.of(&hold, permission) {
                Answer::Yes => {}
                Answer::No => fault(SpeechFaultKind::Unauthorised),
                Answer::Ask => check.hold = check.hold.take().or(Some(hold)),
            }
        }
    }

    /// Whether the move is best and final: declared so, or the repetition of one that was.
    fn is_final(&self) -> bool {
        match self.act {
            Act::Offer { is_final: true, .. } => true,
            Act::Offer { offer, .. } => self.view.own_last() == Some(offer) && self.ledger.final_declared(self.view),
            Act::Pass | Act::WalkAway => self.ledger.final_declared(self.view),
            Act::Accept => false,
        }
    }

    fn beyond_limit(&self, statement: &Statement) -> bool {
        let (Statement::Price(price), Some(limit)) = (statement, self.view.mandate.price_limit) else { return false };
        match self.view.seat {
            crate::Seat::Buyer => price.high > limit,
            crate::Seat::Supplier => price.low < limit,
        }
    }
}

impl Canonical for SpeechFault {
    fn feed(&self, hasher: &mut Hasher) {
        (self.kind as u8).feed(hasher);
        (self.claim as u8).feed(hasher);
        self.span.start.feed(hasher);
        self.span.end.feed(hasher);
    }
}
