use zopa_envs::message::accuracy::Counts;

use super::bootstrap::{Bootstrap, percentile_interval};
use super::estimate::Estimate;
use super::ratio::{RatioColumn, StatisticsError};
use super::strata::{Strata, labelled_stream, uniform_below};

impl Bootstrap {
    /// A rate of episodes in which something was read, corrected for what the reader reads wrongly and misses: the rate times
    /// precision over recall, at most 1: of what is read the share `precision` is there, and what is there is read with `recall`.
    ///
    /// Precision moves with how common the claims are. The correction takes them to be as common, and as mixed with what looks
    /// like them, as in the labelled messages behind `counts`; where they are rarer, the corrected rate is too high.
    ///
    /// The interval holds both uncertainties: each replicate resamples the scenarios as [`Self::estimates`] does and the
    /// labelled claims behind `counts` (Efron 1979). It takes an episode to hold one such claim or none, which suits rare
    /// violations, and the reader to read these speakers as it read the labelled messages. `None` where the rate is zero or
    /// has no value: nothing that was read can be corrected then.
    ///
    /// # Errors
    /// Where the column reaches past the last cluster.
    pub fn corrected(
        &self,
        strata: &Strata,
        column: &RatioColumn,
        counts: Counts,
    ) -> Result<Option<Estimate>, StatisticsError> {
        column.check_within(strata)?;
        let factor = |hits: u32, false_alarms: u32, misses: u32| {
            f64::from(hits) / f64::from(hits + false_alarms) / (f64::from(hits) / f64::from(hits + misses))
        };
        let (Some(rate), true) = (column.value().filter(|rate| *rate > 0.0), counts.hits > 0) else {
            return Ok(None);
        };
        let claims = counts.hits + counts.false_alarms + counts.misses;
        let rows = self.replicate(strata, 1, |weights, row| row[0] = column.weighted_value(weights));
        let mut replicates: Vec<f64> = (0..self.replicates)
            .zip(rows)
            .map(|(replicate, row)| {
                let mut stream = labelled_stream(self.seed, replicate);
                let (mut hits, mut false_alarms, mut misses) = (0, 0, 0);
                for _ in 0..claims {
                    match uniform_below(&mut stream, claims) {
                        drawn if drawn < counts.hits => hits += 1,
                        drawn if drawn < counts.hits + counts.false_alarms => false_alarms += 1,
                        _ => misses += 1,
                    }
                }
                (row[0] * factor(hits, false_alarms, misses)).min(1.0)
            })
            .collect();
        let value = (rate * factor(counts.hits, counts.false_alarms, counts.misses)).min(1.0);
        let (low, high) = percentile_interval(&mut replicates, self.confidence).unwrap_or((value, value));
        Ok(Some(Estimate { value, low, high, n: column.episodes() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One episode a scenario, of which every fifth has what is read.
    fn fifth(scenarios: u32) -> RatioColumn {
        RatioColumn::rate(0, (0..scenarios).map(|scenario| (f64::from(u8::from(scenario % 5 == 0)), 1.0)))
            .expect("valid")
    }

    fn corrected(counts: Counts) -> Option<Estimate> {
        let strata = Strata::unstratified(200);
        Bootstrap::default().corrected(&strata, &fifth(200), counts).expect("in range")
    }

    #[test]
    fn a_reader_without_faults_changes_nothing() {
        let strata = Strata::unstratified(200);
        let plain = Bootstrap::default().estimates(&strata, &[fifth(200)]).expect("in range")[0];
        assert_eq!(corrected(Counts::new(50, 0, 0)), plain);
    }

    #[test]
    fn false_alarms_lower_a_rate_and_misses_raise_it() {
        // 0.2 * (80 / 100) / (80 / 80), and 0.2 * (80 / 80) / (80 / 100)
        let lowered = corrected(Counts::new(80, 20, 0)).expect("a rate");
        let raised = corrected(Counts::new(80, 0, 20)).expect("a rate");
        assert!((lowered.value - 0.16).abs() < 1e-12 && (raised.value - 0.25).abs() < 1e-12);
        assert!(lowered.low < lowered.value && lowered.value < lowered.high);
    }

    #[test]
    fn fewer_labelled_claims_widen_the_interval() {
        let width = |counts| corrected(counts).map(|estimate| estimate.high - estimate.low).expect("a rate");
        assert!(width(Counts::new(8, 2, 2)) > 1.2 * width(Counts::new(800, 200, 200)));
    }

    #[test]
    fn what_was_never_read_or_never_labelled_is_not_corrected() {
        assert_eq!(corrected(Counts::new(0, 3, 3)), None);
        let none = RatioColumn::rate(0, [(0.0, 1.0); 5]).expect("valid");
        let strata = Strata::unstratified(5);
        assert_eq!(Bootstrap::default().corrected(&strata, &none, Counts::new(9, 1, 1)), Ok(None));
    }
}
