/// Holm's step-down correction (Holm 1979): adjusted p-values in the order given, each in [0, 1].
///
/// Rejecting where the adjusted value is at most alpha keeps the chance of any false rejection among the comparisons
/// at or below alpha, whatever their dependence.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest = 0.0_f64;
    for (rank, &index) in order.iter().enumerate() {
        largest = largest.max(((p_values.len() - rank) as f64 * p_values[index]).min(1.0));
        adjusted[index] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_correction_matches_the_worked_example() {
        // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, expected) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - expected).abs() < 1e-12, "{adjusted:?}");
        }
    }

    proptest! {
        #[test]
        fn adjusted_values_keep_the_order_and_lie_between_raw_and_bonferroni(
            p_values in prop::collection::vec(0.0..=1.0_f64, 1..12),
        ) {
            let adjusted = holm(&p_values);
            for (i, (&raw, &new)) in p_values.iter().zip(&adjusted).enumerate() {
                prop_assert!(raw <= new && new <= (raw * p_values.len() as f64).min(1.0));
                for (j, &other) in p_values.iter().enumerate() {
                    prop_assert!(raw > other || new <= adjusted[j], "{i} {j}");
                }
            }
        }
    }
}
