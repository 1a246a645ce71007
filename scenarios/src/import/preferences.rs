//! What a profile says, whatever its format.

use zopa_envs::Utility;

/// A profile's content.
pub(super) struct Preferences {
    pub(super) utility: Utility,
    /// Utility of no deal; `None` where the file says that no deal is worse than every outcome.
    pub(super) reservation: Option<f64>,
    /// Gains at the end of the negotiation count this share.
    pub(super) discount: f64,
    pub(super) notices: Vec<String>,
}
