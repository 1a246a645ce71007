//! Human negotiations: the CaSiNo dialogues (Chawla et al. 2021), in which two people divide camping supplies.
//!
//! Three packages each of food, water and firewood are divided. A side's most important type is worth 5 points a package,
//! the next 4, the least 3; who leaves without a deal has 5 points. [`Human`] is what people made of it, and
//! [`Dialogue::division`] puts agents in front of the same preferences.

mod proposal;

pub use proposal::stated_proposal;

use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;
use zopa_envs::Division;
use zopa_envs::division::{Counts, DivisionError};

/// The types of items, in the order of [`Dialogue::values`].
pub const ITEMS: [&str; 3] = ["Food", "Water", "Firewood"];

/// Packages of each type.
pub const EACH: u32 = 3;

/// Points without a deal.
pub const WALK_AWAY_POINTS: u32 = 5;

/// The most bytes that are read: the whole collection has 4 MB.
const MOST_BYTES: u64 = 64 << 20;

/// Why dialogues could not be read.
#[derive(Debug, Error)]
pub enum CasinoError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It is larger than any version of the collection.
    #[error("{} has at least {bytes} bytes, more than {MOST_BYTES}: name a file of CaSiNo dialogues", path.display())]
    TooLarge {
        /// Which.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// It is no list of dialogues.
    #[error("{name}: {source}")]
    Syntax {
        /// The file.
        name: String,
        /// What the parser says, with line and column.
        source: serde_json::Error,
    },
    /// A dialogue does not make sense.
    #[error("{name}: dialogue {dialogue}: {problem}")]
    Dialogue {
        /// The file.
        name: String,
        /// Its `dialogue_id`.
        dialogue: u64,
        /// What is wrong.
        problem: String,
    },
}

/// How a dialogue ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HumanEnding {
    /// They agreed that the first participant keeps so many of each type, the second the rest.
    Deal(Counts),
    /// One of them left.
    WalkedAway,
    /// The log stops before either.
    Unfinished,
}

/// One dialogue of two people: participants in the order of their names, `mturk_agent_1` first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialogue {
    /// Its number in the collection.
    pub id: u64,
    /// Points a package of each type, first participant first.
    pub values: [[u32; 3]; 2],
    /// How it ended.
    pub ending: HumanEnding,
    /// Points that the collection states for each.
    pub stated: [u32; 2],
    /// What each submission of a deal would have given, by whom (0 or 1): what the first participant keeps.
    pub submissions: Vec<(usize, Counts)>,
    /// Divisions that were put to the other side, in words ([`stated_proposal`]) or as a deal, by whom: what its maker keeps.
    pub proposals: Vec<(usize, [u32; 3])>,
    /// Utterances of both, deals and their answers left out.
    pub utterances: u32,
}

#[derive(Deserialize)]
struct RawDialogue {
    dialogue_id: u64,
    chat_logs: Vec<RawTurn>,
    participant_info: BTreeMap<String, RawParticipant>,
}

#[derive(Deserialize)]
struct RawTurn {
    text: String,
    id: String,
    #[serde(default)]
    task_data: RawTask,
}

#[derive(Default, Deserialize)]
struct RawTask {
    issue2youget: Option<BTreeMap<String, RawCount>>,
    issue2theyget: Option<BTreeMap<String, RawCount>>,
}

/// The collection writes counts as text.
#[derive(Deserialize)]
#[serde(untagged)]
enum RawCount {
    Number(u32),
    Text(String),
}

impl RawCount {
    fn number(&self) -> Option<u32> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.parse().ok(),
        }
    }
}

