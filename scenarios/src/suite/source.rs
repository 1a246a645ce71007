//! Seeded scenarios of a suite.

use super::error::SuiteError;
use super::file::{FamilyRole, GuardrailRule, OpenerRule, RelationshipSpec};
use super::header::SEED_LIMIT;
use super::shift::{Drawn, Game};
use super::space::Layout;
use super::{Family, Suite};
use std::sync::Arc;
use zopa_envs::{
    CommonPrior, Counterpart, Mandate, PartyPrior, PartyType, PublicScenario, Sampler, Scenario, ScenarioSource, Seat,
    SeriesPlan, Stream, StreamKey, Utility,
};

/// Who sits on the other side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Opponent {
    /// A counterpart drawn from the split's families.
    #[default]
    Mix,
    /// Always this family, its parameters drawn.
    Family(String),
    /// An agent of this id: the scenario then holds no counterpart.
    Agent(String),
}

/// What, besides the suite, fixes a sequence of scenarios.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceOptions {
    /// The split; the suite's default where `None`.
    pub split: Option<String>,
    /// The seed; the split's official one where `None`.
    pub seed: Option<u64>,
    /// The bytes of a salt file, which makes a private split.
    pub salt: Option<Vec<u8>>,
    /// Who sits on the other side.
    pub opponent: Opponent,
}

/// Streams that only a suite of repeated deals draws from, so that all others draw as if there were none.
#[derive(Clone, Copy, Debug)]
struct SeriesKeys {
    /// How many contracts.
    length: StreamKey,
    /// Opener and break-off of a contract after the first.
    terms: StreamKey,
    /// The walk of the disagreement values.
    drift: StreamKey,
    /// Deliveries.
    chances: StreamKey,
}

impl SeriesKeys {
    fn beside(key: &StreamKey) -> Self {
        let of = |purpose| key.with(purpose, &[]);
        Self {
            length: of("series length"),
            terms: of("series terms"),
            drift: of("series drift"),
            chances: of("series chances"),
        }
    }
}

/// A seeded sequence of a suite's scenarios.
///
/// The order of draws belongs to the suite's version. A scenario's stream, keyed by suite, version, split, seed and salt,
/// gives the status quo's price and terms, the opener, the break-off round, the buyer's and the supplier's parameters. One a
/// seat beside it gives the mandate and the principal, where the suite draws them. A
/// counterpart's stream, keyed by these and by opponent and seat, gives its family, its parameters and its deadline; what
/// it draws while it plays comes from a third. So every contender meets the same counterpart.
///
/// Contracts of a series after the first draw their opener and break-off round, and both disagreement values' walk (buyer's
/// step first), from streams of their own, and their counterpart's numbers from one stream a contract; the number of contracts
/// and the deliveries have a stream each. None of these depends on the seat but the counterpart's.
#[derive(Clone, Debug)]
pub struct SuiteSource {
    suite: Arc<Suite>,
    /// What is drawn from: as published, or as the split is shifted.
    drawn: Arc<Drawn>,
    split: Arc<str>,
    seed: u64,
    opponent: Opponent,
    /// Positions and shares of the families that may be met; empty where an agent sits there.
    met: Vec<(usize, f64)>,
    /// Sum of their shares.
    met_share: f64,
    key: StreamKey,
    authorising: [StreamKey; 2],
    drawing: [StreamKey; 2],
    playing: [StreamKey; 2],
    series: SeriesKeys,
    /// The status quo's price, and both sides' parameters in the prior's order.
    price: Option<Sampler>,
    parameters: [Vec<Sampler>; 2],
    template: Scenario,
    /// `ln(1 - hazard)`; 0 without a hazard.
    log_survival: f64,
    /// Chance that the deadline comes before a break-off.
    lasts: f64,
}

