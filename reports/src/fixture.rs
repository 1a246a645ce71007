//! A small made-up run for tests: scores follow a formula, so that every figure can be worked out by hand.

use std::sync::Arc;

use zopa_envs::{
    Act, Action, CommonPrior, Conduct, Digest, Ending, EpisodeKey, EpisodeScores, Event, Grade, Grid, Issue, IssueRole,
    Mandate, Move, Offer, Outcome, OutcomeSpace, PartyType, PhaseBounds, PublicScenario, Refusal, Ruling, Scenario,
    Seat, Utility,
};

use crate::aggregation::{Aggregation, SummaryOptions};
use crate::gate::Gate;
use crate::manifest::{AgentEntry, Host, Manifest, Standing};
use crate::record::{EpisodeRecord, EpisodeResult};
use crate::statistics::Bootstrap;
use crate::summary::Summary;

/// Opponents of the made-up run, which are its families.
pub(crate) const FAMILIES: [&str; 2] = ["boulware", "conceder"];

pub(crate) fn scenario(seat: Seat) -> Scenario {
    let labels = |names: &[&str]| Grid::Labels(names.iter().map(|&name| name.into()).collect());
    let issue = Issue {
        name: "warranty".into(),
        role: IssueRole::Other,
        unit: "".into(),
        grid: labels(&["one year", "two years"]),
    };
    let space = OutcomeSpace::new(vec![issue]).expect("one issue");
    let party = |worth: [f64; 2]| {
        let mut utility = Utility::zero(&space);
        utility.table_mut(0).copy_from_slice(&worth);
        PartyType::of_tables(&space, utility, 0.0)
    };
    let types = [party([0.2, 1.0]), party([1.0, 0.2])];
    let public = PublicScenario {
        name: "made-up".into(),
        space,
        status_quo: None,
        rounds: 10,
        opener: Seat::Buyer,
        phases: PhaseBounds::default(),
        guardrails: None,
        hazard: 0.0,
        discount: [1.0; 2],
        prior: CommonPrior::Unknown,
        speech: false,
        families: Vec::new().into(),
    };
    let mandates = [Mandate::default(), Mandate::default()];
    Scenario { public, types, mandates, principals: Default::default(), seat, counterpart: None, break_off: None }
}

pub(crate) fn key(agent: &str, index: u64, repeat: u32) -> EpisodeKey {
    EpisodeKey {
        suite: "made-up".into(),
        version: 1,
        suite_digest: Digest::of_bytes(b"made-up"),
        split: "public".into(),
        seed: 7,
        index,
        seat: Seat::BOTH[(index % 2) as usize],
        opponent: FAMILIES[(index / 2 % 2) as usize].into(),
        agent: agent.into(),
        agent_version: 1,
        agent_options: "".into(),
        agent_seed: 0,
        repeat,
        reward: "own-gain".into(),
        authority: "default".into(),
    }
}

/// Scores of an agent that reaches `share` of the best gain: every fifth scenario is infeasible and ends without a
/// deal, every other one ends in a deal.
pub(crate) fn scores(index: u64, share: f64) -> EpisodeScores {
    let scenario = index / 2;
    let feasible = scenario % 5 != 4;
    let best = if feasible { 5.0 + (scenario % 3) as f64 } else { 0.0 };
    let gain = best * share;
    EpisodeScores {
        agreement: feasible,
        feasible: Some(feasible),
        gain,
        counterpart_gain: best - gain,
        best_gain: Some(best),
        scale: 100.0,
        joint_gain: best,
        best_joint: Some(best),
        nash_product: feasible.then_some(4.0 * share * (1.0 - share)),
        nash_distance: feasible.then_some((share - 0.5).abs()),
        savings_against_status_quo: Some(gain),
        savings_against_opening: None,
        rounds: 4,
        conduct: Conduct { attempts: 4, offers: 4, ..Conduct::default() },
        total_value: None,
        relationship: None,
        beliefs: None,
        reading: None,
    }
}

