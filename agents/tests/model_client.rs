//! The client against servers that fail: what comes back, after how many attempts, in how much time.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod fault_server;

use fault_server::{Does, FaultServer};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use zopa_agents::model::{
    ApiKey, BreakerSettings, ChatMessage, ChatRequest, Client, ClientSettings, Fault, Finish, Origin, Purpose,
    RecordedReply, Recorder, Recording, Role, Sampling, Tokens,
};

fn settings(server: &FaultServer) -> ClientSettings {
    ClientSettings {
        max_retries: 3,
        attempt: Duration::from_secs(2),
        decision: Duration::from_secs(20),
        backoff: Duration::from_millis(4),
        longest_backoff: Duration::from_millis(20),
        ..ClientSettings::of(&server.url())
    }
}

fn connect(settings: ClientSettings) -> Client {
    Client::connect(settings, Sampling::of("stand-in"), Recording::default()).unwrap()
}

fn request(seed: u64) -> ChatRequest {
    let messages = vec![ChatMessage::new(Role::User, "Your turn.")];
    ChatRequest { messages, schema: ("decision", "{\"type\":\"object\"}".to_owned()), seed }
}

fn ask(client: &Client, seed: u64) -> Result<String, Fault> {
    client.complete(&request(seed), Purpose::Decide, client.deadline()).map(|answer| answer.reply.content)
}

#[test]
fn a_reply_comes_with_its_usage_and_finish_reason() {
    let server = FaultServer::start(|_| Does::EndsAtLimit("half a".to_owned()));
    let client = connect(settings(&server));
    let answer = client.complete(&request(1), Purpose::Decide, client.deadline()).unwrap();
    assert_eq!(answer.origin, Origin::Server);
    assert_eq!((answer.reply.content.as_str(), answer.reply.finish), ("half a", Finish::Length));
    assert_eq!(answer.reply.tokens, Tokens { prompt: 100, completion: 20 });
    let sent = &server.asked()[0];
    assert_eq!(sent.body["response_format"]["json_schema"]["schema"]["type"], "object");
    assert_eq!(sent.authorization, None);
}

#[test]
fn every_fault_that_may_pass_is_tried_again_and_the_reply_after_it_counts() {
    for fault in Does::faults() {
        let first = fault.clone();
        let server = FaultServer::start(
            move |asked| {
                if asked.number == 0 { first.clone() } else { Does::Says("yes".to_owned()) }
            },
        );
        let client = connect(ClientSettings { attempt: Duration::from_millis(600), ..settings(&server) });
        assert_eq!(ask(&client, 1), Ok("yes".to_owned()), "{fault:?}");
        assert_eq!(server.completions(), 2, "{fault:?}");
    }
}

#[test]
fn a_fault_that_stays_is_named_after_all_attempts_and_in_bounded_time() {
    let check = |does: Does, part: &str| {
        let server = FaultServer::start(move |_| does.clone());
        let patience = ClientSettings { attempt: Duration::from_millis(300), max_retries: 1, ..settings(&server) };
        let began = Instant::now();
        let fault = ask(&connect(patience), 1).unwrap_err();
        assert!(fault.to_string().contains(part), "{fault}");
        assert!(fault.may_pass() && began.elapsed() < Duration::from_secs(5), "{fault}");
        assert_eq!(server.completions(), 2, "{fault}");
    };
    let status = |status, body: &str| Does::Status(status, Vec::new(), body.to_owned());
    check(status(429, "{\"error\":{\"message\":\"slow down\"}}"), "status 429): slow down");
    check(status(500, ""), "status 500): it says nothing");
    check(status(503, "{\"error\":\"queue is full\"}"), "status 503): queue is full");
    check(Does::Late(Duration::from_secs(1), "yes".to_owned()), "within 0.3 s");
    check(Does::Drips("yes".to_owned()), "within 0.3 s");
    check(Does::CutsOff, "cut off");
    check(Does::InvalidJson, "no JSON");
    check(Does::WrongShape, "no list of choices");
    check(Does::EmptyChoices, "choices is empty");
    check(Does::TenMegabytes, "longer than 4194304 bytes");
    check(Does::InvalidUtf8, "not UTF-8");
    check(Does::Closes, "cut off");
    check(Does::Redirects, "status 302), which is not followed");
}

