//! What is trained on what, against whom and for how long: one file a recipe (`agents/configs/`).

use super::dqn::DqnConfig;
use super::moves::Moves;
use super::perception::Perception;
use super::ppo::PpoConfig;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use zopa_envs::environment::Reward;

/// A recipe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainConfig {
    /// Its name, for folders and model cards.
    pub name: String,
    /// The seed of everything that the learner draws; `--seed` replaces it.
    #[serde(default)]
    pub seed: u64,
    /// What it is rewarded for.
    #[serde(default)]
    pub reward: Reward,
    /// Rewards are multiplied by this before anything is learned from them: surplus is a few per cent of a price, too little for
    /// losses and clips that are meant for numbers near 1.
    #[serde(default = "one")]
    pub reward_scale: f32,
    /// Steps after which an episode is cut off and its rest bootstrapped; never where left out.
    #[serde(default)]
    pub truncate_after: Option<u32>,
    /// The policy's form.
    #[serde(default)]
    pub policy: PolicyConfig,
    /// What is played.
    pub suites: Vec<SuiteShare>,
    /// Who is played against.
    #[serde(default)]
    pub opponents: OpponentsConfig,
    /// What is done, in order; each stage goes on from the policy of the one before.
    pub stages: Vec<Stage>,
    /// Episodes that the finished policies are measured on.
    pub evaluation: EvaluationConfig,
}

fn one<T: From<u8>>() -> T {
    T::from(1)
}

/// The policy's form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PolicyConfig {
    /// What it chooses among.
    pub moves: Moves,
    /// Whether it sees beliefs about the other side.
    pub beliefs: bool,
    /// Whether it is told which choices are legal while it learns: yes. Otherwise an illegal choice is drawn and valued like any
    /// other, and does what the rules make of it. A finished policy chooses among what is legal either way.
    pub masks: bool,
    /// Width of each hidden layer: two of 64, as PPO's continuous-control networks (Schulman et al. 2017).
    pub hidden: Vec<usize>,
}

impl Default for PolicyConfig {
    fn default() -> Self {
        Self { moves: Moves::Intents, beliefs: false, masks: true, hidden: vec![64, 64] }
    }
}

impl PolicyConfig {
    /// What it sees.
    #[must_use]
    pub fn perception(&self) -> Perception {
        Perception { beliefs: self.beliefs }
    }
}

/// A suite and how often it is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteShare {
    /// The suite, or a path to a suite file.
    pub suite: String,
    /// Its split.
    #[serde(default = "train")]
    pub split: String,
    /// How often it is played, beside the other suites' shares.
    #[serde(default = "one")]
    pub share: f64,
}

fn train() -> String {
    "train".to_owned()
}

/// Who is played against: shares of the episodes, which need not sum to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OpponentsConfig {
    /// The suites' own counterparts.
    pub scripted: f64,
    /// Frozen snapshots of the policy itself.
    pub self_play: f64,
    /// The agents of [`Self::agents`].
    pub agents_share: f64,
    /// Agents by their ids, frozen: with this alone, the learner is an exploiter of them.
    pub agents: Vec<String>,
    /// Episodes between snapshots: 200.
    pub snapshot_every: u64,
    /// Snapshots kept: 5. The oldest makes room.
    pub pool: usize,
    /// The league: snapshots and agents are met in proportion to how much they still take from the learner, `(1 - share)^2` with its
    /// mean share of the joint gain, after prioritised fictitious self-play (Vinyals et al. 2019). Otherwise each is met equally.
    pub league: bool,
}

impl Default for OpponentsConfig {
    fn default() -> Self {
        Self {
            scripted: 1.0,
            self_play: 0.0,
            agents_share: 0.0,
            agents: Vec::new(),
            snapshot_every: 200,
            pool: 5,
            league: false,
        }
    }
}

/// One stage of a recipe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// The name of its policy, and of the file that holds it.
    pub name: String,
    /// How long it lasts.
    #[serde(flatten)]
    pub budget: Budget,
    /// What learns.
    #[serde(flatten)]
    pub algorithm: Algorithm,
    /// Who is played against in this stage, instead of the recipe's opponents.
    #[serde(default)]
    pub opponents: Option<OpponentsConfig>,
}

/// How long a stage lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
    /// Episodes played.
    Episodes(u64),
    /// Steps of the environment, whole episodes: the last update may pass it.
    Steps(u64),
}

/// What learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Algorithm {
    /// Proximal policy optimisation.
    Ppo(PpoConfig),
    /// Double DQN.
    Dqn(DqnConfig),
}

impl Algorithm {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Ppo(_) => "ppo",
            Self::Dqn(_) => "dqn",
        }
    }
}

/// What finished policies are measured on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationConfig {
    /// Suites and splits, none of which is trained on; shares count for nothing.
    pub suites: Vec<SuiteShare>,
    /// Episodes of each.
    pub episodes: u64,
    /// An agent that sits at the other seat, by its id; the suites' own counterparts where it is left out. For exploiters: what
    /// they gain beyond the agent's own match against itself, on the same episodes, is measured then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<String>,
}

