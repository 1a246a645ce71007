//! What comes back: a chat completion, read strictly.

use super::fault::Fault;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Why the model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It was done.
    Stop,
    /// The token limit cut it off.
    Length,
    /// Anything else that the server says.
    Other,
}

/// Tokens of one request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Of the prompt.
    pub prompt: u64,
    /// Of the reply.
    pub completion: u64,
}

/// A complete reply, whatever its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// What the model wrote; empty where it wrote nothing.
    pub content: String,
    /// Why it stopped.
    pub finish: Finish,
    /// What the server counted; zeros where it does not count.
    pub tokens: Tokens,
}

impl Reply {
    /// Reads the body of a successful response.
    ///
    /// # Errors
    /// Where it is no chat completion with at least one choice: a fault of the server, not of the model.
    pub fn read(body: &[u8]) -> Result<Self, Fault> {
        let malformed = |what: &str| Fault::Malformed(what.to_owned());
        let text = std::str::from_utf8(body).map_err(|_| malformed("it is not UTF-8"))?;
        let json: Value =
            serde_json::from_str(text).map_err(|fault| Fault::Malformed(format!("it is no JSON: {fault}")))?;
        let choices =
            json.get("choices").and_then(Value::as_array).ok_or_else(|| malformed("it has no list of choices"))?;
        let choice = choices.first().ok_or_else(|| malformed("its list of choices is empty"))?;
        let message = choice.get("message").filter(|message| message.is_object());
        let message = message.ok_or_else(|| malformed("its first choice has no message"))?;
        let content = match message.get("content") {
            Some(Value::String(content)) => content.clone(),
            None | Some(Value::Null) => String::new(),
            Some(_) => return Err(malformed("its content is no text")),
        };
        let finish = match choice.get("finish_reason").and_then(Value::as_str) {
            Some("stop") => Finish::Stop,
            Some("length") => Finish::Length,
            _ => Finish::Other,
        };
        let count = |name: &str| json.get("usage").and_then(|usage| usage.get(name)?.as_u64()).unwrap_or(0);
        let tokens = Tokens { prompt: count("prompt_tokens"), completion: count("completion_tokens") };
        Ok(Self { content, finish, tokens })
    }
}

/// Characters of a server's message that are shown.
const SHOWN: usize = 300;

/// What the body of a failed response says, on one line and in short.
#[must_use]
pub fn server_message(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(1 << 16)]);
    let json: Option<Value> = serde_json::from_str(&text).ok();
    let told = json.as_ref().and_then(|json| {
        let error = json.get("error").unwrap_or(json);
        error.get("message").or_else(|| error.get("detail")).unwrap_or(error).as_str()
    });
    let words: Vec<&str> = told.unwrap_or(&text).split_whitespace().collect();
    let line: String = words.join(" ").chars().filter(|letter| !letter.is_control()).take(SHOWN).collect();
    if line.is_empty() { "it says nothing".to_owned() } else { line }
}

#[cfg(test)]
mod tests {
    use super::{Finish, Reply, Tokens, server_message};
    use crate::model::fault::Fault;

    #[test]
    fn a_completion_is_read_with_usage_and_finish_reason() {
        let body = br#"{"choices":[{"message":{"role":"assistant","content":"{}"},"finish_reason":"length"}],
            "usage":{"prompt_tokens":12,"completion_tokens":3}}"#;
        let reply = Reply::read(body).unwrap();
        let expected =
            Reply { content: "{}".to_owned(), finish: Finish::Length, tokens: Tokens { prompt: 12, completion: 3 } };
        assert_eq!(reply, expected);
    }

    #[test]
    fn what_is_no_completion_is_the_servers_fault() {
        let check = |body: &[u8], part: &str| {
            let Err(Fault::Malformed(why)) = Reply::read(body) else { panic!("{}", String::from_utf8_lossy(body)) };
            assert!(why.contains(part), "{why}");
        };
        check(b"\xff\xfe{}", "UTF-8");
        check(b"{\"choices\":[{\"mess", "no JSON");
        check(b"", "no JSON");
        check(b"[1]", "no list of choices");
        check(b"{\"choices\":{}}", "no list of choices");
        check(b"{\"choices\":[]}", "empty");
        check(b"{\"choices\":[{\"text\":\"hi\"}]}", "no message");
        check(b"{\"choices\":[{\"message\":{\"content\":7}}]}", "no text");
    }

    #[test]
    fn a_reply_without_content_is_a_complete_reply() {
        let reply =
            Reply::read(b"{\"choices\":[{\"message\":{\"content\":null},\"finish_reason\":\"stop\"}]}").unwrap();
        assert_eq!((reply.content.as_str(), reply.finish), ("", Finish::Stop));
    }

    #[test]
    fn a_servers_message_is_one_short_line() {
        let check = |body: &[u8], expected: &str| assert_eq!(server_message(body), expected);
        check(br#"{"error":{"message":"The model `x` does\n not exist."}}"#, "The model `x` does not exist.");
        check(br#"{"detail":"Not Found"}"#, "Not Found");
        check(br#"{"error":"bad"}"#, "bad");
        check(b"<h1>\x1b[31mno</h1>", "<h1>[31mno</h1>");
        check(b"", "it says nothing");
        assert_eq!(server_message(&[b'a'; 5000]).len(), 300);
    }
}
