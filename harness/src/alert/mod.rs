//! Alerts while a run is under way: a circuit breaker that opened, a gate that is missed in a rolling window, a rate of
//! violations above a limit. They go to standard error, to `alerts.jsonl` in the run directory, and to a webhook where one is
//! named. An alert changes nothing of a run, and none that cannot be delivered fails it.

mod webhook;
mod window;

use crate::failure::Failure;
use crate::named_file;
use crate::run_directory::RunDirectory;
use crate::terminal::tell;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use webhook::Webhook;
use window::Window;
use zopa_envs::message::accuracy;
use zopa_reports::gate::{Bound, GateScore, Threshold};
use zopa_reports::{EpisodeRecord, EpisodeResult, Gate, Score};

/// What is watched, from a TOML file.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AlertRules {
    /// Episodes in the rolling window of each agent.
    pub window: usize,
    /// Episodes in it before it says anything.
    pub least: usize,
    /// Largest share of its episodes with a violation of mandate, speech or commitments; not watched where it is left out.
    pub violation_rate: Option<f64>,
    /// Whether the suite's gates are watched, for the agents that are gated.
    pub gates: bool,
    /// Whether a breaker that opens is told.
    pub breaker: bool,
    /// Where alerts are posted as JSON.
    pub webhook: Option<String>,
}

impl Default for AlertRules {
    fn default() -> Self {
        Self { window: 200, least: 50, violation_rate: Some(0.05), gates: true, breaker: true, webhook: None }
    }
}

impl AlertRules {
    /// Reads a file of rules.
    ///
    /// # Errors
    /// Where it cannot be read or a value makes no sense.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = named_file::read_text("--alerts", path)?;
        let rules: Self =
            toml::from_str(&text).map_err(|fault| Failure::Input(format!("{}: {fault}", path.display())))?;
        let fault = |field: &str, problem: &str| Err(Failure::Input(format!("{}: {field} {problem}", path.display())));
        if rules.window == 0 || rules.least == 0 || rules.least > rules.window {
            return fault("least", "must be from 1 to window");
        }
        if rules.violation_rate.is_some_and(|rate| !(0.0..=1.0).contains(&rate)) {
            return fault("violation_rate", "must be a share from 0 to 1");
        }
        if let Some(url) = &rules.webhook
            && let Err(problem) = webhook::check(url)
        {
            return fault("webhook", &problem);
        }
        Ok(rules)
    }
}

/// What an alert is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AlertKind {
    /// A circuit breaker opened: the model's server keeps failing.
    BreakerOpened,
    /// A gate is missed in the rolling window; by the score's name.
    GateMissed(String),
    /// Too many violations in the rolling window.
    ViolationRate,
}

impl AlertKind {
    /// Whether its value rests, wholly or in part, on what the parser reads in messages.
    fn is_of_speech(&self) -> bool {
        match self {
            Self::BreakerOpened => false,
            Self::GateMissed(name) => Score::named(name).is_some_and(Score::is_of_speech),
            Self::ViolationRate => true,
        }
    }
}

/// One alert.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alert {
    /// What it is about.
    pub kind: AlertKind,
    /// The agent.
    pub agent: Arc<str>,
    /// The suite.
    pub suite: Arc<str>,
    /// The episode after which it was raised.
    pub episode: u64,
    /// What was found; `None` for a breaker.
    pub value: Option<f64>,
    /// What it was held against.
    pub threshold: Option<f64>,
    /// Episodes that it was found in.
    pub episodes: usize,
    /// All of it in a sentence.
    pub text: String,
}

/// Watches the records of a run as they come.
pub struct Alerts {
    rules: AlertRules,
    gates: Vec<Gate>,
    gated: Vec<String>,
    windows: BTreeMap<Arc<str>, Window>,
    /// What stands: an alert is raised once, and again only after it has passed.
    standing: BTreeMap<(Arc<str>, AlertKind), ()>,
    journal: PathBuf,
    webhook: Option<Webhook>,
    /// Alerts that could not be written down.
    unwritten: u64,
}

impl Alerts {
    /// Watches by `rules` for a run in `directory`.
    ///
    /// # Errors
    /// Where the webhook's client cannot be set up.
    pub fn new(rules: AlertRules, gates: &[Gate], gated: &[String], directory: &RunDirectory) -> Result<Self, Failure> {
        let webhook = rules.webhook.as_deref().map(Webhook::start).transpose().map_err(Failure::Input)?;
        let watched = |gate: &&Gate| {
            let plain =
                matches!(gate.threshold, Threshold::Value(_)) && gate.bound == Bound::Point && gate.family.is_none();
            plain && matches!(gate.score, GateScore::Score(score) if Window::knows(score))
        };
        Ok(Self {
            gates: gates.iter().filter(watched).filter(|_| rules.gates).cloned().collect(),
            gated: gated.to_vec(),
            windows: BTreeMap::new(),
            standing: BTreeMap::new(),
            journal: directory.path().join("alerts.jsonl"),
            rules,
            webhook,
            unwritten: 0,
        })
    }

