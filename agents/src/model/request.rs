//! What is sent: a chat completion request, and the digest of everything that shapes its reply.

use super::settings::Sampling;
use serde::Serialize;
use serde_json::json;
use zopa_envs::Digest;

/// Who says a message of a chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The instructions.
    System,
    /// What the model is told.
    User,
    /// What the model said.
    Assistant,
}

/// One message of a chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChatMessage {
    /// Who says it.
    pub role: Role,
    /// What is said.
    pub content: String,
}

impl ChatMessage {
    /// A message.
    #[must_use]
    pub fn new(role: Role, content: impl Into<String>) -> Self {
        Self { role, content: content.into() }
    }
}

/// One request.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatRequest {
    /// The chat so far.
    pub messages: Vec<ChatMessage>,
    /// The name and the text of the JSON schema that the reply must keep to. Text, since models write an object's members in
    /// the order in which the schema names them, and maps here are sorted.
    pub schema: (&'static str, String),
    /// Seed of the sampling. It comes from the episode's own stream, so that no two samples are asked for by the same bytes.
    pub seed: u64,
}

/// Seeds of requests stay below this: servers read them as signed numbers, and JSON's readers as floats.
pub const SEEDS: u64 = 1 << 53;

impl ChatRequest {
    /// The request's body.
    #[must_use]
    pub fn body(&self, sampling: &Sampling) -> Vec<u8> {
        let Self { messages, schema: (name, schema), seed } = self;
        let plain = json!({
            "model": sampling.model,
            "messages": messages,
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "max_tokens": sampling.max_tokens,
            "seed": seed,
        });
        let mut body = plain.to_string();
        body.pop();
        body.push_str(",\"response_format\":{\"type\":\"json_schema\",\"json_schema\":{\"name\":\"");
        body.push_str(name);
        body.push_str("\",\"strict\":true,\"schema\":");
        body.push_str(schema);
        body.push_str("}}}");
        body.into_bytes()
    }

    /// The digest of everything that shapes the reply: the body's bytes. The server's address is no
    /// part of it.
    #[must_use]
    pub fn digest(&self, sampling: &Sampling) -> Digest {
        Digest::of_bytes(&self.body(sampling))
    }
}

#[cfg(test)]
mod tests {
    use super::{ChatMessage, ChatRequest, Role, Sampling};
    use serde_json::{Value, json};

    fn request() -> ChatRequest {
        let messages = vec![ChatMessage::new(Role::System, "Negotiate."), ChatMessage::new(Role::User, "Your turn.")];
        ChatRequest { messages, schema: ("decision", "{\"type\":\"object\"}".to_owned()), seed: 7 }
    }

    #[test]
    fn the_body_is_a_chat_completion_with_structured_output() {
        let body: Value = serde_json::from_slice(&request().body(&Sampling::of("qwen"))).unwrap();
        assert_eq!(body["messages"][1], json!({"role": "user", "content": "Your turn."}));
        assert_eq!(body["response_format"]["type"], "json_schema");
        assert_eq!(body["response_format"]["json_schema"]["schema"]["type"], "object");
        assert_eq!((&body["model"], &body["seed"]), (&json!("qwen"), &json!(7)));
    }

    #[test]
    fn everything_that_shapes_a_reply_changes_the_digest() {
        let (plain, sampling) = (request(), Sampling::of("qwen"));
        let digest = plain.digest(&sampling);
        assert_eq!(digest, request().digest(&sampling.clone()));
        let mut said = plain.clone();
        said.messages[1].content.push(' ');
        let schema = ChatRequest { schema: ("decision", "{\"type\":\"array\"}".to_owned()), ..plain.clone() };
        let seed = ChatRequest { seed: 8, ..plain.clone() };
        for other in [said, schema, seed] {
            assert_ne!(other.digest(&sampling), digest);
        }
        for other in [
            Sampling { temperature: 0.0, ..sampling.clone() },
            Sampling { top_p: 0.9, ..sampling.clone() },
            Sampling { max_tokens: 5, ..sampling.clone() },
            Sampling::of("another"),
        ] {
            assert_ne!(plain.digest(&other), digest);
        }
    }
}
