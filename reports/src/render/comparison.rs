//! Several runs in one table, for each medium.

use super::headline::{NONE, figure};
use super::html::page;
use super::table::{Cell, Table, Tone, escape_html, escape_markdown};
use crate::compare::{ArmRow, ComparisonTable, Difference, Measure, Pairing};
use crate::plots::percent;
use crate::score::Unit;
use zopa_envs::message::accuracy;

impl ComparisonTable {
    /// The tables for a terminal, ending in a line's end.
    #[must_use]
    pub fn terminal(&self) -> String {
        // A terminal is narrow: what nobody did has no columns there.
        let (idle, told): (Vec<Measure>, Vec<Measure>) =
            self.measures().into_iter().partition(|measure| self.is_idle(*measure));
        let mut text = format!("{}\n\n{}", self.caption(), self.figures(&told).terminal());
        if !idle.is_empty() {
            let names: Vec<&str> = idle.iter().map(|measure| measure.label()).collect();
            let ends = self.arms.iter().flat_map(|arm| idle.iter().filter_map(|measure| arm.measures.get(measure)));
            let most = percent(ends.map(|estimate| estimate.high).fold(0.0, f64::max));
            let names = names.join(", ").to_lowercase();
            text.push_str(&format!("\n0 for every arm, with intervals that end at {most} at most: {names}\n"));
        }
        text.push_str(&format!("\n{}\n\n{}", self.differences_title(), self.differences(&told).terminal()));
        if let Some(costs) = self.costs() {
            text.push_str(&format!("\nCost of a mean episode, by cause\n\n{}", costs.terminal()));
        }
        if self.measures().into_iter().any(Measure::is_of_speech) {
            text.push_str(&format!("\n{}\n", accuracy::stated()));
        }
        if let Some(excluded) = self.excluded() {
            text.push_str("\nNot comparable\n\n");
            for row in &excluded.rows {
                text.push_str(&format!("  {}: {}\n", row[0].text, row[2].text));
            }
        }
        for note in &self.notes {
            text.push_str(&format!("\n{note}\n"));
        }
        text
    }

