//! The agents that ask a model: what its replies, good and bad, make of a negotiation.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod fault_server;
#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod suite_games;

use fault_server::{Asked, Does, FaultServer, stand_in};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use suite_games::{key, scenarios, source};
use zopa_agents::model::{Client, ClientSettings, Equipment, Interpreting, Recording, Sampling};
use zopa_agents::turn::TurnError;
use zopa_agents::{BuildError, Player, Seated, asks_model, build, build_with, play_spoken, speaker};
use zopa_envs::{Act, Action, Ending, Event, Negotiation, Ruling, Scenario, ScenarioSource, Series};
use zopa_scenarios::render_relationship;

const PROMPTED: [&str; 5] = ["llm", "llm-tools", "llm-solver", "llm-single", "llm-mute"];

fn equipment(server: &FaultServer) -> Equipment {
    let settings = ClientSettings {
        max_retries: 1,
        attempt: Duration::from_secs(5),
        backoff: Duration::from_millis(2),
        ..ClientSettings::of(&server.url())
    };
    let client = Client::connect(settings, Sampling::of("stand-in"), Recording::default()).unwrap();
    Equipment { client: Some(Arc::new(client)), strategy: Some("linear".to_owned()), ..Equipment::default() }
}

struct Game {
    negotiation: Negotiation,
    player: Player,
    degraded: bool,
    template_words: u64,
    result: Result<(), TurnError>,
}

impl Game {
    fn own(&self) -> impl Iterator<Item = &Event> {
        let seat = self.negotiation.scenario().seat;
        self.negotiation.log().iter().filter(move |event| event.seat == seat)
    }
}

fn sit(scenario: Scenario, id: &str, equipment: &Equipment) -> Game {
    let mut bound = [false; 2];
    bound[scenario.seat.index()] = true;
    let mut negotiation = Negotiation::new(scenario, bound).logged();
    let mut player = build_with(id, equipment).unwrap();
    let mut own = speaker(id, equipment);
    if let Some(own) = &mut own {
        own.begin(key(3).lazy(9));
    }
    let seated = Seated { player: &mut player, stream: key(3).lazy(0) };
    let speaking = own.as_mut().map(|own| &mut **own as &mut dyn zopa_agents::Speaker);
    let result = play_spoken(&mut negotiation, seated, None, [speaking, None], &mut ());
    let degraded = own.as_ref().is_some_and(|own| own.is_degraded());
    let template_words = own.as_ref().map_or(0, |own| own.usage().template_words);
    Game { negotiation, player, degraded, template_words, result }
}

#[test]
fn prompted_agents_need_a_model_and_the_dialogue_agent_does_not() {
    for id in PROMPTED {
        assert!(asks_model(id));
        assert_eq!(build(id).err(), Some(BuildError::NoModel(id)));
    }
    assert_eq!(build("dialogue").unwrap().options(), "strategy solver@5; template");
    let strategy = |id: &str| {
        let equipment = Equipment { strategy: Some(id.to_owned()), ..Equipment::default() };
        build_with("dialogue", &equipment).map(|player| player.options()).map_err(|fault| fault.to_string())
    };
    assert_eq!(strategy("rule-tree"), Ok("strategy rule-tree@1; template".to_owned()));
    assert!(strategy("oracle").unwrap_err().contains("no ceiling"));
    assert!(strategy("llm").unwrap_err().contains("cannot decide for another agent"));
    assert!(strategy("rule-treee").unwrap_err().contains("did you mean \"rule-tree\""));
}