#[derive(Deserialize)]
struct RawParticipant {
    value2issue: RawPriorities,
    outcomes: RawOutcomes,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct RawPriorities {
    high: String,
    medium: String,
    low: String,
}

#[derive(Deserialize)]
struct RawOutcomes {
    points_scored: u32,
}

/// Reads the dialogues in the file at `path`.
///
/// # Errors
/// Where it cannot be read, is too large, or [`parse_dialogues`] fails.
pub fn read_dialogues(path: &Path) -> Result<Vec<Dialogue>, CasinoError> {
    let unreadable = |source| CasinoError::Unreadable { path: path.to_owned(), source };
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let bytes = file.metadata().map_err(unreadable)?.len();
    let mut text = String::new();
    // A device has no length of its own.
    if bytes <= MOST_BYTES {
        file.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(unreadable)?;
    }
    let bytes = bytes.max(text.len() as u64);
    if bytes > MOST_BYTES {
        return Err(CasinoError::TooLarge { path: path.to_owned(), bytes });
    }
    parse_dialogues(&path.display().to_string(), &text)
}

/// Reads dialogues from the collection's JSON; errors name it `name`.
///
/// # Errors
/// Where it is no such JSON, or a dialogue has not two participants, names an unknown type, divides more than there is, or
/// states points that its deal does not give.
pub fn parse_dialogues(name: &str, text: &str) -> Result<Vec<Dialogue>, CasinoError> {
    let raw: Vec<RawDialogue> =
        serde_json::from_str(text).map_err(|source| CasinoError::Syntax { name: name.to_owned(), source })?;
    let dialogue = |raw: RawDialogue| {
        let id = raw.dialogue_id;
        Dialogue::of(raw).map_err(|problem| CasinoError::Dialogue { name: name.to_owned(), dialogue: id, problem })
    };
    raw.into_iter().map(dialogue).collect()
}

impl Dialogue {
    fn of(raw: RawDialogue) -> Result<Self, String> {
        let names: Vec<&String> = raw.participant_info.keys().collect();
        let people: Vec<&RawParticipant> = raw.participant_info.values().collect();
        let [first, second] = people[..] else {
            return Err(format!("{} participants: there must be two", people.len()));
        };
        let who = |id: &str| {
            names.iter().position(|name| *name == id).ok_or_else(|| format!("a turn by \"{id}\", who takes no part"))
        };
        let values = [points(&first.value2issue)?, points(&second.value2issue)?];
        let stated = [first, second].map(|person| person.outcomes.points_scored);
        let (mut ending, mut submissions, mut utterances) = (HumanEnding::Unfinished, Vec::new(), 0);
        let mut proposals = Vec::new();
        for turn in &raw.chat_logs {
            match turn.text.as_str() {
                "Submit-Deal" => {
                    let by = who(&turn.id)?;
                    let kept = kept_by_first(&turn.task_data, by)?;
                    let own = |item: usize| if by == 0 { kept[item] } else { EACH - kept[item] };
                    proposals.push((by, [own(0), own(1), own(2)]));
                    submissions.push((by, kept));
                }
                "Accept-Deal" => {
                    let (_, kept) = submissions.last().ok_or("a deal is accepted that nobody submitted")?;
                    ending = HumanEnding::Deal(kept.clone());
                }
                "Walk-Away" => ending = HumanEnding::WalkedAway,
                "Reject-Deal" => {}
                text => {
                    utterances += 1;
                    if let Some(kept) = stated_proposal(text) {
                        proposals.push((who(&turn.id)?, kept));
                    }
                }
            }
        }
        let dialogue = Self { id: raw.dialogue_id, values, ending, stated, submissions, proposals, utterances };
        match dialogue.points() {
            Some(points) if points != stated => {
                Err(format!("the deal gives {points:?} points, but {stated:?} are stated"))
            }
            _ => Ok(dialogue),
        }
    }

    /// Points of each; `None` where the log stops before the end.
    #[must_use]
    pub fn points(&self) -> Option<[u32; 2]> {
        match &self.ending {
            HumanEnding::Deal(kept) => Some(self.points_of(kept)),
            HumanEnding::WalkedAway => Some([WALK_AWAY_POINTS; 2]),
            HumanEnding::Unfinished => None,
        }
    }

    /// Points of each where the first participant keeps `kept`.
    fn points_of(&self, kept: &[u32]) -> [u32; 2] {
        let sum = |values: [u32; 3], own: &dyn Fn(u32) -> u32| -> u32 {
            values.iter().zip(kept).map(|(value, &kept)| value * own(kept)).sum()
        };
        [sum(self.values[0], &|kept| kept), sum(self.values[1], &|kept| EACH - kept)]
    }

    /// What `side` (0 or 1) would have of the packages `kept`, as a share of all: 36 points.
    #[must_use]
    pub fn share(&self, side: usize, kept: &[u32]) -> f64 {
        let points: u32 = self.values[side].iter().zip(kept).map(|(value, kept)| value * kept).sum();
        f64::from(points) / f64::from(EACH * self.values[side].iter().sum::<u32>())
    }

    /// Whether a deal is one that no other division betters for one side without costing the other; `false` without a deal.
    #[must_use]
    pub fn is_pareto_efficient(&self) -> bool {
        matches!(&self.ending, HumanEnding::Deal(kept) if self.on_frontier(kept))
    }

