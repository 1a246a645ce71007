//! The table at which a run's episodes are played again.

use super::run::read_salt;
use crate::arena::{Arena, Draw, plain_split};
use crate::failure::Failure;
use crate::run_directory::RunDirectory;
use crate::runner::Table;
use crate::{replies, serving};
use std::path::Path;
use std::sync::Arc;
use zopa_reports::Manifest;

/// The arena of a run's own inputs and its table, whose models answer from the replies that the run kept.
///
/// # Errors
/// Where an input is missing or wrong, or `salt_file` is not the one that made the run's split.
pub(super) fn table(
    directory: &RunDirectory,
    manifest: &Manifest,
    salt_file: Option<&Path>,
) -> Result<(Arc<Arena>, Table), Failure> {
    let arena = Arc::new(Arena::of_inputs(manifest, directory.files("inputs")?)?);
    let opponent = arena.opponent(&manifest.opponent)?;
    let salt = read_salt(salt_file)?;
    let split = Some(plain_split(&manifest.split, salt.as_deref())?.to_owned());
    let draw = Draw { split, seed: Some(manifest.seed), salt, opponent: opponent.clone() };
    let equipment = serving::recorded(
        manifest.serving.as_ref(),
        manifest.strategy.as_deref(),
        manifest.interpreter.as_deref(),
        &directory.path().join(replies::FILE),
    )?;
    let table = Table::new(arena.clone(), arena.draw(&draw)?, opponent, manifest.agent_seed)
        .equipped(equipment)
        .assigned(manifest.assignment.clone());
    Ok((arena, table))
}
