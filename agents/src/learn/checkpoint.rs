//! A training in the middle, as bytes: what is needed to go on to the same weights.

use super::adam::AdamState;
use super::config::{Algorithm, TrainConfig};
use super::dqn::DqnMemory;
use super::network::Shape;
use super::opponents::Opponents;
use super::pipeline::CurvePoint;
use super::plain::PlainNetwork;
use super::replay::Replay;
use super::weights::{Archive, Reader, WeightsError};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where a training stands between two rounds.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The stage that runs.
    pub stage: usize,
    /// Rounds of this stage.
    pub rounds: u64,
    /// Episodes and steps of this stage.
    pub episodes: u64,
    pub steps: u64,
    /// The same of all stages.
    pub all_episodes: u64,
    pub all_steps: u64,
    /// Parameters of the policies of finished stages, with their episodes and steps.
    pub finished: Vec<Finished>,
    pub adam: AdamState,
    pub memory: Option<DqnMemory>,
    pub opponents: Opponents,
    pub curve: Vec<CurvePoint>,
}

/// A stage that is over.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Finished {
    pub network: PlainNetwork,
    pub episodes: u64,
    pub steps: u64,
}

/// The numbers beside the tensors.
#[derive(Serialize, Deserialize)]
struct Card {
    config: TrainConfig,
    stage: usize,
    rounds: u64,
    episodes: u64,
    steps: u64,
    all_episodes: u64,
    all_steps: u64,
    finished: Vec<(u64, u64)>,
    adam_steps: u64,
    snapshots: usize,
    taken: u64,
    replay: Option<ReplayCard>,
    curve: Vec<CurvePoint>,
}

#[derive(Serialize, Deserialize)]
struct ReplayCard {
    due: f64,
    held: usize,
    next: usize,
    highest: f64,
}

impl State {
    /// The checkpoint's bytes.
    pub(super) fn to_bytes(&self, config: &TrainConfig) -> Vec<u8> {
        let mut archive = Archive::default();
        fn row<T: super::weights::Number>(archive: &mut Archive, name: &str, numbers: &[T]) {
            archive.put(name, vec![numbers.len()], numbers);
        }
        row(&mut archive, "parameters", &self.adam.parameters);
        row(&mut archive, "first", &self.adam.first);
        row(&mut archive, "second", &self.adam.second);
        row(&mut archive, "shares", &self.opponents.shares);
        for (position, snapshot) in self.opponents.pool.iter().enumerate() {
            row(&mut archive, &format!("snapshot.{position}"), &snapshot.flat());
        }
        for (position, finished) in self.finished.iter().enumerate() {
            row(&mut archive, &format!("finished.{position}"), &finished.network.flat());
        }
        let replay = self.memory.as_ref().map(|DqnMemory { target, due, replay }| {
            row(&mut archive, "target", target);
            row(&mut archive, "replay.observations", &replay.observations);
            row(&mut archive, "replay.next_observations", &replay.next_observations);
            row(
                &mut archive,
                "replay.next_masks",
                &replay.next_masks.iter().map(|&legal| u8::from(legal)).collect::<Vec<_>>(),
            );
            row(&mut archive, "replay.actions", &replay.actions);
            row(&mut archive, "replay.rewards", &replay.rewards);
            row(&mut archive, "replay.discounts", &replay.discounts);
            row(&mut archive, "replay.priorities", &replay.priorities());
            ReplayCard { due: *due, held: replay.len(), next: replay.next, highest: replay.highest }
        });
        let card = Card {
            config: config.clone(),
            stage: self.stage,
            rounds: self.rounds,
            episodes: self.episodes,
            steps: self.steps,
            all_episodes: self.all_episodes,
            all_steps: self.all_steps,
            finished: self.finished.iter().map(|finished| (finished.episodes, finished.steps)).collect(),
            adam_steps: self.adam.steps,
            snapshots: self.opponents.pool.len(),
            taken: self.opponents.taken,
            replay,
            curve: self.curve.clone(),
        };
        archive.to_bytes(&card)
    }

    /// Reads a checkpoint of a training of `config`; `None` where it is one of another recipe or seed.
    pub(super) fn from_bytes(bytes: &[u8], config: &TrainConfig, shape: &Shape) -> Result<Option<Self>, WeightsError> {
        let (reader, card) = Reader::open::<Card>(bytes)?;
        if card.config != *config {
            return Ok(None);
        }
        let parameters = shape.parameters();
        let network = |name: String| -> Result<PlainNetwork, WeightsError> {
            let flat = reader.exactly::<f32>(&name, parameters)?;
            PlainNetwork::from_flat(shape, &flat)
                .ok_or(WeightsError::Tensor { name, fault: "has another number of parameters".to_owned() })
        };
        let adam = AdamState {
            parameters: reader.exactly("parameters", parameters)?,
            first: reader.exactly("first", parameters)?,
            second: reader.exactly("second", parameters)?,
            steps: card.adam_steps,
        };
        let first = network("snapshot.0".to_owned())?;
        let mut opponents = Opponents::new(config.opponents_of(card.stage), first);
        for position in 1..card.snapshots {
            opponents.pool.push(Arc::new(network(format!("snapshot.{position}"))?));
        }
        opponents.taken = card.taken;
        opponents.shares = reader.exactly("shares", opponents.shares.len())?;
        let mut finished = Vec::new();
        for (position, &(episodes, steps)) in card.finished.iter().enumerate() {
            finished.push(Finished { network: network(format!("finished.{position}"))?, episodes, steps });
        }
        let memory = match (&card.replay, config.stages.get(card.stage).map(|stage| &stage.algorithm)) {
            (Some(replay), Some(Algorithm::Dqn(dqn))) => Some(memory(&reader, replay, dqn.memory, dqn.alpha, shape)?),
            _ => None,
        };
        Ok(Some(Self {
            stage: card.stage,
            rounds: card.rounds,
            episodes: card.episodes,
            steps: card.steps,
            all_episodes: card.all_episodes,
            all_steps: card.all_steps,
            finished,
            adam,
            memory,
            opponents,
            curve: card.curve,
        }))
    }
}

fn memory(
    reader: &Reader<'_>,
    card: &ReplayCard,
    capacity: usize,
    alpha: f64,
    shape: &Shape,
) -> Result<DqnMemory, WeightsError> {
    let held = card.held;
    if held > capacity || card.next >= capacity.max(1) {
        return Err(WeightsError::Card("its replay memory is larger than the recipe's".to_owned()));
    }
    let mut replay = Replay::new(capacity, shape.inputs, shape.actions, alpha);
    replay.observations = reader.exactly("replay.observations", held * shape.inputs)?;
    replay.next_observations = reader.exactly("replay.next_observations", held * shape.inputs)?;
    let masks = reader.exactly::<u8>("replay.next_masks", held * shape.actions)?;
    replay.next_masks = masks.into_iter().map(|legal| legal != 0).collect();
    replay.actions = reader.exactly("replay.actions", held)?;
    replay.rewards = reader.exactly("replay.rewards", held)?;
    replay.discounts = reader.exactly("replay.discounts", held)?;
    replay.next = card.next;
    replay.highest = card.highest;
    replay.restore_priorities(&reader.exactly::<f64>("replay.priorities", held)?);
    Ok(DqnMemory { target: reader.exactly("target", shape.parameters())?, due: card.due, replay })
}
