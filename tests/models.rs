//! Runs of model agents, end to end through the binary, against a server that fails in every way.

#[path = "../agents/tests/fault_server/mod.rs"]
#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod fault_server;
#[expect(dead_code, reason = "shared by several tests, of which this needs a part")]
mod zopa;

use fault_server::{Asked, Does, FaultServer, stand_in};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use zopa::{Done, copy, zopa};

const KEY: &str = "sk-s3cret-7f1a";

/// As [`zopa`], with a key in the environment and without certificates on the machine.
fn with_key(folder: &Path, arguments: &[&str]) -> Done {
    let output = Command::new(env!("CARGO_BIN_EXE_zopa"))
        .args(arguments)
        .current_dir(folder)
        .env("OPENAI_API_KEY", KEY)
        .env("SSL_CERT_FILE", "/nowhere/certificates.pem")
        .env("SSL_CERT_DIR", "/nowhere")
        .env_remove("OPENAI_BASE_URL")
        .output()
        .expect("the binary was built for this test");
    Done {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn records(run: &Path) -> Vec<Value> {
    let text = fs::read_to_string(run.join("episodes.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Digest by episode of what was played.
fn digests(run: &Path) -> BTreeMap<u64, String> {
    let played = records(run).into_iter().filter(|record| record["status"] == "played");
    played.map(|record| (record["key"]["index"].as_u64().unwrap(), record["digest"].to_string())).collect()
}

/// Decides quickly: accepts whatever stands, else as the stand-in does.
fn brief_stand_in(asked: &Asked) -> String {
    let told = asked.body["messages"].as_array().and_then(|messages| messages.last()).cloned().unwrap_or_default();
    let gains = told["content"].as_str().unwrap_or_default().contains("(accepting gains you +");
    let name = &asked.body["response_format"]["json_schema"]["name"];
    if *name == "decision" && gains { "{\"action\": \"accept\"}".to_owned() } else { stand_in(asked) }
}

#[test]
fn two_hundred_episodes_at_a_fault_rate_of_thirty_per_cent_lose_none_and_score_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let server = FaultServer::start(|asked| {
        // Spread over the requests by their number alone.
        let mixed =
            asked.number.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let faults = Does::faults();
        match (mixed >> 33) % 100 {
            0..30 => faults[(mixed >> 40) as usize % faults.len()].clone(),
            _ => Does::Says(brief_stand_in(asked)),
        }
    });
    let run = |out: &str, url: &str| {
        let (episodes, connections) = ("200", "24");
        with_key(
            folder.path(),
            &[
                "run",
                "procurement-v1",
                "--agent",
                "llm",
                "--episodes",
                episodes,
                "--out",
                out,
                "--model-base-url",
                url,
                "--max-connections",
                connections,
                "--timeout",
                "0.6",
            ],
        )
    };
    let began = Instant::now();
    let done = run("faulty", &server.url());
    assert!(began.elapsed() < Duration::from_secs(240), "{:?}", began.elapsed());
    let faulty = records(&folder.path().join("faulty"));
    let mut seen: Vec<u64> = faulty.iter().map(|record| record["key"]["index"].as_u64().unwrap()).collect();
    seen.sort_unstable();
    assert_eq!(seen, (0..200).collect::<Vec<_>>(), "{}", done.err);
    let lost = faulty.iter().filter(|record| record["status"] == "infra_error").count();
    assert_eq!(done.code, if lost == 0 { 0 } else { 3 }, "{}", done.err);
    assert!(lost < 20, "{lost} without a result");
    let sound = FaultServer::start(|asked| Does::Says(brief_stand_in(asked)));
    assert_eq!(run("sound", &sound.url()).code, 0);
    let [faulty, sound] = ["faulty", "sound"].map(|run| digests(&folder.path().join(run)));
    assert_eq!((sound.len(), faulty.len()), (200, 200 - lost));
    assert!(faulty.iter().all(|(index, digest)| sound[index] == *digest), "a fault changed a result");
}

#[test]
fn a_server_that_is_killed_leaves_its_open_episodes_without_a_result_counted_and_exit_code_3() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = FaultServer::start(|asked| Does::Late(Duration::from_millis(20), stand_in(asked)));
    let url = server.url();
    let path = folder.path().to_owned();
    let running = std::thread::spawn(move || {
        let arguments = [
            "run",
            "procurement-v1",
            "--agent",
            "llm",
            "--agent",
            "rule-tree",
            "--episodes",
            "40",
            "--out",
            "run",
            "--model-base-url",
            &url,
            "--max-connections",
            "4",
            "--max-retries",
            "1",
        ];
        with_key(&path, &arguments)
    });
    let began = Instant::now();
    while server.completions() < 100 && began.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(5));
    }
    server.kill();
    let done = running.join().unwrap();
    assert_eq!(done.code, 3, "{}", done.err);
    let run = folder.path().join("run");
    let (played, lost): (Vec<_>, Vec<_>) = records(&run)
        .into_iter()
        .filter(|record| record["key"]["agent"] == "llm")
        .partition(|record| record["status"] == "played");
    assert_eq!(played.len() + lost.len(), 40);
    assert!(!lost.is_empty());
    assert!(lost.iter().all(|record| record["reason"].as_str().is_some_and(|reason| reason.contains("server"))));
    let summary: Value = serde_json::from_slice(&fs::read(run.join("summary.json")).unwrap()).unwrap();
    assert_eq!(summary["agents"]["llm"]["infra_errors"], lost.len());
    assert_eq!(summary["agents"]["llm"]["comparable"], false);
    assert_eq!(summary["agents"]["rule-tree"]["infra_errors"], 0, "software needs no server");
    assert!(done.err.contains(&format!("llm {}", lost.len())), "{}", done.err);
}

#[test]
fn a_run_whose_server_was_killed_goes_on_to_the_run_that_was_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let start = || FaultServer::start(|asked| Does::Late(Duration::from_millis(5), stand_in(asked)));
    let arguments = |out: &str, url: &str, more: &[&str]| {
        // Whose words alone a model writes goes on without it, by templates: such an episode is marked and has its result.
        let run = ["run", "talk-v1", "--agent", "llm", "--agent", "llm-mute", "--agent", "linear", "--episodes", "12"];
        let served = ["--out", out, "--model-base-url", url, "--max-connections", "4", "--max-retries", "0"];
        [&run[..], &served, more].concat().iter().map(|&argument| argument.to_owned()).collect::<Vec<String>>()
    };
    let play =
        |path: &Path, arguments: &[String]| with_key(path, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    let sound = start();
    assert_eq!(play(folder.path(), &arguments("whole", &sound.url(), &[])).code, 0);

    let mut dying = start();
    let (path, killed) = (folder.path().to_owned(), arguments("run", &dying.url(), &[]));
    let running = std::thread::spawn(move || play(&path, &killed));
    let began = Instant::now();
    while dying.completions() < 60 && began.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(2));
    }
    dying.kill();
    let done = running.join().unwrap();
    assert_eq!(done.code, 3, "{}", done.err);
    let before = sound.completions();
    let resumed = play(folder.path(), &arguments("run", &sound.url(), &["--resume"]));
    assert_eq!(resumed.code, 0, "{}", resumed.err);
    // Replies that were paid for are not asked for again.
    assert!(sound.completions() - before < before, "{} of {before}", sound.completions() - before);
    let summary = |run: &str| fs::read_to_string(folder.path().join(run).join("summary.json")).unwrap();
    assert_eq!(summary("run"), summary("whole"));
    let again = zopa(folder.path(), &["replay", "run"]);
    assert!(again.code == 0 && again.out.starts_with("36 records replayed"), "{}{}", again.out, again.err);
}

