//! Traces and scores leave a run for whoever the environment names, and never get in its way.

mod stand_in;
#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use stand_in::{Request, StandIn};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use zopa::{Done, zopa, zopa_with};

const RUN: [&str; 7] = ["run", "procurement-v1", "--episodes", "4", "--agent", "nash", "--out"];
const KEYS: [(&str, &str); 2] = [("LANGFUSE_PUBLIC_KEY", "pk-lf-1"), ("LANGFUSE_SECRET_KEY", "sk-lf-2")];

/// Runs with every episode traced.
fn run(folder: &Path, out: &str, variables: &[(&str, &str)]) -> Done {
    let all = [&[("ZOPA_TRACE_EVERY", "1")], variables].concat();
    let done = zopa_with(folder, &[&RUN[..], &[out]].concat(), &all);
    assert_eq!(done.code, 0, "{}", done.err);
    done
}

fn text(value: &Value) -> String {
    match value {
        Value::StringValue(text) => text.clone(),
        Value::IntValue(number) => number.to_string(),
        Value::ArrayValue(values) => {
            let texts = values.values.iter().filter_map(|value| value.value.as_ref()).map(text);
            texts.collect::<Vec<_>>().join(",")
        }
        other => format!("{other:?}"),
    }
}

fn attributes(span: &Span) -> BTreeMap<String, String> {
    let pairs =
        span.attributes.iter().filter_map(|pair| Some((pair.key.clone(), text(pair.value.as_ref()?.value.as_ref()?))));
    pairs.collect()
}

/// All spans that were sent, by trace.
fn traces(requests: &[Request], path: &str) -> BTreeMap<Vec<u8>, Vec<Span>> {
    let mut traces: BTreeMap<Vec<u8>, Vec<Span>> = BTreeMap::new();
    for request in requests.iter().filter(|request| request.line.starts_with(&format!("POST {path} "))) {
        assert_eq!(request.header("content-type"), Some("application/x-protobuf"));
        let sent = ExportTraceServiceRequest::decode(&request.body[..]).expect("it is what the protocol says");
        for resource in sent.resource_spans {
            let named = resource.resource.expect("a resource").attributes;
            assert!(named.iter().any(|pair| pair.key == "service.name"), "{named:?}");
            for span in resource.scope_spans.into_iter().flat_map(|scope| scope.spans) {
                traces.entry(span.trace_id.clone()).or_default().push(span);
            }
        }
    }
    traces
}

#[test]
fn an_episode_is_a_trace_and_every_node_of_the_turn_graph_a_span() {
    let folder = tempfile::tempdir().unwrap();
    let collector = StandIn::start(200, Duration::ZERO);
    let done = run(folder.path(), "run", &[("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address())]);
    assert!(done.err.contains("traces go to http://127.0.0.1:"), "{}", done.err);
    let traces = traces(&collector.requests(), "/v1/traces");
    assert_eq!(traces.len(), 4);
    let records = fs::read_to_string(folder.path().join("run/episodes.jsonl")).unwrap();
    for spans in traces.values() {
        let root = spans.iter().find(|span| span.parent_span_id.is_empty()).expect("the episode's own span");
        let about = attributes(root);
        assert_eq!(about["langfuse.trace.name"], "procurement-v1 nash");
        assert_eq!(about["langfuse.trace.tags"], "procurement-v1,nash");
        assert!(records.contains(&about["langfuse.trace.metadata.digest"]), "the record and its trace belong together");
        let nodes: Vec<&Span> = spans.iter().filter(|span| !span.parent_span_id.is_empty()).collect();
        for node in &nodes {
            assert_eq!(node.parent_span_id, root.span_id);
            assert!(
                root.start_time_unix_nano <= node.start_time_unix_nano
                    && node.end_time_unix_nano <= root.end_time_unix_nano
            );
            assert!(node.start_time_unix_nano <= node.end_time_unix_nano);
        }
        for name in ["interpret", "strategise", "authorise", "apply", "counterpart"] {
            assert!(nodes.iter().any(|node| node.name == name), "{name}");
        }
        let decided = nodes.iter().find(|node| node.name == "strategise").expect("a decision");
        let about = attributes(decided);
        assert_eq!(about["langfuse.observation.type"], "agent");
        assert!(about["langfuse.observation.input"].contains("\"phase\":\"opening\""), "{about:?}");
        assert!(about["langfuse.observation.output"].contains("\"action\":\"offer price"), "{about:?}");
        let mut ids: Vec<&[u8]> = spans.iter().map(|span| &span.span_id[..]).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), spans.len(), "no two spans have the same id");
    }
}

#[test]
fn langfuse_gets_traces_and_scores_at_its_paths_with_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let langfuse = StandIn::start(200, Duration::ZERO);
    let done = run(folder.path(), "run", &[KEYS[0], KEYS[1], ("LANGFUSE_HOST", langfuse.address())]);
    let requests = langfuse.requests();
    // printf 'pk-lf-1:sk-lf-2' | base64
    let key = "Basic cGstbGYtMTpzay1sZi0y";
    assert!(requests.iter().all(|request| request.header("authorization") == Some(key)), "{requests:?}");
    let traces = traces(&requests, "/api/public/otel/v1/traces");
    assert_eq!(traces.len(), 4);
    let sent: Vec<&Request> =
        requests.iter().filter(|request| request.line.starts_with("POST /api/public/scores ")).collect();
    let ids: Vec<String> =
        traces.keys().map(|id| id.iter().map(|byte| format!("{byte:02x}")).collect::<String>()).collect();
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for request in &sent {
        assert_eq!(request.header("content-type"), Some("application/json"));
        let score: serde_json::Value = serde_json::from_slice(&request.body).expect("JSON");
        let trace = score["traceId"].as_str().expect("a trace");
        assert!(ids.iter().any(|id| id == trace), "{score} belongs to a trace that was sent");
        assert!(score["value"].is_number() && score["id"].as_str().expect("an id").starts_with(trace), "{score}");
        let kind = if score["name"] == "agreement" { "BOOLEAN" } else { "NUMERIC" };
        assert_eq!(score["dataType"], kind);
        *names.entry(score["name"].as_str().expect("a name").to_owned()).or_default() += 1;
    }
    assert_eq!((names["agreement"], names["violations"]), (4, 4));
    assert!((1..=4).contains(&names["surplus"]), "where something could be gained: {names:?}");
    for text in [&done.out, &done.err] {
        assert!(!text.contains("sk-lf-2") && !text.contains("pk-lf-1"), "no key is shown: {text}");
    }
    for entry in fs::read_dir(folder.path().join("run")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = if path.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
        assert!(!String::from_utf8_lossy(&bytes).contains("sk-lf-2"), "{}", path.display());
    }
}

