//! A run's header, before anything was played.

use crate::arena::Arena;
use crate::failure::Failure;
use crate::runner::Table;
use zopa_agents::roster;
use zopa_envs::Digest;
use zopa_reports::{AgentEntry, Host, InputFile, Manifest, Standing};

/// The part that an agent of a kind plays.
pub(super) fn standing(kind: roster::Kind) -> Standing {
    match kind {
        roster::Kind::Contender => Standing::Contender,
        roster::Kind::Baseline => Standing::Baseline,
        roster::Kind::Probe => Standing::Probe,
        roster::Kind::Ceiling => Standing::Ceiling,
    }
}

/// A run's header, without what it was served by.
pub(super) fn header(
    arena: &Arena,
    table: &Table,
    agents: &[String],
    baseline: Option<String>,
    episodes: u64,
    repeats: u32,
) -> Result<Manifest, Failure> {
    let mut entries = Vec::new();
    for id in agents {
        let card = roster::find(id).map_err(Failure::input)?;
        let player = roster::build_with(id, table.equipment()).map_err(Failure::input)?;
        entries.push(AgentEntry {
            id: id.clone(),
            version: player.version(),
            options: player.options(),
            standing: standing(card.kind),
        });
    }
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get() as u32);
    Ok(Manifest {
        schema: Manifest::SCHEMA,
        zopa: env!("CARGO_PKG_VERSION").to_owned(),
        revision: option_env!("ZOPA_REVISION").map(str::to_owned),
        arguments: std::env::args().skip(1).collect(),
        suite: arena.name().to_owned(),
        suite_version: arena.version(),
        suite_digest: arena.digest(),
        profiles: arena.profiles(),
        split: table.split().to_owned(),
        seed: table.seed(),
        agent_seed: table.seed(),
        episodes,
        repeats,
        opponent: table.opponent(),
        opponents: Vec::new(),
        authority: table.authority().to_owned(),
        agents: entries,
        gated: arena.gated(),
        baseline,
        strategy: None,
        interpreter: None,
        serving: None,
        inputs: arena
            .inputs()
            .into_iter()
            .map(|(name, bytes)| InputFile { name, digest: Digest::of_bytes(&bytes) })
            .collect(),
        shard: None,
        assignment: None,
        host: Host {
            system: std::env::consts::OS.to_owned(),
            architecture: std::env::consts::ARCH.to_owned(),
            threads,
        },
    })
}
