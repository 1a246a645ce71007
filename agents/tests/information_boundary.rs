//! The information boundary, for every agent of the roster: along one public history it decides, says, asks models for and shows
//! people the same, byte by byte, whatever the other side keeps to itself. Ceilings are the exception, and fail the same check.
//!
//! The roster's list and the list of built-in suites drive the tests, so that a new agent or suite is under the law at once.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod fault_server;
#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod suite_games;

use fault_server::{Asked, Does, FaultServer, stand_in};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestCaseResult};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use suite_games::{finish, key, player, source};
use zopa_agents::human::{Console, Person};
use zopa_agents::model::{Client, ClientSettings, Equipment, Interpreting, Recording, Sampling};
use zopa_agents::{
    Kind, Player, Seated, Speaker, TemplateSpeaker, Utterance, agents, asks_model, build_with, play, speaker,
};
use zopa_envs::relationship::PublicRelationship;
use zopa_envs::{
    Act, Action, CommonPrior, Mandate, Message, Negotiation, PartyType, Principal, Scenario, ScenarioSource, Seat,
    Series,
};
use zopa_scenarios::{Suite, SuiteSource};

/// What is drawn for a test: a public history, and two other sides that may have made it.
#[derive(Clone, Debug)]
struct Case {
    /// The episode.
    index: u64,
    /// The contract of a series that is looked at, where the series gets so far.
    contract: u16,
    /// Moves that the other side makes before the comparison ends.
    length: usize,
    /// Who plays the agent's side of the history that the other side's moves are taken from.
    rival: &'static str,
    /// Where in its prior each hidden number of the other sides lies.
    hidden: [Vec<f64>; 2],
    /// The key of the agents' random numbers.
    seed: u64,
}

fn case() -> impl Strategy<Value = Case> {
    let numbers = || prop::collection::vec(0.02..0.98_f64, 8);
    let rival = select(vec!["linear", "conceder", "boulware"]);
    (0..400_u64, 0..4_u16, 3..10_usize, rival, [numbers(), numbers()], any::<u64>()).prop_map(
        |(index, contract, length, rival, hidden, seed)| Case { index, contract, length, rival, hidden, seed },
    )
}

/// A scenario with the moves that the other side makes in it, whatever it meets.
struct History {
    scenario: Scenario,
    relationship: Option<Arc<PublicRelationship>>,
    theirs: Vec<(Action, Option<Message>)>,
}

impl History {
    fn of(source: &SuiteSource, case: &Case) -> Self {
        let game = played(source, case);
        let (scenario, seat) = (game.scenario().clone(), game.scenario().seat);
        let moves = game.history().iter().filter(|made| made.seat != seat).map_while(|made| {
            let action = match &made.act {
                Act::Offer { offer, is_final: true } => Action::final_offer(offer.clone()),
                Act::Offer { offer, is_final: false } => Action::offer(offer.clone()),
                Act::Pass => Action::Pass,
                // What ends a negotiation depends on the offers that it answers.
                Act::Accept | Act::WalkAway => return None,
            };
            Some((action, made.message.clone()))
        });
        let relationship = game.view(seat).relationship.cloned().map(Arc::new);
        Self {
            theirs: moves.take(case.length).collect(),
            scenario: Scenario { break_off: None, ..scenario },
            relationship,
        }
    }

    /// The scenario with another side on the other seat: what is public and what is the agent's own stays.
    fn with_another_side(&self, hidden: &[f64]) -> Scenario {
        let mut scenario = self.scenario.clone();
        let other = scenario.seat.other();
        let public = &scenario.public;
        let party = &mut scenario.types[other.index()];
        match (&public.prior, &public.status_quo) {
            (CommonPrior::Parties(priors), Some(status_quo)) => {
                let prior = &priors[other.index()];
                let places = prior.distributions().zip(hidden.iter().cycle());
                let parameters: Vec<f64> = places.map(|(drawn, &place)| drawn.quantile(place)).collect();
                prior.describe(&parameters, other, &public.space, status_quo, party);
            }
            _ => {
                let mut utility = party.utility.clone();
                for (issue, place) in (0..public.space.issues().len()).zip(hidden.iter().cycle()) {
                    utility.table_mut(issue).iter_mut().for_each(|worth| *worth *= 2.0 * place);
                }
                *party = PartyType::of_tables(&public.space, utility, hidden[0] * party.disagreement);
            }
        }
        party.deadline = Some(1 + (hidden[0] * f64::from(public.rounds)) as u16);
        scenario.break_off = Some(public.rounds);
        scenario.mandates[other.index()] = Mandate::default();
        scenario.principals[other.index()] = Principal::default();
        scenario.counterpart = None;
        scenario
    }
}

fn bound(seat: Seat) -> [bool; 2] {
    [seat == Seat::Buyer, seat == Seat::Supplier]
}

