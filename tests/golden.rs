//! Golden episodes: what fixed agents do in the first episodes of every built-in suite, as text that a person can read, and, as
//! digests, what every family of every split does.
//!
//! Both freeze a suite's version. Where a change of the rules, of a counterpart, of a score or of the words changes them
//! on purpose, and the version is not yet published, `ZOPA_BLESS=1 cargo test -p zopa-harness --test golden` writes them anew.

mod golden_digests;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use zopa_envs::{Act, Action, Ending, EpisodeScores, Event, OutcomeSpace, Ruling, Scenario, Seat};
use zopa_harness::arena::{Arena, Draw, OpponentChoice};
use zopa_harness::runner::Table;
use zopa_reports::EpisodeResult;
use zopa_scenarios::Suite;

/// Agents that play, each the first episodes of the suite's default split.
const AGENTS: [&str; 3] = ["linear", "nash", "rule-tree"];

/// Both seats of the first scenario.
const EPISODES: u64 = 2;

/// The variable that has the files written rather than compared.
const BLESS: &str = "ZOPA_BLESS";

/// The name of the file of digests.
const DIGESTS: &str = "digests";

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/golden").join(format!("{name}.txt"))
}

/// The golden text of that name; where it is to be blessed, `played` is written as it first.
fn golden(name: &str, played: &str) -> String {
    let path = file(name);
    if std::env::var_os(BLESS).is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, played).unwrap();
    }
    std::fs::read_to_string(&path).unwrap_or_default()
}

fn assert_none(differing: &[String]) {
    assert!(
        differing.is_empty(),
        "{}\nA frozen version must not change: make a new one. Before it is published, bless: {BLESS}=1 cargo test -p \
         zopa-harness --test golden",
        differing.join("\n")
    );
}

/// The golden text of a suite.
fn played(suite: &str) -> String {
    let arena = Arc::new(Arena::suite(suite).unwrap_or_else(|error| panic!("{error}")));
    let draw = Draw { split: None, seed: None, salt: None, opponent: OpponentChoice::Mix };
    let source = arena.draw(&draw).unwrap().source;
    let drawn = arena.draw(&draw).unwrap();
    let table = Table::new(arena.clone(), drawn, OpponentChoice::Mix, 0);
    let mut text = format!(
        "Golden episodes of {suite}, split {}, seed {}. Prices in major units, gains in % of the status quo's price.\n",
        table.split(),
        table.seed()
    );
    for agent in AGENTS {
        for index in 0..EPISODES {
            let record = table.episode(agent, index, 0).unwrap_or_else(|error| panic!("{error}")).record;
            let EpisodeResult::Played(played) = &record.result else { panic!("{suite}: nothing was played") };
            let (key, scenario) = (&record.key, source.scenario(index));
            let space = &scenario.public.space;
            let _ = writeln!(
                text,
                "\n== episode {index}: {agent} (version {}) as {}, against {}",
                key.agent_version, key.seat, record.family
            );
            status_quo(&mut text, &scenario);
            let mut contract = 0;
            for event in &played.events {
                if event.contract != contract {
                    contract = event.contract;
                    let _ = writeln!(text, "-- contract {contract}");
                }
                line(&mut text, space, event);
            }
            let _ = match &played.outcome.ending {
                Ending::Agreement { offer, by } => {
                    writeln!(
                        text,
                        "outcome: agreement in round {}, by the {by}: {}",
                        played.outcome.round,
                        space.text(offer)
                    )
                }
                Ending::WalkedAway { by } => {
                    writeln!(text, "outcome: the {by} walked away in round {}", played.outcome.round)
                }
                Ending::Deadline => writeln!(text, "outcome: no deal by the deadline"),
                Ending::BrokenOff => writeln!(text, "outcome: broken off after round {}", played.outcome.round),
            };
            scores(&mut text, &played.scores);
            if let Some(grade) = &played.grade {
                let _ = writeln!(text, "difficulty: {:.4}, quintile {}", grade.difficulty, grade.quintile);
            }
            let _ = writeln!(text, "scenario: {}\ngame: {}", played.scenario_digest, played.digest);
        }
    }
    text
}

fn status_quo(text: &mut String, scenario: &Scenario) {
    let space = &scenario.public.space;
    if let Some(offer) = &scenario.public.status_quo {
        let _ = writeln!(text, "status quo: {}; the {} opens", space.text(offer), scenario.public.opener);
    }
    let no_deal = Seat::BOTH.map(|seat| scenario.types[seat.index()].disagreement);
    let _ = writeln!(text, "without a deal: buyer {:.2}, supplier {:.2}", no_deal[0], no_deal[1]);
}

