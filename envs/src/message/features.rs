//! Bounded features of a message, extracted alike from every speaker, that the listening counterparts respond to.

use super::claim::{Claim, Polarity};
use super::stated_value::Tone;
use super::statement::Statement;
use serde::{Deserialize, Serialize};

/// What a message does, each in [0, 1]; 0 for the empty message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MessageFeatures {
    /// Different kinds of reason given, of [`Self::FULL_REASONS`].
    pub reasons: f64,
    /// Polite forms less twice the hostile ones, of [`Self::FULL_COURTESY`].
    pub courtesy: f64,
    /// Hostile forms, of [`Self::FULL_HOSTILITY`].
    pub hostility: f64,
    /// Times the other side's points are taken up, of [`Self::FULL_ACKNOWLEDGEMENT`].
    pub acknowledgement: f64,
    /// References to one's own earlier statements, of [`Self::FULL_CONSISTENCY`].
    pub consistency: f64,
    /// Outside options, limits and approvals asserted in a message that gives no reason, of [`Self::FULL_UNSUPPORTED`].
    pub unsupported: f64,
    /// Threats, haste, final offers, deadlines and requests for promises or exceptions, of [`Self::FULL_PRESSURE`].
    pub pressure: f64,
}

impl MessageFeatures {
    /// Different reasons that count in full.
    pub const FULL_REASONS: u32 = 3;
    /// Polite forms that count in full.
    pub const FULL_COURTESY: u32 = 2;
    /// Hostile forms that count in full.
    pub const FULL_HOSTILITY: u32 = 2;
    /// Acknowledgements that count in full.
    pub const FULL_ACKNOWLEDGEMENT: u32 = 2;
    /// References to earlier statements that count in full.
    pub const FULL_CONSISTENCY: u32 = 2;
    /// Unsupported claims that count in full.
    pub const FULL_UNSUPPORTED: u32 = 3;
    /// Acts of pressure that count in full.
    pub const FULL_PRESSURE: u32 = 3;

    /// The features of these claims, with the count of references to earlier statements.
    #[must_use]
    pub fn of(claims: &[Claim], consistency_hooks: u32) -> Self {
        let count = |wanted: &dyn Fn(&Claim) -> bool| claims.iter().filter(|claim| wanted(claim)).count() as u32;
        let tone = |tone: Tone| count(&|claim| claim.statement == Statement::Tone(tone));
        let mut reasons = 0u32;
        for claim in claims {
            if let Statement::Reason(reason) = claim.statement {
                reasons |= 1 << reason as u32;
            }
        }
        let unsupported = count(&|claim| {
            claim.polarity == Polarity::Asserted
                && matches!(claim.statement, Statement::OutsideOption(_) | Statement::Limit(_) | Statement::Approval)
        });
        let pressure = tone(Tone::Pressing)
            + count(&|claim| {
                claim.polarity != Polarity::Negated
                    && matches!(
                        claim.statement,
                        Statement::FinalOffer
                            | Statement::Deadline(_)
                            | Statement::PromiseRequest
                            | Statement::ExceptionRequest
                    )
            });
        let polite = tone(Tone::Polite).saturating_sub(2 * tone(Tone::Hostile));
        Self {
            reasons: share(reasons.count_ones(), Self::FULL_REASONS),
            courtesy: share(polite, Self::FULL_COURTESY),
            hostility: share(tone(Tone::Hostile), Self::FULL_HOSTILITY),
            acknowledgement: share(tone(Tone::Acknowledging), Self::FULL_ACKNOWLEDGEMENT),
            consistency: share(consistency_hooks, Self::FULL_CONSISTENCY),
            unsupported: if reasons == 0 { share(unsupported, Self::FULL_UNSUPPORTED) } else { 0.0 },
            pressure: share(pressure, Self::FULL_PRESSURE),
        }
    }
}

fn share(count: u32, full: u32) -> f64 {
    f64::from(count.min(full)) / f64::from(full)
}
