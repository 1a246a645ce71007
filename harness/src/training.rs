//! Trainings: the folder that one leaves behind, its curves, and how its policies do on what they never saw.

use crate::failure::Failure;
use crate::progress;
use crate::run_directory::RunDirectory;
use serde::Serialize;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use zopa_agents::learn::config::SuiteShare;
use zopa_agents::learn::negotiation::Table;
use zopa_agents::learn::{CurvePoint, Device, Evaluation, Policy, Progress, TrainConfig, TrainError, train as learn};
use zopa_envs::ScenarioSource;
use zopa_reports::plots::{CurvePanel, CurvePlot, Theme};
use zopa_reports::statistics::{Bootstrap, Estimate, RatioColumn, Strata};
use zopa_scenarios::{SourceOptions, Suite};

const CHECKPOINT: &str = "checkpoint.safetensors";
const CURVE: &str = "curve.csv";
/// Parts of the progress bar.
const BAR: u64 = 1000;

/// The folder of a training: `recipe.toml`, `checkpoint.safetensors`, `curve.csv`, `curve.png`, and for each policy its
/// weights `NAME.safetensors`, its measurements `NAME.json` and its card `NAME.md`.
pub struct TrainingFolder {
    directory: RunDirectory,
}

impl TrainingFolder {
    /// A new one at `path`, which must be empty.
    ///
    /// # Errors
    /// Where it is not, or cannot be made.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        Ok(Self { directory: RunDirectory::create(path)? })
    }

    /// A new one under `runs/`.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub fn create_numbered(config: &TrainConfig) -> Result<Self, Failure> {
        let name = format!("train-{}", config.name);
        Ok(Self { directory: RunDirectory::create_numbered(&name, config.seed)? })
    }

    /// The one at `path`, to be resumed.
    ///
    /// # Errors
    /// Where it has no checkpoint.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        if !path.join(CHECKPOINT).is_file() {
            return Err(Failure::Input(format!(
                "{} has no {CHECKPOINT}: leave --resume out to start anew",
                path.display()
            )));
        }
        Ok(Self { directory: RunDirectory::existing(path) })
    }

    /// The folder itself.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// The scenarios of a suite's split.
fn source(share: &SuiteShare) -> Result<Box<dyn ScenarioSource>, Failure> {
    let suite = Arc::new(Suite::open(&share.suite).map_err(Failure::input)?);
    let options = SourceOptions { split: Some(share.split.clone()), ..SourceOptions::default() };
    Ok(Box::new(suite.source(&options).map_err(Failure::input)?))
}

/// Trains by `config` into `folder` and measures what came of it. The answer is a table for the terminal.
///
/// # Errors
/// Where the recipe names what is not there, the device fails, or the disk does.
pub fn train(
    config: &TrainConfig,
    device: Device,
    threads: usize,
    resume: bool,
    folder: &TrainingFolder,
) -> Result<String, Failure> {
    let tables = config
        .suites
        .iter()
        .map(|share| Ok(Table { source: source(share)?, share: share.share }))
        .collect::<Result<Vec<_>, Failure>>()?;
    let unseen = config.evaluation.suites.iter().map(source).collect::<Result<Vec<_>, Failure>>()?;
    let directory = &folder.directory;
    let checkpoint = if resume { Some(directory.read(CHECKPOINT)?) } else { None };
    let recipe = toml::to_string(config).map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
    directory.write("recipe.toml", recipe.as_bytes())?;

    let bar = progress::training_bar(BAR);
    let mut disk = Ok(());
    let mut observe = |progress: Progress<'_>| match progress {
        Progress::Point(done, point) => {
            bar.set_position((done * BAR as f64) as u64);
            bar.set_message(format!(
                "{}  agreement {:.1} %  surplus {:.2} %",
                point.stage,
                100.0 * point.agreement,
                100.0 * point.surplus
            ));
            ControlFlow::Continue(())
        }
        Progress::Checkpoint(bytes) => match directory.write(CHECKPOINT, &bytes) {
            Ok(()) => ControlFlow::Continue(()),
            Err(fault) => {
                disk = Err(fault);
                ControlFlow::Break(())
            }
        },
    };
    let trained = learn(config, &tables, device, threads, checkpoint.as_deref(), &mut observe);
    bar.finish_and_clear();
    disk?;
    let trained = trained.map_err(|fault| match fault {
        TrainError::Stopped => Failure::Infrastructure(fault.to_string()),
        _ => Failure::input(fault),
    })?;

    directory.write(CURVE, curve_table(&trained.curve).as_bytes())?;
    let plot = curve_plot(config, &trained.curve).draw();
    plot.save_png(Theme::Light, &folder.path().join("curve.png"))
        .map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
    let (opponent, count) = (config.evaluation.opponent.as_deref(), config.evaluation.episodes);
    // The same for every policy that meets it.
    let mirror = |source: &dyn ScenarioSource| {
        opponent.map(|id| Evaluation::mirror(id, source, count, threads)).transpose().map_err(Failure::input)
    };
    let mirrors = unseen.iter().map(|source| mirror(source.as_ref())).collect::<Result<Vec<_>, _>>()?;
    let mut table = String::new();
    for (name, policy) in &trained.policies {
        directory.write(&format!("{name}.safetensors"), &policy.to_bytes())?;
        let mut measured = Vec::new();
        for ((share, source), mirror) in config.evaluation.suites.iter().zip(&unseen).zip(&mirrors) {
            let evaluation =
                Evaluation::of(policy, source.as_ref(), opponent, count, threads).map_err(Failure::input)?;
            measured.push(Measured::of(share, &evaluation, mirror.as_ref())?);
        }
        let json =
            serde_json::to_string_pretty(&measured).map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
        directory.write(&format!("{name}.json"), (json + "\n").as_bytes())?;
        directory.write(&format!("{name}.md"), card(name, policy, &measured).as_bytes())?;
        for measured in &measured {
            let _ = writeln!(table, "{name}  {measured}");
        }
    }
    Ok(table)
}