#[test]
fn parts_and_tournaments_of_models_play_again_without_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = FaultServer::start(|asked| Does::Says(brief_stand_in(asked)));
    let url = server.url();
    let succeed = |arguments: &[&str]| {
        let done = with_key(folder.path(), &[arguments, &["--model-base-url", &url]].concat());
        assert_eq!(done.code, 0, "{}", done.err);
    };
    let run = ["run", "procurement-v1", "--agent", "llm", "--agent", "linear", "--episodes", "6", "--out"];
    succeed(&[&run[..], &["whole"]].concat());
    for (part, out) in [("1/2", "first"), ("2/2", "second")] {
        succeed(&[&run[..], &[out, "--shard", part]].concat());
    }
    let tournament = ["tournament", "procurement-v1", "--agent", "llm", "--agent", "linear", "--episodes", "4"];
    succeed(&[&tournament[..], &["--out", "all"]].concat());
    drop(server);
    let merged = zopa(folder.path(), &["merge", "merged", "second", "first"]);
    assert_eq!(merged.code, 0, "{}", merged.err);
    let summary = |run: &str| fs::read_to_string(folder.path().join(run).join("summary.json")).unwrap();
    assert_eq!(summary("merged"), summary("whole"));
    for (run, records) in [("merged", 12), ("all", 16)] {
        let again = zopa(folder.path(), &["replay", run]);
        let expected = format!("{records} records replayed with equal digests, 0 without a result\n");
        assert_eq!((again.code, again.out), (0, expected), "{run}: {}", again.err);
    }
    let manifest = fs::read_to_string(folder.path().join("all/manifest.json")).unwrap();
    assert!(manifest.contains("\"agent:llm\"") && manifest.contains("\"serving\""), "{manifest}");
}