/// The case's negotiation against the suite's own counterpart; of a series the contract that is looked at, or its last before that.
fn played(source: &SuiteSource, case: &Case) -> Negotiation {
    let mut rival = player(case.rival);
    let Some(plan) = source.series(case.index) else {
        return finish(source.scenario(case.index), &mut rival, 7, &mut ());
    };
    let drawn: Vec<Scenario> = (0..plan.contracts).map(|contract| source.contract(case.index, contract)).collect();
    let seat = drawn[0].seat;
    let mut series = Series::unscored(plan, drawn);
    loop {
        let mut game = series.negotiation(bound(seat)).expect("a contract that follows");
        play(&mut game, Seated { player: &mut rival, stream: key(7).lazy(0) }, None, &mut ()).unwrap();
        let contract = series.public().contract;
        series.conclude(&game).unwrap();
        if contract == case.contract || series.end().is_some() {
            return game;
        }
    }
}

/// All that came out of an agent along a history.
#[derive(Debug, Default, PartialEq)]
struct Trace {
    decided: Vec<String>,
    said: Vec<Option<String>>,
    /// What models were asked, each time with the whole conversation.
    asked: Vec<String>,
    /// What a person was shown.
    shown: String,
    read: String,
}

impl Trace {
    /// The first entry in which the two differ.
    fn difference(&self, other: &Self) -> String {
        let entries = |trace: &Self| {
            let said = trace.said.iter().map(|words| format!("{words:?}"));
            let ends = [trace.shown.clone(), trace.read.clone()];
            trace.decided.iter().cloned().chain(said).chain(trace.asked.clone()).chain(ends).collect::<Vec<_>>()
        };
        let (own, others) = (entries(self), entries(other));
        let pair = own.iter().zip(&others).find(|(own, other)| own != other);
        pair.map_or_else(|| "one is longer".to_owned(), |(own, other)| format!("{own}\nand\n{other}"))
    }
}

/// A person who answers by turns, with words, a draft, an offer and a wrong line among the answers.
struct Clerk {
    shown: Arc<Mutex<String>>,
    answered: usize,
}

impl Console for Clerk {
    fn show(&mut self, text: &str) {
        self.shown.lock().unwrap().push_str(text);
    }

    fn ask(&mut self) -> Option<String> {
        const LINES: [&str; 4] = ["ok | We can talk.", "offer", "help", "pass | What else can you do?"];
        self.answered += 1;
        Some(LINES[(self.answered - 1) % LINES.len()].to_owned())
    }
}

/// The stand-in's reply, after two calls of the tools where there are any.
fn reply(asked: &Asked) -> Does {
    let turns = asked.body["messages"].as_array().map_or(0, Vec::len) / 2;
    let schema = &asked.body["response_format"]["json_schema"]["schema"];
    let tools = schema["anyOf"][1]["properties"]["tool"]["enum"].as_array();
    Does::Says(match tools {
        Some(tools) if turns < 3 => {
            let decision: Value = serde_json::from_str(&stand_in(asked)).unwrap();
            json!({"tool": tools[turns % tools.len()], "terms": decision["terms"]}).to_string()
        }
        _ => stand_in(asked),
    })
}

/// Everything that any agent can be built with. The client is a new one, since a client keeps replies.
fn equipment(server: &FaultServer, shown: &Arc<Mutex<String>>) -> Equipment {
    let client = Client::connect(ClientSettings::of(&server.url()), Sampling::of("stand-in"), Recording::default());
    Equipment {
        client: Some(Arc::new(client.unwrap())),
        strategy: Some("nash".to_owned()),
        interpreting: Interpreting::Model,
        person: Some(Person::new(Clerk { shown: shown.clone(), answered: 0 })),
        assistant: Some("llm-tools".to_owned()),
    }
}

/// What the agent does where `scenario` is what is hidden and public.
fn along(history: &History, scenario: Scenario, id: &str, seed: u64) -> Trace {
    let (server, shown) = (FaultServer::start(reply), Arc::new(Mutex::new(String::new())));
    let equipment = equipment(&server, &shown);
    let mut player = build_with(id, &equipment).unwrap();
    let mut own_speaker = speaker(id, &equipment).unwrap_or_else(|| Box::new(TemplateSpeaker));
    player.begin(key(seed).lazy(0));
    own_speaker.begin(key(seed).lazy(1));
    let seat = scenario.seat;
    let mut game = Negotiation::new(scenario, bound(seat));
    if let Some(relationship) = &history.relationship {
        game = game.within(relationship.clone());
    }
    let (mut trace, mut theirs) = (Trace::default(), history.theirs.iter());
    while game.outcome().is_none() {
        if game.turn() == seat {
            own_turn(&mut game, &mut player, &mut *own_speaker, &mut trace);
            assert_eq!(player.fault(), None, "{id}");
        } else {
            let Some((action, message)) = theirs.next() else { break };
            game.submit(action.clone(), None, message.clone());
        }
    }
    trace.asked = server.asked().into_iter().map(|asked| asked.body.to_string()).collect();
    trace.shown = std::mem::take(&mut *shown.lock().unwrap());
    trace.read = format!("{:?}", player.readings());
    trace
}