/// How a policy does on a split that it was not trained on, with 95 % intervals by bootstrap over scenarios.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// The suite.
    pub suite: String,
    /// Its split.
    pub split: String,
    /// Share of episodes with a deal.
    pub agreement_rate: Option<Estimate>,
    /// The same among scenarios where some outcome leaves both sides better off.
    pub feasible_agreement_rate: Option<Estimate>,
    /// Own gains over the best ones possible.
    pub surplus_efficiency: Option<Estimate>,
    /// Share of episodes without a guardrail violation by an own proposal: of the raw policy.
    pub constraint_satisfaction: Option<Estimate>,
    /// Share of episodes in which a loss was offered or accepted, or tried to be.
    pub loss_making_rate: Option<Estimate>,
    /// Against an agent: surplus efficiency less that of the agent against itself, paired. A lower bound of its exploitability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gained_over_mirror: Option<Estimate>,
}

impl Measured {
    fn of(share: &SuiteShare, evaluation: &Evaluation, mirror: Option<&Evaluation>) -> Result<Self, Failure> {
        let scenarios: Vec<_> = evaluation.episodes.chunks(2).collect();
        let rate = |counts: &dyn Fn(&zopa_agents::learn::EvaluatedEpisode) -> Option<bool>| {
            let of = |episodes: &&[zopa_agents::learn::EvaluatedEpisode]| {
                let known: Vec<bool> = episodes.iter().filter_map(counts).collect();
                (known.iter().filter(|&&holds| holds).count() as f64, known.len() as f64)
            };
            RatioColumn::rate(0, scenarios.iter().map(of))
        };
        let sums = |of: &dyn Fn(&zopa_agents::learn::EvaluatedEpisode) -> f64| -> Vec<f64> {
            scenarios.iter().map(|episodes| episodes.iter().map(of).sum()).collect()
        };
        let episodes = evaluation.episodes.len() as u64;
        let best = sums(&|episode| episode.best);
        let mut columns = vec![
            rate(&|episode| Some(episode.agreement)),
            rate(&|episode| (episode.feasible == Some(true)).then_some(episode.agreement)),
            RatioColumn::ratio(0, sums(&|episode| episode.gain), best.clone(), episodes),
            rate(&|episode| Some(episode.constraint_satisfied)),
            rate(&|episode| Some(episode.loss_making)),
        ];
        if let Some(mirror) = mirror {
            let own = sums(&|episode| episode.gain);
            let other = mirror.episodes.chunks(2).map(|pair| pair.iter().map(|episode| episode.gain).sum::<f64>());
            let beyond = own.iter().zip(other).map(|(own, other)| own - other).collect();
            columns.push(RatioColumn::ratio(0, beyond, best, episodes));
        }
        let columns = columns
            .into_iter()
            .collect::<Result<Vec<_>, _>>()
            .map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
        let estimates = Bootstrap::default()
            .estimates(&Strata::unstratified(scenarios.len()), &columns)
            .map_err(|fault| Failure::Infrastructure(fault.to_string()))?;
        Ok(Self {
            suite: share.suite.clone(),
            split: share.split.clone(),
            agreement_rate: estimates[0],
            feasible_agreement_rate: estimates[1],
            surplus_efficiency: estimates[2],
            constraint_satisfaction: estimates[3],
            loss_making_rate: estimates[4],
            gained_over_mirror: estimates.get(5).copied().flatten(),
        })
    }
}

fn interval(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(
        || "-".to_owned(),
        |estimate| {
            format!("{:.1} % [{:.1}, {:.1}]", 100.0 * estimate.value, 100.0 * estimate.low, 100.0 * estimate.high)
        },
    )
}

