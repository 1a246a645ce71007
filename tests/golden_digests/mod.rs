//! What every family does in every split and seat, as digests: the golden episodes that are too many to be read.

use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use zopa_envs::{Digest, Hasher, Seat};
use zopa_harness::arena::{Arena, Draw, OpponentChoice};
use zopa_harness::runner::Table;
use zopa_reports::{EpisodeResult, Played};
use zopa_scenarios::Suite;

/// The scripted tactic that meets all of them.
const AGENT: &str = "linear";

/// Games of a line.
const GAMES: u64 = 10;

/// Hexadecimal digits of a digest that are kept: 64 bits.
const DIGITS: usize = 16;

/// Differing lines that are told of at most.
const MOST_TOLD: usize = 20;

/// The games that a line stands for.
struct Line {
    arena: Arc<Arena>,
    split: String,
    opponent: OpponentChoice,
    seat: Seat,
}

/// All lines: for each suite and split its mix of counterparts and each family of it, from both seats.
fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    for suite in Suite::names() {
        let arena = Arc::new(Arena::suite(suite).unwrap_or_else(|error| panic!("{error}")));
        for (split, spec) in arena.played().splits() {
            let families = arena.played().families().iter().filter(|family| family.role == spec.counterparts);
            let families = families.map(|family| OpponentChoice::Family(family.name.to_string()));
            for opponent in std::iter::once(OpponentChoice::Mix).chain(families) {
                lines.extend(Seat::BOTH.map(|seat| Line {
                    arena: arena.clone(),
                    split: split.clone(),
                    opponent: opponent.clone(),
                    seat,
                }));
            }
        }
    }
    lines
}

impl Line {
    fn text(&self) -> String {
        let draw = Draw { split: Some(self.split.clone()), seed: None, salt: None, opponent: self.opponent.clone() };
        let drawn = self.arena.draw(&draw).unwrap_or_else(|error| panic!("{error}"));
        let table = Table::new(self.arena.clone(), drawn, self.opponent.clone(), 0);
        let [mut scenarios, mut games, mut results] = [(); 3].map(|()| Hasher::new());
        for number in 0..GAMES {
            let index = 2 * number + self.seat.index() as u64;
            let record = table.episode(AGENT, index, 0).unwrap_or_else(|error| panic!("{error}")).record;
            let EpisodeResult::Played(played) = &record.result else { panic!("{}: nothing was played", self.name()) };
            // Not the record's own digest of the game: that holds the suite file's bytes, comments included. Where the suite is
            // spoken, the agent's words are drawn by them all the same.
            let Played { scenario_digest, events, outcome, rest_digest, .. } = &**played;
            scenarios = scenarios.with(scenario_digest);
            games = games.with(events.as_slice()).with(outcome);
            results = results.with(rest_digest);
        }
        let [drawn, played, scored] = [scenarios, games, results].map(|hasher| shortened(&hasher.digest()));
        format!("{}: drawn {drawn}, played {played}, scored {scored}", self.name())
    }

    fn name(&self) -> String {
        let opponent = match &self.opponent {
            OpponentChoice::Family(name) => name,
            _ => "mix",
        };
        format!("{}, {}, {opponent}, {}", self.arena.name(), self.split, self.seat)
    }
}

fn shortened(digest: &Digest) -> String {
    digest.to_string()[..DIGITS].to_owned()
}

/// The file's text.
pub(crate) fn played() -> String {
    let played: Vec<String> = lines().par_iter().map(Line::text).collect();
    let mut text = format!(
        "# Suite, split, family and seat of the agent: digests over {GAMES} games of {AGENT}. drawn: scenarios and counterparts; played: events\n\
         # with their messages, and outcomes; scored: scores, difficulties and what was true of the counterpart's words.\n"
    );
    for line in played {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// The lines in which the texts differ, each with both versions; empty where the texts are the same.
pub(crate) fn differing(golden: &str, played: &str) -> Vec<String> {
    let by_name = |text: &str| -> BTreeMap<String, String> {
        let named = text.lines().map(|line| line.split_once(": ").unwrap_or((line, "")));
        named.map(|(name, digests)| (name.to_owned(), digests.to_owned())).collect()
    };
    let (golden, played) = (by_name(golden), by_name(played));
    let names = golden.keys().chain(played.keys().filter(|name| !golden.contains_key(*name)));
    let mut told: Vec<String> = names
        .filter(|name| golden.get(*name) != played.get(*name))
        .map(|name| {
            let of =
                |text: &BTreeMap<String, String>| text.get(name).map_or("(no such line)".to_owned(), String::clone);
            format!("tests/golden/digests.txt: {name}\n  golden: {}\n  played: {}", of(&golden), of(&played))
        })
        .collect();
    if told.len() > MOST_TOLD {
        let more = told.len() - MOST_TOLD;
        told.truncate(MOST_TOLD);
        told.push(format!("and {more} more lines"));
    }
    told
}
