//! One attempt over HTTP, with a hard limit on its time and its size.

use super::fault::Fault;
use super::reply::server_message;
use super::retry::retry_after;
use super::settings::ClientSettings;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Method, Url, redirect};
use std::error::Error as _;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, SystemTime};
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// Requests over one runtime on a thread of its own. Callers block; the runtime never does.
pub(super) struct Transport {
    handle: Handle,
    /// Dropped to end the runtime's thread.
    _stop: oneshot::Sender<()>,
    client: Client,
    base: Url,
    authorization: Option<HeaderValue>,
    max_bytes: usize,
}

/// What is asked of the server.
pub(super) enum Asked {
    /// A chat completion.
    Completion(Vec<u8>),
    /// Which models it serves.
    Models,
}

impl Transport {
    /// # Errors
    /// Where the address, the key or the system is unusable.
    pub(super) fn new(settings: &ClientSettings) -> Result<Self, Fault> {
        let base = base_url(&settings.base_url)?;
        let authorization = match &settings.key {
            None => None,
            Some(key) => {
                let value = HeaderValue::from_str(&format!("Bearer {}", key.reveal()));
                let mut value =
                    value.map_err(|_| Fault::Setup("the API key holds characters that no header may".to_owned()))?;
                value.set_sensitive(true);
                Some(value)
            }
        };
        let builder = Client::builder()
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .connect_timeout(settings.attempt.min(Duration::from_secs(30)));
        let client = secured(builder, base.scheme() == "https")?
            .build()
            .map_err(|fault| Fault::Setup(format!("cannot set up the HTTP client: {}", chain(&fault))))?;
        let (sender, receiver) = mpsc::sync_channel(1);
        let (stop, stopped) = oneshot::channel::<()>();
        let run = move || {
            let runtime = Builder::new_current_thread().enable_all().build();
            match runtime {
                Ok(runtime) => {
                    let _ = sender.send(Ok(runtime.handle().clone()));
                    let _ = runtime.block_on(stopped);
                }
                Err(fault) => drop(sender.send(Err(fault))),
            }
        };
        let system = |fault: &dyn std::fmt::Display| Fault::Setup(format!("cannot start the client's thread: {fault}"));
        thread::Builder::new().name("model-client".to_owned()).spawn(run).map_err(|fault| system(&fault))?;
        let handle = receiver.recv().map_err(|fault| system(&fault))?.map_err(|fault| system(&fault))?;
        let max_bytes = settings.max_reply_bytes;
        Ok(Self { handle, _stop: stop, client, base, authorization, max_bytes })
    }

    /// Makes one attempt and returns the body of a successful response.
    ///
    /// # Errors
    /// With whatever went wrong.
    pub(super) fn ask(&self, asked: Asked, limit: Duration) -> Result<Vec<u8>, Fault> {
        let (path, method, body) = match asked {
            Asked::Completion(body) => ("chat/completions", Method::POST, Some(body)),
            Asked::Models => ("models", Method::GET, None),
        };
        let url = self.base.join(path).map_err(|fault| Fault::Setup(format!("--model-base-url: {fault}")))?;
        let mut request = self.client.request(method, url);
        if let Some(value) = &self.authorization {
            request = request.header(AUTHORIZATION, value.clone());
        }
        if let Some(body) = body {
            request = request.header(CONTENT_TYPE, "application/json").body(body);
        }
        let max_bytes = self.max_bytes;
        let (sender, receiver) = mpsc::sync_channel(1);
        self.handle.spawn(async move {
            let outcome = tokio::time::timeout(limit, exchange(request, max_bytes)).await;
            let _ = sender.send(outcome.unwrap_or(Err(Fault::TimedOut(limit))));
        });
        receiver.recv().unwrap_or_else(|_| Err(Fault::Connection("the client's thread has ended".to_owned())))
    }
}