impl Suite {
    /// The scenarios that `options` name.
    ///
    /// # Errors
    /// An unknown split or family, or a seed of 2^53 or more.
    pub fn source(self: &Arc<Self>, options: &SourceOptions) -> Result<SuiteSource, SuiteError> {
        let split_name = options.split.as_deref().unwrap_or(self.default_split());
        let split = self.split(split_name)?;
        let seed = options.seed.unwrap_or(split.seed);
        if seed >= SEED_LIMIT {
            return Err(SuiteError::SeedTooLarge { seed });
        }
        if let Some(spec) = self.distilled().filter(|spec| spec.seed != seed) {
            return Err(SuiteError::DistilledSeed { suite: self.title().to_owned(), kept: spec.seed, seed });
        }
        let met = match &options.opponent {
            Opponent::Mix => {
                let of_role =
                    self.families().iter().enumerate().filter(|(_, family)| family.role == split.counterparts);
                of_role.map(|(position, family)| (position, family.share)).collect()
            }
            Opponent::Family(name) => {
                let family = self.family(name)?;
                if family.role == FamilyRole::HeldOut && split.counterparts == FamilyRole::Training {
                    return Err(SuiteError::HeldOut {
                        family: name.clone(),
                        split: split_name.to_owned(),
                        splits: self.splits_of(FamilyRole::HeldOut),
                    });
                }
                let position = self.families().iter().position(|family| &*family.name == name);
                position.map(|position| (position, 1.0)).into_iter().collect()
            }
            Opponent::Agent(_) => Vec::new(),
        };
        let (kind, id) = match &options.opponent {
            Opponent::Mix => ("mix", ""),
            Opponent::Family(name) => ("family", name.as_str()),
            Opponent::Agent(id) => ("agent", id.as_str()),
        };
        let salt = options.salt.as_deref().unwrap_or_default();
        // A shifted split draws from its reference's random numbers.
        let drawn_as = split.reference.as_deref().unwrap_or(split_name);
        let parts: [&[u8]; 5] =
            [self.name().as_bytes(), &self.version().to_le_bytes(), drawn_as.as_bytes(), &seed.to_le_bytes(), salt];
        let key = StreamKey::new("scenario", &parts);
        let opposing = StreamKey::new("counterpart", &parts).with(kind, id.as_bytes());
        let log_survival = libm::log1p(-self.file().hazard);
        let drawn = self.shifts.get(split_name).unwrap_or(&self.published).clone();
        let price = match &drawn.game {
            Game::Money { layout, .. } => Some(layout.price.distribution.into()),
            Game::Division(_) | Game::Domain(_) => None,
        };
        let parameters = [0, 1].map(|seat| {
            let prior = drawn.prior().get(seat);
            prior.into_iter().flat_map(PartyPrior::distributions).map(|&distribution| distribution.into()).collect()
        });
        let of_seat = |purpose: &str| Seat::BOTH.map(|seat| opposing.with(purpose, &[seat.index() as u8]));
        Ok(SuiteSource {
            suite: self.clone(),
            drawn,
            price,
            parameters,
            split: split_name.into(),
            seed,
            opponent: options.opponent.clone(),
            met_share: met.iter().map(|(_, share)| *share).sum(),
            met,
            series: SeriesKeys::beside(&key),
            authorising: Seat::BOTH.map(|seat| key.with("mandate", &[seat.index() as u8])),
            key,
            drawing: of_seat("drawing"),
            playing: of_seat("playing"),
            template: self.template(),
            log_survival,
            lasts: libm::exp(log_survival * f64::from(self.file().rounds - 1)),
        })
    }

    /// A scenario with all that never changes; the rest is written by `refill`.
    fn template(&self) -> Scenario {
        let file = self.file();
        let (space, types, status_quo, prior) = match &self.published.game {
            Game::Money { layout, prior } => {
                let status_quo = layout.first_status_quo();
                let party = || PartyType::of_money(Utility::zero(&layout.space), 0.0, &status_quo);
                let types = [party(), party()];
                (layout.space.clone(), types, Some(status_quo), CommonPrior::Parties(prior.clone()))
            }
            Game::Division(instances) => {
                let (space, types) = instances.division(0).into_parts();
                (space, types, None, CommonPrior::Unknown)
            }
            Game::Domain(domain) => (domain.space.clone(), domain.types.clone(), None, CommonPrior::Unknown),
        };
        Scenario {
            public: PublicScenario {
                name: self.name.clone(),
                space,
                status_quo,
                rounds: file.rounds,
                opener: Seat::Buyer,
                phases: file.phases,
                guardrails: match file.guardrails {
                    GuardrailRule::Off => None,
                    GuardrailRule::Caps(caps) => Some(caps),
                },
                hazard: file.hazard,
                discount: [file.discount.buyer, file.discount.supplier],
                prior,
                families: self.notices.clone(),
                speech: file.speech,
            },
            types,
            mandates: [Mandate::default(), Mandate::default()],
            principals: Default::default(),
            seat: Seat::Buyer,
            counterpart: None,
            break_off: None,
        }
    }
}

impl SuiteSource {
    /// The suite.
    #[must_use]
    pub fn suite(&self) -> &Arc<Suite> {
        &self.suite
    }

