//! Policies and checkpoints as safetensors: a header in JSON, then numbers.

use super::moves::Moves;
use super::network::Shape;
use super::perception::Perception;
use super::plain::PlainNetwork;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;
use thiserror::Error;
use zopa_envs::environment::Reward;

/// The only key of a file's metadata, so that no order of keys can differ.
const CARD: &str = "zopa";

/// Why weights or a checkpoint cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WeightsError {
    /// Not a safetensors file, or cut off.
    #[error("not readable as safetensors: {0}")]
    Malformed(String),
    /// Made by something else, or by another version.
    #[error("the file's \"zopa\" entry cannot be read ({0}): it was not written by this version of zopa")]
    Card(String),
    /// A tensor is missing or has another form.
    #[error("tensor \"{name}\" {fault}")]
    Tensor {
        /// Which.
        name: String,
        /// What is wrong with it.
        fault: String,
    },
}

/// Named numbers that are written to, or were read from, a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Archive {
    entries: Vec<(String, Dtype, Vec<usize>, Vec<u8>)>,
}

/// Numbers that a file can hold.
pub(super) trait Number: Copy {
    const DTYPE: Dtype;
    const SIZE: usize;
    fn write(self, bytes: &mut Vec<u8>);
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! number {
    ($type:ty, $dtype:expr, $size:literal) => {
        impl Number for $type {
            const DTYPE: Dtype = $dtype;
            const SIZE: usize = $size;
            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
            fn read(bytes: &[u8]) -> Self {
                let mut own = [0; $size];
                own.copy_from_slice(bytes);
                Self::from_le_bytes(own)
            }
        }
    };
}

number!(f32, Dtype::F32, 4);
number!(f64, Dtype::F64, 8);
number!(u16, Dtype::U16, 2);
number!(u8, Dtype::U8, 1);

impl Archive {
    /// Adds numbers under a name.
    pub(super) fn put<T: Number>(&mut self, name: impl Into<String>, shape: Vec<usize>, numbers: &[T]) {
        let mut bytes = Vec::with_capacity(numbers.len() * T::SIZE);
        numbers.iter().for_each(|number| number.write(&mut bytes));
        self.entries.push((name.into(), T::DTYPE, shape, bytes));
    }

    /// The file's bytes. Equal content gives equal bytes.
    pub(super) fn to_bytes(&self, card: &impl Serialize) -> Vec<u8> {
        let card = serde_json::to_string(card).expect("cards are plain data");
        let views = self.entries.iter().map(|(name, dtype, shape, bytes)| {
            let view = TensorView::new(*dtype, shape.clone(), bytes).expect("the shape was made with the numbers");
            (name.as_str(), view)
        });
        let metadata = HashMap::from([(CARD.to_owned(), card)]);
        safetensors::serialize(views, Some(metadata)).expect("the header is far below its limit")
    }
}

/// A file that is being read.
pub(super) struct Reader<'a> {
    tensors: SafeTensors<'a>,
}

impl<'a> Reader<'a> {
    /// Reads the header, and the card in it.
    pub(super) fn open<C: DeserializeOwned>(bytes: &'a [u8]) -> Result<(Self, C), WeightsError> {
        let malformed = |fault: safetensors::SafeTensorError| WeightsError::Malformed(fault.to_string());
        let tensors = SafeTensors::deserialize(bytes).map_err(malformed)?;
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(malformed)?;
        let card = header.metadata().as_ref().and_then(|metadata| metadata.get(CARD));
        let card = card.ok_or_else(|| WeightsError::Card("it is missing".to_owned()))?;
        let card = serde_json::from_str(card).map_err(|fault| WeightsError::Card(fault.to_string()))?;
        Ok((Self { tensors }, card))
    }

    /// The numbers under a name.
    pub(super) fn get<T: Number>(&self, name: &str) -> Result<Vec<T>, WeightsError> {
        let fault = |fault: String| WeightsError::Tensor { name: name.to_owned(), fault };
        let view = self.tensors.tensor(name).map_err(|_| fault("is missing".to_owned()))?;
        if view.dtype() != T::DTYPE {
            return Err(fault(format!("holds {:?} instead of {:?}", view.dtype(), T::DTYPE)));
        }
        Ok(view.data().chunks_exact(T::SIZE).map(T::read).collect())
    }

