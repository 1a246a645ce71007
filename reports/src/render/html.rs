use super::table::escape_html;
use super::{ATTAINABLE, CORRECTED, DIFFICULTY, PASS, REFERENCE, Report, ReportError, pictures};
use crate::manifest::Manifest;
use crate::plots::{Drawing, Theme};
use crate::score::Score;
use crate::statistics::REPLICATES;

const STYLE: &str = include_str!("report.css");

pub(super) fn render(report: &Report<'_>) -> Result<String, ReportError> {
    let mut page = head(&report.summary.suite);
    page.push_str(&format!("<p class=\"caption\">{}.</p>\n", escape_html(&report.caption())));
    for warning in report.warnings() {
        page.push_str(&format!("<p class=\"warning\">{}</p>\n", escape_html(&warning)));
    }
    let mut section = |title: &str, body: &str| {
        page.push_str(&format!("<section>\n<h2>{}</h2>\n{body}</section>\n", escape_html(title)));
    };
    let paragraph = |text: &str| format!("<p>{}</p>\n", escape_html(text));
    let explanation = "Percentages with 95 % intervals. Failed negotiations stay in every denominator; ceilings know \
        what no contender may know and stand outside the ranking.";
    section(
        "Scores",
        &(paragraph(explanation)
            + &report.headline().html()
            + &format!("<p class=\"reference\">{}</p>\n", escape_html(REFERENCE))
            + &figure(&pictures::agents(report).draw())?),
    );
    if let Some(gates) = report.gates(false) {
        let about = "A gated agent's failed gate fails the run; other agents' gates are shown for comparison. The gate \
            on decision latency is a wall-clock figure and stands in timing.json.";
        let notes: String = report.gate_notes().iter().map(|note| paragraph(note)).collect();
        section("Gates", &(paragraph(about) + &gates.html() + &notes));
    }
    let tables: Vec<String> = [Score::AgreementRate, Score::SurplusEfficiency]
        .into_iter()
        .filter_map(|score| Some(format!("<h3>{}</h3>\n{}", score.label(), report.by_family(score)?.html())))
        .collect();
    section("By counterpart family", &(figure(&pictures::families(report).draw())? + &tables.concat()));
    section("By seat", &report.by_seat().html());
    let tables: Vec<String> = [Score::AgreementRate, Score::SurplusEfficiency]
        .into_iter()
        .filter_map(|score| Some(format!("<h3>{}</h3>\n{}", score.label(), report.by_difficulty(score)?.html())))
        .collect();
    if !tables.is_empty() {
        section("By difficulty", &(paragraph(DIFFICULTY) + &tables.concat()));
    }
    if let Some(table) = report.by_repeats() {
        section("Again and again", &(paragraph(PASS) + &table.html()));
    }
    if let Some(table) = report.comparisons() {
        let about = "Differences are taken on the same resampled scenarios for both agents, so what the scenarios share \
            cancels out. The last column is what 80 % power needs at this paired variance.";
        section("Against the baseline", &(paragraph(about) + &table.html()));
    }
    if let Some(table) = report.attainable() {
        section("Share of what was attainable", &(paragraph(ATTAINABLE) + &table.html()));
    }
    if let Some(table) = report.speech() {
        section("Speech", &(paragraph(CORRECTED) + &table.html()));
    }
    section("Further scores", &report.further_scores().html());
    section("What each column means", &(meanings(report) + &paragraph(&intervals())));
    section("The run", &definitions(report.facts()));
    page.push_str(FOOT);
    Ok(page)
}

const FOOT: &str = "</main>\n</body>\n</html>\n";

/// A page's beginning, with its heading.
fn head(title: &str) -> String {
    let title = escape_html(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>zopa: {title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
    )
}

/// A page of the same look around `body`.
pub(super) fn page(title: &str, body: &str) -> String {
    head(title) + body + FOOT
}

impl Report<'_> {
    /// What another lab needs to play the run again, and the digests that show that it did.
    pub(super) fn facts(&self) -> Vec<(String, String)> {
        let Manifest { zopa, revision, suite, suite_version, suite_digest, split, seed, agent_seed, .. } =
            self.manifest;
        let Manifest { episodes, repeats, opponent, authority, agents, .. } = self.manifest;
        let mut facts: Vec<(String, String)> = [
            ("zopa", zopa.clone()),
            ("Revision", revision.clone().unwrap_or_else(|| "not recorded".to_owned())),
            ("Suite", format!("{suite}, version {suite_version}")),
            ("Suite digest", suite_digest.to_string()),
            ("Split", split.clone()),
            ("Seed", seed.to_string()),
            ("Agents' seed", agent_seed.to_string()),
            ("Episodes an agent", episodes.to_string()),
            ("Repeats", repeats.to_string()),
            ("Opponent", opponent.clone()),
            ("Authority", authority.clone()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        if let Some(share) = self.summary.feasible_share {
            facts.push(("Feasible scenarios".to_owned(), crate::plots::percent(share)));
        }
        for entry in agents {
            let mut value = format!("version {}", entry.version);
            if !entry.options.is_empty() {
                value.push_str(&format!(", {}", entry.options));
            }
            if let Some(agent) = self.summary.agents.get(&entry.id) {
                value.push_str(&format!(", episodes' digest {}", agent.digest));
            }
            facts.push((format!("Agent {}", entry.id), value));
        }
        for input in &self.manifest.inputs {
            facts.push((format!("Input {}", input.name), input.digest.to_string()));
        }
        facts
    }
}

/// A drawing in both themes; the style sheet shows the one that fits.
fn figure(drawing: &Drawing) -> Result<String, ReportError> {
    let label = escape_html(&drawing.description);
    let mut text = String::from("<figure>\n");
    for (theme, class) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
        // Within a page the namespace goes without saying, and nothing on it then looks like an address.
        let svg = drawing.to_svg(theme)?.replace(" xmlns=\"http://www.w3.org/2000/svg\"", "");
        let labelled = format!("<svg class=\"{class}\" role=\"img\" aria-label=\"{label}\" ");
        text.push_str(svg.replacen("<svg ", &labelled, 1).trim_end());
        text.push('\n');
    }
    text.push_str("</figure>\n");
    Ok(text)
}

fn meanings(report: &Report<'_>) -> String {
    definitions(report.explained().map(|score| (score.label().to_owned(), score.meaning().to_owned())).collect())
}

fn intervals() -> String {
    format!(
        "Intervals are percentiles of {REPLICATES} bootstrap resamples of whole scenarios (both seats, all repeats and \
         all agents of a scenario together). All scenarios are drawn from one stratum, because the mix of counterpart \
         families is sampled; only where both seats of every scenario meet the same family, and each family has at least \
         ten scenarios, is each family drawn from apart. A rate of exactly 0 % or 100 % has Clopper and Pearson's exact \
         interval over scenarios. n in scores.csv and summary.json counts episodes, and that of interventions complied with \
         counts interventions."
    )
}

fn definitions(entries: Vec<(String, String)>) -> String {
    let mut text = String::from("<dl>\n");
    for (name, value) in entries {
        text.push_str(&format!("<dt>{}</dt><dd>{}</dd>\n", escape_html(&name), escape_html(&value)));
    }
    text.push_str("</dl>\n");
    text
}
