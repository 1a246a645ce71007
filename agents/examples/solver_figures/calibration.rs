//! How right the beliefs were: tables, and a plot as SVG.

use crate::episode::Played;
use std::fmt::Write as _;
use zopa_envs::score::BeliefScores;

/// Scored beliefs of an episode, with the progress at which they were held.
type Scored = [(f64, BeliefScores)];

/// One tenth of the negotiation's progress: decisions with intervals scored, and their means.
struct Tenth {
    count: usize,
    coverage: f64,
    width: f64,
    score: f64,
    prior: f64,
}

fn tenths(played: &[Played], about: fn(&Played) -> &Scored) -> Vec<Tenth> {
    let tenth = |tenth: usize| {
        let held: Vec<&BeliefScores> = played
            .iter()
            .flat_map(about)
            .filter(|(t, scores)| ((10.0 * t) as usize).min(9) == tenth && scores.stated > 0)
            .map(|(_, scores)| scores)
            .collect();
        let count = held.len().max(1) as f64;
        let mean = |of: &dyn Fn(&BeliefScores) -> f64| held.iter().map(|scores| of(scores)).sum::<f64>() / count;
        Tenth {
            count: held.len(),
            coverage: mean(&|scores| scores.coverage),
            width: mean(&|scores| scores.width),
            score: mean(&|scores| scores.interval_score),
            prior: mean(&|scores| scores.prior_interval_score),
        }
    };
    (0..10).map(tenth).collect()
}

/// By stated chance of acceptance in tenths: offers, mean stated chance and share accepted.
fn reliability(played: &[Played]) -> Vec<(usize, f64, f64)> {
    let bin = |bin: usize| {
        let within = played.iter().flat_map(|one| &one.offered);
        let within: Vec<&(f64, bool)> = within.filter(|(p, _)| ((10.0 * p) as usize).min(9) == bin).collect();
        let count = within.len().max(1) as f64;
        let stated = within.iter().map(|(p, _)| p).sum::<f64>() / count;
        (within.len(), stated, within.iter().filter(|(_, taken)| *taken).count() as f64 / count)
    };
    (0..10).map(bin).collect()
}

fn print_tenths(tenths: &[Tenth]) {
    for (place, tenth) in tenths.iter().enumerate() {
        let Tenth { count, coverage, width, score, prior } = tenth;
        println!("{:>4.1} {count:>7} {coverage:>8.3} {width:>8.3} {score:>8.3} {prior:>8.3}", place as f64 / 10.0);
    }
}

/// The tables.
pub(crate) fn print(played: &[Played]) {
    println!(
        "\n90 % intervals by progress: n, coverage, width and score in widths of the prior's interval, the prior's score"
    );
    print_tenths(&tenths(played, |one| &one.beliefs));
    println!("\nthe same for families, 1 being its unit: n, coverage, width, score, the prior's score");
    print_tenths(&tenths(played, |one| &one.families));
    println!("\ncoverage and width in the middle (progress 0.4 to 0.6) by family");
    let mut families: Vec<&str> = played.iter().map(|one| &*one.family).collect();
    families.sort_unstable();
    families.dedup();
    for family in families {
        let of = played.iter().filter(|one| &*one.family == family).flat_map(|one| &one.beliefs);
        let held: Vec<&BeliefScores> =
            of.filter(|(t, scores)| (0.4..0.6).contains(t) && scores.stated > 0).map(|(_, scores)| scores).collect();
        let count = held.len().max(1) as f64;
        let coverage = held.iter().map(|scores| scores.coverage).sum::<f64>() / count;
        let width = held.iter().map(|scores| scores.width).sum::<f64>() / count;
        println!("{family:<22} {:>6} {coverage:>8.3} {width:>8.3}", held.len());
    }
    println!("\nstated chance of acceptance: offers, mean stated, share accepted");
    for (count, stated, taken) in reliability(played).into_iter().filter(|(count, _, _)| *count > 0) {
        println!("{count:>7} {stated:>8.3} {taken:>8.3}");
    }
    let foreseen: Vec<bool> = played.iter().flat_map(|one| one.foreseen.iter().copied()).collect();
    let within = foreseen.iter().filter(|within| **within).count() as f64 / foreseen.len().max(1) as f64;
    println!("\nnext offers within the 90 % interval foreseen: {:.1} % of {}", 100.0 * within, foreseen.len());
}

/// Two panels: coverage and width of the stated 90 % intervals by progress, and accepted against stated chances.
pub(crate) fn plot(title: &str, played: &[Played]) -> String {
    const SIDE: f64 = 300.0;
    let (x, y) = (|panel: usize, at: f64| 60.0 + panel as f64 * 400.0 + SIDE * at, |at: f64| 350.0 - SIDE * at);
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"410\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"800\" height=\"410\" fill=\"white\"/>\n",
    );
    let text = |svg: &mut String, x: f64, y: f64, anchor: &str, text: &str| {
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
    };
    text(&mut svg, 400.0, 20.0, "middle", title);
    let labels = [
        ("progress of the negotiation", "90 % intervals: coverage (blue), width in the prior's (orange)"),
        ("stated chance of acceptance", "share of offers accepted"),
    ];
    for (panel, (below, above)) in labels.into_iter().enumerate() {
        let (left, top) = (x(panel, 0.0), y(1.0));
        let _ = writeln!(
            svg,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"none\" stroke=\"#888\"/>"
        );
        for tick in 0..=5 {
            let at = f64::from(tick) / 5.0;
            text(&mut svg, x(panel, at), y(0.0) + 16.0, "middle", &format!("{at:.1}"));
            text(&mut svg, left - 6.0, y(at) + 4.0, "end", &format!("{at:.1}"));
        }
        text(&mut svg, x(panel, 0.5), y(0.0) + 36.0, "middle", below);
        text(&mut svg, x(panel, 0.5), top - 8.0, "middle", above);
    }
    let _ = writeln!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{SIDE}\" height=\"{}\" fill=\"#2166ac\" fill-opacity=\"0.12\"/>",
        x(0, 0.0),
        y(0.95),
        0.1 * SIDE
    );
    let _ = writeln!(
        svg,
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#888\" stroke-dasharray=\"4 3\"/>",
        x(1, 0.0),
        y(0.0),
        x(1, 1.0),
        y(1.0)
    );
    let mut line = |points: &[(f64, f64)], colour: &str| {
        let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            path.join(" ")
        );
        for (x, y) in points {
            let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>");
        }
    };
    let tenths = tenths(played, |one| &one.beliefs);
    let along = |of: &dyn Fn(&Tenth) -> f64| -> Vec<(f64, f64)> {
        let shown = tenths.iter().enumerate().filter(|(_, tenth)| tenth.count >= 20);
        shown.map(|(place, tenth)| (x(0, place as f64 / 10.0 + 0.05), y(of(tenth).min(1.0)))).collect()
    };
    line(&along(&|tenth| tenth.coverage), "#2166ac");
    line(&along(&|tenth| tenth.width), "#e08214");
    let reliable: Vec<(f64, f64)> = reliability(played)
        .into_iter()
        .filter(|(count, _, _)| *count >= 20)
        .map(|(_, stated, taken)| (x(1, stated), y(taken)))
        .collect();
    line(&reliable, "#2166ac");
    svg.push_str("</svg>\n");
    svg
}
