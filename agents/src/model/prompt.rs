//! What models are told: versioned files, part of the program. A changed text is a new file and a new name, since records of
//! earlier runs were made under the old one.

/// A prompt and its versioned name, which stands in agents' options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Prompt {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

macro_rules! prompt {
    ($name:literal) => {
        Prompt { name: $name, text: include_str!(concat!("prompts/", $name, ".txt")) }
    };
}

/// The rules and the form of a decision.
pub(super) const DECIDE: Prompt = prompt!("decide-v1");
/// The tools; `{tools}` is how often they may be used in a turn.
pub(super) const TOOLS: Prompt = prompt!("tools-v1");
/// The engine's advice.
pub(super) const ADVICE: Prompt = prompt!("advice-v1");
/// One proposal on public information.
pub(super) const SINGLE: Prompt = prompt!("single-v1");
/// Words for what was decided.
pub(super) const SPEAK: Prompt = prompt!("speak-v1");
/// What a message states.
pub(super) const INTERPRET: Prompt = prompt!("interpret-v1");

#[cfg(test)]
mod tests {
    use super::{ADVICE, DECIDE, INTERPRET, SINGLE, SPEAK, TOOLS};
    use zopa_envs::Digest;

    /// Whoever changes a prompt gives it a new version: recorded runs hang on the text.
    #[test]
    fn the_text_of_a_prompts_version_never_changes() {
        let digests: Vec<String> = [DECIDE, TOOLS, ADVICE, SINGLE, SPEAK, INTERPRET]
            .map(|prompt| format!("{} {}", prompt.name, &Digest::of_bytes(prompt.text.as_bytes()).to_string()[..16]))
            .into();
        insta::assert_snapshot!(digests.join("\n"));
    }
}
