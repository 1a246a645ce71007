//! The tables at which a run's episodes are played again.

use super::run::read_salt;
use crate::answers::{self, Script};
use crate::arena::{Arena, Draw, plain_split};
use crate::failure::Failure;
use crate::run_directory::RunDirectory;
use crate::runner::Table;
use crate::{replies, serving};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use zopa_agents::Equipment;
use zopa_envs::EpisodeKey;
use zopa_reports::Manifest;

/// A run's own inputs, set up to be played again: models answer from the replies that the run kept, and a person from the answers.
pub(super) struct Rerun {
    /// The arena.
    pub(super) arena: Arc<Arena>,
    /// A table for each opponent, by its name in keys.
    tables: BTreeMap<String, Table>,
    script: Option<Script>,
}

impl Rerun {
    /// Sets a run up.
    ///
    /// # Errors
    /// Where an input is missing or wrong, or `salt_file` is not the one that made the run's split.
    pub(super) fn of(directory: &RunDirectory, manifest: &Manifest, salt_file: Option<&Path>) -> Result<Self, Failure> {
        let arena = Arc::new(Arena::of_inputs(manifest, directory.files("inputs")?)?);
        let salt = read_salt(salt_file)?;
        let split = plain_split(&manifest.split, salt.as_deref())?.to_owned();
        let equipment = serving::recorded(
            manifest.serving.as_ref(),
            manifest.strategy.as_deref(),
            manifest.interpreter.as_deref(),
            &directory.path().join(replies::FILE),
        )?;
        let script = Script::read(&directory.path().join(answers::FILE))?;
        let equipment = Equipment {
            person: script.as_ref().map(Script::person),
            assistant: manifest.agents.iter().find_map(|entry| assistant(&entry.options)),
            ..equipment
        };
        let mut tables = BTreeMap::new();
        for name in manifest.met() {
            let opponent = arena.opponent(name)?;
            let (split, seed, salt) = (Some(split.clone()), Some(manifest.seed), salt.clone());
            let drawn = arena.draw(&Draw { split, seed, salt, opponent: opponent.clone() })?;
            let table = Table::new(arena.clone(), drawn, opponent, manifest.agent_seed)
                .equipped(equipment.clone())
                .assigned(manifest.assignment.clone());
            tables.insert(name.clone(), table);
        }
        Ok(Self { arena, tables, script })
    }

    /// Whether episodes must be played again one at a time, since there is one person.
    pub(super) fn is_sequential(&self) -> bool {
        self.script.is_some()
    }

    /// The table of an episode, with its person turned to it.
    ///
    /// # Errors
    /// Where nobody of the run plays that opponent, or the run kept no answers of the episode's person.
    pub(super) fn table(&self, key: &EpisodeKey) -> Result<&Table, Failure> {
        if *key.agent == *super::play::HUMAN {
            match &self.script {
                Some(script) => script.turn_to(key.index)?,
                None => {
                    return Err(Failure::Input(format!(
                        "a person decided, and the run has no {} with what was written",
                        answers::FILE
                    )));
                }
            }
        }
        let table = self.tables.get(&*key.opponent);
        table.ok_or_else(|| Failure::Input(format!("the run has no opponent {}", key.opponent)))
    }
}

/// The agent that drafted for a person, by the options of its entry.
fn assistant(options: &str) -> Option<String> {
    let named = options.strip_prefix("assisted by ")?;
    named.split_once('@').map(|(id, _)| id.to_owned())
}