    /// The split's name.
    #[must_use]
    pub fn split(&self) -> &str {
        &self.split
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Who sits on the other side.
    #[must_use]
    pub fn opponent(&self) -> &Opponent {
        &self.opponent
    }

    /// How both sides' types are drawn, buyer first: as published, or as the split is shifted; empty where a pool is divided.
    #[must_use]
    pub fn drawn_prior(&self) -> &[PartyPrior] {
        self.drawn.prior()
    }

    /// The counterpart families as they are drawn, in the file's order.
    #[must_use]
    pub fn drawn_families(&self) -> &[Family] {
        &self.drawn.families
    }

    /// The number of episode `index`'s scenario in the suite; a distilled suite begins anew behind its last one.
    fn number(&self, index: u64) -> u64 {
        let number = index / 2;
        match self.suite.distilled() {
            Some(spec) => spec.scenarios[(number % spec.scenarios.len() as u64) as usize],
            None => number,
        }
    }

    /// Draws what is public and both types.
    fn draw_scenario(&self, stream: &mut Stream, scenario: &mut Scenario) {
        match &self.drawn.game {
            Game::Money { layout, .. } => self.draw_terms(layout, stream, &mut scenario.public),
            Game::Division(instances) => {
                (scenario.public.space, scenario.types) = instances.draw(stream).into_parts();
            }
            // The template has the preferences; a counterpart's own deadline is the only part of them that is drawn.
            Game::Domain(_) => scenario.types.iter_mut().for_each(|party| party.deadline = None),
        }
        scenario.public.opener = opener(self.suite.file().opener, stream);
        scenario.break_off = self.draw_break_off(stream);
        let Some(status_quo) = &scenario.public.status_quo else { return };
        for (seat, prior) in Seat::BOTH.into_iter().zip(self.drawn.prior()) {
            let (samplers, party) = (&self.parameters[seat.index()], &mut scenario.types[seat.index()]);
            party.deadline = None;
            if party.parameters.len() != samplers.len() {
                party.parameters.resize(samplers.len(), 0.0);
            }
            for (parameter, sampler) in party.parameters.iter_mut().zip(samplers) {
                *parameter = sampler.draw(stream);
            }
            prior.describe_drawn(seat, &scenario.public.space, status_quo, party);
        }
    }

    /// Draws the status quo's price, which places the price grid, and its other terms.
    fn draw_terms(&self, layout: &Layout, stream: &mut Stream, public: &mut PublicScenario) {
        let Some(price) = &self.price else { return };
        let tick = layout.price.tick(price.draw(stream));
        public.space.move_grid(layout.price.issue, layout.price.grid(tick));
        if let Some(status_quo) = &mut public.status_quo {
            for (issue, choices) in layout.status_quo.iter().enumerate() {
                // Nothing is drawn where there is no choice.
                status_quo.set(issue, choices[stream.below(choices.len() as u64) as usize]);
            }
        }
    }

    /// The round after which the negotiation breaks off: geometric, by inversion. `None` where the deadline comes first.
    fn draw_break_off(&self, stream: &mut Stream) -> Option<u16> {
        if self.log_survival == 0.0 {
            return None;
        }
        let survived = stream.open_uniform();
        if survived <= self.lasts {
            return None;
        }
        let last = self.suite.file().rounds - 2;
        Some(((libm::log(survived) / self.log_survival) as u16).min(last))
    }

    /// Draws what both principals authorise, where the suite says how. The mandate's stream is the scenario's own, so that all
    /// contenders have the same.
    fn draw_mandates(&self, number: u64, scenario: &mut Scenario) {
        let Some(templates) = &self.suite.mandates else { return };
        let scale = scenario.public.status_quo_price().unwrap_or(1.0);
        for seat in Seat::BOTH {
            let key = self.authorising[seat.index()];
            let approving = key.with("approver", &number.to_le_bytes());
            let (mandate, principal) = templates.draw(seat, scale, &mut key.stream(number), approving);
            scenario.mandates[seat.index()] = mandate;
            scenario.principals[seat.index()] = principal;
        }
    }

    /// Draws the other side's counterpart.
    fn draw_counterpart(&self, number: u64, stream: &mut Stream, scenario: &mut Scenario) {
        let other = scenario.seat.other().index();
        let chosen = stream.weighted_of(self.met_share, self.met.iter().map(|(_, share)| *share));
        let family = &self.drawn.families[self.met[chosen].0];
        let policy = family.policy.draw(stream);
        let voice = family.voice.draw(stream);
        if let Some(deadline) = &family.deadline {
            scenario.types[other].deadline = Some((deadline.draw(stream) + 0.5) as u16);
        }
        let playing = &self.playing[other];
        match &mut scenario.counterpart {
            Some(counterpart) => counterpart.redraw(&family.name, policy, voice, playing, number),
            None => {
                let stream = playing.lazy(number);
                scenario.counterpart = Some(Counterpart::new(family.name.clone(), policy, stream).speaking(voice));
            }
        }
    }
}

/// Who opens.
fn opener(rule: OpenerRule, stream: &mut Stream) -> Seat {
    match rule {
        OpenerRule::Drawn => Seat::BOTH[stream.below(2) as usize],
        OpenerRule::Buyer => Seat::Buyer,
        OpenerRule::Supplier => Seat::Supplier,
    }
}

impl SuiteSource {
    /// Makes the first contract of series `number` its contract `contract`, from 1.
    fn draw_contract(&self, number: u64, contract: u16, spec: &RelationshipSpec, scenario: &mut Scenario) {
        let mut stream = self.series.terms.with("contract", &contract.to_le_bytes()).stream(number);
        scenario.public.opener = opener(self.suite.file().opener, &mut stream);
        scenario.break_off = self.draw_break_off(&mut stream);
        let mut walk = self.series.drift.stream(number);
        let steps = [spec.drift.buyer, spec.drift.supplier];
        let mut values = [0, 1].map(|seat| scenario.types[seat].parameters[0]);
        for _ in 0..contract {
            for ((value, step), prior) in values.iter_mut().zip(steps).zip(self.drawn.prior()) {
                let (low, high) = prior.disagreement.support();
                *value = (*value + walk.uniform_in(-step, step)).clamp(low, high);
            }
        }
        let Some(status_quo) = &scenario.public.status_quo else { return };
        for (seat, prior) in Seat::BOTH.into_iter().zip(self.drawn.prior()) {
            let party = &mut scenario.types[seat.index()];
            let mut parameters = party.parameters.clone();
            parameters[0] = values[seat.index()];
            prior.describe(&parameters, seat, &scenario.public.space, status_quo, party);
        }
        if let Some(counterpart) = &mut scenario.counterpart {
            let playing = self.playing[scenario.seat.other().index()];
            counterpart.stream = playing.with("contract", &contract.to_le_bytes()).lazy(number);
        }
    }
}

impl ScenarioSource for SuiteSource {
    fn scenario(&self, index: u64) -> Scenario {
        let mut scenario = self.template.clone();
        self.refill(index, &mut scenario);
        scenario
    }