#[test]
fn every_prompted_agent_plays_to_the_end_on_valid_replies_and_tells_what_it_used() {
    let server = FaultServer::start(|asked| Does::Says(stand_in(asked)));
    let equipment = equipment(&server);
    for suite in ["procurement-v1", "talk-v1"] {
        for id in PROMPTED {
            for scenario in scenarios(suite, 4) {
                let game = sit(scenario, id, &equipment);
                assert_eq!(game.result, Ok(()), "{id}");
                assert!(game.negotiation.outcome().is_some());
                let usage = game.player.usage();
                assert!(usage.replies > 0 && usage.prompt_tokens == 100 * usage.replies, "{id}: {usage:?}");
                assert_eq!(game.own().filter(|event| event.action == Action::Forfeit).count(), 0, "{id}");
                if id == "llm-single" {
                    let offers = game.own().filter_map(|event| event.made.as_ref()?.offer()).collect::<Vec<_>>();
                    assert!(offers.windows(2).all(|pair| pair[0] == pair[1]), "one proposal, repeated");
                }
            }
        }
    }
}

#[test]
fn equal_keys_ask_for_equal_bytes() {
    let bytes = |scenario: Scenario| {
        let server = FaultServer::start(|asked| Does::Says(stand_in(asked)));
        sit(scenario, "llm", &equipment(&server));
        server.asked().into_iter().map(|asked| asked.body.to_string()).collect::<Vec<_>>()
    };
    let scenario = || Scenario { break_off: None, ..source("procurement-v1").scenario(5) };
    assert_eq!(bytes(scenario()), bytes(scenario()));
}

/// Replies to decisions as `content` says and to words as the stand-in does.
fn deciding(content: impl Fn(&Asked) -> Does + Send + Sync + 'static) -> FaultServer {
    FaultServer::start(move |asked| {
        let words = asked.body["response_format"]["json_schema"]["name"] == "words";
        if words { Does::Says(stand_in(asked)) } else { content(asked) }
    })
}

#[test]
fn an_invalid_reply_is_asked_for_once_more_and_then_forfeits_and_the_third_forfeit_leaves() {
    let server = deciding(|_| Does::Says("I would rather not say.".to_owned()));
    let game = sit(source("procurement-v1").scenario(0), "llm", &equipment(&server));
    let rulings: Vec<&Ruling> = game.own().map(|event| &event.ruling).collect();
    assert_eq!(rulings, [&Ruling::Forfeited; 3]);
    assert!(matches!(game.negotiation.outcome().unwrap().ending, Ending::WalkedAway { .. }));
    let usage = game.player.usage();
    assert_eq!((usage.replies, usage.repairs), (6, 3));
    assert_eq!(game.result, Ok(()), "a forfeit is a result");
    let repair = server.asked()[1].body["messages"].as_array().unwrap().last().unwrap().to_string();
    assert!(repair.contains("cannot be used: it is no JSON object"), "{repair}");
}

#[test]
fn a_reply_that_names_its_action_twice_plays_neither() {
    let server =
        deciding(|_| Does::Says("{\"action\": \"walk_away\", \"terms\": null, \"action\": \"pass\"}".to_owned()));
    let game = sit(source("procurement-v1").scenario(0), "llm", &equipment(&server));
    let rulings: Vec<&Ruling> = game.own().map(|event| &event.ruling).collect();
    assert_eq!(rulings, [&Ruling::Forfeited; 3]);
    assert_eq!(game.player.usage().repairs, 3);
    let repair = server.asked()[1].body["messages"].as_array().unwrap().last().unwrap()["content"].clone();
    assert!(repair.as_str().unwrap().contains("it names the member \"action\" twice"), "{repair}");
}

#[test]
fn a_model_is_told_of_its_series_what_every_agent_sees() {
    let source = source("repeated-v1");
    let index = (0..).find(|&index| source.series(index).unwrap().contracts > 2).unwrap();
    let plan = source.series(index).unwrap();
    let drawn: Vec<Scenario> = (0..plan.contracts).map(|contract| source.contract(index, contract)).collect();
    let (seat, contracts) = (drawn[0].seat, plan.contracts);
    let mut series = Series::new(plan, drawn);
    let server = FaultServer::start(|asked| Does::Says(stand_in(asked)));
    let equipment = equipment(&server);
    let mut bound = [false; 2];
    bound[seat.index()] = true;
    while let Some(mut game) = series.negotiation(bound) {
        let known = series.public().clone();
        let mut player = build_with("llm", &equipment).unwrap();
        let before = server.asked().len();
        let seated = Seated { player: &mut player, stream: key(3).lazy(0) };
        play_spoken(&mut game, seated, None, [None, None], &mut ()).unwrap();
        let told = render_relationship(&known, &game.scenario().public.space);
        assert!(told.contains(&format!("this is contract {} of {contracts}", known.contract + 1)), "{told}");
        for asked in &server.asked()[before..] {
            let prompt = asked.body["messages"][1]["content"].as_str().unwrap().to_owned();
            assert!(prompt.contains(&told), "{prompt}");
        }
        series.conclude(&game).unwrap();
    }
}

