//! zopa-harness
