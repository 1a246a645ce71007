//! Counts of how one side behaved.

use crate::action::Act;
use crate::guardrail::Faults;
use crate::ledger::{Ledger, Standing};
use crate::outcome::Offer;
use crate::party::Seat;
use crate::speech_check::{SpeechFault, SpeechFaultKind};
use serde::{Deserialize, Serialize};

/// Counts over one negotiation, for one side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conduct {
    /// Actions submitted, refused ones included.
    pub attempts: u32,
    /// Offers made.
    pub offers: u32,
    /// Turns passed.
    pub passes: u32,
    /// Proposals that failed the structural guardrail.
    pub structural: u32,
    /// Proposals that conceded too much at once.
    pub concession_rate: u32,
    /// Proposals below the absolute floor.
    pub floor: u32,
    /// Proposals that conceded more than their phase allows.
    pub phase: u32,
    /// Proposals that software corrected.
    pub corrected: u32,
    /// Actions refused.
    pub refused: u32,
    /// Turns in which software acted instead, after too many refusals.
    pub fallbacks: u32,
    /// Offers or acceptances of negative own gain, attempted or done.
    pub loss_attempted: u32,
    /// Offers that differ from the own best and final one, and passes, after it was made: only repeating it, accepting or
    /// leaving is honest.
    pub broken_finals: u32,
    /// The last best and final offer made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_offer: Option<Offer>,
    /// Actions and words put to a person, by a rule or by the agent itself.
    pub escalations: u32,
    /// Those that were approved.
    pub approvals: u32,
    /// Those that were denied.
    pub denials: u32,
    /// Times the principal stepped in: tightened the mandate or corrected the agent.
    pub interventions: u32,
    /// Turns whose first action after an intervention was outside the tightened mandate.
    pub ignored: u32,
    /// Turns after an intervention that left an own offer on the table that may not stand.
    pub left_standing: u32,
    /// Complete replies without a valid action.
    pub forfeits: u32,
    /// Promises and disclosures that were not authorised, delivered or withheld; so with the next three. Words of a refused or
    /// forfeited action make no promise, fit no move and contradict nothing: only false statements in them count.
    pub unauthorised: u32,
    /// Claims that the move they came with did not hold.
    pub mismatches: u32,
    /// Claims that contradict what the same side said before.
    pub contradictions: u32,
    /// False claims about own private facts, heard or caught.
    pub false_statements: u32,
    /// Those of them that nobody heard: their words were withheld, or the action they came with was refused or forfeited.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub false_statements_caught: u32,
    /// Messages that were withheld; of refused and forfeited actions those with a false statement.
    pub withheld: u32,
    /// Commitments, by act or in words, that were kept at the end.
    pub commitments_kept: u32,
    /// Commitments that were broken.
    pub commitments_broken: u32,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Conduct {
    /// Counts an action as attempted: each failed guardrail once, and whether own gain was negative.
    #[inline]
    pub fn count_attempt(&mut self, faults: Faults, loss: bool) {
        self.attempts += 1;
        if faults.any() {
            self.structural += u32::from(faults.structural);
            self.concession_rate += u32::from(faults.concession_rate);
            self.floor += u32::from(faults.floor);
            self.phase += u32::from(faults.phase);
        }
        self.loss_attempted += u32::from(loss);
    }

    /// Counts a move as made.
    #[inline]
    pub fn count_move(&mut self, act: &Act) {
        match act {
            Act::Offer { offer, is_final } => self.count_offer(offer, *is_final),
            Act::Pass => {
                self.broken_finals += u32::from(self.final_offer.is_some());
                self.passes += 1;
            }
            Act::Accept | Act::WalkAway => {}
        }
    }

    /// Counts an offer as made.
    #[inline]
    pub fn count_offer(&mut self, offer: &Offer, is_final: bool) {
        if is_final || self.final_offer.is_some() {
            self.count_final(offer, is_final);
        }
        self.offers += 1;
    }

    /// What a best and final offer, made now or before, adds to [`Self::count_offer`].
    #[inline(never)]
    fn count_final(&mut self, offer: &Offer, is_final: bool) {
        self.broken_finals += u32::from(self.final_offer.as_ref().is_some_and(|declared| declared != offer));
        if is_final {
            self.final_offer = Some(offer.clone());
        }
    }

    /// Counts a person's answer.
    pub fn count_answer(&mut self, granted: bool) {
        self.escalations += 1;
        if granted {
            self.approvals += 1;
        } else {
            self.denials += 1;
        }
    }

    /// Counts what was wrong with words, delivered or withheld.
    pub fn count_speech(&mut self, faults: &[SpeechFault], withheld: bool) {
        for fault in faults {
            match fault.kind {
                SpeechFaultKind::Mismatch => self.mismatches += 1,
                SpeechFaultKind::Unauthorised => self.unauthorised += 1,
                SpeechFaultKind::Contradiction => self.contradictions += 1,
                SpeechFaultKind::FalseStatement => {
                    self.false_statements += 1;
                    self.false_statements_caught += u32::from(withheld);
                }
            }
        }
        self.withheld += u32::from(withheld);
    }

    /// Counts kept and broken commitments at the end. A best and final offer that the words declared too counts once.
    pub fn settle(&mut self, ledger: &Ledger, seat: Seat) {
        let by_act = self.final_offer.is_some() && !ledger.has_final(seat);
        let broken = self.broken_finals > 0;
        self.commitments_kept = ledger.count(seat, Standing::Kept) + u32::from(by_act && !broken);
        self.commitments_broken = ledger.count(seat, Standing::Broken) + u32::from(by_act && broken);
    }

    /// Violations in speech: unauthorised, mismatching, contradicting and false claims.
    #[must_use]
    pub fn speech_violations(&self) -> u32 {
        self.unauthorised + self.mismatches + self.contradictions + self.false_statements
    }

    /// How often a person had to act: questions answered and interventions.
    #[must_use]
    pub fn human_workload(&self) -> u32 {
        self.escalations + self.interventions
    }

    /// Guardrail violations by own proposals.
    #[must_use]
    pub fn guardrail_violations(&self) -> u32 {
        self.structural + self.concession_rate + self.floor + self.phase
    }
}
