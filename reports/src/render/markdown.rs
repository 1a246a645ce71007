use super::table::escape_markdown;
use super::{ATTAINABLE, CORRECTED, DIFFICULTY, PASS, REFERENCE, Report};
use crate::score::Score;

pub(super) fn render(report: &Report<'_>) -> String {
    let mut text = format!("# {}\n\n{}.\n", escape_markdown(&report.summary.suite), escape_markdown(&report.caption()));
    let mut section = |title: &str, body: String| text.push_str(&format!("\n## {title}\n\n{body}"));
    for warning in report.warnings() {
        section("Not to be overlooked", escape_markdown(&warning) + "\n");
    }
    let headline = report.headline().markdown();
    section("Scores", format!("Percentages with 95 % intervals.\n\n{headline}\n{REFERENCE}\n"));
    if let Some(gates) = report.gates(false) {
        let notes: String = report.gate_notes().iter().map(|note| format!("\n{note}\n")).collect();
        section("Gates", gates.markdown() + &notes);
    }
    for score in [Score::AgreementRate, Score::SurplusEfficiency] {
        if let Some(table) = report.by_family(score) {
            section(&format!("{} by counterpart family", score.label()), table.markdown());
        }
    }
    section("By seat", report.by_seat().markdown());
    if let Some(table) = report.by_difficulty(Score::SurplusEfficiency) {
        section(
            &format!("{} by difficulty", Score::SurplusEfficiency.label()),
            format!("{DIFFICULTY}\n\n{}", table.markdown()),
        );
    }
    if let Some(table) = report.by_repeats() {
        section("Again and again", format!("{PASS}\n\n{}", table.markdown()));
    }
    if let Some(table) = report.comparisons() {
        section("Against the baseline, on the same scenarios", table.markdown());
    }
    if let Some(table) = report.attainable() {
        section("Share of what was attainable", format!("{ATTAINABLE}\n\n{}", table.markdown()));
    }
    if let Some(table) = report.speech() {
        section("Speech", format!("{CORRECTED}\n\n{}", table.markdown()));
    }
    section("Further scores", report.further_scores().markdown());
    let meanings: String =
        report.explained().map(|score| format!("- **{}**: {}\n", score.label(), score.meaning())).collect();
    section("What each score means", meanings);
    let facts: String = report
        .facts()
        .into_iter()
        .map(|(name, value)| format!("- {}: {}\n", escape_markdown(&name), escape_markdown(&value)))
        .collect();
    section("The run", facts);
    text
}
