//! Whatever is written, the parser answers, and its answer is well formed.

use proptest::prelude::*;
use zopa_envs::Money;
use zopa_envs::message::{Interval, MAX_MESSAGE_BYTES, MessageFeatures, Statement, parse};

const MESSAGES: &str = include_str!("data/messages.tsv");

/// Fails unless the parse of `text` keeps its promises.
fn check(text: &str) {
    let parsed = parse(text);
    assert_eq!(parsed.truncated, text.len() > MAX_MESSAGE_BYTES);
    for claim in &parsed.claims {
        let (start, end) = (claim.span.start as usize, claim.span.end as usize);
        assert!(start < end && end <= text.len().min(MAX_MESSAGE_BYTES), "{claim:?} lies outside the text");
        assert!(text.is_char_boundary(start) && text.is_char_boundary(end), "{claim:?} cuts a character");
    }
    assert!(parsed.claims.is_sorted_by_key(|claim| claim.span), "claims out of order");
    let MessageFeatures { reasons, courtesy, hostility, acknowledgement, consistency, unsupported, pressure } =
        parsed.features;
    for feature in [reasons, courtesy, hostility, acknowledgement, consistency, unsupported, pressure] {
        assert!((0.0..=1.0).contains(&feature), "{:?}", parsed.features);
    }
    assert_eq!(parse(text), parsed, "two readings differ");
}

fn texts() -> Vec<String> {
    let rows = MESSAGES.lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|line| line.split('\t').nth(2)).map(|text| text.replace("\\n", "\n")).collect()
}

/// Bytes that decide how the tokeniser cuts.
const DECISIVE: &[u8] = b"\"\\:=[]{}<>#$%,.'-?!\n 0919kKm@";

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn text_of_decisive_bytes_is_read(picks in prop::collection::vec(any::<prop::sample::Index>(), 0..300)) {
        let bytes: Vec<u8> = picks.iter().map(|pick| *pick.get(DECISIVE)).collect();
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn damaged_messages_are_read(
        message in any::<prop::sample::Index>(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0u8..4), 1..12),
    ) {
        let texts = texts();
        let mut bytes = message.get(&texts).clone().into_bytes();
        for (place, byte, kind) in damage {
            let at = place.index(bytes.len().max(1)).min(bytes.len().saturating_sub(1));
            match kind {
                0 if !bytes.is_empty() => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                2 if !bytes.is_empty() => _ = bytes.remove(at),
                _ => bytes.insert(at, DECISIVE[usize::from(byte) % DECISIVE.len()]),
            }
        }
        check(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn messages_run_together_are_read(picks in prop::collection::vec(any::<prop::sample::Index>(), 1..40)) {
        let texts = texts();
        let joined: Vec<&str> = picks.iter().map(|pick| pick.get(&texts).as_str()).collect();
        check(&joined.concat());
    }
}

#[test]
fn long_and_empty_texts_are_read_up_to_the_cap() {
    check("");
    check(&"x".repeat(MAX_MESSAGE_BYTES));
    check(&"$98,000 ".repeat(MAX_MESSAGE_BYTES / 4));
    check(&"é".repeat(MAX_MESSAGE_BYTES));
    check(&"\"a\": \"b\", [x] ".repeat(4_000));
    check(&"9".repeat(3 * MAX_MESSAGE_BYTES));
    check(&"€9,9,9,9.9'9 hundred thousand million ".repeat(1_000));
}

#[test]
fn decimal_digits_of_any_script_are_figures() {
    for text in ["$９５,０００", "$٩٥٬٠٠٠", "$९५,०००", "$𝟵𝟱,𝟬𝟬𝟬", "$９５０００"]
    {
        let claims = parse(&format!("We offer {text}.")).claims;
        let statements: Vec<_> = claims.iter().map(|claim| &claim.statement).collect();
        assert_eq!(statements, [&Statement::Price(Interval::exact(Money::major(95_000)))], "{text}");
    }
}
