//! Human negotiations: own fixtures, and the collection's test split where that folder is present.

use std::path::PathBuf;
use zopa_scenarios::casino::{Human, HumanEnding, parse_dialogues, read_dialogues};

const THREE: &str = include_str!("fixtures/casino/three.json");

#[test]
fn people_get_what_the_accepted_deal_gives_them() {
    let dialogues = parse_dialogues("three.json", THREE).unwrap();
    let points: Vec<_> = dialogues.iter().map(|dialogue| dialogue.points().unwrap()).collect();
    // 3 water at 5 and 2 firewood at 4 against 3 food at 5 and a firewood at 3; 2 of everything but firewood at 1.
    assert_eq!(points, [[23, 18], [2 * 3 + 2 * 4 + 5, 5 + 4 + 2 * 3], [5, 5]]);
    assert_eq!(dialogues[1].submissions.len(), 2);
    assert_eq!(dialogues[2].ending, HumanEnding::WalkedAway);
    assert_eq!(dialogues[0].utterances, 2);
}

#[test]
fn a_deal_is_efficient_where_no_other_division_betters_it_for_one_and_costs_the_other_nothing() {
    let dialogues = parse_dialogues("three.json", THREE).unwrap();
    // In the second, a firewood for the first and a food for the second would both gain.
    let efficient: Vec<bool> = dialogues.iter().map(|dialogue| dialogue.is_pareto_efficient()).collect();
    assert_eq!(efficient, [true, false, false]);
    for dialogue in &dialogues {
        let division = dialogue.division().unwrap();
        if let HumanEnding::Deal(kept) = &dialogue.ending {
            let offer = division.offer(zopa_envs::Seat::Buyer, kept).unwrap();
            let worth = division.types().each_ref().map(|party| party.utility.of(&offer));
            assert_eq!(Some(worth), dialogue.points().map(|points| points.map(f64::from)));
        }
    }
}

#[test]
fn the_human_row_counts_walk_aways_with_their_points() {
    let human = Human::of(&parse_dialogues("three.json", THREE).unwrap()).unwrap();
    assert_eq!((human.dialogues, human.joint), (3, (41.0 + 34.0 + 10.0) / 3.0));
    assert_eq!((human.walk_aways, human.pareto), (1.0 / 3.0, 1.0 / 3.0));
    assert_eq!(human.points, human.joint / 2.0);
    assert_eq!(Human::of(&[]), None);
}

#[test]
fn what_does_not_make_sense_is_named_with_its_dialogue() {
    let check = |from: &str, to: &str, expected: &str| {
        let changed = THREE.replacen(from, to, 1);
        assert_ne!(changed, THREE, "{from} is in the fixture");
        let error = parse_dialogues("three.json", &changed).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("\"points_scored\": 23", "\"points_scored\": 24", "dialogue 1: the deal gives [23, 18] points, but [24, 18]");
    check("\"High\": \"Water\"", "\"High\": \"Wine\"", "dialogue 1: unknown type \"Wine\"");
    check(
        "\"High\": \"Water\"",
        "\"High\": \"Food\"",
        "dialogue 1: the priorities Food, Firewood, Food name a type twice",
    );
    check("\"Food\": \"3\"", "\"Food\": \"4\"", "does not divide 3 packages of Food");
    check(
        "\"id\": \"mturk_agent_2\"},\n      {\"text\": \"Accept",
        "\"id\": \"x\"},\n      {\"text\": \"Accept",
        "by \"x\"",
    );
    check("\"dialogue_id\": 1", "\"dialogue_id\": -1", "three.json: ");
}

#[test]
fn the_test_split_of_the_collection_has_its_figures() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/casino/casino_test.json");
    if !path.is_file() {
        println!("skipped: {} is absent", path.display());
        return;
    }
    let dialogues = read_dialogues(&path).unwrap();
    let human = Human::of(&dialogues).unwrap();
    // All 1,030 dialogues have 18.64 points each, 37.27 together, and 2.4 % that somebody left.
    assert_eq!((dialogues.len(), human.dialogues), (100, 100));
    assert!((human.points - 18.915).abs() < 1e-9 && (human.joint - 37.83).abs() < 1e-9, "{human:?}");
    assert_eq!(human.walk_aways, 0.01);
    assert!((human.pareto - PARETO).abs() < 1e-9, "{human:?}");
}

/// Counted apart, by enumerating all 64 divisions of each dialogue in another language.
const PARETO: f64 = 0.69;