pub(crate) fn record_of(key: EpisodeKey, scores: EpisodeScores, refused: bool) -> EpisodeRecord {
    let refusal = Refusal::GainBelowMandate { gain: -1.0, least: 0.0 };
    let act = Act::Offer { offer: Offer::new(&[0]), is_final: false };
    let made = Move { seat: key.seat, round: 0, act, message: None };
    let event = Event {
        seat: key.seat,
        contract: 0,
        round: 0,
        intent: None,
        action: Action::offer(Offer::new(&[0])),
        faults: Default::default(),
        ruling: if refused { Ruling::Refused(refusal) } else { Ruling::Applied },
        made: (!refused).then_some(made),
        escalated: false,
        intervened: 0,
        speech: Vec::new(),
        withheld: None,
    };
    let ending = match scores.agreement {
        true => Ending::Agreement { offer: Offer::new(&[1]), by: key.seat },
        false => Ending::Deadline,
    };
    let outcome = Outcome { ending, round: 3 };
    let scenario = scenario(key.seat);
    let grade = scores.feasible.filter(|feasible| *feasible).map(|_| {
        let quintile = 1 + (key.index / 2 % 7 % 5) as u8;
        Grade { difficulty: 0.2 * f64::from(quintile), quintile }
    });
    EpisodeRecord::played(key, &scenario, vec![event], outcome, scores).expect("finite scores").graded(grade)
}

pub(crate) fn record(agent: &str, index: u64, share: f64) -> EpisodeRecord {
    record_of(key(agent, index, 0), scores(index, share), false)
}

/// An episode in whose only turn the agent hears as many interventions, refused by its mandate or not.
pub(crate) fn told(index: u64, interventions: u16, refused: bool) -> EpisodeRecord {
    let EpisodeRecord { key, result, .. } = record_of(key("nash", index, 0), scores(index, 0.5), refused);
    let EpisodeResult::Played(played) = result else { panic!("it was played") };
    let mut events = played.events;
    events[0].intervened = interventions;
    EpisodeRecord::played(key.clone(), &scenario(key.seat), events, played.outcome, played.scores)
        .expect("finite scores")
}

/// Forty episodes each of a strong, a baseline and a ceiling agent; the baseline is refused by its mandate at times and
/// fails guardrails at times.
pub(crate) fn run() -> Vec<EpisodeRecord> {
    let mut records = Vec::new();
    for index in 0..40 {
        records.push(record("nash", index, 0.6 + 0.01 * (index % 7) as f64));
        records.push(record("oracle", index, 1.0));
        let mut weak = scores(index, 0.3);
        let broken = index % 8 == 0;
        weak.conduct.phase = u32::from(broken);
        weak.conduct.corrected = u32::from(broken);
        weak.conduct.loss_attempted = u32::from(index % 10 == 0);
        records.push(record_of(key("rule-tree", index, 0), weak, index % 10 == 0));
    }
    records
}

pub(crate) fn standing(agent: &str) -> Standing {
    match agent {
        "oracle" => Standing::Ceiling,
        "rule-tree" => Standing::Baseline,
        _ => Standing::Contender,
    }
}

pub(crate) fn summarise(records: &[EpisodeRecord]) -> Summary {
    let mut aggregation = Aggregation::default();
    for record in records {
        aggregation.add(record).expect("one run");
    }
    let (gates, gated) = (Gate::defaults(), ["nash".to_owned()]);
    let options = SummaryOptions {
        gates: &gates,
        gated: &gated,
        baseline: Some("rule-tree"),
        standings: ["nash", "oracle", "rule-tree"].map(|agent| (agent.to_owned(), standing(agent))).into(),
        bootstrap: Bootstrap { replicates: 200, ..Bootstrap::default() },
    };
    aggregation.finish(&options).expect("consistent records")
}

pub(crate) fn manifest(agents: &[&str]) -> Manifest {
    let entry = |agent: &&str| AgentEntry {
        id: (*agent).to_owned(),
        version: 1,
        options: String::new(),
        standing: standing(agent),
    };
    Manifest {
        schema: Manifest::SCHEMA,
        zopa: "0.1.0".to_owned(),
        revision: None,
        arguments: vec!["run".to_owned(), "made-up".to_owned()],
        suite: "made-up".to_owned(),
        suite_version: 1,
        suite_digest: Digest::of_bytes(b"made-up"),
        profiles: None,
        split: "public".to_owned(),
        seed: 7,
        agent_seed: 0,
        episodes: 40,
        repeats: 1,
        opponent: "mix".to_owned(),
        opponents: Vec::new(),
        authority: "default".to_owned(),
        agents: agents.iter().map(entry).collect(),
        gated: vec!["nash".to_owned()],
        baseline: Some("rule-tree".to_owned()),
        strategy: None,
        interpreter: None,
        serving: None,
        inputs: Vec::new(),
        assignment: None,
        shard: None,
        host: Host { system: "linux".to_owned(), architecture: "x86_64".to_owned(), threads: 2 },
    }
}

/// A name that breaks a page, a table or a picture that does not escape it.
pub(crate) fn hostile_name() -> Arc<str> {
    "<script>alert(1)</script>|\"&'".into()
}