/// What is wrong with a recipe.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{field}: {fault}")]
pub struct ConfigError {
    /// The field.
    pub field: String,
    /// What is wrong with it, and what to do.
    pub fault: String,
}

fn wrong(field: &str, fault: &str) -> ConfigError {
    ConfigError { field: field.to_owned(), fault: fault.to_owned() }
}

fn require(holds: bool, field: &str, fault: &str) -> Result<(), ConfigError> {
    if holds { Ok(()) } else { Err(wrong(field, fault)) }
}

impl TrainConfig {
    /// Who is played against in stage `position`.
    #[must_use]
    pub fn opponents_of(&self, position: usize) -> &OpponentsConfig {
        self.stages.get(position).and_then(|stage| stage.opponents.as_ref()).unwrap_or(&self.opponents)
    }

    /// The opponents of all stages.
    pub fn all_opponents(&self) -> impl Iterator<Item = &OpponentsConfig> {
        (0..self.stages.len()).map(|position| self.opponents_of(position))
    }

    /// Tests what the types cannot say.
    ///
    /// # Errors
    /// The first field that is wrong.
    pub fn check(&self) -> Result<(), ConfigError> {
        require(self.seed < 1 << 53, "seed", "must be below 2^53")?;
        require(self.reward_scale.is_finite() && self.reward_scale > 0.0, "reward_scale", "must be positive")?;
        require(self.truncate_after != Some(0), "truncate_after", "must be at least 1, or left out")?;
        let hidden = &self.policy.hidden;
        require(
            hidden.iter().all(|&width| (1..=4096).contains(&width)),
            "policy.hidden",
            "each width lies in 1..=4096",
        )?;
        require(!self.suites.is_empty(), "suites", "name at least one")?;
        require(shares(self.suites.iter().map(|suite| suite.share)), "suites.share", "must be positive")?;
        for trained in &self.suites {
            let evaluated = self
                .evaluation
                .suites
                .iter()
                .any(|other| (&other.suite, &other.split) == (&trained.suite, &trained.split));
            require(!evaluated, "evaluation.suites", "names a split that is trained on: name one that is not")?;
        }
        require(!self.evaluation.suites.is_empty(), "evaluation.suites", "name at least one")?;
        require(self.evaluation.episodes > 0, "evaluation.episodes", "must be at least 1")?;
        require(!self.stages.is_empty(), "stages", "name at least one")?;
        for (position, stage) in self.stages.iter().enumerate() {
            let named_before = self.stages[..position].iter().any(|other| other.name == stage.name);
            require(!named_before, "stages.name", "two stages have the same name")?;
            let plain = !stage.name.is_empty()
                && stage.name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
            require(plain, "stages.name", "letters, digits and hyphens: it names a file")?;
            stage.check()?;
            self.opponents_of(position).check()?;
        }
        Ok(())
    }
}

fn shares(mut shares: impl Iterator<Item = f64>) -> bool {
    shares.all(|share| share.is_finite() && share > 0.0)
}

impl OpponentsConfig {
    fn check(&self) -> Result<(), ConfigError> {
        let all = [self.scripted, self.self_play, self.agents_share];
        let fine = all.iter().all(|share| share.is_finite() && *share >= 0.0) && all.iter().sum::<f64>() > 0.0;
        require(fine, "opponents", "shares must be at least 0, and one of them more")?;
        require(
            self.agents_share == 0.0 || !self.agents.is_empty(),
            "opponents.agents",
            "name at least one, or set agents_share to 0",
        )?;
        require(self.snapshot_every > 0, "opponents.snapshot_every", "must be at least 1")?;
        require((1..=1000).contains(&self.pool), "opponents.pool", "must lie in 1..=1000")
    }
}

impl Stage {
    fn check(&self) -> Result<(), ConfigError> {
        let (Budget::Episodes(budget) | Budget::Steps(budget)) = self.budget;
        require(budget > 0, "stages", "a stage lasts at least one episode or step")?;
        match &self.algorithm {
            Algorithm::Ppo(ppo) => {
                require(ppo.episodes_per_update > 0, "stages.ppo.episodes_per_update", "must be at least 1")?;
                require(ppo.minibatch > 0, "stages.ppo.minibatch", "must be at least 1")
            }
            Algorithm::Dqn(dqn) => {
                require(dqn.episodes_per_round > 0, "stages.dqn.episodes_per_round", "must be at least 1")?;
                require(dqn.minibatch > 0, "stages.dqn.minibatch", "must be at least 1")?;
                require(dqn.n_step > 0, "stages.dqn.n_step", "must be at least 1")?;
                require(dqn.target_every > 0, "stages.dqn.target_every", "must be at least 1")?;
                require(
                    dqn.memory >= dqn.learning_starts.max(1),
                    "stages.dqn.memory",
                    "must hold learning_starts transitions",
                )?;
                require(
                    dqn.steps_per_step.is_finite() && dqn.steps_per_step >= 0.0,
                    "stages.dqn.steps_per_step",
                    "must be at least 0",
                )
            }
        }
    }
}
