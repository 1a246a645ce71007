//! `zopa train`, driven as a person would: what it leaves behind, and that its recipes can be read.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use std::path::Path;
use zopa::zopa;
use zopa_agents::learn::{Policy, TrainConfig};

/// Both algorithms in a second or two.
const RECIPE: &str = r#"
name = "tiny"
seed = 2
reward = "shaped"
reward_scale = 0.1

[[suites]]
suite = "payment-terms-v1"

[opponents]
scripted = 0.5
self_play = 0.5

[[stages]]
name = "first"
episodes = 200
ppo = { episodes_per_update = 50 }

[[stages]]
name = "second"
steps = 1500
dqn = { learning_starts = 200, memory = 1000 }

[evaluation]
suites = [{ suite = "payment-terms-v1", split = "public" }]
episodes = 40
"#;

#[test]
fn a_training_leaves_weights_curves_measurements_and_a_card_whatever_the_number_of_jobs() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiny.toml"), RECIPE).unwrap();
    let train = |out: &str, jobs: &str| {
        let done = zopa(folder.path(), &["train", "tiny.toml", "--out", out, "--jobs", jobs]);
        assert_eq!(done.code, 0, "{}", done.err);
        done.out
    };
    let table = train("one", "1");
    assert!(table.contains("first  payment-terms-v1 public: agreement ") && table.ends_with("one\n"), "{table}");
    train("three", "3");
    let read = |out: &str, name: &str| std::fs::read(folder.path().join(out).join(name)).unwrap();
    for name in [
        "first.safetensors",
        "second.safetensors",
        "curve.csv",
        "curve.png",
        "first.json",
        "second.md",
        "checkpoint.safetensors",
    ] {
        assert_eq!(read("one", name), read("three", name), "{name}");
    }
    let policy = Policy::from_bytes(&read("one", "second.safetensors")).unwrap();
    assert_eq!((policy.card.algorithm.as_ref(), policy.card.seed), ("dqn", 2));
    let card = String::from_utf8(read("one", "second.md")).unwrap();
    for word in ["| reward | shaped |", "payment-terms-v1 train", "seed 2", "snapshots of itself"] {
        assert!(card.contains(word), "{word} is missing in {card}");
    }
    // A finished training resumes to what it is; a new one never overwrites it.
    let again = zopa(folder.path(), &["train", "tiny.toml", "--out", "one", "--resume"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(read("one", "second.safetensors"), read("three", "second.safetensors"));
    let refused = zopa(folder.path(), &["train", "tiny.toml", "--out", "one"]);
    assert!(refused.code == 2 && refused.err.contains("not empty"), "{}", refused.err);
    let other = zopa(folder.path(), &["train", "tiny.toml", "--out", "one", "--resume", "--seed", "9"]);
    assert!(other.code == 2 && other.err.contains("another recipe or seed"), "{}", other.err);
}

#[test]
fn an_exploiter_is_measured_beside_the_mirror_match_of_the_agent_that_it_exploits() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiny.toml"), RECIPE.to_owned() + "opponent = \"conceder\"\n").unwrap();
    let done = zopa(folder.path(), &["train", "tiny.toml", "--out", "one"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(done.out.matches("gained beyond its opponent's mirror match").count(), 2, "{}", done.out);
    let json = std::fs::read_to_string(folder.path().join("one/second.json")).unwrap();
    assert!(json.contains("\"gained_over_mirror\": {"), "{json}");
}

#[test]
fn a_recipe_with_a_fault_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let check = |text: &str, words: &[&str]| {
        std::fs::write(folder.path().join("recipe.toml"), text).unwrap();
        let done = zopa(folder.path(), &["train", "recipe.toml", "--out", "out"]);
        assert_eq!(done.code, 2, "{}", done.err);
        for word in words {
            assert!(done.err.contains(word), "{word} is missing in {}", done.err);
        }
        assert!(!folder.path().join("out").exists(), "nothing is written for {text}");
    };
    check(&RECIPE.replace("seed = 2", "sede = 2"), &["recipe.toml", "sede"]);
    check(&RECIPE.replace("steps = 1500", "steps = 0"), &["recipe.toml", "stages"]);
    check(&RECIPE.replace("reward_scale = 0.1", "reward_scale = -1"), &["reward_scale", "positive"]);
    let missing = zopa(folder.path(), &["train", "none.toml"]);
    assert!(missing.code == 2 && missing.err.contains("none.toml"), "{}", missing.err);
}

#[test]
fn a_machine_or_build_without_cuda_says_so() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiny.toml"), RECIPE).unwrap();
    if cfg!(feature = "cuda") {
        println!("skipped: this build has the CUDA backend");
        return;
    }
    let done = zopa(folder.path(), &["train", "tiny.toml", "--device", "cuda"]);
    assert!(done.code == 2 && done.err.contains("--features cuda"), "{}", done.err);
}

#[test]
fn the_recipes_that_ship_can_be_followed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../agents/configs");
    let mut found = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let config: TrainConfig = toml::from_str(&text).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        config.check().unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        found += 1;
    }
    assert!(found >= 3);
}
