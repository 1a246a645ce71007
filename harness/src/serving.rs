//! The model behind a run's agents: flags and environment in, a client out.

use crate::failure::Failure;
use crate::replies;
use clap::Args;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use zopa_agents::model::{ApiKey, Client, ClientSettings, Equipment, Fault, Interpreting, Recording, Sampling};
use zopa_agents::roster;
use zopa_reports::manifest::Serving;

/// Environment variables, as other clients of the same servers name them.
const BASE_URL: &str = "OPENAI_BASE_URL";
const API_KEY: &str = "OPENAI_API_KEY";
const MODEL: &str = "ZOPA_MODEL";

/// Flags of everything that may ask a model.
#[derive(Clone, Debug, Default, PartialEq, Args)]
#[command(next_help_heading = "Language models")]
pub struct ModelFlags {
    /// The model, by the name that its server knows; ZOPA_MODEL or the server's only model where it is left out
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// An OpenAI-compatible server, such as http://127.0.0.1:8000/v1; OPENAI_BASE_URL where it is left out. A key is read from
    /// OPENAI_API_KEY alone
    #[arg(long, value_name = "URL")]
    pub model_base_url: Option<String>,
    /// Requests, and negotiations of model agents, under way at a time
    #[arg(long, value_name = "N")]
    pub max_connections: Option<usize>,
    /// Attempts after the first for a request whose fault may pass
    #[arg(long, value_name = "N")]
    pub max_retries: Option<u32>,
    /// Seconds that one attempt may take
    #[arg(long, value_name = "S")]
    pub timeout: Option<f64>,
    /// Sampling temperature
    #[arg(long, value_name = "T")]
    pub temperature: Option<f64>,
    /// Tokens of one reply at most; a reply that ends there forfeits the turn
    #[arg(long, value_name = "N")]
    pub max_tokens: Option<u32>,
    /// The agent that decides for `dialogue` and advises `llm-solver`; solver where none is named
    #[arg(long, value_name = "ID")]
    pub strategy: Option<String>,
    /// Who reads what the other side writes to `dialogue`: parser, or model (parser and model)
    #[arg(long, value_name = "WHO")]
    pub interpreter: Option<String>,
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}

impl ModelFlags {
    /// Whether any of them was given.
    #[must_use]
    pub fn any(&self) -> bool {
        *self != Self::default()
    }

    fn interpreting(&self) -> Result<Interpreting, Failure> {
        match self.interpreter.as_deref() {
            None | Some("parser") => Ok(Interpreting::Parser),
            Some("model") => Ok(Interpreting::Model),
            Some(other) => Err(Failure::Input(format!("--interpreter {other}: it is parser or model"))),
        }
    }

    /// How the server is treated, where one is named.
    fn settings(&self) -> Result<Option<ClientSettings>, Failure> {
        let Some(base_url) = self.model_base_url.clone().or_else(|| variable(BASE_URL)) else { return Ok(None) };
        let mut settings = ClientSettings::of(base_url.trim());
        settings.key = variable(API_KEY).and_then(|key| ApiKey::new(&key));
        match self.max_connections {
            Some(most @ 1..=1024) => settings.max_connections = most,
            Some(most) => return Err(Failure::Input(format!("--max-connections {most}: it is 1 to 1024"))),
            None => {}
        }
        match self.max_retries {
            Some(most) if most > 100 => return Err(Failure::Input(format!("--max-retries {most}: it is 0 to 100"))),
            Some(most) => settings.max_retries = most,
            None => {}
        }
        if let Some(seconds) = self.timeout {
            if !(0.001..=86_400.0).contains(&seconds) {
                return Err(Failure::Input(format!("--timeout {seconds}: it is 0.001 to 86400 seconds")));
            }
            settings.attempt = Duration::from_secs_f64(seconds);
            settings.decision = settings.attempt.saturating_mul(settings.max_retries + 1).max(settings.decision);
        }
        Ok(Some(settings))
    }

    fn sampling(&self, model: &str) -> Result<Sampling, Failure> {
        let mut sampling = Sampling::of(model);
        if let Some(temperature) = self.temperature {
            if !(0.0..=2.0).contains(&temperature) {
                return Err(Failure::Input(format!("--temperature {temperature}: it is 0 to 2")));
            }
            sampling.temperature = temperature;
        }
        match self.max_tokens {
            Some(most @ 1..=1_000_000) => sampling.max_tokens = most,
            Some(most) => return Err(Failure::Input(format!("--max-tokens {most}: it is 1 to 1000000"))),
            None => {}
        }
        Ok(sampling)
    }

