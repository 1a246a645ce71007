//! A server inside a test, which notes what it is sent and answers as it is told.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// One request.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) line: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// A header's value, by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// The server; it ends with the test's process.
pub(crate) struct StandIn {
    address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl StandIn {
    /// Starts a server that answers every request with `status`, after `delay`.
    pub(crate) fn start(status: u16, delay: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("bound"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let noted = requests.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let noted = noted.clone();
                thread::spawn(move || serve(stream, &noted, status, delay));
            }
        });
        Self { address, requests }
    }

    /// Its address, without a slash at the end.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// What it was sent so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("no thread panics with it").clone()
    }
}

fn serve(stream: TcpStream, noted: &Mutex<Vec<Request>>, status: u16, delay: Duration) {
    let mut reader = BufReader::new(stream.try_clone().expect("a handle"));
    let mut stream = stream;
    while let Some(request) = read(&mut reader) {
        noted.lock().expect("no thread panics with it").push(request);
        thread::sleep(delay);
        let answer = format!("HTTP/1.1 {status} Answer\r\ncontent-length: 0\r\n\r\n");
        if stream.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

fn read(reader: &mut impl BufRead) -> Option<Request> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|bytes| *bytes > 0)?;
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim_end().split_once(':') else { break };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Request { line: line.trim_end().to_owned(), headers, body })
}
