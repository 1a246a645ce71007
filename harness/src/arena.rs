//! What a run is played on: a suite, or an imported domain.

use crate::failure::Failure;
use crate::nearest;
use std::path::Path;
use std::sync::Arc;
use zopa_agents::roster;
use zopa_envs::{Attainable, Caps, Difficulty, Digest, Grade, Scenario, ScenarioSource};
use zopa_reports::{Gate, Manifest};
use zopa_scenarios::{DomainGame, Opponent, SourceOptions, Suite, read_domain};

/// The name under which a run keeps its suite file.
const SUITE_FILE: &str = "suite.toml";

/// Where a run's scenarios come from: a suite, or a domain of the field, which is played as the suite that `zopa import` makes
/// of it.
#[derive(Debug)]
pub struct Arena {
    suite: Arc<Suite>,
    notices: Vec<String>,
}

/// Who sits on the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpponentChoice {
    /// The arena's own mix of counterparts.
    Mix,
    /// One family of scripted counterparts.
    Family(String),
    /// An agent.
    Agent(String),
}

impl OpponentChoice {
    /// Its name in keys and manifests.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Mix => "mix".to_owned(),
            Self::Family(name) => format!("family:{name}"),
            Self::Agent(id) => format!("agent:{id}"),
        }
    }
}

/// What, besides the arena, fixes a sequence of scenarios.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The split; the arena's default where `None`.
    pub split: Option<String>,
    /// The seed; the split's own where `None`.
    pub seed: Option<u64>,
    /// Bytes of a salt file, for private splits.
    pub salt: Option<Vec<u8>>,
    /// Who sits on the other side.
    pub opponent: OpponentChoice,
}

/// A sequence of scenarios, and the names that fix it.
pub struct Drawn {
    /// The scenarios.
    pub source: Box<dyn ScenarioSource>,
    /// The split's name; a private one's with the hash of its salt.
    pub split: String,
    /// The seed.
    pub seed: u64,
}

/// Between a private split's name and the hash of its salt.
const SALT_MARK: &str = "+salt:";

/// The name of a split with its salt's hash, which may be published: the salt itself never is.
fn salted(split: &str, salt: Option<&[u8]>) -> String {
    match salt {
        Some(salt) => format!("{split}{SALT_MARK}{}", Digest::of_bytes(salt)),
        None => split.to_owned(),
    }
}

/// The plain name of a split, and the hash of its salt where it is private.
#[must_use]
pub fn split_and_salt(split: &str) -> (&str, Option<&str>) {
    split.split_once(SALT_MARK).map_or((split, None), |(plain, hash)| (plain, Some(hash)))
}

/// The plain name of a split, after a run's salt was tested against the hash in it.
///
/// # Errors
/// Where the split is private and `salt` is missing or another one, or the split is public and there is a salt.
pub fn plain_split<'a>(split: &'a str, salt: Option<&[u8]>) -> Result<&'a str, Failure> {
    match (split.split_once(SALT_MARK), salt) {
        (None, None) => Ok(split),
        (Some((plain, hash)), Some(salt)) if Digest::of_bytes(salt).to_string() == hash => Ok(plain),
        (Some((_, hash)), Some(_)) => {
            Err(Failure::Input(format!("--salt-file is another than the run's: its SHA-256 must be {hash}")))
        }
        (Some(_), None) => Err(Failure::input("the run played a private split: name its salt with --salt-file")),
        (None, Some(_)) => Err(Failure::input("the run played a public split: leave --salt-file out")),
    }
}

impl Arena {
    /// The suite of that name or in that file.
    ///
    /// # Errors
    /// Where there is none or it is wrong.
    pub fn suite(name: &str) -> Result<Self, Failure> {
        let suite = Suite::open(name).map_err(Failure::input)?;
        Ok(Self { suite: Arc::new(suite), notices: Vec::new() })
    }

    /// The domain in a folder, with guardrails where they are asked for.
    ///
    /// # Errors
    /// Where the folder holds none or a file is wrong.
    pub fn domain(folder: &Path, profiles: Option<[String; 2]>, guardrails: bool) -> Result<Self, Failure> {
        let text = imported(folder, profiles, guardrails)?;
        let suite = Suite::parse(SUITE_FILE, &text.suite).map_err(Failure::input)?;
        Ok(Self { suite: Arc::new(suite), notices: text.notices })
    }

