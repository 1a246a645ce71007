//! Suites: what a benchmark plays, read from a TOML file and checked once.

pub mod distilled;
pub mod division;
pub mod domain;
pub mod error;
mod family;
pub mod file;
mod header;
mod locate;
pub mod mandate_template;
mod mandates;
mod parameter;
pub mod policy_template;
mod relationship;
pub mod shift;
pub mod source;
mod space;
pub mod tactic_template;
mod types;
pub mod voice_template;

pub use family::Family;

use crate::import::limits::MOST_BYTES;
use distilled::DistilledSpec;
use division::Instances;
use error::{SuiteError, nearest};
use file::{FamilyRole, Gates, SplitSpec, SuiteFile};
use mandates::MandateTemplates;
use sha2::{Digest, Sha256};
use shift::{Drawn, Game};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use zopa_envs::{Attainable, FamilyNotice, PartyPrior, RelationshipRules, Scenario};

/// The suites that come with the program: name and text.
const BUILT_IN: [(&str, &str); 10] = [
    ("counterparts-v1", include_str!("../../suites/counterparts-v1.toml")),
    ("deal-or-no-deal-v1", include_str!("../../suites/deal-or-no-deal-v1.toml")),
    ("generalisation-v1", include_str!("../../suites/generalisation-v1.toml")),
    ("mandate-v1", include_str!("../../suites/mandate-v1.toml")),
    ("payment-terms-v1", include_str!("../../suites/payment-terms-v1.toml")),
    ("procurement-v1", include_str!("../../suites/procurement-v1.toml")),
    ("repeated-v1", include_str!("../../suites/repeated-v1.toml")),
    ("talk-v1", include_str!("../../suites/talk-v1.toml")),
    ("worked-example-v1", include_str!("../../suites/worked-example-v1.toml")),
    ("worked-example-rate-v1", include_str!("../../suites/worked-example-rate-v1.toml")),
];

/// A suite: checked, and ready to make scenarios.
#[derive(Clone, Debug)]
pub struct Suite {
    name: Arc<str>,
    file: SuiteFile,
    text: Arc<str>,
    digest: String,
    rules: Option<Arc<RelationshipRules>>,
    published: Arc<Drawn>,
    shifts: BTreeMap<String, Arc<Drawn>>,
    mandates: Option<MandateTemplates>,
    notices: Arc<[FamilyNotice]>,
}

impl Suite {
    /// Names of the suites that come with the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// The suite that comes with the program under `name`, or the one in the file of that path where it ends in `.toml`.
    ///
    /// # Errors
    /// Where there is none, or the file is wrong; see [`SuiteError`].
    pub fn open(name: &str) -> Result<Self, SuiteError> {
        if let Some((name, text)) = BUILT_IN.iter().find(|(known, _)| *known == name) {
            return Self::parse(&format!("{name}.toml"), text);
        }
        if Path::new(name).extension().is_some_and(|extension| extension == "toml") {
            return Self::load(Path::new(name));
        }
        Err(SuiteError::UnknownSuite { name: name.to_owned(), nearest: nearest(name, Self::names()) })
    }

    /// The suite in the file at `path`.
    ///
    /// # Errors
    /// Where the file cannot be read or is wrong.
    pub fn load(path: &Path) -> Result<Self, SuiteError> {
        let unreadable = |source| SuiteError::Unreadable { path: path.to_owned(), source };
        let mut text = String::new();
        let file = std::fs::File::open(path).map_err(unreadable)?;
        file.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(unreadable)?;
        if text.len() as u64 > MOST_BYTES {
            return Err(unreadable(std::io::Error::other(format!("it has more than {MOST_BYTES} bytes"))));
        }
        Self::parse(&path.display().to_string(), &text)
    }

