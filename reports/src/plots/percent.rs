use crate::statistics::Estimate;

/// A share as a percentage with one decimal place, "71.0 %"; minus zero reads as zero.
pub fn percent(share: f64) -> String {
    let text = format!("{:.1}", share * 100.0);
    let text = if text == "-0.0" { "0.0" } else { &text };
    format!("{} %", text.replace('-', "\u{2212}"))
}

/// An estimate with its 95 % interval: "71.0 % [67.0, 75.0]".
pub fn percent_interval(estimate: &Estimate) -> String {
    let bare = |share| percent(share).trim_end_matches(" %").to_owned();
    format!("{} [{}, {}]", percent(estimate.value), bare(estimate.low), bare(estimate.high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_reads_as_a_percentage_with_its_interval() {
        let estimate = Estimate { value: 0.71, low: -0.005, high: 0.75, n: 500 };
        assert_eq!(percent_interval(&estimate), "71.0 % [\u{2212}0.5, 75.0]");
        assert_eq!(percent(-0.0001), "0.0 %");
    }
}
