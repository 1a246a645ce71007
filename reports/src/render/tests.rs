use super::*;
use crate::fixture::{hostile_name, key, manifest, record_of, run, scores, summarise};
use crate::gate::{Direction, Gate, GateScore, Threshold, evaluate_latency};
use crate::manifest::Standing;
use crate::record::EpisodeRecord;
use crate::score::Score;
use crate::timing::TimingRecorder;

const AGENTS: [&str; 3] = ["nash", "rule-tree", "oracle"];

fn shown(records: &[EpisodeRecord], agents: &[&str], show: impl Fn(&Report<'_>) -> String) -> String {
    let (manifest, summary) = (manifest(agents), summarise(records));
    show(&Report { manifest: &manifest, summary: &summary, timing: None })
}

#[test]
fn the_terminal_shows_headline_and_gates() {
    let (manifest, summary) = (manifest(&AGENTS), summarise(&run()));
    let mut recorder = TimingRecorder::default();
    recorder.decision("nash", 250_000);
    let mut timing = recorder.figures(1, 1.0);
    timing.gates = evaluate_latency(&timing, &Gate::defaults(), &manifest.gated, |agent| manifest.standing(agent));
    let report = Report { manifest: &manifest, summary: &summary, timing: Some(&timing) };
    insta::assert_snapshot!(report.terminal());
}

#[test]
fn the_markdown_holds_every_section() {
    insta::assert_snapshot!(shown(&run(), &AGENTS, |report| report.markdown()));
}

#[test]
fn the_csv_holds_every_estimate() {
    let text = shown(&run(), &AGENTS, |report| report.csv().expect("CSV"));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let summary = summarise(&run());
    let count =
        |parts: &std::collections::BTreeMap<String, crate::Breakdown>| parts.values().map(|part| part.len()).sum();
    let expected: usize = summary
        .agents
        .values()
        .map(|agent| -> usize {
            let (families, seats): (usize, usize) = (count(&agent.families), count(&agent.seats));
            let difficulty: usize = agent.difficulty.values().map(|part| part.len()).sum();
            agent.scores.len() + families + seats + difficulty
        })
        .sum();
    assert_eq!(rows.len(), expected);
    let surplus = summary.estimate("nash", Score::SurplusEfficiency).expect("a score");
    let row = rows.iter().find(|row| &row[0] == "nash" && &row[1] == "all" && &row[3] == "surplus_efficiency");
    assert_eq!(row.expect("a row")[4].parse(), Ok(surplus.value));
}

#[test]
fn the_page_needs_nothing_from_outside() {
    let page = shown(&run(), &AGENTS, |report| report.html().expect("drawn"));
    for outside in ["http", "<script", "<link", "<img", "url(", "@import", "src="] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert_eq!(page.matches("<svg ").count(), 4);
}

#[test]
fn the_page_names_what_it_must() {
    let page = shown(&run(), &AGENTS, |report| report.html().expect("drawn"));
    let summary = summarise(&run());
    let digest = summary.agents["nash"].digest.to_string();
    for part in [
        "42 % agreement and 71 % constraint satisfaction",
        "unpublished, as far as this repository knows",
        "<h2>Gates</h2>",
        "<h2>By counterpart family</h2>",
        "<h3>Agreement</h3>",
        "<h3>Surplus efficiency</h3>",
        "<h2>What each column means</h2>",
        "<dt>Seed</dt><dd>7</dd>",
        digest.as_str(),
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("x86_64"), "the host is no part of a report that another lab reproduces");
}

#[test]
fn a_page_is_well_formed_whatever_the_agents_are_called() {
    let name = hostile_name();
    let records: Vec<_> = (0..8).map(|index| record_of(key(&name, index, 0), scores(index, 0.5), false)).collect();
    let page = shown(&records, &[&name], |report| report.html().expect("drawn"));
    assert!(!page.contains("<script"), "{page}");
    let mut open: Vec<&str> = Vec::new();
    for tag in page.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("every tag ends");
        let name = tag.split([' ', '/']).find(|part| !part.is_empty()).unwrap_or_default();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "closing tag");
        } else if !tag.ends_with('/') && !["!doctype", "meta"].contains(&name) {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let markdown = shown(&records, &[&name], |report| report.markdown());
    assert!(markdown.contains("\\|") && !markdown.contains("<script"), "{markdown}");
}

#[test]
fn a_long_name_keeps_both_ends_and_the_terminal_table_its_width() {
    let name = "prompted:some-organisation/some-model-instruct-2507@temperature=0.7";
    let records: Vec<_> = (0..8).map(|index| record_of(key(name, index, 0), scores(index, 0.5), false)).collect();
    let text = shown(&records, &[name], |report| report.terminal());
    assert!(text.contains("prompted:some-orga\u{2026}7@temperature=0.7 "), "{text}");
    assert!(!text.contains(name), "{text}");
}

