use super::*;
use zopa_envs::Belief;
use zopa_envs::counterpart::Truth;
use zopa_envs::message::Statement;

use crate::fixture::{key, record, scores};

fn line() -> String {
    record("nash", 3, 0.7).to_line().expect("JSON")
}

#[test]
fn a_record_survives_its_line_bit_for_bit() {
    let mut odd = scores(0, 0.1 + 0.2);
    odd.gain = -0.0;
    odd.scale = f64::MIN_POSITIVE;
    let record = crate::fixture::record_of(key("nash", 0, 0), odd, true);
    let text = record.to_line().expect("JSON");
    assert!(!text.contains('\n'));
    let read = EpisodeRecord::from_line(&text, 1).expect("a record");
    assert_eq!(read, record);
    assert_eq!(read.to_line().expect("JSON"), text);
    let allotted = read.clone().assigned(Some("human".into()));
    let text = allotted.to_line().expect("JSON");
    assert_eq!(EpisodeRecord::from_line(&text, 1).expect("a record"), allotted);
    let moved = text.replacen("\"assigned\":\"human\"", "\"assigned\":\"nash\"", 1);
    assert!(EpisodeRecord::from_line(&moved, 1).is_err(), "an allotment cannot be changed afterwards");
    let graded = read.graded(Some(Grade { difficulty: 0.1 + 0.2, quintile: 2 }));
    let text = graded.to_line().expect("JSON");
    assert_eq!(EpisodeRecord::from_line(&text, 1).expect("a record"), graded);
    let interval = Belief { parameter: "disagreement".into(), low: 0.1, high: 0.3, level: 0.8 };
    let held = HeldBeliefs { contract: 0, beliefs: vec![interval] };
    let stated = vec![(Statement::Approval, Truth::False)];
    let evident = graded.with_evidence(vec![held], vec![Said { contract: 1, round: 2, stated }]);
    let text = evident.to_line().expect("JSON");
    assert_eq!(EpisodeRecord::from_line(&text, 1).expect("a record"), evident);
    let changed = EpisodeRecord::from_line(&text.replacen("\"false\"", "\"true\"", 1), 1);
    assert!(matches!(changed, Err(RecordError::Digest { what: "rest", .. })));
    let failed = EpisodeRecord::infra_error(key("nash", 1, 0), "boulware".into(), "status 503");
    let text = failed.to_line().expect("JSON");
    assert_eq!(EpisodeRecord::from_line(&text, 1).expect("a record"), failed);
}

#[test]
fn a_record_has_its_parts_at_the_top() {
    let json: serde_json::Value = serde_json::from_str(&line()).expect("JSON");
    for field in ["schema", "key", "status", "outcome", "scores", "events", "digest", "rest_digest"] {
        assert!(json.get(field).is_some(), "{field} in {json}");
    }
}

#[test]
fn a_changed_record_is_found_by_its_digests() {
    let check = |from: &str, to: &str, expected: &str| {
        let changed = line().replacen(from, to, 1);
        assert_ne!(changed, line(), "{from} is in the line");
        let error = EpisodeRecord::from_line(&changed, 5).expect_err("changed").to_string();
        assert!(error.starts_with(expected), "{error}");
    };
    check("\"index\":3", "\"index\":5", "line 5: the game digest is ");
    check("\"round\":0", "\"round\":1", "line 5: the game digest is ");
    check("\"rounds\":4", "\"rounds\":5", "line 5: the rest digest is ");
    check("\"schema\":1", "\"schema\":9", "line 5: schema 9, but this version reads schema 1");
    check("}", "", "line 5: ");
}

/// The paths of all values in `json` that hold no others.
fn leaves(json: &serde_json::Value, path: &str, found: &mut Vec<String>) {
    match json {
        serde_json::Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| leaves(value, &format!("{path}/{name}"), found));
        }
        serde_json::Value::Array(values) if !values.is_empty() => {
            values.iter().enumerate().for_each(|(place, value)| leaves(value, &format!("{path}/{place}"), found));
        }
        _ => found.push(path.to_owned()),
    }
}

