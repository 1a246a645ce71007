//! What words bring where counterparts listen: the same strategies with the same moves in talk-v1, silent but for their terms, with
//! good words and with bad ones. The table of scenarios/cards/talk-v1.md.
//!
//! `cargo run --release -p zopa-harness --example talk_gains -- 1000 [AGENT...]`: scenarios of each split, each from both seats.

#[path = "../../tests/probe_games/mod.rs"]
#[expect(dead_code, reason = "probes and stalling have examples of their own")]
mod probe_games;

use probe_games::Games;
use zopa_agents::probes::{FLATTERY, Remarking};
use zopa_agents::{Player, build};
use zopa_envs::Seat;
use zopa_envs::message::Remark;
use zopa_reports::statistics::Bootstrap;

/// Insults, and limits without an amount and a reason. Nothing that has to be authorised: that would be withheld.
const OFFENCE: &[Remark] =
    &[Remark::Hostility, Remark::Hostility, Remark::Limit(None), Remark::Limit(None), Remark::Limit(None)];

/// What an agent says beside its terms.
enum Words {
    /// These remarks, in every turn.
    Remarks(&'static [Remark]),
    /// What it ships with; most agents state their terms only.
    Own,
}

fn speaking(id: &str, words: &Words) -> Player {
    match (build(id).expect("a built-in agent"), words) {
        (Player::Agent(agent), Words::Remarks(remarks)) => {
            Player::Agent(Box::new(Remarking::new("remarking", agent, remarks)))
        }
        (player, _) => player,
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let count: u64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(1_000);
    let mut agents: Vec<String> = arguments.collect();
    if agents.is_empty() {
        agents = ["linear-aware", "micro-aware", "solver"].map(str::to_owned).to_vec();
    }
    let without_earlier_word: &'static [Remark] =
        FLATTERY.split(|remark| *remark == Remark::Consistency).next().unwrap_or_default();
    let said = [
        ("courtesy and reasons", Words::Remarks(without_earlier_word)),
        ("the same and its own earlier word", Words::Remarks(FLATTERY)),
        ("insults and unsupported limits", Words::Remarks(OFFENCE)),
        ("its own words", Words::Own),
    ];
    let bootstrap = Bootstrap { replicates: 10_000, ..Bootstrap::default() };
    println!("| split | agent | words | surplus efficiency | less terms only |\n| --- | --- | --- | ---: | ---: |");
    for split in ["public", "held-out"] {
        let games = Games::of("talk-v1", Some(split), &Seat::BOTH, count, 0);
        for id in &agents {
            let silent = games.gains(|| speaking(id, &Words::Remarks(&[])));
            println!("| {split} | {id} | terms only | {:.1} | |", 100.0 * games.efficiency(&silent));
            for (name, words) in &said {
                let gains = games.gains(|| speaking(id, words));
                if matches!(words, Words::Own) && gains == silent {
                    continue;
                }
                let found = games.difference(&bootstrap, &gains, 1.0, &silent);
                let [value, low, high] = [found.value, found.low, found.high].map(|share| 100.0 * share);
                let efficiency = 100.0 * games.efficiency(&gains);
                println!("| {split} | {id} | {name} | {efficiency:.1} | {value:+.1} [{low:+.1}, {high:+.1}] |");
            }
        }
    }
}
