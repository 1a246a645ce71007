//! Who listens to traces, from the environment.

use super::{EVERY, EVERY_VARIABLE, every};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use reqwest::Url;
use reqwest::blocking::Client;
use std::collections::HashMap;
use std::time::Duration;
use thiserror::Error;

/// How spans are encoded and sent.
const PROTOCOL: &str = "http/protobuf";

/// How long one delivery may take.
const LIMIT: Duration = Duration::from_secs(10);

/// Why a listener cannot be used. No key is in the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ListenerError {
    /// Langfuse's variables come together.
    #[error("{0} is not set: Langfuse needs LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY and LANGFUSE_HOST")]
    Incomplete(&'static str),
    /// No address.
    #[error("{variable} is no address: {problem}")]
    Address {
        /// The variable.
        variable: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// The program was built without encryption.
    #[error(
        "{0} asks for https, but this build speaks no TLS: `cargo build --release --features tls` makes one that does"
    )]
    NoTls(&'static str),
    /// The client could not be set up.
    #[error("cannot set up the exporter: {0}")]
    Setup(String),
}

/// Where traces go.
#[derive(Clone, PartialEq, Eq)]
pub enum Listener {
    /// Langfuse: traces and scores, with a key.
    Langfuse {
        /// Its address, without a slash at its end.
        host: String,
        /// The public key.
        public_key: String,
        /// The secret key.
        secret_key: String,
    },
    /// A collector; its address and headers are the exporter's to read from the environment.
    Collector {
        /// Its address, for messages.
        endpoint: String,
    },
}

impl std::fmt::Debug for Listener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Listener").field(&self.name()).finish()
    }
}

/// Where scores go, with what proves who sends them.
#[derive(Clone)]
pub(super) struct ScoreTarget {
    pub(super) url: String,
    pub(super) user: String,
    pub(super) password: String,
}

impl Listener {
    /// The listener that variables name, read by `variable`; `None` where they name none, or `OTEL_SDK_DISABLED` is true.
    ///
    /// # Errors
    /// Where they are incomplete or hold no address.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, ListenerError> {
        if variable("OTEL_SDK_DISABLED").is_some_and(|value| value.trim().eq_ignore_ascii_case("true")) {
            return Ok(None);
        }
        let names = ["LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY", "LANGFUSE_HOST"];
        let found = names.map(&variable);
        if let [Some(public_key), Some(secret_key), Some(host)] = &found {
            let host = address("LANGFUSE_HOST", host)?;
            return Ok(Some(Self::Langfuse {
                host: host.trim_end_matches('/').to_owned(),
                public_key: public_key.trim().to_owned(),
                secret_key: secret_key.trim().to_owned(),
            }));
        }
        for name in ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"] {
            if let Some(endpoint) = variable(name) {
                return Ok(Some(Self::Collector { endpoint: address(name, &endpoint)? }));
            }
        }
        match names.iter().zip(&found).find(|(_, value)| value.is_none()) {
            // A host alone asks for nothing: other programs use it too.
            Some((missing, None)) if found[0].is_some() || found[1].is_some() => {
                Err(ListenerError::Incomplete(missing))
            }
            _ => Ok(None),
        }
    }

    /// Its address, without keys.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Langfuse { host, .. } => host,
            Self::Collector { endpoint } => endpoint,
        }
    }

    /// The client for both traces and scores.
    pub(super) fn client(&self) -> Result<Client, ListenerError> {
        client(self.name().starts_with("https://"), LIMIT)
    }

    pub(super) fn exporter(&self, client: Client) -> Result<SpanExporter, ListenerError> {
        let mut builder = SpanExporter::builder().with_http().with_http_client(client).with_timeout(LIMIT);
        if let Self::Langfuse { host, public_key, secret_key } = self {
            // Without this header Langfuse shows traces minutes later.
            let headers = HashMap::from([
                ("authorization".to_owned(), basic(public_key, secret_key)),
                ("x-langfuse-ingestion-version".to_owned(), "4".to_owned()),
            ]);
            builder = builder.with_endpoint(format!("{host}/api/public/otel/v1/traces")).with_headers(headers);
        }
        builder.build().map_err(|fault| ListenerError::Setup(fault.to_string()))
    }

    pub(super) fn scores(&self) -> Option<ScoreTarget> {
        match self {
            Self::Langfuse { host, public_key, secret_key } => Some(ScoreTarget {
                url: format!("{host}/api/public/scores"),
                user: public_key.clone(),
                password: secret_key.clone(),
            }),
            Self::Collector { .. } => None,
        }
    }
}

/// What of the environment is not followed, in words, where somebody listens.
pub(super) fn doubts(variable: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let mut doubts = Vec::new();
    if let Some(text) = variable(EVERY_VARIABLE).filter(|text| every(text).is_none()) {
        doubts.push(format!(
            "{EVERY_VARIABLE} is \"{text}\", not a whole number from 1: one scenario in {EVERY} is traced"
        ));
    }
    for name in ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"] {
        if let Some(protocol) = variable(name).filter(|protocol| protocol.trim() != PROTOCOL) {
            doubts.push(format!("{name} is {protocol}, but traces are sent by {PROTOCOL} alone"));
        }
    }
    let keys = ["LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY"];
    let set = keys.iter().filter(|name| variable(name).is_some()).count();
    if set == 1 || set == 2 && variable("LANGFUSE_HOST").is_none() {
        doubts
            .push("Langfuse's variables are incomplete: its public key, secret key and host come together".to_owned());
    }
    doubts
}

