//! `zopa recommend`: one decision for a stated negotiation, through the binary.

#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use serde_json::{Value, json};
use std::fs;
use zopa::{Done, zopa};

const EXAMPLE: &str = include_str!("../docs/recommend.example.json");
const SCHEMA: &str = include_str!("../docs/recommend.schema.json");

fn example() -> Value {
    serde_json::from_str(EXAMPLE).unwrap()
}

fn ask(document: &str) -> Done {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("stated.json"), document).unwrap();
    zopa(folder.path(), &["recommend", "--input", "stated.json"])
}

fn answer(document: &Value) -> Value {
    let done = ask(&document.to_string());
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.err);
    serde_json::from_str(&done.out).unwrap()
}

#[test]
fn the_documented_example_is_answered_within_its_mandate_with_alternatives_beliefs_and_audit() {
    let answer = answer(&example());
    assert_eq!(answer["action"], "offer", "{answer:#}");
    let price = answer["terms"]["price"].as_f64().unwrap();
    assert!((50_000.0..=104_000.0).contains(&price), "{answer:#}");
    assert_ne!(answer["terms"]["service"], "basic", "the mandate forbids it");
    assert!(answer["own_gain"].as_f64().unwrap() > 0.0);
    let weighed = answer["alternatives"].as_array().unwrap();
    assert!((1..=10).contains(&weighed.len()));
    assert!(weighed.iter().all(|one| one["expected"].is_number() && one["acceptance"].is_number()));
    assert_eq!(answer["beliefs"].as_array().unwrap().len(), 3);
    assert_eq!(answer["permitted"]["values"]["service"], json!(["standard", "premium"]));
    assert_eq!(answer["audit"]["input"].as_str().unwrap().len(), 64);
    assert!(answer["audit"]["rationale"]["belief"].as_str().unwrap().contains("reservation price"));
}

#[test]
fn whether_the_other_side_is_of_a_family_is_believed_as_an_interval_between_0_and_1() {
    let mut document = example();
    document["families"] = json!([
        {"name": "even", "share": 0.5, "does": "time_dependent",
         "parameters": {"exponent": 1.0, "initial": 0.1, "last": 0.01}},
        {"name": "firm", "share": 0.5, "does": "hardliner", "parameters": {"demand": 0.05}},
    ]);
    let answer = answer(&document);
    let stated = answer["beliefs"].as_array().unwrap();
    let families: Vec<&Value> =
        stated.iter().filter(|belief| belief["parameter"].as_str().unwrap().starts_with("family:")).collect();
    assert_eq!((stated.len(), families.len()), (5, 2), "{stated:?}");
    for (belief, name) in families.into_iter().zip(["family:even", "family:firm"]) {
        assert_eq!(belief["parameter"], name);
        assert!(["low", "high"].iter().all(|end| belief[end] == 0.0 || belief[end] == 1.0), "{belief}");
    }
}

#[test]
fn the_same_document_always_gets_the_same_answer() {
    assert_eq!(answer(&example()), answer(&example()));
}

#[test]
fn an_offer_that_is_worth_more_than_going_on_is_accepted() {
    let mut document = example();
    document["history"][3]["offer"]["price"] = json!(88_500);
    assert_eq!(answer(&document)["action"], "accept");
}

