//! zopa-scenarios
