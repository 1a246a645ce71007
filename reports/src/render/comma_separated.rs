use super::ReportError;
use crate::score::Score;
use crate::summary::{Breakdown, Summary};

pub(super) fn render(summary: &Summary) -> Result<String, ReportError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["agent", "part", "name", "score", "value", "low", "high", "n"])?;
    for (agent, scores) in &summary.agents {
        let mut part = |part: &str, name: &str, breakdown: &Breakdown| {
            for (score, estimate) in breakdown {
                let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(|number| number.to_string());
                let n = estimate.n.to_string();
                writer.write_record([agent.as_str(), part, name, score.name(), &value, &low, &high, &n])?;
            }
            Ok::<_, csv::Error>(())
        };
        part("all", "", &scores.scores)?;
        for (name, breakdown) in &scores.families {
            part("family", name, breakdown)?;
        }
        for (name, breakdown) in &scores.seats {
            part("seat", name, breakdown)?;
        }
        for (quintile, breakdown) in &scores.difficulty {
            part("difficulty", &quintile.to_string(), breakdown)?;
        }
        for (k, &estimate) in &scores.pass {
            part("pass", &k.to_string(), &Breakdown::from([(Score::Pass, estimate)]))?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8(bytes).expect("only UTF-8 text was written"))
}