    fn on_frontier(&self, kept: &[u32]) -> bool {
        let own = self.points_of(kept);
        let others = (0..64_u32).map(|rank| self.points_of(&[rank % 4, rank / 4 % 4, rank / 16]));
        others.into_iter().all(|other| other == own || other[0] < own[0] || other[1] < own[1])
    }

    /// The division in front of which these two sat, first participant as buyer, so that agents can play it.
    ///
    /// # Errors
    /// Never: the items are those of the collection.
    pub fn division(&self) -> Result<Division, DivisionError> {
        let names = ITEMS.map(Arc::from);
        let values = [&self.values[0][..], &self.values[1][..]];
        Division::new(&names, &[EACH; 3], values, f64::from(WALK_AWAY_POINTS))
    }
}

/// Points a package of each type.
fn points(priorities: &RawPriorities) -> Result<[u32; 3], String> {
    let RawPriorities { high, medium, low } = priorities;
    let mut points = [0; 3];
    for (item, worth) in [(high, 5), (medium, 4), (low, 3)] {
        points[item_of(item)?] = worth;
    }
    if points.contains(&0) {
        return Err(format!("the priorities {high}, {medium}, {low} name a type twice"));
    }
    Ok(points)
}

fn item_of(name: &str) -> Result<usize, String> {
    let known = ITEMS.iter().position(|item| *item == name);
    known.ok_or_else(|| format!("unknown type \"{name}\": there are {}", ITEMS.join(", ")))
}

/// What the first participant keeps in a deal that participant `by` submits.
fn kept_by_first(task: &RawTask, by: usize) -> Result<Counts, String> {
    let (Some(own), Some(other)) = (&task.issue2youget, &task.issue2theyget) else {
        return Err("a submitted deal does not say who gets what".to_owned());
    };
    let mut kept = Counts::from([0; 3]);
    for (item, name) in ITEMS.into_iter().enumerate() {
        let count = |side: &BTreeMap<String, RawCount>| side.get(name).and_then(RawCount::number);
        match (count(own), count(other)) {
            (Some(mine), Some(theirs)) if mine.checked_add(theirs) == Some(EACH) => {
                kept[item] = if by == 0 { mine } else { theirs };
            }
            _ => return Err(format!("a submitted deal does not divide {EACH} packages of {name}")),
        }
    }
    Ok(kept)
}

/// What people made of it: the `human` row beside agents on the same preferences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Human {
    /// Dialogues that came to an end.
    pub dialogues: usize,
    /// Mean points of a side, 5 where somebody walked away.
    pub points: f64,
    /// Mean points of both sides together.
    pub joint: f64,
    /// Share of dialogues that somebody left.
    pub walk_aways: f64,
    /// Share of all dialogues with a deal on the Pareto frontier.
    pub pareto: f64,
}

impl Human {
    /// Published figures over all 1,030 dialogues (Chawla et al. 2021); the Pareto share is not among them.
    pub const PUBLISHED: [(&'static str, f64); 3] = [("points", 18.64), ("joint", 37.27), ("walk_aways", 0.024)];

    /// The row of these dialogues, unfinished ones left out; `None` where nothing is left.
    #[must_use]
    pub fn of(dialogues: &[Dialogue]) -> Option<Self> {
        let ended = dialogues.iter().filter_map(|dialogue| match &dialogue.ending {
            HumanEnding::Deal(kept) => Some((dialogue, Some(kept.clone()))),
            HumanEnding::WalkedAway => Some((dialogue, None)),
            HumanEnding::Unfinished => None,
        });
        Self::of_outcomes(&ended.collect::<Vec<_>>())
    }

    /// The row of other outcomes for the same preferences: what the first side keeps, or nothing without a deal; `None` where
    /// there are none.
    #[must_use]
    pub fn of_outcomes(outcomes: &[(&Dialogue, Option<Counts>)]) -> Option<Self> {
        if outcomes.is_empty() {
            return None;
        }
        let number = outcomes.len() as f64;
        let (mut joint, mut left, mut efficient) = (0, 0, 0);
        for (dialogue, kept) in outcomes {
            joint += kept.as_ref().map_or([WALK_AWAY_POINTS; 2], |kept| dialogue.points_of(kept)).iter().sum::<u32>();
            left += u32::from(kept.is_none());
            efficient += u32::from(kept.as_ref().is_some_and(|kept| dialogue.on_frontier(kept)));
        }
        let joint = f64::from(joint) / number;
        Some(Self {
            dialogues: outcomes.len(),
            points: joint / 2.0,
            joint,
            walk_aways: f64::from(left) / number,
            pareto: f64::from(efficient) / number,
        })
    }
}
