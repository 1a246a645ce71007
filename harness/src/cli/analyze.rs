//! `zopa analyze`

use super::{columns, print, print_json};
use crate::failure::Failure;
use crate::terminal::tell;
use clap::Args;
use std::path::PathBuf;
use zopa_scenarios::import::{Analysis, read_domain};

/// Prints the solution points of a domain folder.
#[derive(Debug, Args)]
pub(super) struct Analyze {
    /// The folder with the domain and its profiles
    path: PathBuf,
    /// The two profiles that negotiate, by file name, the first as buyer
    #[arg(long, value_delimiter = ',', num_args = 1, value_name = "A,B")]
    profiles: Option<Vec<String>>,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

impl Analyze {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let profiles = super::run::profile_pair(self.profiles.as_deref())?;
        let named = profiles.as_ref().map(|[first, second]| [first.as_str(), second.as_str()]);
        let domain = read_domain(&self.path, named).map_err(Failure::input)?;
        for notice in &domain.notices {
            tell(format_args!("zopa: note: {notice}"));
        }
        let analysis = Analysis::of_domain(&domain).map_err(Failure::input)?;
        if self.json { print_json(&analysis) } else { print(&text(&analysis)) }
    }
}

/// The points as a table, one a line, both sides' utilities beside each.
fn text(analysis: &Analysis) -> String {
    let pair = |point: [f64; 2]| point.map(|utility| format!("{utility:.6}")).to_vec();
    let row = |name: &str, cells: Vec<String>| [vec![name.to_owned()], cells].concat();
    let point = |name: &str, point: Option<[f64; 2]>| row(name, point.map_or_else(|| vec!["none".to_owned()], pair));
    let [first, second] = analysis.profiles.clone();
    let mut rows = vec![
        row("profiles", vec![first, second]),
        row("outcomes", vec![analysis.outcomes.to_string()]),
        row("pareto", vec![analysis.pareto.to_string()]),
        row("reservation", pair(analysis.reservation)),
        row("max", pair(analysis.max)),
        point("nash", analysis.nash),
        point("kalai-smorodinsky", analysis.kalai_smorodinsky),
        point("egalitarian", analysis.egalitarian),
        row("welfare", vec![analysis.welfare.map_or_else(|| "none".to_owned(), |welfare| format!("{welfare:.6}"))]),
    ];
    if analysis.nash_set.len() > 1 {
        rows.push(row("nash set", vec![format!("{} outcomes", analysis.nash_set.len())]));
    }
    let mut text = columns(&rows);
    if analysis.nash.is_none() {
        let known = if analysis.estimate.is_some() { " that was found" } else { "" };
        text.push_str(&format!("no outcome{known} leaves both sides better off than no agreement\n"));
    }
    if let Some(method) = analysis.estimate {
        text.push_str(&format!("estimates: {method}\n"));
    }
    text
}
