//! Any bytes as the files of a domain folder: the reader answers with a domain of finite numbers or with words.
//!
//! Files are parted by `%`, and the rest of the line after it is dropped; they are named by their position.
#![no_main]

use libfuzzer_sys::fuzz_target;
use zopa_scenarios::import::{DomainFile, DomainGame, read_domain_files};
use zopa_scenarios::Suite;

fuzz_target!(|bytes: &[u8]| {
    let mut files: Vec<DomainFile> = Vec::new();
    for (position, part) in bytes.split(|&byte| byte == b'%').filter(|part| !part.is_empty()).enumerate() {
        let end = part.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        files.push(DomainFile { name: format!("{position}.txt"), bytes: part[end..].into() });
    }
    match read_domain_files("fuzz", &files, None) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(domain) => {
            let first = domain.space.outcome(0);
            // Whatever can be read can be written as a suite, and is read back as the same.
            if domain.space.size() <= 1_000 {
                let text = domain.suite_text(&DomainGame::default()).expect("TOML has a way to write every name");
                let suite = Suite::parse("fuzz.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert!(suite.issue_names().eq(domain.space.issues().iter().map(|issue| &*issue.name)));
            }
            for profile in &domain.profiles {
                assert!(profile.utility.of(&first).is_finite() && profile.reservation.is_finite());
                assert!((0.0..=1.0).contains(&profile.discount));
            }
        }
    }
});
