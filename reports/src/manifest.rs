//! What a run was: enough for another lab to play it again.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use zopa_envs::{Digest, EpisodeKey};

use crate::assignment::Assignment;
use crate::summary::MOST_NAMES;

/// What part an agent plays in a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Ranked, and gated where the suite says so.
    Contender,
    /// Ranked, never gated.
    Baseline,
    /// Tries to game a score; shown, never gated.
    Probe,
    /// Knows what no contender may know; stands outside every ranking.
    Ceiling,
}

impl Standing {
    /// Whether the agent takes part in the ranking.
    pub fn is_ranked(self) -> bool {
        self != Self::Ceiling
    }

    /// The standing in a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contender => "contender",
            Self::Baseline => "baseline",
            Self::Probe => "probe",
            Self::Ceiling => "ceiling",
        }
    }
}

/// One agent of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentEntry {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: u32,
    /// Its options in canonical words; empty where it has none.
    pub options: String,
    /// What part it plays.
    pub standing: Standing,
}

/// A file that was read, kept under `inputs/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputFile {
    /// Its name there.
    pub name: String,
    /// SHA-256 of its bytes.
    pub digest: Digest,
}

/// The model that agents asked, and how; the server's address is no part of what it said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Serving {
    /// Its name, as the server knows it.
    pub model: String,
    /// Sampling temperature.
    pub temperature: f64,
    /// Nucleus sampling's share.
    pub top_p: f64,
    /// Tokens of one reply at most.
    pub max_tokens: u32,
}

/// Numbers from a manifest are finite.
impl Eq for Serving {}

impl fmt::Display for Serving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, temperature, top_p, max_tokens } = self;
        write!(f, "{model} (temperature {temperature}, top p {top_p}, at most {max_tokens} tokens)")
    }
}

/// The machine, as far as it may explain a wall-clock figure; no result depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Operating system, such as `linux`.
    pub system: String,
    /// Processor architecture, such as `x86_64`.
    pub architecture: String,
    /// Hardware threads.
    pub threads: u32,
}

/// One of several processes' parts of a run, by scenario: both seats of a scenario are in the same part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    number: u32,
    of: u32,
}

impl Shard {
    /// All of a run.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// Its number, from 1.
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many there are.
    pub fn of(self) -> u32 {
        self.of
    }

    /// Whether it holds an episode.
    pub fn holds(self, index: u64) -> bool {
        index / 2 % u64::from(self.of) == u64::from(self.number - 1)
    }

    /// How many of the first `episodes` it holds.
    pub fn count(self, episodes: u64) -> u64 {
        let (of, before) = (u64::from(self.of), u64::from(self.number - 1));
        let whole = (episodes / 2).saturating_sub(before).div_ceil(of);
        2 * whole + u64::from(episodes % 2 == 1 && self.holds(episodes - 1))
    }

    /// Its episode `position`, from 0.
    pub fn episode(self, position: u64) -> u64 {
        2 * (u64::from(self.number - 1) + position / 2 * u64::from(self.of)) + position % 2
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if 1 <= number && number <= of => Ok(Self { number, of }),
            _ => Err(format!("\"{text}\" is no part: 2/3 is the second of three")),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

/// A fact in which two runs, or a record and its run, differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What it is.
    pub field: &'static str,
    /// As the manifest has it.
    pub own: String,
    /// As the other has it.
    pub other: String,
}

/// The header of a run directory, `manifest.json`. It holds no date, so that equal runs have equal reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of this layout.
    pub schema: u32,
    /// Version of zopa.
    pub zopa: String,
    /// Revision of its source, where it was built from a repository.
    pub revision: Option<String>,
    /// Command line after the program's name.
    pub arguments: Vec<String>,
    /// Suite or domain.
    pub suite: String,
    /// Its version.
    pub suite_version: u32,
    /// Digest of the suite file, or over a domain's files.
    pub suite_digest: Digest,
    /// The two profiles of a domain, buyer first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profiles: Option<[String; 2]>,
    /// Split of the suite.
    pub split: String,
    /// The run's seed.
    pub seed: u64,
    /// Seed of the agents' own randomness.
    pub agent_seed: u64,
    /// Episodes for each agent, repeats not counted.
    pub episodes: u64,
    /// How often each agent plays an episode.
    pub repeats: u32,
    /// Who plays the other side: `mix` for the suite's counterparts, an agent's or a family's name, or [`Self::EVERY_AGENT`].
    pub opponent: String,
    /// The opponents of a tournament, as keys name them, in the order of its agents; empty in any other run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opponents: Vec<String>,
    /// Guardrails and mandate in canonical words.
    pub authority: String,
    /// The agents, in the order they were named.
    pub agents: Vec<AgentEntry>,
    /// Ids of the agents whose gates set the exit code.
    pub gated: Vec<String>,
    /// The agent that others are compared with, where there is one.
    pub baseline: Option<String>,
    /// The agent that decides for `dialogue` and advises `llm-solver`, where one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<String>,
    /// Who reads for `dialogue`, where it was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interpreter: Option<String>,
    /// The model that agents asked, where they asked one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serving: Option<Serving>,
    /// Files that were read.
    pub inputs: Vec<InputFile>,
    /// Which arm plays which scenario, where not every arm plays all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignment: Option<Assignment>,
    /// The part of the run that this folder holds, where others hold the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The machine.
    pub host: Host,
}

