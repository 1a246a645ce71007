//! `zopa humans` end to end through the binary: people and agents in front of the same divisions.

#[expect(dead_code, reason = "these tests copy no domain")]
mod zopa;

use serde_json::Value;
use std::path::Path;
use zopa::zopa;

fn rows(file: &str, agents: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let agents = agents.iter().flat_map(|agent| ["--agent", agent]);
    let arguments: Vec<&str> = ["humans", file, "--json"].into_iter().chain(agents).collect();
    let done = zopa(folder.path(), &arguments);
    assert_eq!(done.code, 0, "{}", done.err);
    serde_json::from_str(&done.out).unwrap()
}

fn number(row: &Value, field: &str) -> f64 {
    row[field].as_f64().unwrap_or_else(|| panic!("{field} in {row}"))
}

#[test]
fn agents_stand_beside_people_on_the_same_preferences() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios/tests/fixtures/casino/three.json");
    let rows = rows(fixture.to_str().unwrap(), &["nash", "linear"]);
    let who: Vec<&str> = rows.iter().map(|row| row["who"].as_str().unwrap()).collect();
    assert_eq!(who, ["human", "human (published, all)", "nash", "linear"]);
    // The published row is of the whole collection and has no Pareto share.
    assert_eq!((number(&rows[1], "points"), number(&rows[1], "joint")), (18.64, 37.27));
    assert_eq!((number(&rows[1], "dialogues"), &rows[1]["pareto"]), (1030.0, &Value::Null));
    for row in [&rows[0], &rows[2], &rows[3]] {
        assert!((number(row, "joint") - 2.0 * number(row, "points")).abs() < 1e-9, "{row}");
        assert!((0.0..=1.0).contains(&number(row, "pareto")) && number(row, "points") >= 5.0, "{row}");
    }
}

#[test]
fn the_test_split_of_casino_has_its_own_figures_near_the_published_ones() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/casino/casino_test.json");
    if !file.is_file() {
        println!("skipped: ../shared/data/casino is not here");
        return;
    }
    let rows = rows(file.to_str().unwrap(), &["nash", "boulware"]);
    let human = &rows[0];
    assert_eq!(number(human, "dialogues"), 100.0);
    assert!(
        (number(human, "points") - 18.915).abs() < 1e-9 && (number(human, "joint") - 37.83).abs() < 0.005,
        "{human}"
    );
    assert!((number(human, "walk_aways") - 0.01).abs() < 1e-12, "{human}");
    // A hundred dialogues of the thousand: a few standard errors of their means.
    assert!((number(human, "points") - number(&rows[1], "points")).abs() < 1.0);
    assert!((number(human, "joint") - number(&rows[1], "joint")).abs() < 2.0);
    assert!((0.0..=1.0).contains(&number(human, "pareto")));
    assert!(rows[2..].iter().all(|row| number(row, "dialogues") == 100.0));
}
