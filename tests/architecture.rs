//! Holds the repository to its map: the rooms' arrows, and what is absent from each room (`ARCHITECTURE.md`).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// One room: a crate of the workspace, the rooms it may depend on, and what its sources do without.
struct Room {
    folder: &'static str,
    may_use: &'static [&'static str],
    /// Crates that never enter, tests and benchmarks apart.
    without_crates: &'static [&'static str],
    /// Modules of `std` that its sources never name.
    without_std: &'static [&'static str],
}

const ROOMS: [Room; 5] = [
    Room {
        folder: "envs",
        may_use: &[],
        without_crates: &["rand", "rayon", "tokio", "tracing", "burn", "indicatif", "clap", "plotters", "mimalloc"],
        without_std: &["fs", "time", "thread", "net", "process", "env"],
    },
    Room {
        folder: "scenarios",
        may_use: &["zopa-envs"],
        without_crates: &["rand", "rayon", "tokio", "tracing", "burn", "indicatif", "clap", "plotters", "mimalloc"],
        without_std: &["time", "thread", "net", "process", "env"],
    },
    Room {
        folder: "agents",
        may_use: &["zopa-envs", "zopa-scenarios"],
        without_crates: &["rand", "tracing", "indicatif", "clap", "plotters", "mimalloc"],
        without_std: &["fs", "process", "env"],
    },
    Room {
        folder: "reports",
        may_use: &["zopa-envs"],
        without_crates: &["rand", "tokio", "tracing", "burn", "indicatif", "clap", "mimalloc"],
        without_std: &["time", "thread", "net", "process", "env"],
    },
    Room {
        folder: "harness",
        may_use: &["zopa-envs", "zopa-scenarios", "zopa-agents", "zopa-reports"],
        without_crates: &["rand", "burn", "plotters"],
        without_std: &[],
    },
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("harness is a folder of the repository").to_owned()
}

