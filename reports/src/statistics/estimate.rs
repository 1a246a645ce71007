use serde::{Deserialize, Serialize};

/// A score with its interval, as `summary.json` holds it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// The score over all episodes that count towards it.
    pub value: f64,
    /// Lower end of the 95 % interval, in the score's unit.
    pub low: f64,
    /// Upper end of the 95 % interval, in the score's unit.
    pub high: f64,
    /// Episodes that count towards the score.
    pub n: u64,
}

impl Estimate {
    /// True where the interval lies wholly above zero or wholly below it.
    pub fn excludes_zero(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}