    /// As [`Self::get`], for exactly `count` numbers.
    pub(super) fn exactly<T: Number>(&self, name: &str, count: usize) -> Result<Vec<T>, WeightsError> {
        let numbers = self.get(name)?;
        if numbers.len() == count {
            return Ok(numbers);
        }
        let fault = format!("holds {} numbers instead of {count}", numbers.len());
        Err(WeightsError::Tensor { name: name.to_owned(), fault })
    }
}

/// What a policy is and where it comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PolicyCard {
    /// Raised with every change of what the numbers of observations and choices mean.
    pub format: u32,
    /// The recipe.
    pub recipe: Cow<'static, str>,
    /// `ppo` or `dqn`.
    pub algorithm: Cow<'static, str>,
    /// What it chooses among.
    pub moves: Moves,
    /// What it sees.
    pub perception: Perception,
    /// The network's size.
    pub shape: Shape,
    /// What it was rewarded for.
    pub reward: Reward,
    /// Suites and splits that it was trained on.
    pub trained_on: Vec<String>,
    /// Whom it was trained against, in words.
    pub opponents: String,
    /// Its seed.
    pub seed: u64,
    /// Episodes that it was trained for, all stages together.
    pub episodes: u64,
    /// Steps of the environment, all stages together.
    pub steps: u64,
}

impl PolicyCard {
    /// The current meaning of observations and choices.
    pub const FORMAT: u32 = 1;
}

/// A policy that plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// What it is.
    pub card: PolicyCard,
    /// Its network.
    pub network: PlainNetwork,
}

impl Policy {
    /// The policy as a safetensors file: `hidden.K.weight` `[inputs, outputs]`, `hidden.K.bias` `[outputs]`, and the same for the
    /// heads `advantage` and `value`.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut archive = Archive::default();
        let hidden =
            self.network.hidden.iter().enumerate().map(|(position, layer)| (format!("hidden.{position}"), layer));
        let heads = [("advantage".to_owned(), &self.network.advantage), ("value".to_owned(), &self.network.value)];
        for (name, layer) in hidden.chain(heads) {
            let outputs = layer.bias.len();
            archive.put(format!("{name}.weight"), vec![layer.weight.len() / outputs, outputs], &layer.weight);
            archive.put(format!("{name}.bias"), vec![outputs], &layer.bias);
        }
        archive.to_bytes(&self.card)
    }

    /// Reads a policy.
    ///
    /// # Errors
    /// Where the file is no policy of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        let (reader, card) = Reader::open::<PolicyCard>(bytes)?;
        if card.format != PolicyCard::FORMAT {
            return Err(WeightsError::Card(format!("format {} instead of {}", card.format, PolicyCard::FORMAT)));
        }
        if (card.shape.inputs, card.shape.actions) != (card.perception.width(), card.moves.count()) {
            return Err(WeightsError::Card("its shape does not fit what it sees and chooses among".to_owned()));
        }
        let mut flat = Vec::with_capacity(card.shape.parameters());
        let mut inputs = card.shape.inputs;
        let mut layer = |name: &str, inputs: usize, outputs: usize| -> Result<(), WeightsError> {
            flat.extend(reader.exactly::<f32>(&format!("{name}.weight"), inputs * outputs)?);
            flat.extend(reader.exactly::<f32>(&format!("{name}.bias"), outputs)?);
            Ok(())
        };
        for (position, &width) in card.shape.hidden.iter().enumerate() {
            layer(&format!("hidden.{position}"), inputs, width)?;
            inputs = width;
        }
        layer("advantage", inputs, card.shape.actions)?;
        layer("value", inputs, 1)?;
        let network = PlainNetwork::from_flat(&card.shape, &flat)
            .ok_or_else(|| WeightsError::Malformed("the layers do not make up the network".to_owned()))?;
        Ok(Self { card, network })
    }
}
