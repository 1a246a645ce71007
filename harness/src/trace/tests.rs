use super::*;
use crate::arena::{Arena, Draw, OpponentChoice};
use crate::runner::Table;
use opentelemetry::trace::SpanId;
use opentelemetry_sdk::trace::SpanData;
use zopa_agents::turn::{Node, Observer};
use zopa_envs::Seat;

fn record() -> EpisodeRecord {
    let arena = Arc::new(Arena::suite("procurement-v1").expect("a suite"));
    let draw = Draw { split: None, seed: Some(3), salt: None, opponent: OpponentChoice::Mix };
    let drawn = arena.draw(&draw).expect("scenarios");
    Table::new(arena, drawn, draw.opponent, 3).episode("linear", 0, 0).expect("it can be played").record
}

fn attribute(span: &SpanData, name: &str) -> Option<String> {
    span.attributes.iter().find(|pair| pair.key.as_str() == name).map(|pair| pair.value.to_string())
}

/// The spans of an episode whose agent asks a model to decide and to speak, where totals of tokens are told.
fn spans(record: &EpisodeRecord, session: &str) -> Vec<SpanData> {
    let mut trace = EpisodeTrace::begin(&record.key, session);
    let seat = record.key.seat;
    trace.enter(Node::Interpret, seat);
    trace.leave(Node::Interpret, Node::Strategise, seat);
    trace.enter(Node::Strategise, seat);
    trace.used(seat, 900, 40);
    trace.leave(Node::Strategise, Node::Authorise, seat);
    trace.enter(Node::Speak, seat);
    trace.used(seat, 1000, 70);
    trace.leave(Node::Speak, Node::CheckSpeech, seat);
    trace.enter(Node::Strategise, seat);
    trace.used(seat, 1000, 70);
    trace.leave(Node::Strategise, Node::Authorise, seat);
    let scope = InstrumentationScope::builder("zopa").build();
    trace.spans(record, session, &scope).collect()
}

#[test]
fn a_node_that_asked_a_model_is_a_generation_with_its_own_tokens() {
    let mut record = record();
    record.key.agent_options = "model qwen2.5-7b, temperature 0".into();
    let spans = spans(&record, "run-1");
    let check = |span: &SpanData, kind: &str, usage: Option<&str>| {
        assert_eq!(attribute(span, "langfuse.observation.type").as_deref(), Some(kind), "{span:?}");
        assert_eq!(attribute(span, "langfuse.observation.usage_details").as_deref(), usage);
        assert_eq!(attribute(span, "langfuse.session.id").as_deref(), Some("run-1"));
    };
    let [root, interpret, decided, spoken, idle] = &spans[..] else { panic!("five spans") };
    check(root, "chain", None);
    check(interpret, "span", None);
    check(decided, "generation", Some("{\"input\":900,\"output\":40}"));
    check(spoken, "generation", Some("{\"input\":100,\"output\":30}"));
    check(idle, "agent", None);
    assert_eq!(attribute(spoken, "gen_ai.usage.output_tokens").as_deref(), Some("30"));
    assert_eq!(attribute(spoken, "langfuse.observation.model.name").as_deref(), Some("qwen2.5-7b"));
    assert_eq!((root.parent_span_id, idle.parent_span_id), (SpanId::INVALID, root.span_context.span_id()));
    assert_eq!(attribute(decided, "zopa.side").as_deref(), Some("agent"));
}

#[test]
fn ids_are_those_of_the_episode_in_its_run_and_the_other_side_is_told_apart() {
    let record = record();
    let id = |session: &str| spans(&record, session)[0].span_context.trace_id();
    assert_eq!(id("run-1"), id("run-1"));
    assert_ne!(id("run-1"), id("run-2"));
    let mut trace = EpisodeTrace::begin(&record.key, "run-1");
    trace.enter(Node::Strategise, record.key.seat.other());
    trace.leave(Node::Strategise, Node::Authorise, record.key.seat.other());
    let scope = InstrumentationScope::builder("zopa").build();
    let other = trace.spans(&record, "run-1", &scope).last().expect("a node");
    assert_eq!(attribute(&other, "zopa.side").as_deref(), Some("opponent"));
    assert_eq!(attribute(&other, "zopa.seat"), Some(Seat::Supplier.to_string()));
}

#[test]
fn an_episode_without_a_result_is_an_error_with_its_reason() {
    let key = record().key;
    let failed = EpisodeRecord::infra_error(key, "boulware".into(), "status 503");
    let spans = spans(&failed, "run-1");
    assert_eq!(spans[0].status, opentelemetry::trace::Status::error("status 503"));
    assert_eq!(attribute(&spans[0], "langfuse.observation.level").as_deref(), Some("ERROR"));
}

#[test]
fn every_episode_of_a_model_and_a_sample_of_software_is_traced() {
    let listener =
        Listener::of(|name| (name == "OTEL_EXPORTER_OTLP_ENDPOINT").then(|| "http://127.0.0.1:1".to_owned()));
    let tracer = Tracer::new(listener.expect("an address").expect("a listener"), "run-1").expect("a client");
    let key = record().key;
    let traced = |agent: &str, index: u64| {
        let key = EpisodeKey { agent: agent.into(), index, ..key.clone() };
        tracer.episode(&key).is_some()
    };
    let count = |agent: &str| (0..400).filter(|&index| traced(agent, index)).count();
    assert_eq!((count("llm-tools"), count("dialogue"), count("nash")), (400, 400, 4));
    assert!(traced("nash", 200) && traced("nash", 201), "both seats of scenario 100");
}