    fn refill(&self, index: u64, scenario: &mut Scenario) {
        if !Arc::ptr_eq(&scenario.public.name, &self.template.public.name) {
            // Another suite's scenario has other issues.
            scenario.clone_from(&self.template);
        }
        scenario.seat = Seat::BOTH[(index % 2) as usize];
        if self.suite.mandates.is_none() {
            // As in the template: cheaper to write than to compare.
            scenario.mandates = [Mandate::default(), Mandate::default()];
        }
        let number = self.number(index);
        let (mut public, mut opposing) =
            (self.key.stream(number), self.drawing[scenario.seat.other().index()].stream(number));
        let meets = !self.met.is_empty();
        if meets {
            public.make_ready();
            opposing.make_ready();
        }
        self.draw_scenario(&mut public, scenario);
        self.draw_mandates(number, scenario);
        if meets {
            self.draw_counterpart(number, &mut opposing, scenario);
        } else {
            scenario.counterpart = None;
        }
    }

    fn series(&self, index: u64) -> Option<SeriesPlan> {
        let (spec, rules) = (self.suite.file().relationship.as_ref()?, self.suite.rules.clone()?);
        let (number, range) = (self.number(index), spec.contracts);
        let span = u64::from(range.high - range.low) + 1;
        let contracts = range.low + self.series.length.stream(number).below(span) as u16;
        Some(SeriesPlan { rules, contracts, chances: self.series.chances.lazy(number) })
    }

    fn contract(&self, index: u64, contract: u16) -> Scenario {
        let mut scenario = self.scenario(index);
        if let Some(spec) = self.suite.file().relationship.as_ref().filter(|_| contract > 0) {
            self.draw_contract(self.number(index), contract, spec, &mut scenario);
        }
        scenario
    }
}
