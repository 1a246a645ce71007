use super::*;
use crate::fixture::{key, record_of, scores};

const QUICK: Bootstrap = Bootstrap { replicates: 200, confidence: 0.95, seed: 0 };

/// A tournament in which agent `i` takes `shares[i][j]` of the best gain from agent `j` in every scenario.
fn played(agents: &[&str], shares: &[&[f64]]) -> Tournament {
    let mut tournament = Tournament::new(agents.iter().map(|&name| name.to_owned()).collect());
    for (agent, row) in shares.iter().enumerate() {
        for (opponent, share) in row.iter().enumerate() {
            for index in 0..40 {
                let record = record_of(key(agents[agent], index, 0), scores(index, *share), false);
                tournament.add(agent, opponent, &record);
            }
        }
    }
    tournament
}

fn table(tournament: &Tournament) -> TournamentTable {
    tournament.finish("made-up", 1, "public", 7, &QUICK).expect("complete")
}

#[test]
fn a_result_stands_in_for_a_failure_and_counts_once() {
    let mut tournament = played(&["hawk", "dove"], &[&[0.1, 0.9], &[0.3, 0.5]]);
    let before = table(&tournament);
    let again = record_of(key("hawk", 3, 0), scores(3, 0.7), false);
    let failed = EpisodeRecord::infra_error(again.key.clone(), again.family.clone(), "the server was away");
    assert!(tournament.add(0, 1, &failed), "a failure beside a result says nothing");
    assert!(!tournament.add(0, 1, &again), "a second result is told");
    assert_eq!((table(&tournament), tournament.episodes()), (before, 160));
    let mut begun = Tournament::new(vec!["hawk".to_owned(), "dove".to_owned()]);
    begun.add(0, 1, &failed);
    assert_eq!(begun.episodes(), 1);
    let lost = begun.finish("made-up", 1, "public", 7, &QUICK).expect_err("nothing but a failure").to_string();
    assert!(lost.contains("hawk against hawk has no result"), "{lost}");
    begun.add(0, 1, &again);
    assert_eq!(begun.episodes(), 1);
}

#[test]
fn payoffs_are_surplus_efficiencies_and_standings_tell_self_play_apart() {
    let table = table(&played(&["hawk", "dove"], &[&[0.1, 0.9], &[0.3, 0.5]]));
    let payoff = |agent: &str, opponent: &str| {
        let cell = table.cells.iter().find(|cell| cell.agent == agent && cell.opponent == opponent).expect("a cell");
        assert_eq!((cell.episodes, cell.by_seat.len()), (40, 2));
        cell.payoff.value
    };
    assert!((payoff("hawk", "dove") - 0.9).abs() < 1e-12 && (payoff("dove", "dove") - 0.5).abs() < 1e-12);
    let hawk = &table.standings[0];
    assert_eq!(hawk.agent, "hawk");
    assert!((hawk.with_self_play.value - 0.5).abs() < 1e-12);
    assert!((hawk.without_self_play.value - 0.9).abs() < 1e-12 && (hawk.self_play.value - 0.1).abs() < 1e-12);
}

#[test]
fn the_game_of_hawk_and_dove_has_its_responses_and_its_mixture() {
    let table = table(&played(&["hawk", "dove"], &[&[0.1, 0.9], &[0.3, 0.5]]));
    let [against_hawk, against_dove] = &table.game.responses[..] else { panic!("two agents") };
    assert_eq!((against_hawk.best.as_str(), against_dove.best.as_str()), ("dove", "hawk"));
    assert!((against_hawk.regret.value - 0.2).abs() < 1e-12 && against_hawk.stability == 1.0);
    let [equilibrium] = &table.game.equilibria[..] else { panic!("one equilibrium: {:?}", table.game) };
    // Indifference: 0.1 h + 0.9 (1 - h) = 0.3 h + 0.5 (1 - h), so h = 2/3.
    assert!((equilibrium.shares[0].1 - 2.0 / 3.0).abs() < 1e-9, "{equilibrium:?}");
}

#[test]
fn an_agent_that_answers_itself_best_is_an_equilibrium_without_regret() {
    let table = table(&played(&["a", "b"], &[&[0.6, 0.6], &[0.6, 0.4]]));
    let own = &table.game.responses[0];
    assert_eq!((own.best.as_str(), own.regret.value, own.regret.low, own.regret.high), ("a", 0.0, 0.0, 0.0));
}

#[test]
fn a_pairing_that_infrastructure_failed_is_no_result() {
    let mut tournament = played(&["a", "b"], &[&[0.5, 0.5], &[0.5, 0.5]]);
    let failed = EpisodeRecord::infra_error(key("a", 40, 0), "b".into(), "status 503");
    tournament.add(0, 1, &failed);
    let fault = tournament.finish("made-up", 1, "public", 7, &QUICK).expect_err("2.4 %").to_string();
    assert_eq!(fault, "a against b: infrastructure failed 1 of 41 episodes, more than 1 %");
}

#[test]
fn the_tables_read_the_same_in_every_medium() {
    let table = table(&played(&["hawk", "dove", "<b>"], &[&[0.1, 0.9, 0.4], &[0.3, 0.5, 0.4], &[0.2, 0.2, 0.2]]));
    insta::assert_snapshot!(table.terminal());
    assert!(!table.html().contains("<b>") && table.html().contains("&lt;b&gt;"));
    assert!(table.markdown().contains("## Payoffs"));
}
