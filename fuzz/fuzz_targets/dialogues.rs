//! Any bytes as a file of CaSiNo dialogues: the reader answers in words, or with divisions that can be played and scored.
#![no_main]

use libfuzzer_sys::fuzz_target;
use zopa_scenarios::casino::{Human, parse_dialogues};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match parse_dialogues("fuzz.json", text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(dialogues) => {
            for dialogue in &dialogues {
                let division = dialogue.division().expect("three types of three packages");
                assert_eq!(division.space().size(), 64);
                for (side, kept) in &dialogue.proposals {
                    assert!((0.0..=1.0).contains(&dialogue.share(*side, kept)));
                }
            }
            if let Some(human) = Human::of(&dialogues) {
                assert!((0.0..=36.0).contains(&human.points) && (0.0..=1.0).contains(&human.pareto));
            }
        }
    }
});