#[test]
fn of_software_only_the_stated_sample_is_traced() {
    let folder = tempfile::tempdir().unwrap();
    let collector = StandIn::start(200, Duration::ZERO);
    let variables = [("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address())];
    let done = zopa_with(folder.path(), &[&RUN[..], &["run"]].concat(), &variables);
    assert!(done.err.contains("one scenario in 100 of software"), "{}", done.err);
    assert_eq!(traces(&collector.requests(), "/v1/traces").len(), 2, "both seats of scenario 0");
}

#[test]
fn a_tournament_is_traced_as_runs_are() {
    let folder = tempfile::tempdir().unwrap();
    let collector = StandIn::start(200, Duration::ZERO);
    let variables = [("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address()), ("ZOPA_TRACE_EVERY", "1")];
    let tournament = ["tournament", "payment-terms-v1", "--agent", "linear", "--agent", "nash", "--episodes", "2"];
    let done = zopa_with(folder.path(), &[&tournament[..], &["--out", "all"]].concat(), &variables);
    assert!(done.code == 0 && done.err.contains("one scenario in 1 of software"), "{}", done.err);
    assert_eq!(traces(&collector.requests(), "/v1/traces").len(), 8, "two episodes of each of four pairings");
}

/// A run whose listener fails is the run that nobody listens to, with one warning and a count.
fn check_unheard(variables: &[(&str, &str)], reason: &str) {
    let folder = tempfile::tempdir().unwrap();
    let began = Instant::now();
    let done = run(folder.path(), "unheard", variables);
    assert!(began.elapsed() < Duration::from_secs(40), "it waited for {:?}", began.elapsed());
    let warnings: Vec<&str> = done.err.lines().filter(|line| line.contains("warning")).collect();
    assert_eq!(warnings.len(), 1, "{}", done.err);
    assert!(warnings[0].contains("spans") && warnings[0].contains(reason), "{}", warnings[0]);
    let count = warnings[0].split_whitespace().find_map(|word| word.parse::<u64>().ok());
    assert!(count.is_some_and(|count| count > 100), "{}", warnings[0]);
    assert_eq!(zopa(folder.path(), &[&RUN[..], &["alone"]].concat()).code, 0);
    let read = |out: &str| fs::read(folder.path().join(out).join("episodes.jsonl")).unwrap();
    assert_eq!(read("unheard"), read("alone"), "nobody's listening changes no record");
}

#[test]
fn a_dead_collector_is_one_warning_and_a_count() {
    check_unheard(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")], "network error");
}

#[test]
fn a_collector_that_refuses_is_one_warning_and_a_count() {
    let collector = StandIn::start(401, Duration::ZERO);
    check_unheard(&[KEYS[0], KEYS[1], ("LANGFUSE_HOST", collector.address())], "status");
}

#[test]
fn a_collector_that_hangs_does_not_hold_up_the_end() {
    let collector = StandIn::start(200, Duration::from_secs(600));
    check_unheard(&[("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address())], "spans");
}

#[test]
fn an_environment_that_makes_no_sense_is_a_warning_and_the_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let done = run(folder.path(), "run", &[KEYS[0], KEYS[1]]);
    assert!(done.err.contains("warning") && done.err.contains("LANGFUSE_HOST is not set"), "{}", done.err);
    assert!(!done.err.contains("sk-lf-2"));
}