async fn exchange(request: reqwest::RequestBuilder, max_bytes: usize) -> Result<Vec<u8>, Fault> {
    let mut response = request.send().await.map_err(|fault| match fault {
        // Sent, and then nothing or nonsense came: the server is there.
        fault if fault.is_connect() => Fault::Connection(chain(&fault)),
        fault => Fault::CutOff(chain(&fault)),
    })?;
    let status = response.status();
    let asked = response.headers().get(RETRY_AFTER).and_then(|header| header.to_str().ok());
    let retry_after = asked.and_then(|header| retry_after(header, SystemTime::now()));
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|fault| Fault::CutOff(chain(&fault)))? {
        if body.len() + chunk.len() > max_bytes {
            return Err(Fault::Malformed(format!("it is longer than {max_bytes} bytes")));
        }
        body.extend_from_slice(&chunk);
    }
    let (status, message) = (status.as_u16(), || server_message(&body));
    match status {
        200..=299 => Ok(body),
        300..=399 => Err(Fault::Redirected(status)),
        429 => Err(Fault::Throttled { retry_after, message: message() }),
        408 | 500.. => Err(Fault::Server { status, retry_after, message: message() }),
        _ => Err(Fault::Refused { status, message: message() }),
    }
}

/// The server's address with a slash at its end, so that paths are put behind it.
fn base_url(text: &str) -> Result<Url, Fault> {
    let fault = |why: &str| Fault::Setup(format!("--model-base-url {why}; it looks like http://127.0.0.1:8000/v1"));
    let mut url = Url::parse(text.trim()).map_err(|parse| fault(&format!("is no address: {parse}")))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(fault("must begin with http:// or https:// and name a host"));
    }
    // It is written into manifests.
    if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
        return Err(fault("must hold no user, password, query or fragment: keys come from the environment"));
    }
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    Ok(url)
}

/// Trust is only looked for where it is needed: a machine without certificates can still use a plain server.
#[cfg(feature = "tls")]
fn secured(builder: reqwest::ClientBuilder, encrypted: bool) -> Result<reqwest::ClientBuilder, Fault> {
    // Fails where a provider is there already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Ok(if encrypted { builder } else { builder.tls_certs_only([]) })
}

#[cfg(not(feature = "tls"))]
fn secured(builder: reqwest::ClientBuilder, encrypted: bool) -> Result<reqwest::ClientBuilder, Fault> {
    if encrypted {
        let build = "cargo build --release --features tls";
        return Err(Fault::Setup(format!("this build speaks no TLS: `{build}` makes one that does")));
    }
    Ok(builder)
}

/// A fault with its causes; reqwest's own text leaves them out. Addresses in it are the user's own, without any key.
fn chain(fault: &reqwest::Error) -> String {
    let mut causes = Vec::new();
    let mut cause = fault.source();
    while let Some(next) = cause {
        causes.push(next.to_string());
        cause = next.source();
    }
    if causes.is_empty() { fault.to_string() } else { causes.join(": ") }
}

#[cfg(test)]
mod tests {
    use super::{Transport, base_url};
    use crate::model::settings::ClientSettings;

    #[test]
    fn an_address_is_put_in_order_or_refused_with_what_it_should_be() {
        let check = |text: &str, expected: &str| assert_eq!(base_url(text).unwrap().as_str(), expected);
        check("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1/");
        check(" http://localhost:8000/v1/ ", "http://localhost:8000/v1/");
        let refused = |text: &str, part: &str| {
            let fault = base_url(text).unwrap_err().to_string();
            assert!(fault.contains(part) && fault.contains("--model-base-url"), "{fault}");
            assert!(!fault.contains("s3cret"), "{fault}");
        };
        refused("localhost:8000", "http://");
        refused("v1", "no address");
        refused("ftp://host/v1", "http://");
        refused("http://me:s3cret@host/v1", "no user");
        refused("http://host/v1?key=s3cret", "query");
    }

    #[cfg(not(feature = "tls"))]
    #[test]
    fn a_build_without_tls_says_how_to_get_one() {
        let fault = Transport::new(&ClientSettings::of("https://host/v1")).err().unwrap().to_string();
        assert!(fault.contains("--features tls"), "{fault}");
    }
}
