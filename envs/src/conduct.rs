//! Counts of how one side behaved.

use crate::action::Act;
use crate::guardrail::Faults;
use crate::outcome::Offer;
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
    /// Offers that differ from an own earlier best and final one.
    pub broken_finals: u32,
    /// Whether a best and final offer was made.
    pub declared_final: bool,
}

impl Conduct {
    /// Counts an action as attempted: each failed guardrail once, and whether own gain was negative.
    pub fn count_attempt(&mut self, faults: Faults, loss: bool) {
        self.attempts += 1;
        self.structural += u32::from(faults.structural);
        self.concession_rate += u32::from(faults.concession_rate);
        self.floor += u32::from(faults.floor);
        self.phase += u32::from(faults.phase);
        self.loss_attempted += u32::from(loss);
    }

    /// Counts a move as made, after `last`, the same side's last offer.
    pub fn count_move(&mut self, act: &Act, last: Option<&Offer>) {
        match act {
            Act::Offer { offer, is_final } => {
                // After a best and final offer only repeating it is honest.
                self.broken_finals += u32::from(self.declared_final && last != Some(offer));
                self.declared_final |= is_final;
                self.offers += 1;
            }
            Act::Pass => self.passes += 1,
            Act::Accept | Act::WalkAway => {}
        }
    }

    /// Guardrail violations by own proposals.
    #[must_use]
    pub fn guardrail_violations(&self) -> u32 {
        self.structural + self.concession_rate + self.floor + self.phase
    }
}
