//! Guardrails: four tests that every proposal of a bound party must pass.
//!
//! Let u be own gain and S the party's yardstick ([`crate::PartyType::yardstick`]).
//! *Structural*: complete and on the grid. *Concession rate*: `(u_previous - u_new) / S` at most the rate cap.
//! *Absolute floor*: `u >= -floor * S`. *Phase bound*: the same drop against the phase's cap. The first offer skips rate and
//! phase. A cap is never below the smallest step that the grid allows, or no concession could ever be made.

use crate::party::PartyType;
use crate::phase::Phase;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Slack in gains, relative to the yardstick, so that a move of exactly the cap passes whatever its rounding.
const ROUNDING: f64 = 1e-9;

/// The caps of the four guardrails, as shares of the yardstick.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Caps {
    /// Largest drop of own gain from one own offer to the next.
    pub concession_rate: f64,
    /// Largest loss: own gain stays at or above minus this share.
    pub floor: f64,
    /// Largest drop a move while opening.
    pub opening: f64,
    /// Largest drop a move while bargaining.
    pub bargaining: f64,
    /// Largest drop a move while closing.
    pub closing: f64,
    /// Largest drop a move at the end.
    #[serde(rename = "final")]
    pub last: f64,
}

impl Default for Caps {
    fn default() -> Self {
        Self { concession_rate: 0.08, floor: 0.15, opening: 0.10, bargaining: 0.06, closing: 0.03, last: 0.01 }
    }
}

impl Caps {
    fn phase_cap(&self, phase: Phase) -> f64 {
        match phase {
            Phase::Opening => self.opening,
            Phase::Bargaining => self.bargaining,
            Phase::Closing => self.closing,
            Phase::Final => self.last,
        }
    }

    /// The largest permitted drop of own gain in a move, in units of utility: the stricter of rate and phase cap.
    #[must_use]
    pub fn largest_drop(&self, party: &PartyType, phase: Phase) -> f64 {
        allowance(party, self.concession_rate).min(allowance(party, self.phase_cap(phase)))
    }

    /// The least own gain that the guardrails permit for the next offer.
    #[must_use]
    pub fn least_gain(&self, party: &PartyType, phase: Phase, previous_gain: Option<f64>) -> f64 {
        let floor = -self.floor * party.yardstick;
        previous_gain.map_or(floor, |previous| floor.max(previous - self.largest_drop(party, phase)))
    }

    /// The faults of an offer of own gain `gain` that is on the grid.
    #[must_use]
    #[inline]
    pub fn faults(&self, party: &PartyType, phase: Phase, previous_gain: Option<f64>, gain: f64) -> Faults {
        let slack = ROUNDING * party.yardstick;
        let drop = previous_gain.map_or(f64::NEG_INFINITY, |previous| previous - gain);
        Faults {
            structural: false,
            concession_rate: drop > allowance(party, self.concession_rate) + slack,
            floor: gain < -self.floor * party.yardstick - slack,
            phase: drop > allowance(party, self.phase_cap(phase)) + slack,
        }
    }
}

/// What passes the guardrails in each phase, computed once for a negotiation: the same tests as [`Caps::faults`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The least own gain.
    least_gain: f64,
    /// The largest drop of own gain in a move, by phase.
    drops: [f64; 4],
}

impl Limits {
    /// Without guardrails.
    const NONE: Self = Self { least_gain: f64::NEG_INFINITY, drops: [f64::INFINITY; 4] };

    /// Those of `caps` for `party`.
    #[inline]
    pub(crate) fn of(caps: Option<&Caps>, party: &PartyType) -> Self {
        let Some(caps) = caps else { return Self::NONE };
        let slack = ROUNDING * party.yardstick;
        let rate = allowance(party, caps.concession_rate) + slack;
        let drop = |cap: f64| {
            let drop = allowance(party, cap) + slack;
            if drop < rate { drop } else { rate }
        };
        let drops = [drop(caps.opening), drop(caps.bargaining), drop(caps.closing), drop(caps.last)];
        Self { least_gain: -caps.floor * party.yardstick - slack, drops }
    }

    /// Whether an offer of own gain `gain` on the grid passes, whose predecessor gained `previous`; without one that is minus infinity.
    #[inline]
    pub(crate) fn pass(&self, phase: Phase, previous: f64, gain: f64) -> bool {
        gain >= self.least_gain && previous - gain <= self.drops[phase as usize]
    }
}

/// A cap in units of utility, never below the smallest step.
#[inline]
fn allowance(party: &PartyType, cap: f64) -> f64 {
    let allowed = cap * party.yardstick;
    if allowed > party.smallest_step { allowed } else { party.smallest_step }
}

/// Which guardrails a proposal failed: each counts once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Faults {
    /// Incomplete, off the grid or out of bounds.
    pub structural: bool,
    /// Conceded too much at once.
    pub concession_rate: bool,
    /// Below the absolute floor.
    pub floor: bool,
    /// Conceded more than the phase allows.
    pub phase: bool,
}

impl Faults {
    /// The one fault of a proposal that cannot even be read as an offer.
    pub const STRUCTURAL: Self = Self { structural: true, concession_rate: false, floor: false, phase: false };

    /// None.
    pub(crate) const NONE: Self = Self { structural: false, concession_rate: false, floor: false, phase: false };

    /// How many guardrails failed.
    #[must_use]
    pub fn count(&self) -> u32 {
        u32::from(self.structural) + u32::from(self.concession_rate) + u32::from(self.floor) + u32::from(self.phase)
    }

    /// Whether any failed.
    #[must_use]
    pub fn any(&self) -> bool {
        self.structural | self.concession_rate | self.floor | self.phase
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = [
            (self.structural, "structural"),
            (self.concession_rate, "concession rate"),
            (self.floor, "absolute floor"),
            (self.phase, "phase bound"),
        ];
        let failed: Vec<&str> = named.iter().filter(|(failed, _)| *failed).map(|(_, name)| *name).collect();
        f.pad(&if failed.is_empty() { "none".to_owned() } else { failed.join(", ") })
    }
}