impl Manifest {
    /// The layout that this version writes.
    pub const SCHEMA: u32 = 1;

    /// The opponent of a tournament, in which every agent meets every agent.
    pub const EVERY_AGENT: &str = "every agent";

    /// Agents of a tournament at most: its pairings grow with their square.
    pub const MOST_OPPONENTS: usize = 256;

    /// Whether every agent meets every agent.
    pub fn is_tournament(&self) -> bool {
        !self.opponents.is_empty()
    }

    /// Whom the agents meet, one after the other, as keys name them.
    pub fn met(&self) -> &[String] {
        if self.is_tournament() { &self.opponents } else { std::slice::from_ref(&self.opponent) }
    }

    /// Whether an agent plays an episode: all do, unless scenarios were allotted.
    pub fn plays(&self, agent: &str, index: u64) -> bool {
        self.assignment.as_ref().is_none_or(|assignment| assignment.plays(agent, index))
    }

    /// Episodes of this folder's part that an agent plays, repeats not counted.
    pub fn episodes_of(&self, agent: &str) -> u64 {
        let (part, count) = (self.part(), self.part().count(self.episodes));
        match &self.assignment {
            None => count,
            Some(_) => (0..count).filter(|&position| self.plays(agent, part.episode(position))).count() as u64,
        }
    }

    /// Tests what the types leave open: a header may come from someone else.
    ///
    /// # Errors
    /// With what is too much.
    pub fn check(&self) -> Result<(), String> {
        if !(1..=Self::SCHEMA).contains(&self.schema) {
            return Err(format!(
                "its layout is {}, but this version of zopa reads layouts up to {}: open it with the version that wrote it ({})",
                self.schema,
                Self::SCHEMA,
                self.zopa
            ));
        }
        match self.agents.len() {
            number if number > MOST_NAMES => return Err(format!("it has {number} agents, more than any run has")),
            _ => {}
        }
        match self.opponents.len() {
            0 => Ok(()),
            number if number > Self::MOST_OPPONENTS => {
                Err(format!("it has {number} opponents, more than any tournament has"))
            }
            number if number != self.agents.len() => {
                Err(format!("it has {number} opponents and {} agents: a tournament has as many", self.agents.len()))
            }
            _ => Ok(()),
        }
    }

    /// The part of the run that is in this folder.
    pub fn part(&self) -> Shard {
        self.shard.unwrap_or(Shard::WHOLE)
    }

    /// Records that this folder has when it is complete: every agent's repeats of every episode of its part that it plays,
    /// against everybody that it meets.
    pub fn records(&self) -> u64 {
        let of_agent = |entry: &AgentEntry| self.episodes_of(&entry.id);
        let against_one = self.agents.iter().map(of_agent).fold(0, u64::saturating_add);
        against_one.saturating_mul(u64::from(self.repeats)).saturating_mul(self.met().len() as u64)
    }

