use super::*;
use crate::arena::{Arena, Draw, OpponentChoice};
use crate::runner::Table;
use zopa_reports::{Direction, Score};

/// Records of an agent, really played.
fn records(agent: &str, count: u64) -> Vec<EpisodeRecord> {
    let arena = Arc::new(Arena::suite("procurement-v1").expect("a suite"));
    let draw = Draw { split: None, seed: Some(3), salt: None, opponent: OpponentChoice::Mix };
    let drawn = arena.draw(&draw).expect("scenarios");
    let table = Table::new(arena, drawn, draw.opponent, 3);
    (0..count).map(|index| table.episode(agent, index, 0).expect("it can be played").record).collect()
}

fn gate(score: Score, direction: Direction, threshold: f64) -> Gate {
    Gate {
        score: GateScore::Score(score),
        threshold: Threshold::Value(threshold),
        direction,
        bound: Bound::Point,
        agents: Vec::new(),
        family: None,
    }
}

fn alerts(rules: AlertRules, gates: &[Gate], gated: &[&str], folder: &Path) -> Alerts {
    let directory = RunDirectory::create(folder).expect("an empty folder");
    let gated: Vec<String> = gated.iter().map(|&id| id.to_owned()).collect();
    Alerts::new(rules, gates, &gated, &directory).expect("no webhook")
}

const QUIET: AlertRules =
    AlertRules { window: 40, least: 20, violation_rate: None, gates: true, breaker: true, webhook: None };

#[test]
fn a_missed_gate_is_told_once_until_it_is_kept_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = gate(Score::ConstraintSatisfaction, Direction::AtLeast, 0.9);
    let mut watch = alerts(QUIET, &[kept], &["boulware"], &folder.path().join("run"));
    let mut raised = Vec::new();
    for record in records("boulware", 60) {
        raised.extend(watch.note(&record));
    }
    let [alert] = &raised[..] else { panic!("one alert: {raised:?}") };
    assert_eq!(alert.kind, AlertKind::GateMissed("constraint_satisfaction".to_owned()));
    assert_eq!((alert.episode, alert.episodes, alert.threshold), (19, 20, Some(0.9)));
    // The agent keeps its gate for as long as the window is, and then does not.
    for record in records("conceder", 40) {
        let mut record = record;
        record.key.agent = "boulware".into();
        assert_eq!(watch.note(&record), []);
    }
    let again: Vec<Alert> = records("boulware", 40).iter().flat_map(|record| watch.note(record)).collect();
    assert_eq!(again.len(), 1, "{again:?}");
    let journal = std::fs::read_to_string(folder.path().join("run/alerts.jsonl")).expect("written");
    assert_eq!(journal.lines().count(), 2);
    assert_eq!(watch.close(), None);
}

#[test]
fn only_gated_agents_are_held_to_gates() {
    let folder = tempfile::tempdir().expect("a folder");
    let kept = gate(Score::ConstraintSatisfaction, Direction::AtLeast, 0.9);
    let mut watch = alerts(QUIET, &[kept], &["nash"], &folder.path().join("run"));
    assert!(records("boulware", 40).iter().all(|record| watch.note(record).is_empty()));
}

#[test]
fn violations_above_their_rate_are_told_with_their_share() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = AlertRules { violation_rate: Some(0.05), ..QUIET };
    let mut watch = alerts(rules, &[], &[], &folder.path().join("run"));
    let raised: Vec<Alert> = records("accept-anything", 40).iter().flat_map(|record| watch.note(record)).collect();
    let [alert] = &raised[..] else { panic!("one alert: {raised:?}") };
    assert_eq!((&alert.kind, alert.threshold), (&AlertKind::ViolationRate, Some(0.05)));
    assert!(alert.value.is_some_and(|rate| rate > 0.05) && alert.text.contains("accept-anything: "), "{alert:?}");
    assert!(alert.text.ends_with(&zopa_envs::message::accuracy::stated()), "speech counts among violations: {alert:?}");
}

#[test]
fn a_breaker_is_told_from_other_failures() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut watch = alerts(QUIET, &[], &[], &folder.path().join("run"));
    let key = records("linear", 1).remove(0).key;
    let mut failed = |reason: &str| {
        let record = EpisodeRecord::infra_error(key.clone(), "boulware".into(), reason);
        watch.note(&record).len()
    };
    assert_eq!(failed("status 503"), 0);
    assert_eq!(failed("not sent, since the circuit breaker is open; the last failure: reset"), 1);
    assert_eq!(failed("not sent, since the circuit breaker is open; the last failure: reset"), 0);
    assert_eq!(failed("status 503"), 0);
    assert_eq!(failed("not sent, since the circuit breaker is open; the last failure: reset"), 1);
}

#[test]
fn rules_without_sense_are_refused_with_their_field() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |text: &str, expected: &str| {
        let path = folder.path().join("alerts.toml");
        std::fs::write(&path, text).expect("written");
        let fault = AlertRules::read(&path).expect_err(text).to_string();
        assert!(fault.contains(expected), "{fault}");
    };
    check("window = 0", "least must be from 1 to window");
    check("least = 300", "least must be from 1 to window");
    check("violation_rate = 5", "violation_rate must be a share");
    check("webhook = \"localhost\"", "webhook is no address");
    check("windows = 3", "windows");
    std::fs::write(folder.path().join("alerts.toml"), "").expect("written");
    assert_eq!(AlertRules::read(&folder.path().join("alerts.toml")).expect("defaults"), AlertRules::default());
}
