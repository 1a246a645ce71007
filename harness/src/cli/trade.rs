//! `zopa run bilateral-trade-v1`: the sealed-bid arena, which has bidders in place of agents and priors in place of splits.

use super::run::Run;
use super::{columns, print, print_json};
use crate::failure::Failure;
use crate::run_directory::RunDirectory;
use crate::trade::TradeRow;
use serde::Serialize;
use zopa_agents::Bidder;
use zopa_scenarios::bilateral_trade::{K, NAME, PAIRS, SEED, TradePrior};

/// What a run leaves behind as `summary.json`.
#[derive(Serialize)]
struct Summary {
    suite: &'static str,
    zopa: &'static str,
    seed: u64,
    pairs: u64,
    k: f64,
    rows: Vec<TradeRow>,
}

/// Plays each bidder of `--agent` (all where none is named) against `--opponent`, or against itself.
pub(super) fn execute(run: &Run) -> Result<(), Failure> {
    let unknown = [
        ("--split", run.split.is_some()),
        ("--salt-file", run.salt_file.is_some()),
        ("--baseline", run.baseline.is_some()),
        ("--gate", run.gate),
        ("--resume", run.resume),
        ("--shard", run.shard.is_some()),
    ];
    if let Some((flag, _)) = unknown.into_iter().find(|(_, given)| *given) {
        return Err(Failure::Input(format!("{NAME} has no {flag}: leave it out")));
    }
    let find = |id: &String| Bidder::find(id).map_err(Failure::input);
    let bidders = if run.agents.is_empty() {
        Bidder::ALL.to_vec()
    } else {
        run.agents.iter().map(find).collect::<Result<Vec<_>, _>>()?
    };
    let opponent = if run.opponent == "mix" { None } else { Some(find(&run.opponent)?) };
    let (seed, pairs) = (run.seed.unwrap_or(SEED), run.episodes.unwrap_or(PAIRS));
    if pairs == 0 {
        return Err(Failure::input("--episodes 0: a run needs at least one episode"));
    }
    let mut rows = Vec::new();
    for prior in TradePrior::all().map_err(Failure::input)? {
        for &bidder in &bidders {
            rows.push(TradeRow::play(&prior, [bidder, opponent.unwrap_or(bidder)], seed, pairs)?);
            if let Some(opponent) = opponent.filter(|opponent| *opponent != bidder) {
                rows.push(TradeRow::play(&prior, [opponent, bidder], seed, pairs)?);
            }
        }
    }
    let directory = match &run.out {
        Some(path) => RunDirectory::create(path)?,
        None => RunDirectory::create_numbered(NAME, seed)?,
    };
    let table = table(&rows);
    let summary = Summary { suite: NAME, zopa: env!("CARGO_PKG_VERSION"), seed, pairs, k: K, rows };
    let json = serde_json::to_string_pretty(&summary).map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
    directory.write("summary.json", (json + "\n").as_bytes())?;
    directory.write("report/report.txt", table.as_bytes())?;
    if run.json { print_json(&summary) } else { print(&format!("{table}{}\n", directory.path().display())) }
}

fn table(rows: &[TradeRow]) -> String {
    let title = [
        "prior",
        "buyer",
        "supplier",
        "trades",
        "buyer gains",
        "supplier gains",
        "of first best",
        "of second best (*)",
        "exploitable by",
    ];
    let mut cells = vec![title.map(str::to_owned).to_vec()];
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    for row in rows {
        let [buyer, supplier] = row.exploitability;
        cells.push(vec![
            row.prior.to_owned(),
            row.buyer.to_owned(),
            row.supplier.to_owned(),
            percent(row.trade_rate),
            format!("{:.4}", row.gains[0]),
            format!("{:.4}", row.gains[1]),
            percent(row.share_of_first_best),
            percent(row.share_of_second_best),
            format!("{buyer:.4} / {supplier:.4}"),
        ]);
    }
    columns(&cells)
        + "\n(*) A reference line: what the best mechanism reaches that is budget balanced, incentive compatible and individually\n    \
           rational. Bidders that are not in equilibrium can pass it; read it beside what they could be exploited by.\n"
}
