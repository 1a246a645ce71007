//! `zopa run bilateral-trade-v1`: the sealed-bid arena, which has bidders in place of agents and priors in place of splits.

use super::folder::{begin, claim, say_what_was_there, stopped, with_way_on};
use super::run::Run;
use super::{columns, print, print_json};
use crate::failure::Failure;
use crate::interrupt;
use crate::journal::Journal;
use crate::results::{read_header, read_json, write_json};
use crate::run_directory::RunDirectory;
use crate::terminal::tell;
use crate::trade::{TradeGame, TradeRow, TradeTally};
use serde::{Deserialize, Serialize};
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use zopa_agents::Bidder;
use zopa_envs::Digest;
use zopa_reports::{AgentEntry, Host, Manifest, Standing, TradeRecord, read_trade_records};
use zopa_scenarios::bilateral_trade::{K, NAME, PAIRS, QUESTION, SEED, TradePrior};

/// Where a run directory of bidders holds its page.
const PAGE: &str = "report/report.md";

/// Records between two writes.
const BATCH: usize = 256;

/// Who sits on the other side where no opponent is named.
const ITSELF: &str = "itself";

/// More pairs than a report needs: with them a share is known to a hundredth of a percent.
const MOST_PAIRS: u64 = 100_000_000;

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
        ("--shard", run.shard.is_some()),
        ("--repeats", run.repeats != 1),
        ("--assign", run.assign.is_some()),
        ("--alerts", run.alerts.is_some()),
        ("language model to ask", run.models.any()),
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
    match pairs {
        0 => return Err(Failure::input("--episodes 0: a run needs at least one episode")),
        pairs if pairs > MOST_PAIRS => {
            return Err(Failure::Input(format!("--episodes {pairs}: at most {MOST_PAIRS} fit in a run")));
        }
        _ => {}
    }
    let games = TradeGame::all(&bidders, opponent, seed)?;
    let stop = interrupt::listen()?;
    let directory = claim(run.out.as_deref(), run.resume, NAME, seed)?;
    let manifest = begin(&directory, manifest(&bidders, opponent, seed, pairs), Vec::new())?;
    let rows = play(&directory, &manifest, games, &stop).map_err(|failure| with_way_on(failure, &directory))?;
    let summary = Summary { suite: NAME, zopa: env!("CARGO_PKG_VERSION"), seed, pairs, k: K, rows };
    write_json(&directory, "summary.json", &summary)?;
    let page = write_report(&directory, &summary.rows)?;
    if run.json {
        print_json(&summary)?;
        tell(page.display());
        return Ok(());
    }
    print(&format!("{}{}\n", table(&summary.rows), page.display()))
}

/// Plays what the journal does not hold yet and sums all of it up.
fn play(
    directory: &RunDirectory,
    manifest: &Manifest,
    games: Vec<TradeGame>,
    stop: &AtomicBool,
) -> Result<Vec<TradeRow>, Failure> {
    let path = directory.episodes();
    let (all, mut records) =
        (manifest.episodes.saturating_mul(games.len() as u64), InOrder::of(games, manifest.episodes));
    let (mut journal, found) = Journal::reopen_with(&path, TradeRecord::from_bytes, |record: TradeRecord| {
        let foreign = || Failure::Input(format!("{}: {OUT_OF_ORDER}; it cannot be resumed", path.display()));
        records.tally(&record).ok_or_else(foreign)?.add(&record);
        Ok(())
    })?;
    say_what_was_there(found);
    let (mut lines, mut played) = (Vec::with_capacity(BATCH), found.records);
    for tally in &mut records.tallies {
        for index in tally.pairs()..manifest.episodes {
            let record = tally.game().play(index)?;
            tally.add(&record);
            lines.push(record.to_line().map_err(|fault| Failure::Infrastructure(fault.to_string()))?);
            if lines.len() == BATCH {
                journal.append(lines.iter().map(String::as_str))?;
                played += lines.len() as u64;
                lines.clear();
                if stop.load(Ordering::Relaxed) {
                    return Err(stopped(played, all, directory));
                }
            }
        }
    }
    journal.append(lines.iter().map(String::as_str))?;
    journal.synchronise()?;
    Ok(records.finish())
}

/// What is wrong with a record that is not the next one of its run.
const OUT_OF_ORDER: &str = "a line is no record of this run, or out of order";

/// The games of a run as their records are read: these follow the order in which they are played, so that none is there twice.
struct InOrder {
    tallies: Vec<TradeTally>,
    current: usize,
    pairs: u64,
}

impl InOrder {
    fn of(games: Vec<TradeGame>, pairs: u64) -> Self {
        Self { tallies: games.into_iter().map(TradeTally::new).collect(), current: 0, pairs }
    }

    /// The game whose next record this is; `None` where it is none's.
    fn tally(&mut self, record: &TradeRecord) -> Option<&mut TradeTally> {
        while self.tallies.get(self.current).is_some_and(|tally| !tally.game().played(record)) {
            self.current += 1;
        }
        let pairs = self.pairs;
        self.tallies.get_mut(self.current).filter(|tally| tally.pairs() == record.index && record.index < pairs)
    }

    fn finish(self) -> Vec<TradeRow> {
        self.tallies.into_iter().map(TradeTally::finish).collect()
    }
}

/// Whether the run in this directory is one of bidders.
pub(super) fn is_trade(directory: &RunDirectory) -> Result<bool, Failure> {
    #[derive(Deserialize)]
    struct Named {
        suite: String,
    }
    Ok(read_json::<Named>(directory, "manifest.json")?.suite == NAME)
}

