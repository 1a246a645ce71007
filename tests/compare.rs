//! Several runs in one table.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use serde_json::Value;
use std::fs;
use std::path::Path;
use zopa::zopa;

fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let done = zopa(folder, arguments);
    assert_eq!(done.code, 0, "zopa {arguments:?} failed: {}{}", done.out, done.err);
    done.out
}

fn run(folder: &Path, out: &str, arguments: &[&str]) {
    succeed(folder, &[&["run", "procurement-v1", "--out", out], arguments].concat());
}

const PRICES: &str = r#"
currency = "USD"

[integration]
episodes = 1000

[integration.agents]
nash = 2000
"*" = 0

[supervision]
per_hour = 60
minutes_per_case = 5

[exceptions]
violation = 20
no_deal = 50
"#;

#[test]
fn runs_are_compared_on_their_common_scenarios_with_paired_differences() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, "a", &["--episodes", "40", "--agent", "nash", "--agent", "rule-tree", "--agent", "oracle"]);
    run(folder, "b", &["--episodes", "60", "--agent", "micro"]);
    fs::write(folder.join("prices.toml"), PRICES).unwrap();
    let compare = ["compare", "a", "b", "--prices", "prices.toml"];
    let table: Value = serde_json::from_str(&succeed(folder, &[&compare[..], &["--json"]].concat())).unwrap();
    assert_eq!(
        (&table["pairing"], &table["scenarios"], &table["reference"]),
        (&"paired".into(), &20.into(), &"rule-tree".into())
    );
    let arms: Vec<&str> = table["arms"].as_array().unwrap().iter().map(|arm| arm["name"].as_str().unwrap()).collect();
    assert_eq!(arms.len(), 3);
    assert!(arms.contains(&"micro") && !arms.contains(&"oracle"), "{arms:?}");
    assert!(table["not_comparable"][0]["reason"].as_str().unwrap().starts_with("other information"));
    let nash = &table["arms"].as_array().unwrap()[arms.iter().position(|name| *name == "nash").unwrap()];
    let summary: Value = serde_json::from_slice(&fs::read(folder.join("a/summary.json")).unwrap()).unwrap();
    let of = |value: &Value| (value["value"].as_f64().unwrap() * 1e9).round();
    assert_eq!(of(&nash["measures"]["realised_value"]), of(&summary["agents"]["nash"]["surplus_efficiency"]));
    let own = &nash["differences"]["realised_value"]["difference"];
    let known =
        &summary["comparisons"].as_array().unwrap().iter().find(|row| row["agent"] == "nash").unwrap()["difference"];
    assert_eq!(of(own), of(known), "the same difference as in the run's own report");
    assert_eq!(nash["cost"]["integration"].as_f64(), Some(2.0));
    let text = succeed(folder, &[&compare[..], &["--out", "pages"]].concat());
    assert!(text.contains("Difference from rule-tree") && text.contains("Not comparable"), "{text}");
    for name in ["comparison.html", "comparison.md", "comparison.json"] {
        assert!(folder.join("pages").join(name).is_file(), "{name}");
    }
}

#[test]
fn what_cannot_be_compared_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, "a", &["--episodes", "8", "--agent", "nash"]);
    run(folder, "b", &["--episodes", "8", "--agent", "micro", "--seed", "9"]);
    run(folder, "c", &["--episodes", "8", "--agent", "micro", "--opponent", "boulware"]);
    let check = |arguments: &[&str], expected: &str| {
        let done = zopa(folder, &[&["compare"], arguments].concat());
        assert_eq!(done.code, 2, "{}", done.out);
        assert!(done.err.contains(expected), "{}", done.err);
    };
    check(&["a", "b"], "another seed: 9, where a has 2");
    check(&["a", "c"], "another opponent: family:boulware, where a has mix");
    check(&["a", "a"], "named twice");
    check(&["a", "missing"], "no run directory");
    check(&["a", "b", "--agent", "micro", "--agent", "dqn"], "--agent dqn plays in none of the runs");
    fs::write(folder.join("prices.toml"), "currency = \"USD\"\nexceptions = { violation = -1 }\n").unwrap();
    check(&["a", "b", "--prices", "prices.toml"], "exceptions.violation is -1");
    fs::write(folder.join("prices.toml"), "currency = \"USD\"\nexeptions = { violation = 1 }\n").unwrap();
    check(&["a", "b", "--prices", "prices.toml"], "prices.toml");
}