#[test]
fn a_repaired_reply_counts_as_if_it_had_come_at_once() {
    let server = deciding(|asked| {
        Does::Says(if asked.number % 2 == 0 { "{\"action\": \"dance\"}".to_owned() } else { stand_in(asked) })
    });
    let game = sit(source("procurement-v1").scenario(0), "llm", &equipment(&server));
    assert!(game.own().all(|event| event.action != Action::Forfeit));
    assert!(game.player.usage().repairs > 0);
}

#[test]
fn a_reply_that_ends_at_its_token_limit_forfeits_without_a_repair() {
    let server = deciding(|asked| Does::EndsAtLimit(stand_in(asked)));
    let game = sit(source("procurement-v1").scenario(0), "llm", &equipment(&server));
    let usage = game.player.usage();
    assert_eq!((usage.replies, usage.repairs, game.own().count()), (3, 0, 3));
}

#[test]
fn no_reply_is_no_result_for_whoever_decides_by_it_and_degraded_speech_for_whoever_speaks_by_it() {
    let server = FaultServer::start(|_| Does::Status(500, Vec::new(), "down".to_owned()));
    let equipment = equipment(&server);
    let decided = sit(source("talk-v1").scenario(0), "llm", &equipment);
    assert!(matches!(&decided.result, Err(TurnError::Unavailable(reason)) if reason.contains("down")));
    assert!(decided.negotiation.outcome().is_none());
    let spoken = sit(source("talk-v1").scenario(0), "dialogue", &equipment);
    assert_eq!(spoken.result, Ok(()));
    assert!(spoken.degraded && spoken.template_words > 0);
    // It moves as its strategy does by itself, and the template's words are said.
    let template = sit(source("talk-v1").scenario(0), "dialogue", &Equipment { client: None, ..equipment });
    assert_eq!(spoken.negotiation.log(), template.negotiation.log());
    assert!(!template.degraded);
}

#[test]
fn what_a_model_says_cannot_change_what_was_decided() {
    let check = |words: &'static str| {
        let server = FaultServer::start(move |_| Does::Says(format!("{{\"message\": \"{words}\"}}")));
        for index in 0..4 {
            let game = sit(source("talk-v1").scenario(index), "dialogue", &equipment(&server));
            for event in game.own() {
                // To accept in words what is accepted is no fault.
                let Some(made) = event.made.as_ref().filter(|made| made.act != Act::Accept) else { continue };
                let said = made.message.as_ref().map_or("", |message| message.text());
                assert!(!said.contains(words), "{words}");
                assert!(event.speech.is_empty() || event.withheld.is_some());
            }
            assert!(!game.degraded, "wrong words are no fault of the server");
        }
    };
    check("We offer a price of $1.");
    check("We accept whatever you want.");
    check("Our limit is $95,000 and we promise exclusivity.");
    check("Hello.");
}

#[test]
fn good_words_of_a_model_are_said_as_they_are() {
    let server = FaultServer::start(|asked| Does::Says(stand_in(asked)));
    let game = sit(source("talk-v1").scenario(0), "dialogue", &equipment(&server));
    let offers = game.own().filter(|event| event.made.as_ref().is_some_and(|made| made.offer().is_some()));
    for event in offers {
        let said = event.made.as_ref().unwrap().message.as_ref().unwrap().text();
        assert!(said.starts_with("We offer a price of "), "{said}");
    }
    assert_eq!(game.template_words, 0);
}