    /// The tables as Markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n", escape_markdown(&self.suite), escape_markdown(&self.caption()));
        self.sections(|title, table| {
            text.push_str(&format!("\n## {}\n\n{}", escape_markdown(title), table.markdown()))
        });
        for note in &self.notes {
            text.push_str(&format!("\n{}\n", escape_markdown(note)));
        }
        text
    }

    /// The tables as one HTML page that needs nothing else.
    #[must_use]
    pub fn html(&self) -> String {
        let mut body = format!("<p class=\"caption\">{}</p>\n", escape_html(&self.caption()));
        for note in &self.notes {
            body.push_str(&format!("<p class=\"warning\">{}</p>\n", escape_html(note)));
        }
        self.sections(|title, table| {
            body.push_str(&format!("<section>\n<h2>{}</h2>\n{}</section>\n", escape_html(title), table.html()));
        });
        page(&self.suite, &body)
    }

    fn sections(&self, mut section: impl FnMut(&str, &Table)) {
        let measures = self.measures();
        section("Arms", &self.figures(&measures));
        section(&self.differences_title(), &self.differences(&measures));
        if let Some(costs) = self.costs() {
            section("Cost of a mean episode, by cause", &costs);
        }
        if let Some(excluded) = self.excluded() {
            section("Not comparable", &excluded);
        }
    }

    fn caption(&self) -> String {
        let Self { suite, version, split, seed, opponent, scenarios, .. } = self;
        let pairing = match self.pairing {
            Pairing::Paired => format!("{scenarios} common scenarios"),
            Pairing::Unpaired => format!("UNPAIRED: {scenarios} scenarios, each allotted to one arm at random"),
        };
        format!(
            "{suite} (version {version}), split {split}, seed {seed}, opponent {opponent}; {pairing}; percentages with 95 % \
             intervals"
        )
    }

    fn differences_title(&self) -> String {
        let how = match self.pairing {
            Pairing::Paired => "on the same resampled scenarios",
            Pairing::Unpaired => "unpaired, scenarios of both arms resampled apart",
        };
        format!("Difference from {}, {how} (* where Holm's correction leaves p below 0.05)", self.reference)
    }

    /// The measures that some arm has.
    fn measures(&self) -> Vec<Measure> {
        let has = |measure: &Measure| self.arms.iter().any(|arm| arm.measures.contains_key(measure));
        Measure::ALL.into_iter().filter(has).collect()
    }

    /// Whether no arm has anything of a measure.
    fn is_idle(&self, measure: Measure) -> bool {
        self.arms.iter().all(|arm| arm.measures.get(&measure).is_none_or(|estimate| estimate.value == 0.0))
    }

    fn title(&self, measure: Measure) -> String {
        match (&self.currency, measure) {
            (Some(currency), Measure::Cost) => format!("Cost, {currency}"),
            _ => measure.label().to_owned(),
        }
    }

    fn figures(&self, measures: &[Measure]) -> Table {
        let timed = self.arms.iter().any(|arm| arm.latency_ms.is_some());
        let mut header = vec!["Arm".to_owned(), "Decided by".to_owned(), "Episodes".to_owned()];
        header.extend(measures.iter().map(|measure| self.title(*measure)));
        if timed {
            header.push("Latency p50 / p95, ms".to_owned());
        }
        let rows = self.arms.iter().map(|arm| {
            let mut row: Vec<Cell> =
                vec![arm.name.clone().into(), arm.kind.name().to_owned().into(), arm.episodes.to_string().into()];
            row.extend(measures.iter().map(|measure| cell(arm, *measure)));
            if timed {
                let figures = arm.latency_ms.map(|latency| format!("{:.3} / {:.3}", latency.p50, latency.p95));
                row.push(figures.unwrap_or_else(|| NONE.to_owned()).into());
            }
            row
        });
        Table::new(header, rows.collect()).with_speech(measures.iter().any(|measure| measure.is_of_speech()))
    }

    fn differences(&self, measures: &[Measure]) -> Table {
        let mut header = vec!["Arm".to_owned()];
        header.extend(measures.iter().map(|measure| self.title(*measure)));
        let others = self.arms.iter().filter(|arm| arm.name != self.reference);
        let rows = others.map(|arm| {
            let differences = measures.iter().map(|measure| {
                arm.differences.get(measure).map_or_else(|| NONE.to_owned().into(), |found| shown(*measure, found))
            });
            std::iter::once(Cell::from(arm.name.clone())).chain(differences).collect()
        });
        Table::new(header, rows.collect()).with_speech(measures.iter().any(|measure| measure.is_of_speech()))
    }

    fn costs(&self) -> Option<Table> {
        let currency = self.currency.as_ref()?;
        let header = ["Arm", "Inference", "Integration", "Supervision", "Exceptions"];
        let rows = self.arms.iter().filter_map(|arm| {
            let charge = arm.cost?;
            let amount = |amount: f64| Cell::from(format!("{amount:.4}"));
            let inference = charge.inference.map_or_else(|| NONE.to_owned().into(), amount);
            let [integration, supervision, exceptions] =
                [charge.integration, charge.supervision, charge.exceptions].map(amount);
            Some(vec![arm.name.clone().into(), inference, integration, supervision, exceptions])
        });
        let mut header = header.map(str::to_owned).to_vec();
        header.iter_mut().skip(1).for_each(|title| title.push_str(&format!(", {currency}")));
        Some(Table::new(header, rows.collect()))
    }

    fn excluded(&self) -> Option<Table> {
        if self.not_comparable.is_empty() {
            return None;
        }
        let header = ["Arm", "Run", "Why"].map(str::to_owned).to_vec();
        let rows = self.not_comparable.iter().map(|excluded| {
            vec![excluded.name.clone().into(), excluded.run.clone().into(), excluded.reason.clone().into()]
        });
        Some(Table::new(header, rows.collect()))
    }
}

fn cell(arm: &ArmRow, measure: Measure) -> Cell {
    let text = arm.measures.get(&measure).map_or_else(|| NONE.to_owned(), |estimate| figure(measure.unit(), estimate));
    text.into()
}

/// A difference in percentage points, or plain; marked where it is significant after Holm's correction.
fn shown(measure: Measure, found: &Difference) -> Cell {
    let significant = found.p_value_holm < 0.05;
    let better = (found.difference.value > 0.0) == measure.more_is_better();
    let tone = match (significant, better) {
        (true, true) => Tone::Good,
        (true, false) => Tone::Bad,
        (false, _) => Tone::Plain,
    };
    let [value, low, high] =
        [found.difference.value, found.difference.low, found.difference.high].map(|number| match measure.unit() {
            Unit::Share => format!("{:+.1}", 100.0 * number),
            Unit::Number => format!("{number:+.2}"),
        });
    let mark = if significant { "*" } else { "" };
    Cell::new(format!("{value}{mark} [{low}, {high}]"), tone)
}
