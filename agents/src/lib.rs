//! zopa-agents
