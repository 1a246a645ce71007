//! zopa-envs
