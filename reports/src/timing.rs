//! `timing.json`: every wall-clock figure of a run, and nothing else.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::gate::GateResult;
use crate::statistics::{LatencyHistogram, LatencyQuantiles};

/// Wall-clock figures of one agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentTiming {
    /// Time from a turn's view to its decision, by nearest rank.
    pub decision_latency_ms: LatencyQuantiles,
    /// Decisions measured; a process that was killed takes those of its last seconds with it.
    pub decisions: u64,
    /// All of them in buckets, for a resumed or a merged run to add to.
    #[serde(default, skip_serializing_if = "LatencyHistogram::is_empty")]
    pub histogram: LatencyHistogram,
    /// Time from a permitted move to its words, by nearest rank; `None` where nothing was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speech_latency_ms: Option<LatencyQuantiles>,
    /// All wordings in buckets.
    #[serde(default, skip_serializing_if = "LatencyHistogram::is_empty")]
    pub speech_histogram: LatencyHistogram,
}

/// The whole of `timing.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// The agents, by id; one that made no decision is left out.
    pub agents: BTreeMap<String, AgentTiming>,
    /// Jobs that ran at a time; latencies are comparable with one job only.
    pub jobs: u32,
    /// Duration of the run in seconds, over all its sittings and shards.
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

/// Collects latencies in buckets: a few kilobytes an agent.
#[derive(Debug, Clone, Default)]
pub struct TimingRecorder {
    agents: BTreeMap<String, LatencyHistogram>,
    speech: BTreeMap<String, LatencyHistogram>,
    seconds: f64,
    jobs: u32,
}

impl TimingRecorder {
    /// Notes one decision.
    pub fn decision(&mut self, agent: &str, nanoseconds: u64) {
        match self.agents.get_mut(agent) {
            Some(histogram) => histogram.add(nanoseconds),
            None => self.agents.entry(agent.to_owned()).or_default().add(nanoseconds),
        }
    }

    /// Notes one wording.
    pub fn speech(&mut self, agent: &str, nanoseconds: u64) {
        match self.speech.get_mut(agent) {
            Some(histogram) => histogram.add(nanoseconds),
            None => self.speech.entry(agent.to_owned()).or_default().add(nanoseconds),
        }
    }

    /// Takes over what an earlier sitting or another shard measured.
    pub fn add(&mut self, earlier: &Timing) {
        self.seconds += earlier.wall_seconds;
        self.jobs = self.jobs.max(earlier.jobs);
        for (agent, timing) in &earlier.agents {
            self.agents.entry(agent.clone()).or_default().merge(&timing.histogram);
            if !timing.speech_histogram.is_empty() {
                self.speech.entry(agent.clone()).or_default().merge(&timing.speech_histogram);
            }
        }
    }

    /// The figures so far, gates not yet evaluated; see [`crate::gate::evaluate_latency`].
    pub fn figures(&self, jobs: u32, seconds: f64) -> Timing {
        let agents = self.agents.iter().filter_map(|(agent, histogram)| {
            let speech = self.speech.get(agent);
            let timing = AgentTiming {
                decision_latency_ms: histogram.quantiles()?,
                decisions: histogram.count(),
                histogram: histogram.clone(),
                speech_latency_ms: speech.and_then(LatencyHistogram::quantiles),
                speech_histogram: speech.cloned().unwrap_or_default(),
            };
            Some((agent.clone(), timing))
        });
        let jobs = jobs.max(self.jobs);
        Timing { agents: agents.collect(), jobs, wall_seconds: self.seconds + seconds, gates: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sittings_add_up_whatever_their_order() {
        let timing = |nanoseconds: &[u64], seconds| {
            let mut recorder = TimingRecorder::default();
            nanoseconds.iter().for_each(|&latency| recorder.decision("nash", latency));
            recorder.figures(1, seconds)
        };
        let resumed = |first: &Timing, second: &Timing| {
            let mut recorder = TimingRecorder::default();
            recorder.add(first);
            recorder.add(second);
            recorder.figures(1, 0.5)
        };
        let (a, b) = (timing(&[3, 1], 2.0), timing(&[2], 1.0));
        let both = resumed(&a, &b);
        assert_eq!(both, resumed(&b, &a));
        let nash = &both.agents["nash"];
        assert_eq!((nash.decisions, nash.decision_latency_ms.p50, nash.decision_latency_ms.p99), (3, 2e-6, 3e-6));
        assert_eq!(both.wall_seconds, 3.5);
    }
}
