//! Any bytes as a suite file: the reader answers in words, or with a suite whose first scenarios can be drawn.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::Arc;
use zopa_envs::ScenarioSource;
use zopa_scenarios::{SourceOptions, Suite};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Suite::parse("fuzz.toml", text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(suite) => {
            let Ok(source) = Arc::new(suite).source(&SourceOptions::default()) else { return };
            for index in 0..2 {
                let scenario = source.scenario(index);
                assert!(scenario.types.iter().all(|party| party.disagreement.is_finite()));
            }
        }
    }
});
