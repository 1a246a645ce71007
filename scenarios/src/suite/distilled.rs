//! Suites distilled from a run: chosen scenarios of another suite, played again with the same types, mandates and counterparts.
//!
//! A distilled suite's file is the other suite's, with a `[distilled]` section behind it. Its scenario `i` is scenario
//! `scenarios[i]` of the split, seed and opponent that the run played, drawn from the same streams; both seats are played, so
//! that episode `i` stays scenario `i / 2` at seat `i mod 2`.

use super::error::SuiteError;
use super::file::SuiteFile;
use super::header::SEED_LIMIT;
use super::{Check, Suite};
use serde::Deserialize;
use std::fmt::Write as _;
use thiserror::Error;

/// The line that begins what is added to the other suite's text.
const MARK: &str = "# Distilled from a run: what stands above is the suite that it played, unchanged.";

/// Which scenarios of the suite are played again.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DistilledSpec {
    /// The name of this selection, in keys and run directories.
    pub name: String,
    /// The split that was played.
    pub split: String,
    /// The seed that was played.
    pub seed: u64,
    /// Who sat on the other side: `mix`, `family:NAME` or `agent:ID`.
    pub opponent: String,
    /// SHA-256 of the salt, where the split was private: the same salt must be given to play it again.
    #[serde(default)]
    pub salt: Option<String>,
    /// The condition by which they were chosen.
    pub condition: String,
    /// Numbers of the scenarios, ascending.
    pub scenarios: Vec<u64>,
}

/// Why nothing can be distilled.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DistilError {
    /// No scenario was chosen.
    #[error("no episode meets the condition: nothing to distil")]
    Nothing,
    /// A scenario that a distilled suite does not have.
    #[error("the suite that was played has {count} scenarios, but number {number} was chosen")]
    Beyond {
        /// The scenario.
        number: u64,
        /// How many there are.
        count: usize,
    },
}

impl DistilledSpec {
    /// The text of the suite that plays `self.scenarios` of `suite` again. The numbers are those of the run: where it played a
    /// distilled suite itself, they are followed back to the first one.
    ///
    /// # Errors
    /// Where no scenario is chosen, or one that the suite does not have.
    pub fn text(mut self, suite: &Suite) -> Result<String, DistilError> {
        self.scenarios.sort_unstable();
        self.scenarios.dedup();
        if self.scenarios.is_empty() {
            return Err(DistilError::Nothing);
        }
        let mut base = suite.text();
        if let Some(earlier) = suite.distilled() {
            let count = earlier.scenarios.len();
            for number in &mut self.scenarios {
                let found = usize::try_from(*number).ok().and_then(|position| earlier.scenarios.get(position));
                *number = *found.ok_or(DistilError::Beyond { number: *number, count })?;
            }
            base = base.find(MARK).map_or(base, |end| &base[..end]);
        }
        let mut text = format!("{}\n\n{MARK}\n\n[distilled]\n", base.trim_end());
        // Writing to a string cannot fail.
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "{name} = {value}");
        };
        line("name", quoted(&self.name));
        line("split", quoted(&self.split));
        line("seed", self.seed.to_string());
        line("opponent", quoted(&self.opponent));
        if let Some(salt) = &self.salt {
            line("salt", quoted(salt));
        }
        line("condition", quoted(&self.condition));
        line("scenarios", format!("{:?}", self.scenarios));
        Ok(text)
    }
}

impl Check<'_> {
    /// Checks the selection and leaves the one split that it plays, with its seed and size.
    pub(super) fn distilled(&self, typed: &mut SuiteFile) -> Result<(), SuiteError> {
        let Some(spec) = &typed.distilled else { return Ok(()) };
        let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        if spec.name.is_empty() || spec.name.len() > 80 || !spec.name.chars().all(plain) {
            let problem = format!("\"{}\" is no name of a suite", spec.name);
            return Err(self.fail("distilled.name", problem, "use lower-case letters, digits and hyphens, 80 at most"));
        }
        if spec.seed >= SEED_LIMIT {
            return Err(SuiteError::SeedTooLarge { seed: spec.seed });
        }
        if spec.scenarios.is_empty() || !spec.scenarios.is_sorted_by(|a, b| a < b) {
            let remedy = "give the scenarios' numbers in ascending order, each once";
            return Err(self.fail("distilled.scenarios", "they are none, or in no order", remedy));
        }
        let Some(mut split) = typed.splits.remove(&spec.split) else {
            let known = typed.splits.keys().cloned().collect::<Vec<_>>().join(", ");
            let problem = format!("there is no split \"{}\"", spec.split);
            return Err(self.fail("distilled.split", problem, format!("name one of {known}")));
        };
        split.seed = spec.seed;
        split.episodes = 2 * spec.scenarios.len() as u64;
        typed.default_split.clone_from(&spec.split);
        typed.splits = [(spec.split.clone(), split)].into();
        Ok(())
    }
}