fn manifest(path: &Path) -> Table {
    let text = fs::read_to_string(path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    text.parse().unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}

/// Every dependency of a manifest that is built for `sections`: the package's name and how the manifest writes it.
fn dependencies(manifest: &Table, sections: &[&str]) -> Vec<(String, Value)> {
    let platforms = manifest.get("target").and_then(Value::as_table);
    let tables = platforms.into_iter().flat_map(|platforms| platforms.values().filter_map(Value::as_table));
    let mut found = Vec::new();
    for table in tables.chain([manifest]) {
        for dependencies in sections.iter().filter_map(|section| table.get(*section)?.as_table()) {
            for (name, written) in dependencies {
                let package = written.get("package").and_then(Value::as_str).unwrap_or(name);
                found.push((package.to_owned(), written.clone()));
            }
        }
    }
    found
}

const BUILT: [&str; 2] = ["dependencies", "build-dependencies"];
const ANY: [&str; 3] = ["dependencies", "build-dependencies", "dev-dependencies"];

/// The Rust files under `folder`, in order of name.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).unwrap_or_else(|fault| panic!("{}: {fault}", folder.display()));
    for path in entries.map(|entry| entry.expect("readable").path()) {
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A file's code on one line: what stands before `//` on every line, white space narrowed to single spaces.
fn code(text: &str) -> String {
    let words = text.lines().flat_map(|line| line.split("//").next().unwrap_or_default().split_whitespace());
    words.collect::<Vec<_>>().join(" ")
}

/// The identifier that text begins with.
fn identifier(text: &str) -> &str {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    &text[..end.unwrap_or(text.len())]
}

/// The modules of `std` and `core` that code names, from single paths and from the outer level of groups.
fn std_modules(code: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for library in ["std::", "core::"] {
        for (start, _) in code.match_indices(library) {
            if code[..start].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_') {
                continue;
            }
            let path = &code[start + library.len()..];
            match path.strip_prefix('{') {
                Some(group) => {
                    found.extend(outer_items(group).into_iter().map(identifier).filter(|name| !name.is_empty()))
                }
                None => {
                    found.insert(identifier(path));
                }
            }
        }
    }
    found
}

/// The items of an import group whose opening brace has been read, up to its closing brace.
fn outer_items(group: &str) -> Vec<&str> {
    let (mut items, mut depth, mut begin) = (Vec::new(), 0, 0);
    for (position, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                items.push(group[begin..position].trim());
                begin = position + 1;
                if letter == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    items
}

#[test]
fn every_member_of_the_workspace_is_a_room_with_stated_arrows() {
    let workspace = manifest(&root().join("Cargo.toml"));
    let members = workspace["workspace"]["members"].as_array().expect("members is a list");
    let members: BTreeSet<&str> = members.iter().filter_map(Value::as_str).collect();
    let rooms: BTreeSet<&str> = ROOMS.iter().map(|room| room.folder).collect();
    assert_eq!(members, rooms, "state a new room's arrows in tests/architecture.rs and in ARCHITECTURE.md");
}

#[test]
fn arrows_between_rooms_never_point_back() {
    for room in ROOMS {
        let manifest = manifest(&root().join(room.folder).join("Cargo.toml"));
        let name = manifest["package"]["name"].as_str().expect("a package has a name").to_owned();
        for (package, _) in dependencies(&manifest, &ANY) {
            let inside = package.starts_with("zopa");
            assert!(!inside || room.may_use.contains(&package.as_str()), "{name} may not depend on {package}");
        }
    }
}

#[test]
fn no_room_depends_on_a_crate_that_its_nevers_exclude() {
    for room in ROOMS {
        let manifest = manifest(&root().join(room.folder).join("Cargo.toml"));
        for (package, _) in dependencies(&manifest, &BUILT) {
            let family = |never: &&str| {
                package.strip_prefix(*never).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
            };
            assert!(!room.without_crates.iter().any(family), "{} does without {package}", room.folder);
        }
    }
}

#[test]
fn every_dependency_stands_once_in_the_workspace_without_default_features() {
    let workspace = manifest(&root().join("Cargo.toml"));
    let table = workspace["workspace"]["dependencies"].as_table().expect("the workspace has dependencies");
    for (name, written) in table {
        let own = written.get("path").is_some();
        let plain = written.get("default-features").and_then(Value::as_bool) == Some(false);
        assert!(own || plain, "{name} needs `default-features = false` in the workspace table");
    }
    for room in ROOMS {
        for (package, written) in dependencies(&manifest(&root().join(room.folder).join("Cargo.toml")), &ANY) {
            let inherited = written.get("workspace").and_then(Value::as_bool) == Some(true);
            assert!(inherited, "{}: write `{package}.workspace = true`", room.folder);
        }
    }
}

#[test]
fn a_room_s_sources_name_no_module_of_std_that_it_does_without() {
    for room in ROOMS {
        for path in sources(&root().join(room.folder).join("src")) {
            let code = code(&fs::read_to_string(&path).expect("readable"));
            for module in std_modules(&code) {
                let file = path.display();
                assert!(
                    !room.without_std.contains(&module),
                    "{file} names std::{module}: {} does without",
                    room.folder
                );
            }
        }
    }
}

#[test]
fn only_the_binary_sets_an_allocator() {
    for room in ROOMS {
        for path in sources(&root().join(room.folder).join("src")) {
            let sets = code(&fs::read_to_string(&path).expect("readable")).contains("#[global_allocator]");
            assert!(!sets || path.ends_with("harness/src/main.rs"), "{} sets a global allocator", path.display());
        }
    }
}

/// The pages that tell where things are.
const MAPS: [&str; 3] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

#[test]
fn every_path_that_the_maps_name_exists() {
    let folders: Vec<String> = ROOMS.iter().map(|room| format!("{}/", room.folder)).collect();
    let mut named = 0;
    for page in MAPS {
        let text = fs::read_to_string(root().join(page)).unwrap_or_else(|fault| panic!("{page}: {fault}"));
        let quoted = text.split('`').skip(1).step_by(2);
        let linked = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let local = |path: &&str| {
            let inside = folders.iter().any(|folder| path.starts_with(folder.as_str())) || path.starts_with("tests/");
            inside && path.chars().all(|letter| letter.is_ascii_alphanumeric() || "/._-".contains(letter))
        };
        let linked = linked.filter(|link| !link.contains("://") && !link.starts_with('#'));
        for path in quoted.filter(local).chain(linked) {
            named += 1;
            assert!(root().join(path).exists(), "{page} names {path}, which is not there");
        }
    }
    assert!(named > 0, "the maps name no path at all: is the quoting still by backticks?");
}

fn check(text: &str, expected: &[&str]) {
    let code = code(text);
    assert_eq!(std_modules(&code).into_iter().collect::<Vec<_>>(), expected, "in {text}");
}

#[test]
fn modules_of_std_are_found_however_they_are_named() {
    check("use std::fs;", &["fs"]);
    check("use std::{fmt, io::{self, Write}, time::Instant};", &["fmt", "io", "time"]);
    check("use std::{\n    collections::BTreeMap,\n    thread,\n};", &["collections", "thread"]);
    check("let now = std::time::Instant::now(); // std::fs", &["time"]);
    check("::core::time::Duration::ZERO", &["time"]);
    check("use mystd::fs; use crate::thread;", &[]);
}