    /// The first fact of those that fix results in which another run differs; which part of the run it is, the command line
    /// and the machine do not count.
    pub fn difference(&self, other: &Self) -> Option<Difference> {
        let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".to_owned());
        let ids =
            |manifest: &Self| manifest.agents.iter().map(|entry| entry.id.as_str()).collect::<Vec<_>>().join(", ");
        let allotted = |manifest: &Self| {
            let arms =
                |assignment: &Assignment| format!("seed {}, arms {}", assignment.seed, assignment.arms.join(", "));
            manifest.assignment.as_ref().map_or("none".to_owned(), arms)
        };
        let model = |serving: &Option<Serving>| serving.as_ref().map_or("none".to_owned(), Serving::to_string);
        let pair = |profiles: &Option<[String; 2]>| profiles.as_ref().map_or("none".to_owned(), |pair| pair.join(","));
        let facts = [
            ("layout", self.schema.to_string(), other.schema.to_string()),
            ("version of zopa", self.zopa.clone(), other.zopa.clone()),
            ("revision", text(&self.revision), text(&other.revision)),
            ("suite", self.suite.clone(), other.suite.clone()),
            ("suite's version", self.suite_version.to_string(), other.suite_version.to_string()),
            ("suite's digest", self.suite_digest.to_string(), other.suite_digest.to_string()),
            ("pair of profiles", pair(&self.profiles), pair(&other.profiles)),
            ("split", self.split.clone(), other.split.clone()),
            ("seed", self.seed.to_string(), other.seed.to_string()),
            ("agents' seed", self.agent_seed.to_string(), other.agent_seed.to_string()),
            ("number of episodes", self.episodes.to_string(), other.episodes.to_string()),
            ("number of repeats", self.repeats.to_string(), other.repeats.to_string()),
            ("opponent", self.opponent.clone(), other.opponent.clone()),
            ("list of opponents", self.opponents.join(", "), other.opponents.join(", ")),
            ("authority", self.authority.clone(), other.authority.clone()),
            ("list of agents", ids(self), ids(other)),
            ("model", model(&self.serving), model(&other.serving)),
            ("strategy", text(&self.strategy), text(&other.strategy)),
            ("interpreter", text(&self.interpreter), text(&other.interpreter)),
            ("list of gated agents", self.gated.join(", "), other.gated.join(", ")),
            ("baseline", text(&self.baseline), text(&other.baseline)),
            ("assignment", allotted(self), allotted(other)),
        ];
        let of_agents = self.agents.iter().zip(&other.agents).flat_map(|(own, other)| {
            [
                ("version of an agent", own.version.to_string(), other.version.to_string()),
                ("options of an agent", own.options.clone(), other.options.clone()),
            ]
            .map(|(field, mine, theirs)| (field, format!("{}'s {mine}", own.id), format!("{}'s {theirs}", other.id)))
        });
        let differs =
            |(field, own, other): (_, String, String)| (own != other).then_some(Difference { field, own, other });
        facts.into_iter().chain(of_agents).find_map(differs)
    }

    /// The first fact in which a record's key is none of this run.
    pub fn foreign(&self, key: &EpisodeKey) -> Option<Difference> {
        let of_agent = |part: &dyn Fn(&AgentEntry) -> String| {
            self.agents.iter().find(|entry| *entry.id == *key.agent).map_or("none".to_owned(), part)
        };
        let below = |most: u64, found: u64| if found < most { found.to_string() } else { format!("below {most}") };
        let part =
            if self.part().holds(key.index) { key.index.to_string() } else { format!("in part {}", self.part()) };
        let opponent = self.met().iter().find(|met| **met == *key.opponent).unwrap_or(&self.opponent).clone();
        let arm = self.assignment.as_ref().map_or(&*key.agent, |assignment| assignment.arm(key.scenario())).to_owned();
        let facts = [
            ("suite", self.suite.clone(), key.suite.to_string()),
            ("suite's version", self.suite_version.to_string(), key.version.to_string()),
            ("suite's digest", self.suite_digest.to_string(), key.suite_digest.to_string()),
            ("split", self.split.clone(), key.split.to_string()),
            ("seed", self.seed.to_string(), key.seed.to_string()),
            ("agents' seed", self.agent_seed.to_string(), key.agent_seed.to_string()),
            ("opponent", opponent, key.opponent.to_string()),
            ("authority", self.authority.clone(), key.authority.to_string()),
            ("agent", of_agent(&|entry| entry.id.clone()), key.agent.to_string()),
            ("agent's version", of_agent(&|entry| entry.version.to_string()), key.agent_version.to_string()),
            ("agent's options", of_agent(&|entry| entry.options.clone()), key.agent_options.to_string()),
            ("episode", below(self.episodes, key.index), key.index.to_string()),
            ("episode", part, key.index.to_string()),
            ("repeat", below(self.repeats.into(), key.repeat.into()), key.repeat.to_string()),
            ("arm", arm, key.agent.to_string()),
        ];
        let differs =
            |(field, own, other): (_, String, String)| (own != other).then_some(Difference { field, own, other });
        facts.into_iter().find_map(differs)
    }