#[test]
fn no_value_of_a_record_can_be_changed_unnoticed() {
    use serde_json::{Value, json};
    let original: Value = serde_json::from_str(&line()).expect("JSON");
    let mut paths = Vec::new();
    leaves(&original, "", &mut paths);
    assert!(paths.len() > 60, "{paths:?}");
    for path in paths {
        let mut changed = original.clone();
        let value = changed.pointer_mut(&path).expect("a leaf");
        *value = match &*value {
            Value::Bool(fact) => json!(!fact),
            Value::Number(number) if number.is_u64() => json!(number.as_u64().map_or(0, |number| number + 1)),
            Value::Number(number) => json!(number.as_f64().map_or(0.0, |number| number + 0.5)),
            Value::String(text) if path.ends_with("seat") => {
                json!(if text == "buyer" { "supplier" } else { "buyer" })
            }
            Value::String(text) => json!(format!("{text}x")),
            Value::Null => json!(0.5),
            _ => json!(null),
        };
        assert!(EpisodeRecord::from_line(&changed.to_string(), 1).is_err(), "{path}: {changed}");
    }
}

#[test]
fn a_journal_is_read_line_by_line_and_its_faults_name_their_line() {
    let journal = format!("{}\n\n{}\nnot a record\n", line(), line());
    let results: Vec<_> = read_records(journal.as_bytes()).collect();
    assert_eq!(results.len(), 3);
    assert!(results[..2].iter().all(Result::is_ok));
    let error = results[2].as_ref().expect_err("no record").to_string();
    assert!(error.starts_with("line 4: "), "{error}");
}

#[test]
fn a_torn_last_line_is_told_from_a_wrong_one_and_a_whole_one_without_its_end_is_read() {
    let last = |text: &str| {
        let journal = format!("{}\n{text}", line());
        read_records(journal.as_bytes()).last().expect("two lines").map_err(|fault| fault.to_string())
    };
    let torn = last(&line()[..200]).expect_err("torn");
    assert_eq!(torn, "line 2: it is torn, because the run was interrupted; go on with `zopa run ... --resume`");
    assert!(last(&line()).is_ok());
    assert!(last("no record\n").expect_err("no record").contains("a record is one line of JSON"));
}

#[test]
fn a_line_without_an_end_is_not_held_in_memory() {
    let endless = std::io::BufReader::new(std::io::repeat(b'['));
    let results: Vec<_> = read_records(endless).take(3).collect();
    assert_eq!(results.len(), 1);
    assert!(matches!(results[0], Err(RecordError::TooLong { line: 1 })));
}

/// Gives one line, then fails at every further read, as a directory or a broken disk does.
struct FailingDisk<'a>(&'a [u8]);

impl std::io::Read for FailingDisk<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.0.is_empty() {
            return Err(std::io::Error::other("input/output error"));
        }
        std::io::Read::read(&mut self.0, buffer)
    }
}

#[test]
fn the_first_read_error_ends_a_journal() {
    let first = line() + "\n";
    let journal = std::io::BufReader::new(FailingDisk(first.as_bytes()));
    // Without an end, the iterator would give errors until the bound.
    let results: Vec<_> = read_records(journal).take(10).collect();
    assert_eq!(results.len(), 2);
    assert!(results[0].is_ok());
    assert_eq!(results[1].as_ref().expect_err("a read error").to_string(), "line 2: input/output error");
}

#[test]
fn a_score_that_json_cannot_hold_is_refused() {
    let mut scores = scores(0, 0.5);
    scores.best_joint = Some(f64::NAN);
    let scenario = crate::fixture::scenario(zopa_envs::Seat::Buyer);
    let outcome = Outcome { ending: zopa_envs::Ending::Deadline, round: 3 };
    let error = EpisodeRecord::played(key("nash", 0, 0), &scenario, Vec::new(), outcome, scores);
    assert_eq!(
        error.expect_err("not finite").to_string(),
        "nash, episode 0: the score best_joint is NaN; scores must be finite"
    );
}

#[test]
fn a_reason_that_quotes_a_server_is_cut_and_steers_nothing() {
    let reason = format!("status 500: \u{1b}[2J{}", "é".repeat(5_000));
    let record = EpisodeRecord::infra_error(key("nash", 0, 0), "boulware".into(), &reason);
    let EpisodeResult::InfraError { reason } = &record.result else { panic!("no result") };
    assert!(reason.starts_with("status 500: [2Jé") && reason.len() <= EpisodeRecord::MOST_REASON);
}
