//! The canonical bytes of a negotiation: what is played, by whom and what came of it.

use super::{Canonical, Hasher};
use crate::action::{Act, Action, Move};
use crate::counterpart::Counterpart;
use crate::event::{Ending, Event, Outcome, Ruling};
use crate::guardrail::{Caps, Faults};
use crate::issue::{Grid, Value};
use crate::outcome::{Offer, OutcomeSpace, Terms};
use crate::party::{PartyType, Seat};
use crate::scenario::{PublicScenario, Scenario};

impl Canonical for Seat {
    fn feed(&self, hasher: &mut Hasher) {
        (*self as u8).feed(hasher);
    }
}

impl Canonical for Offer {
    fn feed(&self, hasher: &mut Hasher) {
        self.indices().feed(hasher);
    }
}

impl Canonical for Value {
    fn feed(&self, hasher: &mut Hasher) {
        match self {
            Self::Label(label) => {
                0_u8.feed(hasher);
                label.feed(hasher);
            }
            Self::Integer(number) => {
                1_u8.feed(hasher);
                number.feed(hasher);
            }
            Self::Money(money) => {
                2_u8.feed(hasher);
                money.0.feed(hasher);
            }
        }
    }
}

impl Canonical for Terms {
    fn feed(&self, hasher: &mut Hasher) {
        match self {
            Self::Offer(offer) => {
                0_u8.feed(hasher);
                offer.feed(hasher);
            }
            Self::Stated(values) => {
                1_u8.feed(hasher);
                values.feed(hasher);
            }
        }
    }
}

impl Canonical for Action {
    fn feed(&self, hasher: &mut Hasher) {
        match self {
            Self::Offer { terms, is_final } => {
                0_u8.feed(hasher);
                terms.feed(hasher);
                is_final.feed(hasher);
            }
            Self::Accept => 1_u8.feed(hasher),
            Self::Pass => 2_u8.feed(hasher),
            Self::WalkAway => 3_u8.feed(hasher),
            Self::Forfeit => 4_u8.feed(hasher),
        }
    }
}

impl Canonical for Act {
    fn feed(&self, hasher: &mut Hasher) {
        match self {
            Self::Offer { offer, is_final } => {
                0_u8.feed(hasher);
                offer.feed(hasher);
                is_final.feed(hasher);
            }
            Self::Accept => 1_u8.feed(hasher),
            Self::Pass => 2_u8.feed(hasher),
            Self::WalkAway => 3_u8.feed(hasher),
        }
    }
}

impl Canonical for Move {
    fn feed(&self, hasher: &mut Hasher) {
        self.seat.feed(hasher);
        self.round.feed(hasher);
        self.act.feed(hasher);
        self.message.feed(hasher);
    }
}

impl Canonical for Faults {
    fn feed(&self, hasher: &mut Hasher) {
        [self.structural, self.concession_rate, self.floor, self.phase].as_slice().feed(hasher);
    }
}

impl Canonical for Ruling {
    fn feed(&self, hasher: &mut Hasher) {
        match self {
            Self::Applied => 0_u8.feed(hasher),
            Self::Corrected => 1_u8.feed(hasher),
            Self::Refused(refusal) => {
                2_u8.feed(hasher);
                refusal.feed(hasher);
            }
            Self::FellBack(refusal) => {
                3_u8.feed(hasher);
                refusal.feed(hasher);
            }
            Self::Held(hold) => {
                4_u8.feed(hasher);
                hold.feed(hasher);
            }
            Self::Approved(hold) => {
                5_u8.feed(hasher);
                hold.feed(hasher);
            }
            Self::Denied(hold) => {
                6_u8.feed(hasher);
                hold.feed(hasher);
            }
            Self::Mismatch => 7_u8.feed(hasher),
            Self::Forfeited => 8_u8.feed(hasher),
        }
    }
}

impl Canonical for Event {
    fn feed(&self, hasher: &mut Hasher) {
        self.seat.feed(hasher);
        self.round.feed(hasher);
        self.intent.map(|intent| intent as u8).feed(hasher);
        self.action.feed(hasher);
        self.faults.feed(hasher);
        self.ruling.feed(hasher);
        self.made.feed(hasher);
        self.escalated.feed(hasher);
        self.intervened.feed(hasher);
        self.speech.as_slice().feed(hasher);
        self.withheld.feed(hasher);
        // Single negotiations keep the digests that they had before there were series.
        if self.contract > 0 {
            self.contract.feed(hasher);
        }
    }
}

impl Canonical for Outcome {
    fn feed(&self, hasher: &mut Hasher) {
        match &self.ending {
            Ending::Agreement { offer, by } => {
                0_u8.feed(hasher);
                offer.feed(hasher);
                by.feed(hasher);
            }
            Ending::WalkedAway { by } => {
                1_u8.feed(hasher);
                by.feed(hasher);
            }
            Ending::Deadline => 2_u8.feed(hasher),
            Ending::BrokenOff => 3_u8.feed(hasher),
        }
        self.round.feed(hasher);
    }
}

impl Canonical for OutcomeSpace {
    fn feed(&self, hasher: &mut Hasher) {
        (self.issues().len() as u64).feed(hasher);
        for issue in self.issues() {
            issue.name.feed(hasher);
            (issue.role as u8).feed(hasher);
            match &issue.grid {
                Grid::Labels(labels) => {
                    0_u8.feed(hasher);
                    labels[..].feed(hasher);
                }
                Grid::Integers { first, step, count } => {
                    1_u8.feed(hasher);
                    first.feed(hasher);
                    step.feed(hasher);
                    count.feed(hasher);
                }
                Grid::Money { floor, tick, count } => {
                    2_u8.feed(hasher);
                    floor.0.feed(hasher);
                    tick.0.feed(hasher);
                    count.feed(hasher);
                }
            }
        }
    }
}

impl Canonical for Caps {
    fn feed(&self, hasher: &mut Hasher) {
        let caps = [self.concession_rate, self.floor, self.opening, self.bargaining, self.closing, self.last];
        caps.as_slice().feed(hasher);
    }
}

impl Canonical for PublicScenario {
    /// The prior and the families' descriptions are the suite's: its digest stands in the manifest.
    fn feed(&self, hasher: &mut Hasher) {
        self.name.feed(hasher);
        self.space.feed(hasher);
        self.status_quo.feed(hasher);
        self.rounds.feed(hasher);
        self.opener.feed(hasher);
        [self.phases.opening, self.phases.bargaining, self.phases.closing].as_slice().feed(hasher);
        self.guardrails.feed(hasher);
        self.hazard.feed(hasher);
        self.discount.as_slice().feed(hasher);
        self.speech.feed(hasher);
    }
}

impl Canonical for PartyType {
    fn feed(&self, hasher: &mut Hasher) {
        self.utility.feed(hasher);
        self.disagreement.feed(hasher);
        self.deadline.feed(hasher);
        self.parameters.as_slice().feed(hasher);
    }
}

impl Canonical for Counterpart {
    /// The drawn parameters as Rust writes them: floats in their shortest form that reads back to the same bits.
    fn feed(&self, hasher: &mut Hasher) {
        self.family.feed(hasher);
        format!("{:?} {:?}", self.policy, self.voice).as_str().feed(hasher);
    }
}

impl Canonical for Scenario {
    fn feed(&self, hasher: &mut Hasher) {
        self.public.feed(hasher);
        self.types.as_slice().feed(hasher);
        self.mandates.as_slice().feed(hasher);
        self.principals.as_slice().feed(hasher);
        self.seat.feed(hasher);
        self.counterpart.feed(hasher);
        self.break_off.feed(hasher);
    }
}