    /// The model's name: as it was given, else the only one that the server has.
    fn name(&self, settings: &ClientSettings) -> Result<String, Failure> {
        let served = Client::models(settings).map_err(|fault| match fault {
            Fault::Setup(wrong) => Failure::Input(wrong),
            fault => Failure::Infrastructure(format!("model server {}: {fault}", settings.base_url)),
        })?;
        match self.model.clone().or_else(|| variable(MODEL)) {
            Some(name) if served.is_empty() || served.contains(&name) => Ok(name),
            Some(name) => {
                Err(Failure::Input(format!("--model {name}: the server does not have it, but {}", served.join(", "))))
            }
            None => match &served[..] {
                [only] => Ok(only.clone()),
                _ => Err(Failure::Input(format!(
                    "the server has several models: name one with --model ({})",
                    served.join(", ")
                ))),
            },
        }
    }

    /// The server and the model for these agents, where a server is named. It is asked for its models, so that a wrong address,
    /// key or name, or an agent that cannot do without a server, fails before anything is played.
    ///
    /// # Errors
    /// Where a flag is wrong, the server cannot be asked, or an agent cannot be built with what there is.
    pub fn prepare<'a>(&self, agents: impl IntoIterator<Item = &'a str>) -> Result<Prepared, Failure> {
        let (strategy, interpreting) = (self.strategy.clone(), self.interpreting()?);
        let unserved = Equipment { strategy: strategy.clone(), ..Equipment::default() };
        roster::build_with("dialogue", &unserved).map_err(Failure::input)?;
        let server = match self.settings()? {
            None => {
                for id in agents {
                    roster::build_with(id, &unserved).map_err(Failure::input)?;
                }
                None
            }
            Some(settings) => {
                let sampling = self.sampling(&self.name(&settings)?)?;
                Some((settings, sampling))
            }
        };
        Ok(Prepared { server, strategy, interpreting })
    }
}

/// A server that has answered, and what agents are built with beside it.
#[derive(Debug)]
pub struct Prepared {
    server: Option<(ClientSettings, Sampling)>,
    strategy: Option<String>,
    interpreting: Interpreting,
}

impl Prepared {
    /// The model's entry in a manifest.
    #[must_use]
    pub fn serving(&self) -> Option<Serving> {
        let (_, sampling) = self.server.as_ref()?;
        let Sampling { model, temperature, top_p, max_tokens } = sampling.clone();
        Some(Serving { model, temperature, top_p, max_tokens })
    }

    /// What agents are built with. Replies are recorded in the file `recording`; those that it holds already are not asked for
    /// again.
    ///
    /// # Errors
    /// Where the client cannot be set up, or the recording cannot be read or written.
    pub fn equipment(self, recording: &Path) -> Result<Equipment, Failure> {
        let Self { server, strategy, interpreting } = self;
        let client = match server {
            None => None,
            Some((settings, sampling)) => {
                let recording = replies::resume(recording)?;
                Some(Arc::new(Client::connect(settings, sampling, recording).map_err(Failure::input)?))
            }
        };
        Ok(Equipment { client, strategy, interpreting, ..Equipment::default() })
    }
}

/// What a run's agents were built with, from its manifest and its recorded replies: no server is asked.
///
/// # Errors
/// Where the replies cannot be read.
pub fn recorded(
    serving: Option<&Serving>,
    strategy: Option<&str>,
    interpreter: Option<&str>,
    replies: &Path,
) -> Result<Equipment, Failure> {
    let flags = ModelFlags { interpreter: interpreter.map(str::to_owned), ..ModelFlags::default() };
    let client = match serving {
        None => None,
        Some(Serving { model, temperature, top_p, max_tokens }) => {
            let sampling =
                Sampling { model: model.clone(), temperature: *temperature, top_p: *top_p, max_tokens: *max_tokens };
            Some(Arc::new(Client::replay(sampling, Recording::new(replies::read(replies)?, None))))
        }
    };
    let (strategy, interpreting) = (strategy.map(str::to_owned), flags.interpreting()?);
    Ok(Equipment { client, strategy, interpreting, ..Equipment::default() })
}
