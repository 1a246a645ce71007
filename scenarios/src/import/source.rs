//! A domain as a sequence of scenarios.

use super::domain::Domain;
use std::sync::Arc;
use zopa_envs::{
    Caps, CommonPrior, Counterpart, Mandate, PartyType, PhaseBounds, PublicScenario, Scenario, ScenarioSource, Seat,
    StreamKey, Tactic,
};

/// Rounds of a domain whose files do not say: the peers play 100.
pub const DEFAULT_ROUNDS: u16 = 100;

/// How a domain is played.
#[derive(Clone, Debug)]
pub struct DomainGame {
    /// Rounds at most.
    pub rounds: u16,
    /// The run's seed: draws who opens, and the counterpart's random numbers.
    pub seed: u64,
    /// Guardrails, off unless asked for: their caps were chosen for money.
    pub guardrails: Option<Caps>,
    /// Who may play the other side, by name: one is drawn for each scenario and seat, with equal chances. Empty where an
    /// agent does.
    pub opponents: Vec<(Arc<str>, Tactic)>,
}

impl Default for DomainGame {
    fn default() -> Self {
        Self { rounds: DEFAULT_ROUNDS, seed: 0, guardrails: None, opponents: Vec::new() }
    }
}

/// The scenarios of a domain: episode `i` is scenario `i / 2` with the agent at seat `i mod 2`. Preferences are the same in
/// each; who opens is drawn.
#[derive(Clone, Debug)]
pub struct DomainSource {
    public: PublicScenario,
    types: [PartyType; 2],
    opponents: Vec<(Arc<str>, Tactic)>,
    drawing: StreamKey,
    openers: StreamKey,
    counterparts: StreamKey,
}

impl DomainSource {
    /// The scenarios of `domain`, played as `game` says.
    #[must_use]
    pub fn new(domain: &Domain, game: DomainGame) -> Self {
        let digest = domain.digest();
        let seed = game.seed.to_le_bytes();
        let names: Vec<&str> = game.opponents.iter().map(|(name, _)| &**name).collect();
        let names = names.join(" ");
        let public = PublicScenario {
            name: domain.name.clone(),
            space: domain.space.clone(),
            status_quo: None,
            rounds: game.rounds,
            opener: Seat::Buyer,
            phases: PhaseBounds::default(),
            guardrails: game.guardrails,
            hazard: 0.0,
            discount: [domain.profiles[0].discount, domain.profiles[1].discount],
            prior: CommonPrior::Unknown,
            families: Arc::default(),
            speech: false,
        };
        Self {
            public,
            types: domain.types(),
            openers: StreamKey::new("domain scenario", &[digest.bytes(), &seed]),
            drawing: StreamKey::new("domain counterpart drawing", &[digest.bytes(), &seed, names.as_bytes()]),
            counterparts: StreamKey::new("domain counterpart", &[digest.bytes(), &seed, names.as_bytes()]),
            opponents: game.opponents,
        }
    }

    /// Both private types, buyer first.
    #[must_use]
    pub fn types(&self) -> &[PartyType; 2] {
        &self.types
    }
}

impl ScenarioSource for DomainSource {
    fn scenario(&self, index: u64) -> Scenario {
        let seat = Seat::BOTH[(index % 2) as usize];
        let mut public = self.public.clone();
        public.opener = Seat::BOTH[self.openers.stream(index / 2).below(2) as usize];
        let drawn = match self.opponents.len() {
            0 | 1 => 0,
            several => self.drawing.stream(index).below(several as u64) as usize,
        };
        let counterpart = self.opponents.get(drawn).map(|(family, tactic)| {
            // Every contender meets the same counterpart, and each seat has its own.
            Counterpart::new(family.clone(), tactic.clone(), self.counterparts.lazy(index))
        });
        Scenario {
            public,
            types: self.types.clone(),
            mandates: [Mandate::default(), Mandate::default()],
            principals: Default::default(),
            seat,
            counterpart,
            break_off: None,
        }
    }
}