/// Plays a run's pairs again and compares their records.
pub(super) fn replay(directory: &RunDirectory) -> Result<(), Failure> {
    let mut equal = 0_u64;
    // What a replay finds wrong with a record is its answer, not a wrong use of it.
    let missed = |failure: Failure| match failure {
        Failure::Input(message) => Failure::Missed(message),
        other => other,
    };
    let tallies = read(directory, |game, record| {
        let again = game.play(record.index)?;
        if again != *record {
            let [buyer, supplier] = &record.bidders;
            return Err(Failure::Missed(format!(
                "{}, {buyer} and {supplier}, pair {}: the record's digest is {}, but playing it again gives {}",
                record.prior, record.index, record.digest, again.digest
            )));
        }
        equal += 1;
        Ok(())
    })
    .map_err(missed)?;
    let manifest = read_header(directory)?;
    let missing: u64 = tallies.tallies.iter().map(|tally| manifest.episodes.saturating_sub(tally.pairs())).sum();
    if missing > 0 {
        return Err(Failure::Missed(format!("{missing} of {} records are missing", missing + equal)));
    }
    print(&format!("{equal} records replayed with equal digests, 0 without a result\n"))
}

/// Sums a run's records up again and prints the table.
pub(super) fn score(directory: &RunDirectory, json: bool) -> Result<(), Failure> {
    let manifest = read_header(directory)?;
    let rows = read(directory, |_, _| Ok(()))?.finish();
    if !json {
        return print(&table(&rows));
    }
    let zopa = env!("CARGO_PKG_VERSION");
    print_json(&Summary { suite: NAME, zopa, seed: manifest.seed, pairs: manifest.episodes, k: K, rows })
}

/// Writes a run's report again.
pub(super) fn report(directory: &RunDirectory) -> Result<(), Failure> {
    let rows = read(directory, |_, _| Ok(()))?.finish();
    let page = write_report(directory, &rows)?;
    print(&format!("{}{}\n", table(&rows), page.display()))
}

/// Reads a run's journal.
fn read(
    directory: &RunDirectory,
    mut look: impl FnMut(&TradeGame, &TradeRecord) -> Result<(), Failure>,
) -> Result<InOrder, Failure> {
    let manifest = read_header(directory)?;
    let find = |id: &String| Bidder::find(id).map_err(Failure::input);
    let bidders = manifest.agents.iter().map(|entry| find(&entry.id)).collect::<Result<Vec<_>, _>>()?;
    let opponent = if manifest.opponent == ITSELF { None } else { Some(find(&manifest.opponent)?) };
    let games = TradeGame::all(&bidders, opponent, manifest.seed)?;
    let mut records = InOrder::of(games, manifest.episodes);
    let (path, file) = directory.journal()?;
    for (line, record) in (1_u64..).zip(read_trade_records(BufReader::new(file))) {
        let record = record.map_err(|fault| Failure::Input(format!("{}: {fault}", path.display())))?;
        let Some(tally) = records.tally(&record) else {
            return Err(Failure::Input(format!("{}: line {line}: {OUT_OF_ORDER}", path.display())));
        };
        look(tally.game(), &record)?;
        tally.add(&record);
    }
    Ok(records)
}

fn manifest(bidders: &[Bidder], opponent: Option<Bidder>, seed: u64, pairs: u64) -> Manifest {
    let entry = |bidder: &Bidder| AgentEntry {
        id: bidder.id().to_owned(),
        version: 1,
        options: String::new(),
        standing: Standing::Contender,
    };
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u32);
    Manifest {
        schema: Manifest::SCHEMA,
        zopa: env!("CARGO_PKG_VERSION").to_owned(),
        revision: option_env!("ZOPA_REVISION").map(str::to_owned),
        arguments: std::env::args().skip(1).collect(),
        suite: NAME.to_owned(),
        suite_version: 1,
        suite_digest: Digest::of_bytes(format!("{NAME} k {K} {:?}", TradePrior::all()).as_bytes()),
        profiles: None,
        split: "priors".to_owned(),
        seed,
        agent_seed: seed,
        episodes: pairs,
        repeats: 1,
        opponent: opponent.map_or(ITSELF, Bidder::id).to_owned(),
        opponents: Vec::new(),
        authority: "none: a price is final".to_owned(),
        agents: bidders.iter().map(entry).collect(),
        gated: Vec::new(),
        baseline: None,
        inputs: Vec::new(),
        shard: None,
        assignment: None,
        strategy: None,
        interpreter: None,
        serving: None,
        host: Host {
            system: std::env::consts::OS.to_owned(),
            architecture: std::env::consts::ARCH.to_owned(),
            threads,
        },
    }
}

/// The table as a page.
fn write_report(directory: &RunDirectory, rows: &[TradeRow]) -> Result<PathBuf, Failure> {
    let mut text = format!("# {NAME}\n\n{QUESTION}\n\n");
    for (at, row) in cells(rows).into_iter().enumerate() {
        text.push_str(&format!("| {} |\n", row.join(" | ")));
        if at == 0 {
            text.push_str(&format!("{}|\n", "| --- ".repeat(row.len())));
        }
    }
    text.push_str(&format!("\n{NOTE}\n"));
    directory.write(PAGE, text.as_bytes())?;
    Ok(directory.path().join(PAGE))
}

/// What the second best is and is not.
const NOTE: &str = "(*) A reference line, no ceiling: what the best mechanism reaches that is budget balanced, incentive compatible and \
                    individually rational, in expectation. Bidders that are not in equilibrium can pass it; read it beside what they \
                    could be exploited by. First best: of the same draws, trade wherever the value exceeds the cost.";

fn table(rows: &[TradeRow]) -> String {
    format!("{}\n{NOTE}\n", columns(&cells(rows)))
}

fn cells(rows: &[TradeRow]) -> Vec<Vec<String>> {
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
    cells
}