    /// The arena that a run kept in its `inputs/`.
    ///
    /// # Errors
    /// Where the files are not those that the manifest names, or are wrong.
    pub fn of_inputs(manifest: &Manifest, files: Vec<(String, Vec<u8>)>) -> Result<Self, Failure> {
        for input in &manifest.inputs {
            let kept = files.iter().find(|(name, _)| *name == input.name);
            if kept.is_none_or(|(_, bytes)| Digest::of_bytes(bytes) != input.digest) {
                return Err(Failure::input(format!("inputs/{} is missing or was changed after the run", input.name)));
            }
        }
        let Some((_, bytes)) = files.iter().find(|(name, _)| name == SUITE_FILE) else {
            return Err(Failure::input(format!("inputs/{SUITE_FILE} is missing: the run does not say what it played")));
        };
        let text = std::str::from_utf8(bytes).map_err(|_| Failure::input("inputs/suite.toml is not UTF-8"))?;
        let suite = Suite::parse("inputs/suite.toml", text).map_err(Failure::input)?;
        Ok(Self { suite: Arc::new(suite), notices: Vec::new() })
    }

    /// The suite that is played.
    #[must_use]
    pub fn played(&self) -> &Suite {
        &self.suite
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.suite.title()
    }

    /// Its version.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.suite.version()
    }

    /// Digest of the suite file.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of_bytes(self.suite.text().as_bytes())
    }

    /// What was decided while reading, for the person who called.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Names of both profiles of a domain, buyer first.
    #[must_use]
    pub fn profiles(&self) -> Option<[String; 2]> {
        let domain = self.suite.file().domain.as_ref()?;
        Some([domain.buyer.name.clone(), domain.supplier.name.clone()])
    }

    /// Agents that play where none is named.
    #[must_use]
    pub fn lineup(&self) -> Vec<String> {
        self.suite.lineup().to_vec()
    }

    /// The agent that others are compared with.
    #[must_use]
    pub fn baseline(&self) -> &str {
        self.suite.baseline()
    }

    /// Agents whose gates set the exit code.
    #[must_use]
    pub fn gated(&self) -> Vec<String> {
        self.suite.gated().to_vec()
    }

    /// Its gates.
    #[must_use]
    pub fn gates(&self) -> Vec<Gate> {
        crate::gates::of_suite(&self.suite)
    }

    /// Episodes where no number is given.
    ///
    /// # Errors
    /// Where the suite has no such split.
    pub fn default_episodes(&self, split: Option<&str>) -> Result<u64, Failure> {
        let split = self.suite.split(split.unwrap_or(self.suite.default_split())).map_err(Failure::input)?;
        Ok(split.episodes)
    }

    /// Episodes at most; `None` where scenarios are drawn without end.
    #[must_use]
    pub fn most_episodes(&self) -> Option<u64> {
        self.suite.distilled().map(|spec| 2 * spec.scenarios.len() as u64)
    }

    /// Names of its counterpart families.
    #[must_use]
    pub fn families(&self) -> Vec<String> {
        self.suite.families().iter().map(|family| family.name.to_string()).collect()
    }

    /// Who `name` means as an opponent: `mix`, a family, or an agent; `family:` and `agent:` before a name tell apart what
    /// has both. In a suite that is distilled from a run, `mix` is whoever the run met.
    ///
    /// # Errors
    /// Where it means nobody.
    pub fn opponent(&self, name: &str) -> Result<OpponentChoice, Failure> {
        let met = self.suite.distilled().map(|spec| spec.opponent.as_str());
        let name = met.filter(|_| name == "mix").unwrap_or(name);
        let families = self.families();
        let family = |name: &str| families.iter().any(|family| family == name);
        let agent = |id: &str| roster::find(id).is_ok();
        match name.split_once(':') {
            Some(("family", name)) if family(name) => Ok(OpponentChoice::Family(name.to_owned())),
            Some(("agent", id)) if agent(id) => Ok(OpponentChoice::Agent(id.to_owned())),
            None if name == "mix" => Ok(OpponentChoice::Mix),
            None if family(name) => Ok(OpponentChoice::Family(name.to_owned())),
            None if agent(name) => Ok(OpponentChoice::Agent(name.to_owned())),
            _ => {
                let known =
                    families.iter().map(String::as_str).chain(["mix"]).chain(roster::agents().map(|card| card.id));
                Err(Failure::Input(nearest::unknown("opponent", name, known, "zopa counterparts")))
            }
        }
    }

    /// The scenarios that `draw` names.
    ///
    /// # Errors
    /// An unknown split, or a seed that is too large.
    pub fn draw(&self, draw: &Draw) -> Result<Drawn, Failure> {
        let kept = self.suite.distilled().and_then(|spec| spec.salt.as_deref());
        let given = draw.salt.as_deref().map(|salt| Digest::of_bytes(salt).to_string());
        if self.suite.distilled().is_some() && kept != given.as_deref() {
            return Err(match kept {
                Some(hash) => Failure::Input(format!(
                    "the run that the suite is distilled from played a private split: --salt-file must name the file whose \
                     SHA-256 is {hash}"
                )),
                None => Failure::input("the suite is distilled from a public split: leave --salt-file out"),
            });
        }
        let opponent = match &draw.opponent {
            OpponentChoice::Mix => Opponent::Mix,
            OpponentChoice::Family(name) => Opponent::Family(name.clone()),
            OpponentChoice::Agent(id) => Opponent::Agent(id.clone()),
        };
        let options = SourceOptions { split: draw.split.clone(), seed: draw.seed, salt: draw.salt.clone(), opponent };
        let source = self.suite.source(&options).map_err(Failure::input)?;
        let (split, seed) = (salted(source.split(), draw.salt.as_deref()), source.seed());
        Ok(Drawn { source: Box::new(source), split, seed })
    }

    /// What was attainable in a scenario of this arena.
    #[must_use]
    pub fn attainable(&self, scenario: &Scenario) -> Option<Attainable> {
        self.suite.attainable(scenario)
    }

    /// How hard a scenario is for the agent at its seat, where the arena grades its scenarios and something can be agreed.
    #[must_use]
    pub fn grade(&self, scenario: &Scenario, attainable: Option<&Attainable>) -> Option<Grade> {
        let cutoffs = self.suite.difficulty_cutoffs()?;
        let difficulty = Difficulty::of(scenario, attainable?)?;
        Some(Grade { difficulty: difficulty.value(), quintile: difficulty.quintile(cutoffs) })
    }

    /// The files that a run keeps so that it can be replayed without this arena: name and bytes.
    #[must_use]
    pub fn inputs(&self) -> Vec<(String, Vec<u8>)> {
        vec![(SUITE_FILE.to_owned(), self.suite.text().as_bytes().to_vec())]
    }

    /// Guardrails and mandate in canonical words, for keys and manifests.
    #[must_use]
    pub fn authority(scenario: &Scenario) -> String {
        let guardrails = scenario.public.guardrails.map_or_else(
            || "guardrails off".to_owned(),
            |caps| {
                format!(
                    "guardrails rate {} floor {} phases {} {} {} {}",
                    caps.concession_rate, caps.floor, caps.opening, caps.bargaining, caps.closing, caps.last
                )
            },
        );
        format!("{guardrails}; mandate by scenario")
    }
}

/// A domain as a suite file.
pub struct Imported {
    /// The file's text.
    pub suite: String,
    /// What was decided while reading.
    pub notices: Vec<String>,
}

/// The suite file of the domain in `folder`, with the default guardrails where they are asked for.
///
/// # Errors
/// Where the folder holds no domain or a file is wrong.
pub fn imported(folder: &Path, profiles: Option<[String; 2]>, guardrails: bool) -> Result<Imported, Failure> {
    let named = profiles.as_ref().map(|[first, second]| [first.as_str(), second.as_str()]);
    let domain = read_domain(folder, named).map_err(Failure::input)?;
    let game = DomainGame { guardrails: guardrails.then(Caps::default), ..DomainGame::default() };
    let suite = domain.suite_text(&game).map_err(Failure::input)?;
    Ok(Imported { suite, notices: domain.notices })
}