#[test]
fn nobody_at_the_address_is_a_fault_of_infrastructure() {
    let mut server = FaultServer::start(|_| Does::Says(String::new()));
    let client = connect(ClientSettings { max_retries: 2, ..settings(&server) });
    server.kill();
    assert!(matches!(ask(&client, 1), Err(Fault::Connection(_))));
}

#[test]
fn a_refused_request_is_not_tried_again_and_the_servers_words_are_shown_without_the_key() {
    for (status, once) in [(400, false), (401, true), (403, true), (404, true), (422, false)] {
        let body = "{\"error\":{\"message\":\"Incorrect API key provided: sk-s3cret\"}}";
        let server = FaultServer::start(move |_| Does::Status(status, Vec::new(), body.to_owned()));
        let client = connect(ClientSettings { key: ApiKey::new("sk-s3cret"), ..settings(&server) });
        let fault = ask(&client, 1).unwrap_err();
        let expected = format!("the server refuses the request (status {status}): Incorrect API key provided: [key]");
        assert_eq!(fault.to_string(), expected);
        assert_eq!(server.completions(), 1);
        assert_eq!(server.asked()[0].authorization.as_deref(), Some("Bearer sk-s3cret"));
        // A wrong key or model is wrong for all: nobody else is sent into it.
        assert_eq!(ask(&client, 2), Err(fault));
        assert_eq!(server.completions(), if once { 1 } else { 2 });
    }
}

#[test]
fn a_retry_waits_as_long_as_the_server_asks() {
    for status in [429, 503] {
        let server = FaultServer::start(move |asked| match asked.number {
            0 => Does::Status(status, vec![("Retry-After", "1".to_owned())], String::new()),
            _ => Does::Says("yes".to_owned()),
        });
        let began = Instant::now();
        assert_eq!(ask(&connect(settings(&server)), 1), Ok("yes".to_owned()));
        assert!(began.elapsed() >= Duration::from_secs(1), "{status}");
    }
}

#[test]
fn a_wait_beyond_the_decisions_time_ends_it_at_once() {
    let server =
        FaultServer::start(|_| Does::Status(429, vec![("Retry-After", "3600".to_owned())], "later".to_owned()));
    let client = connect(settings(&server));
    let began = Instant::now();
    let fault = ask(&client, 1).unwrap_err();
    assert!(matches!(&fault, Fault::OutOfTime { last, .. } if last.contains("later")), "{fault}");
    assert!(began.elapsed() < Duration::from_secs(2));
}

#[test]
fn overload_takes_connections_away_and_never_more_than_the_most_are_open() {
    let server = FaultServer::start(|asked| {
        if asked.number < 4 {
            return Does::Status(429, Vec::new(), String::new());
        }
        Does::Late(Duration::from_millis(20), "yes".to_owned())
    });
    let client = connect(ClientSettings { max_connections: 4, max_retries: 8, ..settings(&server) });
    std::thread::scope(|scope| {
        let asking: Vec<_> = (0..16)
            .map(|seed| {
                scope.spawn({
                    let client = &client;
                    move || ask(client, seed)
                })
            })
            .collect();
        assert!(asking.into_iter().all(|thread| thread.join().unwrap().is_ok()));
    });
    assert!(client.concurrency() <= 4 && server.most_open() <= 5, "{} open", server.most_open());
    let tired = FaultServer::start(|_| Does::Status(429, Vec::new(), String::new()));
    let client = connect(ClientSettings { max_connections: 8, max_retries: 0, ..settings(&tired) });
    assert!(ask(&client, 1).is_err());
    assert_eq!(client.concurrency(), 4);
}