#[test]
fn a_run_is_played_again_from_its_recorded_replies_and_the_key_is_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let server = FaultServer::start(|asked| {
        if asked.number % 9 == 4 {
            return Does::Status(503, Vec::new(), format!("try later, {KEY}"));
        }
        Does::Says(stand_in(asked))
    });
    let arguments = [
        "run",
        "talk-v1",
        "--agent",
        "llm",
        "--agent",
        "dialogue",
        "--agent",
        "llm-mute",
        "--strategy",
        "linear",
        "--episodes",
        "4",
        "--repeats",
        "2",
        "--out",
        "run",
        "--interpreter",
        "model",
        "--model-base-url",
        &server.url(),
    ];
    let done = with_key(folder.path(), &arguments);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(server.asked()[0].authorization, Some(format!("Bearer {KEY}")));
    drop(server);
    let again = zopa(folder.path(), &["replay", "run"]);
    assert_eq!(
        (again.code, again.out.as_str()),
        (0, "24 records replayed with equal digests, 0 without a result\n"),
        "{}",
        again.err
    );
    let run = folder.path().join("run");
    let timing: Value = serde_json::from_slice(&fs::read(run.join("timing.json")).unwrap()).unwrap();
    for latency in ["decision_latency_ms", "speech_latency_ms"] {
        assert!(timing["agents"]["dialogue"][latency]["p95"].is_number(), "{timing}");
    }
    let summary: Value = serde_json::from_slice(&fs::read(run.join("summary.json")).unwrap()).unwrap();
    let scored = &summary["agents"];
    assert!(scored["dialogue"]["reading_recall"]["value"].as_f64().is_some_and(|recall| recall < 1.0), "{scored}");
    assert!(scored["llm"]["reading_recall"].is_null(), "it keeps no account of what it reads");
    assert!(scored["llm"]["pass"]["1"]["value"].as_f64() >= scored["llm"]["pass"]["2"]["value"].as_f64(), "{scored}");
    let mut texts = vec![done.out, done.err];
    for name in
        ["manifest.json", "episodes.jsonl", "replies.jsonl", "summary.json", "timing.json", "report/report.html"]
    {
        texts.push(fs::read_to_string(run.join(name)).unwrap());
    }
    assert!(texts.iter().all(|text| !text.contains(KEY)));
    // Without the replies nothing can be played again, and nothing is made up.
    fs::write(run.join("replies.jsonl"), "").unwrap();
    let lost = zopa(folder.path(), &["replay", "run"]);
    assert!(lost.code == 1 && lost.err.contains("no reply to this request is recorded"), "{}", lost.err);
}

