//! Any bytes as a message: the parser answers, its spans lie on character boundaries and its features in [0, 1].
#![no_main]

use libfuzzer_sys::fuzz_target;
use zopa_envs::message::{MAX_MESSAGE_BYTES, parse};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let parsed = parse(&text);
    assert_eq!(parsed.truncated, text.len() > MAX_MESSAGE_BYTES);
    for claim in &parsed.claims {
        let (start, end) = (claim.span.start as usize, claim.span.end as usize);
        assert!(start < end && text.get(start..end).is_some());
    }
    assert!(parsed.claims.is_sorted_by_key(|claim| claim.span));
    let f = parsed.features;
    for feature in [f.reasons, f.courtesy, f.hostility, f.acknowledgement, f.consistency, f.unsupported, f.pressure] {
        assert!((0.0..=1.0).contains(&feature));
    }
});