/// One event: round, seat, intent, what was tried, what authority did, and what came of it.
fn line(text: &mut String, space: &OutcomeSpace, event: &Event) {
    let act = |act: &Act| match act {
        Act::Offer { offer, is_final } => format!("{}{}", if *is_final { "final: " } else { "" }, space.text(offer)),
        Act::Accept => "accepts".to_owned(),
        Act::Pass => "passes".to_owned(),
        Act::WalkAway => "walks away".to_owned(),
    };
    let tried = match &event.action {
        Action::Offer { terms: zopa_envs::Terms::Offer(offer), is_final } => {
            act(&Act::Offer { offer: offer.clone(), is_final: *is_final })
        }
        Action::Offer { terms: zopa_envs::Terms::Stated(values), .. } => format!("{values:?}"),
        Action::Accept => act(&Act::Accept),
        Action::Pass => act(&Act::Pass),
        Action::WalkAway => act(&Act::WalkAway),
        Action::Forfeit => "forfeits".to_owned(),
    };
    let intent = event.intent.map(|intent| format!(" [{intent}]")).unwrap_or_default();
    let _ = write!(text, "{:>3} {:<8}{intent} {tried}", event.round, event.seat);
    let faults = [
        ("structural", event.faults.structural),
        ("concession rate", event.faults.concession_rate),
        ("floor", event.faults.floor),
        ("phase", event.faults.phase),
    ];
    for (fault, _) in faults.into_iter().filter(|(_, failed)| *failed) {
        let _ = write!(text, " | fails {fault}");
    }
    let _ = match &event.ruling {
        Ruling::Applied => Ok(()),
        Ruling::Corrected => write!(text, " | corrected"),
        Ruling::Refused(refusal) => write!(text, " | refused: {refusal}"),
        Ruling::FellBack(refusal) => write!(text, " | fell back: {refusal}"),
        Ruling::Held(hold) => write!(text, " | held: {hold}"),
        Ruling::Approved(hold) => write!(text, " | approved: {hold}"),
        Ruling::Denied(hold) => write!(text, " | denied: {hold}"),
        Ruling::Mismatch => write!(text, " | words withheld"),
        Ruling::Forfeited => write!(text, " | forfeited"),
    };
    if event.intervened > 0 {
        let _ = write!(text, " | the principal stepped in {} times", event.intervened);
    }
    if let Some(made) = &event.made {
        let made_act = act(&made.act);
        if made_act != tried {
            let _ = write!(text, " -> {made_act}");
        }
        if let Some(message) = &made.message {
            let _ = write!(text, "\n             says: {}", message.text().replace('\n', " / "));
        }
    }
    text.push('\n');
}

fn scores(text: &mut String, scores: &EpisodeScores) {
    let percent = |amount: f64| format!("{:.3}", 100.0 * amount / scores.scale);
    let optional = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), percent);
    let conduct = &scores.conduct;
    let _ = writeln!(
        text,
        "scores: gain {} of {}, counterpart {}, joint {} of {}, feasible {:?}, rounds {}\nconduct: {} attempts, {} corrected, \
         {} refused, {} loss-making, {} to a person, {} unauthorised statements",
        percent(scores.gain),
        optional(scores.best_gain),
        percent(scores.counterpart_gain),
        percent(scores.joint_gain),
        optional(scores.best_joint),
        scores.feasible,
        scores.rounds,
        conduct.attempts,
        conduct.corrected,
        conduct.refused,
        conduct.loss_attempted,
        conduct.escalations,
        conduct.unauthorised,
    );
}

#[test]
fn every_built_in_suite_plays_its_golden_episodes() {
    let mut differing = Vec::new();
    for suite in Suite::names() {
        let text = played(suite);
        let golden = golden(suite, &text);
        if golden != text {
            let first = golden.lines().zip(text.lines()).position(|(golden, played)| golden != played);
            let line = first.unwrap_or_else(|| golden.lines().count().min(text.lines().count()));
            let of = |text: &str| text.lines().nth(line).unwrap_or("(ends)").to_owned();
            differing.push(format!(
                "tests/golden/{suite}.txt:{}\n  golden: {}\n  played: {}",
                line + 1,
                of(&golden),
                of(&text)
            ));
        }
    }
    assert_none(&differing);
}

#[test]
fn every_family_of_every_split_plays_its_golden_games_from_both_seats() {
    let played = golden_digests::played();
    assert_none(&golden_digests::differing(&golden(DIGESTS, &played), &played));
}

#[test]
fn no_golden_file_is_left_of_a_suite_that_is_gone() {
    let folder = file("any").parent().unwrap().to_owned();
    if std::env::var_os(BLESS).is_some() {
        return;
    }
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let known = Suite::names().chain([DIGESTS]).any(|known| name == format!("{known}.txt"));
        assert!(known, "tests/golden/{name}");
    }
}