    /// The suite that `text` describes; errors name it `file`.
    ///
    /// # Errors
    /// [`SuiteError::Syntax`] where the text is no suite file, [`SuiteError::Field`] where a value makes no sense.
    pub fn parse(file: &str, text: &str) -> Result<Self, SuiteError> {
        let mut typed: SuiteFile = toml::from_str(text).map_err(|error| syntax_error(file, text, &error))?;
        let check = Check { file, text };
        check.header(&typed)?;
        let published = check.drawn(&typed)?;
        check.relationship(&typed)?;
        check.splits(&typed)?;
        check.difficulty(&typed)?;
        let mandates = check.mandates(&typed, published.space())?;
        let shifts = check.shifts(&typed, &published)?;
        check.lineup(&typed)?;
        check.distilled(&mut typed)?;
        let notices = published
            .families
            .iter()
            .filter(|family| family.role == FamilyRole::Training)
            .map(|family| FamilyNotice {
                name: family.name.clone(),
                share: family.share,
                description: family.description.clone(),
                numbers: family.numbers(),
            })
            .collect();
        Ok(Self {
            name: typed.name.as_str().into(),
            digest: hexadecimal(&Sha256::digest(text.as_bytes())),
            text: text.into(),
            rules: typed.relationship.as_ref().map(|spec| Arc::new(spec.rules())),
            file: typed,
            published: Arc::new(published),
            shifts,
            mandates,
            notices,
        })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name that keys and run directories have: its own, or that of the selection where it is distilled from a run.
    #[must_use]
    pub fn title(&self) -> &str {
        self.distilled().map_or(&self.name, |spec| &spec.name)
    }

    /// Which of its scenarios are played again, where it is distilled from a run.
    #[must_use]
    pub fn distilled(&self) -> Option<&DistilledSpec> {
        self.file.distilled.as_ref()
    }

    /// Its version.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.file.version
    }

    /// What it asks, in a line.
    #[must_use]
    pub fn question(&self) -> &str {
        &self.file.question
    }

    /// The file as it was written, for a run's `inputs/`.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// SHA-256 of the file's bytes, in hexadecimal.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Everything that the file states.
    #[must_use]
    pub fn file(&self) -> &SuiteFile {
        &self.file
    }

    /// Agents that play where none is named.
    #[must_use]
    pub fn lineup(&self) -> &[String] {
        &self.file.lineup
    }

    /// The agent that others are compared with.
    #[must_use]
    pub fn baseline(&self) -> &str {
        &self.file.baseline
    }

    /// The agents whose gates set the exit code.
    #[must_use]
    pub fn gated(&self) -> &[String] {
        &self.file.gated
    }

    /// The gates.
    #[must_use]
    pub fn gates(&self) -> &Gates {
        &self.file.gates
    }

    /// Its splits by name.
    #[must_use]
    pub fn splits(&self) -> &BTreeMap<String, SplitSpec> {
        &self.file.splits
    }

    /// The split that is played where none is named.
    #[must_use]
    pub fn default_split(&self) -> &str {
        &self.file.default_split
    }

    /// The split of this name.
    ///
    /// # Errors
    /// [`SuiteError::UnknownSplit`] lists those that there are.
    pub fn split(&self, name: &str) -> Result<&SplitSpec, SuiteError> {
        self.file.splits.get(name).ok_or_else(|| SuiteError::UnknownSplit {
            suite: self.name.to_string(),
            name: name.to_owned(),
            known: self.file.splits.keys().cloned().collect::<Vec<_>>().join(", "),
        })
    }