#[test]
fn what_is_wrong_with_the_server_is_said_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let check = |arguments: &[&str], code: i32, part: &str| {
        let arguments =
            [&["run", "procurement-v1", "--agent", "llm", "--episodes", "2", "--out", "run"], arguments].concat();
        let done = with_key(folder.path(), &arguments);
        assert!(done.code == code && done.err.contains(part), "{}: {}", done.code, done.err);
        assert!(!folder.path().join("run").exists());
    };
    let mut server = FaultServer::start(|_| Does::Closes);
    let url = server.url();
    check(&[], 2, "--model-base-url");
    check(&["--model-base-url", "somewhere"], 2, "--model-base-url");
    check(&["--model-base-url", &url, "--model", "gpt-9"], 2, "stand-in");
    check(&["--model-base-url", &url, "--interpreter", "oracle"], 2, "parser or model");
    check(&["--agent", "dialogue", "--model-base-url", &url, "--strategy", "oracle"], 2, "no ceiling");
    check(&["--model-base-url", &url, "--max-connections", "0"], 2, "1 to 1024");
    server.kill();
    check(&["--model-base-url", &url], 3, "cannot be reached");
}

#[test]
fn what_the_dialogue_agent_reads_is_scored_against_what_the_counterpart_stated() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "run",
        "talk-v1",
        "--agent",
        "rule-tree",
        "--agent",
        "dialogue",
        "--strategy",
        "nash",
        "--episodes",
        "20",
        "--out",
        "run",
    ];
    let done = zopa(folder.path(), &arguments);
    assert_eq!(done.code, 0, "{}", done.err);
    let summary: Value = serde_json::from_slice(&fs::read(folder.path().join("run/summary.json")).unwrap()).unwrap();
    let scored = &summary["agents"];
    // The parser reads every wording of the scripted counterparts; a wrong match of messages would show here.
    for score in ["reading_precision", "reading_recall"] {
        assert_eq!(scored["dialogue"][score]["value"], 1.0, "{score}");
        assert!(scored["rule-tree"][score].is_null());
    }
    let read: u64 = records(&folder.path().join("run"))
        .iter()
        .filter_map(|record| record["scores"]["reading"]["messages"].as_u64())
        .sum();
    assert!(read > 40, "{read} messages were read");
}

/// A run against a real vLLM that served a small model, kept in `tests/recorded/`; its README says how it was made.
#[test]
fn a_real_server_s_recorded_run_plays_again_without_it_and_another_reply_is_another_run() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/recorded/qwen2.5-coder-0.5b");
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    copy(&kept, &run);
    copy(&kept.join("inputs"), &run.join("inputs"));
    let again = zopa(folder.path(), &["replay", "run"]);
    assert_eq!(
        (again.code, again.out.as_str()),
        (0, "4 records replayed with equal digests, 0 without a result\n"),
        "{}",
        again.err
    );
    let tokens = |record: &Value| record["usage"]["prompt_tokens"].as_u64().unwrap_or(0);
    assert!(records(&run).iter().all(|record| tokens(record) > 0), "every episode asked the server");
    let manifest: Value = serde_json::from_slice(&fs::read(run.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["serving"]["model"], "qwen");
    let replies = run.join("replies.jsonl");
    let text = fs::read_to_string(&replies).unwrap();
    let (first, rest) = text.split_once('\n').unwrap();
    let mut reply: Value = serde_json::from_str(first).unwrap();
    reply["content"] = "{}".into();
    fs::write(&replies, format!("{reply}\n{rest}")).unwrap();
    assert_eq!(zopa(folder.path(), &["replay", "run"]).code, 1);
}