#[test]
fn what_is_wrong_is_named_by_its_path_with_what_to_do() {
    let check = |change: &dyn Fn(&mut Value), expected: &[&str]| {
        let mut document = example();
        change(&mut document);
        let done = ask(&document.to_string());
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
        for part in expected {
            assert!(done.err.contains(part), "\"{part}\" is not in {}", done.err);
        }
    };
    check(&|d| d["seat"] = json!("seller"), &["seat", "seller", "buyer, supplier"]);
    check(&|d| drop(d.as_object_mut().unwrap().remove("own")), &["own", "missing"]);
    check(&|d| d["hazrd"] = json!(0.1), &["hazrd", "did you mean \"hazard\"?"]);
    check(&|d| d["hazard"] = json!(7), &["hazard", "7", "from 0 to 0.99"]);
    check(&|d| d["status_quo"]["payment"] = json!(61), &["status_quo.payment", "61", "0 days to 90 days by 15"]);
    check(&|d| d["history"][1]["by"] = json!("buyer"), &["history[1].by", "supplier's turn"]);
    check(&|d| drop(d["history"].as_array_mut().unwrap().pop()), &["history", "supplier's turn"]);
    check(&|d| d["issues"][0]["money"]["tick"] = json!(0), &["issues[0].money.tick", "0.01"]);
    check(&|d| d["own"]["values"][1]["worth"] = json!({"basic": 1}), &["own.values[1].worth.standard", "missing"]);
    check(&|d| d["own"]["values"][0]["issue"] = json!("payments"), &["own.values[0].issue", "price, payment, service"]);
    check(&|d| d["other"]["no_deal"] = json!({"normal": 1}), &["other.no_deal", "uniform"]);
    check(&|d| d["mandate"]["permitted"]["colour"] = json!([]), &["mandate.permitted.colour", "no such issue"]);
    check(&|d| d["rounds"] = json!(2), &["history", "over"]);
    check(&|d| d["guardrails"] = json!("ususal"), &["guardrails", "ususal", "usual"]);
    let integers = json!({"first": 0, "step": 1, "count": 3});
    check(&|d| d["issues"][2]["integers"] = integers.clone(), &["issues[2]", "both \"labels\" and \"integers\""]);
    check(&|d| d["issues"][2]["labels"][2] = json!("basic"), &["issues[2].labels[2]", "\"basic\" is there twice"]);
    check(&|d| d["own"]["values"][1]["issue"] = json!("payment"), &["own.values[1].issue", "valued before"]);
    check(
        &|d| d["own"]["values"][0]["worth"] = json!([1]),
        &["own.values[0]", "both \"worth\" and \"financing_rate\""],
    );
    check(&|d| d["other"]["values"][1]["issue"] = json!("payment"), &["other.values[1].issue", "valued before"]);
    check(&|d| d["mandate"]["permitted"]["service"] = json!([]), &["mandate.permitted.service", "permits nothing"]);
    check(&|d| d["mandate"]["price_limit"] = json!(100), &["mandate", "permits no package"]);
    check(&|d| d["mandate"]["least_gain"] = json!(1e9), &["mandate", "permits no package"]);
    let family = |does: &str, share: f64, parameters: Value| json!([{"name": "x", "share": share, "does": does, "parameters": parameters}]);
    let clock = |exponent: f64| json!({"exponent": exponent, "initial": 0.1, "last": 0.01});
    check(&|d| d["families"] = family("dances", 1.0, json!({})), &["families[0].does", "dances", "hardliner"]);
    check(&|d| d["families"] = family("hardliner", 1.0, json!({})), &["families[0].parameters.demand", "missing"]);
    check(
        &|d| d["families"] = family("time_dependent", 1.0, clock(-1.0)),
        &["parameters.exponent", "-1", "0.001 to 100"],
    );
    check(&|d| d["families"] = family("time_dependent", 0.0, clock(1.0)), &["families", "\"share\" above 0"]);
    check(&|d| d["families"] = family("hardliner", 1.0, clock(1.0)), &["families[0].parameters", "no such field"]);
    check(
        &|d| d["other"]["values"][0]["financing_rate"] = json!(-10),
        &["other.values[0].financing_rate", "-0.5 to 2"],
    );
    let steep = json!({"uniform": {"low": 0.1, "high": 3.0}});
    check(
        &|d| d["other"]["values"][0]["financing_rate"] = steep.clone(),
        &["other.values[0].financing_rate", "-0.5 to 2"],
    );
    check(&|d| d["other"]["no_deal"] = json!(1e308), &["other.no_deal", "out of range", "-1000 to 1000"]);
    check(&|d| d["other"]["values"][1]["weight"] = json!(1e300), &["other.values[1].weight", "out of range"]);
    check(&|d| d["other"]["values"][1]["shape"][0] = json!(1e300), &["other.values[1].shape[0]", "out of range"]);
    check(&|d| d["own"]["deadline"] = json!(2), &["own.deadline", "it leaves after round 2"]);
    check(&|d| d["mandate"]["price_limit"] = json!(104_000.004), &["mandate.price_limit", "finer than a cent"]);
    check(&|d| d["status_quo"]["price"] = json!(100_000.001), &["status_quo.price", "finer than a cent"]);
    check(&|d| d["history"][0]["final"] = json!(true), &["history[2].offer", "history[0], which was final"]);
    check(&|d| d["history"][2] = json!({"by": "buyer", "pass": true, "final": true}), &["history[2].final", "pass"]);
    let done = ask("{\"seat\": ");
    assert_eq!(done.code, 2);
    assert!(done.err.contains("line 1") && done.err.contains("JSON"), "{}", done.err);
}