    /// Names of the splits that meet families of `role`.
    pub(crate) fn splits_of(&self, role: FamilyRole) -> String {
        let splits = self.splits().iter().filter(|(_, split)| split.counterparts == role);
        splits.map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Its counterpart families in the file's order.
    #[must_use]
    pub fn families(&self) -> &[Family] {
        &self.published.families
    }

    /// The family of this name.
    ///
    /// # Errors
    /// [`SuiteError::UnknownFamily`] lists those that there are.
    pub fn family(&self, name: &str) -> Result<&Family, SuiteError> {
        self.families().iter().find(|family| &*family.name == name).ok_or_else(|| SuiteError::UnknownFamily {
            suite: self.name.to_string(),
            name: name.to_owned(),
            nearest: nearest(name, self.families().iter().map(|family| &*family.name)),
            known: self.families().iter().map(|family| &*family.name).collect::<Vec<_>>().join(", "),
        })
    }

    /// What was attainable in a scenario of this suite, as [`Attainable::of`] finds it; where all scenarios have the same
    /// preferences it is found once.
    #[must_use]
    pub fn attainable(&self, scenario: &Scenario) -> Option<Attainable> {
        match &self.published.game {
            Game::Domain(domain) => domain.attainable(scenario),
            Game::Money { .. } | Game::Division(_) => Attainable::of(scenario),
        }
    }

    /// How both sides' types are drawn as published, buyer first; empty where nothing but the opener is.
    #[must_use]
    pub fn prior(&self) -> &[PartyPrior] {
        self.published.prior()
    }

    /// The pools that are divided, where the suite is of that kind.
    #[must_use]
    pub fn instances(&self) -> Option<&Instances> {
        match &self.published.game {
            Game::Division(instances) => Some(instances),
            Game::Money { .. } | Game::Domain(_) => None,
        }
    }

    /// Names of what is negotiated.
    pub fn issue_names(&self) -> impl Iterator<Item = &str> {
        self.published.space().issues().iter().map(|issue| &*issue.name)
    }

    /// The difficulties between the fifths of its scenarios, where it tells them apart.
    #[must_use]
    pub fn difficulty_cutoffs(&self) -> Option<&[f64; 4]> {
        self.file.difficulty.as_ref().map(|difficulty| &difficulty.cutoffs)
    }
}

/// A file being checked: makes errors that point into it.
struct Check<'a> {
    file: &'a str,
    text: &'a str,
}

impl Check<'_> {
    fn fail(&self, field: &str, problem: impl Into<String>, remedy: impl Into<String>) -> SuiteError {
        let (line, _) = locate::line_and_column(self.text, locate::offset_of(self.text, field));
        SuiteError::Field {
            file: self.file.to_owned(),
            line,
            field: field.to_owned(),
            problem: problem.into(),
            remedy: remedy.into(),
        }
    }

    /// Refuses a distribution that is none.
    fn distribution(&self, field: &str, distribution: &zopa_envs::Distribution) -> Result<(), SuiteError> {
        distribution.fault().map_or(Ok(()), |fault| {
            Err(self.fail(field, format!("{distribution} is no distribution"), format!("mend it: {fault}")))
        })
    }

    /// Refuses a number outside of `range`, NaN included.
    fn within(&self, field: &str, value: f64, range: std::ops::RangeInclusive<f64>) -> Result<(), SuiteError> {
        if range.contains(&value) {
            return Ok(());
        }
        let (low, high) = (range.start(), range.end());
        Err(self.fail(field, format!("{value} is out of range"), format!("give a number from {low} to {high}")))
    }
}

fn syntax_error(file: &str, text: &str, error: &toml::de::Error) -> SuiteError {
    let offset = error.span().map_or(0, |span| span.start);
    let (line, column) = locate::line_and_column(text, offset);
    let path = locate::path_at(text, offset);
    let field = if path.is_empty() { path } else { format!("{path}: ") };
    let mut message = error.message().to_owned();
    if let Some(near) = misspelt(&message) {
        let _ = write!(message, " (did you mean `{near}`?)");
    }
    SuiteError::Syntax { file: file.to_owned(), line, column, field, message }
}

/// The nearest of serde's expected names to the one it met: it writes all of them in backquotes, the met one first.
fn misspelt(message: &str) -> Option<String> {
    let mut names = message.split('`').skip(1).step_by(2);
    let met = names.next().filter(|_| message.starts_with("unknown "))?;
    nearest(met, names)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