/// An address with a scheme and a host, without what would be a secret.
fn address(variable: &'static str, text: &str) -> Result<String, ListenerError> {
    let fault = |problem: String| ListenerError::Address { variable, problem };
    let url =
        Url::parse(text.trim()).map_err(|parse| fault(format!("{parse}; it looks like http://127.0.0.1:4318")))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(fault("it must begin with http:// or https:// and name a host".to_owned()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(fault("it must hold no user and no password".to_owned()));
    }
    if url.scheme() == "https" && cfg!(not(feature = "tls")) {
        return Err(ListenerError::NoTls(variable));
    }
    Ok(text.trim().to_owned())
}

/// A client whose requests take `limit` at most. Trust is only looked for where it is needed: a machine without certificates
/// can still use a plain server.
pub(crate) fn client(encrypted: bool, limit: Duration) -> Result<Client, ListenerError> {
    let builder = Client::builder().timeout(limit).connect_timeout(limit).redirect(reqwest::redirect::Policy::none());
    let setup = |fault: reqwest::Error| ListenerError::Setup(fault.without_url().to_string());
    secured(builder, encrypted)?.build().map_err(setup)
}

#[cfg(feature = "tls")]
fn secured(
    builder: reqwest::blocking::ClientBuilder,
    encrypted: bool,
) -> Result<reqwest::blocking::ClientBuilder, ListenerError> {
    // Fails where a provider is there already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Ok(if encrypted { builder } else { builder.tls_certs_only([]) })
}

#[cfg(not(feature = "tls"))]
fn secured(
    builder: reqwest::blocking::ClientBuilder,
    encrypted: bool,
) -> Result<reqwest::blocking::ClientBuilder, ListenerError> {
    if encrypted { Err(ListenerError::NoTls("the address")) } else { Ok(builder) }
}

/// Basic authentication (RFC 7617).
fn basic(user: &str, password: &str) -> String {
    format!("Basic {}", base64(format!("{user}:{password}").as_bytes()))
}

/// Base 64 with padding (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let padded = [chunk[0], chunk.get(1).copied().unwrap_or(0), chunk.get(2).copied().unwrap_or(0)];
        let word = u32::from_be_bytes([0, padded[0], padded[1], padded[2]]);
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Result<Option<Listener>, ListenerError> {
        Listener::of(|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()))
    }

    const KEYS: [(&str, &str); 2] = [("LANGFUSE_PUBLIC_KEY", "pk"), ("LANGFUSE_SECRET_KEY", "s3cret")];

    #[test]
    fn the_environment_names_langfuse_first_then_a_collector_then_nobody() {
        assert_eq!(of(&[]), Ok(None));
        assert_eq!(of(&[("LANGFUSE_HOST", "http://localhost:3000")]), Ok(None));
        let collector = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318");
        let host = ("LANGFUSE_HOST", "http://localhost:3000/");
        assert_eq!(of(&[collector]).expect("an address").expect("a listener").name(), "http://localhost:4318");
        let all = [KEYS[0], KEYS[1], host, collector];
        assert_eq!(of(&all).expect("complete").expect("a listener").name(), "http://localhost:3000");
        assert_eq!(of(&KEYS), Err(ListenerError::Incomplete("LANGFUSE_HOST")));
        assert_eq!(of(&[KEYS[0], host]), Err(ListenerError::Incomplete("LANGFUSE_SECRET_KEY")));
    }

    #[test]
    fn what_of_the_environment_is_not_followed_is_told() {
        let told = |variables: &[(&str, &str)]| {
            let find = |name: &str| variables.iter().find(|(known, _)| *known == name);
            doubts(|name| find(name).map(|(_, value)| (*value).to_owned())).join("; ")
        };
        let collector = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://localhost:4318");
        assert_eq!(told(&[collector, (EVERY_VARIABLE, "3"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")]), "");
        for wrong in ["0", "abc", "-1"] {
            assert!(told(&[collector, (EVERY_VARIABLE, wrong)]).contains("one scenario in 100 is traced"));
        }
        assert!(told(&[collector, ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")]).contains("by http/protobuf alone"));
        assert!(told(&[collector, KEYS[0]]).contains("Langfuse's variables are incomplete"));
        assert!(told(&[collector, KEYS[0], KEYS[1]]).contains("Langfuse's variables are incomplete"));
        assert_eq!(of(&[collector, ("OTEL_SDK_DISABLED", "True")]), Ok(None));
    }

    #[test]
    fn an_address_is_checked_and_no_key_is_ever_shown() {
        let fault = |value: &str| of(&[("OTEL_EXPORTER_OTLP_ENDPOINT", value)]).expect_err(value).to_string();
        assert!(fault("localhost:4318").contains("http://"));
        assert!(fault("not an address").contains("OTEL_EXPORTER_OTLP_ENDPOINT is no address"));
        let hidden = fault("http://me:s3cret@localhost:4318");
        assert!(hidden.contains("no user") && !hidden.contains("s3cret"), "{hidden}");
        let listener = of(&[KEYS[0], KEYS[1], ("LANGFUSE_HOST", "http://localhost")]).expect("complete");
        assert!(!format!("{listener:?}").contains("s3cret"));
    }

    #[cfg(not(feature = "tls"))]
    #[test]
    fn a_build_without_tls_says_how_to_get_one() {
        let fault = of(&[("OTEL_EXPORTER_OTLP_ENDPOINT", "https://collector")]).expect_err("no TLS").to_string();
        assert!(fault.contains("--features tls"), "{fault}");
    }

    #[test]
    fn base_64_is_that_of_the_rfc() {
        let check = |text: &str, expected: &str| assert_eq!(base64(text.as_bytes()), expected);
        // RFC 4648, section 10.
        check("", "");
        check("f", "Zg==");
        check("fo", "Zm8=");
        check("foo", "Zm9v");
        check("foob", "Zm9vYg==");
        check("fooba", "Zm9vYmE=");
        check("foobar", "Zm9vYmFy");
    }
}