#[test]
fn a_field_that_is_given_twice_is_refused_however_deep_it_stands() {
    let twice = |document: String, path: &str| {
        let done = ask(&document);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
        assert!(done.err.contains(&format!("{path}: it is given twice: give it once")), "{}", done.err);
    };
    let text = example().to_string();
    twice(format!("{}, \"mandate\": {{}}}}", &text[..text.len() - 1]), "mandate");
    twice(text.replace("\"price_limit\":", "\"price_limit\":1,\"price_limit\":"), "mandate.price_limit");
    twice(text.replacen("\"labels\":", "\"labels\":[],\"labels\":", 1), "issues[2].labels");
    assert_eq!(ask(&format!("{text} {{}}")).code, 2, "one document");
}

#[test]
fn packages_that_need_no_approval_are_weighed_and_what_is_permitted_without_and_with_it_is_told_apart() {
    let with = |approval: Value| {
        let mut document = example();
        document["mandate"] = json!({ "approval": approval });
        document.as_object_mut().unwrap().remove("guardrails");
        answer(&document)
    };
    let price = with(json!({"price_beyond": 88_000}));
    assert_eq!(price["action"], "offer", "{price:#}");
    assert_eq!(price["terms"]["price"], 88_000.0);
    assert_eq!(price["permitted"]["price"], json!([50_000.0, 88_000.0]));
    assert!(price["permitted"]["with_approval"]["price"][1].as_f64().unwrap() > 100_000.0);
    let weighed = price["alternatives"].as_array().unwrap();
    assert!(weighed.len() > 5 && weighed.iter().all(|one| one["terms"]["price"].as_f64().unwrap() <= 88_000.0));
    let gain = with(json!({"gain_below": 20_000}));
    assert_eq!(gain["action"], "offer", "{gain:#}");
    assert!(gain["own_gain"].as_f64().unwrap() >= 20_000.0, "{gain:#}");
    assert_eq!(gain["permitted"]["least_gain"], 20_000.0);
    let all = with(json!({"gain_below": 1e12}));
    assert_eq!((&all["action"], &all["permitted"]["price"]), (&json!("pass"), &Value::Null), "{all:#}");
    assert!(all["warnings"][0].as_str().unwrap().contains("every package"), "{all:#}");
    assert_eq!(answer(&example())["permitted"]["with_approval"], Value::Null);
}

#[test]
fn prices_of_a_permitted_list_are_weighed_and_one_is_offered() {
    let mut document = example();
    document["mandate"] = json!({"permitted": {"price": [90_000, 95_000, 100_000]}});
    document.as_object_mut().unwrap().remove("guardrails");
    let answer = answer(&document);
    let mut prices: Vec<i64> = answer["alternatives"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["terms"]["price"].as_f64().unwrap() as i64)
        .collect();
    prices.sort_unstable();
    prices.dedup();
    assert_eq!(prices, [90_000, 95_000, 100_000], "{answer:#}");
    assert_eq!(answer["action"], "offer", "{answer:#}");
    assert_eq!(answer["permitted"]["price"], json!([90_000.0, 100_000.0]));
}

