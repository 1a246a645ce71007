//! By how much straight lines miss what a mind asks for.
//!
//! The second-order filter's correction (Athans, Wishner and Bertolini 1968): with H the second derivatives of a formula and P
//! the covariance of what enters it, its mean is off by `tr(HP) / 2` and the observation has `tr(HPHP) / 2` of variance more.
//! Without it a filter takes its own bends for news and becomes too sure.

use super::belief::Hypothesis;
use super::mind::Asked;
use super::number::Dual;
use super::valuation::{EXPONENT, FIRST, INITIAL, LAST};

/// What straight lines leave out of one observation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Bend {
    /// How far the mean is above the formula at the mean, in units.
    pub(super) shift: f64,
    /// Variance besides that of the straight lines.
    pub(super) variance: f64,
}

/// The bend of what `hypothesis` asks for: its aspirations are shares of a yardstick that is itself unknown (`rises`: by how
/// much that rises with the disagreement share), and follow a curve in the exponent at clock `clock`.
pub(super) fn bend(
    hypothesis: &Hypothesis,
    asked: &Asked<Dual>,
    yardstick: f64,
    rises: f64,
    clock: Option<f64>,
) -> Bend {
    const PARTS: [usize; 4] = [INITIAL, LAST, EXPONENT, FIRST];
    let (state, slopes) = (&hypothesis.state, &asked.ask.slopes);
    let mut second = [[0.0; 4]; 4];
    let mut put = |one: usize, other: usize, value: f64| {
        second[one][other] = value;
        second[other][one] = value;
    };
    if rises != 0.0 && yardstick > 0.0 {
        for part in [INITIAL, LAST, EXPONENT] {
            put(part, 3, rises * slopes[part] / yardstick);
        }
    }
    if let Some(clock) = clock.filter(|clock| *clock > 0.0 && *clock < 1.0) {
        let power = libm::log(clock) * libm::exp(-state.mean[EXPONENT]);
        let conceded = libm::exp(power);
        let (first, curved) = (-power * conceded, conceded * power * (1.0 + power));
        put(INITIAL, EXPONENT, -yardstick * first);
        put(LAST, EXPONENT, yardstick * first);
        put(EXPONENT, EXPONENT, -yardstick * (state.mean[INITIAL] - state.mean[LAST]) * curved);
    }
    let mut product = [[0.0; 4]; 4];
    for (row, line) in product.iter_mut().enumerate() {
        for (column, cell) in line.iter_mut().enumerate() {
            *cell = (0..4).map(|k| second[row][k] * state.covariance_of(PARTS[k], PARTS[column])).sum();
        }
    }
    let trace: f64 = (0..4).map(|part| product[part][part]).sum();
    let square: f64 =
        (0..4).map(|row| (0..4).map(|column| product[row][column] * product[column][row]).sum::<f64>()).sum();
    Bend { shift: 0.5 * trace, variance: 0.5 * square.max(0.0) }
}

#[cfg(test)]
mod tests {
    use super::super::belief::Hypothesis;
    use super::super::family::{Candour, Moments, Seed};
    use super::super::gaussian::Gaussian;
    use super::super::mind::{Manner, Mind, Turn};
    use super::super::number::Dual;
    use super::super::valuation::{EXPONENT, FIRST, INITIAL};
    use super::bend;
    use zopa_envs::StreamKey;

    #[test]
    fn the_correction_is_what_draws_from_the_belief_show() {
        let moments = Moments { mean: 0.0, variance: 1.0 };
        let seed = Seed {
            family: None,
            weight: 1.0,
            manner: Manner::Clock,
            selection: None,
            deadline: None,
            candour: Candour::Silent,
            initial: moments,
            last: moments,
            log_exponent: moments,
            noise: 0.0,
            drift: 0.0,
        };
        let state = Gaussian::independent(vec![0.16, 0.012, -0.9, 0.0], &[2.4e-3, 2e-5, 0.05, 5e-4]);
        let hypothesis = Hypothesis::of(seed, state);
        let asks = |state: &[f64]| {
            let part = |index: usize| Dual::component(state[index], index);
            let traits = super::super::mind::Traits {
                initial: part(INITIAL),
                last: part(1),
                log_exponent: part(EXPONENT),
                yardstick: Dual { value: 1.0 + state[FIRST], ..Dual::component(0.0, FIRST) },
                origin: part(FIRST),
                sign: 1.0,
            };
            let turn = Turn { round: 12, rounds: 20, discount: 1.0, signals: [0.0; 3] };
            Mind::<Dual>::new().turn(&Manner::Clock, &traits, turn)
        };
        let asked = asks(&hypothesis.state.mean);
        let found = bend(&hypothesis, &asked, 1.0, 1.0, Some(12.0 / 19.0));
        let mut stream = StreamKey::new("bend", &[]).stream(0);
        let (mut sum, mut squares) = (0.0, 0.0);
        const DRAWS: u32 = 1_000_000;
        for _ in 0..DRAWS {
            let mut normal = |deviation: f64| deviation * (0..12).map(|_| stream.uniform() - 0.5).sum::<f64>();
            let away: Vec<f64> = [2.4e-3, 2e-5, 0.05, 5e-4].iter().map(|&v| normal(libm::sqrt(v))).collect();
            let at: Vec<f64> = hypothesis.state.mean.iter().zip(&away).map(|(mean, by)| mean + by).collect();
            let straight: f64 = asked.ask.slopes.iter().zip(&away).map(|(slope, by)| slope * by).sum();
            let miss = asks(&at).ask.value - asked.ask.value - straight;
            sum += miss;
            squares += miss * miss;
        }
        let mean = sum / f64::from(DRAWS);
        let variance = squares / f64::from(DRAWS) - mean * mean;
        assert!((found.shift / mean - 1.0).abs() < 0.15, "{found:?}, drawn {mean}");
        assert!((found.variance / variance - 1.0).abs() < 0.4, "{found:?}, drawn {variance}");
    }
}
