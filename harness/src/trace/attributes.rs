//! Names of attributes: Langfuse's, and OpenTelemetry's conventions for generative models, which other listeners read.

use zopa_agents::turn::Node;

pub(super) const TRACE_NAME: &str = "langfuse.trace.name";
pub(super) const TRACE_TAGS: &str = "langfuse.trace.tags";
pub(super) const TRACE_INPUT: &str = "langfuse.trace.input";
pub(super) const TRACE_OUTPUT: &str = "langfuse.trace.output";
pub(super) const SESSION: &str = "langfuse.session.id";
pub(super) const RELEASE: &str = "langfuse.release";
pub(super) const VERSION: &str = "langfuse.version";
pub(super) const OBSERVATION_TYPE: &str = "langfuse.observation.type";
pub(super) const OBSERVATION_INPUT: &str = "langfuse.observation.input";
pub(super) const OBSERVATION_OUTPUT: &str = "langfuse.observation.output";
pub(super) const OBSERVATION_MODEL: &str = "langfuse.observation.model.name";
pub(super) const OBSERVATION_USAGE: &str = "langfuse.observation.usage_details";
pub(super) const OBSERVATION_LEVEL: &str = "langfuse.observation.level";
pub(super) const OBSERVATION_STATUS: &str = "langfuse.observation.status_message";
pub(super) const METADATA: &str = "langfuse.trace.metadata.";
pub(super) const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
pub(super) const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
pub(super) const REQUEST_MODEL: &str = "gen_ai.request.model";
pub(super) const OPERATION: &str = "gen_ai.operation.name";

/// A node's name in traces.
pub(super) fn name(node: Node) -> &'static str {
    match node {
        Node::Interpret => "interpret",
        Node::Strategise => "strategise",
        Node::Authorise => "authorise",
        Node::Approver => "approver",
        Node::Speak => "speak",
        Node::CheckSpeech => "check speech",
        Node::Apply => "apply",
        Node::Counterpart => "counterpart",
        Node::End => "end",
    }
}

/// Langfuse's kind of observation for a node; one that asked a language model is a generation instead.
pub(super) fn observation(node: Node) -> &'static str {
    match node {
        Node::Strategise => "agent",
        Node::Authorise => "guardrail",
        Node::CheckSpeech => "evaluator",
        Node::Speak | Node::Interpret | Node::Approver | Node::Apply | Node::Counterpart | Node::End => "span",
    }
}