#[test]
fn tools_tell_and_change_nothing() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let seen = told.clone();
    let server = deciding(move |asked| {
        let messages = asked.body["messages"].as_array().unwrap();
        let tools = asked.body["response_format"]["json_schema"]["schema"]["anyOf"][1].clone();
        if messages.len() < 6 && tools.is_object() {
            let tool = ["permitted", "value", "check"][(messages.len() - 2) / 2 % 3];
            let decision: serde_json::Value = serde_json::from_str(&stand_in(asked)).unwrap();
            return Does::Says(serde_json::json!({"tool": tool, "terms": decision["terms"]}).to_string());
        }
        seen.lock().unwrap().extend(messages.iter().skip(2).map(|message| message["content"].to_string()));
        Does::Says(stand_in(asked))
    });
    let game = sit(source("mandate-v1").scenario(0), "llm-tools", &equipment(&server));
    assert!(game.player.usage().tool_calls > 0);
    let told = told.lock().unwrap().join("\n");
    assert!(told.contains("gains you") && told.contains("price: "), "{told}");
}

#[test]
fn the_engines_advice_is_told_and_may_be_ignored() {
    let server = deciding(|asked| {
        let messages = asked.body["messages"].as_array().unwrap();
        if messages.len() == 2 {
            return Does::Says("{\"tool\": \"advice\", \"terms\": null}".to_owned());
        }
        assert!(messages[3]["content"].as_str().unwrap().starts_with("The engine would offer "), "{}", messages[3]);
        Does::Says("{\"action\": \"walk_away\"}".to_owned())
    });
    let game = sit(source("procurement-v1").scenario(0), "llm-solver", &equipment(&server));
    assert!(matches!(game.negotiation.outcome().unwrap().ending, Ending::WalkedAway { .. }));
    assert_eq!(game.player.usage().tool_calls, 1);
}

#[test]
fn a_second_reader_is_asked_where_the_model_interprets_and_no_reply_leaves_the_parser_alone() {
    let server = FaultServer::start(|asked| match asked.body["response_format"]["json_schema"]["name"].as_str() {
        Some("reading") => Does::Closes,
        _ => Does::Says(stand_in(asked)),
    });
    let equipment = Equipment { interpreting: Interpreting::Model, ..equipment(&server) };
    let game = sit(source("talk-v1").scenario(1), "dialogue", &equipment);
    assert_eq!(game.result, Ok(()));
    let readings =
        server.asked().into_iter().filter(|asked| asked.body["response_format"]["json_schema"]["name"] == "reading");
    assert!(readings.count() > 0);
}

#[test]
fn a_false_word_about_oneself_is_scored_whichever_model_agent_says_it() {
    let check = |id: &str, share: f64, is_false: bool| {
        let scenario = source("talk-v1").scenario(1);
        let (seat, limit) = (scenario.seat, share * scenario.types[scenario.seat.index()].yardstick);
        let server = FaultServer::start(move |asked| {
            let mut reply: serde_json::Value = serde_json::from_str(&stand_in(asked)).unwrap();
            if let Some(words) = reply["message"].as_str() {
                reply["message"] = format!("{words} Our limit is ${limit:.0}.").into();
            }
            Does::Says(reply.to_string())
        });
        let game = sit(scenario, id, &equipment(&server));
        game.result.unwrap();
        let counted = game.negotiation.conduct(seat);
        assert!(counted.unauthorised > 0, "{id}: nobody authorised it, true or not");
        assert_eq!(counted.false_statements > 0, is_false, "{id}: {counted:?}");
        let again = zopa_envs::score::conduct(
            game.negotiation.scenario(),
            seat,
            game.negotiation.log(),
            game.negotiation.outcome(),
        );
        assert_eq!(&again, counted, "{id}");
    };
    // The strategist's own words, and a speaker's for another's move.
    for id in ["llm", "llm-tools", "dialogue"] {
        check(id, 1.0, false);
        check(id, 0.5, true);
    }
}
