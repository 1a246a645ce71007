use serde::{Deserialize, Serialize};

use super::CONFIDENCE;
use super::beta::bisect_unit_interval;

/// How many episodes a paired comparison needs to see a difference of a given size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PowerNote {
    /// The difference to be seen, in the score's unit.
    pub difference: f64,
    /// Chance of seeing it.
    pub power: f64,
    /// Scenarios needed; `None` where the difference is zero, so that no number would do.
    pub scenarios: Option<u64>,
    /// Episodes needed for each agent; `None` as above.
    pub episodes: Option<u64>,
}

impl PowerNote {
    /// Power that a note is made for.
    pub const POWER: f64 = 0.80;

    /// The two-sided normal approximation n = (z_{1-alpha/2} + z_{power})^2 * variance / difference^2 (Cohen 1988) at
    /// the reports' confidence level and 80 % power. `scenario_variance` is the variance of one scenario's paired
    /// difference, `episodes_per_scenario` how often each agent plays a scenario (both seats, repeats).
    pub fn new(scenario_variance: f64, difference: f64, episodes_per_scenario: u32) -> Self {
        let z = standard_normal_quantile((1.0 + CONFIDENCE) / 2.0) + standard_normal_quantile(Self::POWER);
        let needed = (z * z * scenario_variance / (difference * difference)).ceil();
        // Fewer than two scenarios have no variance to estimate, whatever the formula says.
        let scenarios = needed.is_finite().then_some((needed as u64).max(2));
        let episodes = scenarios.map(|count| count.saturating_mul(u64::from(episodes_per_scenario)));
        Self { difference, power: Self::POWER, scenarios, episodes }
    }
}

/// The z with P(Z <= z) = `probability` for a standard normal Z, within [-40, 40].
pub fn standard_normal_quantile(probability: f64) -> f64 {
    const RADIUS: f64 = 40.0;
    let at = |x: f64| RADIUS * (2.0 * x - 1.0);
    let cumulative = |x: f64| libm::erfc(-at(x) * std::f64::consts::FRAC_1_SQRT_2) / 2.0;
    at(bisect_unit_interval(probability, cumulative))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_quantile_matches_scipy() {
        // scipy.stats.norm.ppf(p), SciPy 1.17.1
        for (probability, expected) in [
            (0.5, 0.0),
            (0.8, 0.841_621_233_572_914_3),
            (0.9, 1.281_551_565_544_600_4),
            (0.975, 1.959_963_984_540_054),
            (0.995, 2.575_829_303_548_900_4),
            (1e-10, -6.361_340_902_404_056),
            (0.999_999, 4.753_424_308_817_087),
        ] {
            let found = standard_normal_quantile(probability);
            assert!((found - expected).abs() < 1e-9, "{probability}: {found}, not {expected}");
        }
    }

    #[test]
    fn a_difference_half_the_size_needs_four_times_the_scenarios() {
        // (1.959964 + 0.841621)^2 * 0.04 / 0.01^2 = 3139.55
        assert_eq!(PowerNote::new(0.04, 0.01, 2).scenarios, Some(3140));
        assert_eq!(PowerNote::new(0.04, 0.01, 2).episodes, Some(6280));
        assert_eq!(PowerNote::new(0.04, 0.02, 2).scenarios, Some(785));
    }

    #[test]
    fn no_number_of_episodes_shows_a_difference_of_zero() {
        let note = PowerNote::new(0.04, 0.0, 2);
        assert_eq!((note.scenarios, note.episodes), (None, None));
    }
}