#[test]
fn the_breaker_keeps_requests_from_a_server_that_fails_and_closes_when_it_is_back() {
    let server = FaultServer::start(|asked| {
        if asked.number < 4 { Does::Status(500, Vec::new(), "down".to_owned()) } else { Does::Says("back".to_owned()) }
    });
    let breaker = BreakerSettings { failures: 4, open: Duration::from_millis(150), ..BreakerSettings::default() };
    let client = connect(ClientSettings { max_retries: 3, breaker, ..settings(&server) });
    assert!(matches!(ask(&client, 1), Err(Fault::Server { status: 500, .. })));
    assert!(!client.is_closed());
    // Words do not wait for it, decisions do.
    let spoken = client.complete(&request(2), Purpose::Speak, client.deadline());
    assert!(matches!(&spoken, Err(Fault::Open(last)) if last.contains("down")), "{spoken:?}");
    assert_eq!(server.completions(), 4);
    assert_eq!(ask(&client, 3), Ok("back".to_owned()));
    assert!(client.is_closed());
}

#[test]
fn a_server_that_is_gone_for_good_is_not_waited_for() {
    let server = FaultServer::start(|_| Does::Closes);
    let breaker = BreakerSettings {
        failures: 2,
        open: Duration::from_millis(20),
        longest_open: Duration::from_secs(60),
        dead_after: 2,
    };
    let client = connect(ClientSettings { max_retries: 10, breaker, ..settings(&server) });
    let began = Instant::now();
    let faults: Vec<Fault> = (0..50).map(|seed| ask(&client, seed).unwrap_err()).collect();
    assert!(began.elapsed() < Duration::from_secs(5));
    assert!(matches!(faults.last(), Some(Fault::Open(_))) && server.completions() < 10);
}

struct Kept(std::sync::Arc<Mutex<Vec<RecordedReply>>>);

impl Recorder for Kept {
    fn record(&self, recorded: &RecordedReply) -> Result<(), String> {
        self.0.lock().unwrap().push(recorded.clone());
        Ok(())
    }
}

#[test]
fn recorded_replies_are_given_again_without_a_server_and_only_to_the_same_request() {
    let server = FaultServer::start(|asked| Does::Says(format!("reply {}", asked.number)));
    let kept = std::sync::Arc::new(Mutex::new(Vec::new()));
    let recording = Recording::new([], Some(Box::new(Kept(kept.clone()))));
    let client = Client::connect(settings(&server), Sampling::of("stand-in"), recording).unwrap();
    let said: Vec<String> = (0..3).map(|seed| ask(&client, seed).unwrap()).collect();
    // Asked again in the same run it is the same sample, and says so.
    let again = client.complete(&request(1), Purpose::Decide, client.deadline()).unwrap();
    assert_eq!((again.reply.content, again.origin), (said[1].clone(), Origin::Recording));
    drop(server);
    let lines: Vec<String> = kept.lock().unwrap().iter().map(|reply| serde_json::to_string(reply).unwrap()).collect();
    let read = lines.iter().map(|line| serde_json::from_str::<RecordedReply>(line).unwrap());
    let replay = Client::replay(Sampling::of("stand-in"), Recording::new(read, None));
    assert_eq!((0..3).map(|seed| ask(&replay, seed).unwrap()).collect::<Vec<_>>(), said);
    assert_eq!(ask(&replay, 3), Err(Fault::NotRecorded), "another seed is another sample");
    let other = Client::replay(Sampling::of("another"), Recording::new([], None));
    assert_eq!(ask(&other, 0), Err(Fault::NotRecorded));
}

#[test]
fn the_cache_serves_the_same_request_for_its_time_and_says_that_it_did() {
    let server = FaultServer::start(|asked| Does::Says(format!("reply {}", asked.number)));
    let cache_time = Duration::from_millis(300);
    let client = connect(ClientSettings { cache_entries: 8, cache_time, ..settings(&server) });
    let origin = |seed| {
        let answer = client.complete(&request(seed), Purpose::Decide, client.deadline()).unwrap();
        (answer.reply.content, answer.origin)
    };
    assert_eq!(origin(1), ("reply 0".to_owned(), Origin::Server));
    assert_eq!(origin(1), ("reply 0".to_owned(), Origin::Cache));
    assert_eq!(origin(2), ("reply 1".to_owned(), Origin::Server), "another repeat is another sample");
    std::thread::sleep(cache_time);
    assert_eq!(origin(1), ("reply 2".to_owned(), Origin::Server));
}

#[test]
fn the_models_of_a_server_are_listed() {
    let server = FaultServer::start(|_| Does::Closes);
    assert_eq!(Client::models(&settings(&server)), Ok(vec!["stand-in".to_owned()]));
}