#[test]
fn columns_of_feasibility_are_left_out_where_it_says_nothing() {
    let records: Vec<_> = (0..8)
        .map(|index| {
            let mut scores = scores(index, 0.5);
            scores.feasible = None;
            record_of(key("nash", index, 0), scores, false)
        })
        .collect();
    let text = shown(&records, &["nash"], |report| report.terminal());
    let headline = text.split("Gates").next().expect("a part").to_lowercase();
    assert!(headline.contains("agreement") && !headline.contains("feasible") && !headline.contains("false"), "{text}");
    assert!(text.contains("feasibility says nothing here, so all episodes count"), "{text}");
}

#[test]
fn how_rightly_speech_is_read_stands_beside_every_score_of_it_even_where_all_are_zero() {
    let records: Vec<_> = (0..8).map(|index| record_of(key("nash", index, 0), scores(index, 0.5), false)).collect();
    let stated = zopa_envs::message::accuracy::stated();
    let html = shown(&records, &["nash"], |report| report.html().expect("drawn"));
    let markdown = shown(&records, &["nash"], |report| report.markdown());
    for (text, heading) in [(&html, "<h2>Further scores</h2>"), (&markdown, "## Further scores")] {
        let section = text.split(heading).nth(1).and_then(|rest| rest.split("What each").next()).expect("a section");
        assert!(section.contains(&stated.replace('\'', "&#39;")) || section.contains(&stated), "{section}");
        assert!(!text.contains(", corrected"), "nothing was found, so nothing is corrected");
    }
    let terminal = |gates: &[Gate], repeats: u32| {
        let records: Vec<_> = (0..8)
            .flat_map(|index| {
                (0..repeats).map(move |repeat| record_of(key("nash", index, repeat), scores(index, 0.5), false))
            })
            .collect();
        let mut summary = summarise(&records);
        summary.gates = crate::gate::evaluate(&summary, gates, &[], |_| Standing::Contender, &|_, _, _, _| None);
        Report { manifest: &manifest(&["nash"]), summary: &summary, timing: None }.terminal()
    };
    let gate =
        |score| Gate::new(GateScore::Score(score), Direction::AtMost, Threshold::Value(0.1), crate::gate::Bound::Point);
    assert!(!terminal(&[gate(Score::LossMakingRate)], 1).contains(&stated), "nothing of speech is shown");
    assert_eq!(terminal(&[gate(Score::BrokenCommitmentRate)], 2).matches(&stated).count(), 1);
    assert!(terminal(&[], 2).contains(&stated), "what is sound in every repeat is sound in speech");
}

#[test]
fn corrected_scores_of_speech_say_what_they_assume() {
    let mut spoken = scores(0, 0.5);
    (spoken.conduct.unauthorised, spoken.conduct.commitments_broken) = (1, 1);
    let records = [record_of(key("nash", 0, 0), spoken, false), record_of(key("nash", 1, 0), scores(1, 0.5), false)];
    let text = shown(&records, &["nash"], |report| report.markdown());
    let speech = text.split("## Speech").nth(1).and_then(|rest| rest.split("## ").next()).expect("a section");
    for part in ["(their prevalence)", "Unauthorised statements, corrected", &zopa_envs::message::accuracy::stated()] {
        assert!(speech.contains(part), "{part} is not in {speech}");
    }
    assert!(!speech.contains("Broken commitments, corrected"), "{speech}");
}

#[test]
fn an_agent_that_lost_too_many_episodes_to_infrastructure_is_marked() {
    let mut records = run();
    let failed = EpisodeRecord::infra_error(key("nash", 100, 0), "boulware".into(), "status 503");
    records.push(failed);
    let expected = "nash: 1 episode has no result because infrastructure failed; its figures are not comparable.";
    for text in [
        shown(&records, &AGENTS, |report| report.terminal()),
        shown(&records, &AGENTS, |report| report.markdown()),
        shown(&records, &AGENTS, |report| report.html().expect("drawn")),
    ] {
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_report_folder_is_complete_and_the_same_each_time() {
    let (manifest, summary) = (manifest(&AGENTS), summarise(&run()));
    let report = Report { manifest: &manifest, summary: &summary, timing: None };
    let write = || {
        let folder = tempfile::tempdir().expect("a folder");
        let page = report.write(&folder.path().join("report")).expect("written");
        assert!(page.ends_with("report/report.html"));
        let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder.path().join("report"))
            .expect("a folder")
            .map(|entry| {
                let entry = entry.expect("an entry");
                (entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).expect("readable"))
            })
            .collect();
        files.sort();
        files
    };
    let files = write();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "families.png",
        "families.svg",
        "report.html",
        "report.md",
        "scores.csv",
        "surplus-efficiency.png",
        "surplus-efficiency.svg",
    ];
    assert_eq!(names, expected);
    assert!(files == write(), "the same bytes");
}