impl std::fmt::Display for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} {}: agreement {}, feasible agreement {}, surplus efficiency {}, constraint satisfaction {}",
            self.suite,
            self.split,
            interval(self.agreement_rate),
            interval(self.feasible_agreement_rate),
            interval(self.surplus_efficiency),
            interval(self.constraint_satisfaction)
        )?;
        if self.gained_over_mirror.is_some() {
            write!(f, ", gained beyond its opponent's mirror match {}", interval(self.gained_over_mirror))?;
        }
        Ok(())
    }
}

/// The curve as a table; figures that a stage does not have stay empty.
fn curve_table(curve: &[CurvePoint]) -> String {
    let mut text = "stage,episodes,steps,agreement,surplus,constraint_satisfaction,approximate_kl,clip_fraction,\
                    explained_variance,entropy,value_loss,loss,error,action_value,exploration\n"
        .to_owned();
    for point in curve {
        let CurvePoint { stage, episodes, steps, agreement, surplus, constraint_satisfaction, ppo, dqn } = point;
        let _ = write!(text, "{stage},{episodes},{steps},{agreement},{surplus},{constraint_satisfaction}");
        let ppo =
            ppo.map(|ppo| [ppo.approximate_kl, ppo.clip_fraction, ppo.explained_variance, ppo.entropy, ppo.value_loss]);
        let dqn = dqn.map(|dqn| [dqn.loss, dqn.error, dqn.action_value, dqn.exploration]);
        let cell = |text: &mut String, figure: Option<f32>| {
            text.push(',');
            if let Some(figure) = figure {
                let _ = write!(text, "{figure}");
            }
        };
        (0..5).for_each(|place| cell(&mut text, ppo.map(|ppo| ppo[place])));
        (0..4).for_each(|place| cell(&mut text, dqn.map(|dqn| dqn[place])));
        text.push('\n');
    }
    text
}

fn curve_plot(config: &TrainConfig, curve: &[CurvePoint]) -> CurvePlot {
    let panel = |title: &str, of: &dyn Fn(&CurvePoint) -> f64| CurvePanel {
        title: title.to_owned(),
        series: config
            .stages
            .iter()
            .map(|stage| {
                let own = curve.iter().filter(|point| point.stage == stage.name);
                own.map(|point| (point.steps as f64, of(point))).collect()
            })
            .collect(),
    };
    CurvePlot {
        title: format!("Training of {}", config.name),
        subtitle: format!("seed {}, reward {}; explorative choices included", config.seed, config.reward),
        across: "steps of the environment".to_owned(),
        series: config.stages.iter().map(|stage| stage.name.clone()).collect(),
        panels: vec![
            panel("Agreement, share of episodes", &|point| point.agreement),
            panel("Surplus, own gain as a share of the price", &|point| point.surplus),
            panel("Constraint satisfaction, share of episodes", &|point| point.constraint_satisfaction),
        ],
    }
}

/// The model card.
fn card(name: &str, policy: &Policy, measured: &[Measured]) -> String {
    let card = &policy.card;
    let mut text = format!(
        "# {name}\n\nA negotiation policy learned by {} with the recipe \"{}\", seed {}.\n\n\
         | | |\n| --- | --- |\n| reward | {} |\n| trained on | {} |\n| against | {} |\n| episodes | {} |\n| steps | {} |\n\
         | chooses among | {} {} |\n| sees | {} numbers, beliefs {} |\n| network | hidden layers {:?}, {} parameters |\n\n\
         Both seats were learned. The weights are a safetensors file whose layers are `[inputs, outputs]`; hidden layers are followed by \
         rectifiers.\n\n## Measured\n\nOn splits that it was not trained on; 95 % intervals by bootstrap over scenarios. Constraint \
         satisfaction is that of the raw policy: what the software corrected counts as a violation.\n\n\
         | suite and split | agreement | feasible agreement | surplus efficiency | constraint satisfaction | loss-making | n |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
        card.algorithm,
        card.recipe,
        card.seed,
        card.reward,
        card.trained_on.join(", "),
        card.opponents,
        card.episodes,
        card.steps,
        card.moves.count(),
        if card.moves == zopa_agents::learn::moves::Moves::Intents {
            "raw intents"
        } else {
            "pairs of intent and package"
        },
        card.shape.inputs,
        if card.perception.beliefs { "included" } else { "left out" },
        card.shape.hidden,
        card.shape.parameters(),
    );
    for row in measured {
        let _ = writeln!(
            text,
            "| {} {} | {} | {} | {} | {} | {} | {} |",
            row.suite,
            row.split,
            interval(row.agreement_rate),
            interval(row.feasible_agreement_rate),
            interval(row.surplus_efficiency),
            interval(row.constraint_satisfaction),
            interval(row.loss_making_rate),
            row.agreement_rate.map_or(0, |estimate| estimate.n)
        );
    }
    text
}