    /// What part an agent plays; one that is not listed is a contender.
    pub fn standing(&self, agent: &str) -> Standing {
        self.agents.iter().find(|entry| entry.id == agent).map_or(Standing::Contender, |entry| entry.standing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::manifest;

    #[test]
    fn the_parts_of_a_run_hold_every_episode_once_and_keep_both_seats_together() {
        for episodes in [0, 1, 2, 7, 24, 25] {
            for of in 1..=5 {
                let mut held = Vec::new();
                for number in 1..=of {
                    let shard = Shard { number, of };
                    let own: Vec<u64> = (0..shard.count(episodes)).map(|position| shard.episode(position)).collect();
                    assert!(own.iter().all(|&index| shard.holds(index)) && own.is_sorted(), "{shard}: {own:?}");
                    held.extend(own);
                }
                held.sort_unstable();
                assert_eq!(held, (0..episodes).collect::<Vec<_>>(), "{of} parts of {episodes}");
            }
        }
    }

    #[test]
    fn a_part_is_written_as_a_fraction() {
        assert_eq!("2/3".parse(), Ok(Shard { number: 2, of: 3 }));
        assert_eq!(serde_json::to_string(&Shard { number: 2, of: 3 }).expect("JSON"), "\"2/3\"");
        for wrong in ["0/3", "4/3", "1", "1/", "-1/2", "1/2/3", "one/two", "1/4294967296"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn runs_differ_in_what_fixes_their_results_and_in_nothing_else() {
        let own = manifest(&["nash", "rule-tree"]);
        let check = |change: &dyn Fn(&mut Manifest), expected: Option<(&str, &str, &str)>| {
            let mut other = own.clone();
            change(&mut other);
            let found = own.difference(&other);
            let found = found.as_ref().map(|found| (found.field, found.own.as_str(), found.other.as_str()));
            assert_eq!(found, expected);
        };
        check(&|other| other.host.threads = 64, None);
        check(&|other| other.arguments.push("--jobs".to_owned()), None);
        check(&|other| other.shard = Some(Shard { number: 1, of: 2 }), None);
        check(&|other| other.seed = 8, Some(("seed", "7", "8")));
        check(&|other| other.suite_version = 2, Some(("suite's version", "1", "2")));
        check(&|other| other.zopa = "0.2.0".to_owned(), Some(("version of zopa", "0.1.0", "0.2.0")));
        check(&|other| other.agents[0].version = 2, Some(("version of an agent", "nash's 1", "nash's 2")));
        check(&|other| drop(other.agents.pop()), Some(("list of agents", "nash, rule-tree", "nash")));
    }

    #[test]
    fn a_record_of_another_run_is_told_by_the_field_of_its_key() {
        let mut own = manifest(&["nash"]);
        let mut key = crate::fixture::key("nash", 3, 0);
        (own.opponent, own.shard) = (key.opponent.to_string(), Some(Shard { number: 2, of: 2 }));
        let field = |key: &EpisodeKey| own.foreign(key).map(|found| found.field);
        assert_eq!(field(&key), None);
        key.index = 1;
        assert_eq!(own.foreign(&key).map(|found| found.own), Some("in part 2/2".to_owned()));
        key.index = 43;
        assert_eq!(own.foreign(&key).map(|found| found.own), Some("below 40".to_owned()));
        key.repeat = 1;
        key.index = 3;
        assert_eq!(field(&key), Some("repeat"));
        key.agent = "oracle".into();
        assert_eq!(field(&key), Some("agent"));
    }

    #[test]
    fn a_tournament_has_the_records_of_every_pairing_and_no_other() {
        let mut own = manifest(&["nash", "linear"]);
        let alone = own.records();
        own.opponent = Manifest::EVERY_AGENT.to_owned();
        own.opponents = vec!["agent:nash".to_owned(), "agent:linear".to_owned()];
        assert_eq!((own.records(), own.check()), (2 * alone, Ok(())));
        let mut key = crate::fixture::key("nash", 3, 0);
        let opponent = |key: &EpisodeKey| own.foreign(key).map(|found| (found.field, found.other));
        key.opponent = "agent:linear".into();
        assert_eq!(opponent(&key), None);
        key.opponent = "mix".into();
        assert_eq!(opponent(&key), Some(("opponent", "mix".to_owned())));
        own.opponents.pop();
        assert_eq!(own.check(), Err("it has 1 opponents and 2 agents: a tournament has as many".to_owned()));
    }
}