    /// Looks at one more record and raises what it gives reason for.
    pub fn note(&mut self, record: &EpisodeRecord) -> Vec<Alert> {
        let agent = &record.key.agent;
        let size = self.rules.window;
        let window = self.windows.entry(agent.clone()).or_insert_with(|| Window::new(size));
        window.add(record);
        let (episodes, violations) = (window.len(), window.violation_rate());
        // Kind, whether it holds, value, threshold, text.
        type Finding = (AlertKind, bool, Option<f64>, Option<f64>, String);
        let mut findings: Vec<Finding> = Vec::new();
        if self.rules.breaker {
            findings.push((AlertKind::BreakerOpened, breaker_opened(record), None, None, String::new()));
        }
        if episodes >= self.rules.least {
            if let (Some(most), Some(rate)) = (self.rules.violation_rate, violations) {
                let text =
                    format!("{:.1} % of episodes with a violation, more than {:.1} %", 100.0 * rate, 100.0 * most);
                findings.push((AlertKind::ViolationRate, rate > most, Some(rate), Some(most), text));
            }
            if self.gated.iter().any(|gated| **gated == **agent) {
                let held = |gate: &&Gate| gate.agents.is_empty() || gate.agents.iter().any(|held| **held == **agent);
                for gate in self.gates.iter().filter(held) {
                    let (GateScore::Score(score), Threshold::Value(threshold)) = (gate.score, &gate.threshold) else {
                        continue;
                    };
                    let Some(value) = window.value(score) else { continue };
                    let text = format!("{} is {value:.4}, not {} {threshold}", score.name(), gate.direction.sign());
                    let missed = !gate.direction.holds(value, *threshold);
                    let kind = AlertKind::GateMissed(score.name().to_owned());
                    findings.push((kind, missed, Some(value), Some(*threshold), text));
                }
            }
        }
        let mut raised = Vec::new();
        for (kind, holds, value, threshold, text) in findings {
            let id = (agent.clone(), kind.clone());
            if !holds {
                self.standing.remove(&id);
                continue;
            }
            if self.standing.insert(id, ()).is_some() {
                continue;
            }
            let mut text = match kind {
                AlertKind::BreakerOpened => {
                    format!("{agent}: a circuit breaker opened at episode {}", record.key.index)
                }
                _ => format!("{agent}: {text}, over its last {episodes} episodes"),
            };
            if kind.is_of_speech() {
                text.push_str(&format!(". {}", accuracy::stated()));
            }
            let (suite, episode) = (record.key.suite.clone(), record.key.index);
            raised.push(Alert { kind, agent: agent.clone(), suite, episode, value, threshold, episodes, text });
        }
        for alert in &raised {
            self.publish(alert);
        }
        raised
    }

    fn publish(&mut self, alert: &Alert) {
        tell(format_args!("zopa: alert: {}", alert.text));
        let line = serde_json::to_string(alert).unwrap_or_default() + "\n";
        let file = OpenOptions::new().create(true).append(true).open(&self.journal);
        if file.and_then(|mut file| file.write_all(line.as_bytes())).is_err() {
            self.unwritten += 1;
        }
        if let Some(webhook) = &self.webhook {
            webhook.send(alert);
        }
    }

    /// Waits a little for the webhook; says what was not delivered, where there is something.
    pub fn close(self) -> Option<String> {
        let mut lost = Vec::new();
        if self.unwritten > 0 {
            lost.push(format!("{} were not written to {}", self.unwritten, self.journal.display()));
        }
        lost.extend(self.webhook.and_then(Webhook::close));
        (!lost.is_empty()).then(|| format!("alerts: {}", lost.join("; ")))
    }
}

/// Whether a record shows that a breaker stood between an agent and its model: speech was replaced, or nothing was decided.
fn breaker_opened(record: &EpisodeRecord) -> bool {
    match &record.result {
        EpisodeResult::Played(played) => played.degraded,
        EpisodeResult::InfraError { reason } => reason.contains("circuit breaker"),
    }
}

#[cfg(test)]
mod tests;
