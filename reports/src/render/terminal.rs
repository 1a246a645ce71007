use super::table::{Cell, Table, Tone};
use super::{REFERENCE, Report};
use zopa_envs::message::accuracy;

const LATENCY: &str = "Latency p95, ms";

/// By what agents stand in their order.
const RANKED: &str = "Ranked by surplus efficiency: own gain over the best that leaves the other side what it has without a deal. The \
    report explains every column.";

pub(super) fn render(report: &Report<'_>) -> String {
    let mut table = report.headline();
    if let Some(timing) = report.timing {
        table.header.push(LATENCY.to_owned());
        for (row, (agent, ..)) in table.rows.iter_mut().zip(report.ranked()) {
            let figure = timing.agents.get(agent).map(|figures| format!("{:.3}", figures.decision_latency_ms.p95));
            row.push(Cell::new(figure.unwrap_or_else(|| "\u{2013}".to_owned()), Tone::Plain));
        }
    }
    let mut text = format!("{}; percentages with 95 % intervals\n\n{}", report.caption(), table.terminal());
    let (repeats, gates) = (report.by_repeats(), report.gates(true));
    let of_speech = [Some(&table), repeats.as_ref(), gates.as_ref()].into_iter().flatten().any(Table::is_of_speech);
    if let Some(repeats) = repeats {
        text.push_str(&format!("\nSound in all of k repeats\n\n{}", repeats.terminal()));
    }
    if let Some(gates) = gates {
        text.push_str(&format!("\nGates\n\n{}", gates.terminal()));
    }
    for note in report.gate_notes().iter().chain(&report.warnings()) {
        text.push_str(&format!("\n{note}\n"));
    }
    if of_speech {
        text.push_str(&format!("\n{}\n", accuracy::stated()));
    }
    text.push_str(&format!("\n{RANKED}\n\n{REFERENCE}\n"));
    text
}
