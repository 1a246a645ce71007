//! Files that nobody vouches for: damaged fixtures are refused or read, and never end the program.

use proptest::prelude::*;
use std::path::PathBuf;
use std::sync::OnceLock;
use zopa_scenarios::import::{DomainFile, read_domain_files};

const FIXTURES: [&str; 6] = ["market", "nested", "regions", "web", "mas-yaml", "mas-json"];

fn fixtures() -> &'static [Vec<DomainFile>] {
    static FILES: OnceLock<Vec<Vec<DomainFile>>> = OnceLock::new();
    FILES.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/import");
        let files = |name: &str| {
            let entries = std::fs::read_dir(folder.join(name)).unwrap().map(|entry| entry.unwrap().path());
            let file = |path: PathBuf| DomainFile {
                name: path.file_name().unwrap().to_string_lossy().into_owned(),
                bytes: std::fs::read(path).unwrap().into(),
            };
            let mut files: Vec<DomainFile> = entries.map(file).collect();
            files.sort_by(|a, b| a.name.cmp(&b.name));
            files
        };
        FIXTURES.map(files).to_vec()
    })
}

/// One way to damage a file.
#[derive(Clone, Debug)]
enum Damage {
    Set(usize, u8),
    Cut(usize),
    Drop(usize, usize),
    Double(usize, usize),
    Insert(usize, &'static str),
}

fn damage() -> impl Strategy<Value = Damage> {
    let text = prop::sample::select(vec![
        "<",
        ">",
        "&",
        "\"",
        "&#0;",
        "NaN",
        "-1",
        "1e999",
        "9999999999999999999",
        "[",
        "{",
        "- ",
        ": ",
        "\n",
        "*id001",
        "&a ",
        "\0",
        "<!DOCTYPE a>",
        "<![CDATA[",
        "\u{feff}",
        "é",
        "null",
        "~",
        ".inf",
    ]);
    prop_oneof![
        (any::<usize>(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        any::<usize>().prop_map(Damage::Cut),
        (any::<usize>(), 1_usize..40).prop_map(|(at, length)| Damage::Drop(at, length)),
        (any::<usize>(), 1_usize..80).prop_map(|(at, length)| Damage::Double(at, length)),
        (any::<usize>(), text).prop_map(|(at, text)| Damage::Insert(at, text)),
    ]
}

fn damaged(bytes: &[u8], damage: &[Damage]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for damage in damage {
        let within = |at: usize| at % (bytes.len() + 1);
        match *damage {
            Damage::Set(at, byte) => {
                let at = within(at);
                if let Some(there) = bytes.get_mut(at) {
                    *there = byte;
                }
            }
            Damage::Cut(at) => bytes.truncate(within(at)),
            Damage::Drop(at, length) => {
                let at = within(at);
                bytes.drain(at..(at + length).min(bytes.len()));
            }
            Damage::Double(at, length) => {
                let at = within(at);
                let again = bytes[at..(at + length).min(bytes.len())].to_vec();
                bytes.splice(at..at, again);
            }
            Damage::Insert(at, text) => {
                let at = within(at);
                bytes.splice(at..at, text.bytes());
            }
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn a_damaged_folder_is_refused_in_words_or_read_as_finite_numbers(
        fixture in 0..FIXTURES.len(), file in any::<prop::sample::Index>(), damage in prop::collection::vec(damage(), 1..4),
    ) {
        let mut files = fixtures()[fixture].clone();
        let file = file.index(files.len());
        files[file].bytes = damaged(&files[file].bytes, &damage).into();
        match read_domain_files("damaged", &files, None) {
            Err(error) => prop_assert!(!error.to_string().is_empty()),
            Ok(domain) => {
                let last = domain.space.outcome(u64::try_from(domain.space.size() - 1).unwrap_or(u64::MAX));
                for profile in &domain.profiles {
                    prop_assert!(profile.reservation.is_finite() && (0.0..=1.0).contains(&profile.discount));
                    for offer in [&last, &domain.space.outcome(0)] {
                        prop_assert!(profile.utility.of(offer).is_finite());
                    }
                }
            }
        }
    }

    #[test]
    fn any_bytes_at_all_are_refused_or_passed_over(bytes in prop::collection::vec(any::<u8>(), 0..200), start in "[<{a-z:\\-]{0,9}") {
        let bytes: Vec<u8> = start.bytes().chain(bytes).collect();
        let file = DomainFile { name: "a".into(), bytes: bytes.into() };
        prop_assert!(read_domain_files("any", &[file], None).is_err());
    }
}
