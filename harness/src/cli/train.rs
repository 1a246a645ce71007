//! `zopa train`

use super::print;
use crate::failure::Failure;
use crate::named_file;
use crate::training::{self, TrainingFolder};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use zopa_agents::learn::{Device, TrainConfig};

/// Trains a policy by a recipe, and writes its weights, learning curves, measurements and model card.
#[derive(Debug, Args)]
pub(super) struct Train {
    /// The recipe, a TOML file; agents/configs/ has documented ones
    config: PathBuf,
    /// Where gradients are computed; cuda needs a build with `--features cuda`
    #[arg(long, value_enum, default_value = "cpu")]
    device: DeviceName,
    /// The seed, instead of the recipe's
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// The folder to write, which must be empty unless --resume is given; runs/train-NAME-seedS-N where it is left out
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on from the checkpoint in --out, to the same weights as without an interruption
    #[arg(long, requires = "out")]
    resume: bool,
    /// Threads that play episodes; the weights do not depend on it; one a processor where it is left out
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum DeviceName {
    Cpu,
    Cuda,
}

impl Train {
    pub(super) fn execute(&self) -> Result<(), Failure> {
        let threads = super::run::pool(self.jobs)?.current_num_threads();
        let device = match self.device {
            DeviceName::Cpu => Device::Cpu,
            DeviceName::Cuda => Device::Cuda,
        };
        device.probe().map_err(Failure::input)?;
        let text = named_file::read_text("recipe", &self.config)?;
        let mut config: TrainConfig =
            toml::from_str(&text).map_err(|fault| Failure::Input(format!("{}: {fault}", self.config.display())))?;
        if let Some(seed) = self.seed {
            config.seed = seed;
        }
        config.check().map_err(|fault| Failure::Input(format!("{}: {fault}", self.config.display())))?;
        let folder = match &self.out {
            Some(path) if self.resume => TrainingFolder::open(path)?,
            Some(path) => TrainingFolder::create(path)?,
            None => TrainingFolder::create_numbered(&config)?,
        };
        let report = training::train(&config, device, threads, self.resume, &folder)?;
        print(&format!("{report}{}\n", folder.path().display()))
    }
}
