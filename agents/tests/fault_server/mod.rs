//! A server that speaks the chat completions API over plain sockets and fails in every way that servers do, on demand.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What a client asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Which completion request it is, from 0.
    pub(crate) number: u64,
    pub(crate) body: Value,
    pub(crate) authorization: Option<String>,
}

/// What the server does with a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Does {
    /// A complete reply with this content.
    Says(String),
    /// A complete reply that ends at its token limit.
    EndsAtLimit(String),
    /// A status with headers and a body.
    Status(u16, Vec<(&'static str, String)>, String),
    /// A complete reply after this time.
    Late(Duration, String),
    /// A complete reply, a byte now and then.
    Drips(String),
    /// Headers and half of the body, then the connection closes.
    CutsOff,
    /// A body that is no JSON.
    InvalidJson,
    /// JSON of another shape.
    WrongShape,
    /// No choice.
    EmptyChoices,
    /// Ten megabytes.
    TenMegabytes,
    /// Bytes that are no UTF-8.
    InvalidUtf8,
    /// The connection closes without a word.
    Closes,
    /// Another address.
    Redirects,
}

impl Does {
    /// Every fault that may pass, each once.
    pub(crate) fn faults() -> Vec<Self> {
        let status = |status, headers: &[(&'static str, &str)], body: &str| {
            let headers = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
            Self::Status(status, headers, body.to_owned())
        };
        vec![
            status(429, &[], "{\"error\":{\"message\":\"slow down\"}}"),
            status(429, &[("Retry-After", "0")], "{}"),
            status(500, &[], "oops"),
            status(503, &[("Retry-After", "0")], "{\"error\":\"queue is full\"}"),
            Self::Drips("{}".to_owned()),
            Self::CutsOff,
            Self::InvalidJson,
            Self::WrongShape,
            Self::EmptyChoices,
            Self::TenMegabytes,
            Self::InvalidUtf8,
            Self::Closes,
            Self::Redirects,
        ]
    }
}

type Script = dyn Fn(&Asked) -> Does + Send + Sync;

/// The server; it ends when it is dropped.
pub(crate) struct FaultServer {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    completions: Arc<AtomicU64>,
    open: Arc<AtomicU64>,
    most_open: Arc<AtomicU64>,
    asked: Arc<Mutex<Vec<Asked>>>,
    thread: Option<JoinHandle<()>>,
}

impl FaultServer {
    /// Starts a server that does what `script` says to each completion request.
    pub(crate) fn start(script: impl Fn(&Asked) -> Does + Send + Sync + 'static) -> Self {
        Self::start_at(0, script)
    }

    /// As [`Self::start`], on a port of its caller's choice.
    pub(crate) fn start_at(port: u16, script: impl Fn(&Asked) -> Does + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", port)).expect("a free port of this machine");
        let address = listener.local_addr().expect("a bound socket has an address");
        let (stop, script): (_, Arc<Script>) = (Arc::new(AtomicBool::new(false)), Arc::new(script));
        let [completions, open, most_open] = [0; 3].map(|_| Arc::new(AtomicU64::new(0)));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let server = (stop.clone(), completions.clone(), open.clone(), most_open.clone(), asked.clone());
        let thread = thread::spawn(move || {
            let (stop, completions, open, most_open, asked) = server;
            for stream in listener.incoming() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let (script, completions, asked) = (script.clone(), completions.clone(), asked.clone());
                let (open, most_open, stop) = (open.clone(), most_open.clone(), stop.clone());
                thread::spawn(move || {
                    let now = open.fetch_add(1, Ordering::SeqCst) + 1;
                    most_open.fetch_max(now, Ordering::SeqCst);
                    let _ = serve(&stream, &*script, &completions, &asked, &stop);
                    open.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        Self { address, stop, completions, open, most_open, asked, thread: Some(thread) }
    }

    /// Its base address.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub(crate) fn port(&self) -> u16 {
        self.address.port()
    }

    /// Completion requests that it has had.
    pub(crate) fn completions(&self) -> u64 {
        self.completions.load(Ordering::SeqCst)
    }

    /// The most connections that were open at a time.
    pub(crate) fn most_open(&self) -> u64 {
        self.most_open.load(Ordering::SeqCst)
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Ends it: from here on nobody answers at its address.
    pub(crate) fn kill(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // Wakes the loop.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let _ = self.open.load(Ordering::SeqCst);
    }
}

impl Drop for FaultServer {
    fn drop(&mut self) {
        self.kill();
    }
}

fn serve(
    stream: &TcpStream,
    script: &Script,
    completions: &AtomicU64,
    asked: &Mutex<Vec<Asked>>,
    stop: &AtomicBool,
) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = BTreeMap::new();
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.insert(name.trim().to_ascii_lowercase(), value.trim().to_owned());
        }
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    if stop.load(Ordering::SeqCst) {
        return Ok(());
    }
    if path.ends_with("/models") {
        return respond(stream, 200, &[], json!({"data": [{"id": "stand-in"}]}).to_string().as_bytes());
    }
    let number = completions.fetch_add(1, Ordering::SeqCst);
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let request = Asked { number, body, authorization: headers.get("authorization").cloned() };
    let does = script(&request);
    asked.lock().unwrap().push(request);
    act(stream, does)
}

fn completion(content: &str, finish: &str) -> String {
    json!({
        "id": "1", "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
    })
    .to_string()
}

fn act(mut stream: &TcpStream, does: Does) -> std::io::Result<()> {
    match does {
        Does::Says(content) => respond(stream, 200, &[], completion(&content, "stop").as_bytes()),
        Does::EndsAtLimit(content) => respond(stream, 200, &[], completion(&content, "length").as_bytes()),
        Does::Status(status, headers, body) => respond(stream, status, &headers, body.as_bytes()),
        Does::Late(time, content) => {
            thread::sleep(time);
            respond(stream, 200, &[], completion(&content, "stop").as_bytes())
        }
        Does::Drips(content) => {
            let body = completion(&content, "stop");
            head(stream, 200, &[], body.len())?;
            for byte in body.as_bytes() {
                thread::sleep(Duration::from_millis(30));
                stream.write_all(&[*byte])?;
            }
            Ok(())
        }
        Does::CutsOff => {
            let body = completion("{}", "stop");
            head(stream, 200, &[], body.len())?;
            stream.write_all(&body.as_bytes()[..body.len() / 2])
        }
        Does::InvalidJson => respond(stream, 200, &[], b"{\"choices\": [{\"message\": {\"content\": \"half"),
        Does::WrongShape => respond(stream, 200, &[], b"{\"answer\": 42}"),
        Does::EmptyChoices => respond(stream, 200, &[], b"{\"choices\": []}"),
        Does::TenMegabytes => respond(stream, 200, &[], completion(&"a".repeat(10_000_000), "stop").as_bytes()),
        Does::InvalidUtf8 => respond(stream, 200, &[], b"{\"choices\": [{\"message\": {\"content\": \"\xff\xfe\"}}]}"),
        Does::Closes => Ok(()),
        Does::Redirects => respond(stream, 302, &[("Location", "http://127.0.0.1:1/v1".to_owned())], b""),
    }
}

fn head(mut stream: &TcpStream, status: u16, headers: &[(&str, String)], length: usize) -> std::io::Result<()> {
    let mut text = format!("HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("Connection: close\r\n\r\n");
    stream.write_all(text.as_bytes())
}

fn respond(mut stream: &TcpStream, status: u16, headers: &[(&str, String)], body: &[u8]) -> std::io::Result<()> {
    head(stream, status, headers, body.len())?;
    stream.write_all(body)?;
    stream.flush()
}

/// A stand-in for a model: a valid reply to whatever is asked, by the schema and the request's seed. Its decisions are arbitrary
/// offers and, sometimes, acceptances; its words state the terms that it is given.
pub(crate) fn stand_in(asked: &Asked) -> String {
    let seed = asked.body["seed"].as_u64().unwrap_or(0);
    let form = &asked.body["response_format"]["json_schema"];
    let told = asked.body["messages"].as_array().and_then(|messages| messages.last()).cloned().unwrap_or_default();
    let told = told["content"].as_str().unwrap_or_default();
    if form["name"] == "words" {
        let terms = told.lines().find_map(|line| line.strip_prefix("The terms, to be stated exactly: "));
        let words = terms.map_or("Thank you for your time.".to_owned(), |terms| format!("We offer {terms}"));
        return json!({"message": words}).to_string();
    }
    let schema = &form["schema"];
    let schema = if schema["anyOf"].is_array() { &schema["anyOf"][0] } else { schema };
    let mut fields = serde_json::Map::new();
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let value = match name.as_str() {
            "notes" => json!("I wait."),
            "no_deal_low" => json!(-5),
            "no_deal_high" => json!(6.5),
            "action" if seed.is_multiple_of(7) && told.contains("Their standing") => json!("accept"),
            "action" => json!("offer"),
            "escalate" => json!(false),
            "message" => json!("We are glad to talk."),
            _ => any(&member["anyOf"][0], seed),
        };
        fields.insert(name.clone(), value);
    }
    Value::Object(fields).to_string()
}

/// Some value that the schema permits.
fn any(schema: &Value, seed: u64) -> Value {
    if let Some(values) = schema["enum"].as_array() {
        return values[seed as usize % values.len()].clone();
    }
    if let Some(members) = schema["properties"].as_object() {
        return members.iter().map(|(name, member)| (name.clone(), any(member, seed))).collect();
    }
    let (low, high) = (schema["minimum"].as_i64().unwrap_or(0), schema["maximum"].as_i64().unwrap_or(100));
    json!(low + (high - low) * 2 / 5 + (seed % 97) as i64 * (high - low) / 1000)
}
