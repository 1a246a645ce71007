//! `timing.json`: every wall-clock figure of a run, and nothing else.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::gate::GateResult;
use crate::statistics::LatencyQuantiles;

/// Wall-clock figures of one agent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentTiming {
    /// Time from a turn's view to its decision, by nearest rank.
    pub decision_latency_ms: LatencyQuantiles,
    /// Decisions measured.
    pub decisions: u64,
    /// Time from a permitted move to its words, by nearest rank; `None` where nothing was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speech_latency_ms: Option<LatencyQuantiles>,
}

/// The whole of `timing.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// The agents, by id; one that made no decision is left out.
    pub agents: BTreeMap<String, AgentTiming>,
    /// Jobs that ran at a time; latencies are comparable with one job only.
    pub jobs: u32,
    /// Duration of the run in seconds.
    pub wall_seconds: f64,
    /// Latency gates.
    pub gates: Vec<GateResult>,
}

impl Timing {
    /// The file's text: indented JSON and a line's end.
    ///
    /// # Errors
    /// None in practice: every field has a JSON form.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }
}

/// Collects latencies, four bytes each. One recorder for each worker; merge them at the end.
#[derive(Debug, Clone, Default)]
pub struct TimingRecorder {
    latencies: BTreeMap<String, Vec<f32>>,
    speech: BTreeMap<String, Vec<f32>>,
}

impl TimingRecorder {
    /// Notes one decision.
    pub fn decision(&mut self, agent: &str, milliseconds: f32) {
        match self.latencies.get_mut(agent) {
            Some(latencies) => latencies.push(milliseconds),
            None => {
                self.latencies.insert(agent.to_owned(), vec![milliseconds]);
            }
        }
    }

    /// Notes one wording.
    pub fn speech(&mut self, agent: &str, milliseconds: f32) {
        match self.speech.get_mut(agent) {
            Some(latencies) => latencies.push(milliseconds),
            None => {
                self.speech.insert(agent.to_owned(), vec![milliseconds]);
            }
        }
    }

    /// Takes over another recorder's notes.
    pub fn merge(&mut self, other: Self) {
        for (agent, mut latencies) in other.speech {
            self.speech.entry(agent).or_default().append(&mut latencies);
        }
        for (agent, mut latencies) in other.latencies {
            self.latencies.entry(agent).or_default().append(&mut latencies);
        }
    }

    /// The figures, gates not yet evaluated; see [`crate::gate::evaluate_latency`].
    pub fn finish(self, jobs: u32, wall_seconds: f64) -> Timing {
        let mut speech = self.speech;
        let agents = self.latencies.into_iter().filter_map(|(agent, mut latencies)| {
            let decisions = latencies.len() as u64;
            let decision_latency_ms = LatencyQuantiles::of(&mut latencies)?;
            let speech_latency_ms = speech.get_mut(&agent).and_then(|latencies| LatencyQuantiles::of(latencies));
            Some((agent, AgentTiming { decision_latency_ms, decisions, speech_latency_ms }))
        });
        Timing { agents: agents.collect(), jobs, wall_seconds, gates: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_recorders_count_every_decision_whatever_the_order() {
        let recorder = |latencies: &[f32]| {
            let mut recorder = TimingRecorder::default();
            latencies.iter().for_each(|&latency| recorder.decision("nash", latency));
            recorder
        };
        let merged = |mut first: TimingRecorder, second: TimingRecorder| {
            first.merge(second);
            first.finish(1, 2.5)
        };
        let (a, b) = (recorder(&[3.0, 1.0]), recorder(&[2.0]));
        let timing = merged(a.clone(), b.clone());
        assert_eq!(timing, merged(b, a));
        let nash = timing.agents["nash"];
        assert_eq!((nash.decisions, nash.decision_latency_ms.p50, nash.decision_latency_ms.p99), (3, 2.0, 3.0));
    }
}