#[test]
fn no_more_is_expected_of_a_package_than_it_and_what_may_follow_can_gain_and_none_is_shown_twice() {
    let mut document = example();
    document["issues"][0]["money"] = json!({"low": 95_000, "high": 105_000, "tick": 10});
    document["other"] = json!({"no_deal": {"uniform": {"low": -0.25, "high": -0.15}}});
    document["history"] = json!([]);
    let answer = answer(&document);
    assert_eq!(answer["action"], "offer", "waiting for offers off the grid: {answer:#}");
    let weighed = answer["alternatives"].as_array().unwrap();
    let most = weighed.iter().map(|one| one["own_gain"].as_f64().unwrap()).fold(0.0, f64::max);
    for one in weighed {
        let number = |name: &str| one[name].as_f64().unwrap();
        let most = number("acceptance") * number("own_gain") + (1.0 - number("acceptance")) * most;
        assert!(number("expected") <= most + 1e-6, "{one:#}");
    }
    let supplier = json!({
        "seat": "supplier", "rounds": 3, "opener": "buyer",
        "issues": [{"name": "price", "role": "price", "money": {"low": 100, "high": 200, "tick": 0.01}}],
        "status_quo": {"price": 100.05}, "own": {"no_deal": -50}, "mandate": {"price_limit": 150},
        "history": [{"by": "buyer", "offer": {"price": 150.0}}],
    });
    let shown = self::answer(&supplier)["alternatives"].as_array().unwrap().clone();
    let at = |price: f64| shown.iter().filter(|one| one["terms"]["price"] == price).count();
    assert_eq!((shown.len(), at(150.0)), (10, 1), "{shown:#?}");
}

#[test]
fn an_own_final_offer_is_kept_to() {
    let mut document = example();
    document["history"][2]["final"] = json!(true);
    let held = answer(&document);
    assert_eq!(
        (&held["action"], &held["terms"], &held["message"]),
        (&json!("pass"), &Value::Null, &Value::Null),
        "{held:#}"
    );
    assert!(held["warnings"][0].as_str().unwrap().contains("history[2] was the own final offer"), "{held:#}");
    document["history"][3]["offer"]["price"] = json!(88_500);
    assert_eq!(answer(&document)["action"], "accept");
}

#[test]
fn whole_numbers_are_whole_however_they_are_written() {
    let written = |text: &str| ask(&example().to_string().replace("\"rounds\":12", &format!("\"rounds\":{text}")));
    let mut answers =
        ["12", "12.0", "1.2e1"].map(|text| written(text).out).map(|out| serde_json::from_str::<Value>(&out).unwrap());
    for answer in &mut answers {
        answer["audit"]["input"] = Value::Null;
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert!(written("12.5").err.contains("rounds: it is a number: give a whole number"), "{}", written("12.5").err);
}

#[test]
fn the_schema_is_printed_and_names_every_field_of_the_example() {
    let folder = tempfile::tempdir().unwrap();
    let done = zopa(folder.path(), &["recommend", "--schema"]);
    assert_eq!((done.code, done.out.as_str()), (0, SCHEMA));
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let input = schema["$defs"]["input"]["properties"].as_object().unwrap();
    for field in example().as_object().unwrap().keys() {
        assert!(input.contains_key(field), "{field} is not in the schema");
    }
    let output = schema["$defs"]["output"]["properties"].as_object().unwrap();
    for field in answer(&example()).as_object().unwrap().keys() {
        assert!(output.contains_key(field), "{field} is not in the schema's output");
    }
}