fn own_turn(game: &mut Negotiation, player: &mut Player, speaker: &mut dyn Speaker, trace: &mut Trace) {
    let view = game.view(game.turn());
    let mut decision = player.decide(&view, game.scenario());
    trace.decided.push(serde_json::to_string(&decision).unwrap());
    if decision.message.is_none()
        && view.public.speech
        && decision.action != Action::Forfeit
        && let Ok(act) = game.assess(&decision.action, decision.escalate).act
    {
        decision.message = speaker.speak(&Utterance { view: &view, act: &act, decision: &decision, withheld: None });
    }
    trace.said.push(decision.message.as_ref().map(|message| message.text().to_owned()));
    game.submit_decision(decision);
}

/// The law, for every agent of the roster in the case's episode of a suite.
fn hidden_numbers_change_nothing(suite: &str, case: &Case) -> TestCaseResult {
    let history = History::of(&source(suite), case);
    prop_assert_eq!(history.relationship.is_some(), is_series(suite));
    for card in agents().filter(|card| card.kind != Kind::Ceiling) {
        let trace = |scenario| along(&history, scenario, card.id, case.seed);
        let drawn = trace(history.scenario.clone());
        for hidden in &case.hidden {
            let other = trace(history.with_another_side(hidden));
            prop_assert!(other == drawn, "{} in {suite}: {}", card.id, other.difference(&drawn));
        }
        let turns = drawn.decided.len();
        prop_assert!(turns > 0 || history.theirs.is_empty(), "{} in {}", card.id, suite);
        prop_assert!(turns == 0 || !asks_model(card.id) || !drawn.asked.is_empty() || card.id == "dialogue");
        prop_assert!(turns == 0 || card.id != "human" || !drawn.shown.is_empty());
    }
    Ok(())
}

fn is_series(suite: &str) -> bool {
    source(suite).series(0).is_some()
}

fn is_spoken(suite: &str) -> bool {
    source(suite).scenario(0).public.speech
}

/// The built-in suites of one kind; every suite is of exactly one.
fn suites(series: bool, spoken: bool) -> impl Iterator<Item = &'static str> {
    Suite::names().filter(move |suite| is_series(suite) == series && is_spoken(suite) == spoken)
}

proptest! {
    // A case plays every agent three times in every suite of its kind.
    #![proptest_config(Config { cases: 3, max_shrink_iters: 8, failure_persistence: None, ..Config::default() })]

    #[test]
    fn what_the_other_side_keeps_to_itself_changes_nothing_where_nobody_talks(case in case()) {
        for suite in suites(false, false) {
            hidden_numbers_change_nothing(suite, &case)?;
        }
    }

    #[test]
    fn what_the_other_side_keeps_to_itself_changes_nothing_where_the_sides_talk(case in case()) {
        for suite in suites(false, true) {
            hidden_numbers_change_nothing(suite, &case)?;
        }
    }

    #[test]
    fn what_the_other_side_keeps_to_itself_changes_nothing_in_a_series(case in case()) {
        for suite in suites(true, false).chain(suites(true, true)) {
            hidden_numbers_change_nothing(suite, &case)?;
        }
    }
}

/// A case that is the same in every run.
fn example(index: u64) -> Case {
    Case { index, contract: 2, length: 6, rival: "linear", hidden: [vec![0.1], vec![0.9]], seed: 7 }
}

#[test]
fn suites_of_every_kind_are_there_with_their_words_and_their_earlier_contracts() {
    let spoken: Vec<&str> = suites(false, true).collect();
    assert!(["talk-v1", "mandate-v1"].iter().all(|suite| spoken.contains(suite)), "{spoken:?}");
    assert!(suites(false, false).any(|suite| suite == "procurement-v1"));
    assert!(suites(true, false).chain(suites(true, true)).any(|suite| suite == "repeated-v1"));
    let some = |suite: &str, holds: fn(&History) -> bool| {
        let source = source(suite);
        (0..12).any(|index| holds(&History::of(&source, &example(index))))
    };
    assert!(some("talk-v1", |history| history.theirs.iter().any(|(_, message)| message.is_some())));
    assert!(some("repeated-v1", |history| history.relationship.as_ref().is_some_and(|known| !known.past.is_empty())));
}

#[test]
fn only_ceilings_are_exempt_and_what_they_see_fails_the_same_check() {
    let shown = Arc::new(Mutex::new(String::new()));
    let server = FaultServer::start(reply);
    for card in agents() {
        let is_ceiling = matches!(build_with(card.id, &equipment(&server, &shown)).unwrap(), Player::Ceiling(_));
        assert_eq!(is_ceiling, card.kind == Kind::Ceiling, "{}", card.id);
    }
    let source = source("procurement-v1");
    let differs = (0..6).any(|index| {
        let case = example(index);
        let history = History::of(&source, &case);
        let [low, high] = case.hidden.map(|hidden| {
            let mut scenario = history.with_another_side(&hidden);
            scenario.counterpart.clone_from(&history.scenario.counterpart);
            along(&history, scenario, "oracle", case.seed)
        });
        low != high
    });
    assert!(differs);
}
