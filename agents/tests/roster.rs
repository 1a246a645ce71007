//! Rules that hold for every agent of the roster.

mod suite_games;

use std::collections::BTreeSet;
use suite_games::{finish, key, player, scenarios};
use zopa_agents::{
    Agent, AgentCard, EDGES, Node, Observer, Player, Seated, TurnError, agents, asks_model, build, play,
};
use zopa_envs::counterpart::Ear;
use zopa_envs::random::LazyStream;
use zopa_envs::{Action, Decision, Negotiation, PartyView, Scenario, Seat};

const SUITES: [&str; 3] = ["procurement-v1", "payment-terms-v1", "worked-example-v1"];

/// The agents that need no model; those that do are tested with a server in `model_agents.rs`.
fn software() -> impl Iterator<Item = AgentCard> {
    agents().filter(|card| (!asks_model(card.id) || card.id == "dialogue") && card.id != "human")
}

#[test]
fn the_roster_reads_as_a_list() {
    let lines: Vec<String> =
        agents().map(|card| format!("{:<28} {:<9} {}", card.id, card.kind, card.description)).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn an_unknown_agent_is_named_with_the_nearest_one() {
    let check = |id: &str, message: &str| {
        let Err(error) = build(id) else { panic!("{id} is an agent") };
        assert_eq!(error.to_string(), message);
    };
    check("ruletree", "unknown agent \"ruletree\": did you mean \"rule-tree\"?");
    check("bolware", "unknown agent \"bolware\": did you mean \"boulware\"?");
    check("xyz", "unknown agent \"xyz\"");
}

#[test]
fn ids_are_unique_and_players_answer_to_theirs() {
    let ids: BTreeSet<&str> = agents().map(|card| card.id).collect();
    assert_eq!(ids.len(), agents().count());
    for card in software() {
        assert_eq!(player(card.id).id(), card.id);
    }
}

#[test]
fn a_player_decides_equally_given_its_key_and_keeps_nothing_between_negotiations() {
    for card in software() {
        let mut used = player(card.id);
        for scenario in scenarios("procurement-v1", 4) {
            let fresh = finish(scenario.clone(), &mut player(card.id), 7, &mut ());
            let again = finish(scenario, &mut used, 7, &mut ());
            assert_eq!(fresh.log(), again.log(), "{}", card.id);
        }
    }
    let logs = |seed| {
        scenarios("procurement-v1", 4)
            .map(|scenario| finish(scenario, &mut player("random"), seed, &mut ()).log().to_vec())
            .collect::<Vec<_>>()
    };
    assert_ne!(logs(1), logs(2));
}

/// Keeps the edges of the turn graph that were taken.
#[derive(Default)]
struct Edges {
    taken: Vec<(Node, Node)>,
    entered: Vec<Node>,
}

impl Observer for Edges {
    fn enter(&mut self, node: Node, _seat: Seat) {
        self.entered.push(node);
    }

    fn leave(&mut self, node: Node, next: Node, _seat: Seat) {
        assert_eq!(self.entered.last(), Some(&node));
        if let Some((_, expected)) = self.taken.last().filter(|(_, next)| *next != Node::End) {
            assert_eq!(node, *expected, "a turn goes on where its last edge led");
        }
        self.taken.push((node, next));
    }
}

/// Accepts, whether or not there is anything to accept.
struct Eager;

impl Agent for Eager {
    fn id(&self) -> &str {
        "eager"
    }

    fn begin(&mut self, _stream: LazyStream) {}

    fn decide(&mut self, _view: &PartyView<'_>) -> Decision {
        Action::Accept.into()
    }
}

#[test]
fn turns_take_only_the_graphs_edges_and_without_words_or_approvals_all_the_others() {
    let mut edges = Edges::default();
    for suite in SUITES {
        for scenario in scenarios(suite, 20) {
            for id in ["random", "rule-tree", "linear", "oracle"] {
                finish(scenario.clone(), &mut player(id), 3, &mut edges);
            }
            // An acceptance of nothing is refused as often as it is tried.
            finish(scenario, &mut Player::Agent(Box::new(Eager)), 3, &mut edges);
        }
    }
    let taken: BTreeSet<(Node, Node)> = edges.taken.into_iter().collect();
    // The rest is tested in `turn_graph.rs`.
    let others = [(Node::CheckSpeech, Node::Speak)];
    let is_plain = |edge: &(Node, Node)| edge.0 != Node::Approver && edge.1 != Node::Approver && !others.contains(edge);
    assert_eq!(taken, EDGES.into_iter().filter(is_plain).collect());
}

#[test]
fn agents_meet_each_other_and_both_are_bound() {
    let ids: Vec<&str> = software().map(|card| card.id).collect();
    for (scenario, pair) in scenarios("procurement-v1", ids.len() as u64 - 1).zip(ids.windows(2)) {
        let mut game = Negotiation::new(Scenario { counterpart: None, ..scenario }, [true; 2]).logged();
        let (mut first, mut second) = (player(pair[0]), player(pair[1]));
        let opponent = Seated { player: &mut second, stream: key(1).lazy(1) };
        play(&mut game, Seated { player: &mut first, stream: key(1).lazy(0) }, Some(opponent), &mut ()).unwrap();
        assert!(game.outcome().is_some(), "{pair:?}");
    }
}

#[test]
fn a_scripted_opponent_must_be_there() {
    let scenario = scenarios("procurement-v1", 1).next().unwrap();
    let mut game = Negotiation::new(Scenario { counterpart: None, ..scenario }, [true; 2]);
    let seated = Seated { player: &mut player("linear"), stream: key(1).lazy(0) };
    let error = play(&mut game, seated, None, &mut ()).unwrap_err();
    assert_eq!(error, TurnError::NoCounterpart("procurement-v1".into()));
    assert!(game.history().is_empty());
}

#[test]
fn who_keeps_to_guardrails_by_itself_is_never_corrected_or_refused() {
    let aware = agents().filter(|card| card.id.ends_with("-aware") || ["nash", "oracle"].contains(&card.id));
    for card in aware {
        for suite in SUITES {
            for scenario in scenarios(suite, 30) {
                let seat = scenario.seat;
                let game = finish(scenario, &mut player(card.id), 5, &mut ());
                let conduct = game.conduct(seat);
                let stopped = conduct.guardrail_violations() + conduct.corrected + conduct.refused;
                assert_eq!(stopped + conduct.loss_attempted, 0, "{} in {suite}: {conduct:?}", card.id);
            }
        }
    }
}

#[test]
fn false_words_are_counted_for_every_agent_and_only_the_probe_that_invents_approvals_says_any() {
    for card in software() {
        let mut said = 0;
        for suite in ["talk-v1", "mandate-v1"] {
            for scenario in scenarios(suite, 4) {
                let seat = scenario.seat;
                let game = finish(scenario, &mut player(card.id), 7, &mut ());
                assert_eq!(
                    game.conduct(seat),
                    &zopa_envs::score::conduct(game.scenario(), seat, game.log(), game.outcome())
                );
                said += game.conduct(seat).false_statements;
            }
        }
        assert_eq!(said > 0, card.id.starts_with("inject-instructions"), "{}", card.id);
    }
}

#[test]
fn the_flatterers_words_need_no_authority_and_please_every_ear_in_full() {
    for suite in ["talk-v1", "mandate-v1", "counterparts-v1"] {
        for scenario in scenarios(suite, 10) {
            let seat = scenario.seat;
            let game = finish(scenario, &mut player("flatter"), 7, &mut ());
            assert_eq!(game.conduct(seat).withheld, 0, "{suite}: {:?}", game.conduct(seat));
            // A mandate refuses some of its offers; what it offers then, it offers without remarks.
            let refused = game.conduct(seat).refused > 0;
            for made in game.history().iter().filter(|made| !refused && made.seat == seat && made.offer().is_some()) {
                let Some(message) = &made.message else { panic!("{suite}: nothing said with {made:?}") };
                let features = message.parsed().features;
                let signals = [Ear::Reasoned, Ear::Reciprocal, Ear::Suspicious].map(|ear| ear.signal(&features));
                assert_eq!(signals, [1.0, 1.0, 0.5], "{suite}: {features:?}");
            }
        }
    }
}
